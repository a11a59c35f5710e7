#pragma once
/// The makers behind terrain_kinds(): each is defined in the file of its kind.
#include "scree/terrain/make.hpp"

namespace scree {

TerrainPtr make_flat(Section&, const MakeContext&);
TerrainPtr make_grid(Section&, const MakeContext&);
TerrainPtr make_function(Section&, const MakeContext&);
TerrainPtr make_sines(Section&, const MakeContext&);
TerrainPtr make_ramp(Section&, const MakeContext&);
TerrainPtr make_bump(Section&, const MakeContext&);
TerrainPtr make_step(Section&, const MakeContext&);
TerrainPtr make_trench(Section&, const MakeContext&);
TerrainPtr make_stairs(Section&, const MakeContext&);
TerrainPtr make_fbm_kind(Section&, const MakeContext&);
TerrainPtr make_noise(Section&, const MakeContext&);
TerrainPtr make_craters(Section&, const MakeContext&);
TerrainPtr make_rocks(Section&, const MakeContext&);
TerrainPtr make_step_field(Section&, const MakeContext&);
TerrainPtr make_compose(Section&, const MakeContext&);
TerrainPtr make_image(Section&, const MakeContext&);
TerrainPtr make_dem(Section&, const MakeContext&);
TerrainPtr make_mesh(Section&, const MakeContext&);
TerrainPtr make_points(Section&, const MakeContext&);

}  // namespace scree
