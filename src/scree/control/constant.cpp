/// Controllers `torque` and `voltage`: constant values, alike or per drive.
#include <cmath>

#include "scree/control/controllers.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

struct ConstantSettings {
  double all = 0;                                        ///< for the drives of all wheels
  std::vector<std::pair<std::string, double>> by_drive;  ///< for drives by name or pattern, later ones win
};

class ConstantController : public Controller {
 public:
  ConstantController(const ConstantSettings& x, DriveCommand::Mode mode, const RobotInfo& robot)
      : mode_(mode), values_(robot.drives.size(), x.all), meant_(robot.drives.size(), 0) {
    for (const WheelInfo& w : robot.wheels)
      if (w.drive >= 0) meant_[w.drive] = 1;
    std::vector<std::string> names;
    for (const DriveInfo& d : robot.drives) names.push_back(d.name);
    for (const auto& [pattern, value] : x.by_drive) {
      bool met = false;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (matches_pattern(names[i], pattern)) values_[i] = value, meant_[i] = met = true;
      if (!met)
        input_error("controller '{}' of robot '{}': no drive is called '{}'{}", mode_name(mode), robot.name,
                    pattern, name_hint(pattern, names));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!meant_[i] || mode != DriveCommand::Mode::voltage || robot.drives[i].kind == "dc") continue;
      input_error(
          "controller 'voltage' of robot '{}': drive '{}' is of kind '{}', which takes no volts; use kind = "
          "\"dc\"",
          robot.name, names[i], robot.drives[i].kind);
    }
  }
  void update(const Readings&, std::span<DriveCommand> commands) override {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (meant_[i]) commands[i].mode = mode_, commands[i].value = values_[i];
  }
  bool reads_places() const override { return false; }

 private:
  DriveCommand::Mode mode_;
  std::vector<double> values_;
  std::vector<char> meant_;  ///< the drives of wheels, and those that are named
};

std::unique_ptr<Controller> make(Section& s, const RobotInfo& robot, DriveCommand::Mode mode, const char* key,
                                 const char* unit) {
  ConstantSettings x;
  s.number(key, x.all, {unit, "For the drives of all wheels", finite()});
  s.named_numbers("drives", x.by_drive, {unit, "For drives by name or pattern"});
  if (s.documenting()) return nullptr;
  return std::make_unique<ConstantController>(x, mode, robot);
}

}  // namespace

std::unique_ptr<Controller> make_torque_controller(Section& s, const RobotInfo& robot) {
  return make(s, robot, DriveCommand::Mode::torque, "torque", "N m");
}
std::unique_ptr<Controller> make_voltage_controller(Section& s, const RobotInfo& robot) {
  return make(s, robot, DriveCommand::Mode::voltage, "voltage", "V");
}

}  // namespace scree
