/// Forces of soil that deforms on a wheel (soil_cells.hpp), and how they answer to its speeds.
///
/// In three strokes: which columns of the rim the ground can reach (reach), sinkage and memory at their
/// points strip by strip (read_strip), and the law, shear and sums four columns at a time (FourColumns), all
/// strips of them while their sums are in registers.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/core/elementary.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/soil_cells.hpp"
#include "scree/ground/soil_rut.hpp"

namespace scree {

using namespace lane;

namespace {

constexpr double kLeanLeast = 0.1;      // 1 - a_z^2 below which a wheel lies on its side
constexpr double kDragRamp = 0.002;     // m of sinkage at which damping is there in full
constexpr double kPressedNow = 1e-12;   // m above the memory's bottom: rounding
constexpr double kCohesionRamp = 0.05;  // pressure over cohesion at which cohesion is there in full

using Pair = double __attribute__((vector_size(16)));
using Whole = std::int32_t __attribute__((vector_size(16)));

/// A number a column, with room for a lane before the first and behind the last.
struct ColumnArray {
  alignas(32) double v[kMostColumns + 2 * kLanes];
  double& operator[](int k) { return v[k + kLanes]; }
  double operator[](int k) const { return v[k + kLanes]; }
  Lanes at(int k) const { return load(v + k + kLanes); }
  void put(int k, Lanes x) { store(v + k + kLanes, x); }
};

/// Columns that are computed, and the lanes around them; columns beyond the ends repeat them.
struct Columns {
  int first = 0, last = -1;
  int begin() const { return first; }
  int end() const { return first + (last - first + kLanes) / kLanes * kLanes; }
  int held(int k) const { return std::min(k, last); }
  Mask active(int k) const { return Lanes{0, 1, 2, 3} + static_cast<double>(k) <= lanes(last); }
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

/// Reads a window between its cells, four places at once.
struct Cells {
  const double* v;  ///< (ground, sunk) of each
  int nx;

