#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/fake_robot.hpp"
#include "scree/control/stability_monitor.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

using testing::FakeRobot;
using Mode = DriveCommand::Mode;

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Controllers, AreListedByNameAndDocumentTheirKeys) {
  std::vector<std::string> names;
  for (const ControllerKind& k : controllers()) {
    names.push_back(k.name);
    EXPECT_FALSE(k.doc.empty()) << k.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cdta", "pid", "speed", "stability3d", "torque", "voltage"}));
  Reference reference;
  describe_controllers(reference, "robot.control");
  for (const KeyDoc& k : reference) EXPECT_FALSE(k.doc.empty()) << k.path;
  auto has = [&](const std::string& part) {
    return std::any_of(reference.begin(), reference.end(),
                       [&](const KeyDoc& k) { return k.path.find(part) != std::string::npos; });
  };
  for (const char* key : {"friction_share", "yaw_rate", "integral", "plugin", "rate"})
    EXPECT_TRUE(has(key)) << key;
}

TEST(Controllers, UnknownKindNamesTheNearest) {
  FakeRobot f;
  const std::string m = message([&] { f.make("kind = \"ctda\""); });
  EXPECT_NE(m.find("cdta"), std::string::npos) << m;
  EXPECT_NE(message([&] { f.make("kind = \"speed\"\nspede = 3"); }).find("speed"), std::string::npos);
  EXPECT_NE(message([&] { f.make("kind = \"speed\"\nrate = 0"); }), "");
  EXPECT_EQ(f.make("").controller, nullptr);
  EXPECT_DOUBLE_EQ(f.make("kind = \"torque\"\nrate = 200").period, 0.005);
}

TEST(Controllers, TorqueAndVoltageAreConstantPerDrive) {
  FakeRobot f;
  f.make("kind = \"torque\"\ntorque = 3\ndrives = { \"rear_*\" = 5 }")
      .controller->update(f.readings, f.commands);
  EXPECT_EQ(f.commands[0].mode, Mode::torque);
  EXPECT_EQ(f.commands[0].value, 3);
  EXPECT_EQ(f.commands[3].value, 5);
  f.make("kind = \"voltage\"\nvoltage = 12").controller->update(f.readings, f.commands);
  EXPECT_EQ(f.commands[2].mode, Mode::voltage);
  EXPECT_EQ(f.commands[2].value, 12);
  EXPECT_NE(message([&] { f.make("kind = \"torque\"\ndrives = { \"raer_left\" = 5 }"); }).find("rear_left"),
            std::string::npos);
  f.info.drives[1].kind = "torque";
  EXPECT_NE(message([&] { f.make("kind = \"voltage\"\nvoltage = 12"); }).find("front_right"),
            std::string::npos);
}

TEST(Controllers, SpeedIsProportionalWithGravityCompensationPerAxle) {
  FakeRobot f;
  auto made = f.make("kind = \"speed\"\nspeed = 10\ngain = 100");
  f.readings.velocity.x() = 9.99;
  made.controller->update(f.readings, f.commands);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(f.axle_force(i), 0.5 * 45 * 100 * 0.01, 1e-9);
  // Front axle on a 20 degree rise, body level: its half of the weight is compensated there.
  for (int i = 0; i < 2; ++i) f.wheels[i].contact_angle = 20 * kDegree;
  made.controller->update(f.readings, f.commands);
  EXPECT_NEAR(f.axle_force(1), 0.5 * 45 * (1 + 9.81 * std::sin(20 * kDegree)), 1e-9);
  EXPECT_NEAR(f.axle_force(0), 0.5 * 45, 1e-9);
  f.readings.velocity.x() = 0;
  made.controller->update(f.readings, f.commands);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(f.commands[i].value, 60) << "as much as the drive can";
  double value = 0;
  made.controller->values({&value, 1});
  EXPECT_EQ(value, 1000);
}

/// Seven wheels of different sizes, one of them not driven, drives in another order than wheels.
TEST(Controllers, SpeedWithoutAGainSharesTheTractionByLoad) {
  FakeRobot f;
  f.info.drives.clear(), f.info.wheels.clear(), f.wheels.clear();
  const int drives[] = {3, 0, -1, 5, 1, 4, 2};
  for (int i = 0; i < 7; ++i) {
    f.info.wheels.push_back(
        {std::to_string(i), Vec3(0.3 * (i % 3 - 1), i % 2 - 0.5, -0.1), 0.1 + 0.01 * i, drives[i]});
    WheelReading w;
    w.normal = i == 4 ? 0 : 40 + 15 * i, w.spin = 3 + i, w.contact_angle = 0.1 * i - 0.3;
    f.wheels.push_back(w);
  }
  for (int d = 0; d < 6; ++d) f.info.drives.push_back({std::to_string(d), "dc", d == 3 ? 0.1 : 60.0, 0});
  f.readings.wheels = f.wheels, f.readings.pitch = 0.05, f.readings.velocity.x() = 0.98;
  f.commands.assign(6, {});
  const MadeController made = f.make("kind = \"speed\"\nspeed = 1");
  made.controller->update(f.readings, f.commands);
  double desired = 0, carried = 0;
  made.controller->values({&desired, 1});
  for (int i = 0; i < 7; ++i) carried += drives[i] < 0 ? 0 : f.wheels[i].normal;
  const double gain = 30;  // 0.06 / (1 ms between samples + 1 ms)
  int bound = 0;
  for (int i = 0; i < 7; ++i) {
    if (drives[i] < 0) continue;
    const WheelReading& w = f.wheels[i];
    const double r = f.info.wheels[i].radius, most = f.info.drives[drives[i]].torque_limit;
    const double slope = std::sin(0.05 + w.contact_angle);
    const double torque =
        0.02 * 45 * r * gain * (0.98 - r * w.spin) + w.normal / carried * 45 * (desired + 9.81 * slope) * r;
    EXPECT_EQ(f.commands[drives[i]].mode, Mode::torque);
    EXPECT_NEAR(f.commands[drives[i]].value, std::clamp(torque, -most, most), 1e-12) << i;
    bound += std::abs(torque) > most;
  }
  EXPECT_EQ(bound, 1) << "the weak drive, so that nothing may be added up";
  const double before = desired;
  made.controller->update(f.readings, f.commands);
  made.controller->values({&desired, 1});
  EXPECT_EQ(desired, before);
}

TEST(Controllers, CdtaKeepsTractionBelowTheChosenShareOfThePeak) {
  FakeRobot f;
  auto made = f.make("kind = \"cdta\"\nspeed = 10\nfriction_share = 0.85");
  made.controller->update(f.readings, f.commands);  // wants 1000 m/s^2
  double planned[3];
  made.controller->values(planned);
  EXPECT_EQ(planned[2], 0);
  // All of the friction, mu m g in all; the front pulls mu times the load left to it at that acceleration,
  // the rear as much as its present load can take.
  const double mu = 0.85 * 1.14, front = 45 * 9.81 * (0.5 - mu * 0.22 / 0.6);
  EXPECT_NEAR(f.axle_force(1), mu * front, 1e-6);
  EXPECT_NEAR(f.axle_force(0), mu * 45 * 9.81 / 2, 1e-6);
  EXPECT_NEAR(planned[1], 0.85 * 1.14 * 9.81, 1e-6);
  f.readings.velocity.x() = 9.99;
  made.controller->update(f.readings, f.commands);
  EXPECT_NEAR(f.axle_force(0) + f.axle_force(1), 45 * 100 * 0.01, 1e-6) << "small wishes pass unchanged";
}

TEST(Controllers, CdtaTurnsALiftedFrontBackDown) {
  FakeRobot f(0.5);
  auto made = f.make("kind = \"cdta\"\nspeed = 10");
  for (int i = 0; i < 2; ++i) f.wheels[i].normal = 0, f.wheels[i].in_contact = false;
  for (int i = 2; i < 4; ++i) f.wheels[i].normal = 45 * 9.81 / 2;
  made.controller->update(f.readings, f.commands);
  EXPECT_NEAR(f.axle_force(1), 0, 1e-12) << "the wheels in the air are let go";
  // No nose-up moment about the centre of mass: F h <= N l.
  EXPECT_LE(f.axle_force(0) * 0.5, 45 * 9.81 * 0.3 * (1 + 1e-9));
  double values[3];
  made.controller->values(values);
  EXPECT_EQ(values[2], 3);
}

TEST(Controllers, StabilityTurnsWithTheMomentThatTheYawErrorAsksFor) {
  FakeRobot f;
  for (WheelReading& w : f.wheels) w.ahead_B = Vec3::UnitX(), w.up_B = Vec3::UnitZ();
  f.info.wheels[1].p_BK.y() = -0.35;  // not all as far out
  const MadeController made = f.make("kind = \"stability3d\"\nyaw_rate = 0.05\nyaw_gain = 20");
  made.controller->update(f.readings, f.commands);
  double moment = 0;
  for (int i = 0; i < 4; ++i) moment -= f.commands[i].value / 0.12 * f.info.wheels[i].p_BK.y();
  EXPECT_NEAR(moment, 2.6 * 20 * 0.05, 1e-12);
}

/// The index is looked at ahead of time, by its rate against what a filter of 0.05 s has followed of it.
TEST(Controllers, StabilityLooksAheadByAFilteredRate) {
  FakeRobot f;
  for (WheelReading& w : f.wheels) w.ahead_B = Vec3::UnitX(), w.up_B = Vec3::UnitZ();
  const MadeController made = f.make("kind = \"stability3d\"\nmargin = 0.9\nfloor = 0.1\nlead = 0.15");
  std::vector<double> values(made.controller->signals().size());
  const auto sample = [&](double time, double load) {
    f.readings.time = time;
    for (WheelReading& w : f.wheels) w.normal = load * 45 * 9.81 / 4;
    made.controller->update(f.readings, f.commands);
    made.controller->values(values);
    return values.back();  // the share that is left
  };
  const double rest = 1e-3;  // of the index: levers at rest are those of the hubs
  EXPECT_NEAR(sample(0.01, 1), 1, rest);
  double followed = 1;
  for (int k = 2; k < 6; ++k) {
    const double share = sample(0.01 * k, 0.9), ahead = 0.9 + 0.15 * (0.9 - followed) / 0.05;
    EXPECT_NEAR(share, (ahead - 0.1) / 0.8, 10 * rest) << k;
    followed += (1 - std::exp(-0.01 / 0.05)) * (0.9 - followed);
  }
}

TEST(Controllers, PidHoldsASpeedWithoutOffsetAndDoesNotWindUp) {
  FakeRobot f;
  auto made = f.make("kind = \"pid\"\nspeed = 1.2\nproportional = 2\nintegral = 20");
  // Wheels of 0.05 kg m^2 against a constant load of 4 N m.
  double w = 0;
  auto step = [&](double load) {
    for (auto& x : f.wheels) x.spin = w;
    made.controller->update(f.readings, f.commands);
    w += 1e-3 * (f.commands[0].value - load) / 0.05;
    f.readings.time += 1e-3;
  };
  for (int i = 0; i < 4000; ++i) step(4);
  EXPECT_NEAR(w, 10, 1e-3);
  for (int i = 0; i < 3000; ++i) step(90), w = std::max(w, 0.0);  // stalled: more than the drive can
  double most = 0;
  for (int i = 0; i < 4000; ++i) step(4), most = std::max(most, w);
  EXPECT_NEAR(w, 10, 1e-3);
  // Torque is at its limit with an integral of 2 rad; wound up for three seconds it would be 30 rad.
  EXPECT_LT(most, 30);
}

TEST(Controllers, WhatTheySayThatTheyDoNotReadTheyDoNotRead) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  int spared = 0;
  for (const ControllerKind& kind : controllers()) {
    for (const char* more : {"", "gain = 20\n"}) {
      if (*more && kind.name != "speed") continue;
      FakeRobot seen, blind;
      for (std::size_t i = 0; i < 4; ++i) {
        seen.wheels[i].contact_angle = blind.wheels[i].contact_angle = 0.1 * static_cast<double>(i);
        WheelReading& w = blind.wheels[i];
        w.p_BC = w.ahead_B = w.up_B = Vec3::Constant(none), w.contact_tilt = w.friction = none;
      }
      seen.readings.velocity.x() = blind.readings.velocity.x() = -0.3;
      const std::string text = "kind = \"" + kind.name + "\"\n" + more;
      const MadeController a = seen.make(text), b = blind.make(text);
      if (a.controller->reads_places()) continue;
      ++spared;
      for (int sample = 0; sample < 3; ++sample) {
        a.controller->update(seen.readings, seen.commands);
        b.controller->update(blind.readings, blind.commands);
        for (std::size_t i = 0; i < 4; ++i)
          EXPECT_EQ(seen.commands[i].value, blind.commands[i].value) << text << i;
      }
    }
  }
  EXPECT_EQ(spared, 4) << "pid, speed without a gain, torque, voltage";
}

