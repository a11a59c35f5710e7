// Pendulums, sprung slides and limit stops against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/stepper.hpp"

namespace scree {
namespace {

using test::joint;
using test::Stepper;

/// Rods that hang one below the other and turn about y; each with its centre of mass on its axis.
TreeSettings pendulum(int count, double length, double mass, double inertia) {
  TreeSettings s;
  s.fixed_base = true;
  s.links.push_back({"ceiling"});
  for (int i = 0; i < count; ++i) {
    const std::string name = "rod" + std::to_string(i), parent = s.links.back().name;
    s.links.push_back({name, mass, Vec3(0, 0, -length), Mat3(Vec3(inertia, inertia, 0).asDiagonal())});
    s.joints.push_back(joint("pin" + std::to_string(i), JointType::revolute, parent, name,
                             Vec3(0, 0, i == 0 ? 0 : -length), Vec3::UnitY()));
  }
  return s;
}

TEST(Pendulum, LargeSwingHasThePeriodOfTheEllipticIntegral) {
  // A physical pendulum: reduced length (I + m l²)/(m l).
  const double length = 0.7, mass = 1.3, inertia = 0.08, swing = 2.0;
  Stepper s(pendulum(1, length, mass, inertia));
  const double reduced = (inertia + mass * length * length) / (mass * length);
  const double sine = std::sin(swing / 2);
  const double period = 4 * std::sqrt(reduced / 9.81) * test::elliptic_k(sine * sine);
  s.q(0) = swing;
  const int steps = 2000;
  for (int i = 0; i < steps; ++i) s.rk4(period / steps);
  // RK4 at 1 ms: local error (h w)^5 / 120, 2,000 times: 3e-12; ten times that for the larger derivatives.
  EXPECT_NEAR(s.q(0), swing, 1e-10);
  EXPECT_NEAR(s.rate(0), 0, 1e-10);
}

TEST(Pendulum, DoublePendulumHasTheTextbookAccelerations) {
  const double l = 0.8, m = 1.7, g = 9.81;
  Stepper s(pendulum(2, l, m, 0));
  for (const auto& [t1, t2, w1, w2] : {std::array{0.3, -0.8, 1.1, -0.4}, std::array{2.5, 1.0, -3.0, 2.0}}) {
    s.q(0) = t1, s.q(1) = t2 - t1, s.rate(0) = w1, s.rate(1) = w2 - w1;
    s.accelerate();
    const double d = t1 - t2, under = l * (3 * m - m * std::cos(2 * d));
    const double a1 = (-g * 3 * m * std::sin(t1) - m * g * std::sin(t1 - 2 * t2) -
                       2 * std::sin(d) * m * (w2 * w2 * l + w1 * w1 * l * std::cos(d))) /
                      under;
    const double a2 = 2 * std::sin(d) *
                      (w1 * w1 * l * 2 * m + g * 2 * m * std::cos(t1) + w2 * w2 * l * m * std::cos(d)) /
                      under;
    EXPECT_NEAR(s.acceleration(0), a1, 1e-10);
    EXPECT_NEAR(s.acceleration(0) + s.acceleration(1), a2, 1e-10);
  }
}

TEST(Pendulum, DoublePendulumKeepsItsEnergyToTheOrderOfRk4) {
  double error[2];
  for (int level = 0; level < 2; ++level) {
    Stepper s(pendulum(2, 0.5, 1.0, 0.02));
    s.q(0) = 1.5, s.q(1) = 0.7;
    const double before = s.energy(), dt = 2e-3 / (1 << level);
    for (double t = 0; t < 1.0 - dt / 2; t += dt) s.rk4(dt);
    error[level] = std::abs(s.energy() - before);
  }
  EXPECT_LT(error[0], 1e-7);
  // Energy errs with order 4 or 5, depending on the path; 2^4 less a quarter.
  EXPECT_GT(error[0] / error[1], 12);
}

TEST(Slide, DampedSpringFollowsItsClosedForm) {
  const double m = 2.0, k = 80, c = 3, x0 = 0.1;
  TreeSettings settings;
  settings.fixed_base = true;
  settings.links = {{"wall"}, {"cart", m, Vec3(0.1, 0.2, 0.3), Mat3::Zero()}};
  settings.joints = {joint("slide", JointType::prismatic, "wall", "cart", Vec3(1, 2, 3), Vec3(3, 4, 0))};
  settings.joints[0].spring_stiffness = k;
  settings.joints[0].spring_rest = 0.5;
  settings.joints[0].damping = c;
  Stepper s(settings);
  s.gravity.setZero();
  s.q(0) = 0.5 + x0;
  const double decay = c / (2 * m), w = std::sqrt(k / m - decay * decay), end = 1.5;
  for (int i = 0; i < 1500; ++i) s.rk4(end / 1500);
  const double expected = x0 * std::exp(-decay * end) * (std::cos(w * end) + decay / w * std::sin(w * end));
  // RK4: relative error (w h)^4 w t / 120 with w = 6.3: 1.3e-10 of 0.1 m.
  EXPECT_NEAR(s.q(0) - 0.5, expected, 1.3e-11);
}

TEST(Slide, InclineGivesTheComponentOfGravity) {
  TreeSettings settings;
  settings.fixed_base = true;
  settings.links = {{"wall"}, {"cart", 3, Vec3::Zero(), Mat3::Zero()}};
  const double slope = 0.4;
  settings.joints = {joint("slide", JointType::prismatic, "wall", "cart", Vec3::Zero(),
                           Vec3(std::cos(slope), 0, std::sin(slope)))};
  settings.joints[0].armature = 2;  // a motor behind a rack: adds to the inertia, not to the weight
  Stepper s(settings);
  s.accelerate();
  EXPECT_NEAR(s.acceleration(0), -9.81 * std::sin(slope) * 3 / 5, 1e-14);
}

TEST(ImplicitStep, StiffSpringIsStableAtAnyStepAndKeepsItsEnergy) {
  // w dt = 50: an explicit step would grow 2,500-fold at once. Implicit midpoint keeps a linear oscillator's
  // energy; drift-kick-drift keeps it up to the change of variables at the half step, bounded for ever.
  TreeSettings settings = pendulum(1, 1.0, 1.0, 0.0);
  settings.joints[0].spring_stiffness = 2.5e9;
  Stepper s(settings);
  s.gravity.setZero();
  s.rate(0) = 1.0;
  double largest = 0;
  for (int i = 0; i < 2000; ++i) {
    s.dkd(1e-3);
    largest = std::max(largest, std::abs(s.rate(0)));
  }
  EXPECT_LT(largest, 1.0 + 1e-9);
}

TEST(Limit, HoldsAgainstATorqueWithTheDepthOfItsSpring) {
  TreeSettings settings = pendulum(1, 0.5, 1.0, 0.01);
  settings.joints[0].upper = 0.6;
  settings.joints[0].lower = -0.4;
  settings.joints[0].limit_stiffness = 5e3;
  settings.joints[0].limit_damping = 30;
  for (const double torque : {30.0, -30.0}) {
    Stepper s(settings);
    s.gravity.setZero();
    s.load = [torque](Stepper& self, double) { self.ws.joint_load[0].force += torque; };
    for (int i = 0; i < 5000; ++i) s.dkd(1e-3);
    EXPECT_NEAR(s.q(0), (torque > 0 ? 0.6 : -0.4) + torque / 5e3, 1e-9);
    EXPECT_NEAR(s.rate(0), 0, 1e-9);
  }
}

TEST(Limit, NeverPullsAndTakesEnergyOut) {
  TreeSettings settings = pendulum(1, 0.5, 1.0, 0.01);
  settings.joints[0].upper = 0.3;
  settings.joints[0].limit_damping = 200;
  Stepper s(settings);
  // Leaving the stop at speed: spring 1e4 * 0.001 against damper 200 * 3: the stop would pull with 590 N m.
  s.q(0) = 0.301, s.rate(0) = -3;
  clear_loads(s.ws);
  s.refresh();
  add_joint_forces(s.tree, 0, 0.5, s.ws);
  EXPECT_EQ(s.ws.joint_load[0].force, 0);
  EXPECT_EQ(s.ws.joint_load[0].apparent, 0);
  // Swinging into it: energy falls.
  s.q(0) = -1.0, s.rate(0) = 0;
  const double before = s.energy();
  for (int i = 0; i < 1500; ++i) s.dkd(1e-3);
  EXPECT_LT(s.energy(), before - 0.1);
  EXPECT_LT(s.q(0), 0.32);
}

}  // namespace
}  // namespace scree
