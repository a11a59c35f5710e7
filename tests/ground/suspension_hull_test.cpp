#include <gtest/gtest.h>

#include "scree/config/section.hpp"
#include "scree/ground/hull.hpp"
#include "scree/ground/suspension.hpp"
#include "scree/terrain/make.hpp"

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

TEST(Hull, HoldsAPointWithinItsFrictionCone) {
  const Document document = Document::from_text("kind = \"flat\"\n");
  Section section = document.root();
  const auto terrain = make_terrain(section, {});
  const HullSettings hull;
  const HullPointMotion motion{Vec3(0, 0, -0.001), Vec3::Zero()};
  const HullForce stick = touch_hull(hull, *terrain, motion, Vec3(1e-4, 0, 0), 0, 1);
  EXPECT_NEAR(stick.force.z(), 40, 1e-9);
  EXPECT_NEAR(stick.force.x(), -0.6 * 4e4 * 1e-4, 1e-9);
  const HullForce slide = touch_hull(hull, *terrain, motion, Vec3(0.1, 0, 0), 0, 1);
  EXPECT_NEAR(slide.force.x(), -0.6 * 40, 1e-9);
  EXPECT_FALSE(touch_hull(hull, *terrain, {Vec3(0, 0, 0.001), Vec3::Zero()}, Vec3::Zero(), 0, 1).touching);
}

}  // namespace
}  // namespace scree
