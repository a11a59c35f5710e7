#pragma once
/// What a law of steady sinkage lacks when a wheel moves up and down: soil is plastic, and it takes time to
/// give way.
///
/// The papers leave both open (errata 003-16). A wheel remembers the deepest sinkage of the soil under its
/// patch (its rut). Sinking further it follows the law, rising a stiff line from the rut's load down to
/// nothing, never pulling; a resistance to its speed is added, one for sinking and one for rising. Rolling on
/// by about the length of the patch brings soil that was never pressed, and the rut is forgotten; so a wheel
/// that rolls steadily is always at the bottom of its rut, on the law. The load is continuous in sinkage and
/// speed.
#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/soil_wheel.hpp"
#include "scree/soil/soil.hpp"

namespace scree {

struct RutLoad {
  double force = 0;      ///< N, never negative
  double stiffness = 0;  ///< d force / d sinkage [N/m]
  double damping = 0;    ///< d force / d (speed of sinking) [N s/m]
};

/// Area of the patch seen from above at a sinkage [m^2]: width x (r sin theta_1 - r sin theta_2).
inline double patch_area(const SoilNumbers& soil, const SoilWheel& wheel, double sinkage) {
  const double r = wheel.radius, z = std::clamp(sinkage, 0.0, r), rear = soil.exit_ratio * z;
  return wheel.width * (std::sqrt(z * (2 * r - z)) + std::sqrt(rear * (2 * r - rear)));
}

/// Soil that rises springs with losses, its stiffness times this: without them a wheel that stands would
/// tremble for ever [s].
inline constexpr double kSettlingTime = 0.002;
/// Between sinking and rising the resistance changes over this speed [m/s].
inline constexpr double kSettlingSpeed = 0.01;

/// Within this height above the bottom of the rut the slope goes over from that of sinking to that of rising
/// [m].
inline constexpr double kBottom = 1e-6;

/// Load at a sinkage in a rut. `law(z)` gives normal force and its slope at a steady sinkage.
template <class Law>
RutLoad rut_load(const SoilNumbers& soil, const SoilWheel& wheel, double rut, double sinkage, double sinking,
                 const Law& law) {
  if (!(sinkage > 0)) return {};
  const double deepest = std::max(sinkage, rut);
  const auto [force, slope] = law(deepest);
  const double area = patch_area(soil, wheel, deepest);
  // Not softer than the law itself: a wheel must not rise by less than it sank.
  const double line = std::max(soil.unloading_stiffness * area, slope);
  // One resistance for sinking, one for rising, by the speed alone: in the rut and at its bottom, so that the
  // load does not jump where it is crossed, and without a corner at rest, where the sign is noise.
  const double sinks = soil.damping * area, rises = line * kSettlingTime;
  const double mean = 0.5 * (sinks + rises), half = 0.5 * (rises - sinks);
  const double corner = std::sqrt(sinking * sinking + kSettlingSpeed * kSettlingSpeed);
  const double resistance = mean * sinking - half * (corner - kSettlingSpeed);
  const double load = force - line * (deepest - sinkage) + resistance;
  if (!(load > 0)) return {};
  // At the bottom itself the sign of (rut - sinkage) is noise too; the load has a corner there, its slope
  // both.
  const double risen = std::min((deepest - sinkage) / kBottom, 1.0);
  return {load, slope + risen * (line - slope), mean - half * sinking / corner};
}

/// Length over which rolling on forgets a rut [m]: that of a whole patch, 2 r sin theta_1. Over half of it
/// the wheel would rise out of a rut by more than its rolling resistance (about 0.7 W z/(r sin theta_1)) pays
/// for, and make energy.
inline double rut_length(const SoilWheel& wheel, double rut) {
  return std::max(2 * std::sqrt(rut * std::max(2 * wheel.radius - rut, 0.0)), 0.1 * wheel.radius);
}

/// The rut after rolling on by `travel` [m] at a sinkage: never shallower than the wheel.
inline double next_rut(const SoilWheel& wheel, double rut, double sinkage, double travel) {
  const double fresh = rut > 0 ? rut * maths::exp(-std::abs(travel) / rut_length(wheel, rut)) : 0;
  return std::max({fresh, sinkage, 0.0});
}

}  // namespace scree
