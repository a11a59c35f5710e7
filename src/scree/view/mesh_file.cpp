#include "scree/view/mesh_file.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/view/obj.hpp"

#ifdef SCREE_HAVE_ASSIMP
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace scree::view {
namespace {

#ifdef SCREE_HAVE_ASSIMP
Material material_of(const aiScene& scene, unsigned index) {
  Material m;
  m.name = "mesh_" + std::to_string(index);
  aiColor4D c;
  if (index < scene.mNumMaterials && scene.mMaterials[index]->Get(AI_MATKEY_COLOR_DIFFUSE, c) == AI_SUCCESS)
    m.color = Color(c.r, c.g, c.b);
  return m;
}

Mesh by_assimp(const std::filesystem::path& file) {
  Assimp::Importer importer;
  // Robots' meshes are in the axes that their URDF says, whatever way is up in the file.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene =
      importer.ReadFile(file.string(), aiProcess_Triangulate | aiProcess_PreTransformVertices |
                                           aiProcess_JoinIdenticalVertices | aiProcess_GenSmoothNormals |
                                           aiProcess_SortByPType);
  if (!scene) {
    std::string why = importer.GetErrorString();
    std::replace(why.begin(), why.end(), '\n', ' ');
    input_error("{}: cannot be read as a mesh: {}", file.string(), why);
  }
  Mesh mesh;
  for (unsigned k = 0; k < scene->mNumMeshes; ++k) {
    const aiMesh& part = *scene->mMeshes[k];
    Surface& surface = mesh.surface(material_of(*scene, part.mMaterialIndex));
    const auto first = static_cast<std::uint32_t>(surface.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D &p = part.mVertices[i], n = part.HasNormals() ? part.mNormals[i] : aiVector3D(0, 0, 1);
      add_vertex(surface, Vec3(p.x, p.y, p.z), Vec3(n.x, n.y, n.z));
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices == 3)
        add_triangle(surface, first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]);
    }
  }
  if (mesh.triangles() == 0) input_error("{}: holds no triangle", file.string());
  return mesh;
}
#endif

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, std::vector<std::string>& warnings) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (ending == ".obj") return read_obj(file, warnings);
#ifdef SCREE_HAVE_ASSIMP
  return by_assimp(file);
#else
  input_error("{}: this build reads .obj only (assimp was missing)", file.string());
#endif
}

}  // namespace scree::view
