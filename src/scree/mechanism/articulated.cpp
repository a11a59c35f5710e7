/// The articulated-body recursion on apparent inertias.
///
/// Every link L has an acceleration a_L = u_L + b_L: u_L = J_L (rates of the generalized velocities) is what
/// the solve looks for, b_L what the links would have without it (centripetal, Coriolis, and minus gravity,
/// which enters as an acceleration of the base). With accelerations of link origins taken as classical ones
/// the velocity of the base does not appear: the equations are the same in every inertial frame.
///   link:   (I + apparent) u + sum column spin' + I b + w x (..) - wrench = force of its joint
///   rotor:  row . u + (inertia + apparent) spin' = torque - inertia axis . b
///   joint:  S . (force of the joint) + (armature + apparent) q'' = force
/// A prescribed joint's q'' is given: its column goes to the right-hand side and its row tells the force that
/// must be added to do it. The base may be held the same way.
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

using namespace lane;
using namespace block6;

/// Columns xx, xy, .. of Link::gyroscopic that belong to column j of the derivative.
constexpr int kHessian[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/// What a link has of its own: matrix columns and imbalance, in registers.
struct LinkSystem {
  Six A[6];
  Six p;
};

/// Inertia and gyroscopic terms. These are quadratic in w, so that their derivative G(w) is linear and they
/// are G(w) w/2; the momentum h of the spinning rotors adds w x h. `half_dt` G goes into the matrix.
template <bool is_base>
inline LinkSystem link_system(const Link& link, const LinkLoad& load, const double* w, const Six& h,
                              const Vec6& b, double half_dt) {
  LinkSystem s;
  const double *inertia = link.inertia6.data(), *apparent = load.apparent.data();
  s.p = load6(load.wrench.data()) * -1.0;
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const Six column = load6(inertia + 6 * j);
    s.A[j] = column + load6(apparent + 6 * j);
    if (!is_base || j < 3) s.p = s.p + column * b[j];  // a base's b is minus gravity: no turning
  }
  const double hx = h.head[3], hy = h.tail[0], hz = h.tail[1];
  const Six turned[3] = {angular(0, -hz, hy), angular(hz, 0, -hx), angular(-hy, hx, 0)};  // e_j x h
  const double* gyroscopic = link.gyroscopic.data();
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    const Six G = load6(gyroscopic + 6 * kHessian[0][j]) * w[0] +
                  load6(gyroscopic + 6 * kHessian[1][j]) * w[1] +
                  load6(gyroscopic + 6 * kHessian[2][j]) * w[2];
    s.p = s.p + (G * 0.5 + turned[j]) * w[j];
    s.A[3 + j] = s.A[3 + j] + (G + turned[j]) * half_dt;
  }
  return s;
}

[[gnu::cold, gnu::noinline]] void rotor_failed(const Tree& tree, const Rotor& rotor, double pivot) {
  run_error("{}: rotor '{}': apparent spin inertia {} cannot be solved for an acceleration", tree.name(),
            rotor.name, pivot);
}

/// Six columns as rotors are taken out of them: their heads, and their tails two by two, which fill
/// registers.
struct Columns {
  explicit Columns(const Six (&A)[6]) {
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) head[j] = A[j].head;
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) tails[i] = both(A[2 * i].tail, A[2 * i + 1].tail);
  }
  static Lanes both(Pair a, Pair b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3); }

  /// A -= column row^T.
  void take(const Six& column, const Six& row) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) head[j] -= column.head * lanes(row.head[j]);
    head[4] -= column.head * lanes(row.tail[0]);
    head[5] -= column.head * lanes(row.tail[1]);
    const Lanes twice = both(column.tail, column.tail);
    tails[0] -= twice * __builtin_shufflevector(row.head, row.head, 0, 0, 1, 1);
    tails[1] -= twice * __builtin_shufflevector(row.head, row.head, 2, 2, 3, 3);
    tails[2] -= twice * __builtin_shufflevector(row.tail, row.tail, 0, 0, 1, 1);
  }
  void store(double* A) const {
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const Pair tail = j % 2 == 0 ? __builtin_shufflevector(tails[j / 2], tails[j / 2], 0, 1)
                                   : __builtin_shufflevector(tails[j / 2], tails[j / 2], 2, 3);
      store6({head[j], tail}, A + 6 * j);
    }
  }

  Lanes head[6], tails[3];
};

