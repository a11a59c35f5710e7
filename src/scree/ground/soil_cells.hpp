#pragma once
/// A rigid wheel on soil that deforms: stresses on the rim from the cells under it (soil/soil_tiles.hpp), and
/// the print that it leaves there. In the manner of the soil contact model (Krenn and Hirzinger 2009;
/// Chrono's SCM), with the wheel's surface known in closed form instead of by rays.
///
/// Axes of a wheel: a along the axle (left), u = (z - (z.a) a)/|..| up across it, f = a x u forward. A point
/// of the rim at angle theta from the bottom (ahead positive) and w along the axle:
///
///     p = hub + R n + w a,    n = sin(theta) f - cos(theta) u (outward),    t = cos(theta) f + sin(theta) u
///
/// The rim is divided into columns (theta) and strips (w): fixed in the wheel, so that nothing jumps when a
/// row of cells comes under it; the ground is read between cells, bilinear.
///
/// **Pressure.** Sinkage s = (ground - p_z) N_z (N normal of the undeformed ground near the wheel), memory
/// m = sunk N_z, both read at p. With p(z) = modulus (z/length)^n of the soil (Bekker 1956, Reece 1965;
/// width: the wheel's) and E the unloading stiffness,
///
///     sigma = p(s) if s >= m;    else max(0, p(m) - E (m - s))
///
/// (Krenn: plastic flow and elastic rebound.) Over a column s and m - s are taken as straight, and sigma is
/// the mean over it: entry and the short rebound zone sqrt(2 R sigma/E) come in without steps. Closed forms:
/// a flat plate has p(s) A; a wheel on virgin ground has the stress integral with theta_m = 0 and exit where
/// z_0 - z = p(z_0)/E. Limits: E -> infinity no stress behind the bottom; k -> infinity hard ground.
/// **Damping**: pressure + c w, w = -v_hub.N the speed of sinking of the whole wheel (soil_rut.hpp: another c
/// when it rises), never pulling. Not from the rim's velocity: sinkage would fall with slip, or with speed.
/// **Shear** (Janosi and Hanamoto 1961): j, the displacement of the rim over the soil since the soil was
/// touched, (circumferential, axial), along the path of a point of the rim (Wong and Reece 1967). It is kept
/// in bins that turn with the rim, so nothing has to be advected; two sides of a wheel have their own, so
/// that turning on the spot is felt. With e = (j_c/k_x, j_a/k_y),
///
///     dj/dt = (v.t - r_s omega, v.a),    tau = -(c + sigma tan phi) (1 - exp(-|e|)) e/|e|
///
/// Differs from the stress integral: that has a limit for each direction, here one for both (they are the
/// same for pure driving and for a locked wheel pushed sideways). |e| is held below kMostShear, and j is
/// forgotten where the soil is left. A vector j holds a parked robot; it is damped at rest by k t_d
/// (slip.hpp).
/// **Swaying.** The axial displacement is ahead by kSwayTime times what the rim moves along the axle beyond
/// its mean over the last half radius: soil loses a good part of what shakes it (sand a fifth of its elastic
/// energy a radian at strains above 1e-3: damping ratios of 0.1 to 0.25, Seed and Idriss 1970), and steady
/// side slip is as before. Without it a rim that remembers where it touched drives swaying, because those of
/// its points that carry most answer to where it was one passage ago (as in the micro-shimmy of tyres): a
/// rover that drove straight on swayed by 22 degrees a second.
/// **Side wall**: passive earth pressure (Hegedus 1960, Ding 2011 Eq. 20) on the face that the wheel pushes
/// sideways, with the share 1 - exp(-|j_a|/k_y).
/// **Force** of an area dA: (-sigma n dA + tau dA_s), dA_s at the shear radius r_s = R + lug_share x lugs.
/// Along the wheel's own normal: pushing along the ground's loses the compaction resistance.
/// **Slip sinkage**: n = n0 + n1 |slip| (Ding 2011), slip relaxed over half a radius, held at rest.
///
/// **Print.** After a step cells under the rim get sunk = max(sunk, s) straight down at their centre, from
/// the rim's height over (x, y): with d = (x, y) - hub, o = d.a_h, q = 1 - a_z^2,
///
///     z = hub_z + [a_z o - sqrt(a_z^2 o^2 - q (|d|^2 - o^2 - R^2))]/q,    w = o + (z - hub_z) a_z
///
/// What happens to the displaced soil, to loose soil and to walls: soil_print.hpp. Lower limit: a rim presses
/// cells it covers by their centre, so a rut is b wide within a cell.
///
/// Wheels of all robots read the cells of one moment; prints are made after all have stepped, robot by robot,
/// wheel by wheel: the same bits on any number of threads.
#include <cstdint>
#include <vector>

