#include "scree/ground/wall_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/grid_view.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr int kFewestSteps = 15;  // along a feeler
constexpr int kMostSteps = 63;    // rows of samples have room for these
constexpr int kSections = 26;     // golden: what is left of two steps is below a micrometre
constexpr double kGolden = 0.6180339887498949;
constexpr int kEntryHalves = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double kSteepFace = 1;  // slope of a face whose normal is the way out
const double kSlant = maths::hypot(1, kWallRise);

/// The four feelers side by side: ahead and back, level and along the lines of walls.
struct Feelers {
  explicit Feelers(const RimPlane& w) : radius(w.radius) {
    const double per = 1 / kSlant;
    const Lanes along{1, -1, per, -per}, down{0, 0, -kWallRise * per, -kWallRise * per};
    const Vec3 c = w.centre + w.standing * w.b;
    from = {lanes(c.x()), lanes(c.y()), lanes(c.z())};
    const auto component = [&](int i) { return along * w.n[i] + down * w.b[i]; };
    d = {component(0), component(1), component(2)};
    u = along, t = down;
  }
  /// How deep the points at s lie: min(R - s, f - z).
  Lanes depth(Lanes s, Lanes height) const { return min(radius - s, height - (from.z + s * d.z)); }

  double radius;
  V3<Lanes> from, d;
  Lanes u, t;  ///< along n and b
};

/// Any number of points of all feelers in one call of the terrain.
class FeelerRow {
 public:
  FeelerRow(const Terrain& terrain, const Feelers& f) : terrain_(terrain), f_(f) {}
  void look(int steps, double step) {
    for (int i = 0; i <= steps; ++i) {
      const double s = i * step;
      store(&x_[kLanes * i], f_.from.x + s * f_.d.x);
      store(&y_[kLanes * i], f_.from.y + s * f_.d.y);
    }
    sample(kLanes * (steps + 1));
  }
  Lanes depth(int i, double step) const { return f_.depth(lanes(i * step), load(&z_[kLanes * i])); }
  Lanes depth_at(Lanes s) {
    store(x_.data(), f_.from.x + s * f_.d.x);
    store(y_.data(), f_.from.y + s * f_.d.y);
    sample(kLanes);
    return f_.depth(s, load(z_.data()));
  }

 private:
  void sample(int count) {
    terrain_.sample({count, x_.data(), y_.data(), z_.data(), slope_x_.data(), slope_y_.data()});
  }
  const Terrain& terrain_;
  const Feelers& f_;
  std::array<double, kLanes*(kMostSteps + 1)> x_, y_, z_, slope_x_, slope_y_;
};

/// The same on a grid, without a call.
class GridFeelers {
 public:
  GridFeelers(const GridView& grid, const Feelers& f) : grid_(grid), f_(f) {}
  void look(int, double) const {}
  Lanes depth(int i, double step) const { return depth_at(lanes(i * step)); }
  Lanes depth_at(Lanes s) const {
    return f_.depth(s, grid_.bilinear(f_.from.x + s * f_.d.x, f_.from.y + s * f_.d.y).z);
  }

 private:
  const GridView& grid_;
  const Feelers& f_;
};

/// The level normal of the face where a feeler enters the ground, before s.
Vec2 way_out(const Terrain& terrain, const Feelers& f, int lane, double s, double step) {
  const auto at = [&](double way) {
    return terrain.at(f.from.x[lane] + way * f.d.x[lane], f.from.y[lane] + way * f.d.y[lane]);
  };
  const auto inside = [&](double way) { return at(way).z > f.from.z[lane] + way * f.d.z[lane]; };
  double in = s, out = s;
  while (out > 0 && inside(out)) in = out, out = std::max(out - step, 0.0);
  for (int i = 0; i < kEntryHalves && out < in; ++i) {
    const double middle = 0.5 * (in + out);
    (inside(middle) ? in : out) = middle;
  }
  const TerrainPoint face = at(in);
  const double steep = maths::hypot(face.slope_x, face.slope_y);
  return steep > kSteepFace ? Vec2(-face.slope_x / steep, -face.slope_y / steep) : Vec2::Zero();
}

/// How far down feelers reach.
template <class Plane>
auto lowest(const Plane& w) {
  return w.centre[2] + w.standing * w.b[2] - w.radius * (abs(w.n[2]) + (kWallRise / kSlant) * abs(w.b[2]));
}

template <class Row>
RimWall find_wall(const Terrain& terrain, const RimPlane& w, const Feelers& f, Row&& row, double feature,
                  double slope_bound) {
  const double wanted = feature > 0 ? 4 * w.radius / feature : 0;
  const int steps = static_cast<int>(std::clamp<double>(wanted, kFewestSteps, kMostSteps));
  const double step = w.radius / steps;
  row.look(steps, step);
  Lanes best = lanes(-infinity), at{};
  const auto keep = [&](Lanes s, Lanes depth) { at = select(depth > best, s, at), best = max(best, depth); };
  for (int i = 0; i <= steps; ++i) keep(lanes(i * step), row.depth(i, step));
  // Along a feeler of unit length the depth changes no faster than the ground rises and the feeler falls.
  const double steepest = 1 + slope_bound;
  if (all(best + steepest * step < Lanes{})) return {};
  // Between the looks beside the deepest the depth rises to one top: the ground's, or where R - s meets it.
  Lanes low = max(at - step, Lanes{}), high = min(at + step, lanes(w.radius));
  Lanes left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  Lanes on_left = row.depth_at(left), on_right = row.depth_at(right);
  keep(left, on_left), keep(right, on_right);
  for (int i = 0; i < kSections; ++i) {
    if (all(best + steepest * (high - low) < Lanes{})) return {};
    const Mask lower = on_left >= on_right;
    high = select(lower, right, high), low = select(lower, low, left);
    const Lanes next = select(lower, high - kGolden * (high - low), low + kGolden * (high - low));
    const Lanes depth = row.depth_at(next);
    keep(next, depth);
    const Lanes kept = select(lower, left, right), kept_depth = select(lower, on_left, on_right);
    left = select(lower, next, kept), on_left = select(lower, depth, kept_depth);
    right = select(lower, kept, next), on_right = select(lower, kept_depth, depth);
  }
  int k = 0;
  for (int i = 1; i < kLanes; ++i)
    if (best[i] > best[k]) k = i;
  if (!(best[k] > 0)) return {};
  const Vec2 out = way_out(terrain, f, k, at[k], step);
  return {best[k], at[k] * f.u[k], w.standing + at[k] * f.t[k], out.x(), out.y()};
}

}  // namespace

double lowest_feeler(const RimPlane& w) { return lowest(w); }
Lanes lowest_feelers(const RimPlanes& w) { return lowest(w); }

RimWall find_wall(const Terrain& terrain, const RimPlane& w, double feature, double slope_bound) {
  const Feelers f(w);
  if (const GridView* grid = terrain.bilinear_view())
    return find_wall(terrain, w, f, GridFeelers(*grid, f), feature, slope_bound);
  return find_wall(terrain, w, f, FeelerRow(terrain, f), feature, slope_bound);
}

}  // namespace scree
