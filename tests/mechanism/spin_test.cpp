// Bodies that spin: tops, free bodies, rotors; closed forms of rigid-body mechanics.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"

namespace scree {
namespace {

using test::joint;
using test::Stepper;

constexpr double kMass = 0.8, kArm = 0.12, kAcross = 0.012, kAlong = 0.003;  // about the centre of mass
constexpr double kI1 = kAcross + kMass * kArm * kArm, kI3 = kAlong;          // about the pivot

/// A top on gimbals: precession about z, tilt about x, spin about the top's z.
TreeSettings top() {
  TreeSettings s;
  s.fixed_base = true;
  s.links = {{"ground"},
             {"fork"},
             {"cradle"},
             {"top", kMass, Vec3(0, 0, kArm), Mat3(Vec3(kAcross, kAcross, kAlong).asDiagonal())}};
  s.joints = {joint("precession", JointType::revolute, "ground", "fork", Vec3::Zero(), Vec3::UnitZ()),
              joint("tilt", JointType::revolute, "fork", "cradle", Vec3::Zero(), Vec3::UnitX()),
              joint("spin", JointType::revolute, "cradle", "top", Vec3::Zero(), Vec3::UnitZ())};
  return s;
}

TEST(Top, PrecessesSteadilyAtBothRatesOfTheClosedForm) {
  // I1 W² cos t - I3 w3 W + m g l = 0 for the precession rate W at tilt t and total spin w3.
  const double tilt = 0.6, w3 = 600;
  const double mgl = kMass * 9.81 * kArm,
               root = std::sqrt(kI3 * kI3 * w3 * w3 - 4 * kI1 * mgl * std::cos(tilt));
  for (const double sign : {-1.0, 1.0}) {
    const double W = (kI3 * w3 + sign * root) / (2 * kI1 * std::cos(tilt));
    Stepper s(top());
    s.q(1) = tilt;
    s.rate(0) = W, s.rate(2) = w3 - W * std::cos(tilt);
    s.accelerate();
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(s.acceleration(j), 0, 1e-9 * W * w3) << "rate " << W;
  }
}

TEST(Top, NutatesWithTheFrequencyOfTheEffectivePotential) {
  const double tilt = 0.6, w3 = 500, mgl = kMass * 9.81 * kArm;
  const double W = (kI3 * w3 - std::sqrt(kI3 * kI3 * w3 * w3 - 4 * kI1 * mgl * std::cos(tilt))) /
                   (2 * kI1 * std::cos(tilt));
  const double p_spin = kI3 * w3, p_z = kI1 * W * std::sin(tilt) * std::sin(tilt) + p_spin * std::cos(tilt);
  const auto potential = [&](double t) {
    const double slope = (p_z - p_spin * std::cos(t)) / std::sin(t);
    return slope * slope / (2 * kI1) + mgl * std::cos(t);
  };
  const double h = 1e-4;
  const double curvature = (potential(tilt + h) - 2 * potential(tilt) + potential(tilt - h)) / (h * h);
  const double period = 2 * kPi / std::sqrt(curvature / kI1);
  // Same momenta, tilt off by a little and at rest there: after one period it is there again.
  Stepper s(top());
  const double t0 = tilt + 1e-4;
  const double rate = (p_z - p_spin * std::cos(t0)) / (kI1 * std::sin(t0) * std::sin(t0));
  s.q(1) = t0;
  s.rate(0) = rate, s.rate(2) = w3 - rate * std::cos(t0);
  for (int i = 0; i < 2000; ++i) s.rk4(period / 2000);
  // The swing is not quite harmonic: relative shift of the period of the order of the amplitude (1e-4), whose
  // effect at a turning point is its square; the second difference gives 1e-6 of the period.
  EXPECT_NEAR(s.q(1), t0, 1e-4 * 1e-4);
  EXPECT_NEAR(s.rate(1) / std::sqrt(curvature / kI1), 0, 1e-4 * 1e-3);
}

/// A brick in free flight, its frame's origin away from its centre of mass.
TreeSettings brick(const Vec3& p_LC) {
  TreeSettings s;
  s.links = {{"brick", 2.0, p_LC, Mat3(Vec3(0.02, 0.05, 0.06).asDiagonal())}};
  return s;
}

TEST(FreeBody, TurnsWithThePeriodOfEulersSolution) {
  // Landau and Lifshitz, Mechanics, Sec. 37: period of the angular velocity in body axes.
  const Vec3 I(0.02, 0.05, 0.06), w(0.3, 4.0, 1.5);
  const double E2 = (I.array() * w.array().square()).sum(), L2 = (I.array() * w.array()).square().sum();
  ASSERT_GT(L2, E2 * I[1]);  // turns round the axis of the largest moment
  const double rate = std::sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]));
  const double m = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
  const double period = 4 * test::elliptic_k(m) / rate;
  Stepper s(brick(Vec3(0.1, -0.05, 0.2)));
  s.v = {1, 2, 3, w[0], w[1], w[2]};
  for (int i = 0; i < 4000; ++i) s.rk4(period / 4000);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(s.v[3 + i], w[i], 1e-9);
}

