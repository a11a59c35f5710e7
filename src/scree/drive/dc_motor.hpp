#pragma once
/// The brushed DC motor: current from voltage and speed, within the voltage and current there are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "scree/drive/lanes_of.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

/// A current and how fast it falls with the motor's speed.
template <class T>
struct DrawOf {
  T current{};  ///< [A]
  T slope{};    ///< -d current / d motor speed [A s/rad], >= 0
};
using Draw = DrawOf<double>;

/// Armature: L di/dt = V - R i - k w, torque = k i (Morrot 2011 Sec. 2.4; the equations are the usual
/// ones). One constant k serves torque and back-EMF, as the conservation of energy demands.
/// w is the speed of the motor's shaft [rad/s], V the mean voltage behind the chopper.
template <class T>
class DcMotorOf {
 public:
  DcMotorOf() = default;
  explicit DcMotorOf(const MotorSettings& x)
      : k_(x.torque_constant),
        resistance_(x.resistance),
        conductance_(1 / x.resistance),
        inductance_(x.inductance),
        peak_(x.peak_current > 0 ? x.peak_current : std::numeric_limits<double>::infinity()),
        open_rate_(x.resistance / x.inductance),
        loop_rate_(1 / x.current_loop_time) {}

  T k() const { return k_; }
  T resistance() const { return resistance_; }
  T inductance() const { return inductance_; }

  /// Steady current of a commanded voltage, of which `available` [V] is the most there is.
  DrawOf<T> of_voltage(T volts, T w, T available) const {
    const T v = within<T>(volts, -available, available);
    return within_peak({(v - k_ * w) * conductance_, k_ * conductance_});
  }
  /// Current of an ideal current loop that wants `constant - falloff w`: the wish where the voltage allows
  /// it, otherwise what the full voltage drives. `limited` tells when the voltage was not enough.
  DrawOf<T> of_current(T constant, T falloff, T w, T available, bool& limited) const {
    using namespace lane;
    const T wish = constant - falloff * w, emf = k_ * w;
    const T most = (available - emf) * conductance_, least = (-available - emf) * conductance_;
    const T capped = within<T>(wish, -peak_, peak_), slope = select(capped == wish, falloff, T{});
    const auto above = capped > most, below = capped < least;
    if (!any(above | below)) return {capped, slope};
    limited = true;
    const DrawOf<T> full = within_peak({select(above, most, least), k_ * conductance_});
    return {select(above | below, full.current, capped), select(above | below, full.slope, slope)};
  }
  /// Voltage that a steady current needs [V].
  T voltage(T current, T w) const { return resistance_ * current + k_ * w; }
  /// Rate at which the current approaches its steady value [1/s]: R/L, faster under a current loop.
  T approach_rate(bool looped) const { return open_rate_ + (looped ? loop_rate_ : T{}); }

  // The data-sheet curve at constant voltage, friction left out.
  T no_load_speed(T volts) const { return volts / k_; }
  T stall_torque(T volts) const { return k_ * volts / resistance_; }
  /// Greatest shaft power [W]: V^2 / 4R, at half the no-load speed.
  T peak_power(T volts) const { return volts * volts / (4.0 * resistance_); }

  auto numbers() {
    return std::tie(k_, resistance_, conductance_, inductance_, peak_, open_rate_, loop_rate_);
  }

 private:
  DrawOf<T> within_peak(const DrawOf<T>& d) const {
    using namespace lane;
    const auto beyond = abs(d.current) > peak_;
    return {within<T>(d.current, -peak_, peak_), select(beyond, T{}, d.slope)};
  }
  T k_{}, resistance_{}, conductance_{}, inductance_{}, peak_{}, open_rate_{}, loop_rate_{};
};
using DcMotor = DcMotorOf<double>;

/// Gear factor on the torque: tau_joint = ratio tau_motor e. e = eta when the motor drives, 1/eta when the
/// joint drives the motor, smooth in the motor's speed w about standstill:
///
///     s = sign(tau_motor) w / sqrt(w^2 + blend^2),   e = 1 - (1 - eta) s, for s < 0: 1 / (1 + (1 - eta) s)
///
/// The loss tau_motor w (1 - e) is never negative, and the torque is continuous in tau_motor and w. A blend
/// over power instead of speed was tried: at stall its slope grows with the square of the torque.
template <class T>
struct GearFlowOf {
  T factor = lane::constant<T>(1.0);
  T drop{};  ///< -d factor / d (sign(tau) w) [s/rad], >= 0
};
using GearFlow = GearFlowOf<double>;
template <class T>
GearFlowOf<T> gear_flow(T torque, T w, T loss_share, T blend) {
  using namespace lane;
  if (!any(loss_share != T{})) return {};
  const T root = 1.0 / sqrt(w * w + blend * blend);
  const T s = select(torque < T{}, -w, w) * root, ds = blend * blend * root * root * root;
  const auto drives = s >= T{};
  const T e = 1.0 / (1.0 + loss_share * select(drives, T{}, s));
  return {select(drives, 1.0 - loss_share * s, e), select(drives, loss_share * ds, e * e * loss_share * ds)};
}

}  // namespace scree
