// The recursion against a dense matrix, forward against inverse dynamics, over random trees.
#include <gtest/gtest.h>

#include "mechanism/random_tree.hpp"
#include "scree/core/dense.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

constexpr int kTrees = 60;

/// Generalized forces of all loads: J^T wrench + joint forces + rotor torques.
VecX generalized_loads(const Tree& tree, const Workspace& ws) {
  VecX Q = VecX::Zero(tree.velocity_count());
  for (int i = 0; i < tree.link_count(); ++i) {
    Q += point_jacobian(tree, ws, i, Vec3::Zero()).transpose() * ws.link_load[i].wrench;
  }
  for (int j = 0; j < tree.joint_count(); ++j) Q[tree.joint_velocity() + j] += ws.joint_load[j].force;
  for (int r = 0; r < tree.rotor_count(); ++r) Q[tree.rotor_velocity() + r] += ws.rotor_load[r].torque;
  return Q;
}

/// What the apparent terms add to the inertia matrix, written with Jacobians.
MatX apparent_matrix(const Tree& tree, const Workspace& ws) {
  MatX A = MatX::Zero(tree.velocity_count(), tree.velocity_count());
  for (int i = 0; i < tree.link_count(); ++i) {
    const MatX J = point_jacobian(tree, ws, i, Vec3::Zero());
    A += J.transpose() * ws.link_load[i].apparent * J;
  }
  for (int j = 0; j < tree.joint_count(); ++j) {
    A(tree.joint_velocity() + j, tree.joint_velocity() + j) += ws.joint_load[j].apparent;
  }
  for (int r = 0; r < tree.rotor_count(); ++r) {
    const int at = tree.rotor_velocity() + r;
    const MatX J = point_jacobian(tree, ws, tree.rotors()[r].link, Vec3::Zero());
    A(at, at) += ws.rotor_load[r].apparent;
    A.col(at) += J.transpose() * ws.rotor_load[r].column;
    A.row(at) += ws.rotor_load[r].row.transpose() * J;
  }
  return A;
}

TEST(Solve, AgreesWithDenseMatrixUnderNonSymmetricApparentLoads) {
  for (int trial = 0; trial < kTrees; ++trial) {
    RandomStream random(11, trial, "dense");
    const Tree tree(test::random_tree(random, 1 + trial % 12, trial % 3 == 0));
    Workspace ws(tree);
    const test::RandomState state = test::random_state(random, tree);
    update_kinematics(tree, state.x, state.v, ws);
    test::random_loads(random, 1.0, ws);
    VecX a(tree.velocity_count()), D(tree.velocity_count());
    bias_forces(tree, test::kSkewGravity, ws, test::flat(D));
    MatX H;
    inertia_matrix(tree, ws, H);
    const VecX expected = solve_dense(H + apparent_matrix(tree, ws), generalized_loads(tree, ws) - D);
    solve(tree, {.gravity = test::kSkewGravity}, ws, test::flat(a));
    // Condition numbers of these matrices reach 1e4: ten digits of sixteen are safe.
    EXPECT_LT((a - expected).norm(), 1e-10 * (1 + expected.norm())) << "trial " << trial;
  }
}

TEST(Solve, InverseDynamicsGivesBackTheForces) {
  for (int trial = 0; trial < kTrees; ++trial) {
    RandomStream random(12, trial, "inverse");
    const Tree tree(test::random_tree(random, 1 + trial % 12, trial % 3 == 0));
    Workspace ws(tree);
    const test::RandomState state = test::random_state(random, tree);
    update_kinematics(tree, state.x, state.v, ws);
    test::random_loads(random, 0.0, ws);
    VecX a(tree.velocity_count()), forces(tree.velocity_count());
    solve(tree, {.gravity = test::kSkewGravity}, ws, test::flat(a));
    inverse_dynamics(tree, test::kSkewGravity, test::flat(a), ws, test::flat(forces));
    VecX expected = VecX::Zero(tree.velocity_count());
    for (int j = 0; j < tree.joint_count(); ++j) expected[tree.joint_velocity() + j] = ws.joint_load[j].force;
    for (int r = 0; r < tree.rotor_count(); ++r)
      expected[tree.rotor_velocity() + r] = ws.rotor_load[r].torque;
    EXPECT_LT((forces - expected).norm(), 1e-10 * (1 + a.norm())) << "trial " << trial;
  }
}

}  // namespace
}  // namespace scree
