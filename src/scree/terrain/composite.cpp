#include "scree/terrain/composite.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

constexpr int kChunk = Feature::kMostPoints;

/// A footprint holds its edge, and rounding must not lose it [m].
constexpr double kEdge = 1e-9;
constexpr double kRoot2 = 1.4142135623730951;

/// Weight of a feature and its slope across the margin: 0 at the edge, 1 inside, an S between (C1).
struct Fade {
  double w = 1, dw = 0;  ///< dw per metre inward
};
Fade fade(double inside, double margin) {
  if (!(inside > -kEdge)) return {0, 0};
  inside = std::max(inside, 0.0);
  if (inside >= margin) return {1, 0};
  const double t = inside / margin;
  return {t * t * (3 - 2 * t), 6 * t * (1 - t) / margin};
}

Rectangle own_footprint(const Terrain& shape, const Placement& p) {
  const Rectangle b = shape.bounds();
  if (!(p.size.x() > 0 || p.size.y() > 0)) return b;
  const auto half = [](double s) { return s > 0 ? 0.5 * s : std::numeric_limits<double>::infinity(); };
  const double x = half(p.size.x()), y = half(p.size.y());
  return {std::max(-x, b.x_min), std::min(x, b.x_max), std::max(-y, b.y_min), std::min(y, b.y_max)};
}

bool is_finite(const Rectangle& r) {
  return std::isfinite(r.x_min) && std::isfinite(r.x_max) && std::isfinite(r.y_min) && std::isfinite(r.y_max);
}

/// The upright box around a rectangle turned by (c, s) and then moved by `to`; infinite stays infinite.
Rectangle turned(const Rectangle& r, double c, double s, const Vec2& to) {
  if (!is_finite(r)) return {};
  Rectangle box{1e300, -1e300, 1e300, -1e300};
  for (const double x : {r.x_min, r.x_max}) {
    for (const double y : {r.y_min, r.y_max}) {
      const double u = to.x() + c * x - s * y, v = to.y() + s * x + c * y;
      box = {std::min(box.x_min, u), std::max(box.x_max, u), std::min(box.y_min, v), std::max(box.y_max, v)};
    }
  }
  return box;
}

/// The box around the points of a row. Where one is not a number it does not matter which.
Rectangle box_around(const TerrainRow& row) {
  Rectangle box{row.x[0], row.x[0], row.y[0], row.y[0]};
  if (row.count < kLanes) {
    for (int k = 1; k < row.count; ++k) {
      box = {std::min(box.x_min, row.x[k]), std::max(box.x_max, row.x[k]), std::min(box.y_min, row.y[k]),
             std::max(box.y_max, row.y[k])};
    }
    return box;
  }
  // The last four again where they are not whole.
  const int last = row.count - kLanes;
  Lanes x0 = lane::load(row.x + last), x1 = x0, y0 = lane::load(row.y + last), y1 = y0;
  for (int k = 0; k < last; k += kLanes) {
    const Lanes x = lane::load(row.x + k), y = lane::load(row.y + k);
    x0 = lane::min(x0, x), x1 = lane::max(x1, x), y0 = lane::min(y0, y), y1 = lane::max(y1, y);
  }
  const auto least = [](Lanes v) { return std::min(std::min(v[0], v[1]), std::min(v[2], v[3])); };
  const auto most = [](Lanes v) { return std::max(std::max(v[0], v[1]), std::max(v[2], v[3])); };
  return {least(x0), most(x1), least(y0), most(y1)};
}

bool apart(const Rectangle& a, const Rectangle& b) {
  return a.x_max < b.x_min || a.x_min > b.x_max || a.y_max < b.y_min || a.y_min > b.y_max;
}

}  // namespace

Feature::Feature(std::shared_ptr<const Terrain> shape, const Placement& placement)
    : shape_(std::move(shape)),
      placement_(placement),
      cosine_(maths::cos(placement.yaw)),
      sine_(maths::sin(placement.yaw)),
      own_(own_footprint(*shape_, placement)),
      world_(turned(own_, cosine_, sine_, placement.at)) {
  // Added, a feature does nothing where it lies at height zero.
  if (placement.blend == Blend::add && placement.lift == 0) {
    const Rectangle r = shape_->raised();
    world_ = turned({std::max(own_.x_min, r.x_min), std::min(own_.x_max, r.x_max),
                     std::max(own_.y_min, r.y_min), std::min(own_.y_max, r.y_max)},
                    cosine_, sine_, placement.at);
  }
  world_ = {world_.x_min - kEdge, world_.x_max + kEdge, world_.y_min - kEdge, world_.y_max + kEdge};
}

