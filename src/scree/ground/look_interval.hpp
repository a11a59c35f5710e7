#pragma once
/// What lies between two looks at one stretch of ground: its highest point, where it starts or ends to bear,
/// and where it passes the line of walls.
#include <optional>

#include "scree/ground/looks.hpp"

namespace scree::looks {

inline constexpr int kDentHalves = 3;       // of an interval that may rise and fall between,
inline constexpr double kDent = 0.75;       // where h rises by less than this times the lesser slope
inline constexpr double kLevel = 1e-9;      // h' this small is a top
inline constexpr double kNoHigher = 1e-13;  // m that tangents promise: not worth another look

/// Climbs to the highest point between a, which rises, and b, which falls or lies lower. Whether it bears, or
/// the edge does on which it lies.
template <class Middle, class Length>
bool Looks::climb(Look a, Look b, const Middle& middle, const Length& length_between) {
  Look highest = a.h > b.h ? a : b;
  bool leads_on = false;
  for (int i = 0; i < kClosing; ++i) {
    const double length = length_between(a, b);
    if (length < kNarrow) break;
    double share = 0.5;
    const double bend = a.rise - b.rise;
    const double meet = bend > 0 ? ((b.h - a.h) / length - b.rise) / bend : -1;  // of the two tangents
    if (meet > 0 && meet < 1 && a.h + a.rise * meet * length <= highest.h + kNoHigher) break;
    // In turn: where the tangents meet (edges), where h' passes zero (smooth tops), the middle; and from then
    // on where h' passes zero alone, for as long as that leads on.
    const bool smooth = (i % 3 == 1 || (i > 2 && leads_on)) && a.rise > 0 && b.rise < 0;
    if (smooth) {
      share = a.rise / bend;
    } else if (i % 3 == 0 && bend > 0) {
      share = meet;
    }
    const Look m = middle(a, b, std::clamp(share, 0.001, 0.999));
    if (!usable(m)) {
      if (on_rim(m)) pass_walls(a, m, b, middle, length_between);
      break;
    }
    if (m.h > highest.h) highest = m;
    if (smooth) leads_on = std::abs(m.rise) < 0.3 * std::min(a.rise, -b.rise);
    // The half that still holds a rise and a fall; beyond a valley, that of the higher end.
    const bool valley = m.h < std::min(a.h, b.h);
    ((valley ? b.h > a.h : m.rise > 0) ? a : b) = m;
    if (std::abs(m.rise) < kLevel) break;
  }
  if (!usable(highest) || highest.h <= best_.h) return true;
  // On an edge the two lead up to one another; where the profile is torn they do not.
  const bool one_place =
      std::abs(b.h - a.h) <= std::max(std::abs(a.rise), std::abs(b.rise)) * length_between(a, b) + kBorder;
  if (!bears(highest)) {
    const std::optional<Vec2> edge =
        plane_on_edge(tangent(highest.u), {a.slope_x, a.slope_y}, {b.slope_x, b.slope_y});
    if (!one_place || !edge || !wheel_.bears(edge->x(), edge->y())) return false;
  }
  take(highest);
  left_ = a, right_ = b, bracketed_ = one_place;
  return true;
}

/// Between two that count the profile passes the line of walls, at m, and returns: what leads up to it on
/// either side counts.
template <class Middle, class Length>
void Looks::pass_walls(const Look& a, const Look& m, const Look& b, const Middle& middle,
                       const Length& length_between) {
  const auto last_before_wall = [&](Look in, Look out) {
    for (int i = 0; i < kClosing && std::abs(length_between(in, out)) > kBorder; ++i) {
      const Look half = middle(in, out, 0.5);
      (beyond_wall(half) ? out : in) = half;
    }
    return in;
  };
  const Look up = last_before_wall(a, m), down = last_before_wall(b, m);
  consider(up), consider(down);
  interval(a, up, middle, length_between);
  interval(down, b, middle, length_between);
}

/// The border of what bears, between a point that does and one that does not. Without a peak between them it
/// is sought for as long as either may lead higher than the best.
template <class Middle, class Length>
Look Looks::last_that_bears(Look in, Look out, bool peaked, const Middle& middle,
                            const Length& length) const {
  for (int i = 0; i < kClosing && std::abs(length(in, out)) > kBorder; ++i) {
    const auto most = [way = std::abs(length(in, out))](const Look& x) {
      return x.h + std::abs(x.rise) * way;
    };
    if (!peaked && std::max(most(in), most(out)) <= best_.h + kSame) break;
    const Look m = middle(in, out, 0.5);
    if (!usable(m)) break;
    (bears(m) ? in : out) = m;
  }
  return in;
}

/// Whether ground between two looks that do not bear may: its normal turns far enough on the way from one to
/// the other, by twice the straight way.
inline bool Looks::bears_between(const Look& a, const Look& b) const {
  const Vec3 one = Vec3(-a.slope_x, -a.slope_y, 1).normalized(),
             other = Vec3(-b.slope_x, -b.slope_y, 1).normalized();
  return 2 * kLeastBearing - one.dot(wheel_.b) - other.dot(wheel_.b) < 2 * (one - other).norm();
}

template <class Middle, class Length>
void Looks::interval(const Look& a, const Look& b, const Middle& middle, const Length& length_between,
                     int halves) {
  if (!usable(a) || !usable(b)) return;
  const auto peak = [](const Look& x, const Look& y) {
    return (x.rise > 0 && (y.rise < 0 || y.h < x.h)) || (y.rise < 0 && x.h < y.h);
  };
  const bool peaked = peak(a, b), border = bears(a) != bears(b);
  const bool ledge = !border && !bears(a) && halves > 0 && bears_between(a, b);
  const double length = length_between(a, b);
  // Between two that rise, h rises by less than either says: it falls in between, or nearly (or the reverse).
  const double mean = (b.h - a.h) / std::max(length, kNarrow);
  const bool dent =
      !peaked && halves > kLedgeHalves - kDentHalves && length > kBorder &&
      (a.rise > 0 ? mean < kDent * std::min(a.rise, b.rise) : mean > kDent * std::max(a.rise, b.rise));
  if (!peaked && !border && !ledge && !dent) return;
  // As much as either tangent allows, and what the ground may bend between the two.
  const double bend = 0.5 * std::abs(a.rise - b.rise) * length;
  const double most =
      bend + std::max(a.h + std::max(a.rise, 0.0) * length, b.h + std::max(-b.rise, 0.0) * length);
  if (most <= best_.h + kSame) return;
  if (ledge || dent) {
    const Look m = middle(a, b, 0.5);
    consider(m);
    interval(a, m, middle, length_between, halves - 1);
    return interval(m, b, middle, length_between, halves - 1);
  }
  const auto climb_between = [&](const Look& x, const Look& y) {
    if (!peak(x, y)) return true;
    if (x.rise > 0) return climb(x, y, middle, length_between);
    // y falls from a higher place between the two: climb from the half that rises.
    const Look half = middle(x, y, 0.5);
    return !usable(half) || climb(half.rise > 0 ? half : x, y, middle, length_between);
  };
  const bool bearing = climb_between(a, b);
  if (!border || (peaked && bearing)) return;
  // The highest does not bear: what leads to it does in part.
  if (bears(a)) {
    const Look last = last_that_bears(a, b, peaked, middle, length_between);
    consider(last);
    interval(a, last, middle, length_between);
  } else {
    const auto back = [&](const Look& x, const Look& y, double share) { return middle(y, x, 1 - share); };
    const Look last = last_that_bears(b, a, peaked, back, length_between);
    consider(last);
    interval(last, b, middle, length_between);
  }
}

}  // namespace scree::looks
