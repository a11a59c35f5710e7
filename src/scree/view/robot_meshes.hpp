#pragma once
/// The bodies and wheels of the repository's robots, made by program: `make_meshes` writes them to
/// models/NAME/meshes.
#include <string>
#include <vector>

#include "scree/view/mesh.hpp"

namespace scree::view {

struct NamedMesh {
  std::string file;     ///< relative to models/: "vivi/meshes/chassis.obj"
  std::string comment;  ///< first line of the file
  Mesh mesh;
};

std::vector<NamedMesh> project_meshes();

}  // namespace scree::view
