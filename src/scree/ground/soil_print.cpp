/// The print of a wheel in the cells under it: what is pressed, pushed aside, and flows.
#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/soil_cells.hpp"

namespace scree {
namespace {

constexpr double kPrintTravel = 0.1;    // of a cell: a wheel that moved less makes no new print
constexpr double kPrintSinkage = 2e-5;  // m, nor one that sank less
constexpr int kMargin = 4;              // cells around the rim that displaced soil may reach at once
constexpr double kFlow = 0.2;           // of the excess height that flows in a pass
constexpr int kRingWeight = 64;         // whole weights, for whole units
constexpr double kLugShare = 0.3;       // of the pitch that a lug takes

/// Calls visit(tile place, first cell in the tile, first cell in the room, count) for every piece of a row.
template <class Visit>
void each_piece(int i, int j, int nx, int ny, const Visit& visit) {
  for (int ty = tile_of(j); ty <= tile_of(j + ny - 1); ++ty)
    for (int tx = tile_of(i); tx <= tile_of(i + nx - 1); ++tx)
      visit(TilePlace{tx, ty}, std::max(i, tx * kTileSide), std::min(i + nx, (tx + 1) * kTileSide),
            std::max(j, ty * kTileSide), std::min(j + ny, (ty + 1) * kTileSide));
}

std::int32_t whole_units(double metres) {
  const double units = std::floor(metres / kSoilUnit);
  return static_cast<std::int32_t>(std::clamp(units, -double{kMostUnits}, double{kMostUnits}));
}

}  // namespace

void PrintRoom::gather(SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns, int rows) {
  i = i0, j = j0, nx = columns, ny = rows;
  const auto size = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  ground.resize(size), sunk.resize(size), loose.resize(size), slip.resize(size), lug.resize(size);
  covered.assign(size, 0);
  each_piece(i, j, nx, ny, [&](TilePlace place, int left, int right, int low, int high) {
    const SoilTile& tile = tiles.ensure(place, terrain);
    for (int row = low; row < high; ++row) {
      const int from = in_tile(row) * kTileSide + in_tile(left), count = right - left;
      const auto to = static_cast<std::size_t>((row - j) * nx + (left - i));
      for (int k = 0; k < count; ++k) ground[to + static_cast<std::size_t>(k)] = tile.ground_at(from + k);
      std::copy_n(tile.sunk.begin() + from, count, sunk.begin() + static_cast<long>(to));
      std::copy_n(tile.loose.begin() + from, count, loose.begin() + static_cast<long>(to));
      std::copy_n(tile.slip.begin() + from, count, slip.begin() + static_cast<long>(to));
      std::copy_n(tile.lug.begin() + from, count, lug.begin() + static_cast<long>(to));
    }
  });
}

void PrintRoom::scatter(SoilTiles& tiles, const Terrain& terrain) const {
  each_piece(i, j, nx, ny, [&](TilePlace place, int left, int right, int low, int high) {
    const SoilTile& old = *tiles.find(place);
    const int count = right - left;
    bool same = true;
    for (int row = low; row < high && same; ++row) {
      const int at = in_tile(row) * kTileSide + in_tile(left);
      const long from = (row - j) * nx + (left - i);
      same = std::equal(sunk.begin() + from, sunk.begin() + from + count, old.sunk.begin() + at) &&
             std::equal(loose.begin() + from, loose.begin() + from + count, old.loose.begin() + at) &&
             std::equal(slip.begin() + from, slip.begin() + from + count, old.slip.begin() + at) &&
             std::equal(lug.begin() + from, lug.begin() + from + count, old.lug.begin() + at);
    }
    if (same) return;
    SoilTile& tile = tiles.edit(place, terrain);
    for (int row = low; row < high; ++row) {
      const int at = in_tile(row) * kTileSide + in_tile(left);
      const long from = (row - j) * nx + (left - i);
      std::copy_n(sunk.begin() + from, count, tile.sunk.begin() + at);
      std::copy_n(loose.begin() + from, count, tile.loose.begin() + at);
      std::copy_n(slip.begin() + from, count, tile.slip.begin() + at);
      std::copy_n(lug.begin() + from, count, tile.lug.begin() + at);
    }
  });
}

void relax_loose(PrintRoom& room, double cell, double repose) {
  const double steepest = cell * repose;
  const auto flow = [&](std::size_t a, std::size_t b) {
    if ((room.loose[a] | room.loose[b]) == 0 || room.covered[a] || room.covered[b]) return;
    const double rise =
        (room.ground[a] - room.ground[b]) + kSoilUnit * (static_cast<double>(room.loose[a] - room.sunk[a]) -
                                                         static_cast<double>(room.loose[b] - room.sunk[b]));
    const double excess = std::abs(rise) - steepest;
    if (!(excess > 0)) return;
    const std::size_t from = rise > 0 ? a : b, to = rise > 0 ? b : a;
    const std::int32_t moved =
        std::min({room.loose[from], whole_units(kFlow * excess), kMostUnits - room.loose[to]});
    room.loose[from] -= moved, room.loose[to] += moved;
  };
  const auto nx = static_cast<std::size_t>(room.nx), ny = static_cast<std::size_t>(room.ny);
  for (std::size_t y = 0; y < ny; ++y) {
    for (std::size_t x = 0; x < nx; ++x) {
      const std::size_t at = y * nx + x;
      if (x + 1 < nx) flow(at, at + 1);
      if (y + 1 < ny) flow(at, at + nx);
    }
  }
}

namespace {

/// Lays displaced units around the outline: ahead and aside alike, behind by as much as the wheel slips.
void lay_aside(PrintRoom& room, std::int64_t units, const CellTouch& t, double half, double cell,
               double slip) {
  if (units <= 0) return;
  room.ring.clear();
  std::int64_t total = 0;
  const double way = t.hub_speed < 0 ? -1 : 1;
  const int behind = static_cast<int>(std::lround(kRingWeight * std::min(std::abs(slip), 1.0)));
  for (int y = 1; y + 1 < room.ny; ++y) {
    for (int x = 1; x + 1 < room.nx; ++x) {
      const int at = y * room.nx + x;
      const auto covers = [&](int k) { return room.covered[static_cast<std::size_t>(k)] != 0; };
      if (covers(at) || !(covers(at - 1) || covers(at + 1) || covers(at - room.nx) || covers(at + room.nx)))
        continue;
      const double dx = (room.i + x) * cell - t.hub.x(), dy = (room.j + y) * cell - t.hub.y();
      const double side = dx * t.a.x() + dy * t.a.y(), ahead = way * (dx * t.f.x() + dy * t.f.y());
      const int weight = ahead >= 0 || std::abs(side) > half ? kRingWeight : behind;
      if (weight == 0) continue;
      room.ring.emplace_back(at, weight);
      total += weight;
    }
  }
  if (room.ring.empty()) room.ring.emplace_back(0, 1), total = 1;
  std::int64_t left = units;
  for (const auto& [at, weight] : room.ring) {
    const std::int64_t part = units * weight / total;
    room.loose[static_cast<std::size_t>(at)] += static_cast<std::int32_t>(part);
    left -= part;
  }
  for (std::size_t k = 0; left > 0; k = (k + 1) % room.ring.size(), --left)
    ++room.loose[static_cast<std::size_t>(room.ring[k].first)];
}

struct Displaced {
  std::int64_t firm = 0, loose = 0;  ///< units
};

/// Presses the cells under the rim.
Displaced press(const CellWheel& wheel, const CellTouch& t, int lugs, double cell, float slip,
                PrintRoom& room) {
  Displaced out;
  const double R = wheel.wheel.radius, half = 0.5 * wheel.wheel.width, az = t.a.z(), q = 1 - az * az;
  const bool prints_lugs = lugs > 0 && cell <= kLugCell && wheel.wheel.lug_height > 0;
  const auto lug_depth = static_cast<std::uint8_t>(std::min(wheel.wheel.lug_height / kLugUnit, 255.0));
  const double aside = half + R * std::abs(az);
  for (int y = kMargin; y < room.ny - kMargin; ++y) {
    for (int x = kMargin; x < room.nx - kMargin; ++x) {
      const double dx = (room.i + x) * cell - t.hub.x(), dy = (room.j + y) * cell - t.hub.y();
      const double o = dx * t.a.x() + dy * t.a.y();
      if (std::abs(o) > aside) continue;
      const double root = az * az * o * o - q * (dx * dx + dy * dy - o * o - R * R);
      if (!(root > 0)) continue;
      const double z = (az * o - std::sqrt(root)) / q;
      if (!(std::abs(o + z * az) <= half)) continue;
      const auto at = static_cast<std::size_t>(y * room.nx + x);
      const std::int32_t depth = whole_units(room.ground[at] - (t.hub.z() + z));
      if (depth > room.sunk[at]) {
        out.firm += depth - room.sunk[at];
        room.sunk[at] = depth;
      }
      // In the firm soil within its rebound, or in the loose soil above it.
      const std::int32_t room_above = room.sunk[at] - depth;
      if (room.loose[at] > room_above) {
        out.loose += room.loose[at] - room_above;
        room.loose[at] = room_above;
        room.covered[at] = 1;
      }
      if (depth > 0 && room_above <= whole_units(1e-3)) {
        room.covered[at] = 1;
        room.slip[at] = slip;
        const double along = dx * t.f.x() + dy * t.f.y();
        if (prints_lugs && std::abs(along) < cell) {
          const double turn = (t.phase + along / R) * lugs / (2 * kPi);
          room.lug[at] = turn - std::floor(turn) < kLugShare ? lug_depth : std::uint8_t{0};
        }
      }
    }
  }
  return out;
}

}  // namespace

void print_wheel(const CellWheel& wheel, const CellTouch& t, const PrintSettings& how, const Terrain& terrain,
                 SoilTiles& tiles, PrintRoom& room, CellMemory& m) {
  if (!t.touching) return;
  const double D = tiles.cell(), dx = t.hub.x() - m.print[0], dy = t.hub.y() - m.print[1];
  const double far = kPrintTravel * D;
  if (m.printed != 0 && dx * dx + dy * dy < far * far && t.hub.z() > m.print[2] - kPrintSinkage) return;
  m.printed = 1, m.print[0] = t.hub.x(), m.print[1] = t.hub.y(), m.print[2] = t.hub.z();
  const double R = wheel.wheel.radius, half = 0.5 * wheel.wheel.width;
  const double ex = R * (std::abs(t.f.x()) + std::abs(t.u.x())) + half * std::abs(t.a.x());
  const double ey = R * (std::abs(t.f.y()) + std::abs(t.u.y())) + half * std::abs(t.a.y());
  const int i0 = static_cast<int>(std::floor((t.hub.x() - ex) / D)) - kMargin,
            j0 = static_cast<int>(std::floor((t.hub.y() - ey) / D)) - kMargin;
  const int i1 = static_cast<int>(std::ceil((t.hub.x() + ex) / D)) + kMargin,
            j1 = static_cast<int>(std::ceil((t.hub.y() + ey) / D)) + kMargin;
  room.gather(tiles, terrain, i0, j0, i1 - i0 + 1, j1 - j0 + 1);
  const Displaced moved = press(wheel, t, how.lugs, D, static_cast<float>(m.slip), room);
  const auto kept = how.bulldozing
                        ? static_cast<std::int64_t>(how.compaction * static_cast<double>(moved.firm))
                        : moved.firm + moved.loose;
  tiles.compacted += kept;
  if (how.bulldozing) {
    lay_aside(room, moved.firm + moved.loose - kept, t, half, D, m.slip);
    relax_loose(room, D, how.repose);
  }
  room.scatter(tiles, terrain);
}

}  // namespace scree
