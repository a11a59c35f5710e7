#include "scree/ground/soil_print.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

constexpr double kFlow = 0.2;  // of the excess height that flows in a pass

/// Calls visit(tile place, first and last + 1 cell in x, the same in y) for every tile of a rectangle.
template <class Visit>
void each_tile(int i, int j, int nx, int ny, const Visit& visit) {
  for (int ty = tile_of(j); ty <= tile_of(j + ny - 1); ++ty)
    for (int tx = tile_of(i); tx <= tile_of(i + nx - 1); ++tx)
      visit(TilePlace{tx, ty}, std::max(i, tx * kTileSide), std::min(i + nx, (tx + 1) * kTileSide),
            std::max(j, ty * kTileSide), std::min(j + ny, (ty + 1) * kTileSide));
}

}  // namespace

double standing_height(const SoilNumbers& soil, double gravity) {
  const double weight = soil.density * gravity;
  if (!(weight > 0)) return 1e300;
  return 4 * soil.cohesion / weight * maths::tan(0.25 * kPi + 0.5 * soil.friction_angle);
}

PrintRoom& shared_print_room() {
  thread_local PrintRoom room;
  return room;
}

std::int32_t whole_units(double metres) {
  const double units = std::floor(metres * (1 / kSoilUnit));
  return static_cast<std::int32_t>(std::clamp(units, -double{kMostUnits}, double{kMostUnits}));
}

void PrintRoom::gather(SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns, int rows) {
  i = i0, j = j0, nx = columns, ny = rows, cell = tiles.cell();
  firm = aside = 0, lugs = false, left = low = 0, right = high = -1;
  const auto size = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  ground.resize(size), top.resize(size), sunk.resize(size), loose.resize(size);
  covered.assign(size, 0);
  moved.assign(static_cast<std::size_t>(ny), 0), changed.assign(static_cast<std::size_t>(ny), 0);
  each_tile(i, j, nx, ny, [&](TilePlace place, int left, int right, int low, int high) {
    const SoilTile& tile = tiles.ensure(place, terrain);
    const int count = right - left;
    for (int row = low; row < high; ++row) {
      const int from = in_tile(row) * kTileSide + in_tile(left);
      const auto to = static_cast<std::size_t>((row - j) * nx + (left - i));
      const float* g = tile.ground.data() + from;
      const std::int32_t *s = tile.sunk.data() + from, *l = tile.loose.data() + from;
      double *level = ground.data() + to, *seen = top.data() + to;
      const double base = tile.base;
      std::int32_t any = 0;
      for (int k = 0; k < count; ++k) level[k] = base + static_cast<double>(g[k]);
      for (int k = 0; k < count; ++k) seen[k] = level[k] + kSoilUnit * static_cast<double>(l[k] - s[k]);
      for (int k = 0; k < count; ++k) any |= l[k] | s[k];
      std::copy_n(s, count, sunk.data() + to), std::copy_n(l, count, loose.data() + to);
      if (any != 0) moved[static_cast<std::size_t>(row - j)] = 1;
    }
  });
}

void PrintRoom::press(std::size_t at, double height, const PrintSettings& how) {
  const std::int32_t depth = whole_units(ground[at] - height);
  if (depth > sunk[at]) firm += depth - sunk[at], sunk[at] = depth;
  std::int32_t above = sunk[at] - depth;  // room between the firm soil and the shape
  if (loose[at] > above) {
    const std::int32_t met = loose[at] - above;
    if (how.bulldozing) {
      const auto share = static_cast<std::int32_t>(how.compaction * static_cast<double>(met));
      const std::int32_t firmed = std::min({share, above, sunk[at]});
      sunk[at] -= firmed, above -= firmed;
      aside += loose[at] - firmed - above;
    } else {
      aside += met;
    }
    loose[at] = above;
    cover(at, 1);
  }
  const std::size_t row = at / static_cast<std::size_t>(nx);
  moved[row] = changed[row] = 1;
  set(at);
}

void PrintRoom::cover(std::size_t at, std::uint8_t how) {
  const int y = static_cast<int>(at) / nx, x = static_cast<int>(at) - y * nx;
  if (right < left) left = right = x, low = high = y;
  left = std::min(left, x), right = std::max(right, x), low = std::min(low, y), high = std::max(high, y);
  covered[at] = std::max(covered[at], how);
}

void PrintRoom::keep_books(const PrintSettings& how, SoilTiles& tiles) {
  const auto kept =
      how.bulldozing ? static_cast<std::int64_t>(how.compaction * static_cast<double>(firm)) : firm + aside;
  tiles.compacted += kept;
  aside += firm - kept;
  firm = 0;
}