#include "scree/core/loads.hpp"
#include "scree/ground/soil_print.hpp"
#include "scree/ground/soil_wheel.hpp"
#include "scree/soil/soil.hpp"
#include "scree/soil/soil_tiles.hpp"

namespace scree {

/// Columns and strips of a rim for a cell size.
struct RimGrid {
  RimGrid() = default;
  RimGrid(double radius, double width, double cell);
  int columns = 0;                   ///< odd: the middle one is the bottom
  int strips = 0;                    ///< even
  double step = 0;                   ///< between columns [rad]
  double strip = 0;                  ///< width of a strip [m]
  std::vector<double> sine, cosine;  ///< of the columns; the last is repeated for lanes
  double angle(int k) const { return (k - columns / 2) * step; }
};

/// The largest cell that a wheel can be computed with [m].
double largest_cell(double radius, double width);

/// What a soil is to one wheel.
struct CellLaw {
  CellLaw() = default;
  CellLaw(const SoilNumbers& soil, const SoilWheel& wheel, double gravity, bool slip_sinkage);
  double modulus = 0, length = 1;                           ///< p = modulus (z/length)^n [Pa, m]
  double exponent = 1, exponent_slip = 0;                   ///< n0, n1
  double unloading = 0, damping = 0;                        ///< E [Pa/m], c [Pa s/m]
  double cohesion = 0, tan_friction = 0;                    ///< Pa, -
  double kx = 0.02, kx_angle = 0, ky = 0.02, ky_angle = 0;  ///< m, m/rad
  double wall_linear = 0, wall_square = 0;                  ///< side wall [N/m^2.., of depth and its square]
  double repose = 0.7;                                      ///< tangent of the friction angle
  double stands = 1e300;                                    ///< height of a wall that stands upright [m]
};

inline constexpr int kMostStrips = 16;
inline constexpr int kMostColumns = 176;  ///< twice the arc over the finest column, and lanes
inline constexpr int kShearBins = 60;     ///< around the rim
inline constexpr int kShearSlots = 30;    ///< kept: the lower half of the rim
inline constexpr double kMostShear = 6;

/// What a wheel remembers: doubles in the robot's state.
struct CellMemory {
  double phase;         ///< how far the rim has turned, in [0, 2 pi)
  double slip, angle;   ///< relaxed slip and slip angle [-, rad]
  double sway;          ///< relaxed speed of the hub along the axle [m/s]
  double travel, rate;  ///< of the suspension [m, m/s]
  double printed;       ///< 1: it has made a print before, at
  double print[3];      ///< hub, world [m]
  double shear[2][kShearSlots]
              [2];  ///< side (right, left), bin modulo kShearSlots, (circumferential, axial) [m]
};
inline constexpr int kCellMemory = static_cast<int>(sizeof(CellMemory) / sizeof(double));

/// Place of a bin in CellMemory::shear.
inline int shear_slot(int bin) { return ((bin % kShearSlots) + kShearSlots) % kShearSlots; }

/// Circumferential and axial speed of a point of the rim over the ground; v, w in (f, a, u).
template <class T>
struct RimSlip {
  T around, along;
};
template <class T>
RimSlip<T> rim_slip(const Vec3& v, const Vec3& w, double spin, double shear_radius, T sine, T cosine,
                    double side) {
  return {cosine * (v[0] - side * w[2]) + sine * (v[2] + side * w[0]) - shear_radius * (spin + w[1]),
          v[1] + shear_radius * (sine * w[2] + cosine * w[0])};
}

/// Cells around a wheel, copied out of their tiles.
struct SoilWindow {
  int i = 0, j = 0, nx = 0, ny = 0;  ///< first cell, number of cells
  double cell = 0;
  std::vector<double> cells;                         ///< (ground, sunk) of each [m]
  std::vector<std::pair<TilePlace, SoilTile>> made;  ///< of tiles that are not there yet
  /// `made` is looked up and filled where the tiles lack one; no allocation once it has been this large.
  /// Nothing is copied again while the same cells of the same tiles are asked for (SoilTile::stamp).
  void gather(const SoilTiles& tiles, const Terrain& terrain, int i0, int j0, int columns, int rows);

