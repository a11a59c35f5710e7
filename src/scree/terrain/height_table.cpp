#include "scree/terrain/height_table.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

constexpr int kHeightTile = HeightTable::kTileCells;

int height_tiles(int samples) { return (samples - 1 + kHeightTile - 1) / kHeightTile; }

}  // namespace

HeightTable::HeightTable(const HeightField& field, bool smooth)
    : geometry_(field.geometry), datum_(field.datum) {
  const GridGeometry& g = geometry_;
  constexpr float kNone = std::numeric_limits<float>::infinity();
  Level first{height_tiles(g.nx), height_tiles(g.ny), {}, {}};
  const std::size_t tiles = static_cast<std::size_t>(first.nx) * first.ny;
  first.low.assign(tiles, kNone);
  first.high.assign(tiles, -kNone);
  // A tile holds the samples of its cells, the shared edges too; pieces of a spline reach one sample further.
  const int wider = smooth ? 1 : 0;
  for (int tj = 0; tj < first.ny; ++tj) {
    const int j0 = std::max(tj * kHeightTile - wider, 0);
    const int j1 = std::min((tj + 1) * kHeightTile + wider, g.ny - 1);
    for (int j = j0; j <= j1; ++j) {
      const float* row = field.z.data() + static_cast<std::size_t>(j) * g.nx;
      for (int ti = 0; ti < first.nx; ++ti) {
        const int i0 = std::max(ti * kHeightTile - wider, 0);
        const int i1 = std::min((ti + 1) * kHeightTile + wider, g.nx - 1);
        float& low = first.low[static_cast<std::size_t>(tj) * first.nx + ti];
        float& high = first.high[static_cast<std::size_t>(tj) * first.nx + ti];
        for (int i = i0; i <= i1; ++i) low = std::min(low, row[i]), high = std::max(high, row[i]);
      }
    }
  }
  levels_.push_back(std::move(first));
  while (levels_.back().nx > 1 || levels_.back().ny > 1) {
    const Level& fine = levels_.back();
    Level coarse{(fine.nx + 1) / 2, (fine.ny + 1) / 2, {}, {}};
    const std::size_t size = static_cast<std::size_t>(coarse.nx) * coarse.ny;
    coarse.low.assign(size, kNone);
    coarse.high.assign(size, -kNone);
    for (int j = 0; j < fine.ny; ++j) {
      for (int i = 0; i < fine.nx; ++i) {
        const std::size_t from = static_cast<std::size_t>(j) * fine.nx + i;
        const std::size_t to = static_cast<std::size_t>(j / 2) * coarse.nx + i / 2;
        coarse.low[to] = std::min(coarse.low[to], fine.low[from]);
        coarse.high[to] = std::max(coarse.high[to], fine.high[from]);
      }
    }
    levels_.push_back(std::move(coarse));
  }
}

HeightRange HeightTable::of_cells(int i0, int i1, int j0, int j1) const {
  const int last_i = geometry_.nx - 2, last_j = geometry_.ny - 2;
  i0 = std::clamp(i0, 0, last_i) / kHeightTile, i1 = std::clamp(i1, 0, last_i) / kHeightTile;
  j0 = std::clamp(j0, 0, last_j) / kHeightTile, j1 = std::clamp(j1, 0, last_j) / kHeightTile;
  std::size_t level = 0;
  while (i1 - i0 > 2 || j1 - j0 > 2) ++level, i0 /= 2, i1 /= 2, j0 /= 2, j1 /= 2;
  const Level& tiles = levels_[level];
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (int j = j0; j <= j1; ++j) {
    const std::size_t row = static_cast<std::size_t>(j) * tiles.nx;
    for (int i = i0; i <= i1; ++i) {
      low = std::min(low, tiles.low[row + i]), high = std::max(high, tiles.high[row + i]);
    }
  }
  return {datum_ + low, datum_ + high};
}

HeightRange HeightTable::of(const Rectangle& area) const {
  const GridGeometry& g = geometry_;
  // NaN falls to the first cell; a rectangle beyond the grid falls to the edge.
  const auto cell = [](double x, double low, double step, int cells) {
    const double at = (x - low) / step;
    return at >= cells ? cells - 1 : at > 0 ? static_cast<int>(at) : 0;
  };
  return of_cells(
      cell(area.x_min, g.x_min, g.step_x, g.nx - 1), cell(area.x_max, g.x_min, g.step_x, g.nx - 1),
      cell(area.y_min, g.y_min, g.step_y, g.ny - 1), cell(area.y_max, g.y_min, g.step_y, g.ny - 1));
}

}  // namespace scree
