#pragma once
/// The interface of controllers, and the list of those built in.
///
/// A controller has its own sample clock. At a sample, `sim/` lets the sensors measure, calls update(), and
/// holds the commands until the next one; the step is split so that samples fall on step ends. Robots may be
/// stepped on several threads: controllers of different robots must not share what they change.
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/core/memory.hpp"
#include "scree/drive/command.hpp"
#include "scree/sense/sensor.hpp"

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
  std::string kind;         ///< torque | governor | servo | kinematic | dc
  double torque_limit = 0;  ///< greatest joint torque that drive and motor allow [N m]; infinity = none
  double brake_limit = 0;   ///< greatest braking torque [N m]
};
struct SensorInfo {
  std::string name, kind;
  std::vector<SensorChannel> channels;  ///< in the order of SensorReading::values
};
struct RobotInfo {
  std::string name;
  double mass = 0;  ///< [kg]
  // Of the whole robot with its joints at home: at their springs' rest, or at zero.
  Mat3 inertia_B = Mat3::Zero();    ///< about the centre of mass [kg m^2]
  Vec3 p_BM = Vec3::Zero();         ///< centre of mass in B [m]
  double gravity = 9.80665;         ///< magnitude [m/s^2]
  double sample_time = 1e-3;        ///< between samples of the controller [s]
  std::vector<WheelInfo> wheels;    ///< in the order of Readings::wheels
  std::vector<DriveInfo> drives;    ///< in the order of the commands
  std::vector<SensorInfo> sensors;  ///< in the order of Readings::sensors

  /// Place of a sensor, to be looked up once. Throws std::invalid_argument that names those there are.
  std::size_t sensor(std::string_view wanted) const {
    std::string others;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      if (sensors[i].name == wanted) return i;
      others += (i ? ", " : "") + sensors[i].name;
    }
    throw std::invalid_argument("robot '" + name + "' has no sensor '" + std::string(wanted) + "'" +
                                (others.empty() ? "; its list of sensors is empty" : "; it has: " + others));
  }
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
  /// Visits every number that update() or values() remember, so that a run can be resumed.
  virtual void memory(Memory& m) { (void)m; }
  /// Whether it looks at where its wheels touch, how the ground lies there and what it bears: p_BC, ahead_B,
  /// up_B, contact_tilt and friction of a WheelReading. Where it does not, no sample waits for them, and they
  /// stay as they were. Asked once.
  virtual bool reads_places() const { return true; }
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

/// The values of its signals; what it throws becomes a RunError that names it.
void checked_values(const Controller& controller, const std::string& kind, const std::string& robot,
                    std::span<double> out);
/// update() with its promises kept: throws RunError that names controller, time, drive and value when a
/// command is not finite or the controller throws.
void checked_update(Controller& controller, const std::string& kind, const Readings& readings,
                    std::span<DriveCommand> commands, const RobotInfo& robot);

}  // namespace scree