TEST(FreeBody, TennisRacketFlipsAboutTheMiddleAxisOnly) {
  for (int axis = 0; axis < 3; ++axis) {
    Stepper s(brick(Vec3::Zero()));
    s.v[3 + axis] = 5;
    s.v[3 + (axis + 1) % 3] = 1e-3;
    double least = 5;
    for (int i = 0; i < 10000; ++i) {
      s.dkd(1e-3);
      least = std::min(least, s.v[3 + axis]);
    }
    if (axis == 1) {
      EXPECT_LT(least, -4.9);
    } else {
      EXPECT_GT(least, 4.99);
    }
  }
}

TEST(FreeBody, CentreOfMassFliesOnAParabolaWhileTheBodySpins) {
  // The base's origin goes round the centre of mass; with the classical acceleration nothing of w x v leaks.
  Stepper s(brick(Vec3(0.3, -0.2, 0.1)));
  s.v = {4, 1, 3, 2, -3, 5};
  s.refresh();
  const Vec3 p0 = centre_of_mass(s.tree, s.ws), v0 = centre_of_mass_velocity(s.tree, s.ws);
  const double L0 = momentum(s.tree, s.ws, p0).angular.norm();
  for (int i = 0; i < 1000; ++i) s.rk4(1e-3);
  s.refresh();
  const Vec3 p = centre_of_mass(s.tree, s.ws);
  // RK4 at 1 ms with |w| = 6: (h w)^4 * t * w / 120 = 1e-10 m at an arm of 0.4 m.
  EXPECT_LT((p - (p0 + v0 + 0.5 * s.gravity)).norm(), 1e-9);
  EXPECT_NEAR(momentum(s.tree, s.ws, p).angular.norm(), L0, 1e-9);
}

TEST(FreeBody, AccelerationsDoNotDependOnTheInertialFrame) {
  for (int trial = 0; trial < 10; ++trial) {
    RandomStream random(21, trial, "galilei");
    Stepper s(test::random_tree(random, 6, false));
    const test::RandomState state = test::random_state(random, s.tree);
    s.x = state.x, s.v = state.v;
    s.accelerate(1e-3);
    const std::vector<double> a = s.a;
    for (int i = 0; i < 3; ++i) s.v[i] += 30;
    s.accelerate(1e-3);
    EXPECT_EQ(a, s.a);
  }
}

/// A chassis and a wheel at p_LK, the wheel as a rotor or as an ordinary link on a revolute joint.
struct WheelCase {
  Vec3 p_LK = Vec3(0.3, 0.25, -0.1), axis = Vec3(0.1, 1, 0.2);
  double mass = 1.5, across = 0.006, along = 0.011;
  LinkSettings chassis{"chassis", 10, Vec3(0.02, 0.01, 0.1), Mat3(Vec3(0.3, 0.4, 0.5).asDiagonal())};

