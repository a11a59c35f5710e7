// Joints whose acceleration is given, and a base that is held: against the dense matrix, whose known columns
// go to the other side, and against inverse dynamics.
#include <gtest/gtest.h>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"
#include "scree/core/dense.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

/// The coordinates that are given: joints that are prescribed, and all of a held base.
std::vector<bool> given_coordinates(const Tree& tree) {
  std::vector<bool> given(tree.velocity_count(), false);
  for (int i = 0; i < tree.joint_velocity(); ++i) given[i] = tree.held_base();
  for (int j = 0; j < tree.joint_count(); ++j) {
    given[tree.joint_velocity() + j] = tree.joints()[j].settings.prescribed;
  }
  return given;
}

TEST(Prescribed, AgreesWithTheDenseMatrixAndInverseDynamics) {
  int joints_given = 0;
  for (int trial = 0; trial < 60; ++trial) {
    RandomStream random(12, trial, "prescribed");
    TreeSettings settings = test::random_tree(random, 2 + trial % 10, trial % 3 == 0);
    settings.held_base = trial % 3 == 1;
    for (std::size_t j = 0; j < settings.joints.size(); ++j) settings.joints[j].prescribed = j % 2 == 0;
    const Tree tree(settings);
    Workspace ws(tree);
    const test::RandomState state = test::random_state(random, tree);
    update_kinematics(tree, state.x, state.v, ws);
    test::random_loads(random, 0.0, ws);
    for (double& given : ws.given) given = random.normal();
    const int n = tree.velocity_count();
    VecX a(n), forces(n), loads = VecX::Zero(n);
    MatX H;
    inertia_matrix(tree, ws, H);
    bias_forces(tree, test::kSkewGravity, ws, test::flat(forces));
    const VecX D = forces;
    for (int i = 0; i < tree.link_count(); ++i)
      loads += point_jacobian(tree, ws, i, Vec3::Zero()).transpose() * ws.link_load[i].wrench;
    for (int j = 0; j < tree.joint_count(); ++j) loads[tree.joint_velocity() + j] += ws.joint_load[j].force;
    for (int r = 0; r < tree.rotor_count(); ++r) loads[tree.rotor_velocity() + r] += ws.rotor_load[r].torque;
    // H a + D = loads + unknown forces on what is given.
    const std::vector<bool> given = given_coordinates(tree);
    MatX A = H;
    VecX b = loads - D;
    for (int i = 0; i < n; ++i) {
      if (!given[i]) continue;
      const double value = i < tree.joint_velocity() ? 0 : ws.given[i - tree.joint_velocity()];
      b -= value * H.col(i);
      A.col(i) = -VecX::Unit(n, i);
    }
    const VecX unknown = solve_dense(A, b);
    solve(tree, {.gravity = test::kSkewGravity}, ws, test::flat(a));
    for (int i = 0; i < n; ++i) {
      const int j = i - tree.joint_velocity();
      if (!given[i]) {
        EXPECT_NEAR(a[i], unknown[i], 1e-8 * (1 + std::abs(unknown[i]))) << trial;
      } else if (j >= 0) {
        ++joints_given;
        EXPECT_DOUBLE_EQ(a[i], ws.given[j]);
        EXPECT_NEAR(ws.joint_force[j], unknown[i], 1e-8 * (1 + std::abs(unknown[i]))) << trial;
      } else {
        EXPECT_EQ(a[i], 0);
      }
    }
    // The same forces by recursive Newton-Euler.
    const std::vector<double> found = ws.joint_force;
    inverse_dynamics(tree, test::kSkewGravity, {a.data(), static_cast<std::size_t>(n)}, ws,
                     test::flat(forces));
    for (int j = 0; j < tree.joint_count(); ++j) {
      const double outside = forces[tree.joint_velocity() + j] - ws.joint_load[j].force;
      EXPECT_NEAR(outside, tree.joints()[j].settings.prescribed ? found[j] : 0.0,
                  1e-8 * (1 + std::abs(outside)));
    }
  }
  EXPECT_GT(joints_given, 60);
}

/// A cart on rails that is moved to and fro under a pendulum: in the cart's frame the pendulum feels -a.
TreeSettings shaken_pendulum() {
  TreeSettings s;
  s.name = "shaken";
  s.fixed_base = true;
  s.links = {{"rails", 1, Vec3::Zero(), Mat3::Identity()},
             {"cart", 3, Vec3::Zero(), Mat3::Identity()},
             {"rod", 2, Vec3(0, 0, -0.5), Mat3(Vec3(0.1, 0.1, 0.01).asDiagonal())}};
  s.joints = {test::joint("cart", JointType::prismatic, "rails", "cart", Vec3::Zero(), Vec3::UnitX()),
              test::joint("rod", JointType::revolute, "cart", "rod", Vec3::Zero(), Vec3::UnitY())};
  s.joints[0].prescribed = true;
  return s;
}

