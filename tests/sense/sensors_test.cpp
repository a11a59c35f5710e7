#include "scree/sense/sensors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

struct World {
  std::vector<WheelTruth> wheels = std::vector<WheelTruth>(2);
  RobotTruth truth;
  World() {
    truth.wheels = wheels;
    truth.X_WB.R = rotation_from_rpy(0.1, 0.2, 0.3);
    for (int i = 0; i < 2; ++i) {
      wheels[i].p_BK = {0.3 - 0.6 * i, 0.25, -0.1};
      wheels[i].radius = 0.12, wheels[i].spin = 10 + i, wheels[i].normal = 100, wheels[i].peak = 114;
      wheels[i].contact_angle = 0.2;
    }
  }
};

TEST(Sensors, PerfectOnesReadTheTruth) {
  World w;
  w.truth.a_WB_B = {1, 2, 3};
  SensorSuite suite({}, 2, 1e-3, 1, 0, "r");
  const Readings& r = suite.sample(w.truth);
  EXPECT_NEAR(r.roll, 0.1, 1e-14);
  EXPECT_NEAR(r.pitch, 0.2, 1e-14);
  EXPECT_NEAR(r.yaw, 0.3, 1e-14);
  EXPECT_EQ(r.wheels[1].spin, 11);
  EXPECT_NEAR(r.wheels[0].friction, 1.14, 1e-14);
  EXPECT_TRUE(r.wheels[0].in_contact);
  // At rest the accelerometer reads the reaction to gravity: +g along world z.
  w.truth.a_WB_B.setZero();
  suite.sample(w.truth);
  EXPECT_NEAR((w.truth.X_WB.R * r.specific_force - Vec3(0, 0, 9.80665)).norm(), 0, 1e-12);
}

TEST(Sensors, ContactPointFollowsFromCentreRadiusAndAngle) {
  World w;
  SensorSuite suite({}, 2, 1e-3, 1, 0, "r");
  const Vec3 p = suite.sample(w.truth).wheels[0].p_BC;
  EXPECT_NEAR((p - Vec3(0.3 + 0.12 * std::sin(0.2), 0.25, -0.1 - 0.12 * std::cos(0.2))).norm(), 0, 1e-15)
      << "a positive angle lies ahead of the centre";
}

TEST(Sensors, NoiseHasItsMeanAndDeviation) {
  Channel c({.noise = 0.5, .bias = 2}, 1e-3, 7, 0, "c");
  double sum = 0, square = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double e = c.measure(i * 1e-3, 10) - 12;
    sum += e, square += e * e;
  }
  EXPECT_NEAR(sum / n, 0, 4 * 0.5 / std::sqrt(n)) << "four standard errors";
  EXPECT_NEAR(std::sqrt(square / n), 0.5, 4 * 0.5 / std::sqrt(2.0 * n));
}

TEST(Sensors, SameSeedSameNumbersOtherPurposeOthers) {
  const SensorSettings noisy{.noise = 1};
  Channel a(noisy, 1e-3, 7, 0, "a"), again(noisy, 1e-3, 7, 0, "a"), b(noisy, 1e-3, 7, 0, "b");
  const double x = a.measure(0, 0);
  EXPECT_EQ(x, again.measure(0, 0));
  EXPECT_NE(x, b.measure(0, 0));
}

TEST(Sensors, DelayReadsThePast) {
  Channel c({.delay = 0.025}, 1e-2, 1, 0, "c");
  EXPECT_EQ(c.measure(0, 5), 5) << "nothing older yet";
  for (int i = 1; i < 100; ++i) {
    const double t = i * 1e-2;
    EXPECT_NEAR(c.measure(t, 5 + t), 5 + std::max(0.0, t - 0.025), 1e-12) << t;
  }
}

TEST(Sensors, OwnRateHoldsBetweenSamples) {
  Channel c({.rate = 100}, 1e-3, 1, 0, "c");
  for (int i = 0; i < 1000; ++i) {
    const double t = i * 1e-3;
    EXPECT_NEAR(c.measure(t, t), 0.01 * (i / 10), 1e-12) << i;
  }
}

TEST(Sensors, ResolutionRounds) {
  Channel c({.resolution = 0.25}, 1e-3, 1, 0, "c");
  EXPECT_EQ(c.measure(0, 1.1), 1.0);
  EXPECT_EQ(c.measure(0, 1.2), 1.25);
}

TEST(Sensors, RefuseNonsense) {
  for (SensorSettings s : {SensorSettings{.rate = -1}, {.noise = NAN}, {.delay = -0.1}, {.resolution = -1}}) {
    SensorSuiteSettings all;
    all.gyro = s;
    EXPECT_THROW(SensorSuite(all, 2, 1e-3, 1, 0, "r"), InputError);
  }
}

}  // namespace
}  // namespace scree
