#pragma once
/// What `craters` and `rocks` have in common as kinds of ground: things asked one by one, or on a grid.
#include "scree/terrain/extent.hpp"
#include "scree/terrain/function.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/strewn.hpp"

namespace scree {

struct StrewnOptions {
  bool sampled = true;
  GridOptions grid;
};

inline void describe(Section& s, StrewnOptions& x) {
  s.boolean(
      "sampled", x.sampled,
      {.unit = "-", .doc = "On a grid of their own (fast), or asked one by one (exact, little memory)"});
  describe(s, x.grid);
}

template <class Thing>
TerrainPtr strewn_ground(std::vector<Thing> things, const GridGeometry& geometry, const StrewnOptions& x,
                         int threads) {
  auto strewn = std::make_unique<Strewn<Thing>>(x.grid.name, geometry.bounds(), std::move(things));
  if (!x.sampled) return strewn;
  return std::make_unique<Grid>(sampled_field(geometry, *strewn, threads), x.grid);
}

}  // namespace scree
