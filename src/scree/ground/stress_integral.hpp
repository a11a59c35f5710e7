#pragma once
/// Forces of soft soil on a rigid wheel by integrating the stresses under its rim.
///
/// Nagatani 2016 Eqs. 50.4-50.7, Ding 2011 Eqs. 17-20, with sigma and tau in their usual forms (errata
/// 004-50.7). Angles theta from the vertical, positive forward, entry theta_1 = acos(1 - z/r), exit theta_2 =
/// -acos(1 - lambda z/r), greatest stress at theta_m = (a0 + a1 s) theta_1:
///
///     sigma(theta) = p(r (cos theta_f - cos theta_1)),  theta_f = theta            in front of theta_m,
///                    theta_f = theta_1 - (theta - theta_2)/(theta_m - theta_2) (theta_1 - theta_m)  behind
///                    it
///     tau_x = (c + sigma tan phi) sign(j_x) (1 - exp(-|j_x|/k_x)),  j_x = r_s [(theta_1' - theta) - V/U (sin
///     theta_1' - sin theta)] tau_y = (c + sigma tan phi) (1 - exp(-j_y/k_y)),              j_y = r |v_y|/|U|
///     (theta_1 - theta)
///
///     F_x = b Int (r_s tau_x cos - r sigma sin),   F_z = b Int (r_s tau_x sin + r sigma cos),   T = r_s^2 b
///     Int tau_x F_y = -sign(v_y) Int [r b tau_y + R_b(h) (r - h cos) (1 - exp(-j_y/k_y))],   h = r (cos
///     theta - cos theta_1)
///
/// p is the soil's pressure law with N = n0 + n1 |s|; r_s = r + lambda_s h_lug is the shear radius and
/// theta_1' = acos((r - z)/r_s) where a lug meets the soil. Differs from the papers: V/U = 1/(1 + s) when
/// braking (50.2), tan phi in tau_y (003-18), the bracket and the unit weight in R_b (003-19), which is gated
/// by the lateral shear so that it vanishes with the slip angle; |s| in N; nothing below z = 0. tau_x and
/// tau_y are limited one by one, as published: together they may exceed the soil's strength by up to sqrt 2.
/// The side wall's length r - h cos is Ishigami's approximation.
///
/// Quadrature: both zones share the stress at the same points, since theta_f runs over the same angles; with
/// shares u^3 of Gauss-Legendre points u the singular end (theta_1 - theta)^N becomes smooth. Twelve points a
/// zone: the error is below 1e-4 of the load (1e-4 r W for the torque) for the soils that ship and slips in
/// [-0.9, 0.9] (2e-6 seen); a test holds it to that against thousands of points.
#include "scree/ground/soil_wheel.hpp"
#include "scree/soil/soil.hpp"

namespace scree {

class StressIntegral {
 public:
  StressIntegral(const SoilNumbers& soil, const SoilWheel& wheel, double gravity = 9.81);

  /// Forces at a given sinkage [m]; zero where the wheel does not touch. A wheel deeper than its radius gets
  /// the forces at its radius.
  SoilReaction<double> forces(double sinkage, const SoilSlip& slip) const;
  /// The same with exact derivatives by sinkage, slip and side.
  SoilReaction<SoilDual> forces_with_slopes(double sinkage, const SoilSlip& slip) const;
  /// F_y alone, for models that have no lateral law of their own: four points a zone, within 0.5 % of
  /// forces() (0.01 % in the median over soils, sinkages and slip angles).
  template <class S>
  S side_force(const S& sinkage, const S& slip, const S& side) const;
  /// The least sinkage that carries the load [N].
  Sinkage sinkage(double load, const SoilSlip& slip) const;

  const SoilNumbers& soil() const { return soil_; }
  const SoilWheel& wheel() const { return wheel_; }

  /// N = n0 + n1 |s|, and the angle of greatest stress as a share of theta_1.
  template <class S>
  S exponent(const S& slip) const {
    using namespace lane;
    return soil_.sinkage_exponent + soil_.slip_sinkage * abs(slip);
  }
  template <class S>
  S peak_share(const S& slip) const {
    using namespace lane;
    // A peak at the very entry would be a stress without a front.
    return clamp(soil_.peak_offset + soil_.peak_slip * slip, S{} + 0.0, S{} + 0.95);
  }
  PressureLaw pressure() const { return pressure_; }
  double tan_friction() const { return tan_friction_; }

 private:
  template <class S>
  SoilReaction<S> evaluate(const S& sinkage, const S& slip, const S& side, bool all) const;

  SoilNumbers soil_;
  SoilWheel wheel_;
  PressureLaw pressure_;
  double tan_friction_;
  double bulldozing_linear_, bulldozing_square_;  ///< R_b = linear h + square h^2 [N/m^2, N/m^3]
};

/// Resistance of soil that a side wall of depth h pushes, per unit of its length [N/m].
/// Ding 2011 Eq. 19 (Hegedus) with errata 003-19: (cot X + tan(X + phi)) {c h + rho g h^2/2 [cot X + cot^2 X
/// tan phi]}, X = pi/4 - phi/2.
double bulldozing_resistance(const SoilNumbers& soil, double gravity, double depth);

}  // namespace scree
