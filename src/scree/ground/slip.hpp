#pragma once
/// Slip as the deflection of a brush that sticks to the ground: regular at rest, and the usual slip when
/// rolling.
///
/// With s = (U - V, -v_y) the slip velocity [m/s], V_r = max(|U|, |V|, |v_y|) and relaxation length L:
///
///     du/dt = s - V_r u / L,     sigma = (u + t_d du/dt) / L
///
/// In steady rolling sigma = s / V_r: (U - V)/|U| driving, (U - V)/|V| braking (conventions, Slip). At rest
/// V_r = 0 and u is a spring that holds the robot; the damping time t_d lets it settle.
/// The deflection is stepped by the theta rule with V_r frozen and eliminated from the velocity solve: sigma
/// at the step's weighted mean is affine in the new slip velocity, with slope `gain`.
#include "scree/core/lanes.hpp"

namespace scree {

template <class T>
struct SlipBrush {
  T per_length;    ///< 1 / relaxation length L [1/m]
  T damping_time;  ///< t_d [s]
};

template <class T>
struct SlipLevel {
  T x, y;  ///< sigma if the slip velocity stays as it is [-]
  T gain;  ///< d sigma / d (new slip velocity) [s/m]
};

struct SlipStep {
  double dt = 0;     ///< s; zero: the level at this instant
  double theta = 1;  ///< weight of the new values: 1/2 second order, 1 damps most
};

template <class T>
inline T brush_next(const SlipBrush<T>& brush, const SlipStep& step, T u, T slip_now, T slip_next, T speed) {
  const T rate = speed * brush.per_length;
  const T now = slip_now - rate * u;
  const T shrink = 1.0 / (1.0 + (step.theta * step.dt) * rate);
  return (u + step.dt * ((1 - step.theta) * now + step.theta * slip_next)) * shrink;
}

template <class T>
inline SlipLevel<T> slip_level(const SlipBrush<T>& brush, const SlipStep& step, T ux, T uy, T sx, T sy,
                               T speed) {
  const T rate = speed * brush.per_length;
  const T damped = 1.0 - brush.damping_time * rate;  // sigma L = damped u + t_d s
  const auto sigma = [&](T u, T s) { return (damped * u + brush.damping_time * s) * brush.per_length; };
  const double th = step.dt > 0 ? step.theta : 0.0;
  const T ux1 = brush_next(brush, step, ux, sx, sx, speed);
  const T uy1 = brush_next(brush, step, uy, sy, sy, speed);
  SlipLevel<T> level;
  level.x = (1 - th) * sigma(ux, sx) + th * sigma(ux1, sx);
  level.y = (1 - th) * sigma(uy, sy) + th * sigma(uy1, sy);
  const T shrink = 1.0 / (1.0 + (step.theta * step.dt) * rate);
  level.gain = th * brush.per_length * (damped * (step.theta * step.dt) * shrink + brush.damping_time);
  return level;
}

/// The slips that the tyre's curves take, kappa = (U - V)/|V| and tan(alpha) = v_y/|V|, from sigma.
template <class T>
struct CurveSlip {
  T kappa, tan_alpha;
  T d_kappa;  ///< d kappa / d sigma_x
  T d_alpha;  ///< d tan_alpha / d sigma_y
};

/// Driving, sigma refers to |U| and |V|/|U| = 1 - |sigma_x|; braking, it refers to |V| already. Which of the
/// two it is fades out below `kCrawl`, so that nothing switches at rest.
template <class T>
inline CurveSlip<T> curve_slip(T sigma_x, T sigma_y, T rim_speed, T hub_speed) {
  using namespace lane;
  constexpr double kCrawl = 0.05;       // m/s
  constexpr double kLeastShare = 0.02;  // kappa is followed up to 49
  const T one = constant<T>(1.0);
  const T direction = clamp((rim_speed + hub_speed) * (0.5 / kCrawl), -one, one);
  const T driving = max(direction * sigma_x, T{});
  const T share = max(1.0 - driving, constant<T>(kLeastShare));
  const T inverse = 1.0 / share;
  return {sigma_x * inverse, sigma_y * inverse, (share + driving) * inverse * inverse, inverse};
}

}  // namespace scree
