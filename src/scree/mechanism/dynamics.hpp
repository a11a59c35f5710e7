#pragma once
/// The equations of motion: solve them for accelerations, or take them apart.
///
/// Generalized coordinates' rates V = (v_WB_B, w_WB_B, joint rates, spin rates), base part in base axes.
/// Accelerations are the rates of change of these with the base's linear part the classical acceleration
/// (the rate of v_WB, turned into base axes), so that a spinning robot in free flight has no w x v term.
///   H a + D = J^T wrenches + forces,   D: velocity terms and gravity (Ding 2011, Eqs. 10-11).
/// All functions need update_kinematics first.
#include <span>

#include "scree/mechanism/kinematics.hpp"

namespace scree {

struct SolveOptions {
  Vec3 gravity = Vec3(0, 0, -9.81);  ///< world axes [m/s²]
  /// Step over which the acceleration will be applied [s]. Above zero, velocity terms (gyroscopic, Coriolis)
  /// are taken in the middle of the step, so that kicking the velocities by it is of second order; a
  /// coupling's position error is pulled back within a few steps. Zero: the plain acceleration now.
  double dt = 0;
};

/// Accelerations (velocity_count) under gravity and the loads of the workspace, by the articulated-body
/// recursion on the apparent inertia I + apparent. Without apparent terms this is forward dynamics.
/// Throws RunError, naming the link or joint, when the apparent inertia is singular or not a number.
void solve(const Tree& tree, const SolveOptions& options, Workspace& workspace,
           std::span<double> accelerations);

/// Adds the joints' own springs, dampers and limit stops to joint_load, with what a step dt takes implicitly:
/// theta dt damping + dt²/4 stiffness. dt = 0 adds plain forces.
void add_joint_forces(const Tree& tree, double dt, double theta, Workspace& workspace);

/// Generalized forces that produce `accelerations` against gravity and the wrenches in link_load
/// (recursive Newton-Euler, Ding 2011 Eqs. 12-15 with erratum 003-13); joint and rotor loads are not read.
void inverse_dynamics(const Tree& tree, const Vec3& gravity, std::span<const double> accelerations,
                      Workspace& workspace, std::span<double> forces);

/// D of Ding 2011 Eq. 11: the generalized forces at zero acceleration and without outside wrenches.
void bias_forces(const Tree& tree, const Vec3& gravity, Workspace& workspace, std::span<double> forces);

/// H of Ding 2011 Eq. 7, by composite bodies: symmetric, velocity_count squared.
void inertia_matrix(const Tree& tree, const Workspace& workspace, MatX& H);

}  // namespace scree