void PrintRoom::lay(std::int64_t total) {
  if (ring.empty()) ring.emplace_back(0, 1), total = 1;
  const std::int64_t units = aside;
  std::int64_t left = units;
  for (const auto& [at, weight] : ring) {
    const std::int64_t part = units * weight / total;
    loose[static_cast<std::size_t>(at)] += static_cast<std::int32_t>(part);
    left -= part;
  }
  for (std::size_t k = 0; left > 0; k = (k + 1) % ring.size(), --left)
    ++loose[static_cast<std::size_t>(ring[k].first)];
  for (const auto& [at, weight] : ring) {
    const auto row = static_cast<std::size_t>(at / nx);
    set(static_cast<std::size_t>(at));
    moved[row] = changed[row] = 1;
  }
  aside = 0;
}

void PrintRoom::flow(double repose, double stands) {
  const double steepest = cell * repose, cut = steepest + stands;
  std::int32_t deepest = 0;
  for (const std::int32_t s : sunk) deepest = std::max(deepest, s);
  const bool walls = kSoilUnit * deepest > stands;
  const auto pair = [&](std::size_t a, std::size_t b, std::size_t row_a, std::size_t row_b) {
    const double rise = top[a] - top[b];
    if ((rise < 0 ? -rise : rise) <= steepest || covered[a] || covered[b]) return;
    const std::size_t from = rise > 0 ? a : b, to = rise > 0 ? b : a;
    const double excess = (rise > 0 ? rise : -rise) - steepest;
    std::int32_t falls = 0;
    if (walls && sunk[to] > sunk[from]) {
      const double step = excess + steepest - kSoilUnit * static_cast<double>(loose[from]);  // not buried
      const double broken = std::min(step - cut, kSoilUnit * static_cast<double>(sunk[to] - sunk[from]));
      if (broken > 0) falls = std::min(whole_units(kFlow * broken), kMostUnits - sunk[from]);
    }
    const std::int32_t flows =
        std::min({loose[from], whole_units(kFlow * excess), kMostUnits - loose[to] - falls});
    if (flows + falls <= 0) return;
    loose[from] -= flows, sunk[from] += falls, loose[to] += flows + falls;
    set(from), set(to);
    moved[row_a] = moved[row_b] = changed[row_a] = changed[row_b] = 1;
  };
  const auto width = static_cast<std::size_t>(nx), height = static_cast<std::size_t>(ny);
  for (std::size_t y = 0; y < height; ++y) {
    const bool here = moved[y] != 0, above = y + 1 < height && (here || moved[y + 1] != 0);
    const std::size_t row = y * width;
    if (here)
      for (std::size_t x = 0; x + 1 < width; ++x) pair(row + x, row + x + 1, y, y);
    if (above)
      for (std::size_t x = 0; x < width; ++x) pair(row + x, row + x + width, y, y + 1);
  }
}

void PrintRoom::scatter(SoilTiles& tiles, const Terrain& terrain) const {
  each_tile(i, j, nx, ny, [&](TilePlace place, int left, int right, int low, int high) {
    const SoilTile& old = *tiles.find(place);
    const int count = right - left;
    const auto differs = [&](int row) {
      if (!changed[static_cast<std::size_t>(row - j)]) return false;
      const int at = in_tile(row) * kTileSide + in_tile(left), from = (row - j) * nx + (left - i);
      const std::int32_t *s = sunk.data() + from, *l = loose.data() + from;
      std::int32_t difference = 0;
      for (int k = 0; k < count; ++k)
        difference |= (s[k] ^ old.sunk[static_cast<std::size_t>(at + k)]) |
                      (l[k] ^ old.loose[static_cast<std::size_t>(at + k)]);
      return difference != 0;
    };
    SoilTile* tile = nullptr;
    for (int row = low; row < high; ++row) {
      if (!differs(row)) continue;
      if (tile == nullptr) tile = &tiles.edit(place, terrain);
      const auto at = static_cast<std::size_t>(in_tile(row) * kTileSide + in_tile(left));
      const auto from = static_cast<std::size_t>((row - j) * nx + (left - i));
      for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        tile->sunk[at + k] = sunk[from + k], tile->loose[at + k] = loose[from + k];
        if (covered[from + k] == kGripped) tile->slip[at + k] = slip;
        if (lugs && lug[from + k] >= 0) tile->lug[at + k] = static_cast<std::uint8_t>(lug[from + k]);
      }
    }
  });
}

}  // namespace scree
