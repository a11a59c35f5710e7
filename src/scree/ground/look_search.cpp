#include "scree/ground/look_search.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "scree/core/lanes.hpp"

namespace scree {
namespace {

constexpr double kLookEnd = 0.9999;  // of the radius: the rim ends where it still has a tangent
constexpr double kLookClear = 0.5;   // of the radius: clearance beyond which nothing is looked for
constexpr double kLookDeepest = 3;   // of the radius: ground further above the hub is not reached
constexpr double kSame = 1e-7;       // m: a contact this little higher is the same
constexpr double kUnseen = 2;        // times the steepest slope seen, where the ground knows no bound
constexpr double kLookReach = 1 + kLookClear;  // of the radius: ground further below the hub is no contact
constexpr double kTip = 4;           // a stretch of ground bends no more than this times u within a step,
constexpr double kRoundTip = 64;     // or this, where a round one ends
constexpr double kWorthIt = 0.2;     // of the radius by which less of the plane is worth another question
constexpr double kFiner = 0.125;     // of a step: a corner of a block in the plane may be that thin
constexpr double kJump = 8;          // h changes more than this times u: another stretch of ground
constexpr int kStacked = 4;          // stretches of ground above each other that are followed
constexpr int kManyLooks = 16;       // down, that are judged at once,
constexpr int kFewLooks = 4;         // and then
constexpr int kGapHalves = 3;        // of a gap between looks into which the ground may rise unseen
constexpr int kLedgeHalves = 7;      // of an interval in which something may bear, though its ends do not
constexpr int kDentHalves = 3;       // of one that may rise and fall between,
constexpr double kDent = 0.75;       // where h rises by less than this times the lesser slope
constexpr int kMissed = 3;           // looks in a row that a wedge may be too thin for
constexpr int kBeyondHalves = 6;     // of a step beyond the rim, under which the profile may return
constexpr double kSteepWay = 3;      // h that changes more than this times u may be two stretches of ground
constexpr int kTogether = 8;         // steps between looks along the trace that are judged at once
constexpr int kFewest = 24;          // looks over the rim, at least
constexpr int kMost = 1024;          // and at most
constexpr int kRow = 64;             // points a call
constexpr int kStride = 8;           // steps between looks down, where slopes tell what lies between
constexpr int kFewStride = 4;        // and in short rows
constexpr int kFewRow = 16;          // where the ground is known to be near
constexpr int kInPlane = 6;          // Newton steps into the wheel's plane, at most
constexpr int kClosing = 40;         // halvings of an interval, at most
constexpr double kNarrow = 1e-9;     // m: an interval this short is a point
constexpr double kBorder = 1e-7;     // m: and this short one holds the border of what bears
constexpr double kLevel = 1e-9;      // h' this small is a top
constexpr double kNoHigher = 1e-13;  // m that tangents promise: not worth another look

/// A point of the profile: place on the ground, place in the wheel's plane, dh along the profile (seen from
/// above). Without values at first: a search has room for a thousand and uses a few dozen.
struct Look {
  double x, y, u, t, h, rise;
  double slope_x, slope_y;
};

/// Along the suspension, between these [m along b].
struct Strip {
  double high, low;
  double highest = 0;  ///< of the ground there [m, upwards]; of strip_between()
  bool empty() const { return !(high > low); }
};

/// What a look down finds at one place along the wheel: ground from the highest to the first that bears.
struct Place {
  double u;
  std::array<Look, kStacked> at;
  int count = 0;
  bool walled = false;
};

/// Of distances and slopes, which are neither huge nor tiny.
double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

class LookSearch {
 public:
  LookSearch(const Terrain& terrain, const RimPlane& wheel);
  RimContact run(double feature, double slope_bound);