/// Takes a rotor's row out of its link's system, A and p, and keeps it.
template <bool is_base>
inline void eliminate_rotor(const Tree& tree, const Rotor& rotor, const RotorLoad& load, const double* w,
                            const Vec6& b, double half_dt, Columns& A, Six& p, RotorFactor& rf) {
  const double* turned = rotor.turned.data();
  const Six momentum = load6(rotor.momentum.data());
  const Six column = load6(load.column.data()) + momentum + load6(turned) * (half_dt * w[0]) +
                     load6(turned + 6) * (half_dt * w[1]) + load6(turned + 12) * (half_dt * w[2]);
  const Six row = load6(load.row.data()) + momentum;
  store6(column, rf.column.data());
  store6(row, rf.row.data());
  const double pivot = rotor.inertia + load.apparent;
  if (!(std::abs(pivot) > 1e-14 * rotor.inertia)) rotor_failed(tree, rotor, pivot);
  rf.inverse = 1 / pivot;
  rf.residual = load.torque;
  if (!is_base) rf.residual -= dot3(rotor.momentum.data() + 3, b.data() + 3);
  const Six scaled = column * rf.inverse;
  A.take(scaled, row);
  p = p + scaled * rf.residual;
}

/// A link's matrix and imbalance with its rotors eliminated.
template <bool is_base>
inline void assemble_link(const Tree& tree, int index, double half_dt, Workspace& ws) {
  const Link& link = tree.links()[index];
  LinkFactor& f = ws.factor[index];
  const double* w = ws.link[index].V_WL_L.data() + 3;
  const Rotor* rotors = tree.rotors().data();
  const RotorLoad* loads = ws.rotor_load.data();
  RotorFactor* factors = ws.rotor_factor.data();
  Six h = angular(0, 0, 0);
  for (const int r : link.rotors) h = h + load6(rotors[r].momentum.data()) * ws.spin[r];
  const LinkSystem s = link_system<is_base>(link, ws.link_load[index], w, h, f.b, half_dt);
  Columns A(s.A);
  Six p = s.p;
  for (const int r : link.rotors)
    eliminate_rotor<is_base>(tree, rotors[r], loads[r], w, f.b, half_dt, A, p, factors[r]);
  A.store(f.A.data());
  store6(p, f.p.data());
}

[[gnu::cold, gnu::noinline]] void joint_failed(const Tree& tree, const Joint& joint, double pivot) {
  run_error("{}: joint '{}': apparent inertia {} cannot be solved for an acceleration", tree.name(),
            joint.name, pivot);
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

/// Elements 3, 4, 5 of a column, read as it was stored: a load across two fresh stores has to wait for both.
inline Lanes lower_half(const double* column) {
  const Six c = load6(column);
  return Lanes{c.head[3], c.tail[0], c.tail[1], 0};
}

/// 3 x 3 blocks with one division each, off the critical path, are faster than six pivots in a row; safe
/// while the linear block and its complement have positive determinants, as any inertia has; friction may
/// differ.
inline void factor_base(const Tree& tree, Workspace& ws) {
  BaseFactor& base = ws.base;
  const double* A = ws.factor[0].A.data();
  const double* Q = A + 18;
  const double det_P = cofactor_rows(load4(A), load4(A + 6), load4(A + 12), base.P_rows);
  const Lanes inverse_P = lanes(1 / det_P);
  const Lanes T[3] = {lower_half(A), lower_half(A + 6), lower_half(A + 12)};
  Lanes TP[3], C[3];
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    TP[k] =
        T[0] * lanes(base.P_rows[0][k]) + T[1] * lanes(base.P_rows[1][k]) + T[2] * lanes(base.P_rows[2][k]);
  }
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    const Lanes TPQ = TP[0] * lanes(Q[6 * j]) + TP[1] * lanes(Q[6 * j + 1]) + TP[2] * lanes(Q[6 * j + 2]);
    C[j] = lower_half(Q + 6 * j) - TPQ * inverse_P;
  }
  const double det_S = cofactor_rows(C[0], C[1], C[2], base.S_rows);
  const Lanes inverse_S = lanes(1 / det_S);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    store(base.P_rows[k], load4(base.P_rows[k]) * inverse_P);
    store(base.TP_columns[k], TP[k] * inverse_P);
    store(base.S_rows[k], load4(base.S_rows[k]) * inverse_S);
  }
  base.pivoted = false;
  constexpr double kLeast = 1e-300, kMost = 1e300;
  if (!(det_P > kLeast && det_S > kLeast && det_P < kMost && det_S < kMost)) invert_base_pivoted(tree, ws);
}

