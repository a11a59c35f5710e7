#pragma once
/// Points of a body that push back when they touch the ground: a robot on its roof lies there.
///
/// Normal: F_n = max(0, k d - c min(1, d / d_c) v_n) along the ground's normal, d the depth [m]; the damper
/// fades in over d_c, so the force starts from zero. Never pulls.
/// Tangential: a bristle of deflection e (Coulomb cone): F_t = -k_t e - c_t v_t while |F_t| <= mu F_n, then
/// the bristle is dragged along at the cone. It holds a robot at rest without creep.
/// A point deep in the ground is pushed out the shorter way, up or to the side: walls stop it, and do not
/// lift it. Stiffness and damping are returned for the implicit step.
#include "scree/config/section.hpp"
#include "scree/core/types.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

struct HullSettings {
  double stiffness = 4e4;   ///< k [N/m] per point
  double damping = 800;     ///< c [N s/m] per point
  double ramp = 0.002;      ///< d_c [m]
  double friction = 0.6;    ///< mu [-]
  double grip_share = 0.6;  ///< k_t / k and c_t / c [-]
};
void describe(Section& section, HullSettings& settings);

struct HullPointMotion {
  Vec3 p_W;  ///< position [m]
  Vec3 v_W;  ///< velocity [m/s]
};

struct HullForce {
  bool touching = false;
  double depth = 0;             ///< m
  Vec3 normal = Vec3::UnitZ();  ///< of the ground
  Vec3 force = Vec3::Zero();    ///< on the robot, world axes [N], if the velocity stays as it is
  Mat3 E = Mat3::Zero();        ///< force lost per acceleration of the point [kg]
  double limit = 0;             ///< mu F_n [N]
};

/// `e`: deflection of the bristle, world axes [m]. dt = 0 gives the force of this instant.
HullForce touch_hull(const HullSettings& hull, const Terrain& terrain, const HullPointMotion& motion,
                     const Vec3& e, double dt, double theta);

/// The bristle after a step in which the point's velocity became `v_new_W`.
Vec3 finish_hull(const HullSettings& hull, const HullForce& force, const HullPointMotion& motion,
                 const Vec3& v_new_W, const Vec3& e, double dt);

/// d e/dt for explicit integrators.
Vec3 hull_rate(const HullSettings& hull, const HullForce& force, const HullPointMotion& motion,
               const Vec3& e);

}  // namespace scree
