#include "scree/control/teleop.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "control/fake_robot.hpp"

namespace scree {
namespace {

using testing::FakeRobot;

TEST(Teleop, LeftStickMovesTheLeftWheelsAndOnlyThem) {
  FakeRobot f;
  const std::vector<double> still(4, 0.0);
  DriveInput input;
  input.active = true, input.left = 1;
  teleoperate(f.info, still, input, f.commands);
  EXPECT_EQ(f.commands[0].value, 60) << "full torque far from the wished speed";
  EXPECT_EQ(f.commands[2].value, 60);
  EXPECT_EQ(f.commands[1].value, 0);
  EXPECT_EQ(f.commands[3].value, 0);
}

TEST(Teleop, AtTheWishedSpeedNothingIsLeftToAskAndBeyondItBrakes) {
  FakeRobot f;
  DriveInput input = from_throttle(1, 0, 0);
  const double wished = input.top_speed / 0.12;
  teleoperate(f.info, std::vector<double>(4, wished), input, f.commands);
  for (const DriveCommand& c : f.commands) EXPECT_NEAR(c.value, 0, 1e-9);
  teleoperate(f.info, std::vector<double>(4, wished + 0.15 / 0.12), input, f.commands);
  for (const DriveCommand& c : f.commands)
    EXPECT_NEAR(c.value, -30, 1e-9) << "half the error, half the torque";
}

TEST(Teleop, WithoutALimitTheWheelsLoadIsOneAndTheBrakeWinsOverTheStick) {
  FakeRobot f;
  for (DriveInfo& drive : f.info.drives) drive.torque_limit = std::numeric_limits<double>::infinity();
  const std::vector<double> still(4, 0.0);
  teleoperate(f.info, still, from_throttle(1, 0, 0), f.commands);
  EXPECT_NEAR(f.commands[0].value, 0.8 * 45 * 9.81 / 4 * 0.12, 1e-12);
  teleoperate(f.info, still, from_throttle(1, 0, 0.5), f.commands);
  EXPECT_EQ(f.commands[0].value, 0);
  EXPECT_NEAR(f.commands[0].brake, 45 * 9.81 / 4 * 0.12, 1e-12);
  teleoperate(f.info, still, {}, f.commands);
  EXPECT_EQ(f.commands[0].mode, DriveCommand::Mode::idle) << "the moment they let go";
  EXPECT_EQ(f.commands[0].brake, 0);
}

}  // namespace
}  // namespace scree
