#pragma once
/// The interface of controllers, and the list of those built in.
///
/// A controller has its own sample clock. At a sample, `sim/` lets the sensors measure, calls update(), and
/// holds the commands until the next one; the step is split so that samples fall on step ends.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/drive/command.hpp"
#include "scree/sense/sensors.hpp"

namespace scree {

/// What a controller may know of its robot before the start.
struct WheelInfo {
  std::string name;
  Vec3 p_BK = Vec3::Zero();  ///< centre with the suspension as at rest on level ground [m]
  double radius = 0;         ///< [m]
  int drive = -1;            ///< place of its drive among the commands, -1 = not driven
};
struct DriveInfo {
  std::string name;
  std::string kind;         ///< torque | governor | dc
  double torque_limit = 0;  ///< greatest joint torque that drive and motor allow [N m]; infinity = none
  double brake_limit = 0;   ///< greatest braking torque [N m]
};
struct RobotInfo {
  std::string name;
  double mass = 0;                ///< [kg]
  Mat3 inertia_B = Mat3::Zero();  ///< about the centre of mass [kg m^2]
  Vec3 p_BM = Vec3::Zero();       ///< centre of mass in B [m]
  double gravity = 9.80665;       ///< magnitude [m/s^2]
  double sample_time = 1e-3;      ///< between samples of the controller [s]
  std::vector<WheelInfo> wheels;  ///< in the order of Readings::wheels
  std::vector<DriveInfo> drives;  ///< in the order of the commands
};

struct ControlSignal {
  std::string name, unit, doc;
};

class Controller {
 public:
  virtual ~Controller() = default;
  /// One sample. `commands` keep what they were until overwritten.
  virtual void update(const Readings& readings, std::span<DriveCommand> commands) = 0;
  /// Signals of its own for the log, named below "control."; their values after the last update().
  virtual std::vector<ControlSignal> signals() const { return {}; }
  virtual void values(std::span<double> out) const { (void)out; }
  /// All memory that a resume needs, as doubles.
  virtual std::span<double> state() { return {}; }
};

/// The clock and the choice; the rest of the table belongs to the kind.
struct ControllerSettings {
  std::string kind;    ///< one of controllers(), or "plugin"; empty = none
  double rate = 1000;  ///< samples per second [Hz]
};

struct ControllerKind {
  std::string name, doc;
  /// Reads its keys from the section (which may only be documenting: then returns nothing).
  std::function<std::unique_ptr<Controller>(Section&, const RobotInfo&)> make;
};
/// All built-in controllers, in alphabetical order. To add one: its file, and its line in controllers.cpp.
const std::vector<ControllerKind>& controllers();

struct MadeController {
  std::unique_ptr<Controller> controller;  ///< empty when the table names none
  double period = 0;                       ///< [s]
};
/// Reads `[robot.control]`: kind, rate, and the keys of the kind; finishes the section.
MadeController make_controller(Section& s, const RobotInfo& robot);
/// Documents the keys of every kind.
void describe_controllers(Reference& reference, const std::string& path);

/// update() with its promises kept: throws RunError that names controller, time, drive and value when a
/// command is not finite or the controller throws.
void checked_update(Controller& controller, const std::string& kind, const Readings& readings,
                    std::span<DriveCommand> commands, const RobotInfo& robot);

}  // namespace scree
