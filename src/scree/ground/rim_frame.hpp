#pragma once
/// A grid as the plane of a wheel cuts it: columns of cells, m, follow each other along the plane's trace,
/// rows, k, lie across it. Off the plane, along the wheel and along the suspension a point lies at F, U and
/// T, which are linear in m, k and the height above the datum.
#include <algorithm>
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

struct RimFrame {
  struct Linear {
    double c, m, k, z;
    double at(double x, double y, double height) const { return c + m * x + k * y + z * height; }
  };
  struct Rows {
    double low, high;  ///< at column 0
  };

  RimFrame(const GridView& g, const RimPlane& w)
      : grid(g),
        wheel(w),
        by_x(std::abs(w.a.y()) >= std::abs(w.a.x())),
        r2(w.radius * w.radius),
        end(kRimEnd * w.radius),
        lowest_u(-w.radius * w.n.z() / std::sqrt(w.n.z() * w.n.z() + w.b.z() * w.b.z())),
        per_b(1 / w.b.z()),
        lowest_z(w.centre.z() - kRimDeepest * w.radius),
        highest_z(w.centre.z() + kRimDeepest * w.radius) {
    by_x ? place<0>(g.nx, g.ny, 1, g.nx) : place<1>(g.ny, g.nx, g.nx, 1);
  }

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
  Rows rows(double low_z, double high_z) const {
    const double at_low = per_k * F.z * (low_z - grid.datum), at_high = per_k * F.z * (high_z - grid.datum);
    return {per_k * F.c + std::min(at_low, at_high) + std::min(tilt, 0.0) - kOnLine,
            per_k * F.c + std::max(at_low, at_high) + std::max(tilt, 0.0) + kOnLine};
  }

  const GridView& grid;
  const RimPlane& wheel;
  bool by_x;  ///< columns follow each other along x
  int count_m, count_k;
  std::ptrdiff_t stride_m, stride_k;
  double r2, end, lowest_u, per_b;
  double lowest_z, highest_z;  ///< ground that is looked at [m]
  Linear F, U, T;
  double per_k, tilt, step_k;     ///< 1 / -F.k; rows of the trace per column; a row's width [m]
  double per_step_m, per_step_k;  ///< cells per metre
  double b_m, b_k;                ///< |b| along columns and rows
  double reach_from, reach_to;    ///< columns that the rim can meet

 private:
  static constexpr double kOnLine =
      1e-6;  // of a cell: a plane this near a line of samples cuts the cells on both sides

  template <int major>
  void place(int major_count, int minor_count, std::ptrdiff_t major_stride, std::ptrdiff_t minor_stride) {
    constexpr int minor = 1 - major;
    const RimPlane& w = wheel;
    count_m = major_count, count_k = minor_count, stride_m = major_stride, stride_k = minor_stride;
    const double step[2] = {1 / grid.per_x, 1 / grid.per_y}, origin[2] = {grid.x_min, grid.y_min};
    const Vec3 from(origin[0] - w.centre.x(), origin[1] - w.centre.y(), grid.datum - w.centre.z());
    const auto along = [&](const Vec3& d) {
      return Linear{d.dot(from), d[major] * step[major], d[minor] * step[minor], d.z()};
    };
    F = along(w.a), U = along(w.n), T = along(w.b);
    per_k = -1 / F.k, tilt = per_k * F.m, step_k = step[minor];
    // Where the rim can be: u up to the radius, t from the clearance looked at to the wall.
    const double high = std::min(w.standing, kRimDeepest * w.radius), low = -(1 + kRimClear) * w.radius;
    const double centre = w.centre[major] - origin[major];
    const double ways[2] = {w.b[major] * low, w.b[major] * high};
    const double half = std::abs(w.n[major]) * w.radius;
    per_step_m = major == 0 ? grid.per_x : grid.per_y, per_step_k = major == 0 ? grid.per_y : grid.per_x;
    b_m = std::abs(w.b[major]), b_k = std::abs(w.b[minor]);
    reach_from = (centre - half + std::min(ways[0], ways[1])) * per_step_m;
    reach_to = (centre + half + std::max(ways[0], ways[1])) * per_step_m;
  }
};

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
