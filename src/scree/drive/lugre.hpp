#pragma once
/// Shaft friction: the continuous LuGre model, as a law and as one implicit step of its inner state.
#include <cmath>
#include <type_traits>

#include "scree/core/maths.hpp"
#include "scree/core/types.hpp"
#include "scree/drive/lanes_of.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

struct StepSize {
  double dt = 0;       ///< [s]; 0 asks for the torque of this instant
  double theta = 0.5;  ///< share of the end of the step in the mean torque, [0.5, 1]
};

/// A torque that resists and how fast it grows with the speed at the end of the step.
template <class T>
struct ResistanceOf {
  T torque{};  ///< [N m], positive resists positive speed
  T slope{};   ///< [N m s/rad], >= 0
};
using Resistance = ResistanceOf<double>;

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
template <class T>
class LugreOf {
 public:
  LugreOf() = default;
  explicit LugreOf(const LugreSettings& x);

  T sliding(T v) const { return level(v).g; }            ///< g(v) [N m]
  T steady(T v) const;                                   ///< torque at constant v [N m]
  T rate(T z, T v) const { return v - decay(v).a * z; }  ///< dz/dt [rad/s]
  T torque(T z, T v) const { return s0_ * z + s1_ * rate(z, v) + s2_ * v; }
  T stored(T z) const { return 0.5 * s0_ * z * z; }  ///< energy in the bristles [J]
  T stiffness() const { return s0_; }                ///< sigma_0 [N m/rad]

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
  ResistanceOf<T> begin(T z, T v, T change, StepSize step) const {
    using namespace lane;
    const double dt = step.dt;
    const Decay d = decay(v);
    if (dt <= 0) return {s0_ * z + s1_ * (v - d.a * z) + s2_ * v, max0(s1_ * (1.0 - d.slope * z)) + s2_};
    const T gain = select(abs(v) > 4.0 * abs(change), max0(1.0 - d.slope * z), constant<T>(1.0));
    const T f = 1.0 / (1.0 + dt * d.a), z_new = (z + dt * v) * f;
    return {s0_ * z_new + s1_ * (z_new - z) / dt + s2_ * v, (s0_ * dt + s1_) * gain * f / step.theta + s2_};
  }
  /// z at the end of the step, backward Euler with the true decay at the new speed.
  T advance(T z, T v_new, double dt) const { return (z + dt * v_new) / (1.0 + dt * decay(v_new).a); }

  auto numbers() { return std::tie(coulomb_, extra_, inv_vs_, s0_, s1_, s2_, kv_); }

 private:
  struct Level {
    T g, slope;
  };
  struct Decay {
    T a, slope;  ///< A(v) [1/s] and dA/dv [1/rad]
  };
  static T max0(T x) { return lane::select(x > T{}, x, T{}); }
  static T bell(T x) {  ///< exp(-x^2)
    if constexpr (std::is_same_v<T, double>) {
      return maths::exp(-x * x);
    } else {
      T power;
      maths::exps(-x * x, power);
      return power;
    }
  }
  Level level(T v) const {
    using namespace lane;
    const T x = v * inv_vs_;
    // Below 1e-15 of the difference the exponential is not worth its cost: most steps are here.
    const auto near = x * x <= constant<T>(35.0);
    if (!any(near)) return {coulomb_, T{}};
    const T e = select(near, extra_ * bell(select(near, x, T{})), T{});
    return {coulomb_ + e, -2.0 * e * x * inv_vs_};
  }
  Decay decay(T v) const {
    const Level l = level(v);
    const Sign s = smooth_sign(kv_ * v);
    const T per_g = 1.0 / l.g, a = s0_ * v * s.value * per_g;
    return {a, (s0_ * (s.value + s.steepness) - a * l.slope) * per_g};
  }
  struct Sign {
    T value, steepness;  ///< S(x) and x dS/dx
  };
  /// S = (2/pi) atan(x); far out by its series, exact to 1e-15 from |x| = 1000.
  static Sign smooth_sign(T x) {
    using namespace lane;
    constexpr double c = 2.0 / kPi;
    const auto near = abs(x) < constant<T>(1000.0);
    const T y = 1.0 / select(near, constant<T>(1.0), x), one = constant<T>(1.0);
    const Sign far{select(x > T{}, one, -one) - c * (y - y * y * y / 3.0), c * y * (1.0 - y * y)};
    if (!any(near)) return far;
    const T arc = select(x == T{}, x, arc_tangent(x));
    return {select(near, c * arc, far.value), select(near, c * x / (1.0 + x * x), far.steepness)};
  }

  T coulomb_{}, extra_{}, inv_vs_{}, s0_{}, s1_{}, s2_{}, kv_{};
};
using Lugre = LugreOf<double>;

}  // namespace scree
