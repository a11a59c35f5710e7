#pragma once
/// A rigid wheel on soft soil: its shape, its slip, and what the soil answers.
///
/// Frame of the contact (e of Ding 2011 Fig. 9): x along the wheel's heading in the contact plane, y left, z
/// along the plane's normal. Forces are those of the soil on the wheel; slip and side slip are
///
///     slip = (U - V)/max(|U|, |V|),  side = v_y/max(|U|, |V|),  U = shear radius x spin, V = v_x
///
/// so that driving slip is 1 - V/U, braking slip U/V - 1 (Nagatani 2016 Eq. 50.2). The laws hold for a wheel
/// that rolls forward; `mirrored` turns them round for one that rolls back.
#include "scree/config/section.hpp"
#include "scree/core/dual.hpp"

namespace scree {

struct SoilWheel {
  double radius = 0.1;    ///< r, without lugs [m]
  double width = 0.1;     ///< b [m]
  double lug_height = 0;  ///< h [m]
  double lug_share = 1;   ///< lambda_s: shear radius = r + lambda_s h [-]
  double shear_radius() const { return radius + lug_share * lug_height; }
  bool operator==(const SoilWheel&) const = default;
};
void describe(Section& section, SoilWheel& wheel);

/// What moves a wheel through soil; see the head of this file.
struct SoilSlip {
  double slip = 0;  ///< [-1, 1]
  double side = 0;  ///< [-1, 1]
};
/// From slip and slip angle beta = atan2(v_y, |v_x|) [rad], as test beds set them.
SoilSlip soil_slip(double slip, double slip_angle);
/// beta [rad].
double slip_angle_of(const SoilSlip& slip);

/// Forces of the soil on the wheel, at its centre.
template <class S>
struct SoilReaction {
  S drawbar{};  ///< F_x, drawbar pull [N]
  S side{};     ///< F_y [N]
  S normal{};   ///< F_z [N]
  S torque{};   ///< resistance about the axle: opposes forward spin when positive [N m]
  S entry{};    ///< theta_1 [rad]
  S exit{};     ///< theta_2, not positive [rad]
  S peak{};     ///< theta_m, where the normal stress is greatest [rad]
};

/// Value and derivatives by (sinkage [m], slip, side).
using SoilDual = Dual<double, 3>;

/// The reaction on a wheel that rolls backward with mirrored slip.
template <class S>
SoilReaction<S> mirrored(SoilReaction<S> r) {
  r.drawbar = -r.drawbar;
  r.torque = -r.torque;
  return r;
}

/// Sinkage under a load.
struct Sinkage {
  double depth = 0;     ///< m
  bool buried = false;  ///< the soil does not carry the load even when the wheel is down to its axle
};

/// V/U and |v_y|/|U|, which the shear displacements take.
template <class S>
struct Rolling {
  S advance, sideways;
};
/// A locked wheel has no U: displacements are followed to a million radii.
template <class S>
inline Rolling<S> rolling_of(const S& slip, const S& side) {
  using namespace lane;
  const S one = constant<S>(1.0);
  if (value_of(slip) >= 0) return {one - slip, abs(side)};
  const S inverse = one / max(one + slip, constant<S>(1e-6));
  return {inverse, abs(side) * inverse};
}
/// |beta| [rad].
template <class S>
inline S slip_angle_size(const S& slip, const S& side) {
  using namespace lane;
  const S one = constant<S>(1.0);
  const S forward = value_of(slip) >= 0 ? max(one - slip, constant<S>(1e-9)) : one;
  return arc_tangent(abs(side) / forward);
}

/// theta = acos(1 - depth/radius) without loss for small depths, 0 <= depth < 2 radius.
template <class S>
inline S contact_angle(const S& depth, double radius) {
  using namespace lane;
  return 2.0 * arc_tangent(sqrt(depth / (2.0 * radius - depth)));
}

}  // namespace scree
