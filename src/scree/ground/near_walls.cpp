#include "scree/ground/near_walls.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/terrain/grid_below.hpp"

namespace scree {
namespace {

constexpr double kRounding = 1e-9;                // m
constexpr double kLooks[] = {0.25, 0.06, 0.015};  // of the radius: as far as is looked beyond the feelers,
constexpr double kEnough = 0.3;                   // of which so much is enough; else it is looked closer

/// How far points of a segment may move before one can meet ground: with `down` unit, and no point of it
/// farther along `down` than its start.
double segment_room(const GridView& grid, const Vec3& from, const Vec3& to, const Vec3& down, double most) {
  const auto least = [&](int i) { return std::min(from[i], to[i]) - most; };
  const auto highest = [&](int i) { return std::max(from[i], to[i]) + most; };
  const double beyond = least_along(grid, {least(0), highest(0), least(1), highest(1)}, down);
  return std::min(beyond - down.dot(from) - kRounding, most);
}

}  // namespace

double wall_room(const GridView& grid, const RimPlane& w, double most) {
  const double per = 1 / maths::hypot(1, kWallRise);
  const Vec3 c = w.centre + w.standing * w.b;
  if (!(w.b.z() - kWallRise * std::abs(w.n.z()) >= 0)) return 0;  // a plane that is not below its feelers
  double room = most;
  for (const double side : {1.0, -1.0}) {
    const Vec3 n = side * w.n;
    room = std::min(room, segment_room(grid, c, c + w.radius * n, -w.b, most));
    if (!(room > 0)) return 0;
    const Vec3 below = c + (w.radius * per) * (n - kWallRise * w.b);
    room = std::min(room, segment_room(grid, c, below, -per * (w.b + kWallRise * n), most));
    if (!(room > 0)) return 0;
  }
  return room;
}

Mask NearWalls::look(const GridView& grid, const RimPlanes& wheels, Mask asked) {
  if (of_ != grid.z) room_ = Lanes{};
  of_ = grid.z;
  for (int k = 0; k < kLanes; ++k) {
    if (!asked[k]) continue;
    const RimPlane w = wheels.lane(k);
    double room = 0;
    for (const double look : kLooks) {
      const double most = look * w.radius;
      room = std::max(room, wall_room(grid, w, most));
      if (room > kEnough * most) break;
    }
    const Vec3 c = w.centre + w.standing * w.b;
    for (int i = 0; i < 3; ++i) centre_[i][k] = c[i], n_[i][k] = w.n[i], b_[i][k] = w.b[i];
    radius_[k] = w.radius, room_[k] = room;
    if (room > 0) asked[k] = 0;
  }
  return asked;
}

}  // namespace scree
