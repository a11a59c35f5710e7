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

/// Sines and cosines of rim angles, evenly over nearly all of the lower half circle.
class RimAngles {
 public:
  explicit RimAngles(int slices) {
    for (int i = 0; i <= slices; ++i) {
      const double gamma = kFan * (static_cast<double>(i) / slices - 0.5);
      sine_.push_back(std::sin(gamma)), cosine_.push_back(std::cos(gamma));
    }
  }
  int slices() const { return static_cast<int>(sine_.size()) - 1; }
  double sine(int i) const { return sine_[i]; }
  double cosine(int i) const { return cosine_[i]; }
  /// Between two neighbours [rad].
  double step() const { return kFan / slices(); }

 private:
  static constexpr double kFan = 3.11;  // rad
  std::vector<double> sine_, cosine_;
};

/// Largest displacement over many rim angles: every slice goes down along the suspension from far above by
/// steps, and where it enters ground that bears, by halves; the highest of all these places counts.
///
/// plain() does that and no more. run() finds the same number, to the last bit, with less work: steps are at
/// the same heights, and left out are
/// - steps that the ground's highest heights cannot reach, for up to a hundred slices at a time,
/// - steps below the best place so far, or below a guess of it. A guess is no more than that: where no slice
///   finds a higher place than it, all is done again without one.
class ManySlices {
 public:
  /// `step`: along the suspension [m].
  ManySlices(const Terrain& terrain, const HighGround& high, const RimPlane& w, const RimAngles& angles,
             double step = 1.5e-3)
      : terrain_(terrain),
        high_(high),
        w_(w),
        angles_(angles),
        step_(step),
        lean_(std::hypot(w.b.x(), w.b.y())),
        best_(least()),
        group_(
            std::clamp(static_cast<int>(0.5 * HighGround::kBlock / (angles.step() * w.radius)), 1, kGroup)) {}

  double plain() const {
    double highest = least();
    for (int i = 0; i <= angles_.slices(); ++i) {
      const Vec3 from = rim(i);
      bool above = false;
      double before = 0;
      for (int k = 0; height(k) > least() - step_; ++k) {
        const double now = std::min(height(k), limit(i));
        const Vec3 p = from + now * w_.b;
        const bool inside = terrain_.height(p.x(), p.y()) >= p.z();
        if (inside && above) highest = std::max(highest, entrance(from, now, before, least()));
        above = !inside, before = now;
      }
    }
    return highest;
  }

  double run(double guess) {
    best_ = std::max(guess, least());
    const double from = best_;
    look();
    if (best_ > from || from == least()) return best_;
    best_ = least();
    look();
    return best_;
  }

 private:
  static constexpr int kGroup = 100;
  static constexpr double kTop = 0.6;  // m: where slices start
  double least() const { return -0.5 * w_.radius; }
  double height(int step) const { return kTop - step * step_; }
  Vec3 rim(int i) const {
    return w_.centre + w_.radius * (angles_.sine(i) * w_.n - angles_.cosine(i) * w_.b);
  }
  /// Above this displacement a slice would meet walls.
  double limit(int i) const {
    return w_.standing - kWallRise * w_.radius * std::abs(angles_.sine(i)) + w_.radius * angles_.cosine(i);
  }
  void look() {
    const int last = angles_.slices();
    // Groups from the lowest part of the rim outward: the better the best, the more are left out.
    const int groups = last / group_ + 1, middle = groups / 2;
    const double spread = 0.5 * group_ * angles_.step() * w_.radius;  // of a group about its middle
    for (int k = 0; k < 2 * groups; ++k) {
      const int group = middle + (k % 2 == 0 ? k / 2 : -(k / 2) - 1);
      if (group < 0 || group >= groups) continue;
      const int first = group * group_, count = std::min(group_, last + 1 - first);
      const double from = top(std::min(first + group_ / 2, last), 2 * spread);
      if (from > best_)
        walk(first, count, std::max(static_cast<int>((kTop - from - 2 * spread) / step_) - 1, 0));
    }
  }
  /// Above this displacement the slice is above all ground; no more than the best: it cannot beat it.
  double top(int slice, double slack) const {
    const Vec3 from = rim(slice);
    const double step = std::min(0.5 * HighGround::kBlock / std::max(lean_, 1e-3), 2e-3);
    // Twice, since lower ground is met over less of the way.
    double h = kTop;
    for (int i = 0; i < 2 && h > best_; ++i)
      h = std::min(h, (high_.highest(from + best_ * w_.b, from + h * w_.b) + slack - from.z()) / w_.b.z());
    for (; h > best_; h -= step) {
      const Vec3 p = from + (h - 0.5 * step) * w_.b;
      if (high_.around(p.x(), p.y()) + slack >= p.z() - 0.5 * step * w_.b.z()) return h;
    }
    return best_;
  }
  /// Down along `count` slices side by side, from a step on that is above all ground, to the best so far.
  void walk(int first, int count, int from) {
    std::array<Vec3, kGroup> rims;
    std::array<double, kGroup> limits, before, now, x, y, z, sx, sy;
    std::array<bool, kGroup> above{};
    for (int i = 0; i < count; ++i) {
      rims[i] = rim(first + i);
      limits[i] = limit(first + i);
    }
    for (int k = from; k == from || height(k - 1) > best_; ++k) {
      for (int i = 0; i < count; ++i) {
        now[i] = std::min(height(k), limits[i]);
        const Vec3 p = rims[i] + now[i] * w_.b;
        x[i] = p.x(), y[i] = p.y();
      }
      terrain_.sample({count, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (int i = 0; i < count; ++i) {
        const bool inside = z[i] >= rims[i].z() + now[i] * w_.b.z();
        if (inside && above[i] && before[i] > best_ && beats(rims[i]))
          best_ = std::max(best_, entrance(rims[i], now[i], before[i], best_));
        above[i] = !inside, before[i] = now[i];
      }
    }
  }
  /// An upright slice that is above the ground at the best so far enters it lower.
  bool beats(const Vec3& from) const {
    const Vec3 p = from + best_ * w_.b;
    return lean_ > 1e-9 || terrain_.height(p.x(), p.y()) >= p.z();
  }
  /// Where a slice enters ground that bears, between two steps; anything lower where it is no higher than
  /// `best`.
  double entrance(const Vec3& from, double low, double high, double best) const {
    TerrainPoint ground = terrain_.at(from.x() + low * w_.b.x(), from.y() + low * w_.b.y());
    for (int k = 0; k < 30 && high > best; ++k) {
      const double middle = 0.5 * (low + high);
      const Vec3 p = from + middle * w_.b;
      const TerrainPoint at = terrain_.at(p.x(), p.y());
      if (at.z >= p.z()) {
        low = middle, ground = at;
      } else {
        high = middle;
      }
    }
    return ground.normal().dot(w_.b) >= kLeastBearing ? low : least();
  }

  const Terrain& terrain_;
  const HighGround& high_;
  const RimPlane& w_;
  const RimAngles& angles_;
  double step_, lean_, best_;
  int group_;  ///< slices side by side within half a block
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
