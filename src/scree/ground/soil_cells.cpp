/// What a wheel on soil that deforms is made of: its rim, the soil's law, the cells around it, its memory.
#include "scree/ground/soil_cells.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

constexpr double kArc = 75 * kDegree;       // of the rim to each side of the bottom that may touch
constexpr double kFinestColumn = 1.0 / 60;  // of the radius

constexpr double kSwayMemory = 0.5;  // s: the mean of the speed along the axle forgets a standing wheel

/// Sines and cosines of whole bins.
struct BinAngles {
  maths::SineCosine of[kShearSlots];
  BinAngles() {
    for (int k = 0; k < kShearSlots; ++k) of[k] = maths::sine_cosine(k * 2 * kPi / kShearBins);
  }
};

}  // namespace

RimGrid::RimGrid(double radius, double width, double cell) {
  step = std::max(0.25 * cell / radius, kFinestColumn);
  const int half = static_cast<int>(kArc / step);
  columns = 2 * half + 1;
  strips = std::clamp(2 * static_cast<int>(std::ceil(0.25 * width / cell - 1e-9)), 2, kMostStrips);
  strip = width / strips;
  for (int k = 0; k < columns + kLanes; ++k) {
    const maths::SineCosine sc = maths::sine_cosine(angle(std::min(k, columns - 1)));
    sine.push_back(sc.sine), cosine.push_back(sc.cosine);
  }
}

void CellTouch::prepare(const RimGrid& rim) {
  for (int side = 0; side < 2; ++side) {
    depth[side].assign(static_cast<std::size_t>(rim.columns + 2 * kLanes), 0.0);
    held[side].assign(static_cast<std::size_t>(rim.columns + 2 * kLanes), 0.0);
  }
}

double largest_cell(double radius, double width) { return std::min(radius / 5, width / 3); }

CellLaw::CellLaw(const SoilNumbers& soil, const SoilWheel& wheel, double gravity, bool slip_sinkage)
    : exponent(soil.sinkage_exponent),
      exponent_slip(slip_sinkage ? soil.slip_sinkage : 0),
      unloading(soil.unloading_stiffness),
      damping(soil.damping),
      cohesion(soil.cohesion),
      tan_friction(maths::tan(soil.friction_angle)),
      kx(soil.shear_modulus),
      kx_angle(soil.shear_modulus_angle),
      ky(soil.side_shear_modulus),
      ky_angle(soil.side_shear_modulus_angle) {
  const PressureLaw p = pressure_law(soil, {wheel.width, 2 * wheel.radius, gravity});
  modulus = p.modulus, length = p.length;
  repose = tan_friction;
  stands = standing_height(soil, gravity);
  const double wedge = 0.25 * kPi - 0.5 * soil.friction_angle, cot = 1 / maths::tan(wedge);
  const double factor = cot + maths::tan(wedge + soil.friction_angle);
  wall_linear = factor * soil.cohesion;
  wall_square = factor * 0.5 * soil.density * gravity * (cot + cot * cot * tan_friction);
}

const SoilTile& SoilWindow::tile_at(const SoilTiles& tiles, const Terrain& terrain, TilePlace place) {
  if (const SoilTile* tile = tiles.find(place)) return *tile;
  const auto kept = std::find_if(made.begin(), made.end(), [&](const auto& m) { return m.first == place; });
  if (kept != made.end()) return kept->second;
  made.emplace_back(place, SoilTile{});
  fill_tile(made.back().second, place, cell, terrain);
  return made.back().second;
}

