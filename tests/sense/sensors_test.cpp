#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "scree/core/errors.hpp"
#include "scree/sense/suite.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const SensorRobot kRobot{"r",
                         {{"chassis", 0, {}}, {"mast", 1, {}}, {"lens", 1, {Mat3::Identity(), {0, 0, 0.5}}}},
                         {"left", "right"},
                         {"knee"}};

struct Truth {
  std::vector<WheelTruth> wheels = std::vector<WheelTruth>(2);
  std::vector<JointTruth> joints = {{0.4, -2}};
  std::vector<LinkTruth> links = std::vector<LinkTruth>(2);
  RobotTruth truth;
  Truth() {
    truth.X_WB = {rotation_from_rpy(0.1, 0.2, 0.3), {1, 2, 3}};
    truth.v_WB_B = {1.5, -0.2, 0.1}, truth.w_WB_B = {0.3, -0.4, 0.5}, truth.a_WB_B = {1, 2, 3};
    truth.alpha_WB_B = {2, -1, 0.5};
    truth.battery = {24, 3, 0.9, 1};
    for (int i = 0; i < 2; ++i) {
      WheelTruth& w = wheels[i];
      w.p_BK = {0.3 - 0.6 * i, 0.25, -0.1};
      w.radius = 0.12, w.spin = 10 + i, w.angle = 5 - i, w.normal = 100, w.peak = 114,
      w.suspension = 0.01 * i;
      w.traction = 7 + i, w.lateral = -3 - i, w.contact_angle = 0.2;
    }
    links[0] = {truth.X_WB, truth.v_WB_B, truth.w_WB_B,
                truth.a_WB_B - truth.X_WB.R.transpose() * truth.gravity_W, truth.alpha_WB_B};
    links[1] = {
        {rotation_from_rpy(-0.3, 0.4, 1.2), {-1, 0.5, 2}}, {0.1, 0.2, 0.3}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    truth.wheels = wheels, truth.joints = joints, truth.links = links;
  }
  /// All channels of one perfect sensor.
  std::vector<double> read(const SensorSettings& settings) {
    Sensor sensor(SensorPlan(settings, kRobot), 1e-3, 1, 0, "r");
    sensor.update(truth);
    const auto values = sensor.reading().values;
    return {values.begin(), values.end()};
  }
};

/// A sensor of one number: the battery's voltage, set by hand.
class Meter {
 public:
  explicit Meter(SensorSettings s, double period = 1e-3, std::uint64_t seed = 7, std::uint64_t trial = 0)
      : sensor_(SensorPlan((s.kind = "battery", s), kRobot), period, seed, trial, "r") {}
  double operator()(double time, double value) {
    t_.truth.time = time, t_.truth.battery.voltage = value;
    if (time >= sensor_.next()) sensor_.update(t_.truth);
    return sensor_.reading().values[0];
  }
  Sensor& sensor() { return sensor_; }

