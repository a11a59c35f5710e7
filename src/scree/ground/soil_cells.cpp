#include "scree/ground/soil_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/core/elementary.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/soil_rut.hpp"

namespace scree {

using namespace lane;

namespace {

constexpr double kArc = 75 * kDegree;       // of the rim to each side of the bottom that may touch
constexpr double kFinestColumn = 1.0 / 60;  // of the radius
constexpr int kMostStrips = 16;
constexpr int kMostColumns = 176;       // 2 kArc / kFinestColumn, and lanes
constexpr double kLeanLeast = 0.1;      // 1 - a_z^2 below which a wheel lies on its side
constexpr double kDragRamp = 0.002;     // m of sinkage at which damping is there in full
constexpr double kCohesionRamp = 0.05;  // pressure over cohesion at which cohesion is there in full

/// A number a column, with room for a lane before the first and behind the last.
struct ColumnArray {
  alignas(32) double v[kMostColumns + 2 * kLanes];
  double& operator[](int k) { return v[k + kLanes]; }
  double operator[](int k) const { return v[k + kLanes]; }
  Lanes at(int k) const { return load(v + k + kLanes); }
  void put(int k, Lanes x) { store(v + k + kLanes, x); }
  /// Columns beyond the ends repeat them.
  void extend(int first, int last) {
    for (int k = (first & ~(kLanes - 1)) - 1; k < first; ++k) (*this)[k] = (*this)[first];
    for (int k = last + 1; k <= last + kLanes; ++k) (*this)[k] = (*this)[last];
  }
};

/// Mean over t in [-1, 1] of clip(a + B t, 0, top), B > 0.
Lanes clipped_mean(Lanes a, Lanes half, Lanes top) {
  const Lanes zero{};
  const auto integral = [&](Lanes x) {
    const Lanes inside = clamp(x, zero, top);
    return 0.5 * inside * inside + top * max(x - top, zero);
  };
  return (integral(a + half) - integral(a - half)) / (2.0 * half);
}

/// Pressure that damping adds, and its derivative by the speed of sinking (soil_rut.hpp).
struct Resistance {
  double pressure, slope;
};
Resistance resistance(const CellLaw& law, double sinking) {
  const double rises = law.unloading * kSettlingTime;
  const double mean = 0.5 * (law.damping + rises), half = 0.5 * (rises - law.damping);
  const double corner = std::sqrt(sinking * sinking + kSettlingSpeed * kSettlingSpeed);
  return {mean * sinking - half * (corner - kSettlingSpeed), mean - half * sinking / corner};
}

using Pair = double __attribute__((vector_size(16)));  // ground, sunk

/// Reads a window between its cells.
struct Cells {
  const double* v;
  int nx;
  struct Stencil {
    Pair a, b, c, d;
    double s, t;
    Pair mean() const {
      const Pair below = a + s * (b - a), above = c + s * (d - c);
      return below + t * (above - below);
    }
    double most_sunk() const { return std::max(std::max(a[1], b[1]), std::max(c[1], d[1])); }
    double least_sunk() const { return std::min(std::min(a[1], b[1]), std::min(c[1], d[1])); }
  };
  Stencil at(double gx, double gy) const {
    const int i = static_cast<int>(gx), j = static_cast<int>(gy);
    const double* p = v + 2 * (j * nx + i);
    Stencil q;
    std::memcpy(&q.a, p, sizeof q.a), std::memcpy(&q.b, p + 2, sizeof q.b);
    std::memcpy(&q.c, p + 2 * nx, sizeof q.c), std::memcpy(&q.d, p + 2 * nx + 2, sizeof q.d);
    q.s = gx - i, q.t = gy - j;
    return q;
  }
  double ground(double gx, double gy) const { return at(gx, gy).mean()[0]; }
};

void clear(CellTouch& out) {
  out.near = out.touching = out.buried = false;
  out.gap = 1e300;
  out.sinkage = out.entry = out.exit = out.torque = out.area = out.strength = 0;
  out.force.setZero(), out.moment.setZero();
  for (auto& row : out.depth_stiffness) std::fill(row, row + 4, 0.0);
  for (auto& row : out.depth_damping) std::fill(row, row + 4, 0.0);
  for (auto& row : out.slip_stiffness) std::fill(row, row + 3, 0.0);
  for (auto& row : out.side_stiffness) std::fill(row, row + 3, 0.0);
  out.first = 0, out.last = -1;
}

/// Circumferential and axial speed of a point of the rim over the ground; v, w in (f, a, u).
struct RimSlip {
  double around, along;
};
RimSlip rim_slip(const Vec3& v, const Vec3& w, double spin, double shear_radius, double sine, double cosine,
                 double side) {
  return {cosine * (v[0] - side * w[2]) + sine * (v[2] + side * w[0]) - shear_radius * (spin + w[1]),
          v[1] + shear_radius * (sine * w[2] + cosine * w[0])};
}

int shear_slot(int bin) { return ((bin % kShearSlots) + kShearSlots) % kShearSlots; }

}  // namespace

RimGrid::RimGrid(double radius, double width, double cell) {
  step = std::max(0.25 * cell / radius, kFinestColumn);
  const int half = static_cast<int>(kArc / step);
  columns = 2 * half + 1;
  strips = std::clamp(2 * static_cast<int>(std::ceil(0.25 * width / cell - 1e-9)), 2, kMostStrips);
  strip = width / strips;
  for (int k = 0; k < columns + kLanes; ++k) {
    const maths::SineCosine sc = maths::sine_cosine(std::min(angle(k), 1.5));
    sine.push_back(sc.sine), cosine.push_back(sc.cosine);
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
  const double wedge = 0.25 * kPi - 0.5 * soil.friction_angle, cot = 1 / maths::tan(wedge);
  const double factor = cot + maths::tan(wedge + soil.friction_angle);
  wall_linear = factor * soil.cohesion;
  wall_square = factor * 0.5 * soil.density * gravity * (cot + cot * cot * tan_friction);
}

void SoilWindow::gather(const SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns,
                        int rows) {
  i = i0, j = j0, nx = columns, ny = rows, cell = tiles.cell();
  const auto size = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  if (cells.size() < 2 * size) cells.resize(2 * size);
  for (int ty = tile_of(j); ty <= tile_of(j + ny - 1); ++ty) {
    for (int tx = tile_of(i); tx <= tile_of(i + nx - 1); ++tx) {
      const TilePlace place{tx, ty};
      const SoilTile* tile = tiles.find(place);
      if (tile == nullptr) {
        const auto kept =
            std::find_if(made.begin(), made.end(), [&](const auto& m) { return m.first == place; });
        if (kept != made.end()) {
          tile = &kept->second;
        } else {
          constexpr std::size_t kMostMade = 9;
          if (made.capacity() < kMostMade) made.reserve(kMostMade);
          if (made.size() == kMostMade) made.clear();
          made.emplace_back(place, SoilTile{});
          fill_tile(made.back().second, place, cell, terrain);
          tile = &made.back().second;
        }
      }
      const int left = std::max(i, tx * kTileSide), right = std::min(i + nx, (tx + 1) * kTileSide);
      const int low = std::max(j, ty * kTileSide), high = std::min(j + ny, (ty + 1) * kTileSide);
      for (int row = low; row < high; ++row) {
        const int from = in_tile(row) * kTileSide + in_tile(left);
        const float* g = tile->ground.data() + from;
        const std::int32_t* s = tile->sunk.data() + from;
        double* to = cells.data() + 2 * ((row - j) * nx + (left - i));
        const double base = tile->base;
        for (int k = 0; k < right - left; ++k) {
          to[2 * k] = base + static_cast<double>(g[k]);
          to[2 * k + 1] = kSoilUnit * static_cast<double>(s[k]);
        }
      }
    }
  }
}

void touch_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellMotion& motion,
                 const CellMemory& memory, const CellStep& step, const SoilTiles& tiles,
                 const Terrain& terrain, SoilWindow& window, CellTouch& out) {
  const bool touched = out.touching;
  clear(out);
  const double R = wheel.wheel.radius, b = wheel.wheel.width, rs = wheel.wheel.shear_radius();
  const Vec3& a = motion.a;
  const double q = 1 - a.z() * a.z();
  out.hub = motion.hub, out.a = a;
  out.u = q > kLeanLeast ? Vec3((Vec3::UnitZ() - a.z() * a) / std::sqrt(q)) : Vec3(Vec3::UnitZ());
  out.f = a.cross(out.u);
  out.N = Vec3::UnitZ(), out.x = out.f, out.y = a;
  out.v = Vec3(motion.v.dot(out.f), motion.v.dot(a), motion.v.dot(out.u));
  out.w = Vec3(motion.w.dot(out.f), motion.w.dot(a), motion.w.dot(out.u));
  out.spin = motion.spin;
  out.rim_speed = rs * (motion.spin + out.w[1]), out.hub_speed = out.v[0], out.side_speed = out.v[1];
  out.phase = memory.phase + 0.5 * step.dt * (motion.spin + out.w[1]);
  const Vec3 &f = out.f, &u = out.u, &hub = motion.hub;
  if (!(q > kLeanLeast)) return;

  // Cells that the rim may reach.
  const double half = 0.5 * b, sine_end = rim.sine[static_cast<std::size_t>(rim.columns - 1)];
  const double ex = R * (sine_end * std::abs(f.x()) + std::abs(u.x())) + half * std::abs(a.x());
  const double ey = R * (sine_end * std::abs(f.y()) + std::abs(u.y())) + half * std::abs(a.y());
  const double lowest = hub.z() - R * std::sqrt(q) - half * std::abs(a.z());
  if (!touched) {
    const HeightRange range = terrain.height_range({hub.x() - ex, hub.x() + ex, hub.y() - ey, hub.y() + ey});
    if (lowest > range.high) {
      out.gap = lowest - range.high;
      return;
    }
  }
  const double D = tiles.cell(), per = 1 / D;
  const int i0 = static_cast<int>(std::floor((hub.x() - ex) * per)) - 1,
            j0 = static_cast<int>(std::floor((hub.y() - ey) * per)) - 1;
  const int i1 = static_cast<int>(std::floor((hub.x() + ex) * per)) + 2,
            j1 = static_cast<int>(std::floor((hub.y() + ey) * per)) + 2;
  window.gather(tiles, terrain, i0, j0, i1 - i0 + 1, j1 - j0 + 1);
  out.near = true;
  const Cells cells{window.cells.data(), window.nx};
  // Place of the hub in the window, in cells; and the axes in cells.
  const double hx = hub.x() * per - i0, hy = hub.y() * per - j0;
  const double fx = f.x() * per, fy = f.y() * per, ux = u.x() * per, uy = u.y() * per, ax = a.x() * per,
               ay = a.y() * per;

  // The plane of the undeformed ground near the wheel.
  const double reach = 0.6 * R;
  const double along =
      (cells.ground(hx + reach * fx, hy + reach * fy) - cells.ground(hx - reach * fx, hy - reach * fy)) /
      (2 * reach);
  const double across =
      (cells.ground(hx + half * ax, hy + half * ay) - cells.ground(hx - half * ax, hy - half * ay)) / b;
  const double det = f.x() * a.y() - f.y() * a.x();
  const double gx = (along * a.y() - across * f.y()) / det, gy = (across * f.x() - along * a.x()) / det;
  out.N = Vec3(-gx, -gy, 1).normalized();
  out.x = a.cross(out.N).normalized();
  out.y = out.N.cross(out.x);
  out.hub_speed = motion.v.dot(out.x), out.side_speed = motion.v.dot(out.y);
  const double nz = out.N.z();

  // Nothing of the ground is higher above that plane than this, nothing was pressed deeper.
  double highest = -1e300, deepest_rut = 0;
  {
    const double px = gx * D, py = gy * D;
    const auto larger = [](Pair x, Pair y) { return x > y ? x : y; };
    Pair even{-1e300, 0}, odd{-1e300, 0};
    for (int j = 0; j < window.ny; ++j) {
      const double* row = window.cells.data() + 2 * j * window.nx;
      Pair level{py * (j - hy) - px * hx, 0};
      const Pair one{px, 0}, two{2 * px, 0};
      Pair next = level + one;
      int i = 0;
      for (; i + 1 < window.nx; i += 2) {
        Pair a0, a1;
        std::memcpy(&a0, row + 2 * i, sizeof a0), std::memcpy(&a1, row + 2 * i + 2, sizeof a1);
        even = larger(a0 - level, even), odd = larger(a1 - next, odd);
        level += two, next += two;
      }
      if (i < window.nx) {
        Pair a0;
        std::memcpy(&a0, row + 2 * i, sizeof a0);
        even = larger(a0 - level, even);
      }
    }
    even = larger(even, odd);
    highest = even[0], deepest_rut = even[1];
  }
  const double cf = f.z() - gx * f.x() - gy * f.y(), cu = u.z() - gx * u.x() - gy * u.y();
  const double ca = half * std::abs(a.z() - gx * a.x() - gy * a.y());
  int k0 = rim.columns, k1 = -1;
  double clear_by = 1e300;
  for (int k = 0; k < rim.columns; ++k) {
    const double above = hub.z() + R * (rim.sine[k] * cf - rim.cosine[k] * cu) - ca - highest;
    clear_by = std::min(clear_by, above);
    if (above < 0) k0 = std::min(k0, k), k1 = k;
  }
  if (k1 < 0) {
    out.gap = clear_by * nz;
    return;
  }
  const int first = std::max(k0 - 1, 0), last = std::min(k1 + 1, rim.columns - 1);
  const int begin = first & ~(kLanes - 1), end = last + 1;  // lanes from begin

  // Memory between cells. Where the rim recedes, it is that of the round rim which pressed them: higher than
  // straight between them by the rim's curvature, no higher than the highest. Where it advances over cells of
  // which some are pressed less than it presses here, these are the ones ahead: the soil here is being
  // pressed now. At rest it is straight between them.
  ColumnArray recedes, advances;
  const double slow = 0.01 * std::abs(out.hub_speed) + 2e-3;  // m/s
  for (int k = first; k <= last; ++k) {
    // By the way that the wheel goes alone: a standing wheel that trembles up and down must not feel it.
    const double into = rim.sine[k] * out.v[0] / slow;
    recedes[k] = std::clamp(-into, 0.0, 1.0), advances[k] = std::clamp(into, 0.0, 1.0);
  }
  const double bulge_x = D * D * f.x() * f.x() / (2 * R), bulge_y = D * D * f.y() * f.y() / (2 * R);

  // Places of the columns from the middle of their strip, in cells, and their height.
  ColumnArray place_x, place_y, height;
  for (int k = first; k <= last; ++k) {
    const double sine = R * rim.sine[k], cosine = R * rim.cosine[k];
    place_x[k] = sine * fx - cosine * ux, place_y[k] = sine * fy - cosine * uy;
    height[k] = sine * f.z() - cosine * u.z();
  }

  // Sums over strips, column by column.
  ColumnArray push, push_w, stiff, stiff_w, stiff_ww, damp, grip[2], grip_w[2], deep[2], holds[2];
  for (int k = begin; k <= last + kLanes; ++k) {
    push[k] = push_w[k] = stiff[k] = stiff_w[k] = stiff_ww[k] = damp[k] = 0;
    for (int side = 0; side < 2; ++side)
      grip[side][k] = grip_w[side][k] = holds[side][k] = 0, deep[side][k] = -1e300;
  }
  const double sinking = -motion.v.dot(out.N);
  const Resistance drag = resistance(law, sinking);
  const double n_now = law.exponent + law.exponent_slip * std::abs(memory.slip);
  const Lanes exponent = lanes(n_now), per_length = lanes(1 / law.length), modulus = lanes(law.modulus);
  const double most =
      law.modulus * power(std::max(nz * std::max(deepest_rut, -clear_by), 1e-12) / law.length, n_now);
  const double ramp = 1 / (kCohesionRamp * law.cohesion + 1);
  const double inset = D * (std::abs(a.x()) + std::abs(a.y())), inner = std::max(half - inset, 0.0);
  const Lanes zero{};
  ColumnArray s, m, depth, unloaded;
  double deepest = -1e300;
  for (int strip = 0; strip < rim.strips; ++strip) {
    const double w = (strip + 0.5) * rim.strip - half;
    const int side = w < 0 ? 0 : 1;
    const double shift = std::clamp(w, -inner, inner) - w;
    const double x0 = hx + w * ax, y0 = hy + w * ay, z0 = hub.z() + w * a.z();
    const double mx = shift * ax, my = shift * ay;
    for (int k = first; k <= last; ++k) {
      const double x = x0 + place_x[k], y = y0 + place_y[k];
      Cells::Stencil q = cells.at(x, y);
      Pair mean = q.mean();
      const double sinks = (mean[0] - (z0 + height[k])) * nz;
      if (shift != 0) q = cells.at(x + mx, y + my), mean = q.mean();
      double kept = mean[1];
      if (recedes[k] > 0) {
        const double round = kept + q.s * (1 - q.s) * bulge_x + q.t * (1 - q.t) * bulge_y;
        kept += recedes[k] * (std::min(round, q.most_sunk()) - kept);
      } else if (kept * nz > sinks && q.least_sunk() * nz < sinks) {
        kept -= advances[k] * (kept - sinks / nz);
      }
      s[k] = sinks, m[k] = kept * nz;
    }
    s.extend(first, last), m.extend(first, last);
    for (int k = begin; k < end; k += kLanes) {
      const Lanes at = s.at(k), wide = 0.25 * abs(s.at(k + 1) - s.at(k - 1)) + 1e-12;
      const Lanes raised = max(at + wide, zero);
      const Lanes z = select(at > wide, at, raised * raised / (4.0 * wide));
      depth.put(k, z);
      unloaded.put(k, max(m.at(k) - z, zero));
    }
    unloaded.extend(first, last);
    for (int k = begin; k < end; k += kLanes) {
      const Lanes z = depth.at(k), top = max(z, m.at(k)), d = unloaded.at(k);
      if (!any(top > zero)) continue;
      const Lanes before = unloaded.at(k - 1), after = unloaded.at(k + 1);
      const Lanes change = 0.25 * abs(after - before);
      if (all(law.unloading * (d - change) > lanes(most))) continue;  // out of reach behind the wheel
      const Lanes held = modulus * power(max(top, lanes(1e-12)) * per_length, exponent);
      const Lanes slope = exponent * held / max(top, lanes(1e-9));
      const Lanes line = max(lanes(law.unloading), slope);
      const Lanes over = max(line * change, lanes(1e-3));
      const Lanes bare = select(top > zero, clipped_mean(held - line * d, over, held), zero);
      const Lanes faded = drag.pressure * min(top * (1 / kDragRamp), lanes(1.0));
      const Lanes pressed = select(bare > zero, max(bare + faded, zero), zero);
      const Mask carries = pressed > zero;
      const Lanes risen = min(d * (1 / kBottom), lanes(1.0));
      const Lanes stiffness = select(carries, slope + risen * (line - slope), zero);
      const Lanes strength = pressed * law.tan_friction + law.cohesion * min(pressed * ramp, lanes(1.0));
      push.put(k, push.at(k) + pressed), push_w.put(k, push_w.at(k) + w * pressed);
      stiff.put(k, stiff.at(k) + stiffness), stiff_w.put(k, stiff_w.at(k) + w * stiffness);
      stiff_ww.put(k, stiff_ww.at(k) + w * w * stiffness);
      damp.put(k, damp.at(k) + select(carries, lanes(1.0), zero));
      grip[side].put(k, grip[side].at(k) + strength);
      holds[side].put(k, holds[side].at(k) + bare);
      grip_w[side].put(k, grip_w[side].at(k) + w * strength);
    }
    for (int k = first; k <= last; ++k) deep[side][k] = std::max(deep[side][k], s[k]);
  }
  for (int side = 0; side < 2; ++side)
    for (int k = first; k <= last; ++k) deepest = std::max(deepest, deep[side][k]);
  out.gap = -deepest;

  // Shear of the two sides, column by column: share of the strength that acts, and its derivative.
  ColumnArray share_c[2], share_a[2], slope_c[2], slope_a[2];
  const double beta = memory.angle;
  const double kx = law.kx + law.kx_angle * beta, ky = law.ky + law.ky_angle * beta;
  const double ahead = 0.5 * step.dt + shear_settling(wheel.shear_damping, out.rim_speed, out.hub_speed);
  const double per_bin = kShearBins / (2 * kPi);
  for (int side = 0; side < 2; ++side) {
    const double w = (side == 0 ? -0.25 : 0.25) * b;
    for (int k = begin; k < end; k += kLanes) {
      if (!any(grip[side].at(k) > zero)) continue;
      Lanes ec{}, ea{};
      for (int l = 0; l < kLanes; ++l) {
        const int c = k + l;
        if (!(grip[side][c] > 0)) continue;
        const double at = (rim.angle(c) + out.phase) * per_bin;
        const double whole = std::floor(at), part = at - whole;
        const int slot = shear_slot(static_cast<int>(whole));
        const double* p = memory.shear[side][slot];
        const double* n = memory.shear[side][slot + 1 < kShearSlots ? slot + 1 : 0];
        const RimSlip v = rim_slip(out.v, out.w, out.spin, rs, rim.sine[c], rim.cosine[c], w);
        ec[l] = (p[0] + part * (n[0] - p[0]) + ahead * v.around) / kx;
        ea[l] = (p[1] + part * (n[1] - p[1]) + ahead * v.along) / ky;
      }
      const Lanes size2 = ec * ec + ea * ea, size = sqrt(size2), left = exponential(-size);
      const Lanes secant = select(size > 1e-6, (1.0 - left) / max(size, lanes(1e-6)), 1.0 - 0.5 * size);
      const Lanes dc = select(size2 > 1e-12, ec * ec / max(size2, lanes(1e-12)), lanes(0.5));
      share_c[side].put(k, -secant * ec), share_a[side].put(k, -secant * ea);
      slope_c[side].put(k, (dc * left + (1.0 - dc) * secant) / kx);
      slope_a[side].put(k, ((1.0 - dc) * left + dc * secant) / ky);
    }
  }

  // Sums over columns.
  const double area = R * rim.step * rim.strip, shear_area = rs * rim.step * rim.strip;
  double hold = 0, moments[3][3] = {}, damping[3] = {}, carrying = 0, strength_all = 0;
  double force_f = 0, force_a = 0, force_u = 0, moment_f = 0, moment_u = 0, torque = 0;
  double slip_k[6] = {}, side_k[6] = {};  // upper triangles
  for (int k = first; k <= last; ++k) {
    if (!(push[k] > 0)) continue;
    const double nf = rim.sine[k], nu = -rim.cosine[k], tf = rim.cosine[k], tu = rim.sine[k];
    const double p = area * push[k], pw = area * push_w[k];
    force_f -= p * nf, force_u -= p * nu;
    moment_f -= pw * nu, moment_u += pw * nf;
    hold += p, carrying += damp[k];
    const double weight[3] = {area * stiff[k], area * stiff_w[k], area * stiff_ww[k]};
    const double nn[3] = {nf * nf, nf * nu, nu * nu};
    for (int q = 0; q < 3; ++q) {
      damping[q] += area * damp[k] * drag.slope * nn[q];
      for (int r = 0; r < 3; ++r) moments[r][q] += weight[r] * nn[q];
    }
    for (int side = 0; side < 2; ++side) {
      const double g = shear_area * grip[side][k], gw = shear_area * grip_w[side][k];
      if (!(g > 0)) continue;
      const double tc = g * share_c[side][k], ta = g * share_a[side][k], tcw = gw * share_c[side][k];
      force_f += tc * tf, force_u += tc * tu, force_a += ta;
      moment_u += rs * ta * nf - tcw * tf, moment_f += tcw * tu - rs * ta * nu;
      torque -= rs * tc;
      strength_all += g;
      const double kc = g * slope_c[side][k], ka = g * slope_a[side][k];
      const double row_c[3] = {tf, tu, -rs}, row_a[3] = {1, rs * nf, -rs * nu};
      for (int r = 0, at = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c, ++at) {
          slip_k[at] += kc * row_c[r] * row_c[c];
          side_k[at] += ka * row_a[r] * row_a[c];
        }
      // The face that the wheel pushes sideways: the left one when it slides left.
      const double mean = share_a[side][k];
      const bool leads = (side == 1) == (mean < 0);
      const double h = std::max(deep[side][k], 0.0);
      if (leads && h > 0) {
        const double wall =
            (law.wall_linear + law.wall_square * h) * h * std::max(R - h * rim.cosine[k], 0.0) * rim.step;
        force_a += mean * wall;
        moment_u += R * mean * wall * nf, moment_f -= R * mean * wall * nu;
      }
    }
  }
  out.force = Vec3(force_f, force_a, force_u);
  out.moment = Vec3(moment_f, torque, moment_u);
  out.torque = torque, out.strength = strength_all, out.area = area * carrying;
  for (int r = 0, at = 0; r < 3; ++r)
    for (int c = r; c < 3; ++c, ++at)
      out.slip_stiffness[r][c] = slip_k[at], out.side_stiffness[r][c] = side_k[at];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      const int normal = (r & 1) + (c & 1), moment = (r >> 1) + (c >> 1);
      out.depth_stiffness[r][c] = moments[moment][normal];
      out.depth_damping[r][c] = moment == 0 ? damping[normal] : 0;
    }
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < r; ++c) {
      out.slip_stiffness[r][c] = out.slip_stiffness[c][r];
      out.side_stiffness[r][c] = out.side_stiffness[c][r];
    }
  out.first = first, out.last = last;
  for (int side = 0; side < 2; ++side) {
    for (int k = first; k <= last; ++k) {
      out.depth[side][static_cast<std::size_t>(k)] = deep[side][k];
      out.held[side][static_cast<std::size_t>(k)] = holds[side][k];
    }
  }
  out.touching = hold > 0;
  out.sinkage = out.touching ? std::max(deepest, 0.0) : 0;
  out.buried = deepest > R;
  if (out.touching) {
    int low = last, high = first;
    for (int k = first; k <= last; ++k)
      if (push[k] > 0) low = std::min(low, k), high = std::max(high, k);
    const double tilt = maths::atan(along);
    out.entry = rim.angle(high) - tilt, out.exit = rim.angle(low) - tilt;
  }
  const double faster = std::max(std::abs(out.rim_speed), std::abs(out.hub_speed));
  out.slip_now = faster > 0 ? std::clamp((out.rim_speed - out.hub_speed) / faster, -1.0, 1.0) : 0;
  out.angle_now = out.side_speed == 0 ? 0 : maths::atan2(std::abs(out.side_speed), std::abs(out.hub_speed));
}

