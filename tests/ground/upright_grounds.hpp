#pragma once
/// Grids with steep and upright sides beside ground that is clear.
#include <memory>
#include <utility>
#include <vector>

#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree::testing {

/// Rocks of all sizes, and blocks with upright sides.
inline std::vector<std::unique_ptr<const Terrain>> upright_grounds() {
  std::vector<std::unique_ptr<const Terrain>> out;
  out.push_back(
      terrain_of("kind = \"rocks\"\nsize = [6, 6]\ncell = 0.02\ncover = 0.3\nsmallest = 0.08\nlargest = "
                 "0.6\nseed = 4\n"));
  HeightField field = make_field(GridGeometry::spanning(251, 251, {-2.5, 2.5, -2.5, 2.5}), "blocks");
  for (int j = 0; j < 251; ++j)
    for (int i = 0; i < 251; ++i) field.at(i, j) = 0.1f * static_cast<float>((i / 17 + j / 13) % 3);
  out.push_back(std::make_unique<Grid>(std::move(field)));
  return out;
}

}  // namespace scree::testing