TEST(Prescribed, APendulumUnderAMovedCartFollowsItsEquation) {
  // (I + m l²) q'' = -m g l sin q + m l cos q X'': Lagrange with x = X - l sin q, z = -l cos q.
  const double m = 2, l = 0.5, inertia = 0.1 + m * l * l, w = 5, amplitude = 0.1;
  test::Stepper s(shaken_pendulum());
  double time = 0;
  s.q(1) = 0.3;
  s.load = [&](test::Stepper& stepper, double dt) {
    stepper.ws.given[0] = dt > 0 ? amplitude * w * (std::cos(w * (time + dt)) - std::cos(w * time)) / dt
                                 : -amplitude * w * w * std::sin(w * time);
  };
  s.rate(0) = amplitude * w;
  const double dt = 1e-4;
  double q = 0.3, v = 0;
  const auto acceleration = [&](double at, double angle) {
    const double cart = -amplitude * w * w * std::sin(w * at);
    return (-m * 9.81 * l * std::sin(angle) + m * l * std::cos(angle) * cart) / inertia;
  };
  for (int k = 0; k < 20000; ++k) {
    s.dkd(dt);
    // Classical Runge-Kutta of the one equation.
    const double k1 = acceleration(time, q), k2 = acceleration(time + dt / 2, q + dt / 2 * v);
    const double k3 = acceleration(time + dt / 2, q + dt / 2 * (v + dt / 2 * k1));
    const double k4 = acceleration(time + dt, q + dt * (v + dt / 2 * k2));
    q += dt * (v + dt / 6 * (k1 + k2 + k3));
    v += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    time += dt;
  }
  EXPECT_NEAR(s.q(1), q, 1e-5);
  EXPECT_NEAR(s.rate(1), v, 1e-4);
  EXPECT_NEAR(s.rate(0), amplitude * w * std::cos(w * time), 1e-9);
}

TEST(Prescribed, TheLeaderOfACouplingTakesTheFollowerAlong) {
  TreeSettings s = shaken_pendulum();
  s.links.push_back({"other", 1, Vec3(0, 0, -0.2), Mat3(Vec3(0.02, 0.02, 0.01).asDiagonal())});
  s.joints.push_back(
      test::joint("other", JointType::revolute, "cart", "other", Vec3(0.5, 0, 0), Vec3::UnitY()));
  s.joints[0].prescribed = false;
  s.joints[1].prescribed = true;
  s.couplings = {{"pair", "other", "rod", -1, 0.2}};
  test::Stepper stepper(s);
  stepper.q(2) = 0.2;
  stepper.load = [](test::Stepper& x, double) { x.ws.given[1] = 3; };
  for (int k = 0; k < 1000; ++k) stepper.dkd(1e-3);
  EXPECT_NEAR(stepper.q(1), 1.5, 1e-9);
  EXPECT_NEAR(stepper.q(2), 0.2 - 1.5, 1e-6);
  // The force balances the rates of the whole: with the cart free, nothing pushes it along x.
  std::vector<double> forces(stepper.tree.velocity_count());
  stepper.accelerate();
  const double found = stepper.ws.joint_force[1], tie = stepper.ws.coupling_force[0];
  inverse_dynamics(stepper.tree, stepper.gravity, stepper.a, stepper.ws, forces);
  EXPECT_NEAR(forces[0], 0, 1e-9);
  EXPECT_NEAR(forces[1], found + tie, 1e-8) << "coupling: force on a, -ratio times it on b";
  EXPECT_NEAR(forces[2], tie, 1e-8);
  s.joints[2].prescribed = true;
  EXPECT_THROW(Tree{s}, InputError);
}

TEST(HeldBase, StaysToTheLastBitWhereTheStateSaysItStands) {
  RandomStream random(5, 0, "held");
  TreeSettings settings = test::random_tree(random, 5, false);
  settings.held_base = true;
  test::Stepper s(settings);
  const test::RandomState state = test::random_state(random, s.tree);
  s.x = state.x;
  Quat q(s.x[3], s.x[4], s.x[5], s.x[6]);
  q.normalize();
  s.x[3] = q.w(), s.x[4] = q.x(), s.x[5] = q.y(), s.x[6] = q.z();
  const std::vector<double> before(s.x.begin(), s.x.begin() + 7);
  for (int k = 0; k < 500; ++k) s.dkd(1e-3);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(s.x[i], before[i]);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(s.v[i], 0);
}

}  // namespace
}  // namespace scree
