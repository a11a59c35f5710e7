#include "scree/terrain/make.hpp"

#include "scree/terrain/kinds.hpp"

namespace scree {

const std::vector<TerrainKind>& terrain_kinds() {
  static const std::vector<TerrainKind> kinds = {
      {"flat", "level or evenly sloping ground", make_flat},
      {"grid", "elevation matrix in a text file", make_grid},
      {"image", "grey height image: PNG, BMP, TIFF, JPEG, 8 or 16 bit", make_image},
      {"dem", "digital elevation model: whatever GDAL reads", make_dem},
      {"mesh", "regular text mesh, or Wavefront OBJ resampled to a grid", make_mesh},
      {"points", "laser scan: XYZ, CSV or PLY points, gridded", make_points},
      {"function", "an expression in x and y, exact or sampled onto a grid", make_function},
      {"sines", "a sin(2 pi x / lx) cos(2 pi y / ly), exact", make_sines},
      {"ramp", "level ground, a ramp with rounded ends, a plateau", make_ramp},
      {"bump", "one hump (or dip), round or as a sill", make_bump},
      {"step", "one step up or down with a finite edge", make_step},
      {"trench", "a ditch across the way", make_trench},
      {"stairs", "a flight of stairs and a landing", make_stairs},
      {"fbm", "fractional Brownian ground from H and sigma, seeded", make_fbm_kind},
      {"noise", "random humps of one size, seeded", make_noise},
      {"craters", "craters with a size-frequency law, seeded", make_craters},
      {"rocks", "rocks with a size-frequency law, seeded", make_rocks},
      {"step_field", "a floor of square posts of random heights, seeded", make_step_field},
      {"compose", "a base and any number of features placed, turned and blended on it", make_compose},
  };
  return kinds;
}

void describe_seed(Section& s, std::uint64_t& seed) {
  s.unsigned_integer("seed", seed,
                     {.unit = "-", .doc = "Default: the scenario's seed", .range = not_negative()});
}

TerrainPtr make_terrain(Section& section, const MakeContext& context) {
  std::vector<std::string> names;
  for (const TerrainKind& kind : terrain_kinds()) names.push_back(kind.name);
  std::string name = "flat";
  section.choice("kind", name, names, {.unit = "-", .doc = "Kind of ground", .required = true});
  section.ignore("friction");
  section.ignore("soil");
  for (const TerrainKind& kind : terrain_kinds()) {
    if (kind.name != name) continue;
    try {
      TerrainPtr terrain = kind.make(section, context);
      section.finish();
      return terrain;
    } catch (const InputError& error) {
      section.rethrow(error);  // makers and readers know their numbers, not whose they are
    }
  }
  section.fail("kind", "unknown kind of ground");
}

Reference terrain_reference(const TerrainKind& kind, const std::string& path) {
  Reference reference;
  Section section = Section::for_reference(reference, path);
  kind.make(section, {});
  return reference;
}

}  // namespace scree
