#include "scree/ground/contact_search.hpp"

#include <cmath>

#include "scree/ground/look_search.hpp"
#include "scree/ground/rim_search.hpp"

namespace scree {
namespace {

constexpr double kFine = 0.5;     // of the radius: features smaller than this are looked for one by one
constexpr double kUpright = 0.1;  // b_z below this: the suspension runs along the ground

RimPlane plane_of(const WheelPlanes& w, int k, double standing) {
  const Vec3 c(w.centre.x[k], w.centre.y[k], w.centre.z[k]), n(w.n.x[k], w.n.y[k], w.n.z[k]);
  const Vec3 b(w.b.x[k], w.b.y[k], w.b.z[k]);
  return {c, n, b.cross(n), b, w.radius[k], standing};
}

bool is_gentle(const RimGround& g, double radius) {
  const double feature = g.terrain->finest_feature();
  return g.slope_bound < kGentle && !(feature > 0 && feature < kFine * radius);
}

}  // namespace

WheelContacts find_contacts(const RimGround& g, const WheelPlanes& wheels, Lanes standing, int count) {
  if (g.slices_only || is_gentle(g, wheels.radius[0])) {
    return search_slices(*g.terrain, *g.slices, wheels, g.slope_bound, g.looks);
  }
  const GridView* grid = g.terrain->bilinear_view();
  WheelContacts out{};
  for (int k = 0; k < kLanes; ++k) {
    const int from = k < count ? k : 0;  // idle lanes repeat the first
    RimContact c;
    if (k == from && wheels.b.z[k] > kUpright) {
      const RimPlane plane = plane_of(wheels, k, standing[k]);
      c = grid ? search_cells(*grid, plane)
               : search_looks_along(*g.terrain, plane, g.terrain->finest_feature(), g.slope_bound);
      out.h[k] = c.h;
      out.sine[k] = c.sine;
      out.cosine[k] = std::sqrt(1 - c.sine * c.sine);
      out.slope_x[k] = c.slope_x, out.slope_y[k] = c.slope_y;
      out.wall[k] = c.wall, out.wall_u[k] = c.wall_u, out.wall_t[k] = c.wall_t;
      out.wall_x[k] = c.wall_x, out.wall_y[k] = c.wall_y;
      const double facing = plane.b.z() - c.slope_x * plane.b.x() - c.slope_y * plane.b.y();
      out.valid[k] = c.found && facing > 0 ? -1 : 0;
      // Deep inside the ground there is no contact to be found; how deep is known.
      out.buried[k] =
          c.found ? 0
                  : std::max(g.terrain->height(plane.centre.x(), plane.centre.y()) - plane.centre.z(), 0.0);
    } else {
      out.h[k] = out.h[from], out.sine[k] = out.sine[from], out.cosine[k] = out.cosine[from];
      out.slope_x[k] = out.slope_x[from], out.slope_y[k] = out.slope_y[from];
      out.wall[k] = out.wall[from], out.wall_u[k] = out.wall_u[from], out.wall_t[k] = out.wall_t[from];
      out.wall_x[k] = out.wall_x[from], out.wall_y[k] = out.wall_y[from];
      out.valid[k] = k == from ? 0 : out.valid[from];
      out.buried[k] = out.buried[from];
    }
  }
  return out;
}

}  // namespace scree