TEST(Controllers, BadCommandsEndTheRunWithNameTimeAndDrive) {
  struct Bad : Controller {
    int what = 0;
    void update(const Readings&, std::span<DriveCommand> c) override {
      if (what == 0) throw std::runtime_error("lost my mind");
      if (what == 1) throw 7;
      c[2].value = NAN;
    }
  };
  FakeRobot f;
  f.readings.time = 1.25;
  Bad bad;
  auto say = [&] { return message([&] { checked_update(bad, "bad", f.readings, f.commands, f.info); }); };
  EXPECT_NE(say().find("lost my mind"), std::string::npos);
  EXPECT_NE(say().find("1.25 s"), std::string::npos);
  bad.what = 1;
  EXPECT_NE(say().find("not a std::exception"), std::string::npos);
  bad.what = 2;
  EXPECT_NE(say().find("rear_left"), std::string::npos) << say();
  EXPECT_THROW(checked_update(bad, "bad", f.readings, f.commands, f.info), RunError);
}

TEST(StabilityMonitor, AtRestEveryIndexIsOneAndNesmIsThatOfTheNarrowSide) {
  FakeRobot f;
  StabilityMonitor m(f.info);
  m.update(f.readings);
  ASSERT_EQ(m.axes().size(), 4u);
  for (const StabilityAxis& a : m.axes()) EXPECT_NEAR(a.index, 1, 1e-12);
  EXPECT_NEAR(m.least_energy_margin(), std::hypot(0.25, 0.22) - 0.22, 1e-12);
  EXPECT_NEAR(m.least_distance(), 0.25, 1e-12);
}

TEST(StabilityMonitor, OnTwoWheelsTheIndexIsZeroAndOnASlopeNesmFalls) {
  FakeRobot f;
  StabilityMonitor m(f.info);
  f.wheels[0].normal = f.wheels[2].normal = 0;  // left wheels in the air
  f.wheels[1].normal = f.wheels[3].normal = 45 * 9.81 / 2;
  f.wheels[1].lateral = f.wheels[3].lateral = 200;
  m.update(f.readings);
  EXPECT_NEAR(m.least_index(), 0, 1e-12);
  double before = 1;
  for (double roll : {0.0, 0.2, 0.4, 0.6, 0.8}) {
    f.readings.roll = roll;
    m.update(f.readings);
    EXPECT_LT(m.least_energy_margin(), before) << roll;
    before = m.least_energy_margin();
  }
  f.readings.roll = std::atan(0.25 / 0.22) + 0.01;
  m.update(f.readings);
  EXPECT_LT(m.least_energy_margin(), 0) << "past the edge";
}

}  // namespace
}  // namespace scree
