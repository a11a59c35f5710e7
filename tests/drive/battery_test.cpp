#include "scree/drive/battery.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drive/one_joint.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

using testing::magmotor;
using testing::OneJoint;
using Mode = DriveCommand::Mode;

DriveTrainSettings vivi(double capacity = 36000) {
  return {{magmotor(), magmotor(), magmotor(), magmotor()},
          {.voltage = 36, .internal_resistance = 0.04, .current_limit = 80, .capacity = capacity}};
}

TEST(Battery, CurrentSolvesThePowerBalance) {
  const Battery b({.voltage = 36, .internal_resistance = 0.04, .current_limit = 80});
  for (double power : {-500.0, 0.0, 1e-6, 100.0, 2624.0, 8000.0}) {
    const double amps = b.current(power, 36);
    EXPECT_NEAR(amps * b.voltage(amps, 36), power, 1e-9);
  }
  EXPECT_NEAR(b.current(1e9, 36), 36 / 0.08, 1e-9) << "the most that it can give";
  const Battery ideal({.voltage = 36});
  EXPECT_DOUBLE_EQ(ideal.current(720, 36), 20);
}

TEST(Battery, LimitsTheBatterySideAndScalesAllMotorsAlike) {
  OneJoint j(vivi(), 0.5);
  for (auto& c : j.commands) c = {Mode::torque, 40, 0};  // 118 A each
  j.commands[2].value = 20;
  double least = 1;
  for (int i = 0; i < 2000; ++i) {
    j.implicit_step(1e-3);
    const BatteryReport& b = j.work.battery;
    // Power is planned at the start of a step, drawn over it: within the change of a step.
    EXPECT_LT(b.current, 80 * 1.01) << i;
    least = std::min(least, b.scale);
    if (b.scale < 1) {
      EXPECT_GT(b.current, 80 * 0.98) << i;
      EXPECT_NEAR(j.work.drives[2].current / j.work.drives[0].current, 0.5, 0.02);
    }
  }
  EXPECT_LT(least, 0.9) << "the case does reach the limit";
  // Steady: 80 A at 32.8 V, all of it into the motors.
  double power = 0;
  for (const DriveReport& d : j.work.drives) power += d.power;
  EXPECT_NEAR(power, 80 * (36 - 80 * 0.04), 30);
}

TEST(Battery, VoltageSagsWithTheCurrentAndFullVoltageMotorsShareIt) {
  // One motor at full voltage, stalled: U = U_oc - R_i I, I = U/R  =>  I = U_oc / (R + R_i).
  DriveTrainSettings s{{magmotor()}, {.voltage = 36, .internal_resistance = 0.04}};
  s.drives[0].motor.peak_current = 0;
  OneJoint j(s, 1);
  j.commands[0] = {Mode::voltage, 100, 0};
  begin(j.train, j.commands, {j.speeds, {}}, {}, j.state, j.work);
  EXPECT_NEAR(j.work.battery.current, 36 / (0.064 + 0.04), 1e-6);
  EXPECT_NEAR(j.work.drives[0].voltage, j.work.battery.voltage, 1e-6);
}

TEST(Battery, EnergyIsAccountedForWithinATenthOfAPercent) {
  // A drive cycle with acceleration at the battery's limit, cruising, braking by the motors, rest; the
  // books (conventions.md) against the kinetic energy and the work of the load, in all command modes.
  for (double dt : {1e-4, 1e-3})
    for (int mode = 0; mode < 3; ++mode)
      for (double inductance : {0.0, 2e-4}) {
        DriveTrainSettings s = vivi();
        s.battery.charge_limit = 1000;
        for (auto& d : s.drives) d.motor.inductance = inductance, d.gain = 20;
        OneJoint j(s, 0.2);
        j.load = [&](std::size_t i, double) { return -0.05 * j.speeds[i] - 0.3 * std::tanh(j.speeds[i]); };
        auto command = [&](double share) {
          for (auto& c : j.commands)
            c = mode == 0   ? DriveCommand{Mode::voltage, 30 * share, 0}
                : mode == 1 ? DriveCommand{Mode::torque, 25 * share, 0}
                            : DriveCommand{Mode::speed, 60 * share, 0};
        };
        const double charge = j.train.charge(j.state);
        command(1), j.run(1.0, dt);
        command(0.5), j.run(1.0, dt);
        command(-0.3), j.run(1.0, dt);
        command(0), j.run(1.0, dt);
        const DriveEnergy e = j.train.energy(j.state);
        double kinetic = 0;
        for (double w : j.speeds) kinetic += 0.5 * j.inertia * w * w;
        const double out = e.internal + e.dumped + e.copper + e.gear + e.friction + e.brake + e.work +
                           j.train.stored_energy(j.state);
        EXPECT_NEAR(out, e.chemical, 1e-3 * e.chemical) << "mode " << mode << " dt " << dt;
        EXPECT_NEAR(e.work + j.load_work, kinetic, 1e-3 * e.chemical);
        EXPECT_NEAR((charge - j.train.charge(j.state)) * 36, e.chemical, 1e-3 * e.chemical);
        // Everything given back was taken. An inductance is charged beyond the plan, which counts resistance
        // and back-EMF: for a step the windings may ask for more than the battery's greatest power.
        EXPECT_NEAR(e.dumped, 0, (inductance > 0 ? 2e-4 : 1e-9) * e.chemical)
            << "mode " << mode << " dt " << dt << " L " << inductance;
        for (double loss : {e.internal, e.copper, e.gear, e.friction}) EXPECT_GT(loss, 0);
      }
}

