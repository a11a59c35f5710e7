#pragma once
/// Prints in soil that deforms: what a shape that was pressed into it leaves in the cells. Wheels and bodies
/// use the same three strokes; belts may (docs/soil_grid.md).
///
/// **Press.** A cell under the shape, whose lowest point over its centre is `depth` below the undeformed
/// ground, gets sunk = max(sunk, depth). What that displaces is firm soil, of which a share is pressed
/// together
/// (`compaction`, an assumption) and the rest is laid aside. Loose soil that the shape runs into by x is laid
/// aside too, but for the same share of x, which is pressed onto the firm soil beneath it and is firm again:
/// sunk falls by it, no further than to the shape nor to zero. So a shape that comes down through a loose
/// layer of height l in a rut meets firm soil at l share/(1 + share) above the old bottom, however many
/// prints it takes.
/// **Aside.** Onto the cells around the outline, by weights that the caller gives.
/// **Flow.** Loose soil that is steeper than its angle of repose flows to the next cell, a fifth of the
/// excess a pass. A wall of firm soil stands by its cohesion up to
///
///     h_c = (4 c/gamma) tan(45 deg + phi/2)
///
/// (upper bound of a vertical cut, Rankine; Terzaghi 1943 Sec. 57), gamma = density x gravity. Between two
/// cells that are D apart a step of D tan(repose) + h_c is left; of what pressing made beyond that a fifth a
/// pass breaks off, from the firm soil of the higher cell to the loose soil on the lower one. Undeformed
/// ground does not fall, however steep it is. Covered cells take no part.
///
/// All moves are whole units from cell to cell, so that
///
///     sum of loose + compacted = sum of sunk
///
/// to the last one. Limits: loose soil bears nothing until it is pressed; firm soil that broke off a wall
/// leaves `sunk` behind, as if the cell had been pressed that deep.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/soil/soil.hpp"
#include "scree/soil/soil_tiles.hpp"

namespace scree {

struct PrintSettings {
  bool bulldozing = true;
  double compaction = 0.5;
  double repose = 0.7;    ///< tangent
  double stands = 1e300;  ///< height of a wall that stands upright [m]
  int lugs = 0;           ///< around a rim, printed where cells are no larger than kLugCell
};
inline constexpr double kLugCell = 0.005;  ///< m

/// Height of a vertical wall that stands [m].
double standing_height(const SoilNumbers& soil, double gravity);

/// Cells around a shape, copied out of their tiles.
struct PrintRoom {
  int i = 0, j = 0, nx = 0, ny = 0;
  double cell = 0;
  std::vector<double> ground, top;               ///< undeformed, and as one sees it [m]
  std::vector<std::int32_t> sunk, loose;         ///< units
  std::vector<std::uint8_t> covered;             ///< under the shape
  std::vector<std::int16_t> lug;                 ///< kLugUnit; -1: as before
  std::vector<std::uint8_t> moved;               ///< per row: some cell was pressed, or has loose soil
  std::vector<std::uint8_t> changed;             ///< per row: differs from the tiles
  std::vector<std::pair<int, int>> ring;         ///< cells around it, and their weights
  bool lugs = false;                             ///< `lug` is used
  int left = 0, right = -1, low = 0, high = -1;  ///< columns and rows with covered cells
  float slip = 0;                                ///< of what presses: for cells with covered = kGripped
  std::int64_t firm = 0, aside = 0;              ///< displaced so far, and to be laid aside [units]

  void gather(SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns, int rows);
  /// Presses cell `at`: the shape's lowest point over its centre is at `height` [m].
  void press(std::size_t at, double height, const PrintSettings& how);
  /// Marks a cell as under the shape.
  void cover(std::size_t at, std::uint8_t how);
  /// Lays aside what was displaced. weight(from, to): 0..kRingWeight, `to` a cell beside the covered `from`.
  template <class Weight>
  void lay_aside(const Weight& weight);
  /// One pass of what flows.
  void flow(double repose, double stands);
  /// Writes back what differs.
  void scatter(SoilTiles& tiles, const Terrain& terrain) const;
  /// Books, then all of it: what follows after cells were pressed.
  template <class Weight>
  void finish(const PrintSettings& how, const Weight& weight, SoilTiles& tiles, const Terrain& terrain);

 private:
  void set(std::size_t at) { top[at] = ground[at] + kSoilUnit * static_cast<double>(loose[at] - sunk[at]); }
  void lay(std::int64_t total);
  void keep_books(const PrintSettings& how, SoilTiles& tiles);
};
inline constexpr int kRingWeight = 64;       ///< whole weights, for whole units
inline constexpr std::uint8_t kGripped = 2;  ///< covered, and its slip is kept

/// Prints are made one after the other: one room for all that a thread makes, which its caches keep.
PrintRoom& shared_print_room();

/// Whole units of a height [m], rounded down.
std::int32_t whole_units(double metres);

template <class Weight>
void PrintRoom::lay_aside(const Weight& weight) {
  if (aside <= 0) return;
  ring.clear();
  std::int64_t total = 0;
  const int next[4] = {-1, 1, -nx, nx};
  for (int y = std::max(low - 1, 1); y <= std::min(high + 1, ny - 2); ++y) {
    for (int x = std::max(left - 1, 1); x <= std::min(right + 1, nx - 2); ++x) {
      const int at = y * nx + x;
      if (covered[static_cast<std::size_t>(at)]) continue;
      for (const int step : next) {
        if (!covered[static_cast<std::size_t>(at + step)]) continue;
        const int w = weight(at + step, at);
        if (w > 0) ring.emplace_back(at, w), total += w;
        break;
      }
    }
  }
  lay(total);
}

template <class Weight>
void PrintRoom::finish(const PrintSettings& how, const Weight& weight, SoilTiles& tiles,
                       const Terrain& terrain) {
  keep_books(how, tiles);
  if (how.bulldozing) {
    lay_aside(weight);
    flow(how.repose, how.stands);
  }
  scatter(tiles, terrain);
}

}  // namespace scree