  TreeSettings as_rotor() const {
    TreeSettings s;
    s.links = {chassis};
    lump_wheel({mass, across, p_LK, axis}, s.links[0]);
    s.rotors = {{"wheel", "chassis", axis, along, false}};
    return s;
  }
  TreeSettings as_link() const {
    const Vec3 n = axis.normalized();
    const Mat3 inertia = across * Mat3::Identity() + (along - across) * n * n.transpose();
    TreeSettings s;
    s.links = {chassis, {"wheel", mass, Vec3::Zero(), inertia}};
    s.joints = {joint("wheel", JointType::revolute, "chassis", "wheel", p_LK, axis)};
    return s;
  }
};

TEST(Rotor, MovesAsTheSameWheelOnARevoluteJoint) {
  const WheelCase wheel;
  Stepper rotor(wheel.as_rotor()), link(wheel.as_link());
  RandomStream random(22, 0, "rotor");
  for (int trial = 0; trial < 20; ++trial) {
    const test::RandomState state = test::random_state(random, link.tree);
    rotor.x = link.x = state.x;
    rotor.v = link.v = state.v;
    rotor.spin(0) = link.rate(0) = 20 * random.normal();
    // A contact force on the wheel (world axes) and a drive torque between chassis and wheel.
    const Vec3 force = 10 * test::random_vector(random), p_KC = 0.1 * test::random_vector(random);
    const double torque = random.normal();
    link.load = [&](Stepper& s, double) {
      const Mat3 R_KW = s.ws.link[1].X_WL.R.transpose(), R_KB = R_KW * s.ws.link[0].X_WL.R;
      s.ws.link_load[1].wrench.head<3>() += R_KW * force;
      s.ws.link_load[1].wrench.tail<3>() += (R_KB * p_KC).cross(R_KW * force);
      s.ws.joint_load[0].force += torque;
    };
    rotor.load = [&](Stepper& s, double) {
      const Vec3 f = s.ws.link[0].X_WL.R.transpose() * force;
      s.ws.link_load[0].wrench.head<3>() += f;
      s.ws.link_load[0].wrench.tail<3>() += (wheel.p_LK + p_KC).cross(f);
      s.ws.rotor_load[0].torque += torque + wheel.axis.normalized().dot(p_KC.cross(f));
    };
    link.accelerate();
    rotor.accelerate();
    for (std::size_t i = 0; i < link.a.size(); ++i) EXPECT_NEAR(rotor.a[i], link.a[i], 1e-10) << i;
    EXPECT_NEAR(rotor.energy(), link.energy(), 1e-10);
    const Momentum m1 = momentum(rotor.tree, rotor.ws), m2 = momentum(link.tree, link.ws);
    EXPECT_LT((m1.linear - m2.linear).norm() + (m1.angular - m2.angular).norm(), 1e-10);
  }
}

TEST(Rotor, MayBeGivenWithinTheLinksInertia) {
  const WheelCase wheel;
  TreeSettings inside = wheel.as_rotor();
  const Vec3 n = wheel.axis.normalized();
  inside.links[0].inertia_C += wheel.along * n * n.transpose();
  inside.rotors[0].in_link_inertia = true;
  const Tree a(inside), b(wheel.as_rotor());
  EXPECT_LT((a.links()[0].inertia6 - b.links()[0].inertia6).norm(), 1e-14);
}

TEST(Rotor, FastWheelMakesTheChassisPrecess) {
  // A gyroscope held at its centre of mass: w' = -I^-1 w x h, here with w across h. No other torque.
  TreeSettings s;
  s.links = {{"body", 1, Vec3::Zero(), Mat3(Vec3(0.1, 0.1, 0.1).asDiagonal())}};
  s.rotors = {{"wheel", "body", Vec3::UnitY(), 0.01, true}};
  Stepper g(s);
  g.v[3] = 2;       // about x
  g.spin(0) = 100;  // h = 1 about y
  g.gravity.setZero();
  g.accelerate();
  EXPECT_NEAR(g.a[5], -2 * 1 / 0.1, 1e-12);  // x cross y = z, and minus
  EXPECT_NEAR(g.a[3], 0, 1e-12);
}

}  // namespace
}  // namespace scree
