#pragma once
/// Forces of soft soil on a lugged wheel in closed form: stresses that run in straight lines to their peak.
///
/// Ding 2011 Eq. 16 with errata 003-16:
///
///     F_N = r b A sigma_m + r_s b B tau_m
///     M_R = r_s^2 C D [b c + (1 + c_M (Wm - F_N)/Wm) F_N tan phi/(r A)] / (1 + r_s B D tan phi/(r A))
///     F_DP = [M_R (A^2 + B^2)/(r_s A C) - B F_N/A] (1 + c_P1 + c_P2 s)(1 + c_P3 (Wm - F_N)/Wm)
///     A = (cos m - cos 2)/(m - 2) + (cos m - cos 1)/(1 - m),   B the same with sines,   C = (theta_1 -
///     theta_2)/2 sigma_m = p(r (cos theta_m - cos theta_1)),   tau_m = (c + sigma_m tan phi) D,   D = 1 -
///     exp(-j_x(theta_m)/k_x)
///
/// theta_1, theta_2, theta_m, p, r_s, j_x as in stress_integral.hpp; the paper takes theta_m = theta_1/2 and
/// theta_2 = 0, which are the a0, a1 and lambda of its soil. Wm is the mean load of the robot's wheels;
/// without it the corrections c_P3 and c_M rest. F_y comes from Eq. 17 by the stress integral. With c_P and
/// c_M zero this is the exact integral of the straight stresses (a test holds it to 1e-12). Differs: zero
/// force when the wheel does not touch; braking as in stress_integral.hpp, and there the corrections c_P,
/// which were found on driving wheels, fade over a slip of 0.1: a braked wheel would otherwise give back more
/// power than it takes.
#include "scree/ground/stress_integral.hpp"

namespace scree {

class ClosedForm {
 public:
  ClosedForm(const SoilNumbers& soil, const SoilWheel& wheel, double gravity = 9.81, double mean_load = 0);

  SoilReaction<double> forces(double sinkage, const SoilSlip& slip) const;
  SoilReaction<SoilDual> forces_with_slopes(double sinkage, const SoilSlip& slip) const;
  /// The least sinkage that carries the load [N].
  Sinkage sinkage(double load, const SoilSlip& slip) const;

  const StressIntegral& integral() const { return integral_; }
  const SoilNumbers& soil() const { return integral_.soil(); }
  const SoilWheel& wheel() const { return integral_.wheel(); }

 private:
  template <class S>
  SoilReaction<S> evaluate(const S& sinkage, const S& slip, const S& side, bool with_side) const;

  StressIntegral integral_;
  double mean_load_;  ///< N; 0: none
};

}  // namespace scree
