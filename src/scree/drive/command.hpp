#pragma once
/// What a controller (or a profile) asks of one drive; held between samples.
#include <cstdint>

namespace scree {

struct DriveCommand {
  enum class Mode : std::uint8_t {
    idle,      ///< nothing: a torque source gives none, a motor is open, a governor holds its own speed
    torque,    ///< joint torque [N m]; of a dc drive before shaft friction: current = torque / (ratio k gear)
    voltage,   ///< motor voltage [V] (dc only)
    current,   ///< motor current [A] (dc only)
    speed,     ///< joint speed [rad/s]: torque = gain (value - w)
    position,  ///< joint angle [rad]: torque = stiffness (value - q) - gain w
  };
  Mode mode = Mode::idle;
  double value = 0;  ///< in the mode's unit
  double brake = 0;  ///< demanded braking torque [N m], >= 0, limited by the brake's capacity
};

const char* mode_name(DriveCommand::Mode mode);

}  // namespace scree
