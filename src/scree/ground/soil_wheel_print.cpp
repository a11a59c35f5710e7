/// The print of a wheel (soil_cells.hpp).
#include <algorithm>
#include <cmath>

#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/soil_cells.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kPrintTravel = 0.1;    // of a cell: a wheel that moved less makes no new print
constexpr double kPrintSinkage = 2e-5;  // m, nor one that sank less
constexpr int kMargin = 4;              // cells around the rim that displaced soil may reach at once
constexpr double kLugShare = 0.3;       // of the pitch that a lug takes
constexpr double kRebound = 1e-3;       // m: soil so near under the rim is still covered by it

/// Presses the cells under the rim, four at a time.
void press_rim(const CellWheel& wheel, const CellTouch& t, const PrintSettings& how, PrintRoom& room) {
  const double D = room.cell, R = wheel.wheel.radius, half = 0.5 * wheel.wheel.width, az = t.a.z();
  const double q = 1 - az * az;
  room.lugs = how.lugs > 0 && D <= kLugCell && wheel.wheel.lug_height > 0;
  if (room.lugs) room.lug.assign(room.ground.size(), -1);
  const auto lug_depth = static_cast<std::int16_t>(std::min(wheel.wheel.lug_height / kLugUnit, 255.0));
  for (int y = kMargin; y < room.ny - kMargin; ++y) {
    const double dy = (room.j + y) * D - t.hub.y();
    for (int x = kMargin; x < room.nx - kMargin; x += kLanes) {  // the margin is wide enough for lanes
      const auto at = static_cast<std::size_t>(y * room.nx + x);
      const Lanes dx = (Lanes{0, 1, 2, 3} + static_cast<double>(room.i + x)) * D - t.hub.x();
      const Lanes o = dx * t.a.x() + dy * t.a.y();
      const Lanes root = az * az * o * o - q * (dx * dx + dy * dy - o * o - R * R);
      const Mask over = root > Lanes{};
      if (!any(over)) continue;
      const Lanes z = (az * o - sqrt(max(root, Lanes{}))) * (1 / q), height = t.hub.z() + z;
      const Mask under =
          over & (abs(o + z * az) <= lanes(half)) & (height < load(room.top.data() + at) + kRebound);
      if (!any(under)) continue;
      for (int l = 0; l < kLanes; ++l) {
        if (!under[l]) continue;
        const std::size_t k = at + static_cast<std::size_t>(l);
        room.press(k, height[l], how);
        const double gap = height[l] - (room.ground[k] - kSoilUnit * room.sunk[k]);
        if (!(height[l] < room.ground[k] && gap <= kRebound)) continue;
        room.cover(k, kGripped);
        const double along = dx[l] * t.f.x() + dy * t.f.y();
        if (room.lugs && std::abs(along) < D) {
          const double turn = (t.phase + along / R) * how.lugs / (2 * kPi);
          room.lug[k] = turn - std::floor(turn) < kLugShare ? lug_depth : std::int16_t{0};
        }
      }
    }
  }
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
  room.slip = static_cast<float>(m.slip);
  press_rim(wheel, t, how, room);
  // Ahead and aside alike, behind by as much as the wheel slips.
  const double way = t.hub_speed < 0 ? -1 : 1;
  const int behind = static_cast<int>(std::lround(kRingWeight * std::min(std::abs(m.slip), 1.0)));
  const auto weight = [&](int, int to) {
    const double x = (room.i + to % room.nx) * D - t.hub.x(), y = (room.j + to / room.nx) * D - t.hub.y();
    const double side = x * t.a.x() + y * t.a.y(), ahead = way * (x * t.f.x() + y * t.f.y());
    return ahead >= 0 || std::abs(side) > half ? kRingWeight : behind;
  };
  room.finish(how, weight, tiles, terrain);
}

}  // namespace scree
