#pragma once
/// Where no wall is near a wheel on a grid, none is looked for until one of its feelers (wall_search.hpp) can
/// have reached one. Spares looks and changes no answer.
///
/// With C the wheel's centre as it stood, a level feeler lies in the plane through C with the normal b, one
/// along the line of walls in that with the normal (b + kWallRise n)/|..|; -n for those behind. If all ground
/// in the rectangle beneath a feeler and m beyond it lies m or more below the feeler's plane, no point of the
/// feeler meets ground within m of where it was.
#include "scree/ground/rim_plane.hpp"
#include "scree/terrain/grid_view.hpp"

namespace scree {

/// How far each point of the feelers of a wheel may move before one can meet the ground [m], `most` at most;
/// not above 0: one may meet it now.
double wall_room(const GridView& grid, const RimPlane& wheel, double most);

/// Of four wheels.
class NearWalls {
 public:
  /// Those of `asked` whose feelers may meet the ground.
  Mask near(const GridView& grid, const RimPlanes& wheels, Mask asked) {
    using namespace lane;
    const Mask unknown = asked & ~clear(grid, wheels);
    return any(unknown) ? look(grid, wheels, unknown) : Mask{};
  }

 private:
  Mask clear(const GridView& grid, const RimPlanes& w) const {
    using namespace lane;
    if (of_ != grid.z) return Mask{};
    const auto moved2 = [](Lanes x, Lanes y, Lanes z) { return x * x + y * y + z * z; };
    const Lanes way2 = moved2(w.centre[0] + w.standing * w.b[0] - centre_[0],
                              w.centre[1] + w.standing * w.b[1] - centre_[1],
                              w.centre[2] + w.standing * w.b[2] - centre_[2]),
                n2 = moved2(w.n[0] - n_[0], w.n[1] - n_[1], w.n[2] - n_[2]),
                b2 = moved2(w.b[0] - b_[0], w.b[1] - b_[1], w.b[2] - b_[2]);
    // A point of a feeler is no farther than R along n and kWallRise R along b from the centre.
    const Lanes turned = w.radius * sqrt(2.0 * (n2 + (kWallRise * kWallRise) * b2));
    return (sqrt(way2) + turned < room_) & (w.radius == radius_);
  }
  [[gnu::noinline]] Mask look(const GridView& grid, const RimPlanes& w, Mask asked);

  const float* of_ = nullptr;  ///< samples of the grid
  // Where each wheel stood when it was last looked at, and how far its feelers may move from there.
  std::array<Lanes, 3> centre_{}, n_{}, b_{};
  Lanes radius_{}, room_{};
};

}  // namespace scree
