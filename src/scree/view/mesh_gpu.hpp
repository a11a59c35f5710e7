#pragma once
/// Meshes and textures on the graphics card, loaded when first drawn.
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "scree/view/gl.hpp"
#include "scree/view/image.hpp"
#include "scree/view/mesh.hpp"

namespace scree::view {

/// Image with mipmaps, repeating; its colours stay sRGB, the shaders turn them linear. `smooth`: blended
/// between two sizes.
void upload_texture(const GlTexture& texture, const Image& image, float anisotropy = 1, bool smooth = true);

class MeshStore {
 public:
  struct Part {
    Material material;
    GlVertexArray array;
    GlBuffer vertices, indices;
    int count = 0;
    GLuint texture = 0;  ///< 0: none
  };
  struct Entry {
    std::shared_ptr<const Mesh> mesh;  ///< kept alive: its address is the key
    std::vector<Part> parts;
    Box bounds;
  };
  const Entry& get(const std::shared_ptr<const Mesh>& mesh);
  /// Textures that could not be read, one line each, since the last call.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  GLuint texture(const std::filesystem::path& file);
  std::unordered_map<const Mesh*, Entry> meshes_;
  std::unordered_map<std::string, GlTexture> textures_;
  std::vector<std::string> warnings_;
};

}  // namespace scree::view
