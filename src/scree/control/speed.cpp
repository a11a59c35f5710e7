/// Controllers `speed` (proportional, with gravity compensation) and `pid` (each wheel by itself).
#include <algorithm>
#include <cmath>

#include "scree/control/axles.hpp"
#include "scree/control/controllers.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

struct SpeedSettings {
  double speed = 0;         ///< desired, along the body's x [m/s]
  double gain = 100;        ///< desired acceleration per speed error [1/s]
  double torque_limit = 0;  ///< per wheel [N m]; 0 = what the drive allows
};

/// Traction per axle F = m/2 [gain (v_d - v) + g sin(slope under the axle)], within the torque limits.
/// Morrot 2011 Sec. 5: "proportional velocity control with gravity compensation", gain 100 Hz (erratum 000
/// sec. 3: 100 1/s). It knows nothing of loads and grip.
class SpeedController : public Controller {
 public:
  SpeedController(const SpeedSettings& x, const RobotInfo& robot)
      : x_(x), robot_(robot), axles_(split_axles(robot, x.torque_limit, "speed")) {}
  void update(const Readings& r, std::span<DriveCommand> commands) override {
    desired_ = x_.gain * (x_.speed - r.velocity.x());
    for (const Axle& axle : axles_) {
      const AxleReading a = read_axle(axle, r, robot_.p_BM);
      const double force = 0.5 * robot_.mass * (desired_ + robot_.gravity * maths::sin(a.tangent));
      const double most = axle.torque_limit / axle.radius;
      command_axle(axle, robot_, std::clamp(force, -most, most), commands);
    }
  }
  std::vector<ControlSignal> signals() const override {
    return {{"desired_acceleration", "m/s^2", "gain times speed error"}};
  }
  void values(std::span<double> out) const override { out[0] = desired_; }

 private:
  SpeedSettings x_;
  RobotInfo robot_;
  std::array<Axle, 2> axles_;
  double desired_ = 0;
};

struct PidSettings {
  double speed = 0;           ///< desired rim speed of every wheel [m/s]
  double turn = 0;            ///< added to the right wheels, taken from the left ones [m/s]
  double proportional = 5;    ///< [N m s/rad]
  double integral = 10;       ///< [N m/rad]
  double derivative = 0;      ///< [N m s^2/rad]
  double filter_time = 0.01;  ///< of the derivative [s]
  double torque_limit = 0;    ///< per wheel [N m]; 0 = what the drive allows
};

/// Torque of each wheel from its own spin: kp e + ki integral(e) - kd dw/dt (filtered), anti-windup by
/// holding the integral while the torque is at its limit and would go further.
class PidController : public Controller {
 public:
  PidController(const PidSettings& x, const RobotInfo& robot)
      : x_(x), robot_(robot), state_(3 * robot.wheels.size() + 2) {}
  void update(const Readings& r, std::span<DriveCommand> commands) override {
    double& last = state_[state_.size() - 2];
    double& started = state_.back();
    const double dt = started > 0 ? r.time - last : 0;
    for (std::size_t i = 0; i < robot_.wheels.size(); ++i) {
      const WheelInfo& w = robot_.wheels[i];
      if (w.drive < 0) continue;
      double &integral = state_[3 * i], &spin = state_[3 * i + 1], &rate = state_[3 * i + 2];
      const double side = w.p_BK.y() > 0 ? -1 : 1, now = r.wheels[i].spin;
      const double error = (x_.speed + side * x_.turn) / w.radius - now;
      if (dt > 0) rate += (1 - maths::exp(-dt / x_.filter_time)) * ((now - spin) / dt - rate);
      spin = now;
      const double own = robot_.drives[w.drive].torque_limit;
      const double most = x_.torque_limit > 0 ? std::min(x_.torque_limit, own) : own;
      const double wish =
          x_.proportional * error + x_.integral * (integral + error * dt) - x_.derivative * rate;
      if (std::abs(wish) <= most || wish * error < 0) integral += error * dt;
      commands[w.drive].mode = DriveCommand::Mode::torque;
      commands[w.drive].value = std::clamp(wish, -most, most);
    }
    last = r.time, started = 1;
  }
  std::span<double> state() override { return state_; }

 private:
  PidSettings x_;
  RobotInfo robot_;
  std::vector<double> state_;  ///< integral, spin, filtered rate per wheel; time of the last sample; started
};

}  // namespace

std::unique_ptr<Controller> make_speed_controller(Section& s, const RobotInfo& robot) {
  SpeedSettings x;
  s.number("speed", x.speed, {"m/s", "Desired, along the body's x", finite()});
  s.number("gain", x.gain, {"1/s", "Desired acceleration per speed error", positive()});
  s.number("torque_limit", x.torque_limit, {"N m", "Per wheel; 0 = what the drive allows", not_negative()});
  if (s.documenting()) return nullptr;
  return std::make_unique<SpeedController>(x, robot);
}

std::unique_ptr<Controller> make_pid_controller(Section& s, const RobotInfo& robot) {
  PidSettings x;
  s.number("speed", x.speed, {"m/s", "Desired rim speed of every wheel", finite()});
  s.number("turn", x.turn, {"m/s", "Added to the right wheels, taken from the left ones", finite()});
  s.number("proportional", x.proportional, {"N m s/rad", "Torque per speed error", not_negative()});
  s.number("integral", x.integral, {"N m/rad", "Torque per integrated speed error", not_negative()});
  s.number("derivative", x.derivative, {"N m s^2/rad", "Torque against acceleration", not_negative()});
  s.number("filter_time", x.filter_time, {"s", "Filter of the derivative", positive()});
  s.number("torque_limit", x.torque_limit, {"N m", "Per wheel; 0 = what the drive allows", not_negative()});
  if (s.documenting()) return nullptr;
  return std::make_unique<PidController>(x, robot);
}

}  // namespace scree
