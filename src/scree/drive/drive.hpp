#pragma once
/// One drive, ready to run: its laws with their parameters, and where its inner states lie in the train's.
/// Functions of one drive at one moment; what all drives of a robot share is in supply.hpp.
#include "scree/drive/brake.hpp"
#include "scree/drive/command.hpp"
#include "scree/drive/dc_motor.hpp"
#include "scree/drive/ideal.hpp"
#include "scree/drive/lugre.hpp"

namespace scree {

struct Drive {
  enum class Kind : unsigned char { ideal, dc, kinematic };
  /// What it does when nothing is commanded.
  enum class Rest : unsigned char { free, speed, position };
  Kind kind = Kind::ideal;
  Rest rest = Rest::free;
  int at = 0;  ///< first place in the state: acceleration, then brake z, shaft z, current where they exist
  int brake_at = -1, friction_at = -1, current_at = -1;
  double gain = 0, stiffness = 0, speed = 0, position = 0;
  double most_push = 0;  ///< gain times the speed limit of position commands [N m]; 0 = no such limit
  TorqueLimits limits;
  double ratio = 1, gear_loss = 0, gear_blend = 1;
  Brake brake;
  DcMotor motor;
  Lugre friction;
};

/// The joint that a drive turns.
struct JointNow {
  double speed = 0;  ///< [rad/s]
  double angle = 0;  ///< [rad], of the middle of the step
};

/// A wish that falls in a line with the joint's speed: constant - falloff w.
struct Wish {
  double constant = 0, falloff = 0;
};

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
template <class Law>
double secant_slope(const Push& now, double w, double change, const Law& law) {
  if (!(std::abs(change) > 1e-6)) return now.slope;
  const auto towards = [&](double way) {
    const Push then = law(w + way);
    if (now.slope == then.slope && (now.slope != 0 || now.torque == then.torque)) return now.slope;
    return (now.torque - then.torque) / way;
  };
  const double ahead = towards(change);
  return now.torque * change < 0 ? std::max(ahead, towards(-change)) : ahead;
}

/// Torque of an ideal source; `change` is the speed change of the last step.
inline Push ideal_push(const Drive& d, const DriveCommand& c, const JointNow& joint, double change,
                       StepSize step) {
  const Wish x = wish(d, c, joint, step);
  Push p = d.limits(x.constant, x.falloff, joint.speed);
  if (step.dt > 0)
    p.slope =
        secant_slope(p, joint.speed, change, [&](double v) { return d.limits(x.constant, x.falloff, v); });
  return p;
}

/// Steady current at motor speed w when `volts` are available.
inline Draw steady_current(const Drive& d, const DriveCommand& c, const Wish& x, double w, double volts,
                           bool& limited) {
  using Mode = DriveCommand::Mode;
  switch (c.mode) {
    case Mode::voltage:
      limited |= std::abs(c.value) > volts;
      return d.motor.of_voltage(c.value, w, volts);
    case Mode::current:
      return d.motor.of_current(c.value, 0, w, volts, limited);
    case Mode::idle:
      if (d.rest == Drive::Rest::free) return {};
      [[fallthrough]];
    default: {
      // The gear's nominal loss is known, so the current makes up for it; shaft friction is not.
      const double wanted = x.constant - x.falloff * w / d.ratio;
      const double gear = gear_flow(wanted, w, d.gear_loss, d.gear_blend).factor;
      const double per_amp = 1 / (d.ratio * d.motor.k() * gear);
      return d.motor.of_current(x.constant * per_amp, x.falloff * per_amp / d.ratio, w, volts, limited);
    }
  }
}

}  // namespace scree
