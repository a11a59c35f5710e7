/// Recursive Newton-Euler and composite bodies: the equations of motion without solving them.
#include "scree/mechanism/articulated.hpp"

namespace scree {
namespace {

/// A wrench on a link, carried to its parent's frame.
Vec6 to_parent(const LinkFactor& f, const Vec6& wrench) {
  const Vec3 force = f.R_PL * wrench.head<3>();
  return block6::join(force, f.R_PL * wrench.tail<3>() + f.p_PL.cross(force));
}

/// Offset of a joint's three components in a spatial vector.
int segment(const Joint& joint) { return joint.type == JointType::revolute ? 3 : 0; }

/// What one link needs from its joint, its rotors included, and the torques of these. b holds its
/// acceleration.
void balance_link(const Tree& tree, int index, const double* spin_acceleration, double* spin_torque,
                  Workspace& ws) {
  const Link& link = tree.links()[index];
  LinkFactor& f = ws.factor[index];
  const Vec3 w = ws.link[index].V_WL_L.tail<3>();
  Vec3 spin_momentum = Vec3::Zero(), spin_moment = Vec3::Zero();
  for (const int r : link.rotors) {
    const Rotor& rotor = tree.rotors()[r];
    spin_torque[r] = rotor.inertia * (rotor.axis.dot(f.b.tail<3>()) + spin_acceleration[r]);
    spin_momentum += rotor.inertia * ws.spin[r] * rotor.axis;
    spin_moment += rotor.inertia * spin_acceleration[r] * rotor.axis;
  }
  f.p = link.inertia6 * f.b;
  f.p.head<3>() += w.cross(w.cross(link.m_p_LC));
  f.p.tail<3>() += w.cross(link.inertia_L * w + spin_momentum) + spin_moment;
}

/// Ding 2011, Eqs. 12-15, in link axes about the link's origin (the joint), where
///   f = m (a_C - g) - F_e + sum of the children's f,   m = I w' + w x I w + c x m (a - g) - M_e + ...
/// With c from the joint to the centre of mass the moment term of Eq. 13 has a plus sign (erratum 003-13);
/// a prismatic link's origin moves along with it, so the lambda_P term is in p_PL.
/// Accelerations a - g: gravity enters as an acceleration of the base.
void newton_euler(const Tree& tree, const Vec3& gravity, const double* accelerations, bool outside_wrenches,
                  Workspace& ws, double* forces) {
  const auto joints = tree.joints();
  const double* joint_acceleration = accelerations + tree.joint_velocity();
  ws.factor[0].b = block6::join(-(ws.link[0].X_WL.R.transpose() * gravity), Vec3::Zero());
  if (!tree.fixed_base()) ws.factor[0].b += Eigen::Map<const Vec6>(accelerations);
  for (int i = 0; i < tree.link_count(); ++i) {
    LinkFactor& f = ws.factor[i];
    if (i > 0) {
      const Joint& joint = joints[i - 1];
      const block6::Six bias = articulated::carry_bias(
          joint, ws.rate[i - 1], f, block6::turning(ws.link[joint.parent].V_WL_L),
          block6::turning(ws.link[i].V_WL_L), block6::load6(ws.factor[joint.parent].b.data()));
      block6::store6(bias, f.b.data());
      f.b.segment<3>(segment(joint)) += joint_acceleration[i - 1] * joint.axis;
    }
    balance_link(tree, i, accelerations + tree.rotor_velocity(), forces + tree.rotor_velocity(), ws);
    if (outside_wrenches) f.p -= ws.link_load[i].wrench;
  }
  for (int j = tree.joint_count() - 1; j >= 0; --j) {
    const LinkFactor& f = ws.factor[j + 1];
    forces[tree.joint_velocity() + j] = joints[j].axis.dot(f.p.segment<3>(segment(joints[j]))) +
                                        joints[j].settings.armature * joint_acceleration[j];
    ws.factor[joints[j].parent].p += to_parent(f, f.p);
  }
  for (int i = 0; i < tree.joint_velocity(); ++i) forces[i] = ws.factor[0].p[i];
}

/// Fills column `at` (and its row) of H with what a unit acceleration there asks of all coordinates inward,
/// where it makes the composite body of `link` need `wrench`.
void fill_column(const Tree& tree, const Workspace& ws, int at, int link, Vec6 wrench, MatX& H) {
  for (int i = link; i > 0; i = tree.joints()[i - 1].parent) {
    const Joint& joint = tree.joints()[i - 1];
    const int row = tree.joint_velocity() + i - 1;
    if (row != at) {
      H(row, at) = joint.axis.dot(wrench.segment<3>(segment(joint)));
      H(at, row) = H(row, at);
    }
    wrench = to_parent(ws.factor[i], wrench);
  }
  if (tree.fixed_base()) return;
  H.block<6, 1>(0, at) = wrench;
  H.block<1, 6>(at, 0) = wrench.transpose();
}

}  // namespace

void inverse_dynamics(const Tree& tree, const Vec3& gravity, std::span<const double> accelerations,
                      Workspace& ws, std::span<double> forces) {
  newton_euler(tree, gravity, accelerations.data(), true, ws, forces.data());
}

void bias_forces(const Tree& tree, const Vec3& gravity, Workspace& ws, std::span<double> forces) {
  for (double& zero : ws.scratch) zero = 0;
  newton_euler(tree, gravity, ws.scratch.data(), false, ws, forces.data());
}

void inertia_matrix(const Tree& tree, const Workspace& ws, MatX& H) {
  const int n = tree.velocity_count();
  H.setZero(n, n);
  std::vector<Mat6> composite(tree.link_count());
  for (int i = 0; i < tree.link_count(); ++i) composite[i] = tree.links()[i].inertia6;
  for (int i = tree.link_count() - 1; i > 0; --i) {
    const Joint& joint = tree.joints()[i - 1];
    const LinkFactor& f = ws.factor[i];
    Mat6 X;  // motions of the parent's frame to the link's
    X << f.R_PL.transpose(), -f.R_PL.transpose() * skew(f.p_PL), Mat3::Zero(), f.R_PL.transpose();
    composite[joint.parent] += X.transpose() * composite[i] * X;
    const int at = tree.joint_velocity() + i - 1;
    const int part = segment(joint);
    const Vec6 wrench = composite[i].middleCols<3>(part) * joint.axis;
    H(at, at) = joint.axis.dot(wrench.segment<3>(part)) + joint.settings.armature;
    fill_column(tree, ws, at, i, wrench, H);
  }
  for (int r = 0; r < tree.rotor_count(); ++r) {
    const Rotor& rotor = tree.rotors()[r];
    const int at = tree.rotor_velocity() + r;
    const Vec6 wrench = block6::join(Vec3::Zero(), rotor.inertia * rotor.axis);
    H(at, at) = rotor.inertia;
    fill_column(tree, ws, at, rotor.link, wrench, H);
  }
  if (!tree.fixed_base()) H.topLeftCorner<6, 6>() = composite[0];
}

}  // namespace scree
