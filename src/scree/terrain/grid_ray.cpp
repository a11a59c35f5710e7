/// Where a ray meets a grid, exactly: patch by patch of the surface, passing over squares of them that lie
/// below the ray.
///
/// A patch is a cell (bilinear) or the piece around a sample (smooth); outside an extended grid the patches
/// have no outer border. Along a straight line over one patch the clearance is a polynomial: quadratic over
/// bilinear cells, quartic over smooth pieces, and its first zero is found without marching.
#include <algorithm>
#include <array>
#include <cmath>

#include "scree/terrain/grid.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// First s in [0, end] at which c0 + c1 s + c2 s^2 is not positive.
std::optional<double> first_zero(double c0, double c1, double c2, double end) {
  if (!(c0 > 0)) return 0.0;
  if (c1 >= 0 && c2 >= 0) return std::nullopt;
  const double discriminant = c1 * c1 - 4 * c0 * c2;
  if (!(discriminant >= 0)) return std::nullopt;
  // The two roots are q / c2 and c0 / q, without cancellation; c0 > 0, so that c0 / q is the first positive
  // one when q is positive, and q / c2 the only one when both are negative.
  const double q = -0.5 * (c1 + std::copysign(std::sqrt(discriminant), c1));
  const double s = q > 0 ? c0 / q : q / c2;
  return s >= 0 && s <= end ? std::optional(s) : std::nullopt;
}

using Quartic = std::array<double, 5>;  ///< by its Bernstein coefficients on [0, 1]

/// Through the values at 0, 1/4, .. 1.
Quartic quartic_through(const double* g) {
  return {g[0], (-13 * g[0] + 48 * g[1] - 36 * g[2] + 16 * g[3] - 3 * g[4]) / 12,
          (13 * g[0] - 64 * g[1] + 120 * g[2] - 64 * g[3] + 13 * g[4]) / 18,
          (-3 * g[0] + 16 * g[1] - 36 * g[2] + 48 * g[3] - 13 * g[4]) / 12, g[4]};
}

