#pragma once
/// Where the links are and how they move (Ding 2011, Eqs. 1-5, with errata 003-2 to 003-5).
#include <span>

#include "scree/mechanism/workspace.hpp"

namespace scree {

/// Poses and velocities of all links from the state (see tree.hpp for the layout). Does not touch the loads.
void update_kinematics(const Tree& tree, std::span<const double> positions,
                       std::span<const double> velocities, Workspace& workspace);

/// Position of a link's point in the world [m].
inline Vec3 point_position(const Workspace& workspace, int link, const Vec3& p_LP) {
  return workspace.link[link].X_WL * p_LP;
}
/// Velocity of a link's point in the world, in world axes [m/s].
Vec3 point_velocity(const Workspace& workspace, int link, const Vec3& p_LP);
/// Acceleration of a link's point in the world, in world axes [m/s²], after solve() with the accelerations it
/// found. Without gravity subtracted: zero for a robot at rest.
Vec3 point_acceleration(const Workspace& workspace, int link, const Vec3& p_LP);
/// What an accelerometer at the point reads, link axes [m/s²]: acceleration minus gravity.
Vec3 specific_force(const Workspace& workspace, int link, const Vec3& p_LP);

/// J with (v_WP_L; w_WL_L) = J V, for V = (v_WB_B, w_WB_B, joint rates, spin rates): base part in base axes.
/// 6 x velocity_count. Transposed, it carries a wrench at P in link axes to generalized forces.
MatX point_jacobian(const Tree& tree, const Workspace& workspace, int link, const Vec3& p_LP);

/// V with the base's linear velocity in base axes, as the matrices of dynamics.hpp and the Jacobian take it.
VecX body_velocities(const Tree& tree, const Workspace& workspace);

}  // namespace scree
