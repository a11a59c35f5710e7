#include "scree/ground/soil_rut.hpp"

#include <gtest/gtest.h>

#include "scree/ground/stress_integral.hpp"

namespace scree {
namespace {

const SoilWheel kRutWheel{.radius = 0.1, .width = 0.1};

class SoilRut : public ::testing::Test {
 protected:
  Soil soil = load_soil("toyoura");
  StressIntegral integral{soil, kRutWheel};
  std::pair<double, double> law(double z) const {
    const auto f = integral.forces_with_slopes(z, {0.2, 0});
    return {f.normal.value, f.normal.slope[0]};
  }
  RutLoad load(double rut, double z, double sinking = 0) const {
    return rut_load(soil, kRutWheel, rut, z, sinking, [&](double x) { return law(x); });
  }
};

TEST_F(SoilRut, SinkingFollowsTheLawAndIsContinuousAtTheRut) {
  EXPECT_EQ(load(0.01, 0.02).force, law(0.02).first);
  EXPECT_NEAR(load(0.02, 0.02 - 1e-9).force, load(0.02, 0.02).force, 1e-2);
  EXPECT_EQ(load(0, -0.01).force, 0);
}

TEST_F(SoilRut, RisesOnAStiffLineAndNeverPulls) {
  const double full = law(0.02).first;
  double before = full;
  bool free = false;
  for (double z = 0.02; z > 0; z -= 1e-5) {
    const double now = load(0.02, z).force;
    EXPECT_LE(now, before);
    EXPECT_GE(now, 0);
    before = now;
    free = free || now == 0;
  }
  EXPECT_TRUE(free);
  EXPECT_LT(load(0.02, 0.019).force, law(0.019).first) << "plastic: less than when sinking";
}

TEST_F(SoilRut, ALoadingCycleLosesEnergy) {
  double work = 0, rut = 0;
  const double step = 1e-5;
  for (double z = 0; z < 0.02; z += step) work += step * load(rut, z).force, rut = std::max(rut, z);
  for (double z = 0.02; z > 0; z -= step) work -= step * load(rut, z).force;
  EXPECT_GT(work, 0);
}

TEST_F(SoilRut, DampingResistsTheMotionAndNeverPulls) {
  EXPECT_GT(load(0, 0.02, 0.1).force, load(0, 0.02).force);
  EXPECT_LT(load(0, 0.02, -0.01).force, load(0, 0.02).force);
  EXPECT_GT(load(0.03, 0.02999, 0.01).force, load(0.03, 0.02999).force);
  EXPECT_LT(load(0.03, 0.02999, -0.01).force, load(0.03, 0.02999).force);
  EXPECT_EQ(load(0.03, 0.02999, -100).force, 0);
}

/// On rough ground the sinkage crosses the bottom of the rut at any speed of the wheel, since the ground
/// rises and falls beside it. A step of 0.1 um never changes the load by more than the stiffest line and its
/// losses explain.
TEST_F(SoilRut, TheLoadNeverJumps) {
  const double rut = 0.02, h = 1e-7;
  const double stiffest = soil.unloading_stiffness * patch_area(soil, kRutWheel, rut);
  for (const double sinking : {-0.5, -0.1, -0.01, 0.0, 0.01, 0.1, 0.5}) {
    double before = load(rut, 0.0195, sinking).force, worst = 0;
    for (double z = 0.0195 + h; z < 0.0202; z += h) {
      const double now = load(rut, z, sinking).force;
      worst = std::max(worst, std::abs(now - before));
      before = now;
    }
    EXPECT_LT(worst, 1.01 * h * stiffest) << sinking;
  }
  for (const double z : {0.0197, 0.01999, 0.0201}) {
    EXPECT_NEAR(load(rut, z, 1e-9).force, load(rut, z, -1e-9).force, 1e-4) << z;
  }
}

TEST_F(SoilRut, SlopesMatchDifferences) {
  const double h = 1e-7;
  for (const double rut : {0.0, 0.0203}) {
    for (const double sinking : {-0.05, 0.0, 0.02}) {
      const RutLoad here = load(rut, 0.02, sinking);
      if (here.force == 0) continue;
      EXPECT_NEAR(here.stiffness,
                  (load(rut, 0.02 + h, sinking).force - load(rut, 0.02 - h, sinking).force) / (2 * h),
                  // Beyond the rut the area grows, and with it the resistance: left to the force.
                  (rut == 0 && sinking != 0 ? 0.1 : 1e-3) * here.stiffness)
          << rut << ' ' << sinking;
      EXPECT_NEAR(here.damping,
                  (load(rut, 0.02, sinking + h).force - load(rut, 0.02, sinking - h).force) / (2 * h),
                  1e-3 * here.damping + 1e-3)
          << rut << ' ' << sinking;
    }
  }
}

TEST_F(SoilRut, RollingOnForgetsIt) {
  EXPECT_EQ(next_rut(kRutWheel, 0.01, 0.02, 0), 0.02);
  EXPECT_EQ(next_rut(kRutWheel, 0.02, 0.01, 0), 0.02);
  EXPECT_EQ(next_rut(kRutWheel, 0.02, 0.01, 1), 0.01) << "fresh soil: the wheel is the deepest again";
  EXPECT_LT(next_rut(kRutWheel, 0.02, 0.0, 0.05), 0.02);
  EXPECT_GT(next_rut(kRutWheel, 0.02, 0.0, 0.05), 0);
  EXPECT_EQ(next_rut(kRutWheel, 0, -1, 0.05), 0) << "in the air";
  // Two half travels are one.
  const double half = next_rut(kRutWheel, 0.02, 0.0, 0.01);
  EXPECT_NEAR(next_rut(kRutWheel, half, 0.0, 0.01), next_rut(kRutWheel, 0.02, 0.0, 0.02), 2e-4);
}

}  // namespace
}  // namespace scree
