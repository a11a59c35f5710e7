/// Controllers `speed` (proportional, with gravity compensation) and `pid` (each wheel by itself).
#include <algorithm>
#include <cmath>

#include "scree/control/axles.hpp"
#include "scree/control/controllers.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/drive/lanes_of.hpp"

namespace scree {
namespace {

struct SpeedSettings {
  double speed = 0;               ///< desired, along the body's x [m/s]
  double gain = 0;                ///< desired acceleration per speed error [1/s]; 0 = chosen
  double integral = 0;            ///< desired acceleration per integrated speed error [1/s^2]
  double acceleration_limit = 0;  ///< greatest desired acceleration [m/s^2]; 0 = none
  double torque_limit = 0;        ///< per wheel [N m]; 0 = what the drive allows
  bool by_load = false;           ///< wheels share the traction by what they carry, else axles by halves
};

constexpr double kTyreLag = 1e-3;        // s, what tyre and motor add to the time between samples
constexpr double kLoopShare = 0.06;      // gain x (sample time + lag): 100 1/s at 1 kHz (0.2) swings
constexpr double kFullTorqueAt = 0.5;    // m/s, the error that may ask for all the torque there is
constexpr double kShareOfGravity = 0.3;  // of g, what the chosen law asks of the tyres beside the slope
constexpr double kSpinShare = 0.02;      // of the mass, moved by slip (wheels weigh more than that)
constexpr double kShareOfTorque = 0.5;   // of the torque: the rest is for slopes

/// A law that suits the robot, where the scenario gives no gain. The loop is a speed that integrates the
/// acceleration, later by a sample and the tyre's lag: the gain keeps that delay small against its time, and
/// a weak robot does not saturate at small errors. The integral (gain^2/4: both poles at gain/2) takes out
/// what shaft friction and slopes leave; the limit keeps the wheels from spinning, which no gain can cure.
void choose_law(SpeedSettings& x, const RobotInfo& robot, const std::array<Axle, 2>& axles, bool integral,
                bool limit) {
  double strength = 0;  // m/s^2, of all drives together
  for (const Axle& a : axles) strength += a.torque_limit / a.radius / robot.mass;
  x.by_load = true;
  x.gain = std::min(kLoopShare / (robot.sample_time + kTyreLag), strength / kFullTorqueAt);
  if (!integral) x.integral = 0.25 * x.gain * x.gain;
  if (!limit) x.acceleration_limit = std::min(kShareOfGravity * robot.gravity, kShareOfTorque * strength);
}

/// Speed control with gravity compensation: a = gain (v_d - v) + integral of the same, within its limit.
///
/// Where a gain is given, the law of Morrot 2011 Sec. 5, "proportional velocity control with gravity
/// compensation", gain 100 Hz (erratum 000 sec. 3: 100 1/s): traction per axle F = m/2 [a + g sin(slope under
/// the axle)], neither integral nor limit unless given. It knows nothing of loads and grip.
///
/// Else the wheels share the traction by what they carry, F_i = N_i / sum(N) m [a + g sin(slope under the
/// wheel)], so that all use the same part of their grip. A
/// little torque against slip keeps a wheel in the air turning with the ground, and frees one that carries
/// less than its shaft friction holds.
class SpeedController : public Controller {
 public:
  SpeedController(const SpeedSettings& x, const RobotInfo& robot, const std::array<Axle, 2>& axles)
      : x_(x), robot_(robot), axles_(axles), driven_(driven_wheels(x, robot)) {}
  void update(const Readings& r, std::span<DriveCommand> commands) override {
    const double error = x_.speed - r.velocity.x();
    const double rise = x_.integral * error * robot_.sample_time;
    const double wish = x_.gain * error + sum_ + rise;
    desired_ =
        x_.acceleration_limit > 0 ? std::clamp(wish, -x_.acceleration_limit, x_.acceleration_limit) : wish;
    const bool torque_bound = x_.by_load ? share_by_load(r, commands) : share_by_axle(r, commands);
    // While something is at its limit the sum may only shrink.
    if ((!torque_bound && desired_ == wish) || wish * rise < 0) sum_ += rise;
  }
  std::vector<ControlSignal> signals() const override {
    return {{"desired_acceleration", "m/s^2", "what the speed error asks for, within its limit"}};
  }
  void values(std::span<double> out) const override { out[0] = desired_; }
  void memory(Memory& m) override { m(sum_), m(desired_); }
  bool reads_places() const override { return !x_.by_load; }

