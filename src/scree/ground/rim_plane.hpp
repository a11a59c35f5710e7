#pragma once
/// A wheel's plane in the world, and which ground can bear it (the law is in rim_search.hpp).
#include <array>
#include <cmath>

#include "scree/core/lanes.hpp"
#include "scree/core/types.hpp"

namespace scree {

/// Cosine between suspension and ground below which nothing is borne.
inline constexpr double kLeastBearing = 0.25;
/// Slope of the line from the wheel's centre above which the profile is a wall: there the rim's own normal is
/// at that angle to the suspension.
inline constexpr double kWallRise = 0.2582;

/// One wheel in world axes.
struct RimPlane {
  using Number = double;
  Vec3 centre;      ///< hub with the suspension unloaded [m]
  Vec3 n, a, b;     ///< unit: forward, axle (left), along the suspension
  double radius;    ///< m
  double standing;  ///< displacement with which it stood [m]; infinity: nothing is a wall

  /// Ground above this is a wall [m along b]. (T: double, or Lanes for four points.)
  template <class T>
  T wall_line(T u) const {
    return standing - kWallRise * lane::abs(u);
  }
  /// Going on along the suspension leaves ground of this gradient. Elsewhere the plane leans under an
  /// overhanging part of it, from which the suspension cannot lift the wheel.
  bool faces(double slope_x, double slope_y) const { return facing(slope_x, slope_y) > 0; }
  /// Ground of this gradient can bear the suspension's force.
  template <class T>
  auto bears(T slope_x, T slope_y) const {
    using Flag = decltype(T{} < T{});
    const T along = facing(slope_x, slope_y);
    const Flag faces = along > T{},
               enough = along * along >=
                        kLeastBearing * kLeastBearing * (1.0 + slope_x * slope_x + slope_y * slope_y);
    return static_cast<Flag>(faces & enough);
  }

 private:
  template <class T>
  T facing(T slope_x, T slope_y) const {
    return b.z() - slope_x * b.x() - slope_y * b.y();
  }
};

/// Four of them side by side.
struct RimPlanes {
  using Number = Lanes;
  std::array<Lanes, 3> centre, n, a, b;
  Lanes radius, standing;

  RimPlane lane(int k) const {
    const auto of = [k](const std::array<Lanes, 3>& v) { return Vec3(v[0][k], v[1][k], v[2][k]); };
    return {of(centre), of(n), of(a), of(b), radius[k], standing[k]};
  }
};

// Planes as rows of four numbers: the third and the fourth row have two in common.
static_assert(sizeof(RimPlane) == 14 * sizeof(double));  // centre, n, a, b, radius, standing
inline constexpr int kPlaneRows[] = {0, 4, 8, 10};

/// Four planes side by side.
inline RimPlanes side_by_side(const RimPlane* (&of)[kLanes]) {
  const auto rows = [&of](int at) {
    const auto row = [&](int k) { return lane::load(reinterpret_cast<const double*>(of[k]) + at); };
    return lane::transpose(row(0), row(1), row(2), row(3));
  };
  const lane::LaneRows one = rows(kPlaneRows[0]), two = rows(kPlaneRows[1]), three = rows(kPlaneRows[2]),
                       four = rows(kPlaneRows[3]);
  RimPlanes out;
  out.centre = {one.row[0], one.row[1], one.row[2]};
  out.n = {one.row[3], two.row[0], two.row[1]};
  out.a = {two.row[2], two.row[3], three.row[0]};
  out.b = {three.row[1], three.row[2], three.row[3]};
  out.radius = four.row[2], out.standing = four.row[3];
  return out;
}

/// Scalar product of two vectors, or of four pairs side by side, in the order that Eigen has for one.
template <class A, class B>
auto inner(const A& x, const B& y) {
  return x[0] * y[0] + (x[1] * y[1] + x[2] * y[2]);
}

}  // namespace scree
