#pragma once
/// The ground in tiles of falling detail: a forest of quadtrees, cut where the eye no longer sees finer.
///
/// Level 0 has the spacing of the ground's own grid (or half of it), so that what is drawn near the robot is
/// what its wheels touch; each level above doubles it. A tile keeps its own heights and those of the next
/// coarser level at the same points; the vertex shader slides from one to the other with the distance, so
/// that levels meet without steps (the idea of Strugar 2009, "Continuous distance-dependent level of
/// detail", with heights morphed in place of positions). Skirts hide what rounding leaves.
///
/// Where the ground has an edge (a step, the side of a trench) between two vertices, both slide along the
/// line between them onto the edge, each to its own side: the wall stands where wheels meet it, straight,
/// whatever its direction across the lattice.
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scree/terrain/terrain.hpp"
#include "scree/view/mesh.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

inline constexpr int kTileCells = 32;  ///< cells along one side of a tile, where nothing else is asked for

struct TileKey {
  int level = 0;
  std::int64_t ix = 0, iy = 0;  ///< in tiles of this level, from the anchor
  bool operator==(const TileKey&) const = default;
};
struct TileKeyHash {
  std::size_t operator()(const TileKey& k) const {
    return (static_cast<std::size_t>(k.ix) * 73856093u) ^ (static_cast<std::size_t>(k.iy) * 19349663u) ^
           (static_cast<std::size_t>(k.level) * 83492791u);
  }
};

inline constexpr double kMostSlide = 2.5;  ///< spacings: a vertex of the coarser level moves by two at most

/// One vertex of a tile; its place in the lattice follows from its number.
struct TileVertex {
  float z, z_coarse;                   ///< m above the tile's datum
  float nx, ny, nx_coarse, ny_coarse;  ///< horizontal parts of the unit normal
  /// Off its place in the lattice, x and y, own and coarse, in 1/32767 of kMostSlide spacings.
  std::int16_t slide[4];
  std::uint8_t soil[4];  ///< sRGB colour of the soil, fourth unused
};

/// Heights of one tile, on the processor's side.
struct TileData {
  double x = 0, y = 0, datum = 0;    ///< m, corner of least x and y; all heights are above the datum
  double size = 0;                   ///< m, along one side
  double z_min = 0, z_max = 0;       ///< m, world
  double x_limit = 0, y_limit = 0;   ///< m from the corner: where the terrain ends inside this tile
  std::vector<TileVertex> vertices;  ///< (cells + 1)², rows along x
};

/// How tiles lie over a terrain.
struct TileLayout {
  double x0 = 0, y0 = 0;   ///< m, anchor
  double spacing = 0.05;   ///< m, of level 0
  int cells = kTileCells;  ///< along one side of a tile, even: fewer make detail fall off sooner
  int levels = 1;
  Rectangle bounds;  ///< m, finite
  double tile_size(int level) const { return spacing * cells * static_cast<double>(1LL << level); }
};

/// Lays tiles over a terrain. `finest` [m] is the spacing for terrains without a grid of their own (and the
/// finest that a coarse grid is refined to); `reach` [m] bounds what is drawn of an endless terrain around
/// `center`.
TileLayout lay_tiles(const Terrain& terrain, double finest, double reach, const Vec2& center = Vec2::Zero(),
                     int cells = kTileCells);

/// Samples one tile.
TileData sample_tile(const Terrain& terrain, const TileLayout& layout, const TileKey& key,
                     const GroundLook& look);

/// Distance to which level 0 is drawn [m]; level l reaches 2^l times as far.
struct DetailSettings {
  double level0_range = 5;
  double morph_share = 0.35;  ///< last part of a level's range in which it slides to the next
};
/// Range for quads about `pixels` wide: spacing seen at that distance by a picture of this height and view.
DetailSettings detail_for(const TileLayout& layout, double fov, int picture_height, double pixels);

/// Where detail is wanted: near the eye and, wherever the eye is, at the thing looked at.
struct DetailCenter {
  Vec3 eye, focus;
  double focus_offset;  ///< m added to the distance from the focus
  double distance(const Vec3& p) const {
    return std::min((p - eye).norm(), (p - focus).norm() + focus_offset);
  }
  double distance(const Box& box) const;
};

}  // namespace scree::view
