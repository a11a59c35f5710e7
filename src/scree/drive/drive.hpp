#pragma once
/// One drive, ready to run: its laws with their parameters, and where its inner states lie in the train's;
/// and packs of them, which are computed side by side. Functions of one drive at one moment; what all drives
/// of a robot share is in supply.hpp.
#include <array>
#include <span>

#include "scree/drive/brake.hpp"
#include "scree/drive/command.hpp"
#include "scree/drive/dc_motor.hpp"
#include "scree/drive/ideal.hpp"
#include "scree/drive/lugre.hpp"

namespace scree {

/// Laws and their parameters, of one drive (double) or of four side by side (Lanes).
template <class T>
struct DriveLaws {
  TorqueLimitsOf<T> limits;
  T ratio = lane::constant<T>(1.0), gear_loss{}, gear_blend = lane::constant<T>(1.0);
  BrakeOf<T> brake;
  DcMotorOf<T> motor;
  LugreOf<T> friction;
};

struct Drive : DriveLaws<double> {
  enum class Kind : unsigned char { ideal, dc, kinematic };
  /// What it does when nothing is commanded.
  enum class Rest : unsigned char { free, speed, position };
  Kind kind = Kind::ideal;
  Rest rest = Rest::free;
  int at = 0;  ///< first place in the state: acceleration, then brake z, shaft z, current where they exist
  int brake_at = -1, friction_at = -1, current_at = -1;
  double gain = 0, stiffness = 0, speed = 0, position = 0;
  double most_push = 0;  ///< gain times the speed limit of position commands [N m]; 0 = no such limit

  /// Whether two have the same inner states, so that they can be computed side by side.
  bool alike(const Drive& other) const {
    return kind == other.kind && (brake_at < 0) == (other.brake_at < 0) &&
           (friction_at < 0) == (other.friction_at < 0) && (current_at < 0) == (other.current_at < 0);
  }
};

/// Up to four drives of a kind that follow one another in the train. Lanes without a drive repeat the last.
struct DrivePack {
  DrivePack(std::span<const Drive> drives, std::size_t first, std::size_t count);
  std::size_t first, count;
  Drive::Kind kind;
  bool brake, friction, current;  ///< inner states that they have
  DriveLaws<Lanes> law;
  /// Places of the inner states of all lanes.
  std::array<int, kLanes> at{}, brake_at{}, friction_at{}, current_at{};

