// The limiter of `stability3d` looks ahead: what falls is judged by where it will be, what rises by where it
// is.
#include <gtest/gtest.h>

#include "control/fake_robot.hpp"

namespace scree {
namespace {

using testing::FakeRobot;

/// Share of authority left after a ramp of the left wheels' load from one share of the weight's to another,
/// over 0.3 s in samples of 10 ms. The index of the right axis is that share.
double share_after(double from, double to, double lead) {
  FakeRobot robot;
  const MadeController made = robot.make(
      "kind = \"stability3d\"\nrate = 100.0\nspeed = 1.0\nyaw_rate = 1.0\n"
      "margin = 0.6\nfloor = 0.35\nlead = " +
      std::to_string(lead) + "\n");
  const double rest = robot.wheels[0].normal;
  for (int k = 0; k <= 30; ++k) {
    const double share = from + (to - from) * k / 30;
    robot.wheels[0].normal = robot.wheels[2].normal = share * rest;
    robot.wheels[1].normal = robot.wheels[3].normal = (2 - share) * rest;
    robot.readings.time = 0.01 * (k + 1);
    made.controller->update(robot.readings, robot.commands);
  }
  std::vector<double> values(made.controller->signals().size());
  made.controller->values(values);
  return values.back();
}

TEST(LookAhead, FallingLoadsAreMetBeforeTheyAreLow) {
  // The index falls by 1/s and is 0.7 now. Its filter lags by its time: the rate it sees is 1/s, a little
  // less after six time constants. In 0.2 s the index will be 0.5: share (0.5 - 0.35) / 0.25 = 0.6.
  EXPECT_DOUBLE_EQ(share_after(1.0, 0.7, 0.0), 1) << "0.7 now is no danger";
  EXPECT_NEAR(share_after(1.0, 0.7, 0.2), 0.6, 0.1);
  EXPECT_LT(share_after(1.0, 0.7, 0.3), share_after(1.0, 0.7, 0.2));
}

TEST(LookAhead, RisingLoadsAreNotTrustedBeforeTheyAreThere) {
  EXPECT_NEAR(share_after(0.36, 0.5, 0.0), 0.6, 1e-9);
  EXPECT_NEAR(share_after(0.36, 0.5, 0.2), 0.6, 1e-9);
}

}  // namespace
}  // namespace scree
