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

constexpr int kRing = 2;             // samples around a tile: the coarser level's neighbours
constexpr double kWall = 2;          // slope in which no vertex shall stand,
constexpr int kWallSteps = 8;        // if by so many steps
constexpr double kWallStep = 0.002;  // m, it comes out of it
constexpr double kSteep = 1;         // rise over way from which two vertices may have an edge between them
constexpr double kEdgeWay = 0.25;    // of the way: an edge makes most of the rise in this part of it
constexpr double kEdgeRise = 0.6;
constexpr double kEdgeRun = 0.005;  // m: half of what a drawn wall leans over, at most

/// A tile with a ring of samples around it, for the slopes and edges at its border.
struct Patch {
  double x, y, spacing;  ///< m, of vertex (0, 0)
  Rectangle bounds;
  int row;
  std::vector<double> z;
  std::vector<Vec2> off;  ///< spacings that a vertex stands off its place in the lattice
  Patch(const TileLayout& layout, const TileData& tile)
      : x(tile.x),
        y(tile.y),
        spacing(tile.size / layout.cells),
        bounds(layout.bounds),
        row(layout.cells + 1 + 2 * kRing),
        z(static_cast<std::size_t>(row) * row),
        off(z.size(), Vec2::Zero()) {}
  std::size_t number(int i, int j) const { return static_cast<std::size_t>((j + kRing) * row + i + kRing); }
  double at(int i, int j) const { return z[number(i, j)]; }
  /// Where a vertex stands, in spacings.
  Vec2 stand(int i, int j) const { return Vec2(i, j) + off[number(i, j)]; }
  /// The point of the ground at a place in spacings.
  Vec2 place(const Vec2& p) const {
    return {std::clamp(x + p.x() * spacing, bounds.x_min, bounds.x_max),
            std::clamp(y + p.y() * spacing, bounds.y_min, bounds.y_max)};
  }
};

/// From a point in a wall, up or down its slope, to where the wall ends, if that is near.
std::optional<std::pair<Vec2, TerrainPoint>> leave_wall(const Terrain& terrain, Vec2 p, bool up) {
  TerrainPoint ground = terrain.at(p.x(), p.y());
  for (int k = 0; k < kWallSteps; ++k) {
    p += (up ? kWallStep : -kWallStep) * Vec2(ground.slope_x, ground.slope_y).normalized();
    ground = terrain.at(p.x(), p.y());
    if (std::hypot(ground.slope_x, ground.slope_y) < kSteep) return std::pair(p, ground);
  }
  return std::nullopt;
}

Patch sample_patch(const Terrain& terrain, const TileLayout& layout, const TileData& tile) {
  Patch patch(layout, tile);
  const int n = patch.row;
  std::vector<double> x(n), y(n), sx(n), sy(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const Vec2 p = patch.place(Vec2(i - kRing, j - kRing));
      x[i] = p.x(), y[i] = p.y();
    }
    terrain.sample({n, x.data(), y.data(), patch.z.data() + j * n, sx.data(), sy.data()});
    for (int i = 0; i < n; ++i)
      if (sx[i] * sx[i] + sy[i] * sy[i] > kWall * kWall)
        if (const auto top = leave_wall(terrain, {x[i], y[i]}, true)) {
          patch.off[static_cast<std::size_t>(j * n + i)] = (top->first - Vec2(x[i], y[i])) / patch.spacing;
          patch.z[static_cast<std::size_t>(j * n + i)] = top->second.z;
        }
  }
  return patch;
}

Vec2 horizontal_normal(const Patch& p, int i, int j) {
  const Vec3 n(p.at(i - 1, j) - p.at(i + 1, j), p.at(i, j - 1) - p.at(i, j + 1), 2 * p.spacing);
  return n.normalized().head<2>();
}

/// Off its place in the lattice (x, y), height there [m], and the horizontal part of the unit normal.
using Slid = Eigen::Matrix<double, 5, 1>;

/// The vertices of a patch on the edges of its ground, at the spacing of this level or, stride 2, of the
/// next.
class Slider {
 public:
  Slider(const Terrain& terrain, const Patch& patch, int stride)
      : terrain_(terrain), patch_(patch), stride_(stride) {}

