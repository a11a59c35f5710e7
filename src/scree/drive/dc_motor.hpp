#pragma once
/// The brushed DC motor: current from voltage and speed, within the voltage and current there are.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/drive/settings.hpp"

namespace scree {

/// A current and how fast it falls with the motor's speed.
struct Draw {
  double current = 0;  ///< [A]
  double slope = 0;    ///< -d current / d motor speed [A s/rad], >= 0
};

/// Armature: L di/dt = V - R i - k w, torque = k i (Morrot 2011 Sec. 2.4; the equations are the usual
/// ones). One constant k serves torque and back-EMF, as the conservation of energy demands.
/// w is the speed of the motor's shaft [rad/s], V the mean voltage behind the chopper.
class DcMotor {
 public:
  DcMotor() = default;
  explicit DcMotor(const MotorSettings& x)
      : k_(x.torque_constant),
        resistance_(x.resistance),
        conductance_(1 / x.resistance),
        inductance_(x.inductance),
        peak_(x.peak_current > 0 ? x.peak_current : std::numeric_limits<double>::infinity()),
        loop_rate_(1 / x.current_loop_time) {}

  double k() const { return k_; }
  double resistance() const { return resistance_; }
  double inductance() const { return inductance_; }

  /// Steady current of a commanded voltage, of which `available` [V] is the most there is.
  Draw of_voltage(double volts, double w, double available) const {
    const double v = std::clamp(volts, -available, available);
    return within_peak({(v - k_ * w) * conductance_, k_ * conductance_});
  }
  /// Current of an ideal current loop that wants `constant - falloff w`: the wish where the voltage allows
  /// it, otherwise what the full voltage drives. `limited` tells when the voltage was not enough.
  Draw of_current(double constant, double falloff, double w, double available, bool& limited) const {
    const double wish = constant - falloff * w, emf = k_ * w;
    const double most = (available - emf) * conductance_, least = (-available - emf) * conductance_;
    const double capped = std::clamp(wish, -peak_, peak_);
    if (capped > most) return limited = true, within_peak({most, k_ * conductance_});
    if (capped < least) return limited = true, within_peak({least, k_ * conductance_});
    return {capped, capped == wish ? falloff : 0};
  }
  /// Voltage that a steady current needs [V].
  double voltage(double current, double w) const { return resistance_ * current + k_ * w; }
  /// Rate at which the current approaches its steady value [1/s]: R/L, faster under a current loop.
  double approach_rate(bool looped) const { return resistance_ / inductance_ + (looped ? loop_rate_ : 0.0); }

  // The data-sheet curve at constant voltage, friction left out.
  double no_load_speed(double volts) const { return volts / k_; }
  double stall_torque(double volts) const { return k_ * volts / resistance_; }
  /// Greatest shaft power [W]: V^2 / 4R, at half the no-load speed.
  double peak_power(double volts) const { return volts * volts / (4 * resistance_); }

 private:
  Draw within_peak(Draw d) const {
    if (d.current > peak_) return {peak_, 0};
    if (d.current < -peak_) return {-peak_, 0};
    return d;
  }
  double k_ = 0, resistance_ = 0, conductance_ = 0, inductance_ = 0, peak_ = 0, loop_rate_ = 0;
};

/// Gear factor on the torque: tau_joint = ratio tau_motor e. e = eta when the motor drives, 1/eta when the
/// joint drives the motor, smooth in the motor's speed w about standstill:
///
///     s = sign(tau_motor) w / sqrt(w^2 + blend^2),   e = 1 - (1 - eta) s, for s < 0: 1 / (1 + (1 - eta) s)
///
/// The loss tau_motor w (1 - e) is never negative, and the torque is continuous in tau_motor and w. A blend
/// over power instead of speed was tried: at stall its slope grows with the square of the torque.
struct GearFlow {
  double factor = 1;
  double drop = 0;  ///< -d factor / d (sign(tau) w) [s/rad], >= 0
};
inline GearFlow gear_flow(double torque, double w, double loss_share, double blend) {
  if (loss_share == 0) return {};
  const double root = 1 / std::sqrt(w * w + blend * blend);
  const double s = (torque < 0 ? -w : w) * root, ds = blend * blend * root * root * root;
  if (s >= 0) return {1 - loss_share * s, loss_share * ds};
  const double e = 1 / (1 + loss_share * s);
  return {e, e * e * loss_share * ds};
}

}  // namespace scree
