#include "scree/terrain/slope_table.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr int kTileCells = 8;

/// Largest |dz|^2 / step^2 of one cell, whose corners are a b / c d (bilinear): dz/dx is linear in y and
/// dz/dy in x, so the largest gradient is at a corner. Exact.
float steepest_of_cell(float a, float b, float c, float d, float per_x2, float per_y2) {
  const float x0 = (b - a) * (b - a), x1 = (d - c) * (d - c);
  const float y0 = (c - a) * (c - a), y1 = (d - b) * (d - b);
  return std::max(x0, x1) * per_x2 + std::max(y0, y1) * per_y2;
}

void row_of_cells(const HeightField& field, int j, float* tiles) {
  const GridGeometry& g = field.geometry;
  const float per_x2 = static_cast<float>(1 / (g.step_x * g.step_x));
  const float per_y2 = static_cast<float>(1 / (g.step_y * g.step_y));
  const float* low = field.z.data() + static_cast<std::size_t>(j) * g.nx;
  const float* high = low + g.nx;
  for (int i0 = 0; i0 < g.nx - 1; i0 += kTileCells) {
    const int end = std::min(i0 + kTileCells, g.nx - 1);
    float steepest = tiles[i0 / kTileCells];
    for (int i = i0; i < end; ++i) {
      steepest =
          std::max(steepest, steepest_of_cell(low[i], low[i + 1], high[i], high[i + 1], per_x2, per_y2));
    }
    tiles[i0 / kTileCells] = steepest;
  }
}

/// Smooth pieces are centred on samples and reach half a step into the next: a piece's dz/dx is a convex
/// combination of the first differences of its 3 x 3 coefficients, and so is dz/dy. A cell touches the pieces
/// of its four corners, so piece (i, j) counts for the four cells around it.
void row_of_pieces(const HeightField& field, int j, float* row) {
  const GridGeometry& g = field.geometry;
  const float per_x2 = static_cast<float>(1 / (g.step_x * g.step_x));
  const float per_y2 = static_cast<float>(1 / (g.step_y * g.step_y));
  const float* r[3];
  for (int k = 0; k < 3; ++k) {
    r[k] = field.z.data() + static_cast<std::size_t>(std::clamp(j, 1, g.ny - 2) + k - 1) * g.nx;
  }
  for (int i = 0; i < g.nx; ++i) {
    const int c = std::clamp(i, 1, g.nx - 2);
    float dx = 0, dy = 0;
    for (int k = 0; k < 3; ++k) {
      dx = std::max({dx, std::abs(r[k][c] - r[k][c - 1]), std::abs(r[k][c + 1] - r[k][c])});
      dy = std::max(
          {dy, std::abs(r[1][c + k - 1] - r[0][c + k - 1]), std::abs(r[2][c + k - 1] - r[1][c + k - 1])});
    }
    row[i] = dx * dx * per_x2 + dy * dy * per_y2;
  }
}

void pieces_into_tiles(const float* row, int nx, float* tiles) {
  for (int i0 = 0; i0 < nx - 1; i0 += kTileCells) {
    const float* end = row + std::min(i0 + kTileCells, nx - 1) + 1;
    float& tile = tiles[i0 / kTileCells];
    tile = std::max(tile, *std::max_element(row + i0, end));
  }
}

int tiles_of(int samples) { return (samples - 1 + kTileCells - 1) / kTileCells; }

}  // namespace

SlopeTable::SlopeTable(const HeightField& field, bool smooth)
    : geometry_(field.geometry), per_x_(1 / field.geometry.step_x), per_y_(1 / field.geometry.step_y) {
  const GridGeometry& g = geometry_;
  Level first{tiles_of(g.nx), tiles_of(g.ny), {}};
  first.steepest.assign(static_cast<std::size_t>(first.nx) * first.ny, 0.0f);
  const auto tiles = [&](int cell_row) {
    return first.steepest.data() + static_cast<std::size_t>(cell_row / kTileCells) * first.nx;
  };
  if (smooth) {
    std::vector<float> row(g.nx);
    for (int j = 0; j < g.ny; ++j) {
      row_of_pieces(field, j, row.data());
      if (j > 0) pieces_into_tiles(row.data(), g.nx, tiles(j - 1));
      if (j < g.ny - 1) pieces_into_tiles(row.data(), g.nx, tiles(j));
    }
  } else {
    for (int j = 0; j < g.ny - 1; ++j) row_of_cells(field, j, tiles(j));
  }
  levels_.push_back(std::move(first));
  while (levels_.back().nx > 1 || levels_.back().ny > 1) {
    const Level& fine = levels_.back();
    Level coarse{(fine.nx + 1) / 2, (fine.ny + 1) / 2, {}};
    coarse.steepest.assign(static_cast<std::size_t>(coarse.nx) * coarse.ny, 0.0f);
    for (int j = 0; j < fine.ny; ++j) {
      for (int i = 0; i < fine.nx; ++i) {
        float& into = coarse.steepest[static_cast<std::size_t>(j / 2) * coarse.nx + i / 2];
        into = std::max(into, fine.steepest[static_cast<std::size_t>(j) * fine.nx + i]);
      }
    }
    levels_.push_back(std::move(coarse));
  }
}

double SlopeTable::bound(const Rectangle& area) const {
  const GridGeometry& g = geometry_;
  // NaN falls to the first cell; a rectangle beyond the grid falls to the edge.
  const auto cell = [](double x, double low, double per, int cells) {
    const double at = (x - low) * per;
    return at >= cells ? cells - 1 : at > 0 ? static_cast<int>(at) : 0;
  };
  int i0 = cell(area.x_min, g.x_min, per_x_, g.nx - 1) / kTileCells;
  int i1 = cell(area.x_max, g.x_min, per_x_, g.nx - 1) / kTileCells;
  int j0 = cell(area.y_min, g.y_min, per_y_, g.ny - 1) / kTileCells;
  int j1 = cell(area.y_max, g.y_min, per_y_, g.ny - 1) / kTileCells;
  std::size_t level = 0;
  while (i1 - i0 > 2 || j1 - j0 > 2) ++level, i0 /= 2, i1 /= 2, j0 /= 2, j1 /= 2;
  const Level& tiles = levels_[level];
  float steepest = 0;
  for (int j = j0; j <= j1; ++j) {
    const float* row = tiles.steepest.data() + static_cast<std::size_t>(j) * tiles.nx;
    for (int i = i0; i <= i1; ++i) steepest = std::max(steepest, row[i]);
  }
  // The squares were rounded to float: a millionth more keeps it a bound.
  return std::sqrt(static_cast<double>(steepest)) * (1 + 1e-6);
}

}  // namespace scree
