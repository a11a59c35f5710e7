#pragma once
/// Two depth maps seen from the sun, one near the focus and one far around it, compared and smoothed by the
/// texture unit; and what the ground alone leaves in them, so that it need not be drawn for every picture.
#include <array>
#include <optional>

#include "scree/view/frame_uniforms.hpp"
#include "scree/view/gl.hpp"

namespace scree::view {

class ShadowMaps {
 public:
  static constexpr int kNear = 0, kFar = 1;

  /// `keep_ground`: the ground's part is kept from picture to picture.
  ShadowMaps(int size, bool keep_ground);
  GLuint texture() const { return maps_.texture.id(); }

  /// Begins a map: what is drawn next goes into it. True when the ground is in it already, because the box
  /// stands where it stood when the ground was kept; else the map is empty.
  bool begin(int map, const SunBox& box);
  /// The ground has been drawn into the map that was begun: keeps it.
  void keep_ground(int map, const SunBox& box);
  /// The ground is another one.
  void forget_ground();

 private:
  struct Layers {
    GlTexture texture;
    std::array<GlFramebuffer, 2> framebuffers;
    explicit Layers(int size);
  };
  struct Kept {
    Vec3 center;
    double radius, depth;
    Mat3 axes;
    int age;  ///< pictures
  };
  void copy(const Layers& from, const Layers& to, int map) const;
  int size_;
  Layers maps_;
  std::optional<Layers> ground_;
  std::array<std::optional<Kept>, 2> kept_;
};

}  // namespace scree::view
