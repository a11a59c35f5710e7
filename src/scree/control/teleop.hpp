#pragma once
/// From a person's sticks to the drives of a robot.
#include <span>

#include "scree/control/controller.hpp"

namespace scree {

/// What a person asks of the robot: parts of what its drives can do, in [-1, 1].
struct DriveInput {
  bool active = false;  ///< nobody drives: the scenario's control stands
  double left = 0, right = 0;
  double brake = 0;        ///< 0..1
  double top_speed = 1.5;  ///< m/s at full stick
};

/// Throttle and steering of one hand [-1, 1] as left and right sides; steering left is positive.
DriveInput from_throttle(double throttle, double steering, double brake);

/// Commands for every driven wheel: the torque that takes its rim to the wished speed, within what the drive
/// allows (or, without a limit, within what the wheel's share of the weight can hold). Inactive input idles.
/// `spins` are those of the robot's wheels [rad/s].
void teleoperate(const RobotInfo& robot, std::span<const double> spins, const DriveInput& input,
                 std::span<DriveCommand> commands);

}  // namespace scree
