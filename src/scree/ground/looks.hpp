#pragma once
/// What looks along the trace and looks from above have in common: points of the profile in which the wheel's
/// plane cuts the ground, which of them count, and the best so far.
#include <algorithm>
#include <cmath>

#include "scree/core/lanes.hpp"
#include "scree/ground/rim_search.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree::looks {

inline constexpr double kLookEnd = 0.9999;  // of the radius: the rim ends where it still has a tangent
inline constexpr double kLookClear = 0.5;   // of the radius: clearance beyond which nothing is looked for
inline constexpr double kLookDeepest = 3;   // of the radius: ground further above the hub is not reached
inline constexpr double kLookReach = 1 + kLookClear;  // of the radius: ground further below is no contact
inline constexpr double kSame = 1e-7;                 // m: a contact this little higher is the same
inline constexpr int kRow = 64;                       // points a call
inline constexpr int kClosing = 40;                   // halvings of an interval, at most
inline constexpr double kNarrow = 1e-9;               // m: an interval this short is a point
inline constexpr double kBorder = 1e-7;               // m: and this short one holds the border of what bears
inline constexpr int kLedgeHalves = 7;  // of an interval in which something may bear, though its ends do not

/// A point of the profile: place on the ground, place in the wheel's plane, dh along the profile (seen from
/// above). Without values at first: a search has room for a thousand and uses a few dozen.
struct Look {
  double x, y, u, t, h, rise;
  double slope_x, slope_y;
};

/// Of distances and slopes, which are neither huge nor tiny.
inline double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

class Looks {
 public:
  Looks(const Terrain& terrain, const RimPlane& wheel);
  /// Where the ground's heights are known, or not asked for.
  Looks(const Terrain& terrain, const RimPlane& wheel, HeightRange heights);
  /// The wheel does not lie on its side.
  bool stands() const { return across_ > 0.1; }
  /// Where the ground below the rim's lowest point is level, that point touches it: whether nothing else can.
  bool touch_level();
  /// Whether the wheel's plane cuts the ground once for every place along the trace: across it, the ground is
  /// less steep than the plane.
  bool cuts_once(double slope_bound) const;
  bool leans_little(double slope) const { return std::abs(wheel_.a.z()) * slope < 0.7 * across_; }
  /// Length of the trace that can matter [m].
  double length() const { return to_ - from_; }
  /// The best, and the plane that touches the rim there.
  RimContact finished();

 protected:
  Rectangle area_along(double s0, double s1, HeightRange known) const;
  HeightRange heights_along(double s0, double s1, HeightRange known) const {
    return terrain_.height_range(area_along(s0, s1, known));
  }
  HeightRange within_reach() const;

  /// What is known of a ground point, or of four: u, t, h, and dh and du along the profile (seen from above).
  template <class T>
  struct Seen {
    T u, t, h, rise, run;
  };
  template <class T>
  Seen<T> seen(T x, T y, T z, T slope_x, T slope_y) const;
  void fill(Look& look, double z, double slope_x, double slope_y) const;

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

  // look_interval.hpp: what lies between two looks. `middle(a, b, share)` looks between, `length(a, b)` is
  // how far they are apart.
  template <class Middle, class Length>
  void interval(const Look& a, const Look& b, const Middle& middle, const Length& length,
                int halves = kLedgeHalves);
  template <class Middle, class Length>
  bool climb(Look a, Look b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  void pass_walls(const Look& a, const Look& m, const Look& b, const Middle& middle, const Length& length);
  template <class Middle, class Length>
  Look last_that_bears(Look in, Look out, bool peaked, const Middle& middle, const Length& length) const;
  bool bears_between(const Look& a, const Look& b) const;

  const Terrain& terrain_;
  RimPlane wheel_;
  double ex_, ey_, across_;  // direction of the trace, length of the axle's horizontal part
  double from_, to_;         // range of s [m]
  double lowest_u_;          // of the rim [m]
  HeightRange heights_;      // of all ground that the wheel's plane may cut
  RimContact best_;
  Look top_{}, left_{}, right_{};  // the best, and what brackets it
  bool bracketed_ = false;
};

template <class T>
Looks::Seen<T> Looks::seen(T x, T y, T z, T sx, T sy) const {
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

}  // namespace scree::looks
