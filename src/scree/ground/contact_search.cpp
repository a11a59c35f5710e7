#include "scree/ground/contact_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/ground/look_search.hpp"
#include "scree/ground/wall_search.hpp"

namespace scree {
namespace {

constexpr double kFine = 0.5;       // of the radius: features smaller than this are looked for one by one
constexpr double kUpright = 0.1;    // b_z below this: the suspension runs along the ground
constexpr double kReachDown = 1.5;  // of the radius: ground further below the hub is no contact
constexpr double kReachUp = 3;      // of the radius: ground further above it is not looked for

double largest(Lanes x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

RimPlane plane_of(const WheelPlanes& w, int k, double standing) {
  const Vec3 c(w.centre.x[k], w.centre.y[k], w.centre.z[k]), n(w.n.x[k], w.n.y[k], w.n.z[k]);
  const Vec3 b(w.b.x[k], w.b.y[k], w.b.z[k]);
  return {c, n, b.cross(n), b, w.radius[k], standing};
}

bool is_gentle(double slope_bound, double feature, double radius) {
  return slope_bound < kGentle && !(feature > 0 && feature < kFine * radius);
}

/// The ground that a wheel may touch: that under its rim, raised by its standing displacement or lowered by
/// the clearance within which a contact counts.
Rectangle under_rim(const WheelPlanes& w, int k, double standing) {
  const double R = w.radius[k], low = -kReachDown * R, high = std::min(standing, kReachUp * R);
  const auto range = [&](double centre, double n, double b) {
    return std::pair(centre - std::abs(n) * R + std::min(b * low, b * high),
                     centre + std::abs(n) * R + std::max(b * low, b * high));
  };
  const auto [x0, x1] = range(w.centre.x[k], w.n.x[k], w.b.x[k]);
  const auto [y0, y1] = range(w.centre.y[k], w.n.y[k], w.b.y[k]);
  return {x0, x1, y0, y1};
}

/// What is known of the ground under one wheel.
struct Under {
  Rectangle area;
  double slope_bound, feature;
  bool gentle;
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
  if (!(plane.standing < kReachUp * plane.radius)) return {};
  const double least = lowest_feeler(plane);
  if (!(highest > least)) return {};
  return find_wall(*g.terrain, plane, under.feature, under.slope_bound);
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
  const GridView* grid = g.terrain->bilinear_view();
  const RimContact c = grid ? search_cells(*grid, plane, g.memo ? g.memo + k : nullptr)
                            : search_looks_along(*g.terrain, plane, under.feature, under.slope_bound);
  copy_lane(out, k, c, wall_near(g, plane, under, c.highest));
  out.valid[k] = c.found ? -1 : 0;
  // Deep inside the ground there is no contact to be found; how deep is known.
  out.buried[k] =
      c.found ? 0 : std::max(g.terrain->height(plane.centre.x(), plane.centre.y()) - plane.centre.z(), 0.0);
}

/// Wheels that the slices are for.
WheelContacts search_gentle(const RimGround& g, const WheelPlanes& wheels, double slope_bound) {
  const int looks = search_looks(slope_bound);
  const WheelSlopes* slopes =
      g.slopes && !g.slices_only ? g.slopes->under(*g.terrain, wheels, slope_bound) : nullptr;
  WheelContacts out = search_slices(*g.terrain, *g.slices, wheels, slope_bound, looks, slopes);
  if (slopes && !NearSlopes::holds(wheels, out.h))
    out = search_slices(*g.terrain, *g.slices, wheels, slope_bound, looks);
  return out;
}

}  // namespace

WheelContacts find_contacts(const RimGround& g, const WheelPlanes& wheels, Lanes standing, int count) {
  if (g.slices_only || is_gentle(g.slope_bound, g.feature, largest(wheels.radius)))
    return search_gentle(g, wheels, g.slope_bound);
  Under under[kLanes];
  double steepest = 0;
  int gentle = 0;
  for (int k = 0; k < count; ++k) {
    Under& u = under[k];
    u.area = under_rim(wheels, k, standing[k]);
    u.feature = g.terrain->finest_feature(u.area), u.slope_bound = g.terrain->slope_bound(u.area);
    u.gentle = is_gentle(u.slope_bound, u.feature, wheels.radius[k]);
    if (u.gentle) steepest = std::max(steepest, u.slope_bound), ++gentle;
  }
  WheelContacts out{};
  if (gentle > 0) out = search_gentle(g, wheels, steepest);
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
