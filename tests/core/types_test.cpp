#include "scree/core/types.hpp"

#include <gtest/gtest.h>

#include "scree/core/random.hpp"

namespace scree {
namespace {

TEST(RollPitchYaw, PitchIsNoseUpRollIsRightSideDownYawIsLeft) {
  EXPECT_GT((rotation_from_rpy(0, 0.1, 0) * Vec3::UnitX()).z(), 0) << "nose up";
  EXPECT_GT((rotation_from_rpy(0.1, 0, 0) * Vec3::UnitY()).z(), 0) << "left side up";
  EXPECT_GT((rotation_from_rpy(0, 0, 0.1) * Vec3::UnitX()).y(), 0) << "nose to the left";
}

TEST(RollPitchYaw, ComesBackFromTheRotation) {
  RandomStream random(1, 0, "rpy");
  for (int i = 0; i < 1000; ++i) {
    const double roll = random.uniform(-3.1, 3.1), pitch = random.uniform(-1.5, 1.5);
    const double yaw = random.uniform(-3.1, 3.1);
    const auto back = rpy_from_rotation(rotation_from_rpy(roll, pitch, yaw));
    // The arcsine loses digits near 90 degrees: d(pitch) = eps/cos(pitch), and cos(1.5) = 0.07.
    EXPECT_NEAR(back.roll, roll, 1e-13);
    EXPECT_NEAR(back.pitch, pitch, 1e-13);
    EXPECT_NEAR(back.yaw, yaw, 1e-13);
  }
}

TEST(Pose, ComposesAndInverts) {
  const Pose X_AB{rotation_from_rpy(0.3, -0.2, 1.1), Vec3(1, 2, 3)};
  const Pose X_BC{rotation_from_rpy(-0.5, 0.4, 2.0), Vec3(-4, 0.5, 1)};
  const Vec3 p_C(0.7, -0.1, 0.9);
  EXPECT_LT(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 1e-14);
  EXPECT_LT((X_AB.inverse() * (X_AB * p_C) - p_C).norm(), 1e-14);
}

TEST(Skew, IsTheMatrixOfTheCrossProduct) {
  const Vec3 a(1, -2, 3), b(0.5, 4, -1);
  EXPECT_EQ(skew(a) * b, a.cross(b));
}

}  // namespace
}  // namespace scree
