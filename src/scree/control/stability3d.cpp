/// Controller `stability3d`: drive and turn, within what keeps the robot on its wheels.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/control/controllers.hpp"
#include "scree/control/stability_monitor.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

constexpr double kFilterTime = 0.05;  // s

struct StabilitySettings {
  double speed = 0;          ///< desired, along the body's x [m/s]
  double yaw_rate = 0;       ///< desired, left positive [rad/s]
  double speed_gain = 10;    ///< desired acceleration per speed error [1/s]
  double yaw_gain = 20;      ///< desired yaw acceleration per yaw rate error [1/s]
  double torque_limit = 0;   ///< per wheel [N m]; 0 = what the drive allows
  double share = 1;          ///< all torques times this (0.5: "plainly halving all torques")
  bool protect = true;       ///< false: no limiting, for comparison
  double margin = 0.6;       ///< smallest stability index that is left alone [-]
  double floor = 0.35;       ///< index at which nothing that tips the robot further is left [-]
  double speed_least = 0.9;  ///< share of the speed that is kept over a side axis [-]
  double lead = 0.15;        ///< the index is looked at this long ahead [s]
};

/// Wheel torque = share of drive + share of turning. For every tip-over axis the index of the stability
/// moment, extrapolated by `lead`, gives the share of authority k left: 1 at the margin, 0 at the floor.
/// What tips the robot over that axis is taken back by k, a turn even reversed below the floor (steering
/// into the fall):
///   a side axis: the turn towards the other side (centrifugal force = v times yaw rate), and the speed
///   down to a share of it;
///   the rear axis: driving forward; the front axis: braking.
/// What does not tip the robot over the axis in danger is left alone, so that most of the motion stays.
class StabilityController : public Controller {
 public:
  StabilityController(const StabilitySettings& x, const RobotInfo& robot)
      : x_(x), robot_(robot), monitor_(robot), state_(robot.wheels.size() + 2) {
    for (const WheelInfo& w : robot.wheels) {
      if (w.drive < 0) continue;
      (w.p_BK.y() > robot.p_BM.y() ? left_ : right_) += 1;
      arms_ += maths::square(w.p_BK.y() - robot.p_BM.y());
    }
    if (left_ == 0 || right_ == 0)
      input_error("controller 'stability3d' of robot '{}' needs driven wheels on both sides", robot.name);
  }

  void update(const Readings& r, std::span<DriveCommand> commands) override {
    monitor_.update(r);
    const Shares k = x_.protect ? shares(r) : Shares{};
    const double weight = robot_.mass;
    // Desired force ahead and moment about z, of the whole robot.
    const double speed = k.slow * x_.speed;
    double force = weight * x_.speed_gain * (speed - r.velocity.x());
    force = force > 0 ? force * k.forward : force * k.back;
    const double rate = x_.yaw_rate > 0 ? x_.yaw_rate * k.turn_left : x_.yaw_rate * k.turn_right;
    const double moment = robot_.inertia_B(2, 2) * x_.yaw_gain * (rate - r.gyro.z());
    for (std::size_t i = 0; i < robot_.wheels.size(); ++i) {
      const WheelInfo& w = robot_.wheels[i];
      if (w.drive < 0) continue;
      const double arm = w.p_BK.y() - robot_.p_BM.y();
      const double own = robot_.drives[w.drive].torque_limit;
      const double most = x_.torque_limit > 0 ? std::min(x_.torque_limit, own) : own;
      commands[w.drive].mode = DriveCommand::Mode::torque;
      // Turning gets half of a wheel's torque at most, so that the speed is held in a turn as well.
      const double turn = std::clamp(-moment * arm / arms_ * w.radius, -0.5 * most, 0.5 * most);
      const double drive = force / (left_ + right_) * w.radius;
      commands[w.drive].value = x_.share * std::clamp(drive + turn, -most, most);
    }
    state_.back() = r.time;
  }

  std::vector<ControlSignal> signals() const override {
    std::vector<ControlSignal> out = monitor_.signals();
    out.push_back({"share", "-", "smallest share of authority left by the limiter"});
    return out;
  }
  void values(std::span<double> out) const override {
    monitor_.values(out);
    out[out.size() - 1] = least_;
  }
  void memory(Memory& m) override { m(state_), m(least_), monitor_.memory(m); }

 private:
  struct Shares {
    double forward = 1, back = 1, turn_left = 1, turn_right = 1, slow = 1;
  };
  Shares shares(const Readings& r) {
    Shares k;
    least_ = 1;
    const double now = r.time, before = state_[state_.size() - 1];
    const double followed = 1 - maths::exp(-(now - before) / kFilterTime);
    for (const StabilityAxis& axis : monitor_.axes()) {
      double& last = state_[axis.place];
      // The rate from a filter that the suspension's shaking does not pass.
      if (before == 0) last = axis.index;
      const double rate = (axis.index - last) / kFilterTime;
      last += followed * (axis.index - last);
      const double ahead = axis.index + x_.lead * std::min(rate, 0.0);
      const double share = std::clamp((ahead - x_.floor) / (x_.margin - x_.floor), -1.0, 1.0);
      least_ = std::min(least_, share);
      // Outward direction of the axis in the body: what pushes there tips over it.
      const double side = axis.outward.y(), along = axis.outward.x();
      if (std::abs(side) > 0.3) {
        if (side < 0) k.turn_left = std::min(k.turn_left, share);  // tips to the right: turning left
        if (side > 0) k.turn_right = std::min(k.turn_right, share);
        k.slow = std::min(k.slow, x_.speed_least + (1 - x_.speed_least) * std::max(share, 0.0));
      }
      if (along < -0.3) k.forward = std::min(k.forward, std::max(share, 0.0));
      if (along > 0.3) k.back = std::min(k.back, std::max(share, 0.0));
    }
    return k;
  }

  StabilitySettings x_;
  RobotInfo robot_;
  StabilityMonitor monitor_;
  std::vector<double> state_;
  double left_ = 0, right_ = 0;  ///< driven wheels
  double arms_ = 0;              ///< squares of their distances from the middle, summed [m²]
  double least_ = 1;
};

}  // namespace

std::unique_ptr<Controller> make_stability_controller(Section& s, const RobotInfo& robot) {
  StabilitySettings x;
  s.number("speed", x.speed, {"m/s", "Desired, along the body's x", finite()});
  s.number("yaw_rate", x.yaw_rate, {"rad/s", "Desired, left positive", finite()});
  s.number("speed_gain", x.speed_gain, {"1/s", "Desired acceleration per speed error", positive()});
  s.number("yaw_gain", x.yaw_gain, {"1/s", "Desired yaw acceleration per yaw rate error", positive()});
  s.number("torque_limit", x.torque_limit, {"N m", "Per wheel; 0 = what the drive allows", not_negative()});
  s.number("share", x.share, {"-", "All torques times this", between(0, 1)});
  s.boolean("protect", x.protect, {"", "false: no limiting, for comparison"});
  s.number("margin", x.margin, {"-", "Stability index that is left alone", between(0, 1)});
  s.number("floor", x.floor,
           {"-", "Stability index at which nothing that tips further is left", between(0, 1)});
  s.number("speed_least", x.speed_least,
           {"-", "Share of the speed that is kept when a side is in danger", between(0, 1)});
  s.number("lead", x.lead, {"s", "How far ahead the index is looked at", not_negative()});
  if (!s.documenting() && !(x.floor < x.margin)) s.fail("floor", "must be below margin");
  if (s.documenting()) return nullptr;
  return std::make_unique<StabilityController>(x, robot);
}

}  // namespace scree
