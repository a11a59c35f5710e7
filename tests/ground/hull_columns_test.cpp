/// Bodies against the ground, without a robot: closed forms, energy, a second method, nothing passed over.
#include <gtest/gtest.h>

#include <cmath>

#include "body_bench.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/convex.hpp"

namespace scree {
namespace {

constexpr double kPerArea = 4e4 / (0.025 * 0.025);  // default stiffness per area [N/m³]

using namespace scree::testing;

TEST(HullColumns, ABoxPressedFlatPushesByItsAreaAtAnyPitch) {
  for (const char* ground : {"kind = \"flat\"\n", "kind = \"step\"\nstart = 9.0\nedge = 0.012\n"}) {
    BodyBench bench(box());
    const Vec6 w = bench.at(*terrain_of(ground), standing(0.1 - 0.002));
    EXPECT_NEAR(w[2], kPerArea * 0.6 * 0.4 * 0.002, 1e-6 * w[2]) << ground;
    EXPECT_NEAR(w.tail<3>().norm(), 0, 1e-9 * w[2]);
    double listed = 0;
    for (const Contact& c : bench.contacts) listed += c.force_W.z();
    EXPECT_NEAR(listed, w[2], 1e-9 * w[2]);
  }
}

/// A box on one edge, tilted by a: bottom and front each press a wedge, of depth d at the edge:
/// K b d²/2 (cos a/sin a + sin a/cos a).
TEST(HullColumns, ABoxOnItsEdgePressesTwoWedges) {
  HullSettings soft;
  const auto flat = terrain_of("kind = \"flat\"\n");
  for (const double tilt : {0.2, 0.5, 0.9, 1.3}) {
    const double low = 0.3 * std::sin(tilt) + 0.1 * std::cos(tilt), d = 0.06;
    BodyBench bench(box(), soft);
    const double expected =
        kPerArea * 0.4 * 0.5 * d * d * (std::cos(tilt) / std::sin(tilt) + std::sin(tilt) / std::cos(tilt));
    // Columns end at 25 mm: the trapezium of a wedge is off by (pitch/length)²/2 at most.
    EXPECT_NEAR(bench.at(*flat, standing(low - d, 0, tilt))[2], expected, 0.08 * expected) << tilt;
  }
}

TEST(HullColumns, ACornerTouchesWhereItIs) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  BodyBench bench(box());
  const Mat3 R = rotation_from_rpy(0.3, 0.4, 0.7);
  const double low = (R.row(2).cwiseAbs() * kHalf).value();
  bench.at(*flat, {R, Vec3(0, 0, low + 1e-6)});
  EXPECT_FALSE(bench.report.body);
  bench.at(*flat, {R, Vec3(0, 0, low - 1e-6)});
  EXPECT_TRUE(bench.report.body);
}

/// On a slope the box feels the slope's normal.
TEST(HullColumns, OnASlopeTheForceIsAlongItsNormal) {
  const auto slope = terrain_of("kind = \"flat\"\nslope_deg = 20.0\n");
  const Vec3 n = slope->at(0, 0).normal();
  BodyBench bench(box());
  const Mat3 R = rotation_between(Vec3::UnitZ(), n);
  const Vec6 w = bench.at(*slope, {R, (0.1 - 0.003) * n});
  EXPECT_NEAR(w.head<3>().norm(), kPerArea * 0.24 * 0.003, 1e-6 * w.norm());
  EXPECT_NEAR(w.head<3>().normalized().dot(n), 1, 1e-12);
}

/// Work around closed ways of height, place, roll, pitch and yaw: none is left over (no friction, no damper).
TEST(HullColumns, WithoutFrictionAndDampingNoWorkIsLeftOver) {
  HullSettings hull;
  hull.friction = 0;
  hull.damping = 0;
  for (const char* ground : {"kind = \"flat\"\n", "kind = \"flat\"\nslope_deg = 15.0\n"}) {
    const auto terrain = terrain_of(ground);
    BodyBench bench(box(), hull);
    RandomStream random(3, 0, "loops");
    for (int loop = 0; loop < 6; ++loop) {
      Vec6 a, b;
      for (int i = 0; i < 6; ++i) a[i] = random.uniform(-1, 1), b[i] = random.uniform(-1, 1);
      const double size = 0.02;
      bench.at(*terrain, standing(0, 0.15, 0.2, 0.3));
      const double height = bench.sunk - 0.03;
      double work = 0, gross = 0;
      const int n = 2000;
      Pose before;
      Vec6 last;
      for (int k = 0; k <= n; ++k) {
        const double phase = 2 * kPi * k / n;
        const Vec6 q = size * (std::cos(phase) * a + std::sin(phase) * b);
        Pose X = standing(height + q[2], 0.15 + q[3], 0.2 + q[4], 0.3 + q[5], q[0], q[1]);
        const Vec6 f = bench.at(*terrain, X);
        if (k > 0) {
          const Mat3 turn = X.R * before.R.transpose();
          const Vec3 axis =
              0.5 * Vec3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
          const Vec6 mean = 0.5 * (f + last);
          const double dw = mean.head<3>().dot(X.p - before.p) + mean.tail<3>().dot(axis);
          work += dw, gross += std::abs(dw);
        }
        before = X, last = f;
      }
      ASSERT_GT(gross, 0);
      EXPECT_LT(std::abs(work), 2e-3 * gross) << ground << " loop " << loop;
    }
  }
}

/// The moment is the slope of the energy over the angle, the energy what lifting gives back at that angle.
TEST(HullColumns, TheMomentIsTheSlopeOfTheEnergy) {
  HullSettings hull;
  hull.friction = 0;
  hull.damping = 0;
  const auto flat = terrain_of("kind = \"flat\"\n");
  BodyBench bench(box(), hull);
  const double z = 0.15, tilt = 0.25, turn = 1e-3;
  const auto energy = [&](double pitch) {
    double sum = 0, last = bench.at(*flat, standing(z, 0, pitch))[2];
    const double dz = 1e-5;
    for (double up = dz; up < 0.05; up += dz) {
      const double now = bench.at(*flat, standing(z + up, 0, pitch))[2];
      sum += 0.5 * (now + last) * dz;
      last = now;
    }
    return sum;
  };
  const double slope = (energy(tilt + turn) - energy(tilt - turn)) / (2 * turn);
  const double moment = bench.at(*flat, standing(z, 0, tilt))[4];
  ASSERT_GT(std::abs(moment), 1);
  const Mat3 turned = rotation_from_rpy(0, tilt + turn, 0) * rotation_from_rpy(0, tilt, 0).transpose();
  const double sense = turned(0, 2) > 0 ? 1 : -1;  // of growing pitch about y
  EXPECT_NEAR(moment, -sense * slope, 2e-3 * std::abs(moment));
}

constexpr const char* kHullGrounds[] = {
    "kind = \"sines\"\namplitude = 0.15\nwavelength_x = 1.0\nwavelength_y = 1.5\n",
    "kind = \"fbm\"\ncells = [256, 256]\nsize = [2.0, 2.0]\nhurst = 0.36\nsigma = 0.008\nseed = 2\n",
    "kind = \"bump\"\nrise = 0.3\nlength = 0.4\nwidth = 0.3\n", "kind = \"step\"\nstart = 0.1\nrise = 0.3\n",
    "kind = \"rocks\"\nsampled = false\ncover = 0.2\nsmallest = 0.08\nlargest = 0.5\nsize = [6.0, "
    "6.0]\nseed = 4\n"};

/// Nothing is passed over: every column below the ground is found, whatever was skipped; a body out of reach
/// feels nothing. The second method looks at all columns.
TEST(HullColumns, NoColumnBelowTheGroundIsPassedOver) {
  for (const char* text : kHullGrounds) {
    const auto terrain = terrain_of(text);
    BodyBench bench(box());
    RandomStream random(5, 0, text);
    int touched = 0, clear = 0;
    for (int i = 0; i < 600; ++i) {
      const double x = random.uniform(-0.8, 0.8), y = random.uniform(-0.8, 0.8);
      const Pose X = standing(terrain->height(x, y) + random.uniform(0.02, 0.4), random.uniform(-0.6, 0.6),
                              random.uniform(-0.6, 0.6), random.uniform(-3, 3), x, y);
      bench.at(*terrain, X);
      // The roof looks up: columns there are buried only under ground that the rest of the body feels too.
      EXPECT_EQ(bench.report.body, bench.sunk > 0) << text << " pose " << i;
      (bench.report.body ? touched : clear) += 1;
    }
    EXPECT_GT(touched, 50) << text;
    EXPECT_GT(clear, 50) << text;
  }
}

/// A body that moves little by little near the ground is not looked at in every step: what was clear stays so
/// for as far as the clearance says, and no farther.
TEST(HullColumns, ABodyThatWandersNearTheGroundIsFeltWhereItTouches) {
  for (const char* text : kHullGrounds) {
    const auto terrain = terrain_of(text);
    RandomStream random(7, 0, text);
    int touched = 0, clear = 0;
    for (int walk = 0; walk < 60; ++walk) {
      BodyBench bench(box());
      const double x = random.uniform(-0.6, 0.6), y = random.uniform(-0.6, 0.6);
      Pose X = standing(terrain->height(x, y) + 0.3, random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4),
                        random.uniform(-3, 3), x, y);
      bench.at(*terrain, X);
      X.p.z() += bench.sunk + random.uniform(0.001, 0.02);
      // One walk in three only turns, about one axis.
      const bool turns = walk % 3 == 2;
      const double heading = random.uniform(-kPi, kPi);
      const Vec3 level(std::cos(heading), std::sin(heading), 0);
      for (int i = 0; i < 40; ++i) {
        bench.at(*terrain, X);
        EXPECT_EQ(bench.report.body, bench.sunk > 0) << text << " walk " << walk << " pose " << i;
        (bench.report.body ? touched : clear) += 1;
        const Vec3 way(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        X = {X.R * rotation_about(turns ? level : axis.normalized(), 0.004),
             turns ? X.p : Vec3(X.p + 0.002 * way)};
      }
    }
    EXPECT_GT(touched, 100) << text;
    EXPECT_GT(clear, 100) << text;
  }
}

/// Straight down onto a plane, where the clearance is the way that is left.
TEST(HullColumns, ABodyThatSinksIsFeltAtTheRightHeight) {
  const auto plane = terrain_of("kind = \"flat\"\n");
  for (double from = 0.11; from < 0.4; from += 0.03) {
    BodyBench bench(box());
    for (double z = from; z > 0.095; z -= 7e-4) {
      bench.at(*plane, standing(z));
      EXPECT_EQ(bench.report.body, z < 0.1) << z << " from " << from;
    }
  }
}

/// A box with its nose in an upright wall: pushed back along the wall's normal, not lifted.
TEST(HullColumns, AWallPushesBackAndDoesNotLift) {
  const auto wall = terrain_of("kind = \"step\"\nstart = 0.0\nrise = 0.5\nedge = 1e-5\n");
  BodyBench bench(box());
  const Vec6 w = bench.at(*wall, standing(0.2, 0, 0, 0, -0.3 + 0.002));
  EXPECT_NEAR(w[0], -kPerArea * 0.4 * 0.2 * 0.002, 0.15 * std::abs(w[0]));
  EXPECT_NEAR(w[2], 0, 0.02 * std::abs(w[0]));
  // At an angle: a corner in the wall.
  const double yaw = 0.4, reach = 0.3 * std::cos(yaw) + 0.2 * std::sin(yaw);
  const Vec6 c = bench.at(*wall, standing(0.2, 0, 0, yaw, -reach + 0.01));
  EXPECT_LT(c[0], 0);
  EXPECT_LT(std::abs(c[1]), 0.05 * std::abs(c[0]));
  EXPECT_LT(std::abs(c[2]), 0.05 * std::abs(c[0]));
}

/// Mirrored poses on mirrored ground give mirrored wrenches.
TEST(HullColumns, LeftIsTheMirrorOfRight) {
  const auto bump = terrain_of("kind = \"bump\"\nrise = 0.3\nlength = 0.6\nwidth = 0.5\n");
  RandomStream random(8, 0, "mirror");
  BodyBench bench(box());
  for (int i = 0; i < 200; ++i) {
    const double roll = random.uniform(-0.5, 0.5), pitch = random.uniform(-0.5, 0.5);
    const double yaw = random.uniform(-3, 3), x = random.uniform(-0.3, 0.3), y = random.uniform(-0.3, 0.3);
    bench.at(*bump, standing(0, roll, pitch, yaw, x, y));
    const double z = bench.sunk - random.uniform(0, 0.03);
    const Vec6 a = bench.at(*bump, standing(z, roll, pitch, yaw, x, y));
    const Vec6 b = bench.at(*bump, standing(z, -roll, pitch, -yaw, x, -y));
    const double near = 1e-9 * a.norm() + 1e-9;
    EXPECT_NEAR(a[0], b[0], near) << i;
    EXPECT_NEAR(a[1], -b[1], near) << i;
    EXPECT_NEAR(a[2], b[2], near) << i;
    EXPECT_NEAR(a[3], -b[3], near) << i;
    EXPECT_NEAR(a[4], b[4], near) << i;
    EXPECT_NEAR(a[5], -b[5], near) << i;
  }
}

/// What the implicit step takes as apparent inertia is the answer to velocity and way (damper ramp passed).
TEST(HullColumns, ApparentInertiaIsTheDerivative) {
  HullSettings hull;
  hull.friction = 0;
  const auto flat = terrain_of("kind = \"flat\"\n");
  BodyBench bench(box(), hull);
  const Pose X = standing(0.1 - 0.01, 0.02, -0.03);
  bench.at(*flat, X, Vec6::Zero(), 1e-3);
  const Mat6 apparent = bench.load.apparent, expected = bench.measured_apparent(*flat, X, 1e-3);
  for (int i = 0; i < 6; ++i) {
    // Turning moves columns in and out and turns the wrench's own axes: geometric terms of a few per cent.
    EXPECT_LT((apparent.col(i) - expected.col(i)).norm(), 0.05 * apparent.norm()) << i;
  }
}

TEST(HullColumns, FrictionHoldsWithinItsConeAndSlidesBeyond) {
  const HullSettings hull;
  PatchPress press{Vec3::UnitZ(), 40, Vec3::Zero()};
  const Grip stick = grip_patch(hull, press, Vec3(1e-4, 0, 0), 0, 1);
  EXPECT_NEAR(stick.force.x(), -0.6 * 4e4 * 1e-4, 1e-9);
  EXPECT_NEAR(grip_patch(hull, press, Vec3(0.1, 0, 0), 0, 1).force.x(), -0.6 * 40, 1e-9);
  EXPECT_EQ(grip_patch(hull, {Vec3::UnitZ(), 0, Vec3::UnitX()}, Vec3::UnitX(), 0, 1).force.norm(), 0);
  // The bristle follows the way made, at its own rate: e' = v.
  press.v_W = Vec3(0.01, 0, 0.5);
  EXPECT_NEAR((grip_rate(hull, press, stick, Vec3::Zero()) - Vec3(0.01, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR(grip_next(hull, press, stick, press.v_W, Vec3::Zero(), 1e-3).x(), 1e-5, 1e-15);
  // And no further than the cone: mu N/k_t.
  EXPECT_NEAR(grip_next(hull, press, stick, press.v_W, Vec3(1, 0, 0), 1e-3).norm(), 0.6 * 40 / (0.6 * 4e4),
              1e-12);
}

double volume(const std::vector<HullFace>& faces) {
  double six = 0;
  for (const HullFace& f : faces) six += f.corner.dot(f.u.cross(f.v)) * (f.triangle ? 1 : 2);
  return six / 6;
}

TEST(Convex, ABoxHasSixFacesAndItsVolume) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.1 : -0.1);
  EXPECT_EQ(convex_faces(corners).size(), 6u);
  EXPECT_NEAR(volume(convex_faces(corners)), 0.6 * 0.4 * 0.2, 1e-12);
  EXPECT_NEAR(volume(box()), 0.6 * 0.4 * 0.2, 1e-12);
  corners.emplace_back(0, 0, 0.1);  // on a face, and inside: neither changes the hull
  corners.emplace_back(0.1, 0.1, 0.0);
  EXPECT_NEAR(volume(convex_faces(corners)), 0.6 * 0.4 * 0.2, 1e-12);
}

TEST(Convex, APrismAndATetrahedron) {
  std::vector<Vec3> prism;
  for (const double y : {-0.2, 0.2})
    for (int i = 0; i < 6; ++i) prism.emplace_back(std::cos(i * kPi / 3), y, std::sin(i * kPi / 3));
  EXPECT_EQ(convex_faces(prism).size(), 6u + 2 * 6u);
  EXPECT_NEAR(volume(convex_faces(prism)), 1.5 * std::sqrt(3.0) * 0.4, 1e-12);
  const std::vector<Vec3> four{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_EQ(convex_faces(four).size(), 4u);
  EXPECT_NEAR(volume(convex_faces(four)), 1.0 / 6, 1e-12);
  const std::vector<Vec3> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_TRUE(convex_faces(flat).empty());
}

TEST(Convex, RandomPointsLieInsideAndFacesClose) {
  RandomStream random(2, 0, "convex");
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i)
    points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  Vec3 closed = Vec3::Zero();
  for (const HullFace& f : convex_faces(points)) {
    const Vec3 n = f.u.cross(f.v);
    closed += (f.triangle ? 0.5 : 1.0) * n;
    for (const Vec3& p : points) EXPECT_LT(n.normalized().dot(p - f.corner), 1e-9);
  }
  EXPECT_NEAR(closed.norm(), 0, 1e-12);
}

/// A triangle's columns share its area exactly.
TEST(HullColumns, ATetrahedronOnItsFacePushesByItsArea) {
  std::vector<Vec3> corners{{0, 0, 0}, {0.3, 0, 0}, {0, 0.4, 0}, {0, 0, 0.3}};
  BodyBench bench(convex_faces(corners));
  const Vec6 w = bench.at(*terrain_of("kind = \"flat\"\n"), standing(-0.001));
  EXPECT_NEAR(w[2], kPerArea * 0.06 * 0.001, 1e-6 * w[2]);
  // At the centroid.
  EXPECT_NEAR(w[3] / w[2], 0.4 / 3, 0.003);
  EXPECT_NEAR(-w[4] / w[2], 0.3 / 3, 0.003);
}

}  // namespace
}  // namespace scree
