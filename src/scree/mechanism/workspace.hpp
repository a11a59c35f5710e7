#pragma once
/// Scratch of one mechanism, sized once: what kinematics finds, what others load onto it, what the solve
/// keeps.
///
/// Order within a step: update_kinematics -> clear_loads -> contacts, springs and drives add loads -> solve.
#include <vector>

#include "scree/core/loads.hpp"
#include "scree/mechanism/tree.hpp"

namespace scree {

/// Factors of one link's elimination, kept for further right-hand sides (stage: solve).
struct LinkFactor {
  Mat6 A;     ///< articulated apparent inertia, rotors and outer joints eliminated
  Vec6 p;     ///< what the link lacks to balance, same elimination
  Vec6 u;     ///< acceleration that the coordinates' rates cause
  Vec6 b;     ///< acceleration without them, minus gravity (classical, of the origin)
  Mat3 R_PL;  ///< link in its parent
  Vec3 p_PL;
  Vec6 joint_column, joint_row;  ///< A S and S^T A of the link's joint
  double joint_inverse;          ///< 1 / (S^T A S + armature + apparent); 0 where the acceleration is given
  double joint_residual;         ///< force left for the joint
  double joint_pivot;            ///< S^T A S + armature + apparent
  double joint_given;            ///< acceleration of a prescribed joint, for this right-hand side
  double joint_force;            ///< what a prescribed joint needs beside its loads, for this right-hand side
};

struct RotorFactor {
  Vec6 column, row;
  double inverse;
  double residual;
};

/// The base's 6 x 6 system by 3 x 3 blocks [P Q; T S]: rows of P^-1 and of (S - T P^-1 Q)^-1, columns of T
/// P^-1, each row or column padded to four. `full` is the whole inverse, used when pivots were needed.
struct BaseFactor {
  alignas(32) double P_rows[3][4];
  alignas(32) double TP_columns[3][4];
  alignas(32) double S_rows[3][4];
  Mat6 full;
  bool pivoted = false;
};

struct Workspace {
  explicit Workspace(const Tree& tree);

  // Stage: kinematics.
  std::vector<LinkMotion> link;
  std::vector<double> q, rate;      ///< joint positions and rates as last given
  std::vector<double> angle, spin;  ///< rotor angles and spin rates as last given

  // Stage: loads.
  std::vector<LinkLoad> link_load;
  std::vector<JointLoad> joint_load;
  std::vector<RotorLoad> rotor_load;
  std::vector<double> given;  ///< accelerations of the prescribed joints (others are not read)

  // Stage: solve.
  std::vector<LinkFactor> factor;
  std::vector<RotorFactor> rotor_factor;
  BaseFactor base;
  Vec3 gravity = Vec3::Zero();  ///< of the last solve
  std::vector<Vec3> w_mid;      ///< angular velocities that the velocity terms were taken at, link axes
  std::vector<double> scratch;  ///< one velocity vector
  MatX coupling_columns;        ///< response of the accelerations to each coupling's force
  MatX coupling_matrix;
  VecX coupling_force;  ///< of the last solve, on coordinate a [N m or N]
  VecX coupling_change;
  MatX coupling_given;              ///< force of each prescribed joint per unit of each coupling's force
  std::vector<double> joint_force;  ///< of the last solve: what moves the prescribed joints [N m or N]
};

/// Sets every load to zero.
void clear_loads(Workspace& workspace);

}  // namespace scree
