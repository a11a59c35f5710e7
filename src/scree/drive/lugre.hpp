#pragma once
/// Shaft friction: the continuous LuGre model, as a law and as one implicit step of its inner state.
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/core/types.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

struct StepSize {
  double dt = 0;       ///< [s]; 0 asks for the torque of this instant
  double theta = 0.5;  ///< share of the end of the step in the mean torque, [0.5, 1]
};

/// A torque that resists and how fast it grows with the speed at the end of the step.
struct Resistance {
  double torque = 0;  ///< [N m], positive resists positive speed
  double slope = 0;   ///< [N m s/rad], >= 0
};

/// Friction torque of a shaft at speed v, subtracted from the motor's [N m].
/// Morrot 2011 Eq. 14 with the state equation of Canudas de Wit 1995 (erratum 000-14), smooth in v:
///
///     dz/dt = v - A(v) z,   A = sigma_0 v S(v) / g(v),   S = (2/pi) atan(k_v v)
///     g = T_c + (T_s - T_c) exp(-(v/v_s)^2),   torque = sigma_0 z + sigma_1 dz/dt + sigma_2 v
///
/// Steady: g/S + sigma_2 v, 0.6 % above g at v_s/10 for k_v v_s = 1000, diverging below 1/k_v: a torque that
/// rises more slowly than sigma_0/k_v meets more than T_s before the shaft breaks away. The default
/// k_v = 1e5/v_s puts that out of the way; the implicit step does not mind it.
/// Range: any v; the decay rate A reaches 1e6 1/s, so a step has to take z implicitly.
class Lugre {
 public:
  Lugre() = default;
  explicit Lugre(const LugreSettings& x);
  bool active() const { return coulomb_ > 0; }

  double sliding(double v) const { return level(v).g; }                 ///< g(v) [N m]
  double steady(double v) const;                                        ///< torque at constant v [N m]
  double rate(double z, double v) const { return v - decay(v).a * z; }  ///< dz/dt [rad/s]
  double torque(double z, double v) const { return s0_ * z + s1_ * rate(z, v) + s2_ * v; }
  double stored(double z) const { return 0.5 * s0_ * z * z; }  ///< energy in the bristles [J]
  double stiffness() const { return s0_; }                     ///< sigma_0 [N m/rad]

  /// Mean torque over the coming step were the speed to stay v, and its growth with the new speed v_new,
  /// with z eliminated: backward Euler, linear in v_new,
  ///
  ///     z_new = [z + dt (v_new - A' z (v_new - v))] / (1 + dt A)
  ///     torque = sigma_0 z_new + sigma_1 (z_new - z)/dt + sigma_2 (v + theta (v_new - v))
  ///
  /// so that mean torque = torque + theta slope (v_new - v). Backward Euler whatever theta: A dt >> 1 when
  /// sliding, and a rule that is not L-stable would ring. The falling part of the Stribeck curve gives a
  /// negative slope, which is left out of the matrix. Where the speed may reverse within the step (`change`
  /// is the speed change of the last one) A' is left out: its slope is then g/|v| instead of 0, which brings
  /// the shaft to rest instead of throwing it back and forth. dt = 0 gives the instantaneous torque.
  Resistance begin(double z, double v, double change, StepSize step) const {
    const double dt = step.dt;
    const Decay d = decay(v);
    if (dt <= 0) return {s0_ * z + s1_ * (v - d.a * z) + s2_ * v, max0(s1_ * (1 - d.slope * z)) + s2_};
    const double gain = std::abs(v) > 4 * std::abs(change) ? max0(1 - d.slope * z) : 1.0;
    const double f = 1.0 / (1.0 + dt * d.a), z_new = (z + dt * v) * f;
    return {s0_ * z_new + s1_ * (z_new - z) / dt + s2_ * v, (s0_ * dt + s1_) * gain * f / step.theta + s2_};
  }
  /// z at the end of the step, backward Euler with the true decay at the new speed.
  double advance(double z, double v_new, double dt) const {
    return (z + dt * v_new) / (1.0 + dt * decay(v_new).a);
  }

 private:
  struct Level {
    double g, slope;
  };
  struct Decay {
    double a, slope;  ///< A(v) [1/s] and dA/dv [1/rad]
  };
  static double max0(double x) { return x > 0 ? x : 0; }
  Level level(double v) const {
    const double x = v * inv_vs_;
    // Below 1e-15 of the difference the exponential is not worth its cost: most steps are here.
    if (x * x > 35.0) return {coulomb_, 0};
    const double e = extra_ * maths::exp(-x * x);
    return {coulomb_ + e, -2.0 * e * x * inv_vs_};
  }
  Decay decay(double v) const {
    const Level l = level(v);
    const Sign s = smooth_sign(kv_ * v);
    const double per_g = 1.0 / l.g, a = s0_ * v * s.value * per_g;
    return {a, (s0_ * (s.value + s.steepness) - a * l.slope) * per_g};
  }
  struct Sign {
    double value, steepness;  ///< S(x) and x dS/dx
  };
  /// S = (2/pi) atan(x); far out by its series, exact to 1e-15 from |x| = 1000.
  static Sign smooth_sign(double x) {
    constexpr double c = 2.0 / kPi;
    if (std::abs(x) < 1000.0) return {c * maths::atan(x), c * x / (1.0 + x * x)};
    const double y = 1.0 / x;
    return {(x > 0 ? 1.0 : -1.0) - c * (y - y * y * y / 3.0), c * y * (1 - y * y)};
  }

  double coulomb_ = 0, extra_ = 0, inv_vs_ = 0, s0_ = 0, s1_ = 0, s2_ = 0, kv_ = 0;
};

}  // namespace scree
