/// Writes the meshes of the repository's robots below a models folder: make_meshes MODELS
#include <cstdio>
#include <exception>
#include <filesystem>

#include "scree/view/obj.hpp"
#include "scree/view/robot_meshes.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_meshes MODELS\n");
    return 2;
  }
  try {
    for (const auto& [file, comment, mesh] : scree::view::project_meshes()) {
      const std::filesystem::path path = std::filesystem::path(argv[1]) / file;
      std::filesystem::create_directories(path.parent_path());
      scree::view::write_obj(path, mesh, comment);
      std::printf("%s: %zu triangles\n", path.c_str(), mesh.triangles());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_meshes: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