/// u with A u = -p.
inline Six solve_base(const BaseFactor& base, const Mat6& A, const Vec6& p) {
  if (base.pivoted) {
    const Vec6 u = -(base.full * p);
    return load6(u.data());
  }
  const double* Q = A.data() + 18;
  const Lanes TPp = load4(base.TP_columns[0]) * lanes(p[0]) + load4(base.TP_columns[1]) * lanes(p[1]) +
                    load4(base.TP_columns[2]) * lanes(p[2]);
  const double moment[3] = {TPp[0] - p[3], TPp[1] - p[4], TPp[2] - p[5]};
  const double ang[3] = {dot3(base.S_rows[0], moment), dot3(base.S_rows[1], moment),
                         dot3(base.S_rows[2], moment)};
  const Lanes lost = load4(p.data()) + load4(Q) * lanes(ang[0]) + load4(Q + 6) * lanes(ang[1]) +
                     load4(Q + 12) * lanes(ang[2]);
  const double force[3] = {-lost[0], -lost[1], -lost[2]};
  return {
      Lanes{dot3(base.P_rows[0], force), dot3(base.P_rows[1], force), dot3(base.P_rows[2], force), ang[0]},
      Pair{ang[1], ang[2]}};
}

/// A_P += X^T A X, where X = [R^T, -R^T [p]; 0, R^T] carries motions of the parent's frame to the link's:
/// columns first (A X, in registers), then each column as the wrench that it is.
inline void add_to_parent(const LinkFactor& f, Mat6& A_P) {
  const double *A = f.A.data(), *R = f.R_PL.data(), *p = f.p_PL.data();
  Six B[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const double *block = A + (j < 3 ? 0 : 18), *row = R + j % 3;
    B[j] = load6(block) * row[0] + load6(block + 6) * row[3] + load6(block + 12) * row[6];
  }
  B[3] = B[3] + (B[2] * p[1] - B[1] * p[2]);
  B[4] = B[4] + (B[0] * p[2] - B[2] * p[0]);
  B[5] = B[5] + (B[1] * p[0] - B[0] * p[1]);
  const Lanes R0 = load4(R), R1 = load4(R + 3), R2 = {R[6], R[7], R[8], 0};
  const Lanes p1 = {p[1], p[2], p[0], 0}, p2 = {p[2], p[0], p[1], 0};
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const Lanes force = R0 * lanes(B[j].head[0]) + R1 * lanes(B[j].head[1]) + R2 * lanes(B[j].head[2]);
    const Lanes moment = R0 * lanes(B[j].head[3]) + R1 * lanes(B[j].tail[0]) + R2 * lanes(B[j].tail[1]) +
                         p1 * __builtin_shufflevector(force, force, 2, 0, 1, 3) -
                         p2 * __builtin_shufflevector(force, force, 1, 2, 0, 3);
    const Six column = {__builtin_shufflevector(force, moment, 0, 1, 2, 4), Pair{moment[1], moment[2]}};
    double* target = A_P.data() + 6 * j;
    store6(load6(target) + column, target);
  }
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
  f.joint_inverse = joint.settings.prescribed ? 0 : 1 / pivot;
  f.joint_pivot = pivot;
  block6::eliminate(f.joint_column, f.joint_row, f.joint_inverse, f.A);
  add_to_parent(f, ws.factor[joint.parent].A);
}

inline void spin_up(const Tree& tree, int index, const Workspace& ws, double* rotor_acceleration) {
  const Six u = load6(ws.factor[index].u.data());
  for (const int r : tree.links()[index].rotors) {
    const RotorFactor& rf = ws.rotor_factor[r];
    rotor_acceleration[r] = (rf.residual - dot(load6(rf.row.data()), u)) * rf.inverse;
  }
}

}  // namespace

