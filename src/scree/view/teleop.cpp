#include "scree/view/teleop.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {

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

void drive_commands(const RobotModel& model, std::span<const double> velocities, double gravity,
                    const DriveInput& input, std::span<DriveCommand> commands) {
  double mass = 0;
  for (const Link& link : model.tree().links()) mass += link.mass;
  const double load = mass * gravity / static_cast<double>(std::max<std::size_t>(model.wheels().size(), 1));
  const std::size_t first_rotor = velocities.size() - model.tree().rotors().size();
  for (const RobotWheel& wheel : model.wheels()) {
    if (wheel.drive < 0) continue;
    DriveCommand& command = commands[wheel.drive];
    command = {};
    if (!input.active) continue;
    const double radius = wheel.settings.radius, side = wheel.hub.y() >= 0 ? input.left : input.right;
    const double limit =
        model.settings().drive.limit > 0 ? model.settings().drive.limit : 0.8 * load * radius;
    const double rim = velocities[first_rotor + wheel.rotor] * radius;
    // Full torque at an error of 0.3 m/s; below, in proportion.
    command.mode = DriveCommand::Mode::torque;
    command.value = limit * std::clamp((side * input.top_speed - rim) / 0.3, -1.0, 1.0);
    command.brake = input.brake * 2 * load * radius;
    if (input.brake > 0) command.value = 0;
  }
}

}  // namespace scree::view
