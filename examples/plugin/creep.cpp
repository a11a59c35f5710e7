/// A controller as a plug-in: creeps along at a given speed and stands still when it leans too far.
/// In the scenario:
///
///     [robot.control]
///     kind = "plugin"
///     rate = 100
///     plugin = "../../examples/plugin/build/libcreep.so"
///     parameters = { speed = 0.5, lean = 0.35 }
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scree/control/plugin.hpp"

namespace {

class Creep : public scree::Controller {
 public:
  Creep(const scree::RobotInfo& robot, const scree::PluginParameters& parameters)
      : robot_(robot),
        speed_(parameters.get("speed", 0.5)),
        lean_(parameters.get("lean", 0.35)),
        gain_(parameters.get("gain", 40)) {
    if (!(speed_ > 0)) throw std::invalid_argument("parameter 'speed' must be > 0 m/s");
  }

  void update(const scree::Readings& r, std::span<scree::DriveCommand> commands) override {
    leaning_ = std::max(std::abs(r.roll), std::abs(r.pitch)) > lean_;
    const double wanted = leaning_ ? 0 : speed_;
    for (std::size_t i = 0; i < r.wheels.size(); ++i) {
      const scree::WheelInfo& wheel = robot_.wheels[i];
      if (wheel.drive < 0) continue;
      const double most = robot_.drives[wheel.drive].torque_limit;
      const double torque = gain_ * (wanted - wheel.radius * r.wheels[i].spin);
      commands[wheel.drive].mode = scree::DriveCommand::Mode::torque;
      commands[wheel.drive].value = std::clamp(torque, -most, most);
    }
  }

  std::vector<scree::ControlSignal> signals() const override {
    return {{"leaning", "-", "1 while it stands still because it leans too far"}};
  }
  void values(std::span<double> out) const override { out[0] = leaning_; }
  /// Whatever the next update needs of this one, so that a run can be resumed.
  void memory(scree::Memory& m) override { m(leaning_); }

 private:
  scree::RobotInfo robot_;
  double speed_, lean_, gain_;
  bool leaning_ = false;
};

}  // namespace

SCREE_CONTROLLER_PLUGIN(Creep, "creep", "Creeps along, stands still when it leans too far")
