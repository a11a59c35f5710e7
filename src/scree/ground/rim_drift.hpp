#pragma once
/// How much higher ground can reach under a rim after the wheel has moved a little: what was found far below
/// the best need not be looked at again until it may have come near.
///
/// A ground point P' = c' + u' n' + t' b' of the new profile lies F = a.(P' - c) off the old plane (without
/// dashes: before). Along one horizontal axis k, on the ground, of slope no more than S along k, the old
/// plane is met after delta <= |F|/(|a_k| - |a_z| S), in a point P of the old profile for which
///
///     t >= t' + b.(c' - c) - R |b.n'| - T |1 - b.b'| - delta (|b_k| + S |b_z|)
///     |u - u'| <= |n.(c' - c)| + R |1 - n.n'| + T |n.b'| + delta (|n_k| + S |n_z|) = mu
///
/// with T a bound of |t'|. The rim falls by no more than mu w/sqrt(R² - w²) from u' to u, w = |u'| + mu, so
/// h' = t' + sqrt(R² - u'²) is no higher than h of P and the sum of these. P' and P lie side by side along k:
/// what is known of all ground between two lines along k stays known of it.
#include <cmath>
#include <limits>

#include "scree/ground/rim_plane.hpp"

namespace scree {

class RimDrift {
 public:
  /// Ground is at most this high above the hub along the suspension, or below it, times the radius.
  static constexpr double kReach = 1.5;

  RimDrift() = default;
  /// `k`: 0 along x, 1 along y.
  RimDrift(const RimPlane& from, const RimPlane& to, int k) : radius_(from.radius) {
    const Vec3 d = to.centre - from.centre;
    const double R = from.radius, T = kReach * R;
    across_ = std::abs(from.a.dot(d)) + R * std::abs(from.a.dot(to.n)) + T * std::abs(from.a.dot(to.b));
    rise_ = kRounding - from.b.dot(d) + R * std::abs(from.b.dot(to.n)) + T * std::abs(1 - from.b.dot(to.b));
    along_ = std::abs(from.n.dot(d)) + R * std::abs(1 - from.n.dot(to.n)) + T * std::abs(from.n.dot(to.b));
    a_k_ = std::abs(from.a[k]), b_k_ = std::abs(from.b[k]), n_k_ = std::abs(from.n[k]);
    a_z_ = std::abs(from.a.z()), b_z_ = std::abs(from.b.z()), n_z_ = std::abs(from.n.z());
  }
  /// For ground at |u'| <= `widest`, of slopes up to `slope` along k [m]; infinity: unknown.
  double most(double widest, double slope) const {
    const double facing = a_k_ - a_z_ * slope;
    const double aside = across_ / facing, mu = along_ + aside * (n_k_ + slope * n_z_), w = widest + mu;
    if (!(facing > kLeastFacing && w < kWidest * radius_)) return std::numeric_limits<double>::infinity();
    return rise_ + aside * (b_k_ + slope * b_z_) + mu * w / std::sqrt(radius_ * radius_ - w * w);
  }

 private:
  static constexpr double kLeastFacing = 0.1;
  static constexpr double kWidest = 0.97;     // of the radius: the rim is not steeper there than 4
  static constexpr double kRounding = 1e-12;  // m
  double radius_ = 0, across_ = 0, rise_ = 0, along_ = 0;
  double a_k_ = 0, b_k_ = 0, n_k_ = 0, a_z_ = 0, b_z_ = 0, n_z_ = 0;
};

}  // namespace scree
