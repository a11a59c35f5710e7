#include "scree/control/controllers.hpp"

#include <cmath>

#include "scree/control/plugin.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {

const std::vector<ControllerKind>& controllers() {
  static const std::vector<ControllerKind> all = {
      {"cdta", "Speed control that keeps wheels loaded and gripping (planar CDTA)", make_cdta_controller},
      {"pid", "Wheel speeds by a PID law on the motor torque", make_pid_controller},
      {"speed", "Proportional speed control with gravity compensation, per axle", make_speed_controller},
      {"stability3d", "Drive and turn, limited to keep the stability moments up", make_stability_controller},
      {"torque", "Constant torques", make_torque_controller},
      {"voltage", "Constant motor voltages", make_voltage_controller},
  };
  return all;
}

MadeController make_controller(Section& s, const RobotInfo& given) {
  ControllerSettings x;
  std::vector<std::string> names;
  for (const ControllerKind& kind : controllers()) names.push_back(kind.name);
  names.push_back("plugin");
  if (s.has("kind")) s.choice("kind", x.kind, names, {"", "Which controller"});
  if (x.kind.empty()) {
    s.finish();
    return {};
  }
  s.number("rate", x.rate, {"Hz", "Samples per second", positive()});
  MadeController made{nullptr, 1 / x.rate};
  RobotInfo robot = given;
  robot.sample_time = made.period;
  if (x.kind == "plugin") made.controller = make_plugin_controller(s, robot);
  for (const ControllerKind& kind : controllers())
    if (kind.name == x.kind) made.controller = kind.make(s, robot);
  s.finish();
  return made;
}

void describe_controllers(Reference& reference, const std::string& path) {
  Section common = Section::for_reference(reference, path);
  ControllerSettings x;
  std::vector<std::string> names;
  for (const ControllerKind& kind : controllers()) names.push_back(kind.name);
  names.push_back("plugin");
  common.choice("kind", x.kind, names, {"", "Which controller; none when absent"});
  common.number("rate", x.rate, {"Hz", "Samples per second", positive()});
  for (const ControllerKind& kind : controllers()) {
    Section s = Section::for_reference(reference, path + " (" + kind.name + ")");
    kind.make(s, {});
  }
  Section s = Section::for_reference(reference, path + " (plugin)");
  make_plugin_controller(s, {});
}

void checked_update(Controller& controller, const std::string& kind, const Readings& readings,
                    std::span<DriveCommand> commands, const RobotInfo& robot) {
  try {
    controller.update(readings, commands);
  } catch (const std::exception& e) {
    run_error("controller '{}' of robot '{}' failed at {:.6g} s: {}", kind, robot.name, readings.time,
              e.what());
  } catch (...) {
    run_error(
        "controller '{}' of robot '{}' failed at {:.6g} s: it threw something that is not a std::exception",
        kind, robot.name, readings.time);
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const DriveCommand& c = commands[i];
    if (std::isfinite(c.value) && std::isfinite(c.brake)) continue;
    run_error(
        "controller '{}' of robot '{}' commands {} = {} (brake {}) to drive '{}' at {:.6g} s: not a number",
        kind, robot.name, mode_name(c.mode), c.value, c.brake,
        i < robot.drives.size() ? robot.drives[i].name : "?", readings.time);
  }
}

}  // namespace scree