void Feature::blend(const TerrainRow& row) const {
  const Placement& p = placement_;
  const double c = cosine_, s = sine_;
  std::array<double, kChunk> x, y, z, sx, sy;
  // Four at a time, and the last four again where they are not whole: the same numbers.
  const auto each_four = [n = row.count](const auto& four, const auto& one) {
    if (n < kLanes) {
      for (int k = 0; k < n; ++k) one(k);
      return;
    }
    for (int k = 0; k + kLanes <= n; k += kLanes) four(k);
    if (n % kLanes != 0) four(n - kLanes);
  };
  const double m = p.margin;
  const Rectangle whole{own_.x_min + m, own_.x_max - m, own_.y_min + m, own_.y_max - m};
  bool inside = true;
  each_four(
      [&](int k) {
        const Lanes dx = lane::load(row.x + k) - p.at.x(), dy = lane::load(row.y + k) - p.at.y();
        const Lanes px = c * dx + s * dy, py = -s * dx + c * dy;
        lane::store(&x[k], px), lane::store(&y[k], py);
        inside &=
            lane::all((px >= whole.x_min) & (px <= whole.x_max) & (py >= whole.y_min) & (py <= whole.y_max));
      },
      [&](int k) {
        const double dx = row.x[k] - p.at.x(), dy = row.y[k] - p.at.y();
        x[k] = c * dx + s * dy, y[k] = -s * dx + c * dy;
        inside &= whole.contains(x[k], y[k]);
      });
  shape_->sample({row.count, x.data(), y.data(), z.data(), sx.data(), sy.data()});
  if (p.blend == Blend::add && inside) return add(row, z.data(), sx.data(), sy.data());
  for (int k = 0; k < row.count; ++k) {
    const Fade fx = fade(std::min(x[k] - own_.x_min, own_.x_max - x[k]), p.margin);
    const Fade fy = fade(std::min(y[k] - own_.y_min, own_.y_max - y[k]), p.margin);
    const double w = fx.w * fy.w;
    if (w == 0) continue;
    // Gradient of the weight and of the feature, first along its own axes, then along the ground's.
    const double wx = fx.dw * fy.w * (x[k] - own_.x_min < own_.x_max - x[k] ? 1 : -1);
    const double wy = fy.dw * fx.w * (y[k] - own_.y_min < own_.y_max - y[k] ? 1 : -1);
    double rise = p.scale * z[k] + p.lift;
    double rise_x = p.scale * (c * sx[k] - s * sy[k]), rise_y = p.scale * (s * sx[k] + c * sy[k]);
    if (p.blend != Blend::add) {
      rise -= row.z[k], rise_x -= row.slope_x[k], rise_y -= row.slope_y[k];
      if ((p.blend == Blend::highest && rise <= 0) || (p.blend == Blend::lowest && rise >= 0)) continue;
    }
    row.z[k] += w * rise;
    row.slope_x[k] += w * rise_x + (c * wx - s * wy) * rise;
    row.slope_y[k] += w * rise_y + (s * wx + c * wy) * rise;
  }
}

/// All of a shape's row to the ground's, where nothing fades.
void Feature::add(const TerrainRow& row, const double* z, const double* sx, const double* sy) const {
  const double c = cosine_, s = sine_, scale = placement_.scale, lift = placement_.lift;
  int k = 0;
  for (; k + kLanes <= row.count; k += kLanes) {
    const Lanes gx = lane::load(sx + k), gy = lane::load(sy + k);
    lane::store(row.z + k, lane::load(row.z + k) + (scale * lane::load(z + k) + lift));
    lane::store(row.slope_x + k, lane::load(row.slope_x + k) + scale * (c * gx - s * gy));
    lane::store(row.slope_y + k, lane::load(row.slope_y + k) + scale * (s * gx + c * gy));
  }
  for (; k < row.count; ++k) {
    row.z[k] += scale * z[k] + lift;
    row.slope_x[k] += scale * (c * sx[k] - s * sy[k]);
    row.slope_y[k] += scale * (s * sx[k] + c * sy[k]);
  }
}

