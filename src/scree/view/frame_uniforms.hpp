#pragma once
/// The uniforms that all shaders share, laid out as std140 demands.
#include "scree/view/camera.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

inline constexpr int kMostOccluders = 12;

struct FrameUniforms {
  Mat4f clip_from_rel;
  Mat4f shadow_from_rel[2];
  Vec4f eye, to_sun, sun_color, zenith, horizon, bounce, shadow_info, screen;
  Vec4f occluder[kMostOccluders];
  std::int32_t counts[4] = {0, 0, 0, 0};
};
static_assert(offsetof(FrameUniforms, counts) == (3 * 16 + 8 * 4 + kMostOccluders * 4) * sizeof(float));

/// The gamma of the shaders: 2.
Vec3f to_linear(const Color& srgb);

/// Everything except shadows and occluders.
FrameUniforms frame_uniforms(const Environment& environment, const Viewpoint& view, int width, int height);

/// A ball that the sun shines on, and the map that is to hold its shadows.
struct SunBall {
  Vec3 center;                   ///< m, world
  double radius = 0, depth = 0;  ///< m; depth: along the rays, to either side
  int texels = 0;                ///< along a side of the map
  int step = 1;                  ///< texels by which the box moves, across and along the rays
};
/// An orthographic view along the sun's rays that covers a ball, moved in whole steps of texels so that
/// shadows do not crawl.
struct SunBox {
  Mat4f clip_from_rel;           ///< eye-relative world -> clip, for drawing the map
  double texel = 0;              ///< m
  Vec3 center;                   ///< m, world
  double radius = 0, depth = 0;  ///< m
  Mat3 axes;                     ///< columns: two across, one to the sun
  /// True when the ball lies so well inside that whatever it shades, anywhere along the rays, is looked up in
  /// this map and not in a wider one.
  bool shades_alone(const Vec3& ball, double ball_radius) const;
  /// True when the box may throw a shadow into the ball.
  bool touches(const Box& box) const;
};
SunBox sun_box(const Vec3& to_sun, const SunBall& ball, const Vec3& eye);
/// The matrix that reads the box's map, for another eye.
Mat4f map_from_relative(const SunBox& box, const Vec3& eye);

/// True when the box may be seen: tested against the five planes of a view without far plane.
bool in_view(const Mat4f& clip_from_rel, const Vec3& eye, const Box& box);

}  // namespace scree::view
