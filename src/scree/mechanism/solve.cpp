#include <algorithm>
#include <cmath>

#include "scree/mechanism/articulated.hpp"
#include "scree/mechanism/couplings.hpp"

namespace scree {
namespace {

using namespace block6;

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
    const Six u = articulated::carried(f, load6(ws.factor[joints[j].parent].u.data()));
    store6(articulated::moved(joints[j], u, accelerations[tree.joint_velocity() + j]), f.u.data());
  }
}

/// Imbalance that a link and its rotors have left when the velocity terms are taken at the middle of the
/// step. The first solve holds them with the link's own gyroscopic terms linear in u; what is missing is the
/// change of b (it depends on several links' velocities) and the square of the change d of the link's angular
/// velocity.
void middle_residual(const Tree& tree, int index, const Six& b_change, Lanes d, double half_dt,
                     const double* spin_acceleration, Workspace& ws) {
  const Link& link = tree.links()[index];
  Lanes momentum = load_turn(link.inertia_L.data()) * d;
  double turned[4];
  lane::store(turned, turning(b_change));
  for (const int r : link.rotors) {
    const Rotor& rotor = tree.rotors()[r];
    momentum += (rotor.inertia * half_dt * spin_acceleration[r]) * load4(rotor.axis.data());
    ws.rotor_factor[r].residual = -rotor.inertia * along(rotor.axis.data(), turned);
  }
  const double* I = link.inertia6.data();
  const auto part = [&](int j, double b) { return load6(I + 6 * j) * b; };
  const Six left = (part(0, b_change.head[0]) + (part(1, b_change.head[1]) + part(2, b_change.head[2]))) +
                   (part(3, b_change.head[3]) + (part(4, b_change.tail[0]) + part(5, b_change.tail[1])));
  const Lanes m_p_LC = load4(link.m_p_LC.data());
  store6(left + join(cross3(d, cross3(d, m_p_LC)), cross3(d, momentum)), ws.factor[index].p.data());
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
    const Lanes d = half_dt * turning(f.u);
    const Lanes w = turning(ws.link[i].V_WL_L) + d;
    store3(w, ws.w_mid[i].data());
    Six b_change{};
    if (i > 0) {
      const Joint& joint = joints[i - 1];
      const double rate = ws.rate[i - 1] + half_dt * joint_acceleration[i - 1];
      const Six after = articulated::carry_bias(joint, rate, f, load3(ws.w_mid[joint.parent].data()), w,
                                                load6(ws.factor[joint.parent].b.data()));
      b_change = after - load6(f.b.data());
      store6(after, f.b.data());
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
