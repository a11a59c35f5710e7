#include "scree/view/shadow_maps.hpp"

#include <algorithm>

namespace scree::view {
namespace {

/// The ground is drawn again after so many pictures even if the box stands: finer tiles may have come, and
/// the eye, whose distance decides on them, may have moved.
constexpr int kOldest = 12;

}  // namespace

ShadowMaps::Layers::Layers(int size) {
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture.id());
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, size, size, 2, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  for (GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D_ARRAY, filter, GL_LINEAR);
  for (GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D_ARRAY, wrap, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  for (int layer = 0; layer < 2; ++layer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[layer].id());
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture.id(), 0, layer);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
}

ShadowMaps::ShadowMaps(int size, bool keep_ground) : size_(std::max(size, 1)), maps_(size_) {
  if (keep_ground) ground_.emplace(size_);
}

void ShadowMaps::copy(const Layers& from, const Layers& to, int map) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffers[map].id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to.framebuffers[map].id());
  glBlitFramebuffer(0, 0, size_, size_, 0, 0, size_, size_, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

bool ShadowMaps::begin(int map, const SunBox& box) {
  glViewport(0, 0, size_, size_);
  auto& kept = kept_[map];
  const bool holds = ground_ && kept && kept->center == box.center && kept->radius == box.radius &&
                     kept->depth == box.depth && kept->axes == box.axes && ++kept->age < kOldest;
  if (holds) copy(*ground_, maps_, map);
  glBindFramebuffer(GL_FRAMEBUFFER, maps_.framebuffers[map].id());
  if (!holds) glClear(GL_DEPTH_BUFFER_BIT);
  return holds;
}

void ShadowMaps::keep_ground(int map, const SunBox& box) {
  if (!ground_) return;
  copy(maps_, *ground_, map);
  kept_[map] = Kept{box.center, box.radius, box.depth, box.axes, 0};
  glBindFramebuffer(GL_FRAMEBUFFER, maps_.framebuffers[map].id());
}

void ShadowMaps::forget_ground() { kept_ = {}; }

}  // namespace scree::view
