/// A plug-in that behaves as its parameter `mood` says: 0 well, 1 throws, 2 commands NaN.
#include <cmath>
#include <stdexcept>

#include "scree/control/plugin.hpp"

namespace {

class Moody : public scree::Controller {
 public:
  Moody(const scree::RobotInfo&, const scree::PluginParameters& p) : mood_(p.get("mood", 0)) {
    if (mood_ < 0) throw std::invalid_argument("mood must be >= 0");
  }
  void update(const scree::Readings&, std::span<scree::DriveCommand> commands) override {
    if (mood_ == 1) throw std::runtime_error("not today");
    commands[0].value = mood_ == 2 ? std::nan("") : 1;
  }

 private:
  double mood_;
};

}  // namespace

SCREE_CONTROLLER_PLUGIN(Moody, "moody", "for tests")
