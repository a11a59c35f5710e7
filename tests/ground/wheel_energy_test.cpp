/// What a suspended wheel holds and gives back: springs, steep ground, bristles, friction of light wheels.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"
#include "scree/ground/wheel.hpp"
#include "wheel_bench.hpp"

namespace scree {
namespace {

const Suspension<double> kStiffening{8000, 0, 0.05, 9, 0.01};

TEST(WheelEnergy, TheWorkOfASpringsMeanForceIsWhatItHoldsMore) {
  RandomStream random(1, 0, "springs");
  int bent = 0;
  for (int i = 0; i < 2000; ++i) {
    const double h = random.uniform(1e-5, 0.09), half = random.uniform(-0.03, 0.03);
    const double low = std::max(h - half, 0.0), high = std::max(h + half, 0.0);
    const double more = suspension_energy(kStiffening, high) - suspension_energy(kStiffening, low);
    const auto f = suspension_spring_between(kStiffening, h, half);
    EXPECT_NEAR(f.force * 2 * half, more, 1e-9) << h << ' ' << half;
    bent += std::min(h - half, h + half) < 0 || std::max(h - half, h + half) > 0.05;
    if (std::abs(half) < 1e-3 || h + half < 1e-4) continue;
    // Half of `stiffness` is what the mean gains by the displacement at the end.
    const auto mean = [&](double end) {
      return (suspension_energy(kStiffening, end) - suspension_energy(kStiffening, low)) / (end - (h - half));
    };
    const double slope = (mean(high + 1e-7) - mean(high - 1e-7)) / 2e-7;
    EXPECT_NEAR(0.5 * f.stiffness, std::max(slope, 0.0), 1e-3 * (1 + slope)) << h << ' ' << half;
  }
  EXPECT_GT(bent, 500);
  EXPECT_EQ(suspension_spring_between(kStiffening, 0.02, 0.0).force, 160);
  EXPECT_EQ(suspension_spring_between(kStiffening, 0.02, 0.01).stiffness, 8000);
}

TEST(WheelEnergy, TheEnergyOfTheSpringIsTheIntegralOfItsForce) {
  for (const double h : {0.02, 0.055, 0.09}) {
    double sum = 0;
    const int n = 4000;
    for (int i = 0; i < n; ++i) sum += suspension_spring(kStiffening, (i + 0.5) * h / n).force * h / n;
    EXPECT_NEAR(suspension_energy(kStiffening, h), sum, 1e-6 * sum);
  }
}

/// Work of one wheel's force and couple along a closed way of its link over a plane, without friction [J],
/// and the largest energy on the way.
double work_around(double slope, double around, double size, int pieces, double* most) {
  WheelBench bench("kind = \"flat\"\nslope = " + std::to_string(slope) + "\n");
  bench.ground.friction = 0;
  bench.pack.suspension.damping = Lanes{};
  const auto pose = [&](double t) {
    const double a = around + 2 * kPi * t;
    const Mat3 R = (Eigen::AngleAxisd(0.3 * std::cos(a), Vec3::UnitZ()) *
                    Eigen::AngleAxisd(size * std::sin(a + 0.4), Vec3::UnitY()) *
                    Eigen::AngleAxisd(0.5 * size * std::cos(2 * a), Vec3::UnitX()))
                       .toRotationMatrix();
    // The hub 0.104 m above the plane along its normal, and up to 12 mm nearer.
    const double above = 0.104 - 0.012 * std::cos(a - 1);
    const Vec3 p(-above * std::sin(slope) + 0.02 * std::cos(slope) * std::sin(a), 0.01 * std::cos(a),
                 above * std::cos(slope) + 0.02 * std::sin(slope) * std::sin(a));
    return std::pair{R, p};
  };
  double work = 0, held = 0;
  *most = 0;
  for (int i = 0; i < pieces; ++i) {
    const auto [R0, p0] = pose(double(i) / pieces);
    const auto [R1, p1] = pose(double(i + 1) / pieces);
    const auto [Rm, pm] = pose((i + 0.5) / pieces);
    bench.set_pose(Rm, pm);
    bench.memory = WheelMemory{};
    const WheelForces f = bench.touch({});
    EXPECT_TRUE(f.touching[0]);
    const auto lane0 = [](const V3<Lanes>& v) { return Vec3(v.x[0], v.y[0], v.z[0]); };
    const Vec3 force = lane0(f.force), couple = f.steep[0] ? lane0(f.couple) : Vec3::Zero();
    const Eigen::AngleAxisd turn(Mat3(R0.transpose() * R1));
    const Vec3 way = Rm.transpose() * (p1 - p0), angle = turn.angle() * turn.axis();
    work += force.dot(way) + (lane0(f.point).cross(force) + couple).dot(angle);
    held = std::max(held, std::abs(work));
  }
  *most = held;
  return work;
}

TEST(WheelEnergy, OnSteepGroundForceAndCoupleComeFromOneStore) {
  for (const double slope : {0.46, 1.09, 1.14, 1.17}) {
    for (const double around : {0.0, 1.5, 3.5}) {
      double most = 0;
      const double coarse = std::abs(work_around(slope, around, 0.12, 500, &most));
      const double fine = std::abs(work_around(slope, around, 0.12, 2000, &most));
      EXPECT_GT(most, 0.1) << slope;
      EXPECT_LT(fine, 2e-4 * most) << slope << ' ' << around << ": " << coarse << " in 500 pieces";
    }
  }
}

TEST(WheelEnergy, SuddenGroundPressesByWhatTheDamperTookAndNoMore) {
  WheelBench bench;
  bench.set_pose(Mat3::Identity(), Vec3(0, 0, 0.09));  // 30 mm deep, without any motion
  const WheelStep step{1e-3, 0.5, 0.5, 1};
  bench.memory.h = lanes(0.001);
  const WheelForces none = bench.touch(step);
  EXPECT_NEAR(none.pressed[0], 0.001, 1e-12);
  EXPECT_EQ(none.spared[0], 0);
  for (const double spare : {1e-4, 1e-2, 10.0}) {
    bench.memory.spare = lanes(spare);
    const WheelForces f = bench.touch(step);
    EXPECT_GT(f.pressed[0], 0.001);
    EXPECT_LT(f.pressed[0], 0.0016) << "half a millimetre in a step";
    const double more = 0.5 * 8000 * (f.pressed[0] * f.pressed[0] - 1e-6);
    EXPECT_GE(-f.spared[0] + 1e-12, more) << "it holds more than was spent";
    EXPECT_LE(-f.spared[0], spare + 1e-12);
  }
  // What the motion explains costs nothing.
  bench.memory = WheelMemory{};
  bench.memory.h = lanes(0.029);
  bench.memory.way = lanes(0.0005);
  bench.motion.v = spread(Vec3(0, 0, -1.2));
  const WheelForces moved = bench.touch(step);
  EXPECT_NEAR(moved.pressed[0], 0.03, 1e-9);
  EXPECT_EQ(moved.spared[0], 0);
}

TEST(WheelEnergy, WallsPressByTheMotionAndByWhatTheDamperTook) {
  WheelBench bench("kind = \"step\"\nstart = 0.0\nrise = 0.4\nedge = 0.005\n");
  bench.set_pose(Mat3::Identity(), Vec3(-0.08, 0, 0.11));  // 40 mm in the wall, all of a sudden
  bench.memory.h = lanes(0.01);
  const WheelStep step{1e-3, 0.5, 0.5, 1};
  const WheelForces none = bench.touch(step);
  EXPECT_EQ(none.wall[0], 0);
  EXPECT_FALSE(none.walled[0]);
  bench.memory.spare = lanes(10);
  const WheelForces paid = bench.touch(step);
  EXPECT_GT(paid.wall[0], 0);
  EXPECT_LE(paid.wall[0], 0.0005 + 1e-12) << "half a millimetre in a step";
  EXPECT_GE(-paid.spared[0], 0.5 * 80e3 * paid.wall[0] * paid.wall[0]) << "it holds more than was spent";
  // Driven in at 2 m/s it presses by the way.
  bench.memory.spare = Lanes{};
  bench.memory.wall = lanes(0.005);
  bench.motion.v = spread(Vec3(2, 0, 0));
  EXPECT_NEAR(bench.touch(step).wall[0], 0.007, 1e-4);
}

TEST(WheelEnergy, WhatTheDamperTakesIsItsForceTimesTheWay) {
  WheelBench bench;  // 10 mm deep, 350 N s/m
  const WheelStep step{1e-3, 0.5, 0.5, 1};
  bench.motion.v = spread(Vec3(0, 0, -0.4));
  finish_wheels(bench.pack, bench.touch(step), V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
  EXPECT_NEAR(bench.memory.spare[0], 1e-3 * 350 * 0.4 * 0.4, 1e-12);
  EXPECT_NEAR(bench.memory.way[0], 0.5e-3 * 0.4, 1e-12);
  // A motion that turns round within the step surely takes nothing.
  bench.memory = WheelMemory{};
  const V3<Lanes> back = spread(Vec3(0, 0, 500));
  finish_wheels(bench.pack, bench.touch(step), back, V3<Lanes>{}, Lanes{}, step, bench.memory);
  EXPECT_EQ(bench.memory.spare[0], 0);
}

TEST(WheelEnergy, BristlesOfARisingLoadComeWithoutDeflection) {
  WheelBench bench;
  bench.pack.tyre = &bench.tyre;
  bench.memory.ux = lanes(0.0002);
  bench.memory.uy = lanes(-0.0003);
  const WheelStep step{1e-6, 0.5, 0.5, 4};
  const auto at = [&](double depth) {
    bench.set_pose(Mat3::Identity(), Vec3(0, 0, 0.12 - depth));
    bench.memory.h = lanes(depth);
    return bench.touch(step);
  };
  WheelForces f = at(0.01);
  EXPECT_EQ(f.worn[0], 1);
  const double fx = f.fx[0], fy = f.fy[0];
  finish_wheels(bench.pack, f, V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
  EXPECT_NEAR(bench.memory.bearing[0], 80, 1e-6);
  const WheelMemory kept = bench.memory;
  // Half of the load: half of the force; twice the load: the same force.
  f = at(0.005);
  EXPECT_NEAR(f.fx[0], 0.5 * fx, 0.03 * std::abs(fx));
  bench.memory = kept;
  f = at(0.02);
  EXPECT_NEAR(f.worn[0], 0.5, 1e-3);
  EXPECT_NEAR(f.fx[0], fx, 0.03 * std::abs(fx));
  EXPECT_NEAR(f.fy[0], fy, 0.03 * std::abs(fy));
  // Within the play nothing is worn off, nor by a hundred small ups and downs.
  bench.memory = kept;
  for (int i = 0; i < 200; ++i) {
    f = at(0.01 + (i % 2 ? 4e-6 : -4e-6));
    EXPECT_EQ(f.worn[0], 1);
    finish_wheels(bench.pack, f, V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
  }
}

TEST(WheelEnergy, BristlesGoWithTheLoadThatTheDamperTakes) {
  const WheelStep step{1e-3, 0.5, 0.5, 1};
  const auto loaded = [&](WheelBench& bench) {
    bench.memory.ux = lanes(0.0002), bench.memory.uy = lanes(-0.0003);
    bench.memory.h = lanes(0.01), bench.memory.seating = lanes(1), bench.memory.bearing = lanes(80);
  };
  // 10 mm deep, it rises at 1 m/s: 350 N s/m against 80 N.
  WheelBench bench;
  loaded(bench);
  bench.motion.v = spread(Vec3(0, 0, 1));
  const WheelForces f = bench.touch(step);
  ASSERT_TRUE(f.touching[0]);
  EXPECT_EQ(f.load[0], 0);
  finish_wheels(bench.pack, f, V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
  EXPECT_EQ(bench.memory.bearing[0], 0);
  EXPECT_EQ(bench.memory.ux[0], 0);
  EXPECT_EQ(bench.memory.uy[0], 0);
  // While the damper leaves some, deflections stay.
  WheelBench held;
  loaded(held);
  held.motion.v = spread(Vec3(0, 0, 0.1));
  finish_wheels(held.pack, held.touch(step), V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, held.memory);
  EXPECT_NEAR(held.memory.ux[0], 0.0002, 1e-6);
  EXPECT_NEAR(held.memory.uy[0], -0.0003, 1e-6);
}

/// On level ground, pressed down at a speed that its damper answers; the load before was a part of it.
WheelBench pressed_bench(double down, double part) {
  WheelBench bench;
  bench.pack.suspension.stiffness = lanes(1e-6);
  bench.pack.suspension.damping = lanes(4000);
  bench.pack.spin_inertia = lanes(1e9);
  bench.motion.v = spread(Vec3(0.02, 0.01, -down));
  bench.motion.spin = lanes(0.02 / 0.12);
  bench.memory.ux = lanes(0.0008), bench.memory.uy = lanes(-0.0009);
  bench.memory.seating = lanes(1);
  bench.memory.bearing = lanes(part * 4000 * 0.1);
  return bench;
}

TEST(WheelEnergy, ARisingLoadAddsNoFrictionWithinTheStepEither) {
  // Differences of the mean force over downward speeds beside the derivatives, theta = 1.
  const double dt = 1e-3;
  const WheelStep step{dt, 1, 1, 8};
  for (const double part : {0.5, 2.0}) {
    const WheelForces f = pressed_bench(0.1, part).touch(step);
    ASSERT_EQ(f.worn[0] < 1, part < 1);
    const WheelForces more = pressed_bench(0.102, part).touch(step),
                      less = pressed_bench(0.098, part).touch(step);
    const double a = -0.002 / dt;  // m/s², downward
    for (int axis = 0; axis < 3; ++axis) {
      const auto component = [&](const WheelForces& g) {
        return axis == 0 ? g.force.x[0] : axis == 1 ? g.force.y[0] : g.force.z[0];
      };
      const double numeric = (component(more) - component(less)) / 2, predicted = -f.E[axis].z[0] * a;
      // The tyre's coefficients follow the load too, which derivatives leave out: 0.11 N of 8 N.
      EXPECT_NEAR(predicted, numeric, 0.15) << part << ", axis " << axis;
    }
    if (part > 1) {
      EXPECT_GT(std::abs(f.E[0].z[0] * a), 1) << "a falling load takes friction with it";
    }
  }
}

TEST(WheelEnergy, TheLoadThatDeflectionsReferToIsTheMeanOverTheStep) {
  const double dt = 1e-3;
  const WheelStep step{dt, 1, 1, 8};
  WheelBench bench = pressed_bench(0.1, 0.5);
  const WheelForces f = bench.touch(step);
  finish_wheels(bench.pack, f, spread(Vec3(0, 0, -20)), V3<Lanes>{}, Lanes{}, step, bench.memory);
  const WheelForces after = pressed_bench(0.12, 0.5).touch(step);
  EXPECT_NEAR(bench.memory.bearing[0], after.bearing[0], 2e-3 * after.bearing[0]);
  EXPECT_GT(after.bearing[0], 1.15 * f.bearing[0]);
}

/// A wheel whose load swings while its hub is moved to and fro: the way never gets work out of it over many
/// periods, whatever the phase between the two.
TEST(WheelEnergy, AWheelThatBouncesAndSlidesOnlyTakesWork) {
  for (const double phase : {0.0, 0.8, 1.6, 2.4, 3.2, 4.0, 4.8, 5.6}) {
    for (const bool across : {false, true}) {
      WheelBench bench;
      bench.pack.suspension.damping = Lanes{};
      const double dt = 1e-4, period = 0.05, swing = 2 * kPi / period;
      const WheelStep step{dt, 0.5, 0.5, 1};
      double work = 0, taken = 0;
      for (int i = 0; i < 5000; ++i) {
        const double t = i * dt, depth = 0.02 + 0.015 * std::sin(swing * t + phase);
        const double speed = 0.02 * std::cos(swing * t);
        bench.set_pose(Mat3::Identity(), Vec3(0, 0, 0.12 - depth));
        bench.memory.h = lanes(depth);
        bench.motion.v = spread(across ? Vec3(0, speed, 0) : Vec3(speed, 0, 0));
        const WheelForces f = bench.touch(step);
        const double push = (across ? f.force.y[0] : f.force.x[0]) * speed;
        if (i >= 1000) work += push * dt, taken += std::abs(push) * dt;
        finish_wheels(bench.pack, f, V3<Lanes>{}, V3<Lanes>{}, Lanes{}, step, bench.memory);
      }
      EXPECT_LT(work, 1e-3 * taken) << phase << (across ? " across" : " along");
    }
  }
}

TEST(WheelEnergy, ALightWheelIsNotDrivenPastNoSlip) {
  RandomStream random(2, 0, "light wheels");
  int reversed_without = 0;
  for (int i = 0; i < 400; ++i) {
    WheelBench bench;
    const double inertia = 0.002 * std::pow(30, random.uniform()), depth = random.uniform(0.005, 0.06);
    const double dt = 1e-3 * std::pow(5, random.uniform()), hub = random.uniform(1, 5);
    const double slip = random.uniform(-0.9, 0.9) * hub;
    bench.pack.spin_inertia = lanes(inertia);
    bench.set_pose(Mat3::Identity(), Vec3(0, 0, 0.12 - depth));
    bench.memory.h = lanes(depth);
    bench.motion.v = spread(Vec3(hub, 0, 0));
    bench.motion.spin = lanes((hub + slip) / 0.12);
    const WheelForces f = bench.touch({dt, 0.5, 0.5, 4});
    // The hub held at its speed: I y = -(r F_x + diagonal y), rolling resistance left out.
    const double y = -0.12 * f.fx[0] / (inertia + f.diagonal[0]);
    const double after = slip + dt * 0.12 * y;
    EXPECT_GE(after / slip, -1) << "more slip than before: " << slip << " m/s to " << after;
    EXPECT_LE(after / slip, 1);
    reversed_without += std::abs(dt * 0.12 * 0.12 * f.fx[0] / inertia) > 2 * std::abs(slip);
  }
  EXPECT_GT(reversed_without, 20) << "cases in which friction held over the step would drive";
}

/// Wheels that land askew and sideways, near a jam and in one: their friction takes no more than half of the
/// inertia that the solve divides by; and in a jam the load does not follow it (seen on wheels so heavy that
/// no friction ends their slip, which would end the jam).
TEST(WheelEnergy, NearAJamFrictionLeavesALightWheelItsInertia) {
  RandomStream random(3, 0, "jams");
  WheelBench bench;
  int jammed = 0, near = 0;
  for (int i = 0; i < 20000; ++i) {
    const double inertia = i % 2 == 0 ? 1e9 : 0.01 * std::pow(10, random.uniform());
    bench.pack.spin_inertia = lanes(inertia);
    const Mat3 R = rotation_from_rpy(random.uniform(-1, 1), random.uniform(-0.8, 0.8), 0);
    bench.set_pose(R, Vec3(0, 0, random.uniform(0.06, 0.12)));
    bench.motion.v = spread(Vec3(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-4, 0)));
    bench.motion.spin = lanes(random.uniform(-10, 10));
    bench.memory.h = lanes(random.uniform(0.001, 0.03));
    bench.memory.seating = lanes(random.uniform(1, 7));
    bench.memory.ux = lanes(random.uniform(-0.01, 0.01)),
    bench.memory.uy = lanes(random.uniform(-0.01, 0.01));
    const WheelForces f = bench.touch({5e-3 * random.uniform(), 0.5, 0.5, 1});
    if (!f.touching[0] || !(f.load[0] > 0)) continue;
    EXPECT_GE(f.diagonal[0], -0.5 * inertia) << i;
    const bool jams = std::abs(f.seating[0] - 1 / 0.15) < 1e-9;
    if (jams && inertia > 1) {
      // By friction alone: column is -r times the fall of the force with the slip. It lies in the tangent
      // plane.
      const Vec3 fall(f.column.x[0], f.column.y[0], f.column.z[0]);
      const Vec3 normal(f.normal.x[0], f.normal.y[0], f.normal.z[0]);
      EXPECT_LT(std::abs(fall.dot(normal)), 1e-9 * (1 + fall.norm())) << i;
      jammed += fall.norm() > 0.1;
    }
    near += !jams && f.seating[0] > 3;
  }
  EXPECT_GT(jammed, 500);
  EXPECT_GT(near, 1000);
}

}  // namespace
}  // namespace scree
