#include "scree/ground/look_search.hpp"
#include "scree/core/maths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/lanes.hpp"

namespace scree {
namespace {

constexpr double kLookEnd = 0.9999;  // of the radius: the rim ends where it still has a tangent
constexpr double kLookClear = 0.5;   // of the radius: clearance beyond which nothing is looked for
constexpr double kLookDeepest = 3;   // of the radius: ground further above the hub is not reached
constexpr double kSame = 1e-7;       // m: a contact this little higher is the same
constexpr double kUnseen = 2;        // times the steepest slope seen, where the ground knows no bound
constexpr int kFewest = 24;          // looks over the rim, at least
constexpr int kMost = 1024;          // and at most
constexpr int kRow = 64;             // points a call
constexpr int kInPlane = 6;          // Newton steps into the wheel's plane, at most
constexpr int kClosing = 40;         // halvings of an interval, at most
constexpr double kNarrow = 1e-9;     // m: an interval this short is a point
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
  int follow(Look* out, double step) const;
  double steepest_seen(const Look* looks, int count) const;
  bool leans_little(double slope) const { return std::abs(wheel_.a.z()) * slope < 0.7 * across_; }
  void settle(Look& look) const;
  Look between(const Look& a, const Look& b, double share) const;
  template <class T>
  struct Seen {
    T u, t, h, rise;
  };
  template <class T>
  Seen<T> seen(T x, T y, T z, T slope_x, T slope_y) const;
  void fill(Look& look, double z, double slope_x, double slope_y) const;
  void fill_four(Lanes x, Lanes y, Lanes z, Lanes slope_x, Lanes slope_y, Look* out) const;
  bool on_rim(const Look& x) const { return std::abs(x.u) <= kLookEnd * wheel_.radius; }
  bool beyond_wall(const Look& x) const { return x.t > wheel_.standing - kWallRise * std::abs(x.u); }
  bool usable(const Look& x) const { return on_rim(x) && !beyond_wall(x); }
  void consider(const Look& x);
  void interval(const Look& a, const Look& b);
  void climb(Look a, Look b);
  void find_wall(Look inside, Look outside);
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
  const double low = -(1 + kLookClear) * w.radius, high = std::min(w.standing, kLookDeepest * w.radius);
  from_ = -std::abs(n_s) * w.radius + std::min(b_s * low, b_s * high);
  to_ = std::abs(n_s) * w.radius + std::max(b_s * low, b_s * high);
  best_.h = -kLookClear * w.radius;
}

/// What is known of a ground point, or of four: u, t, h and dh along the profile.
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
  return {u, t, t + rim, along(m.b, ahead) - along(m.n, ahead) * u / rim};
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

/// Elsewhere (a wheel that leans over an edge beside it) the profile winds: it is followed from one end to
/// the other, a step along it and back into the plane.
int LookSearch::follow(Look* out, double step) const {
  const RimPlane& m = wheel_;
  const double fx = m.a.x() / across_, fy = m.a.y() / across_;
  // At the end F grows without bound along the axle: halves find a point of the profile.
  const double x0 = m.centre.x() + from_ * ex_, y0 = m.centre.y() + from_ * ey_;
  double low = -8 * m.radius, high = 8 * m.radius;
  for (int i = 0; i < 50; ++i) {
    const double w = 0.5 * (low + high);
    const double F = across_ * w + m.a.z() * (terrain_.height(x0 + w * fx, y0 + w * fy) - m.centre.z());
    (F < 0 ? low : high) = w;
  }
  Look now{};
  now.x = x0 + low * fx, now.y = y0 + low * fy;
  settle(now);
  int count = 0;
  out[count++] = now;
  while (count < kMost) {
    const double Fx = m.a.x() + m.a.z() * now.slope_x, Fy = m.a.y() + m.a.z() * now.slope_y;
    const double size = std::max(maths::hypot(Fx, Fy), 1e-9);
    // A step that does not come back near where it aimed is taken again, shorter.
    Look next{};
    for (double d = step; d > 0.02 * step; d *= 0.5) {
      const double ax = now.x + d * Fy / size, ay = now.y - d * Fx / size;
      next.x = ax, next.y = ay;
      settle(next);
      if (maths::hypot(next.x - ax, next.y - ay) < 0.5 * d) break;
    }
    now = next;
    out[count++] = now;
    const double s = (now.x - m.centre.x()) * ex_ + (now.y - m.centre.y()) * ey_;
    if (s > to_ || s < from_ - m.radius) break;
  }
  return count;
}

void LookSearch::consider(const Look& x) {
  if (!usable(x) || x.h <= best_.h) return;
  best_.found = true, best_.h = x.h, best_.sine = x.u / wheel_.radius;
  top_ = x, bracketed_ = false;
}

/// Climbs to the highest point between a, which rises, and b, which falls or lies lower.
void LookSearch::climb(Look a, Look b) {
  Look highest = a.h > b.h ? a : b;
  for (int i = 0; i < kClosing; ++i) {
    const double length = length_of(b.x - a.x, b.y - a.y);
    if (length < kNarrow) break;
    double share = 0.5;
    const double bend = a.rise - b.rise;
    // In turn: where the two tangents meet (edges), where h' passes zero (smooth tops), the middle.
    if (i % 3 == 0 && bend > 0) share = ((b.h - a.h) / length - b.rise) / bend;
    if (i % 3 == 1 && a.rise > 0 && b.rise < 0) share = a.rise / bend;
    const Look m = between(a, b, std::clamp(share, 0.001, 0.999));
    if (!usable(m)) break;
    if (m.h > highest.h) highest = m;
    // The half that still holds a rise and a fall.
    (m.rise > 0 && m.h >= std::min(a.h, b.h) ? a : b) = m;
    if (std::abs(m.rise) < kLevel) break;
  }
  if (!usable(highest) || highest.h <= best_.h) return;
  consider(highest);
  left_ = a, right_ = b, bracketed_ = true;
}

void LookSearch::interval(const Look& a, const Look& b) {
  if (!usable(a) || !usable(b)) return;
  const bool peak = (a.rise > 0 && (b.rise < 0 || b.h < a.h)) || (b.rise < 0 && a.h < b.h);
  if (!peak) return;
  const double length = length_of(b.x - a.x, b.y - a.y);
  // As much as either tangent allows, and what the ground may bend between the two.
  const double bend = 0.5 * std::abs(a.rise - b.rise) * length;
  const double most =
      bend + std::max(a.h + std::max(a.rise, 0.0) * length, b.h + std::max(-b.rise, 0.0) * length);
  if (most <= best_.h + kSame) return;
  if (a.rise > 0) {
    climb(a, b);
  } else {
    // b falls from a higher place between the two: climb from the half that rises.
    const Look middle = between(a, b, 0.5);
    if (usable(middle)) climb(middle.rise > 0 ? middle : a, b);
  }
}

void LookSearch::find_wall(Look inside, Look outside) {
  for (int i = 0; i < 20; ++i) {
    const Look m = between(inside, outside, 0.5);
    (beyond_wall(m) ? outside : inside) = m;
  }
  if (!on_rim(inside)) return;
  note_wall(wheel_, inside.u, inside.t, inside.slope_x, inside.slope_y, best_);
}

/// The plane that touches the rim: on an edge, the one between the two sides that holds the rim's tangent.
void LookSearch::finish() {
  best_.slope_x = top_.slope_x, best_.slope_y = top_.slope_y;
  if (!bracketed_) return;
  const double cosine = std::sqrt(std::max(1 - best_.sine * best_.sine, 0.0));
  const Vec3 t = cosine * wheel_.n + best_.sine * wheel_.b;
  const double l = t.z() - left_.slope_x * t.x() - left_.slope_y * t.y();
  const double r = t.z() - right_.slope_x * t.x() - right_.slope_y * t.y();
  if ((l > 0) == (r > 0)) return;
  const double share = l / (l - r);
  best_.slope_x = left_.slope_x + share * (right_.slope_x - left_.slope_x);
  best_.slope_y = left_.slope_y + share * (right_.slope_y - left_.slope_y);
}

RimContact LookSearch::run(double feature, double slope_bound) {
  if (!(across_ > 0.1)) return best_;  // the wheel lies on its side
  const int wanted = feature > 0
                         ? std::clamp(static_cast<int>(4 * (to_ - from_) / feature) + 1, kFewest, kMost)
                         : 2 * kFewest;
  const double step = (to_ - from_) / (wanted - 1);
  std::array<Look, kMost + kLanes> looks;  // whole lanes are written
  int count = 0;
  const bool unknown = std::isinf(slope_bound);
  if (unknown || leans_little(slope_bound)) count = look_along(looks.data(), wanted, step);
  if (unknown ? !leans_little(kUnseen * steepest_seen(looks.data(), count)) : count == 0)
    count = follow(looks.data(), step);
  for (int i = 0; i < count; ++i) consider(looks[i]);
  for (int i = 0; i + 1 < count; ++i) {
    const Look &a = looks[i], &b = looks[i + 1];
    interval(a, b);
    if (!on_rim(a) && !on_rim(b)) continue;
    if (beyond_wall(a) != beyond_wall(b)) {
      beyond_wall(a) ? find_wall(b, a) : find_wall(a, b);
    } else if (beyond_wall(a)) {
      const Look& in = std::abs(a.u) < std::abs(b.u) ? a : b;
      note_wall(wheel_, in.u, wheel_.standing, in.slope_x, in.slope_y, best_);
    }
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
