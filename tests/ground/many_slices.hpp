#pragma once
/// The contact law of rim_search.hpp and the wall law of wall_search.hpp by brute force: a hundred thousand
/// slices of the rim, each walked down along the suspension, and feelers read point by point. Shares nothing
/// with the searches but the terrain and the laws' two numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "scree/ground/rim_search.hpp"

namespace scree::testing {

/// The ground's highest heights around every place, read densely and kept: tells slices that cannot touch
/// from those that may.
class HighGround {
 public:
  HighGround(const Terrain& terrain, const Rectangle& area)
      : x_min_(area.x_min),
        y_min_(area.y_min),
        nx_(blocks(area.x_max - area.x_min)),
        ny_(blocks(area.y_max - area.y_min)),
        high_(static_cast<std::size_t>(nx_) * ny_, -1e30) {
    std::vector<double> own(high_.size(), -1e30);
    std::vector<double> x(static_cast<std::size_t>(nx_) * kLooks), y(x.size()), z(x.size()), sx(x.size()),
        sy(x.size());
    for (int j = 0; j < ny_ * kLooks; ++j) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = x_min_ + kBlock * (static_cast<double>(i) + 0.5) / kLooks;
        y[i] = y_min_ + kBlock * (j + 0.5) / kLooks;
      }
      terrain.sample({static_cast<int>(x.size()), x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (std::size_t i = 0; i < x.size(); ++i) {
        double& high = own[at(static_cast<int>(i) / kLooks, j / kLooks)];
        high = std::max(high, z[i]);
      }
    }
    for (int j = 1; j + 1 < ny_; ++j)
      for (int i = 1; i + 1 < nx_; ++i)
        for (int k = 0; k < 9; ++k)
          high_[at(i, j)] = std::max(high_[at(i, j)], own[at(i - 1 + k % 3, j - 1 + k / 3)] + kBetween);
    tiles_x_ = nx_ / kTile + 1, tiles_y_ = ny_ / kTile + 1;
    tile_high_.assign(static_cast<std::size_t>(tiles_x_) * tiles_y_, -1e30);
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        double& high = tile_high_[static_cast<std::size_t>(j / kTile) * tiles_x_ + i / kTile];
        high = std::max(high, high_[at(i, j)]);
      }
    }
  }
  /// No ground around any place between the two is higher.
  double highest(const Vec3& a, const Vec3& b) const {
    const auto tile = [](double x, double low, int count) {
      return std::clamp(static_cast<int>((x - low) / (kBlock * kTile)), 0, count - 1);
    };
    double highest = -1e30;
    for (int j = tile(std::min(a.y(), b.y()), y_min_, tiles_y_);
         j <= tile(std::max(a.y(), b.y()), y_min_, tiles_y_); ++j)
      for (int i = tile(std::min(a.x(), b.x()), x_min_, tiles_x_);
           i <= tile(std::max(a.x(), b.x()), x_min_, tiles_x_); ++i)
        highest = std::max(highest, tile_high_[static_cast<std::size_t>(j) * tiles_x_ + i]);
    return highest;
  }
  /// No ground within kBlock of the place is higher.
  double around(double x, double y) const {
    return high_[at(std::clamp(static_cast<int>((x - x_min_) / kBlock), 0, nx_ - 1),
                    std::clamp(static_cast<int>((y - y_min_) / kBlock), 0, ny_ - 1))];
  }
  static constexpr double kBlock = 1e-3;  // m

 private:
  static constexpr int kLooks = 2;          // a side of a block
  static constexpr double kBetween = 5e-4;  // m by which ground between two looks may be higher
  static int blocks(double length) { return static_cast<int>(length / kBlock) + 1; }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j) * nx_ + i; }
  static constexpr int kTile = 16;  // blocks
  double x_min_, y_min_;
  int nx_, ny_, tiles_x_ = 0, tiles_y_ = 0;
  std::vector<double> high_, tile_high_;
};

/// Largest displacement over many rim angles: along the suspension from above, every place where a slice
/// enters ground that bears, by steps and then by halves. Slices that the ground's highest heights cannot
/// reach are left out, a hundred at a time.
class ManySlices {
 public:
  /// `step`: along the suspension [m].
  ManySlices(const Terrain& terrain, const HighGround& high, const RimPlane& w, double step = 1.5e-3)
      : terrain_(terrain),
        high_(high),
        w_(w),
        step_(step),
        lean_(std::hypot(w.b.x(), w.b.y())),
        best_(-0.5 * w.radius) {}

