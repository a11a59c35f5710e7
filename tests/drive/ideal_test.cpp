#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "drive/one_joint.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

using testing::OneJoint;
using Mode = DriveCommand::Mode;

DriveSettings governor() {
  DriveSettings d;
  d.name = "wheel";
  d.kind = "governor";
  d.gain = 2;
  d.speed = 10;
  d.limit = 12;
  return d;
}

TEST(Governor, GivesGainTimesErrorWithinTheLimit) {
  OneJoint j({{governor()}, {}}, 0.01);
  for (auto [w, torque, slope] : {std::array{0., 12., 0.},
                                  {3., 12., 0.},
                                  {6., 8., 2.},
                                  {10., 0., 2.},
                                  {13., -6., 2.},
                                  {20., -12., 0.}}) {
    j.speeds[0] = w;
    begin(j.train, j.commands, {j.speeds, {}}, {0, 0.5}, j.state, j.work);
    EXPECT_EQ(j.work.torque[0], torque) << w;
    EXPECT_EQ(j.work.slope[0], slope) << w;
  }
}

// Saturated to w = 4 (constant acceleration), then exponential towards 10: closed form.
double governed_speed(double t, double inertia) {
  const double corner = 4 * inertia / 12;
  return t < corner ? 12 / inertia * t : 10 - 6 * std::exp(-2 / inertia * (t - corner));
}

TEST(Governor, SpinUpMatchesTheClosedFormAndConverges) {
  const double inertia = 0.05, end = 0.04;
  for (double dt : {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) {
    OneJoint j({{governor()}, {}}, inertia);
    double worst = 0;
    while (j.time < end - dt / 2) {
      j.implicit_step(dt);
      worst = std::max(worst, std::abs(j.speeds[0] - governed_speed(j.time, inertia)));
    }
    // Second order: the step over the corner, where the slope is a guess, errs by
    // gain/inertia * acceleration * dt^2 / 8 at most; the rest of the curve by less than as much again.
    EXPECT_LT(worst, 2 * 40 * 240 * dt * dt / 8) << dt;
  }
}

TEST(Governor, IsStableWhereAnExplicitStepWouldExplode) {
  // gain dt / inertia = 40: explicit Euler's factor is -39 per step.
  DriveSettings d = governor();
  d.limit = 0;
  OneJoint j({{d}, {}}, 5e-4);
  j.run(1.0, 0.01, 1.0);
  EXPECT_NEAR(j.speeds[0], 10, 1e-9);
}

// A limit that could turn the joint by many times the width of the law's own line within a step: the torque
// must not switch from end to end. Gains, limits, long steps, limits that fall with the speed, and starts on
// both sides.
TEST(Governor, SettlesHoweverSteepAndStrong) {
  for (double gain : {2., 20., 150., 400., 1000.})
    for (double limit : {3., 12., 60., 500.})
      for (double top : {0., 40.})
        for (double start : {-30., 9.9, 10.2, 35.})
          for (double dt : {5e-4, 1e-3, 5e-3}) {
            const double theta = dt < 5e-3 ? 0.5 : 1;  // as solver.theta_slip chooses
            DriveSettings d = governor();
            d.gain = gain, d.limit = limit;
            if (top > 0) d.top_speed = top, d.corner_speed = 5;
            OneJoint j({{d}, {}}, 0.0108);
            j.load = [](std::size_t, double) { return -1.0; };
            j.speeds[0] = start;
            j.run(0.5, dt, theta);
            double least = 1e9, most = -1e9;
            for (int k = 0; k < 20; ++k) {
              j.implicit_step(dt, theta);
              least = std::min(least, j.speeds[0]), most = std::max(most, j.speeds[0]);
            }
            const double steady = 10 - 1 / gain;
            EXPECT_NEAR(least, steady, 1e-3)
                << gain << ' ' << limit << ' ' << top << ' ' << start << ' ' << dt;
            EXPECT_NEAR(most, steady, 1e-3)
                << gain << ' ' << limit << ' ' << top << ' ' << start << ' ' << dt;
          }
}

TEST(Torque, IsLimitedAndCappedOverSpeed) {
  DriveSettings d;
  d.name = "wheel";
  d.limit = 10;
  d.corner_speed = 20;
  d.top_speed = 30;
  OneJoint j({{d}, {}}, 0.01);
  auto at = [&](double w, double wanted) {
    j.speeds[0] = w;
    j.commands[0] = {Mode::torque, wanted, 0};
    begin(j.train, j.commands, {j.speeds, {}}, {0, 0.5}, j.state, j.work);
    return Push{j.work.torque[0], j.work.slope[0]};
  };
  EXPECT_EQ(at(0, 50).torque, 10);
  EXPECT_EQ(at(25, 50).torque, 5);
  EXPECT_EQ(at(25, 50).slope, 1);
  EXPECT_EQ(at(25, 3).torque, 3);
  EXPECT_EQ(at(35, 50).torque, 0);
  EXPECT_EQ(at(35, -50).torque, -10) << "braking is not capped";
  EXPECT_EQ(at(-25, -50).torque, -5);
  EXPECT_EQ(at(-35, 50).torque, 10);
}

TEST(Torque, PositionCommandHoldsAJointWithoutSteadyOscillation) {
  DriveSettings d;
  d.name = "steer";
  d.stiffness = 4000;
  d.gain = 20;
  OneJoint j({{d}, {}}, 0.05);
  j.commands[0] = {Mode::position, 0.3, 0};
  j.load = [](std::size_t, double) { return 8.0; };
  j.run(2.0, 1e-3);
  EXPECT_NEAR(j.angles[0], 0.3 + 8.0 / 4000, 1e-9);
  EXPECT_LT(std::abs(j.speeds[0]), 1e-9);
}

TEST(Train, SeveralDrivesKeepTheirStatesApart) {
  DriveSettings a = governor(), b = governor();
  a.brake.torque = 30;
  b.speed = 5;
  b.name = "other";
  OneJoint j({{a, b}, {}}, 0.05);
  j.commands[0].brake = 30;
  j.run(1.0, 1e-3);
  EXPECT_LT(std::abs(j.speeds[0]), 1e-9);
  EXPECT_NEAR(j.speeds[1], 5, 1e-6);
  const DriveEnergy e = j.train.energy(j.state);
  EXPECT_NEAR(e.ideal, e.work + e.brake + j.train.stored_energy(j.state), 1e-9);
  EXPECT_NEAR(e.work, 0.5 * 0.05 * 25, 1e-6);
}

TEST(Train, NamesEveryStateAndRefusesCommandsThatMakeNoSense) {
  DriveTrain train({{governor(), testing::magmotor()}, {}});
  for (std::size_t i = 0; i < train.state_size(); ++i) EXPECT_NE(train.state_name(i), "drive state") << i;
  auto message = [&](std::size_t i, DriveCommand c) -> std::string {
    try {
      train.check_command(i, c);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(0, {Mode::torque, 3, 0}), "");
  EXPECT_EQ(message(1, {Mode::voltage, 24, 0}), "");
  EXPECT_NE(message(0, {Mode::voltage, 24, 0}).find("needs a motor"), std::string::npos);
  EXPECT_NE(message(1, {Mode::speed, 3, 0}).find("gain"), std::string::npos);
  EXPECT_NE(message(0, {Mode::torque, std::nan(""), 0}).find("finite"), std::string::npos);
  EXPECT_NE(message(0, {Mode::torque, INFINITY, 0}).find("finite"), std::string::npos);
  EXPECT_NE(message(0, {Mode::torque, 1, 5}).find("no brake"), std::string::npos);
}

}  // namespace
}  // namespace scree
