#pragma once
/// Four points of a terrain side by side: what the contact search and the hull ask for.
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// Any terrain, by a row of four points.
struct RowSampler {
  const Terrain& terrain;
  LanesPoint operator()(Lanes x, Lanes y) const {
    alignas(32) double px[kLanes], py[kLanes], z[kLanes], gx[kLanes], gy[kLanes];
    lane::store(px, x);
    lane::store(py, y);
    terrain.sample({kLanes, px, py, z, gx, gy});
    return {lane::load(z), lane::load(gx), lane::load(gy)};
  }
};

/// A bilinear grid, without a call.
struct GridSampler {
  const GridView& view;
  LanesPoint operator()(Lanes x, Lanes y) const { return view.bilinear(x, y); }
};

/// Calls `use` with the sampler that suits the terrain.
template <class Use>
inline auto with_sampler(const Terrain& terrain, const Use& use) {
  if (const GridView* view = terrain.bilinear_view()) return use(GridSampler{*view});
  return use(RowSampler{terrain});
}

}  // namespace scree
