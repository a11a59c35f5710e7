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

double patch_spread(const SoilWheel& wheel, double depth) {
  const double r = wheel.radius, z = std::clamp(depth, 0.0, r);
  // A wheel that only touches has no patch: a tenth of the radius keeps the plane defined.
  return std::max(std::sqrt(z * (2 * r - z)), 0.1 * r);
}

SoilPatch find_soil_patch(const Terrain& terrain, const Vec3& hub, const Vec2& heading,
                          const SoilWheel& wheel, double spread) {
  constexpr int kRows = 4, kPlaces = 2 * kRows;
  constexpr double kRow[kRows] = {-1.0, -1.0 / 3, 1.0 / 3, 1.0};
  const Vec2 fore = spread * heading, aside = 0.5 * wheel.width * Vec2(-heading.y(), heading.x());
  double x[kPlaces], y[kPlaces], z[kPlaces], slope_x[kPlaces], slope_y[kPlaces];
  for (int i = 0; i < kPlaces; ++i) {
    const Vec2 at = hub.head<2>() + kRow[i / 2] * fore + (i % 2 ? -1 : 1) * aside;
    x[i] = at.x(), y[i] = at.y();
  }
  terrain.sample({kPlaces, x, y, z, slope_x, slope_y});
  Vec3 front = Vec3::Zero(), left = Vec3::Zero(), right = Vec3::Zero();
  for (int i = 0; i < kPlaces; ++i) {
    const Vec3 place = Vec3(x[i], y[i], z[i]) / (kPlaces / 2);
    if (i >= kPlaces / 2) front += place;
    (i % 2 ? right : left) += place;
  }
  Vec2 slope = Vec2::Zero();
  for (int i = 0; i < kPlaces; ++i) slope += Vec2(slope_x[i], slope_y[i]) / kPlaces;
  SoilPatch patch;
  patch.plane = plane_through(left, right, front);
  patch.drift = patch.plane.normal.z() * slope + patch.plane.normal.head<2>();
  patch.axes = contact_axes(patch.plane, heading);
  patch.sinkage = wheel.radius - patch.plane.distance(hub);
  patch.foot = hub - wheel.radius * patch.plane.normal;
  return patch;
}

SoilPatch find_soil_patch(const Terrain& terrain, const Vec3& hub, const Vec2& heading,
                          const SoilWheel& wheel) {
  const SoilPatch narrow = find_soil_patch(terrain, hub, heading, wheel, patch_spread(wheel, 0));
  return find_soil_patch(terrain, hub, heading, wheel, patch_spread(wheel, narrow.sinkage));
}

PatchWrench wrench_at_foot(const SoilPatch& patch, const SoilReaction<double>& f, double radius) {
  const Vec3 force(f.drawbar, f.side, f.normal);
  // M_O - r F_S is zero; -M_R + r F_DP moves the axle's moment to the foot.
  const Vec3 moment(0, -f.torque + radius * f.drawbar, 0);
  return {patch.axes * force, patch.axes * moment};
}

}  // namespace scree
