#include <gtest/gtest.h>

#include "scree/ground/suspension.hpp"

namespace scree {
namespace {

const Suspension<double> kSpring{8000, 350, 0.05, 9, 0.01};

TEST(Suspension, LinearUpToItsTravelThenTenTimesAsStiff) {
  EXPECT_DOUBLE_EQ(suspension_force(kSpring, 0.02, 0.0).force, 160);
  EXPECT_DOUBLE_EQ(suspension_force(kSpring, 0.05, 0.0).force, 400);
  EXPECT_NEAR(suspension_force(kSpring, 0.08, 0.0).stiffness, 80000, 1e-9);
  // Beyond the blend: k h + 9 k (h - travel - blend/2).
  EXPECT_NEAR(suspension_force(kSpring, 0.08, 0.0).force, 8000 * 0.08 + 72000 * (0.03 - 0.005), 1e-9);
}

TEST(Suspension, ForceAndStiffnessAreContinuous) {
  double last = suspension_force(kSpring, 0.04, 0.0).force;
  for (double h = 0.04; h < 0.07; h += 1e-5) {
    const auto f = suspension_force(kSpring, h, 0.0);
    EXPECT_LT(std::abs(f.force - last), 1e-5 * 80000 * 1.01 + 1e-9);
    last = f.force;
    const double difference =
        (suspension_force(kSpring, h + 1e-7, 0.0).force - suspension_force(kSpring, h - 1e-7, 0.0).force) /
        2e-7;
    EXPECT_NEAR(f.stiffness, difference, 5);  // the stiffness changes by 7.2e6 N/m² x 1e-7 m across
  }
}

TEST(Suspension, NeverPulls) {
  EXPECT_EQ(suspension_force(kSpring, 0.01, -1.0).force, 0);
  EXPECT_EQ(suspension_force(kSpring, -0.01, 5.0).force, 0);
  EXPECT_EQ(suspension_force(kSpring, -0.01, 5.0).damping, 0);
}

}  // namespace
}  // namespace scree
