#include "scree/terrain/step_field.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {
namespace {

/// Which post, how far towards the next one (0 ... 1), and the slope of that.
struct Across {
  int low, high;
  double t, dt;
};

/// Posts are level but for `edge` between two of them, where an S leads from one to the other.
Across across(double x, double x_min, double post, double edge, int n) {
  const double u = (x - x_min) / post - 0.5;
  if (!(u > 0)) return {0, 0, 0, 0};
  if (u >= n - 1) return {n - 1, n - 1, 0, 0};
  const int low = static_cast<int>(u);
  const double s = ((u - low) - 0.5) * post / edge + 0.5;
  if (s <= 0) return {low, low, 0, 0};
  if (s >= 1) return {low + 1, low + 1, 0, 0};
  return {low, low + 1, s * s * (3 - 2 * s), 6 * s * (1 - s) / edge};
}

double pattern_level(StepPattern pattern, int i, int j, int nx, int ny) {
  const double u = (i + 0.5) / nx, v = (j + 0.5) / ny;
  if (pattern == StepPattern::hill) return 4 * (0.5 - std::abs(u - 0.5));
  if (pattern == StepPattern::diagonal) return 4 * (0.5 - 0.5 * std::abs(u - v));
  return 0;
}

}  // namespace

StepField::StepField(const StepFieldSettings& s)
    : settings_(s),
      nx_(static_cast<int>(std::lround(s.size.x() / s.post))),
      ny_(static_cast<int>(std::lround(s.size.y() / s.post))) {
  if (!(s.edge > 0 && s.edge <= s.post)) {
    input_error("step_field: edge {} m must be positive and at most the post's {} m", s.edge, s.post);
  }
  if (nx_ < 1 || ny_ < 1 || static_cast<double>(nx_) * ny_ > 1e8) {
    input_error("step_field: {} x {} posts: from 1 to 10^8 in all", nx_, ny_);
  }
  RandomStream random(s.seed, 0, "step_field");
  heights_.reserve(static_cast<std::size_t>(nx_) * ny_);
  for (int j = 0; j < ny_; ++j) {
    for (int i = 0; i < nx_; ++i) {
      const double level = std::round(pattern_level(s.pattern, i, j, nx_, ny_));
      heights_.push_back(s.rise *
                         (level + static_cast<double>(random.below(static_cast<std::uint64_t>(s.levels)))));
    }
  }
  const auto [low, high] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *low, highest_ = *high;
}

Rectangle StepField::bounds() const {
  const double x = 0.5 * nx_ * settings_.post, y = 0.5 * ny_ * settings_.post;
  return {-x, x, -y, y};
}

void StepField::sample(const TerrainRow& row) const {
  const Rectangle b = bounds();
  for (int k = 0; k < row.count; ++k) {
    const Across x = across(row.x[k], b.x_min, settings_.post, settings_.edge, nx_);
    const Across y = across(row.y[k], b.y_min, settings_.post, settings_.edge, ny_);
    const double z00 = post_height(x.low, y.low), z10 = post_height(x.high, y.low);
    const double z01 = post_height(x.low, y.high), z11 = post_height(x.high, y.high);
    const double low = z00 + x.t * (z10 - z00), high = z01 + x.t * (z11 - z01);
    row.z[k] = low + y.t * (high - low);
    row.slope_x[k] = x.dt * ((z10 - z00) * (1 - y.t) + (z11 - z01) * y.t);
    row.slope_y[k] = y.dt * (high - low);
  }
}

namespace {

/// First and last of `count` posts that [from, to] meets along one axis; half an edge reaches into the
/// neighbouring post.
std::pair<int, int> posts_under(double from, double to, double begin, const StepFieldSettings& settings,
                                int count) {
  const auto post = [&](double x) {
    const double at = (x - begin) / settings.post;
    return at >= count ? count - 1 : at > 0 ? static_cast<int>(at) : 0;
  };
  const double e = 0.5 * settings.edge;
  return {post(from - e), post(to + e)};
}

}  // namespace

HeightRange StepField::height_range(const Rectangle& area) const {
  const auto [i0, i1] = posts_under(area.x_min, area.x_max, bounds().x_min, settings_, nx_);
  const auto [j0, j1] = posts_under(area.y_min, area.y_max, bounds().y_min, settings_, ny_);
  if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > 256) return {lowest_, highest_};
  HeightRange range{post_height(i0, j0), post_height(i0, j0)};
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      range = {std::min(range.low, post_height(i, j)), std::max(range.high, post_height(i, j))};
    }
  }
  return range;
}

Vec2 StepField::steepest(const Rectangle& area) const {
  const auto [i0, i1] = posts_under(area.x_min, area.x_max, bounds().x_min, settings_, nx_);
  const auto [j0, j1] = posts_under(area.y_min, area.y_max, bounds().y_min, settings_, ny_);
  if ((i1 - i0 + 1.0) * (j1 - j0 + 1.0) > 64) {
    const double most = 1.5 * (highest_ - lowest_) / settings_.edge;
    return {most, most};
  }
  double dx = 0, dy = 0;
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      if (i < i1) dx = std::max(dx, std::abs(post_height(i + 1, j) - post_height(i, j)));
      if (j < j1) dy = std::max(dy, std::abs(post_height(i, j + 1) - post_height(i, j)));
    }
  }
  return {1.5 * dx / settings_.edge, 1.5 * dy / settings_.edge};
}

double StepField::slope_bound(const Rectangle& area) const {
  const Vec2 most = steepest(area);
  return maths::hypot(most.x(), most.y());
}

double StepField::slope_bound_along(const Rectangle& area, const Vec2& way) const {
  const Vec2 most = steepest(area);
  return std::abs(way.x()) * most.x() + std::abs(way.y()) * most.y();
}

std::string StepField::summary() const {
  return fmt::format("step field, {} x {} posts of {:.3g} m, {} levels of {:.3g} m", nx_, ny_, settings_.post,
                     settings_.levels, settings_.rise);
}

void describe(Section& s, StepFieldSettings& x) {
  s.vector("size", x.size,
           {.unit = "m", .doc = "Length and width; rounded to whole posts", .range = positive()});
  s.number("post", x.post, {.unit = "m", .doc = "Side of a post", .range = positive()});
  s.number("rise", x.rise, {.unit = "m", .doc = "Height between one level and the next"});
  s.integer("levels", x.levels, {.unit = "-", .doc = "Number of random heights", .range = between(1, 1000)});
  s.number("edge", x.edge,
           {.unit = "m", .doc = "Horizontal length from one post to the next", .range = positive()});
  std::string pattern = "random";
  s.choice(
      "pattern", pattern, {"random", "hill", "diagonal"},
      {.unit = "-", .doc = "Random heights alone, or on posts that grow towards the middle or the diagonal"});
  x.pattern = pattern == "hill"       ? StepPattern::hill
              : pattern == "diagonal" ? StepPattern::diagonal
                                      : StepPattern::random;
  describe_seed(s, x.seed);
}

TerrainPtr make_step_field(Section& s, const MakeContext& context) {
  const auto x = read_keys<StepFieldSettings>(s, {.seed = context.seed});
  return s.documenting() ? nullptr : std::make_unique<StepField>(x);
}

}  // namespace scree
