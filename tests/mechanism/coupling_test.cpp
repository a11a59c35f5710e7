// Couplings q_a = ratio q_b + offset: against Lagrange multipliers written out, and over long runs.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"
#include "scree/core/dense.hpp"

namespace scree {
namespace {

using test::joint;
using test::Stepper;

TEST(Coupling, GivesTheAccelerationsOfLagrangeMultipliers) {
  for (int trial = 0; trial < 20; ++trial) {
    RandomStream random(51, trial, "coupling");
    TreeSettings settings = test::random_tree(random, 8, trial % 2 == 0);
    for (JointSettings& j : settings.joints) {
      if (j.type == JointType::fixed) j.type = JointType::revolute;
    }
    // A chain of two, and a joint tied to a rotor.
    settings.couplings = {{"one", "joint1", "joint2", random.normal(), random.normal()},
                          {"two", "joint2", "joint5", random.normal(), random.normal()},
                          {"three", "joint7", "rotor4", random.normal(), random.normal()}};
    Stepper s(settings);
    const test::RandomState state = test::random_state(random, s.tree);
    s.x = state.x, s.v = state.v;
    meet_couplings(s.tree, s.x, s.v);
    s.accelerate();
    const int n = s.tree.velocity_count(), m = 3, at = s.tree.joint_velocity();
    MatX H, G = MatX::Zero(m, n);
    inertia_matrix(s.tree, s.ws, H);
    VecX D(n);
    bias_forces(s.tree, s.gravity, s.ws, test::flat(D));
    for (int k = 0; k < m; ++k) {
      const Coupling& c = s.tree.couplings()[k];
      G(k, at + c.a) += 1;
      G(k, at + c.b) -= c.ratio;
    }
    MatX K = MatX::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = H;
    K.topRightCorner(n, m) = -G.transpose();
    K.bottomLeftCorner(m, n) = G;
    VecX right = VecX::Zero(n + m);
    right.head(n) = -D;
    const VecX expected = solve_dense(K, right);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(s.a[i], expected[i], 1e-9 * (1 + expected.norm())) << trial;
    for (int k = 0; k < m; ++k) {
      EXPECT_NEAR(s.ws.coupling_force[k], expected[n + k], 1e-9 * (1 + expected.norm())) << trial;
    }
  }
}

/// Left and right rocker on a chassis, tied by a differential: q_left = -q_right.
TreeSettings rocker() {
  TreeSettings s;
  s.links = {{"chassis", 20, Vec3::Zero(), Mat3(Vec3(0.5, 0.8, 1.0).asDiagonal())},
             {"left", 3, Vec3(0.2, 0, -0.1), Mat3(Vec3(0.02, 0.1, 0.1).asDiagonal())},
             {"right", 3, Vec3(0.1, 0, -0.2), Mat3(Vec3(0.02, 0.1, 0.1).asDiagonal())}};
  s.joints = {joint("left", JointType::revolute, "chassis", "left", Vec3(0, 0.3, 0), Vec3::UnitY()),
              joint("right", JointType::revolute, "chassis", "right", Vec3(0, -0.3, 0), Vec3::UnitY())};
  s.couplings = {{"differential", "left", "right", -1, 0}};
  return s;
}

TEST(Coupling, HoldsOverALongRun) {
  Stepper s(rocker());
  s.v = {0, 0, 0, 1.0, 0.5, -2.0, 3.0, -3.0};
  s.gravity.setZero();
  s.load = [](Stepper& self, double) { self.ws.joint_load[1].force += std::sin(3 * self.x[0]); };
  double gap = 0, slip = 0;
  for (int i = 0; i < 60000; ++i) {
    s.dkd(1e-3);
    gap = std::max(gap, std::abs(s.q(0) + s.q(1)));
    slip = std::max(slip, std::abs(s.rate(0) + s.rate(1)));
  }
  EXPECT_LT(gap, 1e-9);
  EXPECT_LT(slip, 1e-9);
}

TEST(Coupling, PullsAnInitialErrorBack) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    Stepper s(rocker());
    s.gravity.setZero();
    s.q(0) = 0.2, s.q(1) = -0.1;
    for (int i = 0; i < 1.0 / dt; ++i) s.dkd(dt);
    // Critically damped at min(50, 0.25/dt) per second: e^-25 (1 + 25) of 0.1 at the slowest.
    EXPECT_LT(std::abs(s.q(0) + s.q(1)), 1e-8) << dt;
  }
}

}  // namespace
}  // namespace scree