  /// The middle of where its edges of the mesh cross the ground's.
  Slid at(int i, int j) const {
    static constexpr int kAlong[6][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}};
    Slid sum = Slid::Zero();  // the triangles are cut from (0, 0) to (1, 1)
    int count = 0;
    for (const auto& [a, b] : kAlong)
      if (const auto side = own_side(i, j, stride_ * a, stride_ * b)) sum += *side, ++count;
    if (count > 0) return sum / count;
    sum << patch_.spacing * patch_.off[patch_.number(i, j)], patch_.at(i, j), horizontal_normal(patch_, i, j);
    return sum;
  }

 private:
  /// On this side of the edge between a vertex and a neighbour, if there is one.
  std::optional<Slid> own_side(int i, int j, int di, int dj) const {
    const double from = patch_.at(i, j), rise = patch_.at(i + di, j + dj) - from;
    const Vec2 start = patch_.place(patch_.stand(i, j)), end = patch_.place(patch_.stand(i + di, j + dj));
    const Vec2 way = end - start;
    if (!(std::abs(rise) > kSteep * way.norm())) return std::nullopt;
    double low = 0, high = 1;  // the height passes its middle between them
    for (int k = 0; k < 10; ++k) {
      const double s = 0.5 * (low + high);
      ((height(start + s * way) - from) / rise < 0.5 ? low : high) = s;
    }
    const double s = 0.5 * (low + high);
    const Vec2 middle = start + s * way;
    const TerrainPoint edge = terrain_.at(middle.x(), middle.y());
    if (std::hypot(edge.slope_x, edge.slope_y) > kWall) {
      const auto side = leave_wall(terrain_, middle, rise < 0);
      if (!side) return std::nullopt;
      return slid(i, j, side->first, side->second);
    }
    // A jump, or nothing.
    const double before = std::max(s - 0.5 * kEdgeWay, 0.0), after = std::min(s + 0.5 * kEdgeWay, 1.0);
    const Vec2 own = start + before * way;
    const TerrainPoint ground = terrain_.at(own.x(), own.y());
    if (!(std::abs(height(start + after * way) - ground.z) > kEdgeRise * std::abs(rise))) return std::nullopt;
    return slid(i, j, start + std::max(s - std::min(0.5 * kEdgeWay, kEdgeRun / way.norm()), 0.0) * way,
                ground);
  }

  Slid slid(int i, int j, const Vec2& to, const TerrainPoint& ground) const {
    Slid out;
    out << to - patch_.place(Vec2(i, j)), ground.z, ground.normal().head<2>();
    return out;
  }
  double height(const Vec2& at) const { return terrain_.height(at.x(), at.y()); }

  const Terrain& terrain_;
  const Patch& patch_;
  int stride_;
};

/// What the next coarser level shows at vertex (i, j): the middle of its two neighbours there. Vertices at
/// the centre of a coarse cell lie on its diagonal from (0, 0) to (1, 1), as the triangles are cut.
template <class Get>
auto coarse(const Get& get, int i, int j) {
  using Value = std::decay_t<decltype(get(0, 0))>;
  const int di = i & 1, dj = j & 1;
  return Value(0.5 * (get(i - di, j - dj) + get(i + di, j + dj)));
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
  const Slider own(terrain, patch, 1), next(terrain, patch, 2);
  const auto slid = [&](int i, int j) -> Slid { return next.at(i, j); };
  const auto part = [&](double off) {
    return static_cast<std::int16_t>(
        std::lround(32767 * std::clamp(off / (kMostSlide * spacing), -1.0, 1.0)));
  };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      TileVertex& v = tile.vertices[j * side + i];
      const Slid here = own.at(i, j), there = coarse(slid, i, j);
      v.z = static_cast<float>(here.z() - tile.datum);
      v.z_coarse = static_cast<float>(there.z() - tile.datum);
      v.slide[0] = part(here.x()), v.slide[1] = part(here.y());
      v.slide[2] = part(there.x()), v.slide[3] = part(there.y());
      v.nx = static_cast<float>(here[3]), v.ny = static_cast<float>(here[4]);
      v.nx_coarse = static_cast<float>(there[3]), v.ny_coarse = static_cast<float>(there[4]);
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
