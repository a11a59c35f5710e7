#include "scree/mechanism/workspace.hpp"

#include "scree/mechanism/block6.hpp"

namespace scree {

Workspace::Workspace(const Tree& tree)
    : link(tree.link_count()),
      q(tree.joint_count(), 0.0),
      rate(tree.joint_count(), 0.0),
      angle(tree.rotor_count(), 0.0),
      spin(tree.rotor_count(), 0.0),
      link_load(tree.link_count()),
      joint_load(tree.joint_count()),
      rotor_load(tree.rotor_count()),
      given(tree.joint_count(), 0.0),
      factor(tree.link_count()),
      rotor_factor(tree.rotor_count()),
      w_mid(tree.link_count(), Vec3::Zero()),
      scratch(tree.velocity_count(), 0.0) {
  const auto couplings = static_cast<Eigen::Index>(tree.couplings().size());
  coupling_columns.setZero(tree.velocity_count(), couplings);
  coupling_matrix.setZero(couplings, couplings);
  coupling_force.setZero(couplings);
  coupling_change.setZero(couplings);
  coupling_given.setZero(tree.joint_count(), couplings);
  joint_force.assign(tree.joint_count(), 0.0);
  for (LinkMotion& motion : link) motion.V_WL_L.setZero();
  for (LinkFactor& f : factor) {
    f.u.setZero();
    f.b.setZero();
    f.R_PL.setIdentity();
    f.p_PL.setZero();
    f.joint_given = f.joint_force = 0;
  }
  clear_loads(*this);
}

void clear_loads(Workspace& workspace) {
  // Stores in place: a call that fills memory costs more than what it fills here.
  const block6::Six zero{};
  for (LinkLoad& load : workspace.link_load) {
    double* A = load.apparent.data();
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) store6(zero, A + 6 * j);
    store6(zero, load.wrench.data());
  }
  for (JointLoad& load : workspace.joint_load) load = {0, 0};
  for (RotorLoad& load : workspace.rotor_load) {
    store6(zero, load.column.data());
    store6(zero, load.row.data());
    load.torque = load.apparent = 0;
  }
}

}  // namespace scree
