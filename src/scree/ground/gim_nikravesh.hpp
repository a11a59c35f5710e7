#pragma once
/// Slip forces of an elastic wheel by its critical slips, longitudinal and lateral together.
///
/// Gim and Nikravesh as Yokokohji 2002 uses it, Eqs. 12-19 with errata 001-12 to 001-19. With V the forward
/// speed of the hub along the contact's tangent, U = R w the rim's, V_y the speed to the left:
///
///     S_t = (V - U)/max(|V|, |U|)          braking positive                       (12)
///     S_a = V_y/max(|V|, |U|)              signed here, the paper's is its modulus (13)
///     S_t* = 3 mu_x N/C_t,  S_a* = 3 mu_y N/C_a                                   (14, 15)
///     s = hypot(S_t/S_t*, S_a/S_a*),  l = max(0, 1 - s)                           (16, 17)
///     f_t = -mu_x N (S_t/S_t*)/s (1 - l³),  f_a likewise                          (18, 19)
///
/// Differs: (18, 19) are printed with 1 - 3 l²; 1 - 3 l² + 2 l³ is the parabolic brush, and equals 1 - l³
/// over the printed first term. Both directions share one l, so that the force stays on the friction ellipse
/// (each alone would leave it); either slip alone gives the paper's law. Forces are on the wheel, forward and
/// to the left positive.
#include <algorithm>
#include <cmath>
#include "scree/core/maths.hpp"

namespace scree {

struct SlipStiffness {
  double along = 150;       ///< C_t [N per unit slip]
  double across = 500;      ///< C_a [N/rad]
  double friction_x = 0.6;  ///< mu_x [-]
  double friction_y = 0.8;  ///< mu_y [-]
};

struct SlipForces {
  double along = 0, across = 0;           ///< N
  double xx = 0, xy = 0, yx = 0, yy = 0;  ///< d(along, across)/d(S_t, S_a) [N]
  double x_load = 0, y_load = 0;          ///< d(along, across)/dN [-]
};

/// Slips of the conventions, 0 where both speeds are 0.
struct SectionSlip {
  double along = 0, across = 0;
};
inline SectionSlip section_slip(double hub_speed, double rim_speed, double side_speed) {
  const double scale = std::max(std::abs(hub_speed), std::abs(rim_speed));
  if (!(scale > 0)) return {};
  return {(hub_speed - rim_speed) / scale, side_speed / scale};
}

/// `share`: of the wheel's stiffness that this part of it has (errata 001-14..17: C_t and C_a are per wheel).
inline SlipForces gim_nikravesh(const SlipStiffness& w, const SectionSlip& slip, double load,
                                double share = 1) {
  SlipForces f;
  const double ct = w.along * share, ca = w.across * share;
  const double most_x = w.friction_x * load, most_y = w.friction_y * load;
  if (!(load > 0) || !(most_x > 0) || !(most_y > 0)) return f;
  const double per_x = ct / (3 * most_x), per_y = ca / (3 * most_y);  // 1/S*
  const double x = slip.along * per_x, y = slip.across * per_y;
  const double s = maths::hypot(x, y);
  // g(s) = (1 - l³)/s = 3 - 3 s + s² up to s = 1, then 1/s.
  const double g = s < 1 ? 3 - 3 * s + s * s : 1 / s;
  f.along = -most_x * x * g;
  f.across = -most_y * y * g;
  // dg/ds / s: regular at s = 0 but for the corner of |s|, whose limit along any direction is bounded.
  const double bend = s > 1e-12 ? (s < 1 ? (2 * s - 3) / s : -1 / (s * s * s)) : 0;
  f.xx = -most_x * (g + x * x * bend) * per_x;
  f.xy = -most_x * x * y * bend * per_y;
  f.yx = -most_y * x * y * bend * per_x;
  f.yy = -most_y * (g + y * y * bend) * per_y;
  // x, y and s fall as 1/N: sliding grows with N, sticking hardly.
  const double by_load = s < 1 ? s * (3 - 2 * s) : 1 / s;
  f.x_load = -w.friction_x * x * by_load;
  f.y_load = -w.friction_y * y * by_load;
  return f;
}

}  // namespace scree
