#pragma once
/// A wheel's plane in the world, and which ground can bear it (the law is in rim_search.hpp).
#include <cmath>

#include "scree/core/types.hpp"

namespace scree {

/// Cosine between suspension and ground below which nothing is borne.
inline constexpr double kLeastBearing = 0.25;
/// Slope of the line from the wheel's centre above which the profile is a wall: there the rim's own normal is
/// at that angle to the suspension.
inline constexpr double kWallRise = 0.2582;

/// One wheel in world axes.
struct RimPlane {
  Vec3 centre;      ///< hub with the suspension unloaded [m]
  Vec3 n, a, b;     ///< unit: forward, axle (left), along the suspension
  double radius;    ///< m
  double standing;  ///< displacement with which it stood [m]; infinity: nothing is a wall

  /// Ground above this is a wall [m along b].
  double wall_line(double u) const { return standing - kWallRise * std::abs(u); }
  /// Going on along the suspension leaves ground of this gradient. Elsewhere the plane leans under an
  /// overhanging part of it, from which the suspension cannot lift the wheel.
  bool faces(double slope_x, double slope_y) const { return facing(slope_x, slope_y) > 0; }
  /// Ground of this gradient can bear the suspension's force.
  bool bears(double slope_x, double slope_y) const {
    const double along = facing(slope_x, slope_y);
    return along > 0 &&
           along * along >= kLeastBearing * kLeastBearing * (1 + slope_x * slope_x + slope_y * slope_y);
  }

 private:
  double facing(double slope_x, double slope_y) const { return b.z() - slope_x * b.x() - slope_y * b.y(); }
};

}  // namespace scree
