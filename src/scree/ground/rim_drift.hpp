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
///     rise + along s + turn u,  s = -r'(u)
///
/// where `along` is mu for t' in the middle of its range, `turn` is -b.n', and what is left of mu and t' is
/// in `rise`, at its most. P' and P lie side by side along k: what is known of all ground between two lines
/// along k stays known of it.
#include <cmath>

#include "scree/ground/rim_frame.hpp"

namespace scree {

/// All ground that is meant, on the new profile and near it.
struct RimDriftGround {
  int k;             ///< 0: the axis is x, 1: y
  double slope;      ///< no slope along k is larger, as far as one cell beyond,
  double cell;       ///< which is so long [m]
  double low, high;  ///< t' [m]
  double widest;     ///< |u'| [m]
};

struct RimDrift {
  bool known;  ///< else the motion is too large, or the plane too much aslant, to say anything
  double rise, along, turn;

  RimDrift(const RimPlane& from, const RimPlane& to, const RimDriftGround& g) {
    const Vec3 d = to.centre - from.centre;
    const double R = from.radius, S = g.slope, U = g.widest;
    const double middle = 0.5 * (g.low + g.high), half = 0.5 * (g.high - g.low);
    const double a_b = from.a.dot(to.b), n_b = from.n.dot(to.b), b_n = from.b.dot(to.n);
    const double facing = std::abs(from.a[g.k]) - std::abs(from.a.z()) * S;
    const double off =
        std::abs(from.a.dot(d) + middle * a_b) + half * std::abs(a_b) + U * std::abs(from.a.dot(to.n));
    const double delta = off / facing;
    along = from.n.dot(d) + middle * n_b;
    const double rest = half * std::abs(n_b) + U * std::abs(1 - from.n.dot(to.n)) +
                        delta * (std::abs(from.n[g.k]) + S * std::abs(from.n.z()));
    turn = -b_n;
    rise = kRounding - from.b.dot(d) + (std::abs(middle) + half) * std::abs(1 - from.b.dot(to.b)) +
           delta * (std::abs(from.b[g.k]) + S * std::abs(from.b.z())) + RimHull::kSteepest * rest +
           (std::abs(along) + rest) * std::abs(b_n);
    known = facing > kLeastFacing && delta <= g.cell && S * delta <= kFarthest * R &&
            d.squaredNorm() <= kFarthest * kFarthest * R * R;
  }

 private:
  static constexpr double kLeastFacing = 0.1;
  static constexpr double kFarthest = 0.25;   // of the radius
  static constexpr double kRounding = 1e-12;  // m
};

}  // namespace scree
