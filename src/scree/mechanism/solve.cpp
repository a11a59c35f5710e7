#include <algorithm>
#include <cmath>

#include "scree/mechanism/articulated.hpp"
#include "scree/mechanism/couplings.hpp"

namespace scree {
namespace {

/// Forces of prescribed joints of the last right-hand side, onto those of the ones before.
void add_joint_forces_found(Workspace& ws) {
  for (std::size_t j = 0; j < ws.joint_force.size(); ++j) ws.joint_force[j] += ws.factor[j + 1].joint_force;
}

/// u of all links from the accelerations.
void spread(const Tree& tree, const double* accelerations, Workspace& ws) {
  if (!tree.fixed_base()) ws.factor[0].u = Eigen::Map<const Vec6>(accelerations);
  const auto joints = tree.joints();
  for (int j = 0; j < tree.joint_count(); ++j) {
    LinkFactor& f = ws.factor[j + 1];
    f.u = articulated::carried(f, ws.factor[joints[j].parent].u);
    f.u.segment<3>(joints[j].type == JointType::revolute ? 3 : 0) +=
        accelerations[tree.joint_velocity() + j] * joints[j].axis;
  }
}

/// Imbalance that a link and its rotors have left when the velocity terms are taken at the middle of the
/// step. The first solve holds them with the link's own gyroscopic terms linear in u; what is missing is the
/// change of b (it depends on several links' velocities) and the square of the change d of the link's angular
/// velocity.
void middle_residual(const Tree& tree, int index, const Vec6& b_change, const Vec3& d, double half_dt,
                     const double* spin_acceleration, Workspace& ws) {
  const Link& link = tree.links()[index];
  Vec3 momentum = link.inertia_L * d;
  for (const int r : link.rotors) {
    const Rotor& rotor = tree.rotors()[r];
    momentum += rotor.inertia * half_dt * spin_acceleration[r] * rotor.axis;
    ws.rotor_factor[r].residual = -rotor.inertia * rotor.axis.dot(b_change.tail<3>());
  }
  ws.factor[index].p = link.inertia6 * b_change;
  ws.factor[index].p.head<3>() += d.cross(d.cross(link.m_p_LC));
  ws.factor[index].p.tail<3>() += d.cross(momentum);
}

/// One step of Newton's method, with the factors at hand, towards accelerations whose velocity terms are
/// those of the velocities in the middle of the step. Error of the accelerations: O(dt²).
void correct_to_middle(const Tree& tree, double dt, double* accelerations, Workspace& ws) {
  const double half_dt = 0.5 * dt;
  const double* joint_acceleration = accelerations + tree.joint_velocity();
  const double* spin_acceleration = accelerations + tree.rotor_velocity();
  const auto joints = tree.joints();
  for (int i = 0; i < tree.link_count(); ++i) {
    LinkFactor& f = ws.factor[i];
    const Vec3 d = half_dt * f.u.tail<3>();
    ws.w_mid[i] = ws.link[i].V_WL_L.tail<3>() + d;
    Vec6 b_change = Vec6::Zero();
    if (i > 0) {
      const Joint& joint = joints[i - 1];
      const double rate = ws.rate[i - 1] + half_dt * joint_acceleration[i - 1];
      const Vec6 before = f.b;
      articulated::carry_bias(joint, rate, f, ws.w_mid[joint.parent], ws.w_mid[i], ws.factor[joint.parent].b,
                              f.b);
      b_change = f.b - before;
    }
    middle_residual(tree, i, b_change, d, half_dt, spin_acceleration, ws);
    f.joint_residual = f.joint_given = 0;
  }
  double* change = ws.scratch.data();
  articulated::absorb_rotors(tree, ws);
  articulated::substitute(tree, ws, change);
  if (tree.prescribed()) add_joint_forces_found(ws);
  keep_coupled(tree, change, ws);
  for (int i = 0; i < tree.velocity_count(); ++i) accelerations[i] += change[i];
  spread(tree, accelerations, ws);
}

}  // namespace

void solve(const Tree& tree, const SolveOptions& options, Workspace& ws, std::span<double> accelerations) {
  articulated::assemble(tree, options, ws);
  articulated::factorize(tree, ws);
  articulated::substitute(tree, ws, accelerations.data());
  if (tree.prescribed()) {
    std::fill(ws.joint_force.begin(), ws.joint_force.end(), 0.0);
    add_joint_forces_found(ws);
  }
  if (!tree.couplings().empty()) {
    couple(tree, options.dt, accelerations.data(), ws);
    spread(tree, accelerations.data(), ws);
  }
  if (options.dt > 0 && tree.joint_count() > 0) {
    correct_to_middle(tree, options.dt, accelerations.data(), ws);
  } else {
    for (int i = 0; i < tree.link_count(); ++i) {
      const double *w = ws.link[i].V_WL_L.data() + 3, *u = ws.factor[i].u.data() + 3;
      for (int k = 0; k < 3; ++k) ws.w_mid[i][k] = w[k] + 0.5 * options.dt * u[k];
    }
  }
}

}  // namespace scree