 private:
  const SoilTile& tile_at(const SoilTiles& tiles, const Terrain& terrain, TilePlace place);
  static constexpr int kMostTiles = 16;
  static constexpr std::size_t kMostMade = 12;
  std::uint64_t stamps_[kMostTiles] = {};
};

/// Time by which shear is ahead of its displacement, damping a wheel at rest; it fades where the wheel rolls,
/// whose displacement would be off by the slip speed times this [s].
inline double shear_settling(double damping_time, double rim_speed, double hub_speed) {
  constexpr double kRolls = 0.01;  // m/s
  return damping_time / (1 + (rim_speed * rim_speed + hub_speed * hub_speed) / (kRolls * kRolls));
}

inline constexpr double kSwayTime = 0.015;  ///< s

/// A wheel that touches: constants, motion, step.
struct CellWheel {
  SoilWheel wheel;
  double shear_damping = 0.05;  ///< t_d [s]
};
struct CellMotion {
  Vec3 hub, a;      ///< world; a: unit, left
  Vec3 v, w;        ///< of the hub and of the link, world [m/s, rad/s]
  double spin = 0;  ///< relative to the link [rad/s]
};
struct CellStep {
  double dt = 0, theta = 0.5, theta_slip = 0.5;
};

struct CellTouch {
  bool near = false;  ///< the ground is so near that cells were read
  bool touching = false, buried = false;
  Vec3 hub, f, a, u, N;        ///< world
  Vec3 x, y;                   ///< heading in the ground's plane, and left
  double gap = 1e300;          ///< clearance [m]
  double sinkage = 0;          ///< deepest, along N [m]
  double entry = 0, exit = 0;  ///< rad, from the ground's normal
  Vec3 force = Vec3::Zero();   ///< at the hub, in (f, a, u) [N]
  Vec3 moment = Vec3::Zero();  ///< about the hub, in (f, a, u) [N m]
  double torque = 0;           ///< of the soil about the axle on the wheel [N m]
  double area = 0;             ///< that carries [m^2]
  double strength = 0;         ///< most that it could shear [N]
  // Derivatives: stiffness and damping by the four speeds (v_f, v_u, e_f, e_u) of depth, e = omega x a,
  double depth_stiffness[4][4] = {}, depth_damping[4][4] = {};
  // of circumferential slip by (v_f, v_u, omega_a), of axial slip by (v_a, omega_u, omega_f).
  double slip_stiffness[3][3] = {}, side_stiffness[3][3] = {};
  // Speeds, in (f, a, u).
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  double spin = 0;
  double rim_speed = 0, hub_speed = 0, side_speed = 0;  ///< U, V, v_y [m/s]
  double slip_now = 0, angle_now = 0;
  double phase = 0;                       ///< at this moment
  int first = 0, last = -1;               ///< columns that were computed
  double tilt = 0;                        ///< tangent of the ground's slope along the wheel
  std::vector<double> depth[2], held[2];  ///< per side and column: deepest s, pressure without damping
  /// Room for a rim's columns and the lanes around them.
  void prepare(const RimGrid& rim);
};

/// Forces and derivatives at this moment.
void touch_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellMotion& motion,
                 const CellMemory& memory, const CellStep& step, const SoilTiles& tiles,
                 const Terrain& terrain, SoilWindow& window, CellTouch& out);

/// Memory at the end of the step; `v`, `w` (f, a, u) and `spin`: mean speeds over it.
void finish_cells(const CellWheel& wheel, const RimGrid& rim, const CellLaw& law, const CellTouch& touch,
                  const Vec3& v, const Vec3& w, double spin, double dt, CellMemory& memory);

/// Leaves the wheel's print where it has moved since the last one.
void print_wheel(const CellWheel& wheel, const CellTouch& touch, const PrintSettings& how,
                 const Terrain& terrain, SoilTiles& tiles, PrintRoom& room, CellMemory& memory);

}  // namespace scree
