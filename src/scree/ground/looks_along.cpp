#include "scree/ground/looks_along.hpp"

#include <limits>
#include <utility>

#include "scree/ground/look_interval.hpp"

namespace scree::looks {
namespace {

constexpr int kBeyondHalves = 6;  // of a step beyond the rim, under which the profile may return
constexpr int kTogether = 8;      // steps between looks that are judged at once
constexpr int kInPlane = 6;       // Newton steps into the wheel's plane, at most

}  // namespace

/// Four points, side by side in `out`.
void LooksAlong::fill_four(Lanes x, Lanes y, Lanes z, Lanes sx, Lanes sy, Look* out) const {
  using namespace lane;
  const Seen<Lanes> at = seen(x, y, z, sx, sy);
  const LaneRows low = transpose(x, y, at.u, at.t), high = transpose(at.h, at.rise, sx, sy);
  for (int i = 0; i < kLanes; ++i) store(&out[i].x, low.row[i]), store(&out[i].h, high.row[i]);
}

/// Moves a point into the wheel's plane, by Newton's steps along grad F.
void LooksAlong::settle(Look& o) const {
  const RimPlane& m = wheel_;
  TerrainPoint g;
  for (int step = 0; step < kInPlane; ++step) {
    g = terrain_.at(o.x, o.y);
    const double F =
        m.a.x() * (o.x - m.centre.x()) + m.a.y() * (o.y - m.centre.y()) + m.a.z() * (g.z - m.centre.z());
    if (std::abs(F) < 0.01 * kSame) return fill(o, g.z, g.slope_x, g.slope_y);
    const double Fx = m.a.x() + m.a.z() * g.slope_x, Fy = m.a.y() + m.a.z() * g.slope_y;
    const double per = F / std::max(Fx * Fx + Fy * Fy, 1e-3);
    o.x -= per * Fx, o.y -= per * Fy;
  }
  g = terrain_.at(o.x, o.y);
  fill(o, g.z, g.slope_x, g.slope_y);
}

Look LooksAlong::between(const Look& a, const Look& b, double share) const {
  Look m{};
  m.x = a.x + share * (b.x - a.x), m.y = a.y + share * (b.y - a.y);
  settle(m);
  return m;
}

/// Where a_z is small against the ground's slopes the profile has one point for every s along the trace:
/// P = c + s e + w f, w by Newton's steps, whole rows at a time.
void LooksAlong::look_along(Look* out, int begin, int count) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_;
  std::array<double, kRow> x, y, z, sx, sy, w;
  for (int first = 0; first < count; first += kRow) {
    const int n = std::min(kRow, count - first);
    for (int i = 0; i < n; ++i) w[i] = m.a.z() * m.radius / across_;  // the ground about a radius below
    const int steps = std::abs(m.a.z()) > 1e-9 ? kInPlane : 1;
    for (int k = 0; k < steps; ++k) {
      for (int i = 0; i < n; ++i) {
        const double s = from_ + (begin + first + i) * step_;
        x[i] = m.centre.x() + s * ex_ + w[i] * fx;
        y[i] = m.centre.y() + s * ey_ + w[i] * fy;
      }
      terrain_.sample({n, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      double off = 0;
      for (int i = 0; i < n; ++i) {
        const double F = across_ * w[i] + m.a.z() * (z[i] - m.centre.z());
        w[i] -= F / std::max(across_ + m.a.z() * (sx[i] * fx + sy[i] * fy), 0.2 * across_);
        off = std::max(off, std::abs(F));
      }
      if (off < kSame) break;
    }
    for (int i = 0; i < n; i += kLanes)
      fill_four(lane::load(&x[i]), lane::load(&y[i]), lane::load(&z[i]), lane::load(&sx[i]),
                lane::load(&sy[i]), out + first + i);
  }
}

/// What the profile from s0 to s1 along the trace can reach at most. In the wheel's plane P - c = s e + q g
/// with g_z = |a_h|, so the ground's heights bound q, and q with s bounds u and t.
double LooksAlong::most_along(double s0, double s1, HeightRange heights) const {
  const RimPlane& m = wheel_;
  const double low = std::max(heights.low - m.centre.z(), -kLookDeepest * m.radius) / across_,
               high = std::min(heights.high - m.centre.z(), kLookDeepest * m.radius) / across_;
  const auto span = [&](const Vec3& d) {
    const double along = d.x() * ex_ + d.y() * ey_;
    const double up = d.z() * across_ - (d.x() * m.a.x() + d.y() * m.a.y()) * m.a.z() / across_;
    const double a0 = along * s0, a1 = along * s1, b0 = up * low, b1 = up * high;
    return std::pair(std::min(a0, a1) + std::min(b0, b1), std::max(a0, a1) + std::max(b0, b1));
  };
  const auto [u0, u1] = span(m.n);
  const double u = u0 > 0 ? u0 : u1 < 0 ? -u1 : 0.0;
  if (u > m.radius) return -std::numeric_limits<double>::infinity();
  return span(m.b).second + std::sqrt(m.radius * m.radius - u * u);
}

void LooksAlong::visit_group(int group, const HeightRange& all) {
  const int begin = group * kTogether, count = std::min(kTogether + 1, count_ - begin);
  const double s0 = from_ + begin * step_, s1 = from_ + (begin + count - 1) * step_;
  if (most_along(s0, s1, all) <= best_.h + kSame) return;
  const HeightRange heights = heights_along(s0, s1, all);
  if (most_along(s0, s1, heights) <= best_.h + kSame) return;
  int first = 0, last = count - 1;
  const auto beaten = [&](int i) {
    return most_along(s0 + i * step_, s0 + (i + 1) * step_, heights) <= best_.h + kSame;
  };
  while (first + 1 < last && beaten(first)) ++first;
  while (first + 1 < last && beaten(last - 1)) --last;
  std::array<Look, kTogether + 1 + kLanes> looks;  // whole lanes are written
  look_along(looks.data(), begin + first, last + 1 - first);
  use_profile(looks.data(), last + 1 - first);
}

void LooksAlong::visit_groups() {
  const RimPlane& m = wheel_;
  const int groups = (count_ - 2) / kTogether + 1;
  const HeightRange within = within_reach();
  const HeightRange all{std::max(heights_.low, within.low), std::min(heights_.high, within.high)};
  const Vec3 lowest = lowest_u_ * m.n - std::sqrt(m.radius * m.radius - lowest_u_ * lowest_u_) * m.b;
  const double at = (lowest.x() * ex_ + lowest.y() * ey_ - from_) / (step_ * kTogether);
  int left = std::clamp(static_cast<int>(at), 0, groups - 1), right = left;
  visit_group(left, all);
  while (left > 0 || right < groups - 1) {
    if (right < groups - 1) visit_group(++right, all);
    if (left > 0) visit_group(--left, all);
  }
}

/// Between neighbours: the slope at each, and the jump from one to the next, whatever lies between them.
double LooksAlong::steepest_seen(const Row& looks) const {
  double steepest = 0;
  for (int i = 0; i < count_; ++i) {
    steepest = std::max(steepest, length_of(looks[i].slope_x, looks[i].slope_y));
    if (i == 0) continue;
    const double dx = looks[i].x - looks[i - 1].x, dy = looks[i].y - looks[i - 1].y;
    const double dz =
        wheel_.n.z() * (looks[i].u - looks[i - 1].u) + wheel_.b.z() * (looks[i].t - looks[i - 1].t);
    steepest = std::max(steepest, std::abs(dz) / std::max(length_of(dx, dy), kNarrow));
  }
  return steepest;
}

/// Where the profile passes the line of walls.
Look LooksAlong::line_of_walls(Look inside, Look outside) const {
  for (int i = 0; i < kClosing; ++i) {
    if (length_of(outside.x - inside.x, outside.y - inside.y) < kBorder) break;
    const Look m = between(inside, outside, 0.5);
    (beyond_wall(m) ? outside : inside) = m;
  }
  return inside;
}

/// The last point under the rim, of a profile that goes on beyond it. No top itself: the rim falls by 70
/// there, and ground that rises as steeply does not bear.
Look LooksAlong::end_of_rim(Look inside, Look outside) const {
  const double end = kLookEnd * wheel_.radius * (1 - 1e-7);
  for (int i = 0; i < kClosing && std::abs(inside.u) < end * (1 - 1e-7); ++i) {
    const double in = std::abs(inside.u), out = std::abs(outside.u);
    const Look m = between(inside, outside, i % 3 == 2 ? 0.5 : (end - in) / (out - in));
    (on_rim(m) ? inside : outside) = m;
  }
  return inside;
}

/// Beyond an end of the rim, under which the profile may return for a little.
void LooksAlong::visit_beyond(Look a, Look b) {
  const double end = kLookEnd * wheel_.radius, near = length_of(b.x - a.x, b.y - a.y);
  const double most = std::max(a.t, b.t) + std::sqrt(wheel_.radius * wheel_.radius - end * end);
  if (std::min(std::abs(a.u), std::abs(b.u)) > end + near || !(a.u * b.u > 0) || most + near <= best_.h)
    return;
  for (int i = 0; i < kBeyondHalves; ++i) {
    const Look m = between(a, b, 0.5);
    if (on_rim(m)) {
      consider(m);
      const Look first = end_of_rim(m, a), last = end_of_rim(m, b);
      look_along_between(first, m);
      return look_along_between(m, last);
    }
    (std::abs(a.u) > std::abs(b.u) ? a : b) = m;
  }
}

void LooksAlong::look_along_between(const Look& a, const Look& b) {
  interval(
      a, b, [this](const Look& x, const Look& y, double share) { return between(x, y, share); },
      [](const Look& x, const Look& y) { return length_of(y.x - x.x, y.y - x.y); });
}

/// Looks one after the other along a profile that is whole.
void LooksAlong::use_profile(const Look* looks, int count) {
  for (int i = 0; i < count; ++i) consider(looks[i]);
  for (int i = 0; i + 1 < count; ++i) {
    Look a = looks[i], b = looks[i + 1];
    if (!on_rim(a) && !on_rim(b)) {
      visit_beyond(a, b);
      continue;
    }
    if (on_rim(a) != on_rim(b)) {
      Look& out = on_rim(a) ? b : a;
      const Look& in = on_rim(a) ? a : b;
      // The rim is no lower beyond; but on its way there the profile may turn inward first, where it rises.
      const double rising = std::max(on_rim(a) ? a.rise : -b.rise, 0.0) * length_of(b.x - a.x, b.y - a.y);
      if (std::max(std::max(in.t, out.t) + (in.h - in.t), in.h + rising) <= best_.h + kSame) continue;
      out = end_of_rim(in, out);
    }
    if (beyond_wall(a) != beyond_wall(b)) {
      Look& out = beyond_wall(a) ? a : b;
      out = line_of_walls(beyond_wall(a) ? b : a, out);
      consider(out);
    }
    look_along_between(a, b);
  }
}

}  // namespace scree::looks
