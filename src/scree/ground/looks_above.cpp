#include "scree/ground/looks_above.hpp"

#include <optional>
#include <utility>

#include "scree/ground/look_interval.hpp"

namespace scree::looks {
namespace {

constexpr double kTip = 4;        // a stretch of ground bends no more than this times u within a step,
constexpr double kRoundTip = 64;  // or this, where a round one ends
constexpr double kWorthIt = 0.2;  // of the radius by which less of the plane is worth another question
constexpr double kFiner = 0.125;  // of a step: a corner of a block in the plane may be that thin
constexpr double kJump = 8;       // h changes more than this times u: another stretch of ground
constexpr double kSteepWay = 3;   // h that changes more than this times u may be two stretches of ground
constexpr int kManyLooks = 16;    // down, that are judged at once,
constexpr int kFewLooks = 4;      // and then
constexpr int kGapHalves = 3;     // of a gap between looks into which the ground may rise unseen
constexpr int kMissed = 3;        // looks in a row that a wedge may be too thin for
constexpr int kStride = 8;        // steps between looks down, where slopes tell what lies between
constexpr int kFewStride = 4;     // and in short rows
constexpr int kFewRow = 16;       // where the ground is known to be near

}  // namespace

LooksAbove::LooksAbove(const Looks& looks, int count, double step, double slope_bound)
    : Looks(looks), count_(count), end_(kLookEnd * wheel_.radius * (1 - 1e-9)) {  // on_rim(), rounded
  const double level = length_of(wheel_.b.x(), wheel_.b.y());
  du_ = 2 * end_ / (count - 1);
  dt_ = std::min(kFiner * step / std::max(level, 1e-9), 0.25 * wheel_.radius);
  closing_ = wheel_.b.z() + slope_bound * level + kNarrow;
}

/// Along the suspension, where the wheel's plane can cut the ground from u0 to u1, from `least` up: the lower
/// the ground is, the less of the plane meets it, which may say that it is lower still.
LooksAbove::Strip LooksAbove::strip_between(double u0, double u1, double least) const {
  const RimPlane& m = wheel_;
  const double z0 = m.centre.z() + u0 * m.n.z(), z1 = m.centre.z() + u1 * m.n.z();
  const double nearest = u0 <= 0 && u1 >= 0 ? 0 : std::min(std::abs(u0), std::abs(u1));
  Strip strip{reach_up(nearest), std::max(least, -kLookReach * m.radius)};
  for (int i = 0; i < 3 && !strip.empty(); ++i) {
    const auto span = [&](int axis) {
      const double n0 = u0 * m.n[axis], n1 = u1 * m.n[axis];
      const double b0 = strip.low * m.b[axis], b1 = strip.high * m.b[axis];
      return std::pair(m.centre[axis] + std::min(n0, n1) + std::min(b0, b1),
                       m.centre[axis] + std::max(n0, n1) + std::max(b0, b1));
    };
    const auto [x0, x1] = span(0);
    const auto [y0, y1] = span(1);
    const HeightRange range = terrain_.height_range({x0, x1, y0, y1});
    const double above = (range.high - std::min(z0, z1)) / m.b.z(),
                 below = (range.low - std::max(z0, z1)) / m.b.z();
    const bool less = above < strip.high - kWorthIt * m.radius || below > strip.low + kWorthIt * m.radius;
    strip = {std::min(strip.high, above), std::max(strip.low, below), range.high};
    if (!less) break;
  }
  return strip;
}

/// Where ground may be higher than the best between u0 and u1.
LooksAbove::Strip LooksAbove::higher_between(double u0, double u1) const {
  const double nearest = u0 <= 0 && u1 >= 0 ? 0 : std::min(std::abs(u0), std::abs(u1));
  const double R = wheel_.radius;
  Strip strip = strip_between(u0, u1, best_.h + kSame - std::sqrt(R * R - nearest * nearest));
  if (strip.empty()) return strip;
  // The highest ground there, put where the rim is lowest.
  const double u = std::clamp(lowest_u_, u0, u1), rim = std::sqrt(R * R - u * u);
  const double most = (strip.highest - wheel_.centre.z() - u * wheel_.n.z()) / wheel_.b.z() + rim;
  if (most <= best_.h + kSame) strip.high = strip.low;
  return strip;
}

/// Ground that lies lower than this between u0 and u1 is not the highest contact, nor leads to it within a
/// step [m along b].
double LooksAbove::least(double u0, double u1) const {
  const double nearest = u0 <= 0 && u1 >= 0 ? 0 : std::min(std::abs(u0), std::abs(u1));
  return best_.h - std::sqrt(wheel_.radius * wheel_.radius - nearest * nearest) - kJump * du_;
}

/// The ground above the line from + t b, at t - i dt for every `stride`-th i from `first` on, below `end`.
void LooksAbove::look_over(const Vec3& from, double t, double dt, Every i, double* over) const {
  const Vec3& b = wheel_.b;
  std::array<double, kRow> x, y, z, sx, sy;
  int n = 0;
  for (int k = i.first; k < i.end; k += i.stride, ++n)
    x[n] = from.x() + (t - k * dt) * b.x(), y[n] = from.y() + (t - k * dt) * b.y();
  terrain_.sample({n, x.data(), y.data(), z.data(), sx.data(), sy.data()});
  n = 0;
  for (int k = i.first; k < i.end; k += i.stride, ++n) over[k] = z[n] - (from.z() + (t - k * dt) * b.z());
}

/// Highest ground in the wheel's plane at u within a strip: going down along the suspension by steps of dt,
/// where the plane enters the ground first. Steps between two looks on the same side of the ground, both
/// farther from it than its slopes can bridge, are left out.
bool LooksAbove::look_down(double u, const Strip& strip, double dt, Look& out) const {
  const Vec3 from = wheel_.centre + u * wheel_.n;
  std::array<double, kRow + kStride> over;
  bool above = false;
  double t = std::min(strip.high, reach_up(u));
  while (t > strip.low) {
    const int n = std::min(kRow, static_cast<int>((t - strip.low) / dt) + 2);
    const bool bounded = n >= 3 * kFewStride && std::isfinite(closing_);
    const int stride = !bounded ? 1 : n > 2 * kStride ? kStride : kFewStride;
    look_over(from, t, dt, {0, n, stride}, over.data());
    const auto enters = [&](int i) {
      const bool inside = over[i] >= 0, enters = inside && above;
      above = !inside;
      if (enters) enter(from, t - i * dt, t - i * dt + dt, out);
      return enters;
    };
    for (int i = 0; i < n; i += stride) {
      if (enters(i)) return true;
      if (stride == 1) continue;
      const int next = i + stride, end = std::min(next, n);
      const bool open = next >= n || (over[i] >= 0) != (over[next] >= 0) ||
                        std::abs(over[i]) + std::abs(over[next]) <= stride * dt * closing_;
      if (!open || i + 1 >= end) continue;
      look_over(from, t, dt, {i + 1, end, 1}, over.data());
      for (int k = i + 1; k < end; ++k)
        if (enters(k)) return true;
    }
    t -= (n - 1) * dt;  // the last is the next row's first
  }
  return false;
}

/// Where the line from + t b enters the ground between t = inside and t = outside: Newton's steps, halves
/// where they leave the bracket.
void LooksAbove::enter(const Vec3& from, double inside, double outside, Look& out) const {
  const Vec3& b = wheel_.b;
  TerrainPoint g;
  double t = 0.5 * (inside + outside);
  for (int i = 0; i < kClosing; ++i) {
    out.x = from.x() + t * b.x(), out.y = from.y() + t * b.y();
    g = terrain_.at(out.x, out.y);
    const double over = g.z - (from.z() + t * b.z());
    (over >= 0 ? inside : outside) = t;
    if (std::abs(over) < 1e-3 * kSame || outside - inside < 1e-3 * kSame) break;
    const double next = t - over / (g.slope_x * b.x() + g.slope_y * b.y() - b.z());
    t = next > inside && next < outside ? next : 0.5 * (inside + outside);
  }
  // dh over du, where the profile runs ahead.
  const Seen<double> at = seen(out.x, out.y, g.z, g.slope_x, g.slope_y);
  out = {out.x, out.y, at.u, at.t, at.h, at.rise / std::max(at.run, 1e-6), g.slope_x, g.slope_y};
}

/// A point between two looks down; one beyond the line of walls where the profile passes it.
Look LooksAbove::look_between(const Look& a, const Look& b, double share) const {
  const double u = a.u + share * (b.u - a.u), wide = kTip * std::abs(b.u - a.u);
  const Strip near{std::max(a.t, b.t) + wide, std::min(a.t, b.t) - wide};
  Look m{};
  if (near.high > wheel_.wall_line(u) && in_wall(u)) {
    m.u = u, m.t = wheel_.wall_line(u) + kBorder;
    return m;
  }
  if (!look_down(u, near, (near.high - near.low) / (kFewRow - 1), m))
    m.u = 2 * end_;  // nothing there: not usable
  return m;
}

void LooksAbove::look_between(const Look& a, const Look& b) {
  interval(
      a, b, [this](const Look& x, const Look& y, double share) { return look_between(x, y, share); },
      [](const Look& x, const Look& y) { return y.u - x.u; });
}

/// Where the profile is torn, the higher stretch is followed towards the next look, ahead (1) or back (-1),
/// to its end. That may be the tip of a wedge, thinner than looks down are apart: it is sought where the
/// stretch would go on, and may lie beyond a look that missed it.
void LooksAbove::follow(Look a, int side) {
  const double stop = a.u + side * kMissed * du_;
  double way = 0.5 * du_;
  for (int i = 0; i < 2 * kClosing && way > kNarrow; ++i) {
    const double on = std::min(way, std::min(side * (stop - a.u), end_ - side * a.u));
    if (on < kNarrow || a.t < least(a.u, a.u)) return;
    const double u = a.u + side * on, t = a.t + along(a) * side * on;
    Look m{};
    const auto found_within = [&](double wide) {
      return look_down(u, {t + wide, t - wide}, 2 * wide / (kRow - 1), m);
    };
    const bool near_end = kRoundTip * on <= kTip * du_;  // else it might be another stretch
    if (!(found_within(kTip * on) || (near_end && found_within(kRoundTip * on)))) {
      way *= 0.5;
      continue;
    }
    consider(m);
    side > 0 ? look_between(a, m) : look_between(m, a);
    a = m;
  }
}

/// Which stretch of the next place each goes on as: the nearest that is not too far; -1: none.
LooksAbove::Joined LooksAbove::join(const Place& a, const Place& b) const {
  Joined next;
  next.fill(-1);
  std::array<bool, kStacked> met{};
  for (int i = 0; i < a.count; ++i) {
    for (int k = 0; k < b.count; ++k) {
      const double jump = std::abs(b.at[k].h - a.at[i].h);
      if (!met[k] && jump <= kJump * (b.u - a.u) &&
          (next[i] < 0 || jump < std::abs(b.at[next[i]].h - a.at[i].h)))
        next[i] = k;
    }
    if (next[i] >= 0) met[next[i]] = true;
  }
  return next;
}

/// Stretches that end between two places, the first further back.
void LooksAbove::follow_torn(const Place& a, const Place& b, const Joined& next) {
  std::array<bool, kStacked> met{};
  for (int i = 0; i < a.count; ++i) {
    if (next[i] < 0) {
      follow(a.at[i], 1);
      continue;
    }
    met[next[i]] = true;
    // A steep way from one to the other may be none.
    const Look &x = a.at[i], &y = b.at[next[i]];
    if (bears(x) != bears(y) && std::abs(y.h - x.h) > kSteepWay * (b.u - a.u))
      bears(x) ? follow(x, 1) : follow(y, -1);
  }
  for (int k = 0; k < b.count; ++k)
    if (!met[k]) follow(b.at[k], -1);
}

/// Whether the line of walls lies inside the ground there.
bool LooksAbove::in_wall(double u) const {
  const Vec3 p = wheel_.centre + u * wheel_.n + reach_up(u) * wheel_.b;
  return terrain_.height(p.x(), p.y()) > p.z();
}

/// Where the line of walls enters the ground the profile passes it: the last of what may lie just below.
void LooksAbove::pass_line(double outside, double inside) {
  const int side = outside < inside ? -1 : 1;
  for (int i = 0; i < kClosing && std::abs(inside - outside) > kNarrow; ++i) {
    const double m = 0.5 * (inside + outside);
    (in_wall(m) ? inside : outside) = m;
  }
  const double t = reach_up(outside);
  Look m{};
  if (!look_down(outside, {t, t - 4 * kBorder}, kBorder, m)) return;
  consider(m);
  follow(m, side);
}

/// What lies at u in a strip.
LooksAbove::Place LooksAbove::look_at(double u, Strip strip) {
  Place p{u, {}};
  if (strip.empty()) return p;
  p.walled = wheel_.standing < kLookDeepest * wheel_.radius && strip.high >= reach_up(u) && in_wall(u);
  strip = {strip.high + dt_, strip.low - dt_};
  while (p.count < kStacked && look_down(u, strip, dt_, p.at[p.count])) {
    const Look& found = p.at[p.count++];
    consider(found);
    if (bears(found)) break;
    strip.high = found.t - kBorder;
  }
  return p;
}

/// What lies between two places: stretches that go on from one to the other; where there may be ground above
/// the best even so, in halves, and in the last of them stretches that end.
void LooksAbove::visit_gap(const Place& a, const Place& b, int halves) {
  if (a.walled != b.walled) a.walled ? pass_line(b.u, a.u) : pass_line(a.u, b.u);
  const Joined next = join(a, b);
  for (int i = 0; i < a.count; ++i)
    if (next[i] >= 0) look_between(a.at[i], b.at[next[i]]);
  const Strip strip = higher_between(a.u, b.u);
  if (strip.empty()) return;
  if (halves == 0) return follow_torn(a, b, next);
  const Place m = look_at(0.5 * (a.u + b.u), strip);
  visit_gap(a, m, halves - 1);
  visit_gap(m, b, halves - 1);
}

void LooksAbove::visit_gaps() {
  const RimPlane& m = wheel_;
  const auto u_at = [&](int i) { return -end_ + i * du_; };
  const int middle = std::clamp(static_cast<int>((lowest_u_ + end_) / du_), 0, count_ - 1);
  for (const int side : {1, -1}) {
    const int gaps = side > 0 ? count_ - 1 - middle : middle;
    std::optional<Place> before;
    for (int k = 0; k < gaps; ++k) {
      const auto strip_of = [&](int many) {
        const double u0 = u_at(middle + side * k), u1 = u_at(middle + side * std::min(k + many, gaps));
        return higher_between(std::min(u0, u1), std::max(u0, u1));
      };
      int out = 0;
      Strip strip{};
      for (const int many : {kManyLooks, kFewLooks, 1}) {
        if (k % many != 0) continue;
        strip = strip_of(many);
        if (!strip.empty()) continue;
        out = many;
        break;
      }
      if (out > 0) {
        k += out - 1, before.reset();
        continue;
      }
      strip.low = std::max(strip.low - kJump * du_, -kLookReach * m.radius);
      if (!before) before = look_at(u_at(middle + side * k), strip);
      const Place now = look_at(u_at(middle + side * (k + 1)), strip);
      side > 0 ? visit_gap(*before, now, kGapHalves) : visit_gap(now, *before, kGapHalves);
      before = now;
    }
  }
}

}  // namespace scree::looks
