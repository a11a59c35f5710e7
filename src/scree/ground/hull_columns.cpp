#include "scree/ground/hull_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/terrain/grid_view.hpp"

namespace scree {
namespace {

constexpr double kAbout = 0.003;    // m: columns this much less deep than the deepest still carry
constexpr int kMostAcross = 160;    // columns along a side, where the ground has no samples of its own
constexpr int kBlind = 12;          // and where nothing is known of its features
constexpr int kColumnsRow = 64;

/// First the deepest of every patch, then the middle of those about as deep: two passes over the columns.
class Columns {
 public:
  Columns(const HullBox& box, const Pose& X, HullPatches& out)
      : box_(box), X_(X), out_(out), up_(X.R.row(2).transpose()) {
    up_.cwiseAbs().maxCoeff(&upright_);
  }

  /// The ground at (x, y) is a column that reaches up to ground_W.
  void add(const Vec3& ground_W) {
    Vec3 q = X_.R.transpose() * (ground_W - X_.p);
    // The upright line through it crosses the box between these heights above q.
    double from = -1e300, to = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(up_[axis]) < 1e-9) {
        if (q[axis] <= box_.low[axis] || q[axis] >= box_.high[axis]) return;
        continue;
      }
      const double one = (box_.low[axis] - q[axis]) / up_[axis], two = (box_.high[axis] - q[axis]) / up_[axis];
      from = std::max(from, std::min(one, two)), to = std::min(to, std::max(one, two));
    }
    if (!(from < to) || from >= 0) return;
    // Ground that goes all the way through is a wall: out of it by the sides only.
    const bool wall = to < 0;
    if (wall) q += 0.5 * (from + to) * up_;
    int face = 0;
    double depth = 1e300;
    for (int axis = 0; axis < 3; ++axis) {
      if (wall && axis == upright_) continue;
      for (int side = 0; side < 2; ++side) {
        const double d = side == 0 ? q[axis] - box_.low[axis] : box_.high[axis] - q[axis];
        if (d < depth) depth = d, face = 2 * axis + side;
      }
    }
    if (!(depth > 0)) return;
    const int axis = face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3;
    const Vec3 middle = 0.5 * (box_.low + box_.high);
    const int patch = 4 * face + (q[a] > middle[a] ? 1 : 0) + (q[b] > middle[b] ? 2 : 0);
    HullPatch& p = out_.patch[patch];
    out_.any = true;
    // A running mean over those within kAbout of the deepest so far; a much deeper one starts it afresh.
    if (depth > p.depth) {
      const double keep = std::clamp(1 - (depth - p.depth) / kAbout, 0.0, 1.0);
      weight_[patch] *= keep;
      p.depth = depth;
      p.inward = Vec3::Zero();
      p.inward[axis] = face % 2 == 0 ? 1 : -1;
    }
    const double w = std::max(1 - (p.depth - depth) / kAbout, 0.0);
    if (w <= 0) return;
    weight_[patch] += w;
    p.point += (w / weight_[patch]) * (q - p.point);
  }

 private:
  const HullBox& box_;
  const Pose& X_;
  HullPatches& out_;
  Vec3 up_;      // the world's z, link axes
  int upright_;  // the box's axis that stands most upright
  std::array<double, kHullPatches> weight_{};
};

/// The world's rectangle around the box, and its lowest point.
struct Around {
  Rectangle area;
  double lowest;
};
Around around(const HullBox& box, const Pose& X) {
  const Vec3 middle = X * Vec3(0.5 * (box.low + box.high)), half = 0.5 * (box.high - box.low);
  const Vec3 reach = X.R.cwiseAbs() * half;
  return {{middle.x() - reach.x(), middle.x() + reach.x(), middle.y() - reach.y(), middle.y() + reach.y()},
          middle.z() - reach.z()};
}

void press_samples(const GridView& grid, const Around& at, Columns& columns) {
  const auto index = [](double x, double low, double per, int n) {
    return static_cast<int>(std::clamp(std::ceil((x - low) * per), 0.0, static_cast<double>(n - 1)));
  };
  const int i0 = index(at.area.x_min, grid.x_min, grid.per_x, grid.nx);
  const int i1 = index(at.area.x_max - 1 / grid.per_x, grid.x_min, grid.per_x, grid.nx);
  const int j0 = index(at.area.y_min, grid.y_min, grid.per_y, grid.ny);
  const int j1 = index(at.area.y_max - 1 / grid.per_y, grid.y_min, grid.per_y, grid.ny);
  for (int j = j0; j <= j1; ++j) {
    const float* row = grid.z + static_cast<std::ptrdiff_t>(j) * grid.nx;
    for (int i = i0; i <= i1; ++i) {
      const double z = grid.datum + row[i];
      if (z > at.lowest) columns.add({grid.x_min + i / grid.per_x, grid.y_min + j / grid.per_y, z});
    }
  }
}

void press_lattice(const Terrain& terrain, const Around& at, double feature, Columns& columns) {
  const double lx = at.area.x_max - at.area.x_min, ly = at.area.y_max - at.area.y_min;
  const auto count = [&](double length) {
    return feature > 0 ? std::clamp(static_cast<int>(2 * length / feature) + 1, 8, kMostAcross) : kBlind;
  };
  const int nx = count(lx), ny = count(ly);
  std::array<double, kColumnsRow> x, y, z, sx, sy;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; i += kColumnsRow) {
      const int n = std::min(kColumnsRow, nx - i);
      for (int k = 0; k < n; ++k) {
        x[k] = at.area.x_min + (i + k + 0.5) * lx / nx;
        y[k] = at.area.y_min + (j + 0.5) * ly / ny;
      }
      terrain.sample({n, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (int k = 0; k < n; ++k) {
        if (z[k] > at.lowest) columns.add({x[k], y[k], z[k]});
      }
    }
  }
}

}  // namespace

bool press_box(const Terrain& terrain, const HullBox& box, const Pose& X_WL, HullPatches& out) {
  const Around at = around(box, X_WL);
  if (at.lowest > terrain.height_range(at.area).high) return false;
  out = {};
  Columns columns(box, X_WL, out);
  const GridView* grid = terrain.bilinear_view();
  // Samples further apart than a quarter of the box say too little: look between them too.
  const double side = std::min(at.area.x_max - at.area.x_min, at.area.y_max - at.area.y_min);
  if (grid && std::max(1 / grid->per_x, 1 / grid->per_y) < 0.25 * side) {
    press_samples(*grid, at, columns);
  } else {
    press_lattice(terrain, at, terrain.finest_feature(), columns);
  }
  return out.any;
}

}  // namespace scree
