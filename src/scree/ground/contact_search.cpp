#include "scree/ground/contact_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "scree/ground/look_search.hpp"
#include "scree/ground/profile_search.hpp"
#include "scree/ground/wall_search.hpp"

namespace scree {
namespace {

constexpr double kUpright = 0.1;  // b_z below this: the suspension runs along the ground

double largest(Lanes x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

RimPlanes planes_of(const WheelPlanes& w, Lanes standing) {
  const auto part = [](const V3<Lanes>& v) { return std::array{v.x, v.y, v.z}; };
  return {part(w.centre), part(w.n), part(cross(w.b, w.n)), part(w.b), w.radius, standing};
}

/// What is known of the ground under one wheel.
struct Under {
  double slope_bound, feature;
  bool gentle;
  const PlacedProfile* ground;  ///< what it is; null: unknown
};

Under under_of(const NearPlaces::Place& place) {
  return {place.slope_bound, place.feature, false, place.ground.profile ? &place.ground : nullptr};
}

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
  Under at(int k) const {
    const Rectangle area{x0_[k], x1_[k], y0_[k], y1_[k]};
    const double feature = g_.terrain->finest_feature(area), slope = g_.terrain->slope_bound(area);
    return {slope, feature, is_gentle(slope, feature, radius_[k]), nullptr};
  }

 private:
  const RimGround& g_;
  Lanes radius_, x0_, x1_, y0_, y1_;
};

/// Wheels of which it is known that they have no contact, or which; without walls.
void put(WheelContacts& out, Mask wanted, const RimContacts& c) {
  using namespace lane;
  const auto set = [wanted](Lanes& to, Lanes x) { to = select(wanted, x, to); };
  set(out.h, c.h), set(out.sine, c.sine), set(out.cosine, sqrt(1.0 - c.sine * c.sine));
  set(out.slope_x, c.slope_x), set(out.slope_y, c.slope_y);
  for (Lanes* to : {&out.wall, &out.wall_u, &out.wall_t, &out.wall_x, &out.wall_y, &out.buried})
    set(*to, Lanes{});
  out.valid = (out.valid & ~wanted) | (c.found & wanted);
}

void put_wall(WheelContacts& out, int k, const RimWall& wall) {
  out.wall[k] = wall.depth, out.wall_u[k] = wall.u, out.wall_t[k] = wall.t;
  out.wall_x[k] = wall.x, out.wall_y[k] = wall.y;
}

RimContact search_one(const RimGround& g, const GridView* grid, const RimPlane& plane, const Under& under) {
  if (grid) return search_cells(*grid, plane);
  if (under.ground)
    if (const auto c = search_profile(*g.terrain, *under.ground, plane)) return *c;
  return search_looks_along(*g.terrain, plane, under.feature, under.slope_bound);
}

/// `under(k)`: what is under wheel k.
template <class UnderOf>
RimContacts search_steep(const RimGround& g, const RimPlanes& planes, int wanted, const UnderOf& under) {
  const GridView* grid = g.terrain->bilinear_view();
  if (grid && g.memo) return search_cells(*grid, planes, wanted, g.memo);
  RimContacts out{};
  for (int k = 0; k < kLanes; ++k) {
    if ((wanted >> k & 1) == 0) continue;
    out.put(k, search_one(g, grid, planes.lane(k), under(k)));
  }
  return out;
}

/// Wheels that the slices are not for.
template <class UnderOf>
inline void search_closely(const RimGround& g, const WheelPlanes& wheels, Lanes standing, Mask wanted,
                           const UnderOf& under, WheelContacts& out) {
  using namespace lane;
  const Mask upright = wanted & (wheels.b.z > lanes(kUpright));
  const RimPlanes planes = planes_of(wheels, standing);
  const RimContacts found = any(upright) ? search_steep(g, planes, sign_bits(upright), under) : RimContacts{};
  put(out, wanted, found);
  // A wall, if the ground can reach one.
  Mask walled =
      upright & (standing < RimReach::kUp * wheels.radius) & (found.highest > lowest_feelers(planes));
  const GridView* grid = g.places && any(walled) ? g.terrain->bilinear_view() : nullptr;
  if (grid) walled = g.places->walls.near(*grid, planes, walled);
  const Mask odd = walled | (upright & ~found.found);
  if (!any(odd)) return;
  for (int k = 0; k < kLanes; ++k) {
    if (!odd[k]) continue;
    const RimPlane plane = planes.lane(k);
    if (walled[k]) {
      const Under u = under(k);
      put_wall(out, k, find_wall(*g.terrain, plane, u.feature, u.slope_bound));
    }
    // Deep inside the ground there is no contact to be found; how deep is known.
    if (!found.found[k])
      out.buried[k] = std::max(g.terrain->height(plane.centre.x(), plane.centre.y()) - plane.centre.z(), 0.0);
  }
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

/// Four wheels of which it is kept that the slices are for none.
WheelContacts search_all_closely(const RimGround& g, const WheelPlanes& wheels, Lanes standing,
                                 const NearPlaces::Place* place) {
  WheelContacts out{};
  search_closely(
      g, wheels, standing, Mask{-1, -1, -1, -1}, [place](int k) { return under_of(place[k]); }, out);
  return out;
}

/// Each with the search that is for it.
WheelContacts search_each(const RimGround& g, const WheelPlanes& wheels, const RimReach& reach,
                          Lanes standing, int count, const NearPlaces::Found& found) {
  const UnderWheels near(g, wheels, reach);
  Under under[kLanes];
  double steepest = 0;
  bool gentle = false, all_level = true;  // of those that the slices are for
  Mask closely{};
  for (int k = 0; k < count; ++k) {
    if (found.level[k]) {
      gentle = true;
      continue;
    }
    const Under& u = under[k] = found.closely[k] ? under_of(*found.on(k)) : near.at(k);
    closely[k] = u.gentle ? 0 : -1;
    if (u.gentle) steepest = std::max(steepest, u.slope_bound), gentle = true, all_level = false;
  }
  WheelContacts out{};
  if (gentle) {
    // Wheels that are searched for below may stand on any level ground here: about where they did.
    const Lanes z = lane::select(found.level, found.z, wheels.centre.z - wheels.radius + wheels.guess);
    out = search_gentle(g, wheels, steepest, all_level ? &z : nullptr);
  }
  if (lane::any(closely))
    search_closely(
        g, wheels, standing, closely, [&under](int k) { return under[k]; }, out);
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

}  // namespace

WheelContacts find_contacts(const RimGround& g, const WheelPlanes& wheels, Lanes standing, int count) {
  const bool all_gentle = g.slices_only || is_gentle(g.slope_bound, g.feature, largest(wheels.radius));
  if (all_gentle && (g.slices_only || !g.places || g.slope_bound > 0))
    return search_gentle(g, wheels, g.slope_bound, nullptr);
  const RimReach reach(wheels, standing);
  const NearPlaces::Found found = g.places ? g.places->under(*g.terrain, wheels, reach) : NearPlaces::Found{};
  if (lane::all(found.level)) return search_gentle(g, wheels, 0, &found.z);
  if (count == kLanes && lane::all(found.closely))
    return search_all_closely(g, wheels, standing, found.place);
  return search_each(g, wheels, reach, standing, count, found);
}

}  // namespace scree
