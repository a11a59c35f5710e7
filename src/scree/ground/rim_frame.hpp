#pragma once
/// A grid as the plane of a wheel cuts it: columns of cells, m, follow each other along the plane's trace,
/// rows, k, lie across it. Off the plane, along the wheel and along the suspension a point lies at F, U and
/// T, which are linear in m, k and the height above the datum.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "scree/ground/rim_plane.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

inline constexpr double kRimEnd = 0.9999;  // of the radius: the rim ends where it still has a tangent
inline constexpr double kRimClear = 0.5;   // of the radius: clearance beyond which nothing is looked for
inline constexpr double kRimDeepest = 3;   // of the radius: ground further above the hub is not reached

/// The best contact so far. Of two that are equal the one in the first cell counts, so that it does not
/// matter in what order cells are visited.
struct RimBest {
  static constexpr double kRounding = 1e-11;  ///< m, of bounds
  double h;
  bool found = false;
  bool end = false;  ///< on the edge of its cell, where the next one meets it
  int m = 0, k = 0;
  double p = 0, q = 0, u = 0;  ///< place in the cell (0 ... 1), and along the wheel [m]

  bool can_beat(double bound) const { return bound > h - kRounding; }
  bool is_better(double other, int other_m, int other_k) const {
    return other > h || (found && other == h && (other_m < m || (other_m == m && other_k < k)));
  }
};

/// The best of each of four wheels; `put` and `lane` are told which.
struct RimBests {
  Lanes h{};
  Mask found{}, end{};
  Lanes m{}, k{}, p{}, q{}, u{};

  void put(int i, const RimBest& best) {
    h[i] = best.h, found[i] = best.found ? -1 : 0, end[i] = best.end ? -1 : 0;
    m[i] = best.m, k[i] = best.k, p[i] = best.p, q[i] = best.q, u[i] = best.u;
  }
  RimBest lane(int i) const {
    return {h[i], found[i] != 0, end[i] != 0, static_cast<int>(m[i]), static_cast<int>(k[i]),
            p[i], q[i],          u[i]};
  }
  Mask is_better(Lanes other, Lanes other_m, Lanes other_k) const {
    const Mask first = (other_m < m) | ((other_m == m) & (other_k < k));
    return (other > h) | (found & (other == h) & first);
  }
};

/// Linear in column, row and height above the datum. (T: double, or Lanes for four wheels.)
template <class T>
struct RimLinear {
  T c, m, k, z;
  T at(T x, T y, T height) const { return c + m * x + k * y + z * height; }
  RimLinear<double> lane(int i) const { return {c[i], m[i], k[i], z[i]}; }
};
/// Rows of the grid, at column 0.
template <class T>
struct RimRows {
  T low, high;
  RimRows<double> lane(int i) const { return {low[i], high[i]}; }
};

/// Of one wheel (Plane: RimPlane), or of four side by side (RimPlanes) whose columns all follow each other
/// along the same axis.
template <class Plane>
struct RimFrameOf {
  using Number = typename Plane::Number;
  using Linear = RimLinear<Number>;
  using Rows = RimRows<Number>;

  RimFrameOf(const GridView& g, const Plane& w) : RimFrameOf(g, w, std::abs(w.a.y()) >= std::abs(w.a.x())) {}
  RimFrameOf(const GridView& g, const Plane& w, bool along_x)
      : grid(g),
        wheel(w),
        by_x(along_x),
        r2(w.radius * w.radius),
        end(kRimEnd * w.radius),
        lowest_u(-w.radius * w.n[2] / lane::sqrt(w.n[2] * w.n[2] + w.b[2] * w.b[2])),
        per_b(1.0 / w.b[2]),
        lowest_z(w.centre[2] - kRimDeepest * w.radius),
        highest_z(w.centre[2] + kRimDeepest * w.radius) {
    by_x ? place<0>(g.nx, g.ny, 1, g.nx) : place<1>(g.ny, g.nx, g.nx, 1);
  }
  /// That of one of four, which is `w`.
  RimFrameOf(const RimFrameOf<RimPlanes>& four, int i, const Plane& w)
      : grid(four.grid),
        wheel(w),
        by_x(four.by_x),
        count_m(four.count_m),
        count_k(four.count_k),
        stride_m(four.stride_m),
        stride_k(four.stride_k),
        r2(four.r2[i]),
        end(four.end[i]),
        lowest_u(four.lowest_u[i]),
        per_b(four.per_b[i]),
        lowest_z(four.lowest_z[i]),
        highest_z(four.highest_z[i]),
        F(four.F.lane(i)),
        U(four.U.lane(i)),
        T(four.T.lane(i)),
        per_k(four.per_k[i]),
        tilt(four.tilt[i]),
        b_m(four.b_m[i]),
        b_k(four.b_k[i]),
        reach_from(four.reach_from[i]),
        reach_to(four.reach_to[i]),
        step_k(four.step_k),
        per_step_m(four.per_step_m),
        per_step_k(four.per_step_k) {}

