#include "scree/ground/hull_room.hpp"

#include <algorithm>
#include <cmath>

#include "scree/terrain/grid_below.hpp"

namespace scree {
namespace {

constexpr double kRounding = 1e-9;    // m
constexpr double kFacingDown = -0.5;  // faces that look down more than this

/// The ground of an upright box and so far beyond it.
Rectangle around(const Vec3& low, const Vec3& high, double most) {
  return {low.x() - most, high.x() + most, low.y() - most, high.y() + most};
}

}  // namespace

double face_room(const GridView& grid, const HullFace& face, const Vec3& normal, const Pose& X, double most) {
  const Vec3 c = X * face.corner, u = X.R * face.u, v = X.R * face.v, n = X.R * normal;
  const Vec3 low = c + u.cwiseMin(0.0) + v.cwiseMin(0.0), high = c + u.cwiseMax(0.0) + v.cwiseMax(0.0);
  const bool along_normal = n.z() < kFacingDown;
  const Vec3 d = along_normal ? n : Vec3(-Vec3::UnitZ());
  const double farthest = along_normal ? n.dot(c) : -low.z();
  return std::min(least_along(grid, around(low, high, most), d) - farthest - kRounding, most);
}

double box_room(const GridView& grid, const Vec3& centre, const Vec3& half, const Pose& X, double most) {
  const Vec3 c = X * centre, h = X.R.cwiseAbs() * half;
  int axis = 0;
  for (const int i : {1, 2})
    if (std::abs(X.R(2, i)) > std::abs(X.R(2, axis))) axis = i;
  const Vec3 d = X.R(2, axis) > 0 ? Vec3(-X.R.col(axis)) : Vec3(X.R.col(axis));
  const double farthest = d.dot(c) + half[axis];
  return std::min(least_along(grid, around(c - h, c + h, most), d) - farthest - kRounding, most);
}

}  // namespace scree
