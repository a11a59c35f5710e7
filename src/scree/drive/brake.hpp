#pragma once
/// The brake of a joint: an elastic bristle that yields at the demanded torque.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "scree/drive/lugre.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

/// Braking torque, subtracted from the joint's torque [N m]: sigma_0 z + sigma_1 dz/dt, at most g.
/// The bristle deflection z follows the joint (dz/dt = w) until sigma_0 |z| = g, the demanded torque, and
/// then slides (dz/dt = 0). This is the elasto-plastic limit of the LuGre bristle (Dupont 2002): below g
/// it is a spring and nothing else, so that a held joint does not creep under any load that it can hold,
/// where LuGre's own dz/dt = v - sigma_0 |v| z / g gives way a little with every change of load.
template <class T>
class BrakeOf {
 public:
  BrakeOf() = default;
  explicit BrakeOf(const BrakeSettings& x)
      : capacity_(x.torque),
        s0_(x.torque / x.deflection),
        s1_(s0_ * x.damping_time),
        relax_(1 / x.damping_time) {}
  T demand(T torque) const { return within(torque, T{}, capacity_); }

  /// As Lugre::begin, with z eliminated by backward Euler; `change` is the speed change that the step may
  /// bring (that of the last step). Three regimes:
  ///   sticks (z + dt w within its limit): z_new = z + dt w_new;
  ///   slides, far from reversing: torque g, slope 0, exact;
  ///   slides, may stop within the step: z_new = (z + dt w_new) / (1 + dt sigma_0 |w| / g), LuGre's bristle
  ///   with |w| of the start. Its slope g/|w| lets the joint come to rest but not reverse; with slope 0
  ///   here, steps longer than the stopping time end in a limit cycle.
  ResistanceOf<T> begin(T z, T w, T g, T change, StepSize step) const {
    using namespace lane;
    const auto pressed = g > T{};
    if (!any(pressed)) return {};
    const double dt = step.dt;
    const T most = g / s0_;
    if (dt <= 0) {
      const T stick = s0_ * z + s1_ * w;
      const auto slides = abs(stick) > g;
      return {select(pressed, select(slides, copy_sign(g, stick), stick), T{}),
              select(pressed, select(slides, T{}, s1_), T{})};
    }
    const T damp = s0_ * dt + s1_, stick = s0_ * z + damp * w;
    const auto slides = (abs(w) > 4.0 * abs(change)) & (abs(stick) > g);
    const auto sticks = abs(z + dt * w) <= most;
    const T left = 1.0 / (1.0 + dt * abs(w) / select(pressed, most, s0_));
    const T torque = select(slides, copy_sign(g, stick),
                            select(sticks, stick, damp / dt * (z + dt * w) * left - s1_ / dt * z));
    const T slope = select(slides, T{}, select(sticks, damp / step.theta, damp * left / step.theta));
    return {select(pressed, torque, T{}), select(pressed, slope, T{})};
  }
  T advance(T z, T w_new, T g, double dt) const {
    const T most = g / s0_;
    return within<T>(z + dt * w_new, -most, most);
  }
  /// dz/dt for explicit integrators [rad/s]; a deflection beyond a lowered demand relaxes.
  double rate(double z, double w, double g) const requires std::is_same_v<T, double> {
    const double most = g / s0_;
    if (std::abs(z) > most) return (std::copysign(most, z) - z) * relax_ + (z * w < 0 ? w : 0);
    return std::abs(z) == most && z * w > 0 ? 0 : w;
  }
  T stored(T z) const { return 0.5 * s0_ * z * z; }
  T stiffness() const { return s0_; }
  auto numbers() { return std::tie(capacity_, s0_, s1_, relax_); }

 private:
  static T copy_sign(T size, T sign) { return lane::select(sign < T{}, -size, size); }
  T capacity_{}, s0_ = lane::constant<T>(1.0), s1_{}, relax_{};
};
using Brake = BrakeOf<double>;

}  // namespace scree