  double run(int slices) {
    // One slice of every group first: the better the best, the more groups are left out.
    const int groups = slices / kGroup;
    for (int i = 0; i < groups; i += kGroup) {
      const int count = std::min(kGroup, groups - i);
      double from = best_;
      for (int k = 0; k < count; ++k) from = std::max(from, top(angle((i + k) * kGroup, slices), 0));
      walk(i * kGroup, kGroup, count, slices, from);
    }
    const double spread = 0.5 * kGroup * kFan / slices * w_.radius;  // of a group about its middle
    for (int i = 0; i <= slices; i += kGroup) {
      const double from = top(angle(i + kGroup / 2, slices), 2 * spread);
      if (from > best_) walk(i, 1, std::min(kGroup, slices + 1 - i), slices, from + 2 * spread);
    }
    return best_;
  }

 private:
  static constexpr int kGroup = 100;
  static constexpr double kFan = 3.11;  // rad
  static double angle(int i, int slices) { return -0.5 * kFan + kFan * i / slices; }
  Vec3 rim(double gamma) const {
    return w_.centre + w_.radius * (std::sin(gamma) * w_.n - std::cos(gamma) * w_.b);
  }
  /// Above this displacement the slice is above all ground; no more than the best: it cannot beat it.
  double top(double gamma, double slack) const {
    const Vec3 from = rim(gamma);
    const double step = std::min(0.5 * HighGround::kBlock / std::max(lean_, 1e-3), 2e-3);
    // Twice, since lower ground is met over less of the way.
    double h = 0.6;
    for (int i = 0; i < 2 && h > best_; ++i)
      h = std::min(h, (high_.highest(from + best_ * w_.b, from + h * w_.b) + slack - from.z()) / w_.b.z());
    for (; h > best_; h -= step) {
      const Vec3 p = from + (h - 0.5 * step) * w_.b;
      if (high_.around(p.x(), p.y()) + slack >= p.z() - 0.5 * step * w_.b.z()) return h;
    }
    return best_;
  }
  /// Down along `count` slices side by side, every `stride`-th.
  void walk(int first, int stride, int count, int slices, double from) {
    std::array<Vec3, kGroup> rims;
    std::array<double, kGroup> limit, before, now, x, y, z, sx, sy;
    std::array<bool, kGroup> above{};
    for (int i = 0; i < count; ++i) {
      const double gamma = angle(first + i * stride, slices);
      rims[i] = rim(gamma);
      limit[i] =
          w_.standing - kWallRise * w_.radius * std::abs(std::sin(gamma)) + w_.radius * std::cos(gamma);
    }
    // Down to the best so far, whatever lies below.
    for (double h = from; h > best_ - step_; h -= step_) {
      const double level = std::max(h, best_);
      for (int i = 0; i < count; ++i) {
        now[i] = std::min(level, limit[i]);
        const Vec3 p = rims[i] + now[i] * w_.b;
        x[i] = p.x(), y[i] = p.y();
      }
      terrain_.sample({count, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (int i = 0; i < count; ++i) {
        const bool inside = z[i] >= rims[i].z() + now[i] * w_.b.z();
        if (inside && above[i] && before[i] > best_ && beats(rims[i])) enter(rims[i], now[i], before[i]);
        above[i] = !inside, before[i] = now[i];
      }
    }
  }
  /// The best may have grown since.
  bool beats(const Vec3& from) const {
    const Vec3 p = from + best_ * w_.b;
    return lean_ > 1e-9 || terrain_.height(p.x(), p.y()) >= p.z();
  }
  void enter(const Vec3& from, double low, double high) {
    TerrainPoint ground = terrain_.at(from.x() + low * w_.b.x(), from.y() + low * w_.b.y());
    for (int k = 0; k < 30; ++k) {
      const double middle = 0.5 * (low + high);
      const Vec3 p = from + middle * w_.b;
      const TerrainPoint at = terrain_.at(p.x(), p.y());
      if (at.z >= p.z()) {
        low = middle, ground = at;
      } else {
        high = middle;
      }
    }
    if (ground.normal().dot(w_.b) >= kLeastBearing) best_ = std::max(best_, low);
  }

  const Terrain& terrain_;
  const HighGround& high_;
  const RimPlane& w_;
  double step_, lean_, best_;
};

/// Deepest point of the four feelers.
inline double wall_by_points(const Terrain& terrain, const RimPlane& w, int points) {
  const Vec3 centre = w.centre + w.standing * w.b;
  double deepest = 0;
  for (const Vec3& way : {Vec3(w.n), Vec3(-w.n), Vec3(w.n - kWallRise * w.b), Vec3(-w.n - kWallRise * w.b)}) {
    for (int i = 0; i <= points; ++i) {
      const double s = w.radius * i / points;
      const Vec3 p = centre + s * way.normalized();
      deepest = std::max(deepest, std::min(w.radius - s, terrain.height(p.x(), p.y()) - p.z()));
    }
  }
  return deepest;
}

}  // namespace scree::testing