 private:
  Truth t_;
  Sensor sensor_;
};

TEST(Sensors, ControllersReadTheTruthWhereTheListIsEmpty) {
  Truth t;
  SensorSuite suite({}, kRobot, 1e-3, 1, 0);
  suite.update(t.truth);
  const Readings& r = suite.read(t.truth);
  EXPECT_NEAR(r.roll, 0.1, 1e-14);
  EXPECT_NEAR(r.pitch, 0.2, 1e-14);
  EXPECT_NEAR(r.yaw, 0.3, 1e-14);
  EXPECT_NEAR(r.heading, 0.3, 1e-14);
  EXPECT_EQ(r.position, Vec3(1, 2, 3));
  EXPECT_EQ(r.wheels[1].spin, 11);
  EXPECT_NEAR(r.wheels[0].friction, 1.14, 1e-14);
  EXPECT_TRUE(r.wheels[0].in_contact);
  // At rest the accelerometer reads the reaction to gravity: +g along world z.
  t.truth.a_WB_B.setZero();
  suite.read(t.truth);
  EXPECT_NEAR((t.truth.X_WB.R * r.specific_force - Vec3(0, 0, 9.80665)).norm(), 0, 1e-12);
}

TEST(Sensors, APerfectSensorOfEveryKindChangesNothing) {
  Truth t;
  SensorSuite none({}, kRobot, 1e-3, 1, 0);
  const Readings plain = none.read(t.truth);
  const std::vector<WheelReading> plain_wheels(plain.wheels.begin(), plain.wheels.end());
  std::vector<SensorSettings> all;
  for (const SensorKind& kind : sensor_kinds()) all.push_back({.kind = kind.name});
  SensorSuite suite(all, kRobot, 1e-3, 1, 0);
  suite.update(t.truth);
  const Readings& r = suite.read(t.truth);
  EXPECT_EQ(r.specific_force, plain.specific_force);
  EXPECT_EQ(r.gyro, plain.gyro);
  EXPECT_EQ(Vec3(r.roll, r.pitch, r.yaw), Vec3(plain.roll, plain.pitch, plain.yaw));
  EXPECT_EQ(r.velocity, plain.velocity);
  EXPECT_EQ(r.position, plain.position);
  EXPECT_EQ(r.heading, plain.heading);
  EXPECT_EQ(r.battery.voltage, plain.battery.voltage);
  EXPECT_EQ(r.battery.current, plain.battery.current);
  for (std::size_t i = 0; i < 2; ++i) {
    const WheelReading &a = r.wheels[i], &b = plain_wheels[i];
    EXPECT_EQ(a.spin, b.spin);
    EXPECT_EQ(a.angle, b.angle);
    EXPECT_EQ(a.suspension, b.suspension);
    EXPECT_EQ(a.normal, b.normal);
    EXPECT_EQ(a.traction, b.traction);
    EXPECT_EQ(a.lateral, b.lateral);
    EXPECT_EQ(a.contact_angle, b.contact_angle);
    EXPECT_EQ(a.p_BC, b.p_BC);
  }
}

TEST(Sensors, EveryKindPutsItsErrorWhereControllersLook) {
  // A bias of one sensor moves exactly its own quantity.
  for (const SensorKind& kind : sensor_kinds()) {
    if (!kind.show) continue;
    Truth t;
    SensorSuite none({}, kRobot, 1e-3, 1, 0);
    const std::vector<SensorSettings> one = {{.kind = kind.name, .bias = 0.125}};
    SensorSuite suite(one, kRobot, 1e-3, 1, 0);
    const auto numbers = [](const Readings& r) {
      std::vector<double> all = {r.roll, r.pitch, r.yaw, r.heading, r.battery.voltage, r.battery.current};
      for (const Vec3* v : {&r.specific_force, &r.gyro, &r.velocity, &r.position})
        all.insert(all.end(), v->data(), v->data() + 3);
      for (const WheelReading& w : r.wheels)
        for (double x : {w.spin, w.angle, w.suspension, w.normal, w.traction, w.lateral, w.contact_angle})
          all.push_back(x);
      return all;
    };
    suite.update(t.truth);
    const std::vector<double> plain = numbers(none.read(t.truth)), with = numbers(suite.read(t.truth));
    std::size_t moved = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (with[i] == plain[i]) continue;
      ++moved;
      EXPECT_NEAR(with[i] - plain[i], 0.125, 1e-12) << kind.name;
    }
    EXPECT_EQ(moved, suite.sensors()[0].plan().channels.size()) << kind.name;
  }
}

TEST(Sensors, ContactPointFollowsFromCentreRadiusAndAngle) {
  Truth t;
  SensorSuite suite({}, kRobot, 1e-3, 1, 0);
  const Vec3 p = suite.read(t.truth).wheels[0].p_BC;
  EXPECT_NEAR((p - Vec3(0.3 + 0.12 * std::sin(0.2), 0.25, -0.1 - 0.12 * std::cos(0.2))).norm(), 0, 1e-15)
      << "a positive angle lies ahead of the centre";
}