Rectangle Feature::seen_from(const Rectangle& area) const {
  const Vec2 back(-cosine_ * placement_.at.x() - sine_ * placement_.at.y(),
                  sine_ * placement_.at.x() - cosine_ * placement_.at.y());
  return turned(area, cosine_, -sine_, back);
}

double Feature::finest_feature(const Rectangle& area, double so_far) const {
  if (apart(area, world_)) return so_far;
  const auto finer = [](double a, double b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); };
  // Where it fades in, and what it holds.
  return finer(so_far, finer(placement_.margin, shape_->finest_feature(seen_from(area))));
}

double Feature::slope_bound(const Rectangle& area, double so_far) const {
  if (apart(area, world_)) return so_far;
  const Rectangle own = seen_from(area);
  return blended_slope(own, shape_->slope_bound(own), so_far);
}

double Feature::slope_bound_along(const Rectangle& area, const Vec2& way, double so_far) const {
  if (apart(area, world_)) return so_far;
  const Rectangle own = seen_from(area);
  const Vec2 turned(cosine_ * way.x() + sine_ * way.y(), cosine_ * way.y() - sine_ * way.x());
  return blended_slope(own, shape_->slope_bound_along(own, turned), so_far);
}

/// Slope of the whole, where that of the shape is no larger than `of_shape`.
double Feature::blended_slope(const Rectangle& own, double of_shape, double so_far) const {
  const double slope = std::abs(placement_.scale) * of_shape;
  if (whole(own)) return placement_.blend == Blend::add ? so_far + slope : std::max(so_far, slope);
  if (placement_.blend != Blend::add) return std::numeric_limits<double>::infinity();
  // Where it fades in, grad (w f) = w grad f + f grad w, and w rises by no more than 3/2 over the margin
  // along either axis; without a margin it jumps, unless it lies at height zero.
  const double most = highest_rise(own);
  return most > 0 ? so_far + slope + most * (1.5 * kRoot2) / placement_.margin : so_far + slope;
}

/// Whether all of an area, in the feature's frame, lies further inside the footprint than its margin.
bool Feature::whole(const Rectangle& own) const {
  const double m = placement_.margin;
  return own.x_min >= own_.x_min + m && own.x_max <= own_.x_max - m && own.y_min >= own_.y_min + m &&
         own.y_max <= own_.y_max - m;
}

/// No |scale f + lift| in the area, in the feature's frame, is larger.
double Feature::highest_rise(const Rectangle& own) const {
  const HeightRange range = shape_->height_range(own);
  return std::max(std::abs(placement_.scale * range.low + placement_.lift),
                  std::abs(placement_.scale * range.high + placement_.lift));
}

HeightRange Feature::height_range(const Rectangle& area, HeightRange so_far) const {
  if (apart(area, world_)) return so_far;
  const Rectangle seen = seen_from(area);
  const HeightRange own = shape_->height_range(seen);
  const double a = placement_.scale * own.low + placement_.lift,
               b = placement_.scale * own.high + placement_.lift;
  const double low = std::min(a, b), high = std::max(a, b);
  if (whole(seen)) {
    switch (placement_.blend) {
      case Blend::add:
        return {so_far.low + low, so_far.high + high};
      case Blend::replace:
        return {low, high};
      case Blend::highest:
        return {std::max(so_far.low, low), std::max(so_far.high, high)};
      case Blend::lowest:
        return {std::min(so_far.low, low), std::min(so_far.high, high)};
    }
  }
  // The weight lies between 0 and 1, and at 0 the ground is what it was.
  if (placement_.blend == Blend::add) {
    return {so_far.low + std::min(low, 0.0), so_far.high + std::max(high, 0.0)};
  }
  return {std::min(so_far.low, low), std::max(so_far.high, high)};
}

