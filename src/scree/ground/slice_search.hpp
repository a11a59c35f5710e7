#pragma once
/// Where a wheel touches the ground: the largest suspension displacement over the lower half of its rim.
///
/// Morrot 2011 Sec. 2.2.4, with errata 000-7/8. The wheel's plane is spanned by n (forward) and b (along the
/// suspension); the hub with the suspension unloaded is the origin. In that plane the ground is a profile
/// t(u), u along n, t along b, and a rim point at angle gamma (positive ahead) needs the displacement
///
///     h(u) = t(u) + sqrt(r² - u²),   u = r sin gamma,   h'(u) = t'(u) - tan gamma
///
/// The paper divides the half circle into n parts and takes the best slice. Here:
/// 1. t and t' at a rim point come from one terrain sample by Newton's step along b, from where the rim would
///    be at a guessed displacement: t = zeta + (f - z)/D, t' = (grad f . n - n_z)/D, D = b_z - grad f . b.
///    The step is no longer than the radius, so that a rim point above the ground finds itself above it.
/// 2. Rim angles that no slope of the terrain nearby can reach are skipped (|t'| is bounded by the terrain's
///    slope bound and the wheel's tilt): the slices fan out about the lowest point of the rim, or, where the
///    slopes under each wheel are known, about where ground of their middle touches.
/// 3. The best slice is refined between its neighbours by cutting lines: on a bracket with h' > 0 on the
///    left and < 0 on the right, the two tangents of the profile give the next point, which is exact for a
///    circle on a plane or on the edge between two planes, and contracts by r t'' on curved ground.
/// Nothing is remembered between steps but the guess, so the result cannot stick to a contact that is no
/// longer the highest.
#include <vector>

#include "scree/core/lanes.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// The division of the lower half circle into equal slices, by sines and cosines.
class SliceTable {
 public:
  explicit SliceTable(int slices = 20);
  int slices() const { return slices_; }
  /// Of one slice.
  double step_sine() const { return step_sine_; }
  double step_cosine() const { return step_cosine_; }
  /// Of half the width of k slices, 0 <= k <= slices().
  double half_sine(int k) const { return half_sine_[k]; }
  double half_cosine(int k) const { return half_cosine_[k]; }

 private:
  int slices_;
  double step_sine_, step_cosine_;
  std::vector<double> half_sine_, half_cosine_;
};

/// Four wheels in world axes.
struct WheelPlanes {
  V3<Lanes> centre;  ///< hub with the suspension unloaded [m]
  V3<Lanes> n;       ///< unit, forward, in the wheel's plane
  V3<Lanes> b;       ///< unit, along the suspension, away from the ground
  Lanes radius;      ///< m
  Lanes guess;       ///< displacement near which to look first [m]; zero will do
};

/// Without values at first.
struct WheelContacts {
  Lanes h;                     ///< displacement that the ground imposes [m]; negative: clearance, up to r / 2
  Lanes sine, cosine;          ///< of the contact angle gamma, positive ahead of the hub
  Lanes slope_x, slope_y;      ///< the ground's gradient at the contact
  Mask valid;                  ///< the suspension points at the ground (else there is no contact)
  Lanes wall, wall_u, wall_t;  ///< a wall in the rim: how deep, and where along n and b [m] (wall_search.hpp)
  Lanes wall_x, wall_y;        ///< level direction out of the wall; zero: unknown
  Lanes buried;                ///< no contact, because the hub is below the ground, by so much [m]
};

/// Every slope of the ground that these wheels can touch: x +- half_x, y +- half_y.
struct WheelSlopes {
  Lanes x, y, half_x, half_y;
};

/// How many Newton steps along b the search takes wherever it looks: one where slopes stay moderate; three on
/// steep ground, where a line along b meets it at a grazing angle.
inline int search_looks(double slope_bound) { return slope_bound < 0.6 ? 1 : 3; }

/// `slope_bound`: no slope of the terrain near these wheels is larger (infinity: unknown). `slopes`: those
/// under each wheel; null: no more is known. `level`: heights of the ground under each, where it is known to
/// be level; the terrain is not asked then.
WheelContacts search_slices(const Terrain& terrain, const SliceTable& table, const WheelPlanes& wheels,
                            double slope_bound, int looks, const WheelSlopes* slopes = nullptr,
                            const Lanes* level = nullptr);

}  // namespace scree
