/// A plug-in that behaves as its parameter `mood` says: 0 well, 1 throws, 2 commands NaN, 3 throws a number
/// when it is made, 4 never returns, 5 throws when asked for its signals, 6 wants more with every sample.
#include <cmath>
#include <stdexcept>

#include "scree/control/plugin.hpp"

namespace {

class Moody : public scree::Controller {
 public:
  Moody(const scree::RobotInfo&, const scree::PluginParameters& p) : mood_(p.get("mood", 0)) {
    if (mood_ < 0) throw std::invalid_argument("mood must be >= 0");
    if (mood_ == 3) throw 42;
  }
  void update(const scree::Readings&, std::span<scree::DriveCommand> commands) override {
    while (mood_ == 4) {
      volatile int busy = 0;
      busy = busy + 1;
    }
    if (mood_ == 1) throw std::runtime_error("not today");
    ++samples_;
    commands[0].value = mood_ == 2 ? std::nan("") : mood_ == 6 ? samples_ : 1;
  }

  std::vector<scree::ControlSignal> signals() const override { return {{"mood", "-", "of this controller"}}; }
  void values(std::span<double> out) const override {
    if (mood_ == 5) throw std::runtime_error("ask me later");
    out[0] = mood_;
  }
  void memory(scree::Memory& m) override { m(samples_); }

 private:
  double mood_;
  int samples_ = 0;
};

}  // namespace

SCREE_CONTROLLER_PLUGIN(Moody, "moody", "for tests")
