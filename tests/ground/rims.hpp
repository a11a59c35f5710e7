#pragma once
/// One wheel for the tests of searches for contacts.
#include "scree/ground/rim_plane.hpp"

namespace scree::testing {

inline constexpr double kRadius = 0.12;
inline constexpr double kNoWalls = 1e300;

inline RimPlane rim_at(const Vec3& centre, const Mat3& R, double standing = kNoWalls) {
  return {centre, R.col(0), R.col(1), R.col(2), kRadius, standing};
}

}  // namespace scree::testing