bool Feature::place(const Rectangle& area, PlacedProfile& so_far) const {
  if (apart(area, world_)) return true;
  if (placement_.blend != Blend::add) return false;
  const Rectangle own = seen_from(area);
  const std::optional<PlacedProfile> shape = shape_->placed_profile(own);
  if (!shape) return false;
  const double z = placement_.scale * shape->z + placement_.lift;
  if (!shape->profile && z == 0) return true;  // wherever it fades
  if (!whole(own) || (shape->profile && so_far.profile)) return false;
  so_far.z += z;
  if (!shape->profile) return true;
  so_far.profile = shape->profile;
  so_far.along_x = cosine_ * shape->along_x - sine_ * shape->along_y;
  so_far.along_y = sine_ * shape->along_x + cosine_ * shape->along_y;
  so_far.offset = shape->offset - so_far.along_x * placement_.at.x() - so_far.along_y * placement_.at.y();
  so_far.scale = placement_.scale * shape->scale;
  return true;
}

Composite::Composite(std::shared_ptr<const Terrain> base, std::vector<Feature> features)
    : base_(std::move(base)), features_(std::move(features)) {}

void Composite::sample(const TerrainRow& row) const {
  base_->sample(row);
  for (int k = 0; k < row.count; k += kChunk) {
    const TerrainRow part{
        std::min(kChunk, row.count - k), row.x + k, row.y + k, row.z + k, row.slope_x + k, row.slope_y + k};
    const Rectangle box = box_around(part);
    for (const Feature& f : features_) {
      if (!apart(box, f.footprint())) f.blend(part);
    }
  }
}

double Composite::cell() const {
  double cell = base_->cell();
  for (const Feature& f : features_) {
    const double c = f.shape().cell();
    if (c > 0) cell = cell > 0 ? std::min(cell, c) : c;
  }
  return cell;
}

double Composite::finest_feature(const Rectangle& area) const {
  double finest = base_->finest_feature(area);
  for (const Feature& f : features_) finest = f.finest_feature(area, finest);
  return finest;
}

HeightRange Composite::height_range(const Rectangle& area) const {
  HeightRange range = base_->height_range(area);
  for (const Feature& f : features_) range = f.height_range(area, range);
  return range;
}

std::optional<PlacedProfile> Composite::placed_profile(const Rectangle& area) const {
  std::optional<PlacedProfile> whole = base_->placed_profile(area);
  for (const Feature& f : features_)
    if (!whole || !f.place(area, *whole)) return {};
  return whole;
}

double Composite::slope_bound(const Rectangle& area) const {
  double bound = base_->slope_bound(area);
  for (const Feature& f : features_) bound = f.slope_bound(area, bound);
  return bound;
}

double Composite::slope_bound_along(const Rectangle& area, const Vec2& way) const {
  double bound = base_->slope_bound_along(area, way);
  for (const Feature& f : features_) bound = f.slope_bound_along(area, way, bound);
  return bound;
}

std::string Composite::summary() const {
  return fmt::format("{} and {} feature{}", base_->summary(), features_.size(),
                     features_.size() == 1 ? "" : "s");
}

void add_features(HeightField& field, const std::vector<Feature>& features, int threads) {
  const GridGeometry& g = field.geometry;
  for (const Feature& f : features) {
    const Rectangle& world = f.footprint();
    const auto index = [](double x, double low, double step, int n) {
      return static_cast<int>(std::clamp((x - low) / step, 0.0, static_cast<double>(n)));
    };
    const int j0 = index(world.y_min, g.y_min, g.step_y, g.ny),
              j1 = index(world.y_max + g.step_y, g.y_min, g.step_y, g.ny);
    const int i0 = index(world.x_min, g.x_min, g.step_x, g.nx),
              i1 = index(world.x_max + g.step_x, g.x_min, g.step_x, g.nx);
    in_parallel(threads, j1 - j0, [&](int begin, int end) {
      std::array<double, kChunk> x, y, z, sx, sy;
      for (int j = j0 + begin; j < j0 + end; ++j) {
        for (int i = i0; i < i1; i += kChunk) {
          const int count = std::min(kChunk, i1 - i);
          for (int k = 0; k < count; ++k) {
            x[k] = g.x(i + k), y[k] = g.y(j), z[k] = field.height(i + k, j), sx[k] = sy[k] = 0;
          }
          f.blend({count, x.data(), y.data(), z.data(), sx.data(), sy.data()});
          for (int k = 0; k < count; ++k) field.at(i + k, j) = static_cast<float>(z[k] - field.datum);
        }
      }
    });
  }
}

}  // namespace scree
