#include "scree/control/teleop.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kFullTorqueError = 0.3;  // m/s at the rim; below, in proportion
constexpr double kHeldFriction = 0.8;     // of the load, what a drive without a limit may ask of its wheel
constexpr double kBrakeFriction = 2.0;    // of the load, at full brake: locks on any ground

}  // namespace

DriveInput from_throttle(double throttle, double steering, double brake) {
  DriveInput input;
  input.active = throttle != 0 || steering != 0 || brake != 0;
  // A wheel that would leave [-1, 1] keeps its difference to the other side: turning wins over speed.
  const double most = std::max(1.0, std::abs(throttle) + std::abs(steering));
  input.left = (throttle - steering) / most;
  input.right = (throttle + steering) / most;
  input.brake = std::clamp(brake, 0.0, 1.0);
  return input;
}

void teleoperate(const RobotInfo& robot, std::span<const double> spins, const DriveInput& input,
                 std::span<DriveCommand> commands) {
  const double load =
      robot.mass * robot.gravity / static_cast<double>(std::max<std::size_t>(robot.wheels.size(), 1));
  for (std::size_t i = 0; i < robot.wheels.size(); ++i) {
    const WheelInfo& wheel = robot.wheels[i];
    if (wheel.drive < 0) continue;
    DriveCommand& command = commands[wheel.drive];
    command = {};
    if (!input.active) continue;
    const double side = wheel.p_BK.y() >= 0 ? input.left : input.right;
    const double own = robot.drives[wheel.drive].torque_limit;
    const double limit = std::isfinite(own) ? own : kHeldFriction * load * wheel.radius;
    const double error = side * input.top_speed - spins[i] * wheel.radius;
    command.mode = DriveCommand::Mode::torque;
    command.value = input.brake > 0 ? 0 : limit * std::clamp(error / kFullTorqueError, -1.0, 1.0);
    command.brake = input.brake * kBrakeFriction * load * wheel.radius;
  }
}

}  // namespace scree
