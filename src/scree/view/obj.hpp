#pragma once
/// Wavefront OBJ with MTL materials: read (any file) and written (the project's own meshes).
#include <filesystem>
#include <string>
#include <vector>

#include "scree/view/mesh.hpp"

namespace scree::view {

/// Reads an OBJ and the MTL it names: colours (Kd), shine (Ns, Ks or Pr, Pm), light of its own (Ke), textures
/// (map_Kd), the file's normals or, without them, smooth ones with sharp edges above 45 degrees.
/// Throws InputError naming the file when it is missing, malformed, or holds no triangle. A missing MTL or
/// texture is put into `warnings`, one line each, and the mesh goes on without it.
Mesh read_obj(const std::filesystem::path& file, std::vector<std::string>& warnings);

/// Writes NAME.obj and NAME.mtl. Numbers have 5 decimals (0.01 mm), so that files do not change with the
/// compiler.
void write_obj(const std::filesystem::path& file, const Mesh& mesh, const std::string& comment);

}  // namespace scree::view
