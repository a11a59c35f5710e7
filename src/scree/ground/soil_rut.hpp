#pragma once
/// What a law of steady sinkage lacks when a wheel moves up and down: soil is plastic, and it takes time to
/// give way.
///
/// The papers leave both open (errata 003-16). A wheel remembers the deepest sinkage of the soil under its
/// patch (its rut). Sinking further it follows the law, with a resistance to the speed of sinking; rising it
/// follows a stiff line with losses from the rut's load, down to nothing, never pulling. Rolling on by about
/// the length of the patch brings soil that was never pressed, and the rut is forgotten; so a wheel that
/// rolls steadily is always at the bottom of its rut, on the law.
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

/// Soil within its rut springs, with losses: without them a wheel that stands would tremble for ever [s].
inline constexpr double kSettlingTime = 0.002;

/// Load at a sinkage in a rut. `law(z)` gives normal force and its slope at a steady sinkage.
template <class Law>
RutLoad rut_load(const SoilNumbers& soil, const SoilWheel& wheel, double rut, double sinkage, double sinking,
                 const Law& law) {
  if (!(sinkage > 0)) return {};
  if (sinkage >= rut) {
    const auto [force, slope] = law(sinkage);
    const double damping = sinking > 0 ? soil.damping * patch_area(soil, wheel, sinkage) : 0;
    const double load = force + damping * sinking;
    return load > 0 ? RutLoad{load, slope, damping} : RutLoad{};
  }
  const auto [force, slope] = law(rut);
  // Not softer than the law itself: a wheel must not rise by less than it sank.
  const double stiffness = std::max(soil.unloading_stiffness * patch_area(soil, wheel, rut), slope);
  const double damping = stiffness * kSettlingTime;
  const double load = force - stiffness * (rut - sinkage) + damping * sinking;
  return load > 0 ? RutLoad{load, stiffness, damping} : RutLoad{};
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
