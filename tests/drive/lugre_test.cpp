#include "scree/drive/lugre.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drive/one_joint.hpp"

namespace scree {
namespace {

const LugreSettings kShaft = [] {
  LugreSettings x = testing::magmotor().motor.friction;
  x.sign_sharpness = 200;  // the smallest allowed: 1000 / v_s
  return x;
}();

TEST(Lugre, SteadyStateIsTheStribeckCurve) {
  const Lugre law(kShaft);
  for (double v : {0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 700.0, -3.0}) {
    const double x = v / 5, g = 0.096 + (0.1248 - 0.096) * std::exp(-x * x);
    const double s = 2 / kPi * std::atan(200 * v);
    EXPECT_NEAR(law.steady(v), g / s + 5e-5 * v, 1e-14) << v;
    // Reached by integrating dz/dt at constant speed, implicitly, from an unloaded bristle.
    double z = 0;
    for (int i = 0; i < 2000; ++i) z = law.advance(z, v, 1e-3);
    EXPECT_NEAR(law.torque(z, v), law.steady(v), 1e-9) << v;
    EXPECT_NEAR(law.begin(z, v, 0, {1e-3, 0.5}).torque, law.steady(v), 1e-9) << v;
  }
  EXPECT_NEAR(law.steady(0.5) / (law.sliding(0.5) + 2.5e-5), 1.0064, 2e-4) << "0.6 % at a tenth of v_s";
}

TEST(Lugre, PreSlidingIsASpring) {
  // Pushed by 4 % of the breakaway torque the shaft moves by torque / sigma_0 and comes back, but for the
  // part that the bristle's law yields: dz/dx = 1 - z/z_max, so x = -z_max ln(1 - z/z_max), 2 % more here.
  DriveSettings d = testing::magmotor();
  d.gear_ratio = 1, d.gear_efficiency = 1;
  testing::OneJoint j({{d}, {}}, 3e-4);
  const double load = 0.04 * 0.1248, most = 0.1248 / 500;
  j.load = [&](std::size_t, double t) { return t < 1 ? std::min(t, 0.1) / 0.1 * load : 0.0; };
  j.run(1.0, 1e-3);
  EXPECT_NEAR(j.angles[0], -most * std::log(1 - 0.04), 0.01 * load / 500);
  j.run(1.0, 1e-3);
  EXPECT_LT(std::abs(j.angles[0]), 0.05 * load / 500) << "springs back";
  EXPECT_LT(std::abs(j.speeds[0]), 1e-9);
}

TEST(Lugre, DoesNotDriftUnderAConstantLoad) {
  for (double dt : {1e-4, 1e-3, 5e-3}) {
    DriveSettings d = testing::magmotor();
    d.gear_ratio = 1, d.gear_efficiency = 1;
    testing::OneJoint j({{d}, {}}, 3e-4);
    j.load = [](std::size_t, double t) { return std::min(1.0, t) * 0.09; };  // below Coulomb friction
    j.run(3.0, dt);
    const double settled = j.angles[0];
    j.run(20.0, dt);
    EXPECT_LT(std::abs(j.angles[0] - settled), 1e-9) << dt;
  }
}

TEST(Lugre, BreaksAwayAtTheStaticTorque) {
  DriveSettings d = testing::magmotor();
  d.gear_ratio = 1, d.gear_efficiency = 1;
  testing::OneJoint j({{d}, {}}, 3e-5);
  j.load = [](std::size_t, double t) { return 0.5 * t; };
  double torque = 0;
  while (j.speeds[0] < 0.1 && j.time < 20) {
    torque = 0.5 * j.time;
    j.implicit_step(1e-3);
  }
  // The bristle yields as 1 - z/z_max = (ramp / sigma_0) / speed: 1 % is left at this speed.
  // The rotor, once free, takes 4 ms or 2 mN m of ramp to reach it.
  EXPECT_NEAR(torque, 0.1248, 0.1248 * 0.02);
}

/// The shaft is pulled through a spring whose other end moves slowly. Returns the times at which it slips.
std::vector<double> stick_slip(double dt, bool rk4) {
  DriveSettings d = testing::magmotor();
  d.gear_ratio = 1, d.gear_efficiency = 1, d.motor.no_load_current = 0;
  d.motor.friction = {
      .coulomb = 0.1, .breakaway = 0.2, .stribeck_speed = 0.05, .stiffness = 500, .damping = 0.5};
  testing::OneJoint j({{d}, {}}, 3e-4);
  const double pull = 0.1, spring = 2;  // rad/s, N m/rad
  j.load = [&](std::size_t, double t) { return spring * (pull * t - j.angles[0]); };
  std::vector<double> slips;
  double before = 0;
  while (j.time < 4.0) {
    rk4 ? j.rk4_step(dt) : j.implicit_step(dt);
    if (before < 1 && j.speeds[0] >= 1) slips.push_back(j.time);
    before = j.speeds[0];
  }
  return slips;
}

TEST(Lugre, StickSlipMatchesASmallStepReference) {
  const std::vector<double> reference = stick_slip(4e-5, true), ours = stick_slip(1e-3, false);
  ASSERT_GE(reference.size(), 3u) << "the case does stick and slip";
  ASSERT_EQ(ours.size(), reference.size());
  // Breakaway is seen within a step or two; the error of a period is that over a period of a second.
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], reference[i], 0.02 * reference[i]);
  EXPECT_NEAR(reference[0], 0.2 / (2 * 0.1), 0.05) << "when the spring carries the static torque";
}

TEST(Lugre, ComesToRestAtLongStepsWithoutChattering) {
  for (double dt : {1e-3, 5e-3, 2e-2}) {
    DriveSettings d = testing::magmotor();
    d.gear_ratio = 1, d.gear_efficiency = 1;
    testing::OneJoint j({{d}, {}}, 3e-4);
    j.speeds[0] = 20;
    j.run(2.0, dt);
    EXPECT_LT(std::abs(j.speeds[0]), 1e-5) << dt;
  }
}

TEST(Lugre, SlopeIsTheDerivativeOfTheMeanTorque) {
  // Finite difference of the step's own torque: sigma_0 z+ + sigma_1 (z+ - z)/dt + sigma_2 v_theta.
  const Lugre law(kShaft);
  for (double v : {0.0, 1e-3, 0.01, 0.5, -0.2})
    for (double z : {0.0, 1e-4, -1.5e-4}) {
      const double dt = 1e-3, theta = 0.5, h = 1e-7;
      const auto mean = [&](double w) {
        const double next = law.advance(z, w, dt);
        return 500 * next + 0.5 * (next - z) / dt + 5e-5 * (v + theta * (w - v));
      };
      const double numeric = (mean(v + h) - mean(v - h)) / (2 * h) / theta;
      const Resistance r = law.begin(z, v, 0, {dt, theta});
      EXPECT_NEAR(r.torque, mean(v), 1e-12);
      // advance() moves the decay with the new speed, begin() to first order: equal up to z+ instead of z
      // in A' z, and never below the viscous part.
      if (v == 0) {
        EXPECT_NEAR(r.slope, numeric, 1e-4 * r.slope);
      }
      EXPECT_GE(r.slope, 5e-5);
    }
}

}  // namespace
}  // namespace scree