TEST(Battery, BookedLossesAreThoseOfTheLaws) {
  // Steady cruising, each loss from its own formula with nothing of the books in it.
  OneJoint j(vivi(), 0.2);
  for (auto& c : j.commands) c = {Mode::voltage, 18, 0};
  j.load = [](std::size_t, double) { return -6.0; };
  j.run(4.0, 1e-3);
  const DriveEnergy a = j.train.energy(j.state);
  j.run(1.0, 1e-3);
  const DriveEnergy b = j.train.energy(j.state);
  const double w = 9 * j.speeds[0], friction = 0.096 + 5e-5 * w;
  const double shaft = 6.0 / 9 / (1 - 0.1 * w / std::hypot(w, 5.0)), current = (shaft + friction) / 0.03757;
  EXPECT_NEAR(w, (18 - 0.064 * current) / 0.03757, 1e-3 * w);
  EXPECT_NEAR(b.work - a.work, 4 * 6 * j.speeds[0], 1e-3 * (b.work - a.work));
  EXPECT_NEAR(b.copper - a.copper, 4 * 0.064 * current * current, 2e-3 * (b.copper - a.copper));
  EXPECT_NEAR(b.friction - a.friction, 4 * friction * w, 2e-3 * (b.friction - a.friction));
  EXPECT_NEAR(b.gear - a.gear, 4 * (shaft * w - 6 * j.speeds[0]), 2e-3 * (b.gear - a.gear));
  const double power = 4 * 18 * current, amps = (36 - std::sqrt(36 * 36 - 0.16 * power)) / 0.08;
  EXPECT_NEAR(b.internal - a.internal, 0.04 * amps * amps, 3e-3 * (b.internal - a.internal));
  EXPECT_NEAR(b.chemical - a.chemical, 36 * amps, 2e-3 * (b.chemical - a.chemical));
}

TEST(Battery, ExplicitIntegrationKeepsTheSameBooks) {
  DriveTrainSettings s = vivi();
  for (auto& d : s.drives) d.motor.friction = {}, d.motor.no_load_current = 0;
  OneJoint a(s, 0.2), b(s, 0.2);
  for (OneJoint* j : {&a, &b}) {
    for (auto& c : j->commands) c = {Mode::voltage, 20, 0};
    j->load = [](std::size_t, double) { return -2.0; };
  }
  a.run(1.0, 1e-3), b.run_rk4(1.0, 1e-4);
  EXPECT_NEAR(a.speeds[0], b.speeds[0], 1e-4 * b.speeds[0]);
  const DriveEnergy x = a.train.energy(a.state), y = b.train.energy(b.state);
  EXPECT_NEAR(x.chemical, y.chemical, 2e-3 * y.chemical);
  EXPECT_NEAR(x.copper, y.copper, 5e-3 * y.copper);
  EXPECT_NEAR(x.gear, y.gear, 5e-3 * y.gear);
  EXPECT_NEAR(y.chemical, y.internal + y.copper + y.gear + y.work, 1e-6 * y.chemical);
}

TEST(Battery, EmptyItStopsTheMotors) {
  OneJoint j(vivi(30), 0.2);  // 30 A s: about a second
  for (auto& c : j.commands) c = {Mode::voltage, 30, 0};
  j.load = [&](std::size_t i, double) { return -2.0 * std::tanh(j.speeds[i]); };
  j.run(1.5, 1e-3);
  EXPECT_TRUE(j.work.battery.empty);
  EXPECT_EQ(j.work.battery.scale, 0);
  EXPECT_EQ(j.work.drives[0].current, 0);
  EXPECT_NEAR(j.work.battery.state_of_charge, 0, 1e-12);
  const double drawn = j.train.energy(j.state).chemical;
  EXPECT_NEAR(drawn, 36 * 30, 36 * 0.1) << "all that was in it, to the last step";
  j.run(60.0, 1e-3);
  EXPECT_LT(std::abs(j.speeds[0]), 1e-3) << "friction stops it";
  EXPECT_NEAR(j.train.energy(j.state).chemical, drawn, 1e-9);
}

TEST(Battery, RefusedChargeIsBurnt) {
  DriveTrainSettings s = vivi();
  s.battery.regeneration = false;
  OneJoint j(s, 0.2);
  for (double& w : j.speeds) w = 50;
  for (auto& c : j.commands) c = {Mode::torque, -10, 0};
  j.run(0.3, 1e-3);
  const DriveEnergy e = j.train.energy(j.state);
  EXPECT_EQ(e.chemical, 0);
  EXPECT_GT(e.dumped, 10);
}

TEST(Battery, RefusesAbsurdSettings) {
  auto message = [](BatterySettings b) -> std::string {
    try {
      DriveTrain t({{magmotor()}, b});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message({.voltage = 36}), "");
  EXPECT_NE(message({.voltage = -1}), "");
  EXPECT_NE(message({.voltage = NAN}), "");
  EXPECT_NE(message({.voltage = 36, .voltage_empty = 40}), "");
  EXPECT_NE(message({.voltage = 36, .state_of_charge = 90}).find("percent"), std::string::npos);
  EXPECT_NE(message({.voltage = 36, .internal_resistance = -0.1}), "");
}

}  // namespace
}  // namespace scree