 private:
  /// Both return whether a torque is at its limit.
  bool share_by_axle(const Readings& r, std::span<DriveCommand> commands) const {
    bool bound = false;
    for (const Axle& axle : axles_) {
      const AxleReading a = read_axle(axle, r, robot_.p_BM);
      const double force = 0.5 * robot_.mass * (desired_ + robot_.gravity * maths::sin(a.tangent));
      const double most = axle.torque_limit / axle.radius;
      bound = bound || std::abs(force) > most;
      command_axle(axle, robot_, std::clamp(force, -most, most), commands);
    }
    return bound;
  }
  bool share_by_load(const Readings& r, std::span<DriveCommand> commands) const {
    double carried = 0;  // by driven wheels
    for (const DrivenWheels& four : driven_)
      for (int k = 0; k < four.count; ++k) carried += std::max(r.wheels[four.wheel[k]].normal, 0.0);
    bool bound = false;
    for (const DrivenWheels& four : driven_) {
      Lanes normal, spin, angle;
      for (int k = 0; k < kLanes; ++k) {
        const WheelReading& now = r.wheels[four.wheel[k]];
        normal[k] = now.normal, spin[k] = now.spin, angle[k] = r.pitch + now.contact_angle;
      }
      const Lanes slope = maths::sine_cosines(angle).sine;
      const Lanes with_ground = four.spin_gain * (r.velocity.x() - four.radius * spin);
      const Lanes share = normal / carried * robot_.mass * (desired_ + robot_.gravity * slope) * four.radius;
      const Lanes torque = lane::select(normal > 0.0, with_ground + share, with_ground);
      bound = bound || lane::any(lane::abs(torque) > four.most);
      const Lanes given = within<Lanes>(torque, -four.most, four.most);
      for (int k = 0; k < four.count; ++k) {
        commands[four.drive[k]].mode = DriveCommand::Mode::torque;
        commands[four.drive[k]].value = given[k];
      }
    }
    return bound;
  }

  /// Up to four driven wheels side by side; lanes beyond `count` repeat the last.
  struct DrivenWheels {
    int count = 0;
    std::array<int, kLanes> wheel{}, drive{};
    Lanes radius{};     ///< [m]
    Lanes most{};       ///< torque [N m]
    Lanes spin_gain{};  ///< torque against slip [N s]
  };
  static std::vector<DrivenWheels> driven_wheels(const SpeedSettings& x, const RobotInfo& robot) {
    std::vector<DrivenWheels> all;
    for (std::size_t i = 0; i < robot.wheels.size(); ++i) {
      const WheelInfo& w = robot.wheels[i];
      if (w.drive < 0) continue;
      if (all.empty() || all.back().count == kLanes) all.emplace_back();
      DrivenWheels& four = all.back();
      const double own = robot.drives[w.drive].torque_limit;
      for (int k = four.count; k < kLanes; ++k) {
        four.wheel[k] = static_cast<int>(i), four.drive[k] = w.drive;
        four.radius[k] = w.radius;
        four.most[k] = x.torque_limit > 0 ? std::min(x.torque_limit, own) : own;
        four.spin_gain[k] = kSpinShare * robot.mass * w.radius * x.gain;
      }
      ++four.count;
    }
    return all;
  }

  SpeedSettings x_;
  RobotInfo robot_;
  std::array<Axle, 2> axles_;
  std::vector<DrivenWheels> driven_;
  double sum_ = 0;  ///< of the integral [m/s^2]
  double desired_ = 0;
};

struct PidSettings {
  double speed = 0;           ///< desired rim speed of every wheel [m/s]
  double spin = 0;            ///< desired spin of every wheel beside that [rad/s]
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
      const double error = (x_.speed + side * x_.turn) / w.radius + x_.spin - now;
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
  void memory(Memory& m) override { m(state_); }
  bool reads_places() const override { return false; }

 private:
  PidSettings x_;
  RobotInfo robot_;
  std::vector<double> state_;  ///< integral, spin, filtered rate per wheel; time of the last sample; started
};

}  // namespace

std::unique_ptr<Controller> make_speed_controller(Section& s, const RobotInfo& robot) {
  SpeedSettings x;
  s.number("speed", x.speed, {"m/s", "Desired, along the body's x", finite()});
  s.number("gain", x.gain,
           {"1/s", "Desired acceleration per speed error; 0 = chosen from mass, torque and sample time",
            not_negative()});
  s.number("integral", x.integral,
           {"1/s^2", "Desired acceleration per integrated error; where the gain is chosen, default gain^2/4",
            not_negative()});
  s.number("acceleration_limit", x.acceleration_limit,
           {"m/s^2",
            "Greatest desired acceleration, 0 = none; where the gain is chosen, default the least of 0.3 g "
            "and what half the torque gives",
            not_negative()});
  s.number("torque_limit", x.torque_limit, {"N m", "Per wheel; 0 = what the drive allows", not_negative()});
  if (s.documenting()) return nullptr;
  const std::array<Axle, 2> axles = split_axles(robot, x.torque_limit, "speed");
  if (x.gain == 0) choose_law(x, robot, axles, s.has("integral"), s.has("acceleration_limit"));
  return std::make_unique<SpeedController>(x, robot, axles);
}

std::unique_ptr<Controller> make_pid_controller(Section& s, const RobotInfo& robot) {
  PidSettings x;
  s.number("speed", x.speed, {"m/s", "Desired rim speed of every wheel", finite()});
  s.number("spin", x.spin,
           {"rad/s", "Desired spin of every wheel, whatever its radius; added to the speed's", finite()});
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
