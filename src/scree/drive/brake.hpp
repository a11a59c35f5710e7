#pragma once
/// The brake of a joint: an elastic bristle that yields at the demanded torque.
#include <algorithm>
#include <cmath>

#include "scree/drive/lugre.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

/// Braking torque, subtracted from the joint's torque [N m]: sigma_0 z + sigma_1 dz/dt, at most g.
/// The bristle deflection z follows the joint (dz/dt = w) until sigma_0 |z| = g, the demanded torque, and
/// then slides (dz/dt = 0). This is the elasto-plastic limit of the LuGre bristle (Dupont 2002): below g
/// it is a spring and nothing else, so that a held joint does not creep under any load that it can hold,
/// where LuGre's own dz/dt = v - sigma_0 |v| z / g gives way a little with every change of load.
class Brake {
 public:
  Brake() = default;
  explicit Brake(const BrakeSettings& x)
      : capacity_(x.torque),
        s0_(x.torque / x.deflection),
        s1_(s0_ * x.damping_time),
        relax_(1 / x.damping_time) {}
  bool active() const { return capacity_ > 0; }
  double demand(double torque) const { return std::clamp(torque, 0.0, capacity_); }

  /// As Lugre::begin, with z eliminated by backward Euler; `change` is the speed change that the step may
  /// bring (that of the last step). Three regimes:
  ///   sticks (z + dt w within its limit): z_new = z + dt w_new;
  ///   slides, far from reversing: torque g, slope 0, exact;
  ///   slides, may stop within the step: z_new = (z + dt w_new) / (1 + dt sigma_0 |w| / g), LuGre's bristle
  ///   with |w| of the start. Its slope g/|w| lets the joint come to rest but not reverse; with slope 0
  ///   here, steps longer than the stopping time end in a limit cycle.
  Resistance begin(double z, double w, double g, double change, StepSize step) const {
    if (g <= 0) return {};
    const double dt = step.dt, most = g / s0_;
    if (dt <= 0) {
      const double stick = s0_ * z + s1_ * w;
      return std::abs(stick) > g ? Resistance{std::copysign(g, stick), 0} : Resistance{stick, s1_};
    }
    const double damp = s0_ * dt + s1_, stick = s0_ * z + damp * w;
    const bool steady = std::abs(w) > 4 * std::abs(change);
    if (steady && std::abs(stick) > g) return {std::copysign(g, stick), 0};
    if (std::abs(z + dt * w) <= most) return {stick, damp / step.theta};
    const double left = 1 / (1 + dt * std::abs(w) / most);
    return {damp / dt * (z + dt * w) * left - s1_ / dt * z, damp * left / step.theta};
  }
  double advance(double z, double w_new, double g, double dt) const {
    const double most = g / s0_;
    return std::clamp(z + dt * w_new, -most, most);
  }
  /// dz/dt for explicit integrators [rad/s]; a deflection beyond a lowered demand relaxes.
  double rate(double z, double w, double g) const {
    const double most = g / s0_;
    if (std::abs(z) > most) return (std::copysign(most, z) - z) * relax_ + (z * w < 0 ? w : 0);
    return std::abs(z) == most && z * w > 0 ? 0 : w;
  }
  double stored(double z) const { return 0.5 * s0_ * z * z; }
  double stiffness() const { return s0_; }

 private:
  double capacity_ = 0, s0_ = 1, s1_ = 0, relax_ = 0;
};

}  // namespace scree
