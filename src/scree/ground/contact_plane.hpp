#pragma once
/// The contact area of a wheel on rough, soft ground as one inclined plane, so that the whole patch feels
/// slopes and steps.
///
/// Ding 2011 Sec. 4.3, Eqs. 21-31, with errata 003-21..30: the plane passes through three points of the
/// ground under the wheel, is oriented upward (C_t > 0), and its distance from the hub is signed; headings
/// enter by sine and cosine instead of their quotient, X_2 = X_3 X_1.
///
/// Differs: each of the three points is the mean of four places of the patch, in rows at -1, -1/3, 1/3 and 1
/// times r sin theta_1 along the heading and b/2 to either side of it: the middles of its front half, of its
/// left and of its right side. On a plane this is the plane of Ding's single points; on ground rougher than
/// the patch is long, single points would take the height of one grain for that of the patch. And theta_1 is
/// that of the rut the wheel has made (soil_rut.hpp), not of its sinkage at this instant: found together with
/// the plane it has several answers where the ground is steeper than (r - z)/(r sin theta_1) allows, and the
/// wheel would jump between them from step to step.
#include <span>

#include "scree/core/types.hpp"
#include "scree/ground/soil_wheel.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// An oriented plane.
struct ContactPlane {
  Vec3 normal = Vec3::UnitZ();  ///< z_e, unit, upward
  Vec3 point = Vec3::Zero();    ///< on the plane [m]
  /// Height of a place above the plane, along its normal [m].
  double distance(const Vec3& p) const { return normal.dot(p - point); }
};

/// Ding 2011 Eqs. 21-22. The points must not lie in a line, nor in a vertical plane.
ContactPlane plane_through(const Vec3& p1, const Vec3& p2, const Vec3& p3);

/// Axes of the contact (e) as columns of A_e: x along the heading within the plane, z its normal.
/// Ding 2011 Eqs. 26-29. `heading` is the horizontal direction (cos yaw, sin yaw) of the wheel.
Mat3 contact_axes(const ContactPlane& plane, const Vec2& heading);

/// Slopes that the wheel climbs and traverses [rad], positive when x_e and y_e point up: Ding 2011 Eq. 28.
struct ContactSlopes {
  double climb, cross;
};
ContactSlopes contact_slopes(const Mat3& axes);

/// Where a wheel meets soft ground.
struct SoilPatch {
  ContactPlane plane;
  Mat3 axes = Mat3::Identity();  ///< A_e
  double sinkage = 0;            ///< z = r - distance of the hub from the plane; negative in the air [m]
  Vec3 foot = Vec3::Zero();      ///< e: the rim's deepest place [m]
  /// How the plane rises, along its normal, as the wheel moves on along x and y: mean slope of the places
  /// less that of the plane; nothing where the ground is a plane [-].
  Vec2 drift = Vec2::Zero();
};

/// Half the length of the patch of a wheel at a depth, r sin theta_1 [m].
double patch_spread(const SoilWheel& wheel, double depth);

/// The patch of half a length `spread` [m] under a hub.
SoilPatch find_soil_patch(const Terrain& terrain, const Vec3& hub, const Vec2& heading,
                          const SoilWheel& wheel, double spread);
/// The same for a wheel that comes from nowhere: its spread by the sinkage under a narrow patch.
SoilPatch find_soil_patch(const Terrain& terrain, const Vec3& hub, const Vec2& heading,
                          const SoilWheel& wheel);

/// Force and moment about a point, in world axes.
struct PatchWrench {
  Vec3 force, moment;
};
/// Ding 2011 Eqs. 30-31: what the soil does to the wheel, as a force and a moment at the foot e.
/// M_O = r F_S cancels there (Eq. 20); M_S is zero.
PatchWrench wrench_at_foot(const SoilPatch& patch, const SoilReaction<double>& reaction, double radius);

}  // namespace scree
