// Position loops inside a drive, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "drive/one_joint.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

using testing::OneJoint;
using Mode = DriveCommand::Mode;

DriveSettings servo(double frequency, double damping_ratio, double inertia) {
  DriveSettings d;
  d.name = "mast";
  d.kind = "servo";
  d.frequency = frequency;
  d.damping_ratio = damping_ratio;
  return with_gains(d, inertia);
}

/// Unit step of q'' + 2 z w q' + w² q = w², from rest.
double step_response(double z, double w, double t) {
  if (z == 1) return 1 - (1 + w * t) * std::exp(-w * t);
  if (z < 1) {
    const double d = w * std::sqrt(1 - z * z);
    return 1 - std::exp(-z * w * t) * (std::cos(d * t) + z * w / d * std::sin(d * t));
  }
  const double d = w * std::sqrt(z * z - 1), a = -z * w + d, b = -z * w - d;
  return 1 + (b * std::exp(a * t) - a * std::exp(b * t)) / (a - b);
}

/// Largest distance from the closed form over a second.
double worst_error(double frequency, double z, double dt) {
  const double inertia = 0.2;
  OneJoint j({{servo(frequency, z, inertia)}, {}}, inertia);
  j.commands[0] = {Mode::position, 0.5, 0};
  double worst = 0;
  while (j.time < 1 - dt / 2) {
    j.implicit_step(dt);
    const double expected = 0.5 * step_response(z, 2 * kPi * frequency, j.time);
    worst = std::max(worst, std::abs(j.angles[0] - expected));
  }
  return worst;
}

TEST(PositionLoop, StepResponseIsTheClosedFormToSecondOrder) {
  for (const double z : {0.3, 1.0, 2.0}) {
    const double coarse = worst_error(2, z, 2e-3), fine = worst_error(2, z, 1e-3);
    // The trapezium's error over a swing is (w dt)²/12 of the amplitude a radian; six radians with little
    // damping, of which the worst is seen.
    EXPECT_LT(fine, 0.5 * std::pow(2 * kPi * 2 * 1e-3, 2)) << z;
    EXPECT_NEAR(coarse / fine, 4, 0.2) << z;
  }
}

TEST(PositionLoop, IsStableFarBeyondItsOwnRate) {
  // 500 Hz at a step of 1 ms: w dt = 3.1, an explicit step explodes beyond 2. Critically damped and implicit:
  // the error is gone.
  EXPECT_LT(std::abs(worst_error(500, 1, 1e-3)), 0.5);
  const double inertia = 0.2;
  OneJoint j({{servo(500, 1, inertia)}, {}}, inertia);
  j.commands[0] = {Mode::position, 0.5, 0};
  j.run(0.5, 1e-3, 1.0);
  EXPECT_NEAR(j.angles[0], 0.5, 1e-9);
  EXPECT_NEAR(j.speeds[0], 0, 1e-9);
}

TEST(PositionLoop, FrequencyCountsTheArmature) {
  DriveSettings d;
  d.frequency = 3, d.damping_ratio = 0.5, d.armature = 0.3;
  const DriveSettings x = with_gains(d, 0.1);
  const double w = 2 * kPi * 3;
  EXPECT_NEAR(x.stiffness, 0.4 * w * w, 1e-9);
  EXPECT_NEAR(x.gain, 0.4 * w, 1e-9);
  EXPECT_DOUBLE_EQ(reflected_inertia(d), 0.3);
}

TEST(PositionLoop, SpeedAndTorqueLimitsHoldOnTheWay) {
  const double inertia = 0.2;
  DriveSettings d = servo(4, 1, inertia);
  d.limit = 3;
  d.speed_limit = 0.8;
  OneJoint j({{d}, {}}, inertia);
  j.commands[0] = {Mode::position, 2.0, 0};
  double fastest = 0, strongest = 0, cruising = 0;
  for (int k = 0; k < 6000; ++k) {
    j.implicit_step(1e-3);
    fastest = std::max(fastest, std::abs(j.speeds[0]));
    strongest = std::max(strongest, std::abs(j.work.drives[0].torque));
    if (k == 1000) cruising = j.speeds[0];
  }
  EXPECT_LE(strongest, 3 * (1 + 1e-9));
  EXPECT_NEAR(cruising, 0.8, 1e-6);
  EXPECT_LE(fastest, 0.8 * (1 + 1e-6));
  EXPECT_NEAR(j.angles[0], 2.0, 1e-6);
}

TEST(PositionLoop, AServoHoldsItsOwnPositionUnlessCommanded) {
  const double inertia = 0.2;
  DriveSettings d = servo(4, 1, inertia);
  d.position = -0.4;
  OneJoint j({{d}, {}}, inertia);
  j.run(2, 1e-3);
  EXPECT_NEAR(j.angles[0], -0.4, 1e-6);
  j.commands[0] = {Mode::position, 0.7, 0};
  j.run(2, 1e-3);
  EXPECT_NEAR(j.angles[0], 0.7, 1e-6);
}

TEST(PositionLoop, BadSettingsAndCommandsAreRefused) {
  auto message = [](DriveSettings d, DriveCommand c = {}) -> std::string {
    try {
      DriveTrain train({{d}, {}});
      train.check_command(0, c);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  DriveSettings bare;
  bare.name = "mast", bare.kind = "servo";
  EXPECT_NE(message(bare).find("frequency"), std::string::npos);
  bare.kind = "servos";
  EXPECT_NE(message(bare).find("servo'"), std::string::npos) << message(bare);
  bare.kind = "torque", bare.speed_limit = 1;
  EXPECT_NE(message(bare).find("speed_limit"), std::string::npos);
  DriveSettings kinematic;
  kinematic.name = "mast", kinematic.kind = "kinematic";
  EXPECT_EQ(message(kinematic, {Mode::position, 1, 0}), "");
  EXPECT_NE(message(kinematic, {Mode::torque, 1, 0}).find("kinematic"), std::string::npos);
}

}  // namespace
}  // namespace scree
