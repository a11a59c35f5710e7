#include "scree/ground/wheel.hpp"

#include <gtest/gtest.h>

#include "scree/core/random.hpp"
#include "wheel_bench.hpp"

namespace scree {
namespace {

using Bench = WheelBench;

TEST(Wheel, StandsOnItsSuspension) {
  const Bench bench;
  const WheelForces f = bench.touch({});
  EXPECT_NEAR(f.h[0], 0.01, 1e-12);
  EXPECT_NEAR(f.load[0], 80, 1e-9);
  EXPECT_NEAR(f.force.z[0], 80, 1e-9);
  EXPECT_NEAR(f.force.x[0], 0, 1e-9);
}

TEST(Wheel, ForceBalanceOfEquations9And10) {
  // On a slope in the wheel's plane: along b the ground's force equals the suspension's, N from Eq. 10.
  Bench bench("kind = \"flat\"\nslope = 0.3\n");
  bench.memory.ux = lanes(0.002);
  WheelStep step;
  step.load_passes = 6;
  const WheelForces f = bench.touch(step);
  const double suspension = 8000 * f.h[0];
  EXPECT_NEAR(f.force.z[0], suspension, 1e-6);
  EXPECT_NEAR(f.load[0], (suspension - f.fx[0] * f.sine[0]) / f.cosine[0], 1e-6);
  EXPECT_NEAR(f.force.x[0], (f.fx[0] - suspension * f.sine[0]) / f.cosine[0], 1e-6);
}

TEST(Wheel, SteadyRollingGivesTheSlipOfTheConventions) {
  // A brush in steady state under constant speeds: sigma = s / V_r, so the tyre sees kappa = (U - V)/|V|.
  Bench bench;
  for (const double U : {2.1, 1.9}) {
    bench.memory = WheelMemory{};
    bench.motion.v = spread(Vec3(2.0, 0, 0));
    bench.motion.spin = lanes(U / 0.12);
    const WheelStep step{1e-3, 0.5, 0.5, 1};
    WheelForces f;
    for (int i = 0; i < 2000; ++i) {
      f = bench.touch(step);
      finish_wheels(bench.pack, f, V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
    }
    EXPECT_NEAR(f.fx[0], bench.tyre.longitudinal_force((U - 2.0) / 2.0, f.load[0]), 1e-3);
  }
}

TEST(Wheel, NeverPullsAndNeverTouchesInTheAir) {
  Bench bench;
  bench.motion.v = spread(Vec3(0, 0, 5));  // leaving fast: the damper would pull
  EXPECT_EQ(bench.touch({}).load[0], 0);
  bench.set_pose(Mat3::Identity(), Vec3(0, 0, 0.2));
  const WheelForces f = bench.touch({});
  EXPECT_FALSE(any(f.touching));
  EXPECT_EQ(f.force.z[0], 0);
}

TEST(Wheel, JammingIsGuarded) {
  // mu tan(g) -> -1: Eq. 10 divides by zero; the load stays finite.
  Bench bench("kind = \"flat\"\nslope = 0.9\n");
  bench.memory.ux = lanes(-0.02);
  WheelStep step;
  step.load_passes = 4;
  const WheelForces f = bench.touch(step);
  EXPECT_TRUE(std::isfinite(f.load[0]));
  EXPECT_LE(f.load[0], 8000 * f.h[0] / 0.15 * 11);
}

TEST(Wheel, DerivativesPredictTheForceAtANewVelocity) {
  // force - E x - column y with x = dv/dt: compare with the force evaluated at the new velocity. theta = 1,
  // small changes, suspension stiffness switched off (it acts through the position, not the velocity).
  Bench bench("kind = \"flat\"\nslope = 0.2\n");
  bench.pack.suspension.stiffness = lanes(1e-6);
  bench.pack.suspension.damping = lanes(4000);
  bench.motion.v = spread(Vec3(1.5, 0.05, -0.1));
  bench.motion.spin = lanes(1.53 / 0.12);
  bench.memory.ux = lanes(0.0012);
  bench.memory.uy = lanes(-0.0016);
  const double dt = 1e-3;
  const WheelStep step{dt, 1, 1, 8};
  const WheelForces f = bench.touch(step);
  const Vec3 x(0.03, -0.02, 0.01);  // m/s²
  const double y = 0.2;             // rad/s²
  // The brush with the new slip velocity is what brush_next and slip_level see as s+; emulate it by moving
  // the velocity and compensating the old one through the deflection's start.
  const auto mean_force = [&](const Vec3& dv, double dw) {
    Bench moved("kind = \"flat\"\nslope = 0.2\n");
    moved.pack.suspension = bench.pack.suspension;
    moved.motion = bench.motion;
    moved.motion.v = spread(Vec3(1.5, 0.05, -0.1) + dv);
    moved.motion.spin = lanes(1.53 / 0.12 + dw);
    moved.memory = bench.memory;
    const WheelForces g = moved.touch(step);
    return Vec3(g.force.x[0], g.force.y[0], g.force.z[0]);
  };
  const Vec3 numeric = (mean_force(dt * x, dt * y) - mean_force(-dt * x, -dt * y)) / 2;
  Vec3 predicted;
  for (int i = 0; i < 3; ++i) {
    const Vec3 row(f.E[i].x[0], f.E[i].y[0], f.E[i].z[0]);
    const Vec3 column(f.column.x[0], f.column.y[0], f.column.z[0]);
    predicted[i] = -row.dot(x) - column[i] * y;
  }
  // With theta = 1 only the new slip velocity enters sigma, apart from V_r, which the derivative freezes.
  EXPECT_NEAR((predicted - numeric).norm(), 0, 0.05 * numeric.norm());
}

/// On ground that tilts across the wheel, itself rolled, pitched and turned, without friction.
Bench tilted_bench(double roll) {
  Bench bench("kind = \"flat\"\nslope_deg = 20\nuphill_deg = 60\n");
  bench.set_pose(rotation_from_rpy(roll, 0.1, 0.4), Vec3(0, 0, 0.1));
  bench.ground.friction = 0;
  return bench;
}
Vec3 lane0(const V3<Lanes>& v) { return {v.x[0], v.y[0], v.z[0]}; }

TEST(Wheel, WithoutFrictionTheForceStandsOnTheGround) {
  for (const double roll : {-0.3, 0.0, 0.2}) {
    const Bench bench = tilted_bench(roll);
    const WheelForces f = bench.touch({});
    ASSERT_GT(f.h[0], 0.005);
    Mat3 R;
    R << lane0(bench.motion.ex), lane0(bench.motion.ey), lane0(bench.motion.ez);
    const Vec3 force = R * lane0(f.force), normal = bench.terrain->at(0, 0).normal();
    EXPECT_NEAR((force.normalized() - normal).norm(), 0, 1e-7) << roll;
    EXPECT_NEAR(force.norm(), f.load[0], 1e-9);
    // Along the suspension it is the spring's.
    EXPECT_NEAR(lane0(f.force).z(), 8000 * f.h[0], 1e-6);
  }
}

TEST(Wheel, TheSpringStoresWhatTheGroundGives) {
  // Power of the contact force at the contact point = -F_susp h', at any tilt, for any motion.
  Bench bench = tilted_bench(0.25);
  bench.pack.suspension.damping = lanes(1e-9);
  bench.motion.v = spread(Vec3(0.7, -0.4, 0.2));
  bench.motion.w = spread(Vec3(0.3, 0.5, -0.2));
  const WheelForces f = bench.touch({});
  const Vec3 v = lane0(bench.motion.v) + lane0(bench.motion.w).cross(lane0(f.point));
  EXPECT_NEAR(lane0(f.force).dot(v), -8000 * f.h[0] * f.rate[0], 1e-6);
  // And h' is what happens to h: move for a microsecond.
  const double dt = 1e-6;
  Mat3 R;
  R << lane0(bench.motion.ex), lane0(bench.motion.ey), lane0(bench.motion.ez);
  const Vec3 w = lane0(bench.motion.w);
  Bench moved = tilted_bench(0.25);
  moved.set_pose(R * Eigen::AngleAxisd(w.norm() * dt, w.normalized()).toRotationMatrix(),
                 Vec3(0, 0, 0.1) + dt * (R * lane0(bench.motion.v)));
  EXPECT_NEAR((moved.touch({}).h[0] - f.h[0]) / dt, f.rate[0], 1e-4);
}

TEST(Wheel, ThePlanarLawLeavesTheWheelsPlaneAlone) {
  Bench bench = tilted_bench(0.25);
  bench.ground.planar = true;
  const WheelForces f = bench.touch({});
  EXPECT_NEAR(f.force.y[0], 0, 1e-9);
  EXPECT_NEAR(f.load[0], 8000 * f.h[0] / f.cosine[0], 1e-9);
  // Without tilt across the wheel the two laws are one.
  Bench ahead("kind = \"flat\"\nslope = 0.3\n");
  ahead.memory.ux = lanes(0.001), ahead.memory.uy = lanes(0.002);
  const WheelForces ground = ahead.touch({});
  ahead.ground.planar = true;
  const WheelForces plane = ahead.touch({});
  EXPECT_NEAR((lane0(ground.force) - lane0(plane.force)).norm(), 0, 1e-9);
}

TEST(Wheel, FrictionLiesInTheTangentPlane) {
  Bench bench = tilted_bench(0.25);
  bench.ground.friction = 1;
  bench.memory.ux = lanes(0.001), bench.memory.uy = lanes(-0.002);
  WheelStep step;
  step.load_passes = 60;
  const WheelForces f = bench.touch(step);
  Mat3 R;
  R << lane0(bench.motion.ex), lane0(bench.motion.ey), lane0(bench.motion.ez);
  const Vec3 force = R * lane0(f.force), normal = bench.terrain->at(0, 0).normal();
  EXPECT_NEAR(force.dot(normal), f.load[0], 1e-6 * f.load[0]);
  EXPECT_NEAR((force - f.load[0] * normal).norm(), std::hypot(f.fx[0], f.fy[0]), 1e-6 * f.load[0]);
  EXPECT_NEAR(lane0(f.force).z(), 8000 * f.h[0], 1e-6);
  // Sliding sideways at v along the axle is faster along the slope than in plan.
  bench.motion.v = spread(Vec3(0, 0.3, 0));
  EXPECT_NEAR(bench.touch(step).side_speed[0], 0.3 / f.tilt_cosine[0], 1e-12);
}

TEST(Wheel, DerivativesHoldWhereTheGroundTilts) {
  // As above, rolled against a slope across: differences of the mean force at new velocities.
  const auto bench_at = [](const Vec3& v, double spin) {
    Bench bench = tilted_bench(0.15);
    bench.ground.friction = 1;
    bench.pack.suspension.stiffness = lanes(1e-6);
    bench.pack.suspension.damping = lanes(4000);
    bench.pack.spin_inertia = lanes(1e9);  // no friction turns it beyond the speed at which there is none
    bench.motion.v = spread(v);
    bench.motion.spin = lanes(spin);
    bench.memory.ux = lanes(0.0012), bench.memory.uy = lanes(-0.0016);
    return bench;
  };
  const double dt = 1e-3, spin = 1.53 / 0.12;
  const Vec3 v(1.5, 0.05, -0.4);
  const WheelStep step{dt, 1, 1, 8};
  const WheelForces f = bench_at(v, spin).touch(step);
  ASSERT_GT(f.load[0], 100);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 x = 0.02 * Vec3::Unit(axis);
    const Vec3 numeric = (lane0(bench_at(v + dt * x, spin).touch(step).force) -
                          lane0(bench_at(v - dt * x, spin).touch(step).force)) /
                         2;
    Vec3 predicted;
    for (int i = 0; i < 3; ++i) predicted[i] = -Vec3(lane0(f.E[i])).dot(x);
    EXPECT_NEAR((predicted - numeric).norm(), 0, 0.08 * numeric.norm()) << axis;
  }
}

TEST(Wheel, AWallPushesBackWithoutLiftingTheWheel) {
  Bench bench("kind = \"step\"\nstart = 0.0\nrise = 0.4\nedge = 0.005\n");
  bench.set_pose(Mat3::Identity(), Vec3(-0.11, 0, 0.11));
  bench.memory.h = lanes(0.01);
  bench.motion.v = spread(Vec3(0.5, 0, 0));
  const WheelForces f = bench.touch({1e-3, 0.5, 0.5, 1});
  EXPECT_NEAR(f.h[0], 0.01, 1e-6) << "the floor";
  EXPECT_TRUE(f.walled[0]);
  EXPECT_LT(f.wall_force.x[0], -80e3 * 0.005);
  EXPECT_EQ(f.wall_force.z[0], 0);
  EXPECT_GT(f.wall_E[0].x[0], 0);
  // Leaving, it does not hold the wheel.
  bench.motion.v = spread(Vec3(-5, 0, 0));
  EXPECT_FALSE(bench.touch({1e-3, 0.5, 0.5, 1}).walled[0]);
}

Vec3 first(const V3<Lanes>& v) { return {v.x[0], v.y[0], v.z[0]}; }
Mat3 first_rows(const V3<Lanes> (&E)[3]) {
  Mat3 out;
  for (int i = 0; i < 3; ++i) out.row(i) = first(E[i]).transpose();
  return out;
}

TEST(Wheel, IsTheSameInWhateverAxesOfItsLink) {
  // The law is computed in the wheel's own axes and turned to those of the link: once where they are the
  // same, once where the link's axes are turned by any rotation Q and all vectors with them.
  RandomStream r(11, 0, "axes");
  int loaded = 0;  // not lifted off by its speed
  for (int trial = 0; trial < 60; ++trial) {
    const auto vector = [&](double size) {
      return Vec3(r.uniform(-size, size), r.uniform(-size, size), r.uniform(-size, size));
    };
    Bench plain("kind = \"flat\"\nslope = 0.2\n");
    plain.ground.planar = trial % 4 == 3;
    plain.pack.square = true;
    const Vec3 hub = vector(0.3), v = vector(1), w = vector(1), turn = vector(0.3);
    const Mat3 R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    plain.pack.hub = spread(hub);
    plain.motion.v = spread(v), plain.motion.w = spread(w), plain.motion.spin = lanes(r.uniform(-10, 10));
    plain.memory.ux = lanes(r.uniform(-1e-3, 1e-3)), plain.memory.uy = lanes(r.uniform(-1e-3, 1e-3));
    const Vec3 at(0, 0, 0.11);
    plain.set_pose(R, at - R * hub);
    Bench turned("kind = \"flat\"\nslope = 0.2\n");
    turned.ground.planar = plain.ground.planar;
    const Vec3 any = vector(3);
    const Mat3 Q = Eigen::AngleAxisd(any.norm(), any.normalized()).toRotationMatrix(), Qt = Q.transpose();
    turned.pack.n = spread(Qt.col(0)), turned.pack.a = spread(Qt.col(1)), turned.pack.b = spread(Qt.col(2));
    turned.pack.hub = spread(Qt * hub);
    turned.motion.v = spread(Qt * v), turned.motion.w = spread(Qt * w),
    turned.motion.spin = plain.motion.spin;
    turned.memory = plain.memory;
    turned.set_pose(R * Q, at - R * hub);
    const WheelStep step{1e-3, 0.5, 0.5, 2};
    const WheelForces a = plain.touch(step), b = turned.touch(step);
    ASSERT_TRUE(a.touching[0] && b.touching[0]);
    EXPECT_NEAR(a.load[0], b.load[0], 1e-9);
    EXPECT_NEAR(a.fx[0], b.fx[0], 1e-9);
    EXPECT_NEAR(a.fy[0], b.fy[0], 1e-9);
    EXPECT_NEAR(a.diagonal[0], b.diagonal[0], 1e-9);
    const double size = first_rows(a.E).norm();
    loaded += size > 1e-3;
    EXPECT_LT((first_rows(a.E) - Q * first_rows(b.E) * Qt).norm(), 1e-9 * (1 + size));
    for (const auto part :
         {&WheelForces::point, &WheelForces::force, &WheelForces::normal, &WheelForces::column,
          &WheelForces::row, &WheelForces::rolling_row, &WheelForces::slip_row, &WheelForces::side_row})
      EXPECT_LT((first(a.*part) - Q * first(b.*part)).norm(), 1e-9 * (1 + first(a.*part).norm()));
  }
  EXPECT_GT(loaded, 30);
}

TEST(Wheel, LoggedSlipFollowsTheConventions) {
  const double rim[] = {2, 1, 0, 1, 0, 1, -2, -1}, hub[] = {1, 2, 0, 0, 1, -1, -1, 3};
  const double slip[] = {0.5, -0.5, 0, 1, -1, 1, -0.5, -1};
  for (int i = 0; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(logged_slip(rim[i], hub[i]), slip[i]) << i;
    EXPECT_DOUBLE_EQ(logged_slip(load(rim + i / 4 * 4), load(hub + i / 4 * 4))[i % 4], slip[i]) << i;
  }
}

}  // namespace
}  // namespace scree
