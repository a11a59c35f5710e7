#include "scree/ground/look_search.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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
constexpr int kMissed = 3;           // looks in a row that a wedge may be too thin for
constexpr int kFewest = 24;          // looks over the rim, at least
constexpr int kMost = 1024;          // and at most
constexpr int kRow = 64;             // points a call
constexpr int kFewRow = 16;          // where the ground is known to be near
constexpr int kInPlane = 6;          // Newton steps into the wheel's plane, at most
constexpr int kClosing = 40;         // halvings of an interval, at most
constexpr double kNarrow = 1e-9;     // m: an interval this short is a point
constexpr double kBorder = 1e-7;     // m: and this short one holds the border of what bears
constexpr double kNoHigher = 1e-13;  // m that tangents promise: not worth another look
constexpr double kLevel = 1e-9;      // h' this small is a top

/// A point of the profile: place on the ground, place in the wheel's plane, dh along the profile (seen from
/// above). Without values at first: a search has room for a thousand and uses a few dozen.
struct Look {
  double x, y, u, t, h, rise;
  double slope_x, slope_y;
};

/// Of distances and slopes, which are neither huge nor tiny.
double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

class LookSearch {
 public:
  LookSearch(const Terrain& terrain, const RimPlane& wheel);
  RimContact run(double feature, double slope_bound);