TEST(Sensors, MountedOnALinkTheyFeelTheirOwnPlace) {
  // On the second link at p, turned by 90 degrees about z: its x is the link's y, its y the link's -x.
  Truth t;
  const SensorSettings mount{.link = "mast", .position = {0.1, -0.2, 0.3}, .yaw = kPi / 2};
  const auto at = [&](const char* kind) {
    SensorSettings s = mount;
    s.kind = kind;
    const std::vector<double> v = t.read(s);
    return Vec3(v[0], v.size() > 1 ? v[1] : 0, v.size() > 2 ? v[2] : 0);
  };
  const Vec3 p(0.1, -0.2, 0.3), w(1, 2, 3), alpha(7, 8, 9);
  const auto turned = [](const Vec3& v) { return Vec3(v.y(), -v.x(), v.z()); };
  EXPECT_NEAR((at("gyro") - turned(w)).norm(), 0, 1e-14);
  EXPECT_NEAR((at("speed") - turned(Vec3(0.1, 0.2, 0.3) + w.cross(p))).norm(), 0, 1e-14);
  EXPECT_NEAR((at("accelerometer") - turned(Vec3(4, 5, 6) + alpha.cross(p) + w.cross(w.cross(p)))).norm(), 0,
              1e-13);
  EXPECT_NEAR((at("position") - (Vec3(-1, 0.5, 2) + rotation_from_rpy(-0.3, 0.4, 1.2) * p)).norm(), 0, 1e-14);
  const Mat3 R = rotation_from_rpy(-0.3, 0.4, 1.2) * rotation_from_rpy(0, 0, kPi / 2);
  const RollPitchYaw rpy = rpy_from_rotation(R);
  EXPECT_NEAR((at("attitude") - Vec3(rpy.roll, rpy.pitch, rpy.yaw)).norm(), 0, 1e-14);
  EXPECT_NEAR(at("heading").x(), rpy.yaw, 1e-14);
  // A link that is fixed to another one has that one's motion, at its own place.
  const std::vector<double> lens = t.read({.kind = "position", .link = "lens"});
  const Vec3 expected = Vec3(-1, 0.5, 2) + rotation_from_rpy(-0.3, 0.4, 1.2) * Vec3(0, 0, 0.5);
  EXPECT_NEAR((Vec3(lens[0], lens[1], lens[2]) - expected).norm(), 0, 1e-14);
}

TEST(Sensors, OfWheelsAndJointsOnlyThoseThatAreNamed) {
  Truth t;
  EXPECT_EQ(t.read({.kind = "encoder"}), (std::vector<double>{10, 5, 11, 4}));
  EXPECT_EQ(t.read({.kind = "encoder", .of = {"ri*"}}), (std::vector<double>{11, 4}));
  EXPECT_EQ(t.read({.kind = "joint"}), (std::vector<double>{0.4, -2}));
  const SensorPlan plan({.kind = "encoder", .of = {"right"}}, kRobot);
  EXPECT_EQ(plan.channels[0].name, "right.spin");
}

TEST(Sensors, NoiseHasItsMeanAndDeviation) {
  Meter m({.noise = 0.5, .bias = 2});
  double sum = 0, square = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double e = m(i * 1e-3, 10) - 12;
    sum += e, square += e * e;
  }
  EXPECT_NEAR(sum / n, 0, 4 * 0.5 / std::sqrt(n)) << "four standard errors";
  EXPECT_NEAR(std::sqrt(square / n), 0.5, 4 * 0.5 / std::sqrt(2.0 * n));
}

TEST(Sensors, SeedTrialAndNameChooseTheNumbers) {
  const SensorSettings noisy{.noise = 1};
  const double x = Meter(noisy, 1e-3, 7, 0)(0, 0);
  EXPECT_EQ(Meter(noisy, 1e-3, 7, 0)(0, 0), x);
  EXPECT_NE(Meter(noisy, 1e-3, 8, 0)(0, 0), x);
  EXPECT_NE(Meter(noisy, 1e-3, 7, 1)(0, 0), x);
  EXPECT_NE(Meter({.name = "other", .noise = 1}, 1e-3, 7, 0)(0, 0), x);
}

TEST(Sensors, WhatIsMeasuredIsReadLater) {
  Meter m({.delay = 0.02}, 1e-2);
  EXPECT_EQ(m(0, 5), 5) << "before anything has arrived, the first is read";
  for (int i = 1; i < 100; ++i) {
    const double t = i * 1e-2;
    EXPECT_NEAR(m(t, 5 + t), 5 + std::max(0.0, t - 0.02), 1e-12) << t;
    EXPECT_NEAR(m.sensor().reading().time, std::max(0.0, t - 0.02), 1e-12) << t;
  }
}

