#pragma once
/// The mutable state of ground that deforms: cells in tiles, made where something touches them first.
///
/// A cell stands at (i, j) times the cell size and holds, beside the height of the undeformed ground,
///
///     sunk   s_y, the greatest sinkage that its firm soil has seen, straight down [m]
///     loose  height of the loose soil that lies on top of it [m]
///
/// so that what one sees lies at ground - sunk + loose. Between cells all are bilinear.
///
/// Four bytes a number: the ground as float above the tile's base, sunk and loose as whole multiples of
/// kSoilUnit (2^-26 m, 15 nm). Whole numbers make the volume exact: what is taken from a cell arrives in
/// others to the last unit, whatever the order,
///
///     sum of loose + compacted = sum of sunk          (compacted: pressed together instead of pushed aside)
///
/// Tiles are shared between copies and divided when one of them writes (copy on write): a copy of SoilTiles
/// is a snapshot that costs a pointer a tile. Any number of threads may read; one writes while none reads.
/// Tiles are found by a hash of their place, so the size of the terrain costs nothing. What a tile that is
/// not there would hold follows from the terrain alone, so results do not depend on which tiles exist.
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

inline constexpr int kTileSide = 32;  ///< cells
inline constexpr int kTileCells = kTileSide * kTileSide;
inline constexpr double kSoilUnit = 1.0 / 67108864.0;   ///< m
inline constexpr double kLugUnit = 2.5e-4;              ///< m
inline constexpr std::int32_t kMostUnits = 1000000000;  ///< 14.9 m

/// Keys of [terrain.soil.grid].
struct SoilGridSettings {
  double cell = 0.02;        ///< m
  bool bulldozing = true;    ///< displaced soil is pushed aside as a loose layer
  double compaction = 0.5;   ///< share of the displaced volume that is pressed together instead [-]
  double repose_angle = 0;   ///< of loose soil [rad]; 0: the soil's friction angle
  bool slip_sinkage = true;  ///< sinkage exponent grows with slip as the soil says
  double memory = 1000;      ///< most memory of all tiles [MB]
};
void describe(Section& section, SoilGridSettings& settings);

struct SoilTile {
  double base = 0;                               ///< m
  std::array<float, kTileCells> ground{};        ///< undeformed, above base [m]; x runs fastest
  std::array<std::int32_t, kTileCells> sunk{};   ///< units
  std::array<std::int32_t, kTileCells> loose{};  ///< units
  std::array<float, kTileCells> slip{};          ///< of the wheel that pressed last [-]
  std::array<std::uint8_t, kTileCells> lug{};    ///< print of its lugs, for the eye alone [kLugUnit]
  std::uint64_t stamp = 0;  ///< 0: as the terrain made it; else new with every edit(), and nowhere twice
  double ground_at(int k) const { return base + static_cast<double>(ground[static_cast<std::size_t>(k)]); }
};

/// Place of a tile: its first cell is kTileSide times this.
struct TilePlace {
  int x = 0, y = 0;
  bool operator==(const TilePlace&) const = default;
  auto operator<=>(const TilePlace&) const = default;
};
inline int tile_of(int cell) { return cell >> 5; }
inline int in_tile(int cell) { return cell & (kTileSide - 1); }

/// A tile as the terrain alone makes it.
void fill_tile(SoilTile& tile, TilePlace place, double cell, const Terrain& terrain);

class SoilTiles {
 public:
  /// No soil that deforms.
  SoilTiles() = default;
  SoilTiles(double cell, double most_megabytes);

  bool active() const { return cell_ > 0; }
  double cell() const { return cell_; }
  /// Null where nothing was touched yet.
  const SoilTile* find(TilePlace place) const {
    const int at = slot(place);
    return at < 0 ? nullptr : entries_[static_cast<std::size_t>(at)].tile.get();
  }
  /// The tile, made from the terrain if it is new. Throws RunError when the memory is used up.
  const SoilTile& ensure(TilePlace place, const Terrain& terrain);
  /// The same to write on: no longer shared with a snapshot.
  SoilTile& edit(TilePlace place, const Terrain& terrain);

  struct Entry {
    TilePlace place;
    std::shared_ptr<SoilTile> tile;
  };
  /// In the order in which they were made.
  std::span<const Entry> entries() const { return entries_; }
  /// Sorted by place, those left out in which nothing was pressed: the same whoever made them when.
  std::vector<const Entry*> pressed() const;
  std::uint64_t hash(std::uint64_t start) const;
  double megabytes() const;

  /// Displaced volume that was pressed together, in cell-units: counted for the balance.
  std::int64_t compacted = 0;
  void clear();

 private:
  int slot(TilePlace place) const;
  int add(TilePlace place, std::shared_ptr<SoilTile> tile);
  void grow();

  double cell_ = 0;
  std::size_t most_tiles_ = 0;
  std::vector<Entry> entries_;
  std::vector<int> table_;  ///< open addressing, -1: free
};

/// Height of what one sees above the undeformed ground [m], bilinear: negative in a rut.
double soil_offset(const SoilTiles& tiles, double x, double y);

/// Sums over all cells, in units: what volume balances are made of.
struct SoilBalance {
  std::int64_t sunk = 0, loose = 0, compacted = 0;
};
SoilBalance soil_balance(const SoilTiles& tiles);

}  // namespace scree
