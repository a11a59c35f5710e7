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

#include "scree/core/lanes.hpp"

namespace scree {

struct SlipStiffness {
  double along = 150;       ///< C_t [N per unit slip]
  double across = 500;      ///< C_a [N/rad]
  double friction_x = 0.6;  ///< mu_x [-]
  double friction_y = 0.8;  ///< mu_y [-]
};

template <class T>
struct SlipForcesOf {
  T along{}, across{};       ///< N
  T xx{}, xy{}, yx{}, yy{};  ///< d(along, across)/d(S_t, S_a) [N]
  T x_load{}, y_load{};      ///< d(along, across)/dN [-]
};
using SlipForces = SlipForcesOf<double>;

/// Slips of the conventions, 0 where both speeds are 0.
template <class T>
struct SectionSlipOf {
  T along{}, across{};
};
using SectionSlip = SectionSlipOf<double>;
inline SectionSlip section_slip(double hub_speed, double rim_speed, double side_speed) {
  const double scale = std::max(std::abs(hub_speed), std::abs(rim_speed));
  if (!(scale > 0)) return {};
  return {(hub_speed - rim_speed) / scale, side_speed / scale};
}

/// What presses a part of a wheel.
template <class T>
struct SlipLoad {
  T load;      ///< N; nothing follows where it is not positive
  T share;     ///< of the wheel's stiffness that this part has (errata 001-14..17: C_t, C_a are per wheel)
  T friction;  ///< scale of mu_x and mu_y
};

template <class T>
inline SlipForcesOf<T> slip_forces(const SlipStiffness& w, const SectionSlipOf<T>& slip,
                                   const SlipLoad<T>& on) {
  using namespace lane;
  const T zero{}, grip = on.friction * on.load;
  const auto pressed = grip > zero;
  const T limit = select(pressed, grip, constant<T>(1.0)), most_x = w.friction_x * limit,
          most_y = w.friction_y * limit;
  const T per_x = w.along * on.share / (3.0 * most_x), per_y = w.across * on.share / (3.0 * most_y);  // 1/S*
  const T x = slip.along * per_x, y = slip.across * per_y;
  const T s = sqrt(x * x + y * y), inverse = 1.0 / max(s, constant<T>(1e-12));
  const auto sticks = s < constant<T>(1.0);
  // g(s) = (1 - l³)/s = 3 - 3 s + s² up to s = 1, then 1/s.
  const T g = select(sticks, 3.0 - 3.0 * s + s * s, inverse);
  // dg/ds / s: regular at s = 0 but for the corner of |s|, whose limit along any direction is bounded.
  const T bend = select(s > constant<T>(1e-12),
                        select(sticks, (2.0 * s - 3.0) * inverse, -inverse * inverse * inverse), zero);
  // x, y and s fall as 1/N: sliding grows with N, sticking hardly.
  const T by_load = select(sticks, s * (3.0 - 2.0 * s), inverse);
  const auto force = [&](T value) { return select(pressed, value, zero); };
  return {force(-most_x * x * g),
          force(-most_y * y * g),
          force(-most_x * (g + x * x * bend) * per_x),
          force(-most_x * x * y * bend * per_y),
          force(-most_y * x * y * bend * per_x),
          force(-most_y * (g + y * y * bend) * per_y),
          force(-w.friction_x * on.friction * x * by_load),
          force(-w.friction_y * on.friction * y * by_load)};
}

/// Of one part, or of a whole wheel.
inline SlipForces gim_nikravesh(const SlipStiffness& w, const SectionSlip& slip, double load,
                                double share = 1) {
  return slip_forces<double>(w, slip, {load, share, 1.0});
}

}  // namespace scree
