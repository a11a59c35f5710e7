#include "scree/view/mesh_gpu.hpp"

#include "scree/core/errors.hpp"

namespace scree::view {

void upload_texture(const GlTexture& texture, const Image& image, float anisotropy, bool smooth) {
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0,
               image.channels == 4 ? GL_RGBA : GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
  gl_work().uploaded += image.pixels.size();
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                  smooth ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  // Software rasterisers take this many times the samples: left to real graphics cards.
  if (anisotropy > 1 && epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic"))
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, anisotropy);
}

GLuint MeshStore::texture(const std::filesystem::path& file) {
  const auto known = textures_.find(file.string());
  if (known != textures_.end()) return known->second.id();
  try {
    const Image image = read_image(file);
    GlTexture texture;
    upload_texture(texture, image);
    return textures_.emplace(file.string(), std::move(texture)).first->second.id();
  } catch (const InputError& error) {
    warnings_.push_back(std::string(error.what()) + ": drawn in its colour");
    return 0;
  }
}

const MeshStore::Entry& MeshStore::get(const std::shared_ptr<const Mesh>& mesh) {
  const auto known = meshes_.find(mesh.get());
  if (known != meshes_.end()) return known->second;
  Entry entry{mesh, {}, mesh->bounds()};
  for (const Surface& surface : mesh->surfaces) {
    Part part;
    part.material = surface.material;
    part.count = static_cast<int>(surface.indices.size());
    glBindVertexArray(part.array.id());
    glBindBuffer(GL_ARRAY_BUFFER, part.vertices.id());
    fill_buffer(GL_ARRAY_BUFFER, surface.vertices.size() * sizeof(Vertex), surface.vertices.data(),
                GL_STATIC_DRAW);
    float_attribute(0, 3, sizeof(Vertex), offsetof(Vertex, p));
    float_attribute(1, 3, sizeof(Vertex), offsetof(Vertex, n));
    float_attribute(2, 2, sizeof(Vertex), offsetof(Vertex, uv));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, part.indices.id());
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, surface.indices.size() * 4, surface.indices.data(), GL_STATIC_DRAW);
    glBindVertexArray(0);
    if (!part.material.texture.empty()) part.texture = texture(part.material.texture);
    entry.parts.push_back(std::move(part));
  }
  return meshes_.emplace(mesh.get(), std::move(entry)).first->second;
}

}  // namespace scree::view
