#pragma once
/// Four points of a terrain side by side: what the contact search and the hull ask for.
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// Any terrain, by a row of four points. Throws GroundError where the ground is not a finite number; a grid
/// is checked once, when it is built.
struct RowSampler {
  const Terrain& terrain;
  LanesPoint operator()(Lanes x, Lanes y) const {
    alignas(32) double px[kLanes], py[kLanes], z[kLanes], gx[kLanes], gy[kLanes];
    lane::store(px, x);
    lane::store(py, y);
    const TerrainRow row{kLanes, px, py, z, gx, gy};
    terrain.sample(row);
    const LanesPoint p{lane::load(z), lane::load(gx), lane::load(gy)};
    // x * 0 is 0 for every finite x and NaN otherwise.
    if (!lane::all((p.z + p.slope_x + p.slope_y) * 0.0 == Lanes{})) refuse(row);
    return p;
  }
  /// Throws at the first point that is not finite; a sum that only overflowed is let pass.
  void refuse(const TerrainRow& row) const;
};

/// A bilinear grid, without a call.
struct GridSampler {
  const GridView& view;
  LanesPoint operator()(Lanes x, Lanes y) const { return view.bilinear(x, y); }
};

/// A smooth one.
struct SmoothSampler {
  const GridView& view;
  LanesPoint operator()(Lanes x, Lanes y) const { return view.smooth(x, y); }
};

/// Calls `use` with the sampler that suits the terrain.
template <class Use>
inline auto with_sampler(const Terrain& terrain, const Use& use) {
  if (const GridView* view = terrain.bilinear_view()) return use(GridSampler{*view});
  return use(RowSampler{terrain});
}

}  // namespace scree
