#include <gtest/gtest.h>

#include <cmath>

#include "drive/one_joint.hpp"
#include "scree/core/errors.hpp"
#include "support/paths.hpp"

namespace scree {
namespace {

using testing::magmotor;
using testing::OneJoint;
using Mode = DriveCommand::Mode;

DriveSettings bare() {
  DriveSettings d = magmotor();
  d.gear_ratio = 1, d.gear_efficiency = 1;
  d.motor.friction = {};
  d.motor.no_load_current = 0;
  return d;
}

TEST(Motor, RunsUpToTheNoLoadSpeed) {
  OneJoint j({{bare()}, {}}, 1e-3);
  j.commands[0] = {Mode::voltage, 24, 0};
  j.run(3.0, 1e-3);
  EXPECT_NEAR(j.speeds[0], 24 / 0.03757, 1e-6);
  EXPECT_NEAR(j.work.drives[0].current, 0, 1e-6);
}

TEST(Motor, NoLoadCurrentOfTheDataSheetComesFromShaftFriction) {
  DriveSettings d = magmotor();
  d.gear_ratio = 1, d.gear_efficiency = 1;
  OneJoint j({{d}, {}}, 1e-3);
  j.commands[0] = {Mode::voltage, 24, 0};
  j.run(5.0, 1e-3);
  EXPECT_NEAR(j.work.drives[0].current, 3.4, 3.4 * 0.01) << "data sheet: 3.4 A at 24 V";
}

TEST(Motor, StallTorqueAndPeakOfThePowerCurve) {
  const DcMotor motor(bare().motor);
  OneJoint j({{bare()}, {}}, 1e-3);
  j.commands[0] = {Mode::voltage, 12, 0};
  double best = 0, best_speed = 0;
  const double top = motor.no_load_speed(12);
  for (int i = 0; i <= 1000; ++i) {
    j.speeds[0] = top * i / 1000;
    begin(j.train, j.commands, {j.speeds, {}}, {}, j.state, j.work);
    if (i == 0) {
      EXPECT_NEAR(j.work.torque[0], 0.03757 * 12 / 0.064, 1e-12);
    }
    const double power = j.work.torque[0] * j.speeds[0];
    if (power > best) best = power, best_speed = j.speeds[0];
  }
  EXPECT_NEAR(best, 12 * 12 / (4 * 0.064), 1e-9);
  EXPECT_NEAR(best_speed, top / 2, 1e-9);
  EXPECT_NEAR(best, motor.peak_power(12), 1e-9);
  EXPECT_NEAR(motor.stall_torque(12), 0.03757 * 12 / 0.064, 1e-15);
}

TEST(Motor, KeepsItsPeakCurrent) {
  OneJoint j({{bare()}, {}}, 1e-2);
  j.commands[0] = {Mode::voltage, 24, 0};  // stall would be 375 A
  for (int i = 0; i < 200; ++i) {
    j.implicit_step(1e-3);
    EXPECT_LE(std::abs(j.work.drives[0].current), 200 * (1 + 1e-9)) << i;
  }
  j.commands[0] = {Mode::current, -900, 0};
  j.implicit_step(1e-3);
  EXPECT_NEAR(j.work.drives[0].current, -200, 1e-6);
}

TEST(Motor, SpinUpMatchesTheClosedForm) {
  // Without limits: w = w0 (1 - exp(-t/T)), T = J R / k^2.
  DriveSettings d = bare();
  d.motor.peak_current = 0;
  const double inertia = 2e-3, time_constant = inertia * 0.064 / (0.03757 * 0.03757);
  double last = 0;
  for (double dt : {4e-3, 2e-3, 1e-3}) {
    OneJoint j({{d}, {}}, inertia);
    j.commands[0] = {Mode::voltage, 24, 0};
    j.run(0.08, dt);
    const double error = std::abs(j.speeds[0] - 24 / 0.03757 * (1 - std::exp(-0.08 / time_constant)));
    if (last > 0) {
      EXPECT_NEAR(last / error, 4, 0.4) << "second order in the step";
    }
    last = error;
  }
}

TEST(Motor, InductanceDelaysTheCurrentAsItsTimeConstantSays) {
  DriveSettings d = bare();
  d.motor.inductance = 6.4e-4;  // L/R = 10 ms
  d.motor.peak_current = 0;
  OneJoint j({{d}, {}}, 1e6);  // held still
  j.commands[0] = {Mode::voltage, 6.4, 0};
  j.run(0.01, 1e-3);
  EXPECT_NEAR(j.state[1], 100 * (1 - std::exp(-1)), 1e-7);
  // A free rotor with inductance against RK4.
  OneJoint a({{d}, {}}, 1e-3), b({{d}, {}}, 1e-3);
  a.commands[0] = b.commands[0] = {Mode::voltage, 24, 0};
  a.run(0.05, 5e-4);
  b.run_rk4(0.05, 1e-5);
  EXPECT_NEAR(a.speeds[0], b.speeds[0], 2e-3 * b.speeds[0]);
  EXPECT_NEAR(a.state[1], b.state[1], 2e-2 * std::abs(b.state[1]));
}

TEST(Motor, VoltageLimitsTheCurrentLoop) {
  // 20 V left of 36 V after 16 V back-EMF: no more than 20 V / 0.064 ohm, whatever is asked.
  DriveTrainSettings s{{bare()}, {.voltage = 36}};
  s.drives[0].motor.peak_current = 0;
  OneJoint j(s, 1e-2);
  j.speeds[0] = 16 / 0.03757;
  j.commands[0] = {Mode::current, 1000, 0};
  begin(j.train, j.commands, {j.speeds, {}}, {}, j.state, j.work);
  EXPECT_NEAR(j.work.drives[0].current, 20 / 0.064, 1e-9);
  j.commands[0] = {Mode::current, 100, 0};
  begin(j.train, j.commands, {j.speeds, {}}, {}, j.state, j.work);
  EXPECT_NEAR(j.work.drives[0].current, 100, 1e-12);
  EXPECT_NEAR(j.work.drives[0].voltage, 16 + 6.4, 1e-9);
}

TEST(Motor, GearLosesItsShareEitherWayAndIsContinuous) {
  const double loss = 0.1, blend = 5;
  EXPECT_NEAR(gear_flow(2.0, 500.0, loss, blend).factor, 0.9, 1e-4);
  EXPECT_NEAR(gear_flow(-2.0, 500.0, loss, blend).factor, 1 / 0.9, 1e-4);
  EXPECT_EQ(gear_flow(2.0, 0.0, loss, blend).factor, 1);
  for (double w = -40; w <= 40; w += 0.5)
    for (double torque : {-3.0, -1e-9, 1e-9, 3.0}) {
      const GearFlow f = gear_flow(torque, w, loss, blend);
      EXPECT_GE(torque * w * (1 - f.factor), 0) << "never creates power";
      const double h = 1e-6, side = torque < 0 ? -1 : 1;
      EXPECT_NEAR(
          (gear_flow(torque, w + h, loss, blend).factor - gear_flow(torque, w - h, loss, blend).factor) /
              (2 * h),
          -side * f.drop, 1e-8);
    }
}

TEST(Motor, SlopeIsTheFallOfTheJointTorque) {
  DriveSettings d = magmotor();
  d.motor.friction = {};  // whose slope has its own test
  d.motor.no_load_current = 0;
  OneJoint j({{d}, {}}, 1e-2);
  j.commands[0] = {Mode::voltage, 10, 0};
  for (double w : {-30.0, -5.0, 0.0, 3.0, 20.0, 40.0}) {
    auto torque = [&](double speed) {
      j.speeds[0] = speed;
      begin(j.train, j.commands, {j.speeds, {}}, {}, j.state, j.work);
      return j.work.torque[0];
    };
    const double numeric = -(torque(w + 1e-6) - torque(w - 1e-6)) / 2e-6;
    torque(w);
    EXPECT_NEAR(j.work.slope[0], numeric, 1e-5 * (1 + numeric)) << w;
  }
}

TEST(Motor, DataSheetsThatContradictThemselvesAreRefused) {
  auto message = [](auto change) -> std::string {
    DriveSettings d = magmotor();
    change(d);
    try {
      DriveTrain t({{d}, {}});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message([](DriveSettings&) {}), "");
  auto expect = [&](auto change, const char* part) {
    const std::string m = message(change);
    EXPECT_NE(m.find(part), std::string::npos) << "'" << m << "' should say " << part;
    EXPECT_NE(m.find("wheel"), std::string::npos) << "names the drive: " << m;
  };
  expect([](DriveSettings& d) { d.motor.speed_constant = 254; }, "contradict");  // rpm/V
  expect([](DriveSettings& d) { d.motor.torque_constant = 0; }, "torque_constant");
  expect([](DriveSettings& d) { d.motor.torque_constant = NAN; }, "torque_constant");
  expect([](DriveSettings& d) { d.motor.resistance = 0; }, "resistance");
  expect([](DriveSettings& d) { d.motor.no_load_current = 30; }, "no_load_current");
  expect([](DriveSettings& d) { d.motor.peak_current = 20; }, "peak_current");
  expect([](DriveSettings& d) { d.motor.friction.breakaway = 0.01; }, "static friction");
  expect([](DriveSettings& d) { d.motor.friction.sign_sharpness = 10; }, "sign_sharpness");
  expect([](DriveSettings& d) { d.gear_efficiency = 90; }, "percent");
  expect([](DriveSettings& d) { d.gear_ratio = 0; }, "gear_ratio");
  expect([](DriveSettings& d) { d.kind = "diesel"; }, "diesel");
}

TEST(Motor, ReflectsItsRotorThroughTheGear) { EXPECT_NEAR(reflected_inertia(magmotor()), 81e-4, 1e-15); }

TEST(Motor, DataSheetFileReadsAndATableMayOverrideIt) {
  const DriveSettings d = read_drive_file(source_tree("/drives/magmotor-s28-150.toml"));
  const DriveSettings ours = magmotor();
  EXPECT_EQ(d.kind, "dc");
  EXPECT_DOUBLE_EQ(d.motor.torque_constant, ours.motor.torque_constant);
  EXPECT_NEAR(d.motor.speed_constant, 254 * 2 * kPi / 60, 1e-3);
  EXPECT_DOUBLE_EQ(d.motor.friction.breakaway, ours.motor.friction.breakaway);
  EXPECT_NO_THROW(DriveTrain({{d}, {}}));
  const Document scenario = Document::from_text(
      "file = \"drives/magmotor-s28-150.toml\"\nname = \"left\"\ngear_ratio = 12\n[motor]\npeak_current = "
      "90\n",
      "text", source_tree());
  const DriveSettings over = read<DriveSettings>(scenario.root());
  EXPECT_EQ(over.name, "left");
  EXPECT_EQ(over.gear_ratio, 12);
  EXPECT_EQ(over.motor.peak_current, 90);
  EXPECT_EQ(over.motor.resistance, d.motor.resistance);
}

}  // namespace
}  // namespace scree