/// First s in [low, low + width] at which the quartic, given on that interval, is not positive. It is never
/// below its least coefficient: halves that are above zero by that are passed over.
std::optional<double> first_zero(Quartic b, double low, double width) {
  if (!(b[0] > 0)) return low;
  if (*std::min_element(b.begin(), b.end()) > 0) return std::nullopt;
  if (width < 1e-15) return b[4] > 0 ? std::nullopt : std::optional(low + width);
  Quartic left;  // de Casteljau's halves: `b` becomes the right one
  for (int k = 0; k < 5; ++k) {
    left[k] = b[0];
    for (int i = 0; i + 1 < 5 - k; ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
  }
  if (const auto found = first_zero(left, low, 0.5 * width)) return found;
  return first_zero(b, low + 0.5 * width, 0.5 * width);
}

/// One axis of the walk over patches, in samples from the grid's corner.
struct Axis {
  double start, rate;  ///< coordinate = start + t rate
  int samples;
  double shift;  ///< of the patches' borders against the samples: 0 or 1/2
  int patches;   ///< inside: 0 .. patches - 1; outside: -1 and patches
  int at = 0;    ///< the patch now

  double coordinate(double t) const { return start + t * rate; }
  double border(int patch) const {
    return patch < 0         ? -kInfinity
           : patch > patches ? kInfinity
                             : std::clamp(patch - shift, 0.0, samples - 1.0);
  }
  bool inside() const { return at >= 0 && at < patches; }
  void enter(double t, bool extended, int low, int high) {
    const double u = coordinate(t);
    const int patch = u < 0             ? -1
                      : u > samples - 1 ? patches
                                        : std::min(static_cast<int>(u + shift), patches - 1);
    at = std::clamp(patch, extended ? low : std::max(low, 0), extended ? high : std::min(high, patches - 1));
  }
  /// When the walk leaves the patches [first, last] along this axis.
  double leaves(int first, int last) const {
    return rate > 0   ? (border(last + 1) - start) / rate
           : rate < 0 ? (border(first) - start) / rate
                      : kInfinity;
  }
};

struct GridWalk {
  const GridView& view;
  const PeakTable& table;
  bool smooth, extended;
  double z0, dz;  ///< of the ray above the datum: z0 + t dz
  Axis x, y;

  std::optional<double> first(double begin, double end);

 private:
  float sample(int i, int j) const {
    const int c = std::clamp(i, 0, view.nx - 1), r = std::clamp(j, 0, view.ny - 1);
    return view.z[static_cast<std::ptrdiff_t>(r) * view.nx + c];
  }
  std::optional<double> meet_cell(double t, double leave) const;
  std::optional<double> meet_piece(double t, double leave) const;
  /// Patches [first, last] along both axes are left at `leave`: into the next one.
  void advance(double leave, int i0, int i1, int j0, int j1);
};

/// Bilinear: z = z00 + fx a + fy b + fx fy c (Morrot 2011, Eqs. 3-5). Times count from t, so that nothing is
/// lost far away.
std::optional<double> GridWalk::meet_cell(double t, double leave) const {
  const double z00 = sample(x.at, y.at), z10 = sample(x.at + 1, y.at), z01 = sample(x.at, y.at + 1);
  const double a = z10 - z00, b = z01 - z00, c = sample(x.at + 1, y.at + 1) - z10 - b;
  const double fx = a == 0 && c == 0 ? 0 : x.coordinate(t) - x.at;
  const double fy = b == 0 && c == 0 ? 0 : y.coordinate(t) - y.at;
  const double c0 = z0 + t * dz - (z00 + fx * a + fy * (b + fx * c));
  const double c1 = dz - (x.rate * (a + fy * c) + y.rate * (b + fx * c));
  const auto s = first_zero(c0, c1, -x.rate * y.rate * c, leave - t);
  return s ? std::optional(t + *s) : std::nullopt;
}

std::optional<double> GridWalk::meet_piece(double t, double leave) const {
  const double width = leave - t;
  const auto heights = [&](double first, double second) {
    const Lanes at{t, t + first * width, t + second * width, leave};
    return view.smooth(view.x_min + (x.start + at * x.rate) / view.per_x,
                       view.y_min + (y.start + at * y.rate) / view.per_y)
               .z -
           view.datum;
  };
  if (!(width < kInfinity)) {  // outside: level, or going along the edge
    const double ground = view.smooth(lane::lanes(view.x_min + x.coordinate(t) / view.per_x),
                                      lane::lanes(view.y_min + y.coordinate(t) / view.per_y))
                              .z[0] -
                          view.datum;
    const auto s = first_zero(z0 + t * dz - ground, dz, 0, width);
    return s ? std::optional(t + *s) : std::nullopt;
  }
  const Lanes a = heights(0.25, 0.5), b = heights(0.75, 1);
  const double ground[5] = {a[0], a[1], a[2], b[1], a[3]};
  double clearance[5];
  for (int k = 0; k < 5; ++k) clearance[k] = z0 + (t + 0.25 * k * width) * dz - ground[k];
  const auto s = first_zero(quartic_through(clearance), 0, 1);
  return s ? std::optional(t + *s * width) : std::nullopt;
}

void GridWalk::advance(double leave, int i0, int i1, int j0, int j1) {
  const double leave_x = x.leaves(i0, i1), leave_y = y.leaves(j0, j1);
  // Across the border that comes first; along the other axis to wherever the ray is by then.
  if (leave_x <= leave_y) {
    x.at = x.rate > 0 ? i1 + 1 : i0 - 1;
    y.enter(leave, extended, j0, j1);
  } else {
    y.at = y.rate > 0 ? j1 + 1 : j0 - 1;
    x.enter(leave, extended, i0, i1);
  }
}

std::optional<double> GridWalk::first(double begin, double end) {
  x.enter(begin, extended, -1, x.patches);
  y.enter(begin, extended, -1, y.patches);
  const int low = extended ? -1 : 0, beyond = extended ? 1 : 0;
  int level = 0;  // of squares; -1: patch by patch
  for (double t = begin; t <= end;) {
    if (x.at < low || y.at < low || x.at >= x.patches + beyond || y.at >= y.patches + beyond) break;
    const bool inside = x.inside() && y.inside();
    if (inside && level >= 0) {
      const int side = PeakTable::side(level);
      const int i0 = x.at / side * side, j0 = y.at / side * side;
      const int i1 = std::min(i0 + side, x.patches) - 1, j1 = std::min(j0 + side, y.patches) - 1;
      const double leave = std::max(std::min(x.leaves(i0, i1), y.leaves(j0, j1)), t);
      const double lowest = z0 + (dz < 0 ? std::min(leave, end) : t) * dz;
      if (!(lowest > table.highest(level, x.at, y.at))) {
        --level;
        continue;
      }
      if (!(leave < end)) break;
      advance(leave, i0, i1, j0, j1);
      t = leave;
      level = std::min(level + 1, table.levels() - 1);
      continue;
    }
    const double leave = std::max(std::min(x.leaves(x.at, x.at), y.leaves(y.at, y.at)), t);
    const double until = std::min(leave, end);
    if (const auto found = smooth ? meet_piece(t, until) : meet_cell(t, until)) return found;
    if (!(leave < end)) break;
    const int i = x.at, j = y.at;
    advance(leave, i, i, j, j);
    t = leave;
    const int side = PeakTable::kSide;
    if (i / side != x.at / side || j / side != y.at / side || !inside) level = 0;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> Grid::meet(const Vec3& origin, const Vec3& unit, double begin, double end) const {
  const bool smooth = options_.interpolation == Interpolation::smooth;
  const auto axis = [smooth](double from, double rate, double corner, double per, int samples) {
    return Axis{(from - corner) * per, rate * per, samples, smooth ? 0.5 : 0.0,
                smooth ? samples : samples - 1};
  };
  GridWalk walk{view_,
                peaks_,
                smooth,
                options_.extend,
                origin.z() - view_.datum,
                unit.z(),
                axis(origin.x(), unit.x(), view_.x_min, view_.per_x, view_.nx),
                axis(origin.y(), unit.y(), view_.y_min, view_.per_y, view_.ny)};
  return walk.first(begin, end);
}

}  // namespace scree
