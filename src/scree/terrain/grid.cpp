#include "scree/terrain/grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scree/core/errors.hpp"
#include "scree/terrain/spline.hpp"

namespace scree {
namespace {

using namespace lane;

/// Four points from and to arrays. The view is read through the reference: broadcasting a constant from
/// memory costs nothing, copying it first does.
template <bool smooth>
[[gnu::always_inline]] inline void sample_four(const GridView& view, const TerrainRow& row, int k) {
  const Lanes x = load(row.x + k), y = load(row.y + k);
  const LanesPoint p = smooth ? view.smooth(x, y) : view.bilinear(x, y);
  store(row.z + k, p.z);
  store(row.slope_x + k, p.slope_x);
  store(row.slope_y + k, p.slope_y);
}

/// One to three points, through a padded copy.
template <bool smooth>
[[gnu::noinline]] void sample_tail(const GridView& view, const TerrainRow& row, int k) {
  const int left = row.count - k;
  double x[kLanes], y[kLanes], z[kLanes], slope_x[kLanes], slope_y[kLanes];
  for (int s = 0; s < kLanes; ++s) {
    x[s] = row.x[k + std::min(s, left - 1)];
    y[s] = row.y[k + std::min(s, left - 1)];
  }
  sample_four<smooth>(view, {kLanes, x, y, z, slope_x, slope_y}, 0);
  std::copy_n(z, left, row.z + k);
  std::copy_n(slope_x, left, row.slope_x + k);
  std::copy_n(slope_y, left, row.slope_y + k);
}

template <bool smooth>
[[gnu::noinline]] void sample_row(const GridView& view, const TerrainRow& row) {
  int k = 0;
  for (; k + kLanes <= row.count; k += kLanes) sample_four<smooth>(view, row, k);
  if (k < row.count) sample_tail<smooth>(view, row, k);
}

template <class Number>
std::unique_ptr<const Grid> grid_from(std::span<const Number> heights, const GridGeometry& g,
                                      GridOptions options) {
  check_geometry(g, options.name);
  if (heights.size() != g.samples()) {
    input_error("{}: {} heights for {} x {} samples, which need {}", options.name, heights.size(), g.nx, g.ny,
                g.samples());
  }
  HeightField field = make_field(g, options.name);
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double middle = std::round(0.5 * (static_cast<double>(*low) + static_cast<double>(*high)));
  if (std::isfinite(middle)) field.datum = middle;
  std::transform(heights.begin(), heights.end(), field.z.begin(),
                 [&](Number z) { return static_cast<float>(static_cast<double>(z) - field.datum); });
  return std::make_unique<const Grid>(std::move(field), std::move(options));
}

/// Four points are the commonest row (one per wheel): a straight line of code for them.
template <bool smooth>
[[gnu::always_inline]] inline void sample_any(const GridView& view, const TerrainRow& row) {
  if (row.count == kLanes) {
    sample_four<smooth>(view, row, 0);
  } else {
    sample_row<smooth>(view, row);
  }
}

}  // namespace

Grid::Grid(HeightField field, GridOptions options) : field_(std::move(field)), options_(std::move(options)) {
  const GridGeometry& g = field_.geometry;
  check_geometry(g, options_.name);
  check_heights(field_, options_.name);
  const bool smooth = options_.interpolation == Interpolation::smooth;
  if (smooth && (g.nx < 3 || g.ny < 3)) {
    input_error("{}: smooth interpolation needs at least 3 x 3 samples, not {} x {}", options_.name, g.nx,
                g.ny);
  }
  if (smooth) to_spline_coefficients(field_);
  slopes_ = SlopeTable(field_, smooth);
  heights_ = HeightTable(field_, smooth);
  peaks_ = PeakTable(field_, smooth);
  field_.z.resize(g.samples() + kHeightSlack);
  view_ = {field_.z.data(), g.nx,         g.ny,         g.x_min,   g.y_min,
           1 / g.step_x,    1 / g.step_y, field_.datum, &heights_, &slopes_};
}

void Grid::sample(const TerrainRow& row) const {
  if (options_.interpolation == Interpolation::bilinear) {
    sample_any<false>(view_, row);
  } else {
    sample_any<true>(view_, row);
  }
}

/// Slopes are means of differences between neighbouring samples (bilinear) or coefficients (smooth), with
/// weights that are not negative and make 1: of a cell's four corners, of the nine coefficients of a piece.
/// Beyond the grid's edge they are zero.
std::optional<SlopeRange> Grid::slope_range(const Rectangle& area) const {
  const GridGeometry& g = field_.geometry;
  const bool smooth = options_.interpolation == Interpolation::smooth;
  // The first and the last sample that the slopes between two places are made of.
  struct Samples {
    int first, last;
    bool beyond;  // of the grid
  };
  const auto samples = [smooth](double from, double to, double low, double per, int count) {
    const double end = count - 1, a = (from - low) * per, b = (to - low) * per;
    const auto at = [&](double u) { return static_cast<int>(std::clamp(smooth ? u + 0.5 : u, 0.0, end)); };
    const int least = smooth ? 1 : 0, most = count - 2;
    return Samples{std::clamp(at(a), least, most) - least, std::clamp(at(b), least, most) + 1,
                   !(a >= 0 && b <= end)};
  };
  const Samples i = samples(area.x_min, area.x_max, g.x_min, view_.per_x, g.nx);
  const Samples j = samples(area.y_min, area.y_max, g.y_min, view_.per_y, g.ny);
  constexpr int kMostSamples = 100;
  if ((i.last - i.first + 1) * (j.last - j.first + 1) > kMostSamples) return {};
  const auto steepest = [&](bool beyond, int di, int dj) {
    float low = beyond ? 0 : std::numeric_limits<float>::infinity(), high = -low;
    for (int l = j.first; l + dj <= j.last; ++l) {
      const float* row = view_.z + static_cast<std::size_t>(l) * g.nx;
      const float* next = row + static_cast<std::size_t>(dj) * g.nx + di;
      for (int k = i.first; k + di <= i.last; ++k) {
        low = std::min(low, next[k] - row[k]);
        high = std::max(high, next[k] - row[k]);
      }
    }
    // Differences were rounded to float: two of its last places more keep them bounds.
    const float slack = 2.5e-7f * std::max(std::abs(low), std::abs(high));
    return std::pair<double, double>(low - slack, high + slack);
  };
  const auto [x_low, x_high] = steepest(i.beyond, 1, 0);
  const auto [y_low, y_high] = steepest(j.beyond, 0, 1);
  return SlopeRange{x_low * view_.per_x, x_high * view_.per_x, y_low * view_.per_y, y_high * view_.per_y};
}

std::string Grid::summary() const {
  const GridGeometry& g = field_.geometry;
  const std::string cell = g.step_x == g.step_y ? fmt::format("{:.4g} m", g.step_x)
                                                : fmt::format("{:.4g} m x {:.4g} m", g.step_x, g.step_y);
  return fmt::format("{} {} x {}, cell {}, {:.6g} m x {:.6g} m{}{}", options_.name, g.nx, g.ny, cell,
                     g.x_max() - g.x_min, g.y_max() - g.y_min,
                     options_.interpolation == Interpolation::smooth ? ", smooth" : "",
                     options_.extend ? ", extended" : "");
}

double Grid::sample_height(int i, int j) const {
  if (options_.interpolation == Interpolation::bilinear) return field_.height(i, j);
  return height(field_.geometry.x(i), field_.geometry.y(j));
}

std::unique_ptr<const Grid> grid_from_heights(std::span<const double> heights, const GridGeometry& geometry,
                                              GridOptions options) {
  return grid_from(heights, geometry, std::move(options));
}

std::unique_ptr<const Grid> grid_from_heights(std::span<const float> heights, const GridGeometry& geometry,
                                              GridOptions options) {
  return grid_from(heights, geometry, std::move(options));
}

HeightField Grid::release() && {
  field_.z.resize(field_.geometry.samples());
  if (options_.interpolation == Interpolation::smooth) to_spline_samples(field_);
  return std::move(field_);
}

}  // namespace scree
