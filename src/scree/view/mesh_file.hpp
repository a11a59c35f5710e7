#pragma once
/// Meshes of other programs: Wavefront OBJ by our own reader, STL, Collada and what else assimp knows.
#include <filesystem>
#include <string>
#include <vector>

#include "scree/view/mesh.hpp"

namespace scree::view {

/// Reads a mesh by the ending of its name. Throws InputError naming the file when it is missing, malformed,
/// of a kind that this build does not know, or without a triangle.
Mesh read_mesh(const std::filesystem::path& file, std::vector<std::string>& warnings);

}  // namespace scree::view