 private:
  int look_along(Look* out, int count, double step) const;
  void look_from_above(int count, double step);
  HeightRange ground_between(double u0, double u1) const;
  bool look_down(double u, double from, const HeightRange& ground, double step, Look& out) const;
  bool look_for_bearing(double u, const HeightRange& ground, double step, Look& look) const;
  bool look_down(double u, double t, double last, double dt, Look& out) const;
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
  void consider(const Look& x);
  void take(const Look& x);
  Vec3 tangent(double u) const {
    const double sine = u / wheel_.radius;
    return std::sqrt(std::max(1 - sine * sine, 0.0)) * wheel_.n + sine * wheel_.b;
  }
  template <class Middle, class Length>
  void interval(const Look& a, const Look& b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  bool climb(Look a, Look b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  Look last_that_bears(Look in, Look out, bool peaked, const Middle& middle, const Length& length) const;
  Look end_of_rim(Look inside, Look outside);
  Look line_of_walls(Look inside, Look outside) const;
  void use_profile(const Look* looks, int count);
  void finish();

  const Terrain& terrain_;
  RimPlane wheel_;
  double ex_, ey_, across_;  // direction of the trace, length of the axle's horizontal part
  double from_, to_;         // range of s [m]
  RimContact best_;
  Look top_{}, left_{}, right_{};  // the best, and what brackets it
  bool bracketed_ = false;
};

LookSearch::LookSearch(const Terrain& terrain, const RimPlane& w)
    : terrain_(terrain), wheel_(w), across_(maths::hypot(w.a.x(), w.a.y())) {
  ex_ = w.a.y() / across_, ey_ = -w.a.x() / across_;
  const double n_s = w.n.x() * ex_ + w.n.y() * ey_, b_s = w.b.x() * ex_ + w.b.y() * ey_;
  const double low = -kLookReach * w.radius, high = std::min(w.standing, kLookDeepest * w.radius);
  from_ = -std::abs(n_s) * w.radius + std::min(b_s * low, b_s * high);
  to_ = std::abs(n_s) * w.radius + std::max(b_s * low, b_s * high);
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
int LookSearch::look_along(Look* out, int count, double step) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_;
  std::array<double, kRow> x, y, z, sx, sy, w;
  for (int first = 0; first < count; first += kRow) {
    const int n = std::min(kRow, count - first);
    for (int i = 0; i < n; ++i) w[i] = m.a.z() * m.radius / across_;  // the ground about a radius below
    const int steps = std::abs(m.a.z()) > 1e-9 ? kInPlane : 1;
    for (int k = 0; k < steps; ++k) {
      for (int i = 0; i < n; ++i) {
        const double s = from_ + (first + i) * step;
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
  return count;
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

/// Heights of the ground that the wheel's plane can cut from u0 to u1: the lower it is, the less of the plane
/// meets it, which may say that it is lower still.
HeightRange LookSearch::ground_between(double u0, double u1) const {
  const RimPlane& m = wheel_;
  const double z0 = m.centre.z() + u0 * m.n.z(), z1 = m.centre.z() + u1 * m.n.z();
  double low = -kLookReach * m.radius, high = reach_up(0);
  HeightRange range;
  for (int i = 0; i < 3; ++i) {
    const auto span = [&](int axis) {
      const double n0 = u0 * m.n[axis], n1 = u1 * m.n[axis], b0 = low * m.b[axis], b1 = high * m.b[axis];
      return std::pair(m.centre[axis] + std::min(n0, n1) + std::min(b0, b1),
                       m.centre[axis] + std::max(n0, n1) + std::max(b0, b1));
    };
    const auto [x0, x1] = span(0);
    const auto [y0, y1] = span(1);
    range = terrain_.height_range({x0, x1, y0, y1});
    const double above = (range.high - std::min(z0, z1)) / m.b.z(),
                 below = (range.low - std::max(z0, z1)) / m.b.z();
    const bool less = above < high - kWorthIt * m.radius || below > low + kWorthIt * m.radius;
    high = std::min(high, above), low = std::max(low, below);
    if (!less || !(high > low)) break;
  }
  return range;
}

/// Highest ground in the wheel's plane at u, below `from`, that is no wall: going down along the suspension,
/// where the plane enters the ground first.
bool LookSearch::look_down(double u, double from, const HeightRange& ground, double step, Look& out) const {
  const RimPlane& m = wheel_;
  const double z = m.centre.z() + u * m.n.z();
  const double z_top = z + std::min(reach_up(u), from) * m.b.z(), z_low = z - kLookReach * m.radius * m.b.z();
  const double top = std::min(z_top, ground.high + step), low = std::max(z_low, ground.low - step);
  const double dt = std::min(step / std::max(length_of(m.b.x(), m.b.y()), 1e-9), 0.25 * m.radius);
  return look_down(u, (top - z) / m.b.z(), (low - z) / m.b.z() - dt, dt, out);
}

bool LookSearch::look_down(double u, double t, double last, double dt, Look& out) const {
  const RimPlane& m = wheel_;
  const Vec3 from = m.centre + u * m.n;
  std::array<double, kRow> x, y, z, sx, sy;
  bool above = false;
  while (t > last) {
    const int n = std::min(kRow, static_cast<int>((t - last) / dt) + 1);
    for (int i = 0; i < n; ++i)
      x[i] = from.x() + (t - i * dt) * m.b.x(), y[i] = from.y() + (t - i * dt) * m.b.y();
    terrain_.sample({n, x.data(), y.data(), z.data(), sx.data(), sy.data()});
    for (int i = 0; i < n; ++i) {
      const double here = t - i * dt;
      const bool inside = z[i] >= from.z() + here * m.b.z();
      if (inside && above) return enter(from, here, here + dt, out), true;
      above = !inside;
    }
    t -= n * dt;
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

/// Whether the line of walls lies inside the ground there.
bool LookSearch::in_wall(double u) const {
  const Vec3 p = wheel_.centre + u * wheel_.n + reach_up(u) * wheel_.b;
  return terrain_.height(p.x(), p.y()) > p.z();
}

/// Elsewhere (a wheel that leans over an edge beside it) the profile winds and may fall into parts: the
/// highest of them counts at every u.
void LookSearch::look_from_above(int count, double step) {
  const double end = kLookEnd * wheel_.radius * (1 - 1e-9), du = 2 * end / (count - 1);  // on_rim(), rounded
  const HeightRange all = ground_between(-end, end);
  const auto middle = [&](const Look& a, const Look& b, double share) {
    const double u = a.u + share * (b.u - a.u), wide = kTip * (b.u - a.u);
    const double top = std::min(std::max(a.t, b.t) + wide, reach_up(u)), low = std::min(a.t, b.t) - wide;
    Look m{};
    if (!look_down(u, top, low, (top - low) / (kFewRow - 1), m) &&
        !look_down(u, kLookDeepest * wheel_.radius, all, step, m))
      m.u = 2 * end;  // nothing there: not usable
    return m;
  };
  const auto length = [](const Look& a, const Look& b) { return b.u - a.u; };
  // Where the profile is torn, the higher stretch is followed towards the next look, ahead (1) or back (-1),
  // to its end. That may be the tip of a wedge, thinner than looks down are apart: it is sought where the
  // stretch would go on, and may lie beyond a look that missed it.
  const auto follow = [&](Look a, int side) {
    const double stop = a.u + side * kMissed * du;
    double way = 0.5 * du;
    for (int i = 0; i < 2 * kClosing && way > kNarrow; ++i) {
      const double on = std::min(way, side * (stop - a.u));
      if (on < kNarrow) return;
      const double along = a.rise + a.u / std::max(a.h - a.t, 1e-3 * wheel_.radius);
      const double u = a.u + side * on, t = a.t + along * side * on;
      Look m{};
      const auto found_within = [&](double wide) {
        return look_down(u, std::min(t + wide, reach_up(u)), t - wide, 2 * wide / (kRow - 1), m);
      };
      const double round = std::min(kRoundTip * on, kJump * du);  // not onto another stretch
      if (std::abs(u) > end || !(found_within(kTip * on) || found_within(round))) {
        way *= 0.5;
        continue;
      }
      consider(m);
      side > 0 ? interval(a, m, middle, length) : interval(m, a, middle, length);
      a = m;
    }
  };
  const auto join = [&](const Look& a, bool had, const Look& b, bool has) {
    if (had && has && std::abs(b.h - a.h) <= kJump * du) {
      interval(a, b, middle, length);
    } else if (has && !(had && a.h > b.h)) {
      follow(b, -1);
    } else if (had) {
      follow(a, 1);
    }
  };
  // Where the line of walls enters the ground the profile passes it: the last of what may lie just below.
  const auto pass_line = [&](double outside, double inside) {
    const int side = outside < inside ? -1 : 1;
    for (int i = 0; i < kClosing && std::abs(inside - outside) > kNarrow; ++i) {
      const double m = 0.5 * (inside + outside);
      (in_wall(m) ? inside : outside) = m;
    }
    Look m{};
    if (!look_down(outside, reach_up(outside), reach_up(outside) - 4 * kBorder, kBorder, m)) return;
    consider(m);
    follow(m, side);
  };
  // The highest at every u, and where that does not bear the highest that does.
  Look before{}, borne_before{};
  HeightRange here = all;
  const bool walls = wheel_.standing < kLookDeepest * wheel_.radius;
  bool had = false, had_borne = false, was_walled = false;
  for (int i = 0; i < count; ++i) {
    const double u = -end + i * du;
    if (i % kLanes == 0) here = ground_between(u, std::min(u + (kLanes - 1) * du, end));
    Look now{};
    const bool has = look_down(u, kLookDeepest * wheel_.radius, here, kFiner * step, now);
    Look borne = now;
    const bool has_borne = has && look_for_bearing(u, here, kFiner * step, borne);
    if (has_borne) consider(borne);
    const bool walled = walls && in_wall(u);
    if (i > 0) {
      if (walled != was_walled) walled ? pass_line(u - du, u) : pass_line(u, u - du);
      join(before, had, now, has);
      const bool other = (has_borne && borne.t != now.t) || (had_borne && borne_before.t != before.t);
      if (other) join(borne_before, had_borne, borne, has_borne);
    }
    before = now, had = has, borne_before = borne, had_borne = has_borne, was_walled = walled;
  }
}

/// Down from a look that may not bear to the next that does.
bool LookSearch::look_for_bearing(double u, const HeightRange& ground, double step, Look& look) const {
  while (!bears(look)) {
    if (look.h <= best_.h || !look_down(u, look.t - kBorder, ground, step, look)) return false;
  }
  return true;
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
  for (int i = 0; i < kClosing; ++i) {
    const double length = length_between(a, b);
    if (length < kNarrow) break;
    double share = 0.5;
    const double bend = a.rise - b.rise;
    const double meet = bend > 0 ? ((b.h - a.h) / length - b.rise) / bend : -1;  // of the two tangents
    if (meet > 0 && meet < 1 && a.h + a.rise * meet * length <= highest.h + kNoHigher) break;
    // In turn: where the tangents meet (edges), where h' passes zero (smooth tops), the middle.
    if (i % 3 == 0 && bend > 0) share = meet;
    if (i % 3 == 1 && a.rise > 0 && b.rise < 0) share = a.rise / bend;
    const Look m = middle(a, b, std::clamp(share, 0.001, 0.999));
    if (!usable(m)) break;
    if (m.h > highest.h) highest = m;
    // The half that still holds a rise and a fall; beyond a valley, that of the higher end.
    const bool valley = m.h < std::min(a.h, b.h);
    ((valley ? b.h > a.h : m.rise > 0) ? a : b) = m;
    if (std::abs(m.rise) < kLevel) break;
  }
  if (!usable(highest) || highest.h <= best_.h) return true;
  if (!bears(highest)) {
    const std::optional<Vec2> edge =
        plane_on_edge(tangent(highest.u), {a.slope_x, a.slope_y}, {b.slope_x, b.slope_y});
    if (!edge || !wheel_.bears(edge->x(), edge->y())) return false;
  }
  take(highest);
  left_ = a, right_ = b, bracketed_ = true;
  return true;
}

/// The border of what bears, between a point that does and one that does not. Without a peak between them it
/// is sought for as long as what does not bear lies higher than the best.
template <class Middle, class Length>
Look LookSearch::last_that_bears(Look in, Look out, bool peaked, const Middle& middle,
                                 const Length& length) const {
  for (int i = 0; i < kClosing && std::abs(length(in, out)) > kBorder; ++i) {
    if (!peaked && std::max(in.h, out.h) <= best_.h + kSame) break;
    const Look m = middle(in, out, 0.5);
    if (!usable(m)) break;
    (bears(m) ? in : out) = m;
  }
  return in;
}

template <class Middle, class Length>
void LookSearch::interval(const Look& a, const Look& b, const Middle& middle, const Length& length_between) {
  if (!usable(a) || !usable(b)) return;
  const auto peak = [](const Look& x, const Look& y) {
    return (x.rise > 0 && (y.rise < 0 || y.h < x.h)) || (y.rise < 0 && x.h < y.h);
  };
  const bool peaked = peak(a, b), border = bears(a) != bears(b);
  if (!peaked && !border) return;
  const double length = length_between(a, b);
  // As much as either tangent allows, and what the ground may bend between the two.
  const double bend = 0.5 * std::abs(a.rise - b.rise) * length;
  const double most =
      bend + std::max(a.h + std::max(a.rise, 0.0) * length, b.h + std::max(-b.rise, 0.0) * length);
  if (most <= best_.h + kSame) return;
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
    climb_between(a, last);
  } else {
    const auto back = [&](const Look& x, const Look& y, double share) { return middle(y, x, 1 - share); };
    const Look last = last_that_bears(b, a, peaked, back, length_between);
    consider(last);
    climb_between(last, b);
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

/// Looks one after the other along a profile that is whole.
void LookSearch::use_profile(const Look* looks, int count) {
  const auto middle = [this](const Look& a, const Look& b, double share) { return between(a, b, share); };
  const auto length = [](const Look& a, const Look& b) { return length_of(b.x - a.x, b.y - a.y); };
  for (int i = 0; i < count; ++i) consider(looks[i]);
  for (int i = 0; i + 1 < count; ++i) {
    Look a = looks[i], b = looks[i + 1];
    if (!on_rim(a) && !on_rim(b)) continue;
    if (!on_rim(a) && b.rise < 0) a = end_of_rim(b, a);
    if (!on_rim(b) && a.rise > 0) b = end_of_rim(a, b);
    if (beyond_wall(a) != beyond_wall(b)) {
      Look& out = beyond_wall(a) ? a : b;
      out = line_of_walls(beyond_wall(a) ? b : a, out);
      consider(out);
    }
    interval(a, b, middle, length);
  }
}

RimContact LookSearch::run(double feature, double slope_bound) {
  if (!(across_ > 0.1)) return best_;  // the wheel lies on its side
  const int wanted = feature > 0
                         ? std::clamp(static_cast<int>(4 * (to_ - from_) / feature) + 1, kFewest, kMost)
                         : 2 * kFewest;
  const double step = (to_ - from_) / (wanted - 1);
  const bool unknown = std::isinf(slope_bound);
  std::array<Look, kMost + kLanes> looks;  // whole lanes are written
  int count = 0;
  if (unknown || leans_little(slope_bound)) count = look_along(looks.data(), wanted, step);
  if (unknown ? !leans_little(kUnseen * steepest_seen(looks.data(), count)) : count == 0) {
    look_from_above(wanted, step);
  } else {
    use_profile(looks.data(), count);
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
