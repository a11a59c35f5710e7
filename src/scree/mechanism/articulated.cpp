/// The articulated-body recursion on apparent inertias.
///
/// Every link L has an acceleration a_L = u_L + b_L: u_L = J_L (rates of the generalized velocities) is what
/// the solve looks for, b_L what the links would have without it (centripetal, Coriolis, and minus gravity,
/// which enters as an acceleration of the base). With accelerations of link origins taken as classical ones
/// the velocity of the base does not appear: the equations are the same in every inertial frame.
///   link:   (I + apparent) u + sum column spin' + I b + w x (..) - wrench = force of its joint
///   rotor:  row . u + (inertia + apparent) spin' = torque - inertia axis . b
///   joint:  S . (force of the joint) + (armature + apparent) q'' = force
/// Apparent terms act on u only: they are changes of force with changes of velocity at the present pose.
/// Rotors are eliminated into their link, links into their parent from the tips to the base; what remains is
/// a 6 x 6 system there. The matrix is not symmetric (friction couples normal and tangent), so rows and
/// columns are kept apart. Featherstone's recursion is the symmetric case.
#include <Eigen/LU>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/mechanism/articulated.hpp"

namespace scree {
namespace {

/// The gyroscopic terms' dependence on the angular velocity, times h: w x (w x mc) and w x (I w + spin
/// momentum).
inline void add_gyroscopic(const Link& link, const Vec3& w, const Vec3& momentum, double h, Mat6& A) {
  const Vec3& c = link.m_p_LC;
  const Mat3& I = link.inertia_L;
  const Vec3 hw = h * w, hm = h * momentum;
  const double along = hw.dot(c);
  for (int j = 0; j < 3; ++j) {
    double* column = A.data() + 6 * (3 + j);
    for (int i = 0; i < 3; ++i) column[i] += hw[i] * c[j] - 2 * c[i] * hw[j];
    column[j] += along;
    column[3] += hw[1] * I(2, j) - hw[2] * I(1, j);
    column[4] += hw[2] * I(0, j) - hw[0] * I(2, j);
    column[5] += hw[0] * I(1, j) - hw[1] * I(0, j);
  }
  double* a = A.data();
  a[6 * 4 + 3] += hm[2], a[6 * 3 + 4] -= hm[2];
  a[6 * 3 + 5] += hm[1], a[6 * 5 + 3] -= hm[1];
  a[6 * 5 + 4] += hm[0], a[6 * 4 + 5] -= hm[0];
}

/// A link's own matrix and imbalance, and its rotors' rows, before any elimination.
inline void assemble_link(const Tree& tree, int index, double half_dt, Workspace& ws) {
  const Link& link = tree.links()[index];
  const LinkLoad& load = ws.link_load[index];
  LinkFactor& f = ws.factor[index];
  const Vec3 w = ws.link[index].V_WL_L.tail<3>();
  const Vec3 lin = f.b.head<3>(), ang = f.b.tail<3>();
  Vec3 momentum = link.inertia_L * w;
  for (const int r : link.rotors) {
    const Rotor& rotor = tree.rotors()[r];
    const RotorLoad& rl = ws.rotor_load[r];
    RotorFactor& rf = ws.rotor_factor[r];
    const Vec3 Is = rotor.inertia * rotor.axis;
    momentum += ws.spin[r] * Is;
    rf.column = rl.column;
    rf.row = rl.row;
    rf.column.tail<3>() += Is + half_dt * w.cross(Is);
    rf.row.tail<3>() += Is;
    rf.inverse = 1 / (rotor.inertia + rl.apparent);
    rf.residual = rl.torque - Is.dot(ang);
  }
  const Vec3& c = link.m_p_LC;
  f.p.head<3>() = link.mass * lin + ang.cross(c) + w.cross(w.cross(c)) - load.wrench.head<3>();
  f.p.tail<3>() = c.cross(lin) + link.inertia_L * ang + w.cross(momentum) - load.wrench.tail<3>();
  const double *inertia = link.inertia6.data(), *apparent = load.apparent.data();
  double* a = f.A.data();
  for (int i = 0; i < 36; ++i) a[i] = inertia[i] + apparent[i];
  if (half_dt > 0) add_gyroscopic(link, w, momentum, half_dt, f.A);
}

[[gnu::cold, gnu::noinline]] void joint_failed(const Tree& tree, const Joint& joint, double pivot) {
  run_error("{}: joint '{}': apparent inertia {} cannot be solved for an acceleration", tree.name(),
            joint.name, pivot);
}

[[gnu::cold, gnu::noinline]] void rotor_failed(const Tree& tree, const Rotor& rotor, double inverse) {
  run_error("{}: rotor '{}': apparent spin inertia {} cannot be solved for an acceleration", tree.name(),
            rotor.name, 1 / inverse);
}

/// A base matrix that the 3 x 3 blocks do not serve: pivots, or the end of the run.
[[gnu::cold, gnu::noinline]] void invert_base_pivoted(const Tree& tree, Workspace& ws) {
  const Mat6& A = ws.factor[0].A;
  const Eigen::FullPivLU<Mat6> lu(A);
  if (!A.allFinite() || !lu.isInvertible()) {
    run_error("{}: base '{}': apparent inertia is {}", tree.name(), tree.links()[0].name,
              A.allFinite() ? "singular" : "not a finite number");
  }
  ws.base.full = lu.inverse();
  ws.base.pivoted = true;
}

/// 3 x 3 blocks with one division each are faster than six pivots in a row; safe while the linear block and
/// its complement have positive determinants, which any inertia has, and friction rarely changes.
inline void factor_base(const Tree& tree, Workspace& ws) {
  BaseFactor& base = ws.base;
  const Mat6& A = ws.factor[0].A;
  const double det_P = block6::invert3(A.data(), 6, base.P_inverse);
  base.PQ.noalias() = base.P_inverse * A.block<3, 3>(0, 3);
  base.T = A.block<3, 3>(3, 0);
  const Mat3 S = A.block<3, 3>(3, 3) - base.T * base.PQ;
  const double det_S = block6::invert3(S.data(), 3, base.S_inverse);
  base.pivoted = false;
  constexpr double kLargest = 1e300;
  if (!(det_P > 1e-300 && det_S > 1e-300 && det_P < kLargest && det_S < kLargest))
    invert_base_pivoted(tree, ws);
}

inline Vec6 solve_base(const BaseFactor& base, const Vec6& f) {
  if (base.pivoted) return base.full * f;
  const Vec3 y = base.P_inverse * f.head<3>();
  const Vec3 ang = base.S_inverse * (f.tail<3>() - base.T * y);
  Vec6 u;
  u.head<3>() = y - base.PQ * ang;
  u.tail<3>() = ang;
  return u;
}

inline void eliminate_rotors(const Tree& tree, int index, Workspace& ws) {
  for (const int r : tree.links()[index].rotors) {
    const RotorFactor& rf = ws.rotor_factor[r];
    if (!(std::abs(rf.inverse) < 1e30)) rotor_failed(tree, tree.rotors()[r], rf.inverse);
    block6::eliminate(rf.column, rf.row, rf.inverse, ws.factor[index].A);
  }
}

/// A_P += X^T A X, where X carries motions of the parent's frame to the link's.
inline void add_to_parent(const LinkFactor& f, Mat6& A_P) {
  const Mat3& R = f.R_PL;
  const Mat3 p = skew(f.p_PL);
  const auto turned = [&](int i, int j) { return Mat3(R * Mat3(f.A.block<3, 3>(i, j)) * R.transpose()); };
  const Mat3 P = turned(0, 0), Q = turned(0, 3), T = turned(3, 0), S = turned(3, 3);
  const Mat3 T_P = T + p * P;
  A_P.block<3, 3>(0, 0) += P;
  A_P.block<3, 3>(0, 3) += Q - P * p;
  A_P.block<3, 3>(3, 0) += T_P;
  A_P.block<3, 3>(3, 3) += S + p * Q - T_P * p;
}

void eliminate_joint(const Tree& tree, int j, Workspace& ws) {
  const Joint& joint = tree.joints()[j];
  LinkFactor& f = ws.factor[j + 1];
  const int at = joint.type == JointType::revolute ? 3 : 0;
  f.joint_column.noalias() = f.A.middleCols<3>(at) * joint.axis;
  f.joint_row.noalias() = f.A.middleRows<3>(at).transpose() * joint.axis;
  const double pivot =
      joint.axis.dot(f.joint_column.segment<3>(at)) + joint.settings.armature + ws.joint_load[j].apparent;
  if (!(std::abs(pivot) > 1e-14 * joint.inertia_scale) || !(std::abs(pivot) < 1e300)) {
    joint_failed(tree, joint, pivot);
  }
  f.joint_inverse = 1 / pivot;
  block6::eliminate(f.joint_column, f.joint_row, f.joint_inverse, f.A);
  add_to_parent(f, ws.factor[joint.parent].A);
}

inline void absorb_rotors(const Tree& tree, int index, Workspace& ws) {
  for (const int r : tree.links()[index].rotors) {
    const RotorFactor& rf = ws.rotor_factor[r];
    ws.factor[index].p += (rf.residual * rf.inverse) * rf.column;
  }
}

inline void spin_up(const Tree& tree, int index, const Workspace& ws, double* rotor_acceleration) {
  for (const int r : tree.links()[index].rotors) {
    const RotorFactor& rf = ws.rotor_factor[r];
    rotor_acceleration[r] = (rf.residual - rf.row.dot(ws.factor[index].u)) * rf.inverse;
  }
}

}  // namespace

namespace articulated {

void assemble(const Tree& tree, const SolveOptions& options, Workspace& ws) {
  ws.gravity = options.gravity;
  const double half_dt = 0.5 * options.dt;
  ws.factor[0].b = block6::join(-(ws.link[0].X_WL.R.transpose() * options.gravity), Vec3::Zero());
  assemble_link(tree, 0, half_dt, ws);
  const auto joints = tree.joints();
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const Joint& joint = joints[j];
    carry_bias(joint, ws.rate[j], ws.factor[j + 1], ws.link[joint.parent].V_WL_L.tail<3>(),
               ws.link[j + 1].V_WL_L.tail<3>(), ws.factor[joint.parent].b, ws.factor[j + 1].b);
    assemble_link(tree, j + 1, half_dt, ws);
    ws.factor[j + 1].joint_residual = ws.joint_load[j].force;
  }
}

/// From the tips to the base: everything about the matrix.
void factorize(const Tree& tree, Workspace& ws) {
  for (int j = tree.joint_count() - 1; j >= 0; --j) {
    eliminate_rotors(tree, j + 1, ws);
    eliminate_joint(tree, j, ws);
  }
  if (tree.fixed_base()) return;
  eliminate_rotors(tree, 0, ws);
  factor_base(tree, ws);
}

/// Right-hand side p of the links and residuals of joints and rotors -> accelerations, with the kept factors.
void substitute(const Tree& tree, Workspace& ws, double* accelerations) {
  const auto joints = tree.joints();
  for (int j = tree.joint_count() - 1; j >= 0; --j) {
    LinkFactor& f = ws.factor[j + 1];
    absorb_rotors(tree, j + 1, ws);
    f.joint_residual -= joints[j].axis.dot(f.p.segment<3>(joints[j].type == JointType::revolute ? 3 : 0));
    const Vec6 p = f.p + (f.joint_residual * f.joint_inverse) * f.joint_column;
    const Vec3 force = f.R_PL * p.head<3>();
    Vec6& p_P = ws.factor[joints[j].parent].p;
    p_P.head<3>() += force;
    p_P.tail<3>() += f.R_PL * p.tail<3>() + f.p_PL.cross(force);
  }
  double* joint_acceleration = accelerations + tree.joint_velocity();
  double* rotor_acceleration = accelerations + tree.rotor_velocity();
  if (tree.fixed_base()) {
    ws.factor[0].u.setZero();
  } else {
    absorb_rotors(tree, 0, ws);
    ws.factor[0].u = solve_base(ws.base, -ws.factor[0].p);
    for (int i = 0; i < 6; ++i) accelerations[i] = ws.factor[0].u[i];
  }
  spin_up(tree, 0, ws, rotor_acceleration);
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    LinkFactor& f = ws.factor[j + 1];
    f.u = carried(f, ws.factor[joints[j].parent].u);
    joint_acceleration[j] = (f.joint_residual - f.joint_row.dot(f.u)) * f.joint_inverse;
    f.u.segment<3>(joints[j].type == JointType::revolute ? 3 : 0) += joint_acceleration[j] * joints[j].axis;
    spin_up(tree, j + 1, ws, rotor_acceleration);
  }
}

}  // namespace articulated
}  // namespace scree
