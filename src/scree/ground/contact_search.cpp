#include "scree/ground/contact_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "scree/ground/look_search.hpp"
#include "scree/ground/profile_search.hpp"
#include "scree/ground/wall_search.hpp"

namespace scree {
namespace {

constexpr double kFine = 0.5;     // of the radius: features smaller than this are looked for one by one
constexpr double kUpright = 0.1;  // b_z below this: the suspension runs along the ground

double largest(Lanes x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

RimPlane plane_of(const WheelPlanes& w, int k, double standing) {
  const Vec3 c(w.centre.x[k], w.centre.y[k], w.centre.z[k]), n(w.n.x[k], w.n.y[k], w.n.z[k]);
  const Vec3 b(w.b.x[k], w.b.y[k], w.b.z[k]);
  return {c, n, b.cross(n), b, w.radius[k], standing};
}

bool is_gentle(double slope_bound, double feature, double radius) {
  return slope_bound < kGentle && !(feature > 0 && feature < kFine * radius);
}

/// What is known of the ground under one wheel.
struct Under {
  double slope_bound, feature;
  bool gentle;
  const PlacedProfile* ground;  ///< what it is; null: unknown
};

/// Of each wheel that is not on level ground.
class UnderWheels {
 public:
  UnderWheels(const RimGround& g, const WheelPlanes& w, const RimReach& reach)
      : g_(g),
        radius_(w.radius),
        x0_(w.centre.x + reach.least(w.n.x, w.b.x)),
        x1_(w.centre.x + reach.most(w.n.x, w.b.x)),
        y0_(w.centre.y + reach.least(w.n.y, w.b.y)),
        y1_(w.centre.y + reach.most(w.n.y, w.b.y)) {}
  Under at(int k, const NearPlaces::Place* place) const {
    const Rectangle area{x0_[k], x1_[k], y0_[k], y1_[k]};
    if (place && !is_gentle(place->slope_bound, place->feature, radius_[k]))
      return {place->slope_bound, place->feature, false, &place->ground};
    const double feature = g_.terrain->finest_feature(area), slope = g_.terrain->slope_bound(area);
    return {slope, feature, is_gentle(slope, feature, radius_[k]), nullptr};
  }

 private:
  const RimGround& g_;
  Lanes radius_, x0_, x1_, y0_, y1_;
};

void copy_lane(WheelContacts& out, int to, const RimContact& c, const RimWall& wall) {
  out.h[to] = c.h;
  out.sine[to] = c.sine;
  out.cosine[to] = std::sqrt(1 - c.sine * c.sine);
  out.slope_x[to] = c.slope_x, out.slope_y[to] = c.slope_y;
  out.wall[to] = wall.depth, out.wall_u[to] = wall.u, out.wall_t[to] = wall.t;
  out.wall_x[to] = wall.x, out.wall_y[to] = wall.y;
}

/// A wall, if the ground can reach one: none near the rim is higher than `highest`.
RimWall wall_near(const RimGround& g, const RimPlane& plane, const Under& under, double highest) {
  if (!(plane.standing < RimReach::kUp * plane.radius)) return {};
  const double least = lowest_feeler(plane);
  if (!(highest > least)) return {};
  return find_wall(*g.terrain, plane, under.feature, under.slope_bound);
}

RimContact search_steep(const RimGround& g, const RimPlane& plane, int k, const Under& under) {
  if (const GridView* grid = g.terrain->bilinear_view())
    return search_cells(*grid, plane, g.memo ? g.memo + k : nullptr);
  if (under.ground)
    if (const auto c = search_profile(*g.terrain, *under.ground, plane)) return *c;
  return search_looks_along(*g.terrain, plane, under.feature, under.slope_bound);
}

/// A wheel that the slices are not for.
void search_one(const RimGround& g, const WheelPlanes& wheels, int k, double standing, const Under& under,
                WheelContacts& out) {
  if (!(wheels.b.z[k] > kUpright)) {
    copy_lane(out, k, {}, {});
    out.valid[k] = 0;
    out.buried[k] = 0;
    return;
  }
  const RimPlane plane = plane_of(wheels, k, standing);
  const RimContact c = search_steep(g, plane, k, under);
  copy_lane(out, k, c, wall_near(g, plane, under, c.highest));
  out.valid[k] = c.found ? -1 : 0;
  // Deep inside the ground there is no contact to be found; how deep is known.
  out.buried[k] =
      c.found ? 0 : std::max(g.terrain->height(plane.centre.x(), plane.centre.y()) - plane.centre.z(), 0.0);
}

/// Wheels that the slices are for. `level`: heights of the ground under each, where it is level; null: it is
/// not.
WheelContacts search_gentle(const RimGround& g, const WheelPlanes& wheels, double slope_bound,
                            const Lanes* level) {
  const int looks = search_looks(slope_bound);
  const WheelSlopes* slopes =
      g.slopes && !g.slices_only ? g.slopes->under(*g.terrain, wheels, slope_bound) : nullptr;
  WheelContacts out = search_slices(*g.terrain, *g.slices, wheels, slope_bound, looks, slopes, level);
  if ((slopes || level) && !NearSlopes::holds(wheels, out.h))
    out = search_slices(*g.terrain, *g.slices, wheels, slope_bound, looks);
  return out;
}

}  // namespace

WheelContacts find_contacts(const RimGround& g, const WheelPlanes& wheels, Lanes standing, int count) {
  const bool all_gentle = g.slices_only || is_gentle(g.slope_bound, g.feature, largest(wheels.radius));
  if (all_gentle && (g.slices_only || !g.places || g.slope_bound > 0))
    return search_gentle(g, wheels, g.slope_bound, nullptr);
  const RimReach reach(wheels, standing);
  NearPlaces::Found found{};
  if (g.places && !g.terrain->bilinear_view()) found = g.places->under(*g.terrain, wheels, reach);
  if (lane::all(found.level)) return search_gentle(g, wheels, 0, &found.z);
  const UnderWheels near(g, wheels, reach);
  Under under[kLanes];
  double steepest = 0;
  int gentle = 0, level = 0;
  for (int k = 0; k < count; ++k) {
    Under& u = under[k];
    u.gentle = found.level[k];
    level += u.gentle;
    if (!u.gentle) {
      u = near.at(k, found.on[k]);
      if (u.gentle) steepest = std::max(steepest, u.slope_bound);
    }
    gentle += u.gentle;
  }
  WheelContacts out{};
  if (gentle > 0) {
    // Wheels that are searched for below may stand on any level ground here: about where they did.
    const Lanes z = lane::select(found.level, found.z, wheels.centre.z - wheels.radius + wheels.guess);
    out = search_gentle(g, wheels, steepest, gentle == level ? &z : nullptr);
  }
  for (int k = 0; k < count; ++k)
    if (!under[k].gentle) search_one(g, wheels, k, standing[k], under[k], out);
  // Idle lanes repeat the first.
  for (int k = count; k < kLanes; ++k) {
    out.h[k] = out.h[0], out.sine[k] = out.sine[0], out.cosine[k] = out.cosine[0];
    out.slope_x[k] = out.slope_x[0], out.slope_y[k] = out.slope_y[0];
    out.wall[k] = out.wall[0], out.wall_u[k] = out.wall_u[0], out.wall_t[k] = out.wall_t[0];
    out.wall_x[k] = out.wall_x[0], out.wall_y[k] = out.wall_y[0];
    out.valid[k] = out.valid[0], out.buried[k] = out.buried[0];
  }
  return out;
}

}  // namespace scree
