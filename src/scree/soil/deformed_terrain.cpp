#include "scree/soil/deformed_terrain.hpp"

#include <fmt/format.h>

namespace scree {

void DeformedTerrain::sample(const TerrainRow& row) const {
  base_->sample(row);
  if (!tiles_.active() || tiles_.entries().empty()) return;
  const double half = 0.5 * tiles_.cell();
  for (int k = 0; k < row.count; ++k) {
    const double x = row.x[k], y = row.y[k];
    row.z[k] += soil_offset(tiles_, x, y);
    row.slope_x[k] += (soil_offset(tiles_, x + half, y) - soil_offset(tiles_, x - half, y)) / (2 * half);
    row.slope_y[k] += (soil_offset(tiles_, x, y + half) - soil_offset(tiles_, x, y - half)) / (2 * half);
  }
}

std::string DeformedTerrain::summary() const {
  return fmt::format("{}, with {} tiles of deformed soil, cell {:g} m", base_->summary(),
                     tiles_.pressed().size(), tiles_.cell());
}

std::vector<Rectangle> DeformedTerrain::show(const SoilTiles& tiles) {
  std::vector<Rectangle> changed;
  const double size = kTileSide * tiles.cell();
  const auto add = [&](TilePlace p) {
    // Bilinear: a cell reaches as far as its neighbours.
    const double reach = tiles.cell();
    changed.push_back(
        {p.x * size - reach, (p.x + 1) * size + reach, p.y * size - reach, (p.y + 1) * size + reach});
  };
  for (const auto& e : tiles.entries())
    if (tiles_.find(e.place) != e.tile.get()) add(e.place);
  for (const auto& e : tiles_.entries())
    if (tiles.find(e.place) == nullptr) add(e.place);
  if (!changed.empty() || !tiles_.active()) tiles_ = tiles;
  return changed;
}

}  // namespace scree