namespace articulated {

void assemble(const Tree& tree, const SolveOptions& options, Workspace& ws) {
  ws.gravity = options.gravity;
  const double half_dt = 0.5 * options.dt;
  const double *R = ws.link[0].X_WL.R.data(), *g = options.gravity.data();
  double* b = ws.factor[0].b.data();
  for (int i = 0; i < 3; ++i) b[i] = -dot3(R + 3 * i, g), b[3 + i] = 0;
  assemble_link<true>(tree, 0, half_dt, ws);
  const auto joints = tree.joints();
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const Joint& joint = joints[j];
    const Six bias = carry_bias(joint, ws.rate[j], ws.factor[j + 1], turning(ws.link[joint.parent].V_WL_L),
                                turning(ws.link[j + 1].V_WL_L), load6(ws.factor[joint.parent].b.data()));
    store6(bias, ws.factor[j + 1].b.data());
    assemble_link<false>(tree, j + 1, half_dt, ws);
    ws.factor[j + 1].joint_residual = ws.joint_load[j].force;
    ws.factor[j + 1].joint_given = ws.given[j];
  }
}

/// From the tips to the base: everything about the matrix.
void factorize(const Tree& tree, Workspace& ws) {
  for (int j = tree.joint_count() - 1; j >= 0; --j) eliminate_joint(tree, j, ws);
  if (!tree.fixed_base() && !tree.held_base()) factor_base(tree, ws);
}

/// Right-hand side p of the links and residuals of joints and rotors -> accelerations, with the kept factors.
void absorb_rotors(const Tree& tree, Workspace& ws) {
  for (std::size_t r = 0; r < ws.rotor_factor.size(); ++r) {
    const RotorFactor& rf = ws.rotor_factor[r];
    ws.factor[tree.rotors()[r].link].p += (rf.residual * rf.inverse) * rf.column;
  }
}

void substitute(const Tree& tree, Workspace& ws, double* accelerations) {
  const auto joints = tree.joints();
  for (int j = tree.joint_count() - 1; j >= 0; --j) {
    LinkFactor& f = ws.factor[j + 1];
    const double* p_own = f.p.data() + (joints[j].type == JointType::revolute ? 3 : 0);
    f.joint_residual -= along(joints[j].axis.data(), p_own);
    const double rate = joints[j].settings.prescribed ? f.joint_given : f.joint_residual * f.joint_inverse;
    const Six p = load6(f.p.data()) + load6(f.joint_column.data()) * rate;
    const Turn R_PL = load_turn(f.R_PL.data());
    const Lanes force = R_PL * linear(p);
    const Lanes moment = R_PL * turning(p) + cross3(load4(f.p_PL.data()), force);
    double* p_P = ws.factor[joints[j].parent].p.data();
    store6(load6(p_P) + join(force, moment), p_P);
  }
  double* joint_acceleration = accelerations + tree.joint_velocity();
  double* rotor_acceleration = accelerations + tree.rotor_velocity();
  if (tree.fixed_base()) {
    ws.factor[0].u.setZero();
  } else if (tree.held_base()) {
    ws.factor[0].u.setZero();
    for (int i = 0; i < 6; ++i) accelerations[i] = 0;
  } else {
    const Six u = solve_base(ws.base, ws.factor[0].A, ws.factor[0].p);
    store6(u, ws.factor[0].u.data());
    store6(u, accelerations);
  }
  spin_up(tree, 0, ws, rotor_acceleration);
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    LinkFactor& f = ws.factor[j + 1];
    const Six u = carried(f, load6(ws.factor[joints[j].parent].u.data()));
    const double left = f.joint_residual - along6(f.joint_row.data(), u);
    if (joints[j].settings.prescribed) {
      joint_acceleration[j] = f.joint_given;
      f.joint_force = f.joint_pivot * f.joint_given - left;
    } else {
      joint_acceleration[j] = left * f.joint_inverse;
    }
    store6(moved(joints[j], u, joint_acceleration[j]), f.u.data());
    spin_up(tree, j + 1, ws, rotor_acceleration);
  }
}

}  // namespace articulated
}  // namespace scree