TEST(Sensors, ADelayBetweenSamplesArrivesAtTheFirstStepAfterIt) {
  // Sampled every 10 ms, looked at every millisecond: 25 ms later, not at the next sample.
  Meter m({.rate = 100, .delay = 0.025});
  for (int i = 0; i < 500; ++i) {
    const double expected = 0.01 * std::max(0, (i - 25 + 1000) / 10 - 100);
    EXPECT_NEAR(m(i * 1e-3, i * 1e-3), expected, 1e-12) << i;
  }
}

TEST(Sensors, OwnRateHoldsBetweenSamples) {
  Meter m({.rate = 100});
  for (int i = 0; i < 1000; ++i) {
    const double t = i * 1e-3;
    EXPECT_NEAR(m(t, t), 0.01 * (i / 10), 1e-12) << i;
  }
}

TEST(Sensors, ARateThatStepsDoNotDivideKeepsItsMeanPeriod) {
  Meter m({.rate = 300});
  std::set<double> seen;
  for (int i = 0; i < 3000; ++i) seen.insert(m(i * 1e-3, i));
  EXPECT_EQ(seen.size(), 900u);
}

TEST(Sensors, DroppedSamplesHoldTheLastOne) {
  Meter m({.dropout = 0.3});
  int lost = 0;
  double last = -1;
  for (int i = 0; i < 10000; ++i) {
    const double now = m(i * 1e-3, i);
    const bool dropped = m.sensor().reading().lost;
    lost += dropped;
    EXPECT_EQ(now, dropped ? last : i);
    last = now;
  }
  EXPECT_NEAR(lost / 1e4, 0.3, 4 * std::sqrt(0.3 * 0.7 / 1e4)) << "four standard errors";
}

TEST(Sensors, ResolutionRounds) {
  Meter m({.resolution = 0.25});
  EXPECT_EQ(m(0, 1.1), 1.0);
  EXPECT_EQ(m(1e-3, 1.2), 1.25);
}

TEST(Sensors, GoOnFromTheirMemory) {
  const SensorSettings all{.rate = 70, .delay = 0.05, .noise = 1, .resolution = 0.01, .dropout = 0.2};
  for (int stop = 700; stop < 800; stop += 7) {
    Meter m(all), other(all);
    for (int i = 0; i < stop; ++i) m(i * 1e-3, i);
    Memory count;
    m.sensor().memory(count);
    std::vector<double> values(count.count());
    Memory save = Memory::save(values);
    m.sensor().memory(save);
    Memory restore = Memory::restore(values);
    other.sensor().memory(restore);
    for (int i = stop; i < stop + 500; ++i) ASSERT_EQ(m(i * 1e-3, i), other(i * 1e-3, i)) << stop << " " << i;
  }
}

TEST(Sensors, RefuseNonsense) {
  const auto refused = [](SensorSettings s, const char* text) {
    if (s.kind.empty()) s.kind = "gyro";
    EXPECT_THAT([&] { SensorPlan(s, kRobot); }, ThrowsMessage<InputError>(HasSubstr(text)));
  };
  refused({.rate = -1}, "rate");
  refused({.noise = NAN}, "noise");
  refused({.delay = -0.1}, "delay");
  refused({.resolution = -1}, "resolution");
  refused({.dropout = 1}, "dropout");
  refused({.bias = INFINITY}, "bias");
  refused({.kind = "giro"}, "did you mean 'gyro'");
  refused({.link = "mask"}, "did you mean 'mast'");
  refused({.kind = "encoder", .link = "mast"}, "no place on a link");
  refused({.kind = "encoder", .of = {"lefd"}}, "did you mean 'left'");
  refused({.of = {"left"}}, "leave `of` out");
  const std::vector<SensorSettings> twice = {{.kind = "gyro"}, {.kind = "gyro"}};
  EXPECT_THAT([&] { SensorSuite(twice, kRobot, 1e-3, 1, 0); },
              ThrowsMessage<InputError>(HasSubstr("two sensors are called 'gyro'")));
}

}  // namespace
}  // namespace scree
