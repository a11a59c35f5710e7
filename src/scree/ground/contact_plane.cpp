#include "scree/ground/contact_plane.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"

namespace scree {

ContactPlane plane_through(const Vec3& p1, const Vec3& p2, const Vec3& p3) {
  const Vec3 n = (p2 - p1).cross(p3 - p1);
  return {n.z() < 0 ? Vec3(-n.normalized()) : Vec3(n.normalized()), p1};
}

Mat3 contact_axes(const ContactPlane& plane, const Vec2& heading) {
  const Vec3& n = plane.normal;
  Mat3 axes;
  // In the vertical plane of the heading and in the contact plane at once (Eq. 26).
  axes.col(0) = Vec3(n.z() * heading.x(), n.z() * heading.y(), -n.x() * heading.x() - n.y() * heading.y());
  axes.col(0).normalize();
  axes.col(1) = n.cross(axes.col(0));
  axes.col(2) = n;
  return axes;
}

ContactSlopes contact_slopes(const Mat3& axes) {
  return {maths::asin(std::clamp(axes(2, 0), -1.0, 1.0)), maths::asin(std::clamp(axes(2, 1), -1.0, 1.0))};
}

SoilPatch find_soil_patch(const Terrain& terrain, const Vec3& hub, const Vec2& heading,
                          const SoilWheel& wheel, double spread_guess) {
  const double r = wheel.radius, half_width = 0.5 * wheel.width;
  const Vec2 left(-heading.y(), heading.x());
  // A wheel that only touches has no patch: a tenth of the radius keeps the plane defined.
  const double least = 0.1 * r;
  double spread = std::max(spread_guess, least);
  double climb = 1, cross = 1;  // cosines of the slopes
  SoilPatch patch;
  for (int pass = 0; pass < 2; ++pass) {
    const Vec2 fore = spread * climb * heading, aside = half_width * cross * left;
    const Vec2 at[3] = {hub.head<2>() + fore + aside, hub.head<2>() + fore - aside, hub.head<2>() - fore};
    double x[3], y[3], z[3], slope_x[3], slope_y[3];
    for (int i = 0; i < 3; ++i) x[i] = at[i].x(), y[i] = at[i].y();
    terrain.sample({3, x, y, z, slope_x, slope_y});
    patch.plane = plane_through({x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]});
    patch.axes = contact_axes(patch.plane, heading);
    patch.sinkage = r - patch.plane.distance(hub);
    const double depth = std::clamp(patch.sinkage, 0.0, r);
    spread = std::max(std::sqrt(depth * (2 * r - depth)), least);  // r sin theta_1
    climb = maths::hypot(patch.axes(0, 0), patch.axes(1, 0));
    cross = maths::hypot(patch.axes(0, 1), patch.axes(1, 1));
  }
  patch.foot = hub - r * patch.plane.normal;
  return patch;
}

PatchWrench wrench_at_foot(const SoilPatch& patch, const SoilReaction<double>& f, double radius) {
  const Vec3 force(f.drawbar, f.side, f.normal);
  // M_O - r F_S is zero; -M_R + r F_DP moves the axle's moment to the foot.
  const Vec3 moment(0, -f.torque + radius * f.drawbar, 0);
  return {patch.axes * force, patch.axes * moment};
}

}  // namespace scree