void finish_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellTouch& t,
                  const Vec3& v, const Vec3& w, double spin, double dt, CellMemory& m) {
  const double rs = wheel.wheel.shear_radius(), lugs = rs - wheel.wheel.radius, b = wheel.wheel.width;
  const double bin = 2 * kPi / kShearBins;
  const double kx = law.kx + law.kx_angle * m.angle, ky = law.ky + law.ky_angle * m.angle;
  const int bottom = static_cast<int>(std::floor(t.phase / bin));
  // A bin that has left the soil is kept as long as its neighbour is in it: between the two the shear is
  // read.
  const int lowest = bottom - kShearSlots / 2 + 1;
  bool touches[2][kShearSlots + 2] = {};
  for (int k = 0; k < kShearSlots && t.touching; ++k) {
    const double column = ((lowest + k) * bin - t.phase) / rim.step + rim.columns / 2;
    const int at = static_cast<int>(std::floor(column));
    if (at < t.first || at >= t.last) continue;
    const auto here = static_cast<std::size_t>(at);
    const double part = column - at;
    for (int side = 0; side < 2; ++side) {
      const double s = (1 - part) * t.depth[side][here] + part * t.depth[side][here + 1];
      touches[side][k + 1] =
          s + lugs > 0 && (t.held[side][here] + t.held[side][here + 1] > 0 || (lugs > 0 && s < 0));
    }
  }
  for (int k = 0; k < kShearSlots; ++k) {
    const int slot = shear_slot(lowest + k);
    maths::SineCosine sc{2, 0};
    for (int side = 0; side < 2; ++side) {
      double* j = m.shear[side][slot];
      const bool* in = touches[side] + k + 1;
      if (!*in) {
        if (!in[-1] && !in[1]) j[0] = j[1] = 0;
        continue;
      }
      if (sc.sine > 1) sc = maths::sine_cosine((lowest + k) * bin - t.phase);
      const RimSlip slip = rim_slip(v, w, spin, rs, sc.sine, sc.cosine, (side == 0 ? -0.25 : 0.25) * b);
      j[0] += dt * slip.around, j[1] += dt * slip.along;
      const double ec = j[0] / kx, ea = j[1] / ky, size = ec * ec + ea * ea;
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
}

}  // namespace scree
