#pragma once
/// Ground strewn with things (rocks, craters), asked exactly at any point: no grid, so little memory, and the
/// same things whatever cell they are sampled with later.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

/// `Thing` has a `centre`, `reach()` [m], a `Shape` that is made of it and has `at(dx, dy)` (height and
/// gradient; zero beyond its reach), `steepest()`, `heights()` (lowest and highest), and `kAdds`: whether
/// things that meet add up (craters) or the higher counts (rocks).
template <class Thing>
class Strewn final : public Terrain {
 public:
  Strewn(std::string name, const Rectangle& area, std::vector<Thing> things)
      : name_(std::move(name)),
        area_(area),
        things_(std::move(things)),
        shapes_(things_.begin(), things_.end()) {
    fill_buckets();
  }

  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) {
      TerrainPoint sum;
      const std::size_t b = bucket(column(row.x[k]), line(row.y[k]));
      for (std::uint32_t n = start_[b]; n < start_[b + 1]; ++n) {
        const Thing& thing = things_[member_[n]];
        const double dx = row.x[k] - thing.centre.x(), dy = row.y[k] - thing.centre.y();
        // Most things of a bucket do not reach the point, and their shapes cost more than this.
        if (dx * dx + dy * dy > reach2_[member_[n]]) continue;
        const TerrainPoint p = shapes_[member_[n]].at(dx, dy);
        if (Thing::kAdds) {
          sum.z += p.z, sum.slope_x += p.slope_x, sum.slope_y += p.slope_y;
        } else if (p.z > sum.z) {
          sum = p;
        }
      }
      row.z[k] = sum.z, row.slope_x[k] = sum.slope_x, row.slope_y[k] = sum.slope_y;
    }
  }

  Rectangle bounds() const override { return area_; }

  double slope_bound(const Rectangle& area) const override {
    const int i0 = column(area.x_min), i1 = column(area.x_max), j0 = line(area.y_min), j1 = line(area.y_max);
    if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > 64) return std::numeric_limits<double>::infinity();
    double bound = 0;
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        double here = 0;
        for (std::uint32_t n = start_[bucket(i, j)]; n < start_[bucket(i, j) + 1]; ++n) {
          if (!reaches(things_[member_[n]].centre, reach2_[member_[n]], area)) continue;
          const double slope = things_[member_[n]].steepest();
          here = Thing::kAdds ? here + slope : std::max(here, slope);
        }
        bound = std::max(bound, here);
      }
    }
    return bound;
  }

  HeightRange height_range(const Rectangle& area) const override {
    const int i0 = column(area.x_min), i1 = column(area.x_max), j0 = line(area.y_min), j1 = line(area.y_max);
    if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > 64) return {};
    HeightRange range{0, 0};
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        HeightRange here{0, 0};
        for (std::uint32_t n = start_[bucket(i, j)]; n < start_[bucket(i, j) + 1]; ++n) {
          if (!reaches(things_[member_[n]].centre, reach2_[member_[n]], area)) continue;
          const HeightRange own = things_[member_[n]].heights();
          here.low = Thing::kAdds ? here.low + own.low : std::min(here.low, own.low);
          here.high = Thing::kAdds ? here.high + own.high : std::max(here.high, own.high);
        }
        range = {std::min(range.low, here.low), std::max(range.high, here.high)};
      }
    }
    return range;
  }

  /// A part of the smallest thing: faces and rims of rocks and craters are that much smaller than the thing.
  double finest_feature(const Rectangle& area) const override {
    const int i0 = column(area.x_min), i1 = column(area.x_max), j0 = line(area.y_min), j1 = line(area.y_max);
    if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > 64) return things_.empty() ? 0 : kPart * smallest_;
    float smallest2 = std::numeric_limits<float>::infinity();
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        for (std::uint32_t n = start_[bucket(i, j)]; n < start_[bucket(i, j) + 1]; ++n)
          if (reaches(things_[member_[n]].centre, reach2_[member_[n]], area))
            smallest2 = std::min(smallest2, reach2_[member_[n]]);
      }
    }
    return std::isinf(smallest2) ? 0 : kPart * std::sqrt(static_cast<double>(smallest2));
  }

  std::string summary() const override {
    return fmt::format("{}, {} of them on {:.6g} m x {:.6g} m", name_, things_.size(),
                       area_.x_max - area_.x_min, area_.y_max - area_.y_min);
  }
  const std::vector<Thing>& things() const { return things_; }

 private:
  /// Whether a disc meets a rectangle.
  static bool reaches(const Vec2& centre, double reach2, const Rectangle& area) {
    const double dx = centre.x() - std::clamp(centre.x(), area.x_min, area.x_max),
                 dy = centre.y() - std::clamp(centre.y(), area.y_min, area.y_max);
    return dx * dx + dy * dy <= reach2;
  }
  int column(double x) const { return place(x, area_.x_min, per_x_, nx_); }
  int line(double y) const { return place(y, area_.y_min, per_y_, ny_); }
  static int place(double x, double low, double per, int n) {
    const double at = (x - low) * per;
    return at >= n ? n - 1 : at > 0 ? static_cast<int>(at) : 0;
  }
  std::size_t bucket(int i, int j) const { return static_cast<std::size_t>(j) * nx_ + i; }

  /// Buckets about as many as things (at most 1024 x 1024), each listing the things that reach into it, in
  /// their own order.
  void fill_buckets() {
    reach2_.reserve(things_.size());
    // A millionth more, for rounding to float and of the shapes themselves.
    for (const Thing& t : things_) smallest_ = std::min(smallest_, t.reach());
    for (const Thing& t : things_) reach2_.push_back(static_cast<float>(t.reach() * t.reach() * (1 + 1e-6)));
    const double lx = area_.x_max - area_.x_min, ly = area_.y_max - area_.y_min;
    const double wanted = std::clamp(static_cast<double>(things_.size()), 1.0, 1048576.0);
    const double side = std::sqrt(lx * ly / wanted);
    nx_ = static_cast<int>(std::clamp(lx / side, 1.0, 1024.0)),
    ny_ = static_cast<int>(std::clamp(ly / side, 1.0, 1024.0));
    per_x_ = nx_ / lx, per_y_ = ny_ / ly;
    start_.assign(static_cast<std::size_t>(nx_) * ny_ + 1, 0);
    visit_buckets([this](std::size_t b, std::uint32_t) { ++start_[b + 1]; });
    for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
    member_.resize(start_.back());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    visit_buckets([&](std::size_t b, std::uint32_t thing) { member_[next[b]++] = thing; });
  }

  template <class Visit>
  void visit_buckets(Visit visit) const {
    for (std::uint32_t n = 0; n < things_.size(); ++n) {
      const Vec2& c = things_[n].centre;
      const double r = things_[n].reach();
      if (c.x() + r < area_.x_min || c.x() - r > area_.x_max || c.y() + r < area_.y_min ||
          c.y() - r > area_.y_max)
        continue;
      for (int j = line(c.y() - r); j <= line(c.y() + r); ++j) {
        for (int i = column(c.x() - r); i <= column(c.x() + r); ++i) visit(bucket(i, j), n);
      }
    }
  }

  static constexpr double kPart = 0.5;

  std::string name_;
  double smallest_ = std::numeric_limits<double>::infinity();  ///< reach [m]
  Rectangle area_;
  std::vector<Thing> things_;
  std::vector<typename Thing::Shape> shapes_;
  std::vector<float> reach2_;  ///< square of each thing's reach [m^2]
  int nx_ = 1, ny_ = 1;
  double per_x_ = 1, per_y_ = 1;
  std::vector<std::uint32_t> start_, member_;
};

}  // namespace scree
