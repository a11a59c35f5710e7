#pragma once
/// Spring and damper between a wheel that is massless in translation and its chassis.
#include "scree/config/section.hpp"
#include "scree/core/lanes.hpp"

namespace scree {

struct SuspensionSettings {
  double stiffness = 8000;  ///< N/m, up to `travel`
  double damping = 350;     ///< N s/m
  double travel = 0.05;     ///< H_sat: linear up to here [m]
  double stiffening = 10;   ///< stiffness beyond travel / stiffness [-]
  double blend = 0.2;       ///< share of `travel` over which the stiffness rises [-]
};
void describe(Section& section, SuspensionSettings& settings);

/// The law's constants, four wheels side by side or one.
template <class T>
struct Suspension {
  T stiffness, damping, travel;
  T extra;         ///< stiffening - 1
  T blend_length;  ///< blend x travel [m]
};

template <class T>
struct SuspensionForce {
  T force;      ///< pushes wheel and chassis apart [N], never negative
  T stiffness;  ///< d force / d h [N/m], zero where the force is clamped
  T damping;    ///< d force / d h' [N s/m], likewise
};

/// The spring alone: force and stiffness at a displacement h >= 0.
template <class T>
struct SuspensionSpring {
  T force, stiffness;
};
template <class T>
inline SuspensionSpring<T> suspension_spring(const Suspension<T>& s, T h) {
  using namespace lane;
  const T beyond = max(h - s.travel, T{});
  const T inside = min(beyond, s.blend_length);
  const T rise = inside / s.blend_length;
  return {s.stiffness * (h + s.extra * (0.5 * inside * rise + (beyond - inside))),
          s.stiffness * (1.0 + s.extra * rise)};
}

/// What the spring holds at a displacement h >= 0 [J].
template <class T>
inline T suspension_energy(const Suspension<T>& s, T h) {
  using namespace lane;
  const T beyond = max(h - s.travel, T{});
  const T inside = min(beyond, s.blend_length), rest = beyond - inside;
  return s.stiffness * (0.5 * h * h + s.extra * (inside * inside * inside / (6.0 * s.blend_length) +
                                                 0.5 * inside * rest + 0.5 * rest * rest));
}

/// The spring's mean force while the displacement goes from h - half to h + half, and what that force gains
/// by the displacement at its end, times two: a force whose work is exactly what the spring holds more, also
/// where contact begins or the spring stiffens on the way.
template <class T>
inline SuspensionSpring<T> suspension_spring_between(const Suspension<T>& s, T h, T half) {
  using namespace lane;
  const SuspensionSpring<T> here = suspension_spring(s, h);
  const T reach = abs(half);
  const auto bends = (h > T{}) & (reach > 1e-9) & ((h < reach) | (h + reach > s.travel));
  if (!any(bends)) return here;
  const T low = max(h - half, T{}), high = max(h + half, T{});
  const T way = select(bends, half, constant<T>(1.0));
  const T mean = (suspension_energy(s, high) - suspension_energy(s, low)) / (2.0 * way);
  const T slope = (suspension_spring(s, high).force - mean) / way;
  return {select(bends, mean, here.force), select(bends, max(slope, T{}), here.stiffness)};
}

/// F(h, h') = max(0, elastic(h) + c h'), zero without contact (h <= 0).
/// Morrot 2011 Sec. 2.2.4: linear up to H_sat, stiffer beyond, never in traction. The paper leaves the law
/// beyond H_sat open: here the stiffness rises linearly from k to `stiffening` k over `blend` H_sat, so force
/// and stiffness are continuous.
template <class T>
inline SuspensionForce<T> suspension_force(const Suspension<T>& s, T h, T rate, double dt = 0) {
  using namespace lane;
  const SuspensionSpring<T> spring =
      dt > 0 ? suspension_spring_between(s, h, (0.5 * dt) * rate) : suspension_spring(s, h);
  const T total = spring.force + s.damping * rate;
  const auto pushes = (h > T{}) & (total > T{});
  return {select(pushes, total, T{}), select(pushes, spring.stiffness, T{}), select(pushes, s.damping, T{})};
}

}  // namespace scree