 private:
  void look_along(Look* out, int begin, int count, double step) const;
  double most_along(double s0, double s1, HeightRange heights) const;
  Rectangle area_along(double s0, double s1, HeightRange known) const;
  HeightRange heights_along(double s0, double s1, HeightRange known) const {
    return terrain_.height_range(area_along(s0, s1, known));
  }
  HeightRange within_reach() const;
  bool touch_level();
  bool cuts_once(double slope_bound) const;
  void look_along_groups(int wanted, double step);
  void look_from_above(int count, double step);
  Strip strip_between(double u0, double u1, double least) const;
  struct Every {
    int first, end, stride;
  };
  void look_over(const Vec3& from, double t, double dt, Every i, double* over) const;
  bool look_down(double u, const Strip& strip, double dt, Look& out) const;
  Place place_at(double u, Strip strip) const;
  Place look_at(double u, const Strip& strip);
  Strip higher_between(double u0, double u1) const;
  void visit_gap(const Place& a, const Place& b, int halves);
  using Joined = std::array<int, kStacked>;
  Joined join(const Place& a, const Place& b) const;
  void follow_torn(const Place& a, const Place& b, const Joined& next);
  void follow(Look a, int side);
  void pass_line(double outside, double inside);
  Look look_between(const Look& a, const Look& b, double share) const;
  void look_between(const Look& a, const Look& b);
  double least(double u0, double u1) const;
  void enter(const Vec3& from, double inside, double outside, Look& out) const;
  bool in_wall(double u) const;
  /// Ground above this is a wall, or not reached [m along b].
  double reach_up(double u) const { return std::min(wheel_.wall_line(u), kLookDeepest * wheel_.radius); }
  double steepest_seen(const Look* looks, int count) const;
  bool leans_little(double slope) const { return std::abs(wheel_.a.z()) * slope < 0.7 * across_; }
  void settle(Look& look) const;
  Look between(const Look& a, const Look& b, double share) const;
  template <class T>
  struct Seen {
    T u, t, h, rise;
    T run;  ///< du along the profile
  };
  template <class T>
  Seen<T> seen(T x, T y, T z, T slope_x, T slope_y) const;
  void fill(Look& look, double z, double slope_x, double slope_y) const;
  void fill_four(Lanes x, Lanes y, Lanes z, Lanes slope_x, Lanes slope_y, Look* out) const;
  bool on_rim(const Look& x) const { return std::abs(x.u) <= kLookEnd * wheel_.radius; }
  bool beyond_wall(const Look& x) const { return x.t > wheel_.wall_line(x.u); }
  bool usable(const Look& x) const { return on_rim(x) && !beyond_wall(x); }
  bool bears(const Look& x) const { return wheel_.bears(x.slope_x, x.slope_y); }
  /// dt over du of a look down.
  double along(const Look& x) const { return x.rise + x.u / std::max(x.h - x.t, 1e-3 * wheel_.radius); }
  void consider(const Look& x);
  void take(const Look& x);
  Vec3 tangent(double u) const {
    const double sine = u / wheel_.radius;
    return std::sqrt(std::max(1 - sine * sine, 0.0)) * wheel_.n + sine * wheel_.b;
  }
  template <class Middle, class Length>
  void interval(const Look& a, const Look& b, const Middle& middle, const Length& length,
                int halves = kLedgeHalves);
  bool bears_between(const Look& a, const Look& b) const;
  template <class Middle, class Length>
  bool climb(Look a, Look b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  void pass_walls(const Look& a, const Look& m, const Look& b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  Look last_that_bears(Look in, Look out, bool peaked, const Middle& middle, const Length& length) const;
  Look end_of_rim(Look inside, Look outside);
  Look line_of_walls(Look inside, Look outside) const;
  void use_profile(const Look* looks, int count);
  void visit_beyond(Look a, Look b);
  void look_along_between(const Look& a, const Look& b);
  void finish();

  const Terrain& terrain_;
  RimPlane wheel_;
  double ex_, ey_, across_;  // direction of the trace, length of the axle's horizontal part
  double from_, to_;         // range of s [m]
  double lowest_u_;          // of the rim [m]
  HeightRange heights_;      // of all ground that the wheel's plane may cut
  RimContact best_;
  Look top_{}, left_{}, right_{};  // the best, and what brackets it
  bool bracketed_ = false;
  // Looks from above.
  double end_ = 0, du_ = 0, dt_ = 0;  // of the rim, from look to look, and down along each [m]
  double closing_ = 0;                // how fast the ground can come nearer along the suspension
};

LookSearch::LookSearch(const Terrain& terrain, const RimPlane& w)
    : terrain_(terrain), wheel_(w), across_(maths::hypot(w.a.x(), w.a.y())) {
  ex_ = w.a.y() / across_, ey_ = -w.a.x() / across_;
  const double n_s = w.n.x() * ex_ + w.n.y() * ey_, b_s = w.b.x() * ex_ + w.b.y() * ey_;
  const double low = -kLookReach * w.radius, high = std::min(w.standing, kLookDeepest * w.radius);
  from_ = -std::abs(n_s) * w.radius + std::min(b_s * low, b_s * high);
  to_ = std::abs(n_s) * w.radius + std::max(b_s * low, b_s * high);
  lowest_u_ = -w.radius * w.n.z() / std::sqrt(w.n.z() * w.n.z() + w.b.z() * w.b.z());
  best_.h = -kLookClear * w.radius;
}

/// What is known of a ground point, or of four: u, t, h, and dh and du along the profile (seen from above).
template <class T>
LookSearch::Seen<T> LookSearch::seen(T x, T y, T z, T sx, T sy) const {
  using namespace lane;
  const RimPlane& m = wheel_;
  const V3<T> d{x - m.centre.x(), y - m.centre.y(), z - m.centre.z()};
  const auto along = [](const Vec3& a, const V3<T>& b) { return a.x() * b.x + a.y() * b.y + a.z() * b.z; };
  const T u = along(m.n, d), t = along(m.b, d);
  // The profile F = a.(P - c) = 0 runs across grad F, ahead.
  const T Fx = m.a.x() + m.a.z() * sx, Fy = m.a.y() + m.a.z() * sy;
  const T per = 1.0 / max(sqrt(Fx * Fx + Fy * Fy), constant<T>(1e-9));
  const V3<T> ahead{Fy * per, -Fx * per, (sx * Fy - sy * Fx) * per};
  const double r2 = m.radius * m.radius;
  const T rim = sqrt(max(r2 - u * u, constant<T>(1e-6 * r2)));
  const T run = along(m.n, ahead);
  return {u, t, t + rim, along(m.b, ahead) - run * u / rim, run};
}

void LookSearch::fill(Look& o, double z, double sx, double sy) const {
  const Seen<double> at = seen(o.x, o.y, z, sx, sy);
  o = {o.x, o.y, at.u, at.t, at.h, at.rise, sx, sy};
}

/// Four points, side by side in `out`.
void LookSearch::fill_four(Lanes x, Lanes y, Lanes z, Lanes sx, Lanes sy, Look* out) const {
  using namespace lane;
  const Seen<Lanes> at = seen(x, y, z, sx, sy);
  const LaneRows low = transpose(x, y, at.u, at.t), high = transpose(at.h, at.rise, sx, sy);
  for (int i = 0; i < kLanes; ++i) store(&out[i].x, low.row[i]), store(&out[i].h, high.row[i]);
}

/// Moves a point into the wheel's plane, by Newton's steps along grad F.
void LookSearch::settle(Look& o) const {
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

Look LookSearch::between(const Look& a, const Look& b, double share) const {
  Look m{};
  m.x = a.x + share * (b.x - a.x), m.y = a.y + share * (b.y - a.y);
  settle(m);
  return m;
}

/// Where a_z is small against the ground's slopes the profile has one point for every s along the trace:
/// P = c + s e + w f, w by Newton's steps, whole rows at a time.
void LookSearch::look_along(Look* out, int begin, int count, double step) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_;
  std::array<double, kRow> x, y, z, sx, sy, w;
  for (int first = 0; first < count; first += kRow) {
    const int n = std::min(kRow, count - first);
    for (int i = 0; i < n; ++i) w[i] = m.a.z() * m.radius / across_;  // the ground about a radius below
    const int steps = std::abs(m.a.z()) > 1e-9 ? kInPlane : 1;
    for (int k = 0; k < steps; ++k) {
      for (int i = 0; i < n; ++i) {
        const double s = from_ + (begin + first + i) * step;
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
double LookSearch::most_along(double s0, double s1, HeightRange heights) const {
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

/// Of ground that may be a contact.
HeightRange LookSearch::within_reach() const {
  const RimPlane& m = wheel_;
  const double along = m.radius * std::abs(m.n.z());
  return {m.centre.z() - along - kLookReach * m.radius * m.b.z(),
          m.centre.z() + along + std::min(m.standing, kLookDeepest * m.radius) * m.b.z()};
}

/// The ground beside the trace from s0 to s1 that the wheel's plane may cut.
Rectangle LookSearch::area_along(double s0, double s1, HeightRange known) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_, lean = -m.a.z() / across_;
  const double w0 = lean * (known.low - m.centre.z()), w1 = lean * (known.high - m.centre.z());
  const auto span = [](double centre, double e, double s0, double s1, double f, double w0, double w1) {
    return std::pair(centre + std::min(e * s0, e * s1) + std::min(f * w0, f * w1),
                     centre + std::max(e * s0, e * s1) + std::max(f * w0, f * w1));
  };
  const auto [x0, x1] = span(m.centre.x(), ex_, s0, s1, fx, w0, w1);
  const auto [y0, y1] = span(m.centre.y(), ey_, s0, s1, fy, w0, w1);
  return {x0, x1, y0, y1};
}

/// Groups of looks along the trace, from the rim's lowest point outward, as long as the ground there can beat
/// the best.
void LookSearch::look_along_groups(int wanted, double step) {
  const RimPlane& m = wheel_;
  const int groups = (wanted - 2) / kTogether + 1;
  const HeightRange within = within_reach();
  const HeightRange all{std::max(heights_.low, within.low), std::min(heights_.high, within.high)};
  const Vec3 lowest = lowest_u_ * m.n - std::sqrt(m.radius * m.radius - lowest_u_ * lowest_u_) * m.b;
  const double at = (lowest.x() * ex_ + lowest.y() * ey_ - from_) / (step * kTogether);
  const auto visit = [&](int group) {
    const int begin = group * kTogether, count = std::min(kTogether + 1, wanted - begin);
    const double s0 = from_ + begin * step, s1 = from_ + (begin + count - 1) * step;
    if (most_along(s0, s1, all) <= best_.h + kSame) return;
    const HeightRange heights = heights_along(s0, s1, all);
    if (most_along(s0, s1, heights) <= best_.h + kSame) return;
    int first = 0, last = count - 1;
    const auto beaten = [&](int i) {
      return most_along(s0 + i * step, s0 + (i + 1) * step, heights) <= best_.h + kSame;
    };
    while (first + 1 < last && beaten(first)) ++first;
    while (first + 1 < last && beaten(last - 1)) --last;
    std::array<Look, kTogether + 1 + kLanes> looks;  // whole lanes are written
    look_along(looks.data(), begin + first, last + 1 - first, step);
    use_profile(looks.data(), last + 1 - first);
  };
  int left = std::clamp(static_cast<int>(at), 0, groups - 1), right = left;
  visit(left);
  while (left > 0 || right < groups - 1) {
    if (right < groups - 1) visit(++right);
    if (left > 0) visit(--left);
  }
}

/// Between neighbours: the slope at each, and the jump from one to the next, whatever lies between them.
double LookSearch::steepest_seen(const Look* looks, int count) const {
  double steepest = 0;
  for (int i = 0; i < count; ++i) {
    steepest = std::max(steepest, length_of(looks[i].slope_x, looks[i].slope_y));
    if (i == 0) continue;
    const double dx = looks[i].x - looks[i - 1].x, dy = looks[i].y - looks[i - 1].y;
    const double dz =
        wheel_.n.z() * (looks[i].u - looks[i - 1].u) + wheel_.b.z() * (looks[i].t - looks[i - 1].t);
    steepest = std::max(steepest, std::abs(dz) / std::max(length_of(dx, dy), kNarrow));
  }
  return steepest;
}

/// Along the suspension, where the wheel's plane can cut the ground from u0 to u1, from `least` up: the lower
/// the ground is, the less of the plane meets it, which may say that it is lower still.
Strip LookSearch::strip_between(double u0, double u1, double least) const {
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

/// The ground above the line from + t b, at t - i dt for every `stride`-th i from `first` on, below `end`.
void LookSearch::look_over(const Vec3& from, double t, double dt, Every i, double* over) const {
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
bool LookSearch::look_down(double u, const Strip& strip, double dt, Look& out) const {
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
void LookSearch::enter(const Vec3& from, double inside, double outside, Look& out) const {
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
Look LookSearch::look_between(const Look& a, const Look& b, double share) const {
  const double u = a.u + share * (b.u - a.u), wide = kTip * std::abs(b.u - a.u);
  const Strip near{std::max(a.t, b.t) + wide, std::min(a.t, b.t) - wide};
  Look m{};
  if (near.high > wheel_.wall_line(u) && in_wall(u)) {
    m.u = u, m.t = wheel_.wall_line(u) + kBorder;
    return m;
  }
  if (!look_down(u, near, (near.high - near.low) / (kFewRow - 1), m) &&
      !look_down(u, strip_between(u, u, near.low), dt_, m))
    m.u = 2 * end_;  // nothing there: not usable
  return m;
}

void LookSearch::look_between(const Look& a, const Look& b) {
  interval(
      a, b, [this](const Look& x, const Look& y, double share) { return look_between(x, y, share); },
      [](const Look& x, const Look& y) { return y.u - x.u; });
}

/// Ground that lies lower than this between u0 and u1 is not the highest contact, nor leads to it within a
/// step [m along b].
double LookSearch::least(double u0, double u1) const {
  const double nearest = u0 <= 0 && u1 >= 0 ? 0 : std::min(std::abs(u0), std::abs(u1));
  return best_.h - std::sqrt(wheel_.radius * wheel_.radius - nearest * nearest) - kJump * du_;
}

/// Where the profile is torn, the higher stretch is followed towards the next look, ahead (1) or back (-1),
/// to its end. That may be the tip of a wedge, thinner than looks down are apart: it is sought where the
/// stretch would go on, and may lie beyond a look that missed it.
void LookSearch::follow(Look a, int side) {
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
LookSearch::Joined LookSearch::join(const Place& a, const Place& b) const {
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
void LookSearch::follow_torn(const Place& a, const Place& b, const Joined& next) {
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
bool LookSearch::in_wall(double u) const {
  const Vec3 p = wheel_.centre + u * wheel_.n + reach_up(u) * wheel_.b;
  return terrain_.height(p.x(), p.y()) > p.z();
}

/// Where the line of walls enters the ground the profile passes it: the last of what may lie just below.
void LookSearch::pass_line(double outside, double inside) {
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
Place LookSearch::place_at(double u, Strip strip) const {
  Place p{u, {}};
  if (strip.empty()) return p;
  p.walled = wheel_.standing < kLookDeepest * wheel_.radius && strip.high >= reach_up(u) && in_wall(u);
  strip = {strip.high + dt_, strip.low - dt_};
  while (p.count < kStacked && look_down(u, strip, dt_, p.at[p.count])) {
    const Look& found = p.at[p.count++];
    if (bears(found)) break;
    strip.high = found.t - kBorder;
  }
  return p;
}

/// Where ground may be higher than the best between u0 and u1.
Strip LookSearch::higher_between(double u0, double u1) const {
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

/// What lies between two places: stretches that go on from one to the other; where there may be ground above
/// the best even so, in halves, and in the last of them stretches that end.
void LookSearch::visit_gap(const Place& a, const Place& b, int halves) {
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

Place LookSearch::look_at(double u, const Strip& strip) {
  const Place p = place_at(u, strip);
  for (int i = 0; i < p.count; ++i) consider(p.at[i]);
  return p;
}

/// Elsewhere (a wheel that leans over an edge beside it) the profile winds and may fall into parts: the
/// highest of them counts at every u. From the rim's lowest point outward, so that the best is found early,
/// and only where the ground's heights can beat it.
void LookSearch::look_from_above(int count, double step) {
  const RimPlane& m = wheel_;
  end_ = kLookEnd * m.radius * (1 - 1e-9), du_ = 2 * end_ / (count - 1);  // on_rim(), rounded
  dt_ = std::min(kFiner * step / std::max(length_of(m.b.x(), m.b.y()), 1e-9), 0.25 * m.radius);
  const auto u_at = [&](int i) { return -end_ + i * du_; };
  const int middle = std::clamp(static_cast<int>((lowest_u_ + end_) / du_), 0, count - 1);
  for (const int side : {1, -1}) {
    const int gaps = side > 0 ? count - 1 - middle : middle;
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

void LookSearch::consider(const Look& x) {
  if (!usable(x) || x.h <= best_.h || !bears(x)) return;
  take(x);
}

void LookSearch::take(const Look& x) {
  best_.found = true, best_.h = x.h, best_.sine = x.u / wheel_.radius;
  top_ = x, bracketed_ = false;
}

/// Climbs to the highest point between a, which rises, and b, which falls or lies lower. Whether it bears, or
/// the edge does on which it lies.
template <class Middle, class Length>
bool LookSearch::climb(Look a, Look b, const Middle& middle, const Length& length_between) {
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
void LookSearch::pass_walls(const Look& a, const Look& m, const Look& b, const Middle& middle,
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
Look LookSearch::last_that_bears(Look in, Look out, bool peaked, const Middle& middle,
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
bool LookSearch::bears_between(const Look& a, const Look& b) const {
  const Vec3 one = Vec3(-a.slope_x, -a.slope_y, 1).normalized(),
             other = Vec3(-b.slope_x, -b.slope_y, 1).normalized();
  return 2 * kLeastBearing - one.dot(wheel_.b) - other.dot(wheel_.b) < 2 * (one - other).norm();
}

template <class Middle, class Length>
void LookSearch::interval(const Look& a, const Look& b, const Middle& middle, const Length& length_between,
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

/// Where the profile passes the line of walls.
Look LookSearch::line_of_walls(Look inside, Look outside) const {
  for (int i = 0; i < kClosing; ++i) {
    if (length_of(outside.x - inside.x, outside.y - inside.y) < kBorder) break;
    const Look m = between(inside, outside, 0.5);
    (beyond_wall(m) ? outside : inside) = m;
  }
  return inside;
}

/// The last point under the rim, of a profile that goes on beyond it.
Look LookSearch::end_of_rim(Look inside, Look outside) {
  const double end = kLookEnd * wheel_.radius * (1 - 1e-7);
  for (int i = 0; i < kClosing && std::abs(inside.u) < end * (1 - 1e-7); ++i) {
    const double in = std::abs(inside.u), out = std::abs(outside.u);
    const Look m = between(inside, outside, i % 3 == 2 ? 0.5 : (end - in) / (out - in));
    (on_rim(m) ? inside : outside) = m;
  }
  consider(inside);
  return inside;
}

void LookSearch::finish() {
  best_.slope_x = top_.slope_x, best_.slope_y = top_.slope_y;
  if (!bracketed_) return;
  touch_edge(wheel_, tangent(top_.u), {left_.slope_x, left_.slope_y}, {right_.slope_x, right_.slope_y},
             best_);
}

/// Beyond an end of the rim, under which the profile may return for a little.
void LookSearch::visit_beyond(Look a, Look b) {
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

void LookSearch::look_along_between(const Look& a, const Look& b) {
  interval(
      a, b, [this](const Look& x, const Look& y, double share) { return between(x, y, share); },
      [](const Look& x, const Look& y) { return length_of(y.x - x.x, y.y - x.y); });
}

/// Looks one after the other along a profile that is whole.
void LookSearch::use_profile(const Look* looks, int count) {
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

/// Where the ground below the rim's lowest point is level, that point touches it: whether nothing else can.
bool LookSearch::touch_level() {
  const RimPlane& m = wheel_;
  const double rim = std::sqrt(m.radius * m.radius - lowest_u_ * lowest_u_);
  const Vec3 lowest = m.centre + lowest_u_ * m.n - rim * m.b;
  Look x{};
  x.x = lowest.x(), x.y = lowest.y();
  const TerrainPoint below = terrain_.at(x.x, x.y);
  if (below.slope_x != 0 || below.slope_y != 0) return false;
  const double h = (below.z - lowest.z()) / m.b.z();
  x.x += h * m.b.x(), x.y += h * m.b.y();
  const Rectangle between{std::min(x.x, lowest.x()), std::max(x.x, lowest.x()), std::min(x.y, lowest.y()),
                          std::max(x.y, lowest.y())};
  if (terrain_.slope_bound(between) != 0) return false;
  fill(x, below.z, 0, 0);
  consider(x);
  return best_.found && heights_.high <= below.z;
}

/// Whether the wheel's plane cuts the ground once for every place along the trace: across it, the ground is
/// less steep than the plane.
bool LookSearch::cuts_once(double slope_bound) const {
  if (leans_little(slope_bound)) return true;
  const Vec2 across(wheel_.a.x() / across_, wheel_.a.y() / across_);
  return leans_little(terrain_.slope_bound_along(area_along(from_, to_, heights_), across));
}

RimContact LookSearch::run(double feature, double slope_bound) {
  if (!(across_ > 0.1)) return best_;  // the wheel lies on its side
  heights_ = heights_along(from_, to_, within_reach());
  best_.highest = heights_.high;
  if (touch_level()) return finish(), best_;
  const int wanted = feature > 0
                         ? std::clamp(static_cast<int>(4 * (to_ - from_) / feature) + 1, kFewest, kMost)
                         : 2 * kFewest;
  const double step = (to_ - from_) / (wanted - 1);
  closing_ = wheel_.b.z() + slope_bound * length_of(wheel_.b.x(), wheel_.b.y()) + kNarrow;
  if (std::isinf(slope_bound)) {  // as steep as it is seen to be
    std::array<Look, kMost + kLanes> looks;
    look_along(looks.data(), 0, wanted, step);
    leans_little(kUnseen * steepest_seen(looks.data(), wanted)) ? use_profile(looks.data(), wanted)
                                                                : look_from_above(wanted, step);
  } else {
    cuts_once(slope_bound) ? look_along_groups(wanted, step) : look_from_above(wanted, step);
  }
  if (best_.found) finish();
  return best_;
}

}  // namespace

RimContact search_looks_along(const Terrain& terrain, const RimPlane& wheel, double feature,
                              double slope_bound) {
  return LookSearch(terrain, wheel).run(feature, slope_bound);
}

}  // namespace scree