  struct Read {
    Lanes s, t;             ///< place between the cells, 0..1
    Lanes ground, sunk;     ///< m
    Lanes ends[2], low[2];  ///< most and least sunk of the cells to the left and to the right
  };
  /// Neighbours in x lie side by side: one load has two cells. `around`: most and least are wanted.
  Read at(Lanes gx, Lanes gy, bool around) const {
    const Whole i = __builtin_convertvector(gx, Whole), j = __builtin_convertvector(gy, Whole);
    const Whole at = 2 * (j * nx + i);
    Read r;
    r.s = gx - __builtin_convertvector(i, Lanes), r.t = gy - __builtin_convertvector(j, Lanes);
    Lanes near[kLanes], far[kLanes], mean[kLanes];
    for (int l = 0; l < kLanes; ++l) {
      const double* p = v + at[l];
      near[l] = load(p), far[l] = load(p + 2 * nx);
      mean[l] = near[l] + lanes(r.t[l]) * (far[l] - near[l]);
    }
    const LaneRows m = transpose(mean[0], mean[1], mean[2], mean[3]);
    r.ground = m.row[0] + r.s * (m.row[2] - m.row[0]);
    r.sunk = m.row[1] + r.s * (m.row[3] - m.row[1]);
    if (!around) return r;
    const LaneRows n = transpose(near[0], near[1], near[2], near[3]),
                   f = transpose(far[0], far[1], far[2], far[3]);
    r.ends[0] = max(n.row[1], f.row[1]), r.ends[1] = max(n.row[3], f.row[3]);
    r.low[0] = min(n.row[1], f.row[1]), r.low[1] = min(n.row[3], f.row[3]);
    return r;
  }
  double ground(double gx, double gy) const {
    const int i = static_cast<int>(gx), j = static_cast<int>(gy);
    const double *p = v + 2 * (j * nx + i), *q = p + 2 * nx, s = gx - i, t = gy - j;
    const double below = p[0] + s * (p[2] - p[0]), above = q[0] + s * (q[2] - q[0]);
    return below + t * (above - below);
  }
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

/// The rim over its window: in the window's own units, cells from its first one.
struct RimPlace {
  double hx = 0, hy = 0;                                  ///< hub
  double fx = 0, fy = 0, ux = 0, uy = 0, ax = 0, ay = 0;  ///< axes
  double gx = 0, gy = 0;                                  ///< slope of the undeformed ground near the wheel
};

/// Slope of the undeformed ground near the wheel; its normal and the directions in it.
void lay_plane(const Cells& cells, double R, double b, const CellMotion& motion, RimPlace& at,
               CellTouch& out) {
  const Vec3 &f = out.f, &a = out.a;
  const double reach = 0.6 * R, half = 0.5 * b;
  const double along = (cells.ground(at.hx + reach * at.fx, at.hy + reach * at.fy) -
                        cells.ground(at.hx - reach * at.fx, at.hy - reach * at.fy)) /
                       (2 * reach);
  const double across = (cells.ground(at.hx + half * at.ax, at.hy + half * at.ay) -
                         cells.ground(at.hx - half * at.ax, at.hy - half * at.ay)) /
                        b;
  const double det = f.x() * a.y() - f.y() * a.x();
  at.gx = (along * a.y() - across * f.y()) / det, at.gy = (across * f.x() - along * a.x()) / det;
  out.N = Vec3(-at.gx, -at.gy, 1).normalized();
  out.x = a.cross(out.N).normalized();
  out.y = out.N.cross(out.x);
  out.hub_speed = motion.v.dot(out.x), out.side_speed = motion.v.dot(out.y);
  out.tilt = along;
}

/// Nothing of the ground is higher above the plane than `highest`, nothing was pressed deeper than `rut` [m].
struct WindowBounds {
  double highest, rut;
};
WindowBounds bounds(const SoilWindow& window, const RimPlace& at) {
  const double px = at.gx * window.cell, py = at.gy * window.cell;
  const auto larger = [](Lanes x, Lanes y) { return x > y ? x : y; };
  Lanes even{-1e300, 0, -1e300, 0}, odd = even;
  for (int j = 0; j < window.ny; ++j) {
    const double* row = window.cells.data() + 2 * j * window.nx;
    const double start = py * (j - at.hy) - px * at.hx;
    Lanes level{start, 0, start + px, 0};
    const Lanes two{2 * px, 0, 2 * px, 0}, four = two + two;
    Lanes next = level + two;
    int i = 0;
    for (; i + 3 < window.nx; i += 4) {
      even = larger(load(row + 2 * i) - level, even), odd = larger(load(row + 2 * i + 4) - next, odd);
      level += four, next += four;
    }
    for (; i < window.nx; ++i) {
      even[0] = std::max(row[2 * i] - (start + i * px), even[0]);
      even[1] = std::max(row[2 * i + 1], even[1]);
    }
  }
  even = larger(even, odd);
  return {std::max(even[0], even[2]), std::max(even[1], even[3])};
}

/// Columns below the highest ground around, and one more to each side; how far the lowest is above it [m].
struct Reach {
  Columns columns;
  double clear_by = 1e300;
};
Reach reach(const RimGrid& rim, double R, double half, double highest, const RimPlace& at,
            const CellTouch& out) {
  const Vec3 &f = out.f, &u = out.u, &a = out.a;
  const double cf = R * (f.z() - at.gx * f.x() - at.gy * f.y()),
               cu = R * (u.z() - at.gx * u.x() - at.gy * u.y());
  const double base = out.hub.z() - half * std::abs(a.z() - at.gx * a.x() - at.gy * a.y()) - highest;
  Reach r;
  int k0 = rim.columns, k1 = -1;
  Lanes least = lanes(1e300);
  for (int k = 0; k < rim.columns; k += kLanes) {  // the last column is repeated
    const Lanes above = base + (load(rim.sine.data() + k) * cf - load(rim.cosine.data() + k) * cu);
    least = min(least, above);
    if (!any(above < Lanes{})) continue;
    for (int l = 0; l < kLanes && k + l < rim.columns; ++l)
      if (above[l] < 0) k0 = std::min(k0, k + l), k1 = k + l;
  }
  r.clear_by = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  if (k1 >= 0) r.columns = {std::max(k0 - 1, 0), std::min(k1 + 1, rim.columns - 1)};
  return r;
}

/// What is the same for all strips of a column.
struct ColumnPlaces {
  ColumnArray x, y;               ///< from the middle of a strip [cells]
  ColumnArray height;             ///< and up [m]
  ColumnArray sine, cosine;       ///< of its angle
  ColumnArray recedes, advances;  ///< 0..1
};
void place_columns(const RimGrid& rim, const Columns& columns, double R, const RimPlace& at,
                   const CellTouch& out, ColumnPlaces& p) {
  const double slow = 0.01 * std::abs(out.hub_speed) + 2e-3;  // m/s
  const double fz = out.f.z(), uz = out.u.z(), into = out.v[0] / slow;
  for (int k = columns.begin(); k < columns.end(); ++k) {
    const auto c = static_cast<std::size_t>(columns.held(k));
    p.sine[k] = rim.sine[c], p.cosine[k] = rim.cosine[c];
  }
  for (int k = columns.begin(); k < columns.end(); k += kLanes) {
    const Lanes sine = p.sine.at(k), cosine = p.cosine.at(k), rs = R * sine, rc = R * cosine;
    p.x.put(k, rs * at.fx - rc * at.ux), p.y.put(k, rs * at.fy - rc * at.uy);
    p.height.put(k, rs * fz - rc * uz);
    // By the way that the wheel goes alone: a standing wheel that trembles up and down must not feel it.
    const Lanes way = sine * into;
    p.recedes.put(k, clamp(-way, Lanes{}, lanes(1))), p.advances.put(k, clamp(way, Lanes{}, lanes(1)));
  }
}

/// Points of a strip, along N [m]: sinkage, memory, sinkage as the column's mean, and what that is above the
/// memory's bottom.
struct StripPoints {
  ColumnArray s, m, z, d;
};
struct Strip {
  double w = 0;                     ///< its middle along the axle [m]
  double x = 0, y = 0, z = 0;       ///< in the window [cells], and up [m]
  double shift_x = 0, shift_y = 0;  ///< memory is read this far from there [cells]: not beyond the rim's edge
};

/// Memory between cells. Where the rim recedes, it is that of the round rim which pressed them: higher than
/// straight between them by the rim's curvature, no higher than the highest. Where it advances over cells of
/// which some are pressed less than it presses here, these are the ones ahead: the soil here is being
/// pressed now. At rest it is straight between them.
void read_strip(const Cells& cells, const Columns& columns, const ColumnPlaces& p, const Strip& strip,
                double nz, double bulge_x, double bulge_y, StripPoints& out) {
  const bool shifted = strip.shift_x != 0 || strip.shift_y != 0;
  for (int k = columns.begin(); k < columns.end(); k += kLanes) {
    const Lanes x = strip.x + p.x.at(k), y = strip.y + p.y.at(k);
    Cells::Read q = cells.at(x, y, !shifted);
    const Lanes sinks = (q.ground - (strip.z + p.height.at(k))) * nz;
    if (shifted) q = cells.at(x + strip.shift_x, y + strip.shift_y, true);
    Lanes kept = q.sunk;
    const Lanes recedes = p.recedes.at(k);
    const Lanes round = kept + q.s * (1.0 - q.s) * bulge_x + q.t * (1.0 - q.t) * bulge_y;
    const Lanes behind = recedes * (min(round, max(q.ends[0], q.ends[1])) - kept);
    const Mask ahead = (kept * nz > sinks) & (min(q.low[0], q.low[1]) * nz < sinks);
    const Lanes before = select(ahead, p.advances.at(k) * (sinks * (1 / nz) - kept), Lanes{});
    kept += select(recedes > Lanes{}, behind, before);
    out.s.put(k, sinks), out.m.put(k, kept * nz);
  }
  out.s[columns.begin() - 1] = out.s[columns.begin()], out.s[columns.end()] = out.s[columns.end() - 1];
  for (int k = columns.begin(); k < columns.end(); k += kLanes) {
    const Lanes s = out.s.at(k), wide = 0.25 * abs(out.s.at(k + 1) - out.s.at(k - 1)) + 1e-12;
    const Lanes raised = max(s + wide, Lanes{});
    const Lanes z = select(s > wide, s, raised * raised / (4.0 * wide));
    out.z.put(k, z), out.d.put(k, max(out.m.at(k) - z, Lanes{}));
  }
  out.d[columns.first - 1] = out.d[columns.first], out.d[columns.last + 1] = out.d[columns.last];
}

/// Shear displacements of the bins that the columns may ask, one behind the other: (right around, right
/// along, left around, left along).
struct ShearLine {
  double first = 0;  ///< bin
  alignas(32) double v[kShearSlots + 12][4];
  Lanes at(int k) const { return load(v[k]); }
};
void lay_shear(const CellMemory& memory, double from, double to, ShearLine& line) {
  line.first = std::floor(from);
  const int begin = static_cast<int>(line.first), count = static_cast<int>(std::floor(to)) - begin + 3;
  int slot = shear_slot(begin);
  for (int k = 0; k < count; ++k) {
    double* v = line.v[k];
    v[0] = memory.shear[0][slot][0], v[1] = memory.shear[0][slot][1];
    v[2] = memory.shear[1][slot][0], v[3] = memory.shear[1][slot][1];
    if (++slot == kShearSlots) slot = 0;
  }
}

/// Sums over the columns, a lane each.
struct Sums {
  Lanes hold{}, carrying{}, strength{};
  Lanes force_f{}, force_a{}, force_u{}, moment_f{}, moment_u{}, torque{};
  Lanes moments[3][2] = {}, damping[2] = {};  ///< of stiffness and damping along the rim's normal (f, u)
  Lanes slip_k[6] = {}, side_k[6] = {};       ///< upper triangles
};

/// The law's numbers at this moment.
struct LawNow {
  Lanes exponent, per_length, steepness, unloading;  ///< n - 1, 1/length, n modulus/length, E
  double per_exponent = 1;
  Resistance drag{};
  double most = 0;  ///< pressure that nothing exceeds [Pa]
  double cohesion = 0, tan_friction = 0, ramp = 0;
};

/// What the strips of four columns come to.
struct FourColumns {
  Lanes push{}, push_w{}, stiff{}, stiff_w{}, stiff_ww{}, carry{};
  Lanes grip[2] = {}, grip_w[2] = {}, holds[2] = {};
  Lanes deep[2] = {lanes(-1e300), lanes(-1e300)};
};

/// Pressure of a strip on four columns.
void press_strip(const StripPoints& points, int k, double w, const LawNow& law, Mask active,
                 FourColumns& out) {
  const Lanes zero{};
  const int side = w < 0 ? 0 : 1;
  out.deep[side] = max(out.deep[side], points.s.at(k));
  const Lanes top = max(points.z.at(k), points.m.at(k)), d = points.d.at(k);
  const Lanes change = 0.25 * abs(points.d.at(k + 1) - points.d.at(k - 1));
  const Mask reached = active & (top > zero) & (law.unloading * (d - change) <= lanes(law.most));
  if (!any(reached)) return;  // above the ground, or out of reach behind the wheel
  const Lanes deep = max(top, lanes(1e-9));
  const Lanes slope = law.steepness * power(deep * law.per_length, law.exponent);  // n p/z
  const Lanes held = slope * deep * law.per_exponent;
  Lanes bare = select(reached, held, zero), stiffness = slope;
  if (any(reached & (d + change > lanes(kPressedNow)))) {
    const Lanes line = max(law.unloading, slope), over = max(line * change, lanes(1e-3));
    bare = select(reached, clipped_mean(held - line * d, over, held), zero);
    stiffness += min(d * (1 / kBottom), lanes(1.0)) * (line - slope);
  }
  const Lanes faded = law.drag.pressure * min(top * (1 / kDragRamp), lanes(1.0));
  const Lanes pressed = select(bare > zero, max(bare + faded, zero), zero);
  const Mask carries = pressed > zero;
  stiffness = select(carries, stiffness, zero);
  const Lanes strength = pressed * law.tan_friction + law.cohesion * min(pressed * law.ramp, lanes(1.0));
  out.push += pressed, out.push_w += w * pressed;
  out.stiff += stiffness, out.stiff_w += w * stiffness, out.stiff_ww += (w * w) * stiffness;
  out.carry += select(carries, lanes(1.0), zero);
  out.holds[side] += bare;
  out.grip[side] += strength, out.grip_w[side] += w * strength;
}

/// What shear needs to know of the wheel.
struct ShearNow {
  double kx = 0, ky = 0;  ///< m
  double ahead = 0;       ///< time by which displacements are ahead [s]
  double sway = 0;        ///< sideways speed that is not swaying [m/s]
  double per_bin = 0, half = 0, step = 0, phase = 0;
  ShearLine line;
};

/// Share of the strength of a side that acts on four columns, and its derivative by the displacement [1/m].
struct ShearShare {
  Lanes around, along, slope_around, slope_along;
};
ShearShare share_of(Lanes ec, Lanes ea, double kx, double ky) {
  const Lanes size2 = ec * ec + ea * ea, size = sqrt(size2), left = exponential(-size);
  const Lanes secant = select(size > 1e-6, (1.0 - left) / max(size, lanes(1e-6)), 1.0 - 0.5 * size);
  const Lanes dc = select(size2 > 1e-12, ec * ec / max(size2, lanes(1e-12)), lanes(0.5));
  return {-secant * ec, -secant * ea, (dc * left + (1.0 - dc) * secant) * (1 / kx),
          ((1.0 - dc) * left + dc * secant) * (1 / ky)};
}

/// Displacements over their moduli of both sides: around and along, at this moment.
void read_shear(const ShearNow& now, const CellWheel& wheel, const CellTouch& out, const ColumnPlaces& p,
                int k, Lanes ec[2], Lanes ea[2]) {
  const Lanes index = Lanes{0, 1, 2, 3} + (static_cast<double>(k) - now.half);
  const Lanes at = (index * now.step + now.phase) * now.per_bin - now.line.first;
  const Whole whole = __builtin_convertvector(at, Whole);
  const Lanes part = at - __builtin_convertvector(whole, Lanes);
  Lanes j[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const Lanes here = now.line.at(whole[l]);
    j[l] = here + lanes(part[l]) * (now.line.at(whole[l] + 1) - here);
  }
  const LaneRows rows = transpose(j[0], j[1], j[2], j[3]);
  const double rs = wheel.wheel.shear_radius();
  for (int side = 0; side < 2; ++side) {
    const double w = (side == 0 ? -0.25 : 0.25) * wheel.wheel.width;
    const RimSlip<Lanes> v = rim_slip(out.v, out.w, out.spin, rs, p.sine.at(k), p.cosine.at(k), w);
    ec[side] = (rows.row[2 * side] + now.ahead * v.around) * (1 / now.kx);
    ea[side] =
        (rows.row[2 * side + 1] + now.ahead * v.along + kSwayTime * (v.along - now.sway)) * (1 / now.ky);
  }
}

/// Adds four columns to the sums.
void add_columns(const FourColumns& c, const RimGrid& rim, const CellWheel& wheel, const CellLaw& law,
                 const LawNow& now, const ShearNow& shear, const CellTouch& out, const ColumnPlaces& p, int k,
                 Sums& sums) {
  const Lanes zero{};
  const double R = wheel.wheel.radius, rs = wheel.wheel.shear_radius();
  const double area = R * rim.step * rim.strip, shear_area = rs * rim.step * rim.strip;
  const Lanes nf = p.sine.at(k), nu = -p.cosine.at(k), tf = p.cosine.at(k), tu = p.sine.at(k);
  const Lanes push = area * c.push, push_w = area * c.push_w;
  sums.force_f -= push * nf, sums.force_u -= push * nu;
  sums.moment_f -= push_w * nu, sums.moment_u += push_w * nf;
  sums.hold += push, sums.carrying += c.carry;
  const Lanes weight[3] = {area * c.stiff, area * c.stiff_w, area * c.stiff_ww};
  const Lanes normal[2] = {nf, nu}, drag = (area * now.drag.slope) * c.carry;
  for (int q = 0; q < 2; ++q) {
    sums.damping[q] += drag * normal[q];
    for (int r = 0; r < 3; ++r) sums.moments[r][q] += weight[r] * normal[q];
  }
  Lanes ec[2], ea[2];
  read_shear(shear, wheel, out, p, k, ec, ea);
  for (int side = 0; side < 2; ++side) {
    if (!any(c.grip[side] > zero)) continue;
    const ShearShare share = share_of(ec[side], ea[side], shear.kx, shear.ky);
    const Lanes g = shear_area * c.grip[side], gw = shear_area * c.grip_w[side];
    const Lanes tc = g * share.around, ta = g * share.along, tcw = gw * share.around;
    sums.force_f += tc * tf, sums.force_u += tc * tu, sums.force_a += ta;
    sums.moment_u += rs * ta * nf - tcw * tf, sums.moment_f += tcw * tu - rs * ta * nu;
    sums.torque -= rs * tc;
    sums.strength += g;
    const Lanes kc = g * share.slope_around, ka = g * share.slope_along;
    const Lanes row_c[3] = {tf, tu, lanes(-rs)}, row_a[3] = {lanes(1), rs * nf, -rs * nu};
    for (int r = 0, at = 0; r < 3; ++r) {
      const Lanes sc = kc * row_c[r], sa = ka * row_a[r];
      for (int q = r; q < 3; ++q, ++at) sums.slip_k[at] += sc * row_c[q], sums.side_k[at] += sa * row_a[q];
    }
    // The face that the wheel pushes sideways: the left one when it slides left.
    const Lanes h = max(c.deep[side], zero);
    const Mask slides_left = share.along<zero, grips = g> zero;
    const Mask leads = grips & (side == 1 ? slides_left : ~slides_left);
    const Lanes wall = (law.wall_linear + law.wall_square * h) * h * max(R - h * tf, zero) * rim.step;
    const Lanes side_push = select(leads, share.along * wall, zero);
    sums.force_a += side_push;
    sums.moment_u += R * side_push * nf, sums.moment_f -= R * side_push * nu;
  }
}

/// Hands the sums to the touch.
void tell(const Sums& s, double area, CellTouch& out) {
  const double torque = sum(s.torque);
  out.force = Vec3(sum(s.force_f), sum(s.force_a), sum(s.force_u));
  out.moment = Vec3(sum(s.moment_f), torque, sum(s.moment_u));
  out.torque = torque, out.strength = sum(s.strength), out.area = area * sum(s.carrying);
  for (int r = 0, at = 0; r < 3; ++r)
    for (int c = r; c < 3; ++c, ++at) {
      out.slip_stiffness[r][c] = out.slip_stiffness[c][r] = sum(s.slip_k[at]);
      out.side_stiffness[r][c] = out.side_stiffness[c][r] = sum(s.side_k[at]);
    }
  // What sinks along N is pushed along the rim's normal n: -n N^T.
  const double N[2] = {out.N.dot(out.f), out.N.dot(out.u)};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) {
      const int moment = (r >> 1) + (c >> 1);
      out.depth_stiffness[r][c] = -sum(s.moments[moment][r & 1]) * N[c & 1];
      out.depth_damping[r][c] = moment == 0 ? -sum(s.damping[r & 1]) * N[c & 1] : 0;
    }
  out.touching = sum(s.hold) > 0;
}

}  // namespace

void touch_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellMotion& motion,
                 const CellMemory& memory, const CellStep& step, const SoilTiles& tiles,
                 const Terrain& terrain, SoilWindow& window, CellTouch& out) {
  const bool touched = out.touching;
  clear(out);
  const double R = wheel.wheel.radius, b = wheel.wheel.width, rs = wheel.wheel.shear_radius();
  const Vec3 &a = motion.a, &hub = motion.hub;
  const double q = 1 - a.z() * a.z();
  out.hub = hub, out.a = a;
  out.u = q > kLeanLeast ? Vec3((Vec3::UnitZ() - a.z() * a) / std::sqrt(q)) : Vec3(Vec3::UnitZ());
  out.f = a.cross(out.u);
  out.N = Vec3::UnitZ(), out.x = out.f, out.y = a;
  out.v = Vec3(motion.v.dot(out.f), motion.v.dot(a), motion.v.dot(out.u));
  out.w = Vec3(motion.w.dot(out.f), motion.w.dot(a), motion.w.dot(out.u));
  out.spin = motion.spin;
  out.rim_speed = rs * (motion.spin + out.w[1]), out.hub_speed = out.v[0], out.side_speed = out.v[1];
  out.phase = memory.phase + 0.5 * step.dt * (motion.spin + out.w[1]);
  const Vec3 &f = out.f, &u = out.u;
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
  RimPlace at{hub.x() * per - i0, hub.y() * per - j0, f.x() * per, f.y() * per,
              u.x() * per,        u.y() * per,        a.x() * per, a.y() * per};
  lay_plane(cells, R, b, motion, at, out);
  const double nz = out.N.z();
  const WindowBounds limits = bounds(window, at);
  const Reach reached = reach(rim, R, half, limits.highest, at, out);
  const Columns& columns = reached.columns;
  if (columns.last < 0) {
    out.gap = reached.clear_by * nz;
    return;
  }

  ColumnPlaces places;
  place_columns(rim, columns, R, at, out, places);
  StripPoints points[kMostStrips];
  const double bulge_x = D * D * f.x() * f.x() / (2 * R), bulge_y = D * D * f.y() * f.y() / (2 * R);
  const double inset = D * (std::abs(a.x()) + std::abs(a.y())), inner = std::max(half - inset, 0.0);
  const auto middle = [&](int strip) { return (strip + 0.5) * rim.strip - half; };
  for (int i = 0; i < rim.strips; ++i) {
    const double w = middle(i), shift = std::clamp(w, -inner, inner) - w;
    read_strip(cells, columns, places,
               {w, at.hx + w * at.ax, at.hy + w * at.ay, hub.z() + w * a.z(), shift * at.ax, shift * at.ay},
               nz, bulge_x, bulge_y, points[i]);
  }

  LawNow now;
  const double n_now = law.exponent + law.exponent_slip * std::abs(memory.slip);
  now.exponent = lanes(n_now - 1), now.per_length = lanes(1 / law.length), now.per_exponent = 1 / n_now;
  now.steepness = lanes(n_now * law.modulus / law.length);
  now.unloading = lanes(law.unloading);
  now.drag = resistance(law, -motion.v.dot(out.N));
  now.most =
      law.modulus * power(std::max(nz * std::max(limits.rut, -reached.clear_by), 1e-12) / law.length, n_now);
  now.cohesion = law.cohesion, now.tan_friction = law.tan_friction;
  now.ramp = 1 / (kCohesionRamp * law.cohesion + 1);
  ShearNow shear;
  shear.kx = law.kx + law.kx_angle * memory.angle, shear.ky = law.ky + law.ky_angle * memory.angle;
  shear.ahead = 0.5 * step.dt + shear_settling(wheel.shear_damping, out.rim_speed, out.hub_speed);
  shear.sway = memory.sway;
  shear.per_bin = kShearBins / (2 * kPi), shear.half = rim.columns / 2, shear.step = rim.step;
  shear.phase = out.phase;
  lay_shear(memory, (rim.angle(columns.begin()) + out.phase) * shear.per_bin,
            (rim.angle(columns.end() - 1) + out.phase) * shear.per_bin, shear.line);

  Sums sums;
  Lanes deepest = lanes(-1e300);
  int low = columns.last, high = columns.first;
  out.first = columns.first, out.last = columns.last;
  for (int k = columns.begin(); k < columns.end(); k += kLanes) {
    FourColumns four;
    const Mask active = columns.active(k);
    for (int i = 0; i < rim.strips; ++i) press_strip(points[i], k, middle(i), now, active, four);
    for (int side = 0; side < 2; ++side) {
      store(out.depth[side].data() + k, four.deep[side]), store(out.held[side].data() + k, four.holds[side]);
      deepest = max(deepest, four.deep[side]);
    }
    if (!any(four.push > Lanes{})) continue;
    for (int l = 0; l < kLanes; ++l)
      if (four.push[l] > 0) low = std::min(low, k + l), high = std::max(high, k + l);
    add_columns(four, rim, wheel, law, now, shear, out, places, k, sums);
  }
  tell(sums, R * rim.step * rim.strip, out);
  const double deep = std::max(std::max(deepest[0], deepest[1]), std::max(deepest[2], deepest[3]));
  out.gap = -deep;
  out.sinkage = out.touching ? std::max(deep, 0.0) : 0;
  out.buried = deep > R;
  if (out.touching) {
    const double tilt = maths::atan(out.tilt);
    out.entry = rim.angle(high) - tilt, out.exit = rim.angle(low) - tilt;
  }
  const double faster = std::max(std::abs(out.rim_speed), std::abs(out.hub_speed));
  out.slip_now = faster > 0 ? std::clamp((out.rim_speed - out.hub_speed) / faster, -1.0, 1.0) : 0;
  out.angle_now = out.side_speed == 0 ? 0 : maths::atan2(std::abs(out.side_speed), std::abs(out.hub_speed));
}

}  // namespace scree
