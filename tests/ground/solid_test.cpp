/// Convex solids in each other: closed forms, a second method that climbs over directions, symmetry.
#include "scree/ground/solid.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "scree/ground/convex.hpp"

namespace scree {
namespace {

Solid box(const Vec3& half) { return solid_of(box_faces(-half, half)); }

Pose at(const Vec3& p, const Vec3& turn = Vec3::Zero()) {
  const double angle = turn.norm();
  const Vec3 axis = angle > 0 ? Vec3(turn / angle) : Vec3(Vec3::UnitX());
  return {Eigen::AngleAxisd(angle, axis).toRotationMatrix(), p};
}

class Solids : public ::testing::Test {
 protected:
  SolidScratch scratch;
  Overlap out;
  std::mt19937 random{4};
  std::uniform_real_distribution<double> unit{-1, 1};
  Vec3 any() { return {unit(random), unit(random), unit(random)}; }
  Solid some_solid(int i) {
    if (i % 3 == 0) return wheel_solid(0.1 * any(), any() + Vec3(0, 2, 0), 0.3, 0.2);
    if (i % 3 == 1) return box(Vec3(0.3, 0.2, 0.1));
    // A body that is no box, as in model files.
    return solid_of(convex_faces(std::vector<Vec3>{{-.3, -.2, 0},
                                                   {.3, -.2, 0},
                                                   {.3, .2, 0},
                                                   {-.3, .2, 0},
                                                   {-.1, -.1, .3},
                                                   {.2, -.1, .3},
                                                   {.2, .1, .3},
                                                   {-.1, .1, .3}}));
  }
};

/// How far b must go along n to leave a.
double way_out(const Solid& a, const Pose& X_A, const Solid& b, const Pose& X_B, const Vec3& n) {
  double front = -1e300, back = 1e300;
  for (const Vec3& p : a.corners) front = std::max(front, n.dot(X_A * p));
  for (const Vec3& p : b.corners) back = std::min(back, n.dot(X_B * p));
  return front - back;
}

/// How far a place lies outside of the slab that it misses most; zero or less: inside.
double outside(const Vec3& p, const Solid& solid) {
  double most = -1e300;
  for (const Solid::Slab& s : solid.slabs)
    most = std::max({most, s.normal.dot(p) - s.high, s.low - s.normal.dot(p)});
  return most;
}

TEST_F(Solids, BoxesSideBySide) {
  const Solid a = box({0.5, 0.4, 0.3}), b = box({0.2, 0.2, 0.2});
  EXPECT_FALSE(overlaps(a, at({0, 0, 0}), b, at({0.701, 0, 0}), scratch, out));
  ASSERT_TRUE(overlaps(a, at({0, 0, 0}), b, at({0.69, 0.1, 0.05}), scratch, out));
  EXPECT_NEAR(out.depth, 0.01, 1e-12);
  EXPECT_LT((out.normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT((out.point - Vec3(0.49, 0.1, 0.05)).norm(), 1e-12) << "the face of the small one is all inside";
  // A corner that points at a face: its tip.
  const double half = 0.2 * std::sqrt(2.0);
  ASSERT_TRUE(overlaps(a, at({0, 0, 0}), b, at({0.5 + half - 0.02, 0, 0}, {0, 0, kPi / 4}), scratch, out));
  EXPECT_NEAR(out.depth, 0.02, 1e-9);
  EXPECT_LT((out.normal - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_NEAR(out.point.x(), 0.48, 1e-9);
}

TEST_F(Solids, EdgeAgainstEdge) {
  // Two bars, each on its edge and across the other: only the cross product of their edges parts them.
  const Solid bar = box({1, 0.1, 0.1});
  const double edge = 0.1 * std::sqrt(2.0);
  const Pose lower = at({0, 0, 0}, {kPi / 4, 0, 0});
  const auto upper = [&](double z) {
    Pose X = at({0, 0, z}, {0, 0, kPi / 2});
    X.R = X.R * at({}, {kPi / 4, 0, 0}).R;
    return X;
  };
  EXPECT_FALSE(overlaps(bar, lower, bar, upper(2 * edge + 1e-6), scratch, out));
  ASSERT_TRUE(overlaps(bar, lower, bar, upper(2 * edge - 0.01), scratch, out));
  EXPECT_NEAR(out.depth, 0.01, 1e-9);
  EXPECT_LT((out.normal - Vec3::UnitZ()).norm(), 1e-9);
  EXPECT_LT((out.point - Vec3(0, 0, edge - 0.005)).norm(), 1e-6);
}

TEST_F(Solids, AWheelIsRoundToAFiftieth) {
  const Solid wheel = wheel_solid(Vec3::Zero(), Vec3::UnitY(), 0.3, 0.2), wall = box({0.1, 2, 2});
  for (int i = 0; i < 50; ++i) {
    const double turn = 0.05 * i;
    ASSERT_TRUE(overlaps(wheel, at({0, 0, 0}, {0, turn, 0}), wall, at({0.39, 0, 0}), scratch, out));
    EXPECT_NEAR(out.depth, 0.01, 0.02 * 0.3);
    EXPECT_GT(out.normal.x(), 0.999);
    EXPECT_NEAR(out.point.y(), 0, 1e-9);
  }
}

/// A second method: the shortest way out over directions, by climbing from many of them.
TEST_F(Solids, TheShortestWayApartIsTheShortestOfAll) {
  int met = 0, apart = 0;
  for (int i = 0; i < 300; ++i) {
    const Solid a = some_solid(i), b = some_solid(i / 3);
    const Pose X_A = at(0.2 * any(), 2 * any()), X_B = at(0.5 * any(), 2 * any());
    const bool hit = overlaps(a, X_A, b, X_B, scratch, out);
    double shortest = 1e300;
    for (int k = 0; k < 40; ++k) {
      Vec3 n = any().normalized();
      double best = way_out(a, X_A, b, X_B, n);
      for (double size = 0.5; size > 1e-6; size *= 0.75)
        for (int m = 0; m < 8; ++m) {
          const Vec3 next = (n + size * any()).normalized();
          if (const double way = way_out(a, X_A, b, X_B, next); way < best) best = way, n = next;
        }
      shortest = std::min(shortest, best);
    }
    if (hit) {
      ++met;
      EXPECT_LE(out.depth, shortest + 1e-9) << i;
      EXPECT_NEAR(out.depth, shortest, 2e-3) << i;
      EXPECT_NEAR(out.depth, way_out(a, X_A, b, X_B, out.normal), 1e-9) << i;
      // The middle lies in both.
      EXPECT_LT(outside(X_A.inverse() * out.point, a), 2e-3) << i;
      EXPECT_LT(outside(X_B.inverse() * out.point, b), 2e-3) << i;
    } else {
      ++apart;
      EXPECT_LT(shortest, 2e-3) << i;
    }
  }
  EXPECT_GT(met, 50);
  EXPECT_GT(apart, 50);
}

TEST_F(Solids, EachSeesTheSameOfTheOther) {
  int met = 0;
  for (int i = 0; i < 200; ++i) {
    const Solid a = some_solid(i), b = some_solid(i / 3);
    const Pose X_A = at(0.2 * any(), 2 * any()), X_B = at(0.3 * any(), 2 * any());
    Overlap back;
    const bool hit = overlaps(a, X_A, b, X_B, scratch, out);
    ASSERT_EQ(hit, overlaps(b, X_B, a, X_A, scratch, back)) << i;
    if (!hit) continue;
    ++met;
    EXPECT_NEAR(out.depth, back.depth, 1e-12);
    EXPECT_LT((out.normal + back.normal).norm(), 1e-9);
    EXPECT_LT((out.point - back.point).norm(), 1e-9);
  }
  EXPECT_GT(met, 50);
}

TEST_F(Solids, DepthChangesNoMoreThanTheyMove) {
  const Solid wheel = some_solid(0), body = some_solid(2);
  double before = -1, largest = 0;
  for (double x = -0.7; x < 0.7; x += 1e-3) {
    const double depth =
        overlaps(wheel, at({x, 0.11, 0.07}, {0.3, 0, 0.2}), body, at({0, 0, 0}), scratch, out) ? out.depth
                                                                                               : 0;
    if (before >= 0) {
      EXPECT_LT(std::abs(depth - before), 1.001e-3) << x;
    }
    before = depth, largest = std::max(largest, depth);
  }
  EXPECT_GT(largest, 0.1);
}

/// A box tips over its edge until all of its underside is in the ground: the middle goes over from the edge
/// to the centre without a jump.
TEST_F(Solids, TheMiddleWandersAsABoxTips) {
  const Solid ground = box({2, 2, 1}), small = box({0.2, 0.2, 0.2});
  double before = 0, worst = 0, first = 0, last = 0;
  for (int i = 0; i <= 400; ++i) {
    const double tilt = 0.05 - 1e-4 * i;  // the lower edge stays 1 cm deep
    const double low = 0.2 * std::cos(tilt) + 0.2 * std::sin(tilt);
    ASSERT_TRUE(overlaps(ground, at({0, 0, -1}), small, at({0, 0, low - 0.01}, {0, tilt, 0}), scratch, out));
    EXPECT_NEAR(out.depth, 0.01, 1e-9);
    if (i > 0) worst = std::max(worst, std::abs(out.point.x() - before));
    before = out.point.x();
    (i == 0 ? first : last) = before;
  }
  EXPECT_LT(worst, 0.003);
  EXPECT_GT(first, 0.18);
  EXPECT_LT(last, 0.13);
}

TEST_F(Solids, BodiesOfManyFacesAreTheirBox) {
  std::vector<Vec3> ball;
  for (int i = 0; i < 60; ++i) ball.push_back(any().normalized());
  const Solid solid = solid_of(convex_faces(ball));
  EXPECT_EQ(solid.corners.size(), 8u);
  EXPECT_EQ(solid.slabs.size(), 3u);
}

}  // namespace
}  // namespace scree
