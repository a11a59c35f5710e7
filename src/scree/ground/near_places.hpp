#pragma once
/// What the ground is under each of four wheels, where it is level, one profile or a grid. Asked for once a
/// square of the ground, not every step; a square is known by where a wheel is, not by where it came from, so
/// that nothing depends on what was kept.
#include "scree/ground/near_walls.hpp"
#include "scree/ground/slice_search.hpp"

namespace scree {

inline constexpr double kGentle = 0.6;
inline constexpr double kFine = 0.5;  ///< of the radius: features smaller than this are looked for one by one

/// Ground that the slices are for.
inline bool is_gentle(double slope_bound, double feature, double radius) {
  return slope_bound < kGentle && !(feature > 0 && feature < kFine * radius);
}

/// How far the ground that wheels may touch reaches from their hubs: that under the rims, raised by the
/// displacement with which each stood or lowered by the clearance within which a contact counts.
class RimReach {
 public:
  RimReach(const WheelPlanes& w, Lanes standing)
      : radius_(w.radius), low_(-kDown * w.radius), high_(lane::min(standing, kUp * w.radius)) {}
  static constexpr double kDown = 1.5;  ///< of the radius: ground further below the hub is no contact
  static constexpr double kUp = 3;      ///< of the radius: ground further above it is not looked for
  /// Back and ahead along a level direction, in which n and b have these components [m].
  Lanes least(Lanes n, Lanes b) const { return lane::min(b * low_, b * high_) - lane::abs(n) * radius_; }
  Lanes most(Lanes n, Lanes b) const { return lane::max(b * low_, b * high_) + lane::abs(n) * radius_; }

 private:
  Lanes radius_, low_, high_;
};

class NearPlaces {
 public:
  /// A profile that is not level all over, or a grid, and what is known of it.
  struct Place {
    PlacedProfile ground;  ///< without a profile: a grid
    double slope_bound, feature;
  };
  struct Found {
    Mask level;    ///< all ground that a wheel may touch is,
    Lanes z;       ///< at this height [m]
    Mask known;    ///< or else is on(),
    Mask closely;  ///< which the slices are not for
    const Place* place;
    /// Null: neither, or not known.
    const Place* on(int k) const { return known[k] ? place + k : nullptr; }
  };
  Found under(const Terrain& terrain, const WheelPlanes& w, const RimReach& reach) {
    using namespace lane;
    const Lanes side = kSide * w.radius, per_side = 1.0 / side;
    const Lanes column = nearest(w.centre.x * per_side), row = nearest(w.centre.y * per_side);
    const Mask same = (column == column_) & (row == row_) & (radius_ == w.radius);
    if (terrain_ != &terrain || !all(same)) look(terrain, w.radius, column, row, same);
    const Lanes x = w.centre.x - column * side, y = w.centre.y - row * side;
    const Lanes most = kReach * w.radius;
    const Mask within = (x + reach.least(w.n.x, w.b.x) >= -most) & (x + reach.most(w.n.x, w.b.x) <= most) &
                        (y + reach.least(w.n.y, w.b.y) >= -most) & (y + reach.most(w.n.y, w.b.y) <= most);
    const Lanes n = along_x_ * w.n.x + along_y_ * w.n.y, b = along_x_ * w.b.x + along_y_ * w.b.y;
    const Lanes hub = along_x_ * w.centre.x + along_y_ * w.centre.y + offset_;
    const Mask level = within & (hub + reach.least(n, b) >= from_) & (hub + reach.most(n, b) <= to_);
    const Mask known = within & known_ & ~level;
    return {level, z_, known, known & closely_, place_};
  }
  NearWalls walls;  ///< of these wheels, on a grid

 private:
  static constexpr double kSide = 0.25;  // of the radius: squares of hubs
  static constexpr double kReach = 1.6;  // of the radius: how far from a square's middle ground is known

  [[gnu::noinline]] void look(const Terrain& terrain, Lanes radius, Lanes column, Lanes row, Mask same);

  const Terrain* terrain_ = nullptr;
  Lanes radius_{}, column_{}, row_{};
  Place place_[kLanes] = {};
  Mask known_{}, closely_{};  ///< places: those that there are; those that the slices are not for
  // The level piece of each place about its middle: from here to there along its profile. None: from
  // infinity.
  Lanes along_x_{}, along_y_{}, offset_{}, from_{}, to_{}, z_{};
};

}  // namespace scree
