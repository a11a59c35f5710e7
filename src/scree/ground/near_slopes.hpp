#pragma once
/// How steep the ground is where four wheels can touch it, so that the slices fan out over these slopes
/// alone. Asked for once a square of the ground, not every step; a square is known by where a wheel is, not
/// by where it came from, so that nothing depends on what was kept.
///
/// Where a wheel touches: a contact at d from the wheel's centre (d of length r, in the wheel's plane) is off
/// the plane's steepest line down by no more than w, sin w = sin(phi)/q with phi the steepest ground nearby
/// and q² = n_z² + b_z² (slice_search.hpp), and that line is off the upright by the axle's rise a_z, a_z² =
/// 1 - q². So d leads aside by r sqrt(sin²w + a_z²) at most, and the displacement h moves the centre by
/// |h b_h| from the hub.
#include <cmath>

#include "scree/ground/slice_search.hpp"

namespace scree {

class NearSlopes {
 public:
  /// Null where they are not known, or where a wheel may touch farther aside than is looked at. Wheels are
  /// taken to be displaced by no more than half a radius beyond their guess.
  const WheelSlopes* under(const Terrain& terrain, const WheelPlanes& w, double slope_bound) {
    using namespace lane;
    const Lanes per_radius = 1.0 / w.radius;
    const Lanes per_side = per_radius * (1 / kSide);
    const Lanes column = nearest(w.centre.x * per_side), row = nearest(w.centre.y * per_side);
    const Mask same = (column == column_) & (row == row_) & (radius_ == w.radius);
    if (terrain_ != &terrain || !all(same)) look(terrain, w.radius, column, row, same);
    if (!all(known_)) return nullptr;
    const Lanes q2 = w.n.z * w.n.z + w.b.z * w.b.z, aside = sqrt(max(1.0 - w.b.z * w.b.z, Lanes{}));
    const double steep = slope_bound * slope_bound / (1 + slope_bound * slope_bound);
    const Lanes left = kAside - aside * (kBeyond + max(w.guess, Lanes{}) * per_radius);
    return all((left > Lanes{}) & (steep / q2 + (1.0 - q2) <= left * left)) ? &slopes_ : nullptr;
  }
  /// Whether wheels are displaced by no more than was taken for granted; what may be higher than what was
  /// found lies within the same half radius.
  static bool holds(const WheelPlanes& w, Lanes h) {
    using namespace lane;
    return all(h <= max(w.guess, Lanes{}) + (0.5 * kBeyond) * w.radius);
  }

 private:
  static constexpr double kAside = 0.75;  // of the radius: how far from its hub a wheel may touch
  static constexpr double kSide = 0.25;   // of the radius: squares of hubs
  static constexpr double kBeyond = 0.5;  // of the radius: displacement beyond the guess, or above the ground

  [[gnu::noinline]] void look(const Terrain& terrain, Lanes radius, Lanes column, Lanes row, Mask same);

  const Terrain* terrain_ = nullptr;
  Lanes radius_{}, column_{}, row_{};
  WheelSlopes slopes_{};
  Mask known_{};
};

}  // namespace scree
