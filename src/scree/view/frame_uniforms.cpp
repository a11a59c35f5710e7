#include "scree/view/frame_uniforms.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {

Vec3f to_linear(const Color& c) { return c.array().max(0.f).square(); }

FrameUniforms frame_uniforms(const Environment& e, const Viewpoint& view, int width, int height) {
  FrameUniforms u;
  const auto with = [](const Vec3f& c, float w) { return Vec4f(c.x(), c.y(), c.z(), w); };
  u.clip_from_rel = view.clip_from_relative(static_cast<double>(width) / height, near_plane(view));
  u.shadow_from_rel[0] = u.shadow_from_rel[1] = Mat4f::Identity();
  u.eye = with(view.eye.cast<float>(), 1);
  u.to_sun = with(e.to_sun.normalized().cast<float>(), e.sun_strength);
  u.sun_color = with(to_linear(e.sun), e.exposure);
  u.zenith = with(to_linear(e.zenith), e.clouds ? 1.f : 0.f);
  u.horizon = with(to_linear(e.horizon), 3.9f / e.visibility);  // exp(-3.9) = 2 %
  u.bounce = with(to_linear(e.ground_bounce), e.ambient);
  u.shadow_info = Vec4f::Zero();
  u.screen = Vec4f(width, height, height / 720.f, 0);
  for (Vec4f& o : u.occluder) o = Vec4f(0, 0, 0, 1);
  return u;
}

/// Eye-relative world -> the box's clip space.
static Eigen::Matrix4d clip_from_relative(const SunBox& box, const Vec3& eye) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  const Vec3 x = box.axes.col(0), y = box.axes.col(1), z = box.axes.col(2);
  const Vec3 offset = eye - box.center;  // relative to the eye -> relative to the centre
  m.row(0) << x.transpose() / box.radius, x.dot(offset) / box.radius;
  m.row(1) << y.transpose() / box.radius, y.dot(offset) / box.radius;
  m.row(2) << -z.transpose() / box.depth, -z.dot(offset) / box.depth;
  return m;
}

SunBox sun_box(const Vec3& to_sun, const SunBall& ball, const Vec3& eye) {
  SunBox box;
  box.radius = ball.radius;
  box.depth = ball.depth;
  box.texel = 2 * ball.radius / ball.texels;
  const Vec3 z = to_sun.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
  box.axes << x, y, z;
  Vec3 local = box.axes.transpose() * ball.center;
  const double step = ball.step * box.texel;
  for (int k = 0; k < (ball.step > 1 ? 3 : 2); ++k) local[k] = std::round(local[k] / step) * step;
  box.center = box.axes * local;
  box.clip_from_rel = clip_from_relative(box, eye).cast<float>();
  return box;
}

Mat4f map_from_relative(const SunBox& box, const Vec3& eye) {
  Eigen::Matrix4d half = Eigen::Matrix4d::Identity() * 0.5;
  half(3, 3) = 1;
  half.topRightCorner<3, 1>().setConstant(0.5);
  return (half * clip_from_relative(box, eye)).cast<float>();
}

bool SunBox::shades_alone(const Vec3& ball, double ball_radius) const {
  const Vec3 c = axes.transpose() * (ball - center);
  // The shaders leave the map 0.42 of its width from the middle; 0.01 for their step off the surface.
  return std::max(std::abs(c.x()), std::abs(c.y())) + ball_radius < 0.41 * 2 * radius;
}

bool SunBox::touches(const Box& box) const {
  const Vec3 c = axes.transpose() * (box.center() - center), half = 0.5 * box.size();
  for (int k = 0; k < 2; ++k) {
    const double extent = axes.col(k).cwiseAbs().dot(half);
    if (std::abs(c[k]) > radius + extent) return false;
  }
  return c.z() > -depth - axes.col(2).cwiseAbs().dot(half);
}

bool in_view(const Mat4f& m, const Vec3& eye, const Box& box) {
  const Vec3f center = (box.center() - eye).cast<float>(), half = (0.5 * box.size()).cast<float>();
  const Eigen::RowVector4f planes[5] = {m.row(3) + m.row(0), m.row(3) - m.row(0), m.row(3) + m.row(1),
                                        m.row(3) - m.row(1), m.row(3) + m.row(2)};
  for (const auto& p : planes) {
    const Vec3f n = p.head<3>().transpose();
    if (n.dot(center) + p[3] + n.cwiseAbs().dot(half) < 0) return false;
  }
  return true;
}

}  // namespace scree::view