  float sample(int m, int k) const {
    return grid.z[std::clamp(m, 0, count_m - 1) * stride_m + std::clamp(k, 0, count_k - 1) * stride_k];
  }
  double rim(double u) const { return std::sqrt(std::max(r2 - u * u, 0.0)); }
  Vec3 tangent(double u) const { return rim(u) / wheel.radius * wheel.n + u / wheel.radius * wheel.b; }
  /// World gradient from that per cell along m and k.
  Vec2 slopes(double along_m, double along_k) const {
    return {(by_x ? along_m : along_k) * grid.per_x, (by_x ? along_k : along_m) * grid.per_y};
  }
  /// Rows where the plane can cut ground between two heights: beside low ... high + tilt m for column m.
  Rows rows(Number low_z, Number high_z) const {
    using namespace lane;
    const Number at_low = per_k * F.z * (low_z - grid.datum), at_high = per_k * F.z * (high_z - grid.datum);
    return {per_k * F.c + min(at_low, at_high) + min(tilt, Number{}) - kOnLine,
            per_k * F.c + max(at_low, at_high) + max(tilt, Number{}) + kOnLine};
  }

  const GridView& grid;
  const Plane& wheel;
  bool by_x;  ///< columns follow each other along x
  int count_m, count_k;
  std::ptrdiff_t stride_m, stride_k;
  Number r2, end, lowest_u, per_b;
  Number lowest_z, highest_z;             ///< ground that is looked at [m]
  Linear F, U, T;                         ///< off the plane, along the wheel, along the suspension
  Number per_k, tilt;                     ///< 1 / -F.k; rows of the trace per column
  Number b_m, b_k;                        ///< |b| along columns and rows
  Number reach_from, reach_to;            ///< columns that the rim can meet
  double step_k, per_step_m, per_step_k;  ///< a row's width [m]; cells per metre

 private:
  static constexpr double kOnLine =
      1e-6;  // of a cell: a plane this near a line of samples cuts the cells on both sides

  template <int major>
  void place(int major_count, int minor_count, std::ptrdiff_t major_stride, std::ptrdiff_t minor_stride) {
    using namespace lane;
    constexpr int minor = 1 - major;
    const Plane& w = wheel;
    count_m = major_count, count_k = minor_count, stride_m = major_stride, stride_k = minor_stride;
    const double step[2] = {1 / grid.per_x, 1 / grid.per_y}, origin[2] = {grid.x_min, grid.y_min};
    const std::array<Number, 3> from{origin[0] - w.centre[0], origin[1] - w.centre[1],
                                     grid.datum - w.centre[2]};
    const auto along = [&](const auto& d) {
      return Linear{inner(d, from), d[major] * step[major], d[minor] * step[minor], d[2]};
    };
    F = along(w.a), U = along(w.n), T = along(w.b);
    per_k = -1.0 / F.k, tilt = per_k * F.m, step_k = step[minor];
    // Where the rim can be: u up to the radius, t from the clearance looked at to the wall.
    const Number high = min(w.standing, kRimDeepest * w.radius), low = -(1 + kRimClear) * w.radius;
    const Number centre = w.centre[major] - origin[major];
    const Number ways[2] = {w.b[major] * low, w.b[major] * high};
    const Number half = abs(w.n[major]) * w.radius;
    per_step_m = major == 0 ? grid.per_x : grid.per_y, per_step_k = major == 0 ? grid.per_y : grid.per_x;
    b_m = abs(w.b[major]), b_k = abs(w.b[minor]);
    reach_from = (centre - half + min(ways[0], ways[1])) * per_step_m;
    reach_to = (centre + half + max(ways[0], ways[1])) * per_step_m;
  }
};
using RimFrame = RimFrameOf<RimPlane>;

/// The rim, and beyond nine tenths of the radius its tangents there: concave, nowhere below the rim, and
/// steep by no more than kSteepest. What bounds h with it in place of the rim bounds it wherever the wheel
/// moves.
struct RimHull {
  static constexpr double kWidest = 0.9, kSteepest = 2.06475;  // 0.9/sqrt(1 - 0.81), rounded up
  static constexpr double kLeast = 0.43589;                    // sqrt(1 - 0.81), rounded up

  /// How far it is down at u [m per m], and its height there [m].
  template <class T>
  struct Place {
    T fall, height;
  };
  template <class T>
  static Place<T> at(T u, double radius) {
    using namespace lane;
    const T wide = constant<T>(kWidest * radius), w = clamp(u, -wide, wide);
    const T rim = sqrt(radius * radius - w * w), fall = w / rim;
    return {fall, rim - fall * (u - w)};
  }
};

}  // namespace scree
