#include "scree/view/terrain_tiles.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {
namespace {

/// Halves the cell until it is near `finest`: vertices stay on the grid's own samples.
double spacing_on_grid(double cell, double finest) {
  double spacing = cell;
  for (int i = 0; i < 3 && spacing > 1.8 * finest; ++i) spacing /= 2;
  return spacing;
}

/// A tile with one ring of samples around it, for the slopes at its edge.
struct Patch {
  int row;
  std::vector<double> z;
  explicit Patch(int cells) : row(cells + 3), z(static_cast<std::size_t>(row) * row) {}
  double at(int i, int j) const { return z[(j + 1) * row + i + 1]; }
};

Patch sample_patch(const Terrain& terrain, const TileLayout& layout, const TileData& tile) {
  const Rectangle& b = layout.bounds;
  const double spacing = tile.size / layout.cells;
  Patch patch(layout.cells);
  const int n = patch.row;
  std::vector<double> x(n), y(n), sx(n), sy(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      x[i] = std::clamp(tile.x + (i - 1) * spacing, b.x_min, b.x_max);
      y[i] = std::clamp(tile.y + (j - 1) * spacing, b.y_min, b.y_max);
    }
    terrain.sample({n, x.data(), y.data(), patch.z.data() + j * n, sx.data(), sy.data()});
  }
  return patch;
}

Vec2 horizontal_normal(const Patch& p, int i, int j, double spacing) {
  const Vec3 n(p.at(i - 1, j) - p.at(i + 1, j), p.at(i, j - 1) - p.at(i, j + 1), 2 * spacing);
  return n.normalized().head<2>();
}

/// What the next coarser level shows at vertex (i, j): the middle of its two neighbours there. Vertices at
/// the centre of a coarse cell lie on its diagonal from (0, 0) to (1, 1), as the triangles are cut.
template <class Get>
auto coarse(const Get& get, int i, int j) {
  using Value = std::decay_t<decltype(get(0, 0))>;
  const int di = i & 1, dj = j & 1;
  return Value(0.5f * (get(i - di, j - dj) + get(i + di, j + dj)));
}

}  // namespace

double DetailCenter::distance(const Box& box) const {
  const auto to = [&](const Vec3& p) { return (p - p.cwiseMax(box.low).cwiseMin(box.high)).norm(); };
  return std::min(to(eye), to(focus) + focus_offset);
}

TileLayout lay_tiles(const Terrain& terrain, double finest, double reach, const Vec2& center, int cells) {
  TileLayout layout;
  layout.cells = cells;
  const double cell = terrain.cell();
  layout.spacing = cell > 0 ? spacing_on_grid(cell, finest) : finest;
  const Rectangle own = terrain.bounds();
  layout.bounds = {std::max(own.x_min, center.x() - reach), std::min(own.x_max, center.x() + reach),
                   std::max(own.y_min, center.y() - reach), std::min(own.y_max, center.y() + reach)};
  // On a finite grid the anchor is its corner, elsewhere the origin.
  layout.x0 = std::isfinite(own.x_min) ? own.x_min : 0;
  layout.y0 = std::isfinite(own.y_min) ? own.y_min : 0;
  const double extent =
      std::max(layout.bounds.x_max - layout.bounds.x_min, layout.bounds.y_max - layout.bounds.y_min);
  while (layout.levels < 20 && layout.tile_size(layout.levels - 1) < 0.3 * extent) ++layout.levels;
  return layout;
}

TileData sample_tile(const Terrain& terrain, const TileLayout& layout, const TileKey& key,
                     const GroundLook& look) {
  TileData tile;
  const double spacing = layout.spacing * static_cast<double>(1LL << key.level);
  const int side = layout.cells + 1;
  tile.size = layout.tile_size(key.level);
  tile.x = layout.x0 + key.ix * tile.size;
  tile.y = layout.y0 + key.iy * tile.size;
  tile.x_limit = std::clamp(layout.bounds.x_max - tile.x, 0.0, tile.size);
  tile.y_limit = std::clamp(layout.bounds.y_max - tile.y, 0.0, tile.size);
  const Patch patch = sample_patch(terrain, layout, tile);
  tile.datum = patch.at(0, 0);
  tile.z_min = tile.z_max = tile.datum;
  tile.vertices.resize(static_cast<std::size_t>(side) * side);
  const auto height = [&](int i, int j) { return static_cast<float>(patch.at(i, j) - tile.datum); };
  const auto normal = [&](int i, int j) -> Eigen::Vector2f {
    return horizontal_normal(patch, i, j, spacing).cast<float>();
  };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      TileVertex& v = tile.vertices[j * side + i];
      const Eigen::Vector2f n = normal(i, j), nc = coarse(normal, i, j);
      v.z = height(i, j);
      v.z_coarse = coarse(height, i, j);
      v.nx = n.x(), v.ny = n.y(), v.nx_coarse = nc.x(), v.ny_coarse = nc.y();
      Color soil = Color::Constant(0.5f);
      if (look.soil_color)
        soil = look.soil_color(std::min(tile.x + i * spacing, layout.bounds.x_max),
                               std::min(tile.y + j * spacing, layout.bounds.y_max));
      if (look.rut_color && look.shading > GroundShading::soil)
        soil = look.rut_color(look.shading, tile.x + i * spacing, tile.y + j * spacing);
      for (int c = 0; c < 3; ++c)
        v.soil[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(soil[c], 0.f, 1.f)));
      v.soil[3] = 255;
      tile.z_min = std::min(tile.z_min, patch.at(i, j));
      tile.z_max = std::max(tile.z_max, patch.at(i, j));
    }
  return tile;
}

DetailSettings detail_for(const TileLayout& layout, double fov, int picture_height, double pixels) {
  const double focal = 0.5 * picture_height / std::tan(fov / 2);  // px
  DetailSettings detail;
  // Never so short that two levels would have to meet inside one tile.
  detail.level0_range = layout.spacing * std::max(focal / pixels, 2.9 * layout.cells);
  return detail;
}

}  // namespace scree::view
