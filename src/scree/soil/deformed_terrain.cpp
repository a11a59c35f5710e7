#include "scree/soil/deformed_terrain.hpp"

#include <fmt/format.h>

#include "scree/terrain/flat.hpp"

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

SoilTiles blend_soil(const SoilTiles& before, const SoilTiles& after, double part) {
  const Flat none;  // tiles are there: nothing is made from it
  const auto between = [&](std::int32_t a, std::int32_t b) {
    return a + static_cast<std::int32_t>(part * static_cast<double>(b - a));
  };
  SoilTiles out = after;
  for (const SoilTiles::Entry& e : after.entries()) {
    const SoilTile* old = before.find(e.place);
    if (old == e.tile.get()) continue;
    SoilTile& tile = out.edit(e.place, none);
    for (std::size_t k = 0; k < kTileCells; ++k) {
      tile.sunk[k] = between(old ? old->sunk[k] : 0, e.tile->sunk[k]);
      tile.loose[k] = between(old ? old->loose[k] : 0, e.tile->loose[k]);
      if (part < 0.5) tile.lug[k] = old ? old->lug[k] : std::uint8_t{0};
    }
  }
  return out;
}

}  // namespace scree
