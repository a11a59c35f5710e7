#pragma once
/// How much higher ground can reach under a rim after the wheel has moved a little: what was found far below
/// the best need not be looked at again until it may have come near.
///
/// A ground point P' = c' + u' n' + t' b' of the new profile lies F = a.(P' - c) off the old plane (without
/// dashes: before). Along one horizontal axis k, on ground of slope no more than S along k, the old plane is
/// met after delta <= |F|/(|a_k| - |a_z| S), in a point P = c + u n + t b of the old profile with
///
///     t' = t - b.(c' - c) - u' b.n' + t' (1 - b.b') + up to delta (|b_k| + S |b_z|)
///     u  = u' + mu,  mu = n.(c' - c) + t' n.b' - u' (1 - n.n') + up to delta (|n_k| + S |n_z|)
///
/// With a rim r(u) that is concave (RimHull), r(u') <= r(u) - r'(u) mu. So h' = t' + r(u') is no higher than
/// h of P and
///
///     rise + steep S + along s + turn u,  s = -r'(u)
///
/// where `along` is mu for t' in the middle of its range, `turn` is -b.n', and what is left of mu and t' is
/// in `rise` and `steep`, at its most. P' and P lie side by side along k: what is known of all ground between
/// two lines along k stays known of it, and there S is the slope of the ground between these lines.
#include <cmath>

#include "scree/ground/rim_frame.hpp"

namespace scree {

/// All ground that is meant, on the new profile and near it. (T: double, or Lanes for four wheels.)
template <class T>
struct RimDriftGround {
  int k;        ///< 0: the axis is x, 1: y
  T slope;      ///< no slope along k is larger anywhere, as far as one cell beyond,
  double cell;  ///< which is so long [m]
  T low, high;  ///< t' [m]
  T widest;     ///< |u'| [m]
};

template <class Plane>
struct RimDriftOf {
  using T = typename Plane::Number;
  decltype(T{} < T{}) known;  ///< else the motion is too large, or the plane too much aslant, to say anything
  T rise, steep, along, turn;

  RimDriftOf() = default;
  RimDriftOf(const Plane& from, const Plane& to, const RimDriftGround<T>& g) {
    using namespace lane;
    const std::array<T, 3> d{to.centre[0] - from.centre[0], to.centre[1] - from.centre[1],
                             to.centre[2] - from.centre[2]};
    const T R = from.radius, S = g.slope, U = g.widest;
    const T middle = 0.5 * (g.low + g.high), half = 0.5 * (g.high - g.low);
    const T a_b = inner(from.a, to.b), n_b = inner(from.n, to.b), b_n = inner(from.b, to.n);
    const T facing = abs(from.a[g.k]) - abs(from.a[2]) * S;
    const T off = abs(inner(from.a, d) + middle * a_b) + half * abs(a_b) + U * abs(inner(from.a, to.n));
    const T delta = off / facing;
    along = inner(from.n, d) + middle * n_b;
    const T level = half * abs(n_b) + U * abs(1.0 - inner(from.n, to.n)) + delta * abs(from.n[g.k]);
    const T rest = level + delta * S * abs(from.n[2]);
    turn = -b_n;
    rise = kRounding - inner(from.b, d) + (abs(middle) + half) * abs(1.0 - inner(from.b, to.b)) +
           delta * abs(from.b[g.k]) + RimHull::kSteepest * level + (abs(along) + rest) * abs(b_n);
    steep = delta * (abs(from.b[2]) + RimHull::kSteepest * abs(from.n[2]));
    const T least_facing = constant<T>(kLeastFacing), cell = constant<T>(g.cell), way = inner(d, d);
    known = (facing > least_facing) & (delta <= cell) & (S * delta <= kFarthest * R) &
            (way <= kFarthest * kFarthest * R * R);
  }
  RimDriftOf(const RimDriftOf<RimPlanes>& four, int i)
      : known(four.known[i] != 0),
        rise(four.rise[i]),
        steep(four.steep[i]),
        along(four.along[i]),
        turn(four.turn[i]) {}

 private:
  static constexpr double kLeastFacing = 0.1;
  static constexpr double kFarthest = 0.25;   // of the radius
  static constexpr double kRounding = 1e-12;  // m
};
using RimDrift = RimDriftOf<RimPlane>;

}  // namespace scree