void SoilWindow::gather(const SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns,
                        int rows) {
  bool same = i == i0 && j == j0 && nx == columns && ny == rows && cell == tiles.cell();
  i = i0, j = j0, nx = columns, ny = rows, cell = tiles.cell();
  const int left = tile_of(i), right = tile_of(i + nx - 1), low = tile_of(j), high = tile_of(j + ny - 1);
  const int wide = right - left + 1, count = wide * (high - low + 1);
  const SoilTile* tile[kMostTiles];
  same = same && count <= kMostTiles;
  // All of them stay where they are while they are read.
  const std::size_t most = std::max(kMostMade, static_cast<std::size_t>(count));
  if (made.size() + static_cast<std::size_t>(count) > most) made.clear();
  made.reserve(most);
  for (int k = 0; k < std::min(count, kMostTiles); ++k) {
    tile[k] = &tile_at(tiles, terrain, {left + k % wide, low + k / wide});
    same = same && tile[k]->stamp == stamps_[k];
    stamps_[k] = tile[k]->stamp;
  }
  if (same) return;
  const auto size = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  if (cells.size() < 2 * size) cells.resize(2 * size);
  for (int k = 0; k < count; ++k) {
    const int tx = left + k % wide, ty = low + k / wide;
    const SoilTile& from = k < kMostTiles ? *tile[k] : tile_at(tiles, terrain, {tx, ty});
    const int x0 = std::max(i, tx * kTileSide), x1 = std::min(i + nx, (tx + 1) * kTileSide);
    const int y0 = std::max(j, ty * kTileSide), y1 = std::min(j + ny, (ty + 1) * kTileSide);
    for (int row = y0; row < y1; ++row) {
      const int at = in_tile(row) * kTileSide + in_tile(x0);
      const float* g = from.ground.data() + at;
      const std::int32_t* s = from.sunk.data() + at;
      double* to = cells.data() + 2 * ((row - j) * nx + (x0 - i));
      for (int c = 0; c < x1 - x0; ++c) {
        to[2 * c] = from.base + static_cast<double>(g[c]);
        to[2 * c + 1] = kSoilUnit * static_cast<double>(s[c]);
      }
    }
  }
}

void finish_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellTouch& t,
                  const Vec3& v, const Vec3& w, double spin, double dt, CellMemory& m) {
  const double rs = wheel.wheel.shear_radius(), lugs = rs - wheel.wheel.radius, b = wheel.wheel.width;
  const double bin = 2 * kPi / kShearBins;
  const double per_kx = 1 / (law.kx + law.kx_angle * m.angle), per_ky = 1 / (law.ky + law.ky_angle * m.angle);
  const int bottom = static_cast<int>(std::floor(t.phase / bin));
  // A bin that has left the soil is kept as long as its neighbour is in it: between the two the shear is
  // read.
  const int lowest = bottom - kShearSlots / 2 + 1;
  bool touches[2][kShearSlots + 2] = {};
  const double per_step = 1 / rim.step, middle = rim.columns / 2;
  for (int k = 0; k < kShearSlots && t.touching; ++k) {
    const double column = ((lowest + k) * bin - t.phase) * per_step + middle;
    if (!(column >= t.first && column < t.last)) continue;
    const int at = static_cast<int>(column);
    const auto here = static_cast<std::size_t>(at);
    const double part = column - at;
    for (int side = 0; side < 2; ++side) {
      const double s = (1 - part) * t.depth[side][here] + part * t.depth[side][here + 1];
      touches[side][k + 1] =
          s + lugs > 0 && (t.held[side][here] + t.held[side][here + 1] > 0 || (lugs > 0 && s < 0));
    }
  }
  static const BinAngles bins;
  const maths::SineCosine start = maths::sine_cosine(lowest * bin - t.phase);
  int slot = shear_slot(lowest);
  for (int k = 0; k < kShearSlots; ++k, slot = slot + 1 < kShearSlots ? slot + 1 : 0) {
    for (int side = 0; side < 2; ++side) {
      double* j = m.shear[side][slot];
      const bool* in = touches[side] + k + 1;
      if (!*in) {
        if (!in[-1] && !in[1]) j[0] = j[1] = 0;
        continue;
      }
      const maths::SineCosine& on = bins.of[k];
      const double sine = start.sine * on.cosine + start.cosine * on.sine;
      const double cosine = start.cosine * on.cosine - start.sine * on.sine;
      const RimSlip<double> slip = rim_slip(v, w, spin, rs, sine, cosine, (side == 0 ? -0.25 : 0.25) * b);
      j[0] += dt * slip.around, j[1] += dt * slip.along;
      const double ec = j[0] * per_kx, ea = j[1] * per_ky, size = ec * ec + ea * ea;
      if (size > kMostShear * kMostShear) {
        const double hold = kMostShear / std::sqrt(size);
        j[0] *= hold, j[1] *= hold;
      }
    }
  }
  m.phase += dt * (spin + w[1]);
  if (m.phase >= 2 * kPi || m.phase < 0) m.phase -= 2 * kPi * std::floor(m.phase / (2 * kPi));
  const double passed =
      dt * std::max(std::abs(t.rim_speed), std::abs(t.hub_speed)) / (0.5 * wheel.wheel.radius);
  m.slip = (m.slip + passed * t.slip_now) / (1 + passed);
  m.angle = (m.angle + passed * t.angle_now) / (1 + passed);
  const double passes = passed + dt / kSwayMemory;
  m.sway = (m.sway + passes * t.v[1]) / (1 + passes);
}

}  // namespace scree
