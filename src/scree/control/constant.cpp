/// Controllers `torque` and `voltage`: constant values, alike or per drive.
#include <cmath>

#include "scree/control/controllers.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

struct ConstantSettings {
  double all = 0;                                        ///< for every drive
  std::vector<std::pair<std::string, double>> by_drive;  ///< for drives by name or pattern, later ones win
};

class ConstantController : public Controller {
 public:
  ConstantController(const ConstantSettings& x, DriveCommand::Mode mode, const RobotInfo& robot)
      : mode_(mode), values_(robot.drives.size(), x.all) {
    std::vector<std::string> names;
    for (const DriveInfo& d : robot.drives) names.push_back(d.name);
    for (const auto& [pattern, value] : x.by_drive) {
      bool met = false;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (matches_pattern(names[i], pattern)) values_[i] = value, met = true;
      if (!met)
        input_error("controller '{}' of robot '{}': no drive is called '{}'{}", mode_name(mode), robot.name,
                    pattern, name_hint(pattern, names));
    }
  }
  void update(const Readings&, std::span<DriveCommand> commands) override {
    for (std::size_t i = 0; i < values_.size(); ++i) commands[i].mode = mode_, commands[i].value = values_[i];
  }

 private:
  DriveCommand::Mode mode_;
  std::vector<double> values_;
};

std::unique_ptr<Controller> make(Section& s, const RobotInfo& robot, DriveCommand::Mode mode, const char* key,
                                 const char* unit) {
  ConstantSettings x;
  s.number(key, x.all, {unit, "For every drive", finite()});
  s.named_numbers("drives", x.by_drive, {unit, "For drives by name or pattern"});
  if (s.documenting()) return nullptr;
  return std::make_unique<ConstantController>(x, mode, robot);
}

}  // namespace

std::unique_ptr<Controller> make_torque_controller(Section& s, const RobotInfo& robot) {
  return make(s, robot, DriveCommand::Mode::torque, "torque", "N m");
}
std::unique_ptr<Controller> make_voltage_controller(Section& s, const RobotInfo& robot) {
  for (const DriveInfo& d : robot.drives)
    if (d.kind != "dc")
      input_error(
          "controller 'voltage' of robot '{}': drive '{}' is of kind '{}', which takes no volts; use kind = "
          "\"dc\"",
          robot.name, d.name, d.kind);
  return make(s, robot, DriveCommand::Mode::voltage, "voltage", "V");
}

}  // namespace scree