  std::size_t drive(int lane) const { return first + std::min<std::size_t>(lane, count - 1); }
  static Lanes gather(std::span<const double> values, const std::array<int, kLanes>& places) {
    return Lanes{values[places[0]], values[places[1]], values[places[2]], values[places[3]]};
  }
  /// Lanes without a drive write what the last one writes.
  static void scatter(Lanes x, const std::array<int, kLanes>& places, std::span<double> values) {
    for (int k = 0; k < kLanes; ++k) values[places[k]] = x[k];
  }
  /// Of numbers that lie in the order of the drives.
  Lanes gather(std::span<const double> values) const {
    if (count == kLanes) return lane::load(&values[first]);
    return Lanes{values[drive(0)], values[drive(1)], values[drive(2)], values[drive(3)]};
  }
  void scatter(Lanes x, std::span<double> values) const {
    if (count == kLanes) return lane::store(&values[first], x);
    for (std::size_t k = 0; k < count; ++k) values[first + k] = x[k];
  }
  /// A sum with what the drives add to it, one after the other.
  double add_to(double sum, const Lanes& x) const {
    if (count == kLanes) return sum + x[0] + x[1] + x[2] + x[3];
    for (std::size_t k = 0; k < count; ++k) sum += x[k];
    return sum;
  }
};

/// The joint that a drive turns.
struct JointNow {
  double speed = 0;  ///< [rad/s]
  double angle = 0;  ///< [rad], of the middle of the step
};

/// A wish that falls in a line with the joint's speed: constant - falloff w.
template <class T>
struct WishOf {
  T constant{}, falloff{};
};
using Wish = WishOf<double>;

/// Torque of a position loop, stiffness (value - q) - gain w. With a speed limit v the loop is a cascade: the
/// position error asks for the speed stiffness/gain (value - q), at most v, and the gain holds that speed.
/// The angle is that of mid-step; a new speed moves it by dt/4 of the change until the end.
inline Wish position_wish(const Drive& d, double value, const JointNow& joint, StepSize step) {
  const double push = d.stiffness * (value - joint.angle);
  if (d.most_push > 0 && !(std::abs(push) < d.most_push)) return {std::copysign(d.most_push, push), d.gain};
  const double reach = step.dt > 0 ? d.stiffness * step.dt / (4 * step.theta) : 0;
  return {push + reach * joint.speed, d.gain + reach};
}

/// Joint torque that a command wants of an ideal source (or of a motor's current loop).
inline Wish wish(const Drive& d, const DriveCommand& c, const JointNow& joint, StepSize step) {
  using Mode = DriveCommand::Mode;
  switch (c.mode) {
    case Mode::torque:
      return {c.value, 0};
    case Mode::speed:
      return {d.gain * c.value, d.gain};
    case Mode::position:
      return position_wish(d, c.value, joint, step);
    case Mode::idle:
      if (d.rest == Drive::Rest::speed) return {d.gain * d.speed, d.gain};
      if (d.rest == Drive::Rest::position) return position_wish(d, d.position, joint, step);
      return {};
    default:
      return {};
  }
}

/// Slope of a limited law over the step, from the speed change that the last step suggests: the limit that
/// holds at the end of the step counts, not only the one at its start. Where the law pushes against that
/// change the step may turn it round, so the law is looked at on both sides and the steeper one counts:
/// limits have no slope of their own, and a light wheel would be thrown from one to the other, every step.
template <class T, class Law>
T secant_slope(const PushOf<T>& now, T w, T change, const Law& law) {
  using namespace lane;
  const auto moves = abs(change) > constant<T>(1e-6);
  if (!any(moves)) return now.slope;
  const T way = select(moves, change, constant<T>(1.0));
  const auto towards = [&](const T& by) {
    const PushOf<T> then = law(w + by);
    const auto straight = (now.slope == then.slope) & ((now.slope != T{}) | (now.torque == then.torque));
    return select(straight, now.slope, (now.torque - then.torque) / by);
  };
  T slope = towards(way);
  const auto against = moves & (now.torque * change < T{});
  if (any(against)) {
    const T back = towards(-way);
    slope = select(against & (slope < back), back, slope);
  }
  return select(moves, slope, now.slope);
}

/// Torque of an ideal source whose command wants x; `change` is the speed change of the last step.
template <class T>
PushOf<T> ideal_push(const DriveLaws<T>& d, const WishOf<T>& x, T speed, T change, StepSize step) {
  PushOf<T> p = d.limits(x.constant, x.falloff, speed);
  if (step.dt > 0)
    p.slope = secant_slope(p, speed, change, [&](T v) { return d.limits(x.constant, x.falloff, v); });
  return p;
}

/// Whether a motor's command asks for a torque (by its current loop), not for a current or a voltage.
inline bool wants_torque(const Drive& d, const DriveCommand& c) {
  using Mode = DriveCommand::Mode;
  if (c.mode == Mode::idle) return d.rest != Drive::Rest::free;
  return c.mode != Mode::voltage && c.mode != Mode::current;
}

/// Steady current at motor speed w of a current loop that follows a wish for torque, when `volts` are
/// available. The gear's nominal loss is known, so the current makes up for it; shaft friction is not.
template <class T>
DrawOf<T> torque_current(const DriveLaws<T>& d, const WishOf<T>& x, T w, T volts, bool& limited) {
  const T wanted = x.constant - x.falloff * w / d.ratio;
  const T gear = gear_flow<T>(wanted, w, d.gear_loss, d.gear_blend).factor;
  const T per_amp = 1.0 / (d.ratio * d.motor.k() * gear);
  return d.motor.of_current(x.constant * per_amp, x.falloff * per_amp / d.ratio, w, volts, limited);
}

/// The same for any command.
inline Draw steady_current(const Drive& d, const DriveCommand& c, const Wish& x, double w, double volts,
                           bool& limited) {
  using Mode = DriveCommand::Mode;
  if (wants_torque(d, c)) return torque_current<double>(d, x, w, volts, limited);
  if (c.mode == Mode::current) return d.motor.of_current(c.value, 0, w, volts, limited);
  if (c.mode != Mode::voltage) return {};
  limited |= std::abs(c.value) > volts;
  return d.motor.of_voltage(c.value, w, volts);
}

}  // namespace scree
