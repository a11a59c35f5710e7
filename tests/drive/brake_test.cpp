#include <gtest/gtest.h>

#include <cmath>

#include "drive/one_joint.hpp"

namespace scree {
namespace {

using testing::OneJoint;

DriveTrainSettings braked(double torque) {
  DriveSettings d;
  d.name = "wheel";
  d.brake.torque = torque;
  return {{d}, {}};
}

TEST(Brake, HoldsALoadForAMinuteWithoutCreep) {
  for (double dt : {1e-4, 1e-3, 5e-3}) {
    OneJoint j(braked(20), 0.02);
    j.commands[0].brake = 20;
    j.load = [](std::size_t, double t) { return std::min(18.0, 90 * t); };
    j.run(2.0, dt);
    const double settled = j.angles[0];
    EXPECT_NEAR(settled, 18.0 / 20.0 * 1e-3, 1e-9) << "the wind-up of the bristle is load / stiffness";
    j.run(60.0, dt);
    EXPECT_LT(std::abs(j.angles[0] - settled), 1e-9) << "dt " << dt;
    EXPECT_LT(std::abs(j.speeds[0]), 1e-12);
  }
}

TEST(Brake, HoldsUnderALoadThatKeepsChanging) {
  // LuGre's bristle would ratchet along here; the elasto-plastic one is a spring below its limit.
  OneJoint j(braked(20), 0.02);
  j.commands[0].brake = 20;
  j.load = [](std::size_t, double t) { return 10 + 6 * std::sin(50 * t); };
  j.run(2 * kPi / 50 * 20, 2 * kPi / 50 / 100);
  const double settled = j.angles[0];
  j.run(2 * kPi / 50 * 480, 2 * kPi / 50 / 100);  // whole periods: the same phase
  EXPECT_LT(std::abs(j.angles[0] - settled), 1e-9);
}

TEST(Brake, StopsASpinningWheelInTheTimeOfConstantDeceleration) {
  for (double dt : {1e-3, 5e-3}) {
    OneJoint j(braked(5), 0.05);
    j.commands[0].brake = 5;
    j.speeds[0] = 40;
    j.run(0.35, dt);  // 40 rad/s at 100 rad/s^2 takes 0.4 s and 8 rad
    EXPECT_NEAR(j.speeds[0], 5, 1e-9) << "exactly the full torque";
    j.run(0.05, dt);
    EXPECT_LT(std::abs(j.speeds[0]), 2 * 100 * dt) << "two steps late at most";
    j.run(0.6, dt);
    // The last steps, whose torque is implicit, run on; the bristle then springs back by its wind-up.
    EXPECT_NEAR(j.angles[0], 8, 8 * 100 * dt * dt + 1e-3);
    EXPECT_LT(std::abs(j.speeds[0]), 1e-5) << "at rest well within a second, dt " << dt;
  }
}

TEST(Brake, SlipsAtTheDemandedTorqueOnly) {
  OneJoint j(braked(20), 0.02);
  j.commands[0].brake = 4;  // a fifth of the capacity
  j.load = [](std::size_t, double) { return 6.0; };
  j.run(0.5, 1e-3);
  const double w = j.speeds[0];
  j.run(0.1, 1e-3);
  EXPECT_NEAR((j.speeds[0] - w) / 0.1, (6.0 - 4.0) / 0.02, 1e-6);
  j.commands[0].brake = 0;
  j.implicit_step(1e-3);
  EXPECT_EQ(j.work.torque[0], 0) << "a released brake gives nothing";
}

TEST(Brake, BooksItsHeat) {
  OneJoint j(braked(5), 0.05);
  j.commands[0].brake = 5;
  j.speeds[0] = 40;
  j.run(1.0, 1e-3);
  const double heat = j.train.energy(j.state).brake + j.train.stored_energy(j.state);
  EXPECT_NEAR(heat, 0.5 * 0.05 * 40 * 40, 1e-9) << "all of the kinetic energy";
  EXPECT_NEAR(j.train.energy(j.state).work, -heat, 1e-9);
}

TEST(Brake, ExplicitIntegrationAgrees) {
  OneJoint a(braked(5), 0.05), b(braked(5), 0.05);
  for (OneJoint* j : {&a, &b}) {
    j->commands[0].brake = 5;
    j->load = [](std::size_t, double t) { return t < 0.2 ? 8.0 : 3.0; };
  }
  a.run(0.7, 1e-4);
  b.run_rk4(0.7, 1e-5);
  EXPECT_NEAR(a.angles[0], b.angles[0], 1e-3 * std::abs(b.angles[0]));
  EXPECT_LT(std::abs(b.speeds[0]), 1e-4);
}

}  // namespace
}  // namespace scree
