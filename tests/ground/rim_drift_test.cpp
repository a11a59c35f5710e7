/// How much higher ground can reach after a wheel has moved: never more than the law says, and not much less.
#include "scree/ground/rim_drift.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

constexpr double kDriftRadius = 0.12;

/// A plane with a slope along each axis, and bumps along y.
struct DriftGround {
  double slope_x, slope_y, bump, wave;
  double z(double x, double y) const { return slope_x * x + slope_y * y + bump * std::sin(wave * y); }
  double steepest_y() const { return std::abs(slope_y) + bump * wave; }
};

RimPlane plane_at(const Vec3& c, const Mat3& R) {
  return {c, R.col(0), R.col(1), R.col(2), kDriftRadius, 1e300};
}

/// Where ground along y meets a wheel's plane, between two places.
Vec3 met(const DriftGround& ground, const RimPlane& w, double x, double y, double width) {
  double low = y - width, high = y + width;
  const auto off = [&](double at) { return w.a.dot(Vec3(x, at, ground.z(x, at)) - w.centre); };
  const bool up = off(high) > 0;
  EXPECT_NE(off(low) > 0, up);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    ((off(middle) > 0) == up ? high : low) = middle;
  }
  return {x, 0.5 * (low + high), ground.z(x, 0.5 * (low + high))};
}

struct OnProfile {
  double u, t, h, fall;
};
OnProfile seen(const RimPlane& w, const Vec3& p) {
  const double u = w.n.dot(p - w.centre), t = w.b.dot(p - w.centre);
  const auto hull = RimHull::at(u, kDriftRadius);
  return {u, t, t + hull.height, hull.fall};
}

/// What motions are tried, each alone and then all together.
enum class Way { along, aside, up, pitch, yaw, roll, all };

/// How far the bound lies above what became of the ground, at many places of the profile: least and most, of
/// the motion [1].
struct Slack {
  double least = 1e300, most = -1e300;
};
Slack slack_of(Way way, double size, RandomStream& random) {
  Slack slack;
  for (int i = 0; i < 200; ++i) {
    const DriftGround ground{random.uniform(-0.3, 0.3), random.uniform(-0.5, 0.5), random.uniform(0, 0.004),
                             150};
    double rpy[3] = {random.uniform(-0.1, 0.1), random.uniform(-0.2, 0.2), random.uniform(-0.3, 0.3)};
    const Mat3 R = rotation_from_rpy(rpy[0], rpy[1], rpy[2]);
    const Vec3 c(0, 0, ground.z(0, 0) + 0.11);
    const RimPlane from = plane_at(c, R);
    const auto by = [&](Way one) {
      return way == one || way == Way::all ? size * (random.uniform(0, 1) < 0.5 ? -1 : 1) : 0.0;
    };
    const Vec3 d = by(Way::along) * R.col(0) + by(Way::aside) * R.col(1) + by(Way::up) * R.col(2);
    const Mat3 turn = rotation_from_rpy(by(Way::roll) / kDriftRadius, by(Way::pitch) / kDriftRadius,
                                        by(Way::yaw) / kDriftRadius);
    const RimPlane to = plane_at(c + d, R * turn);
    OnProfile before[41], after[41];
    double low = 1e300, high = -1e300, widest = 0;
    for (int k = 0; k <= 40; ++k) {
      const double x = (k - 20) * 0.3 * kDriftRadius / 5;
      const Vec3 there = met(ground, to, x, 0, 0.2);
      after[k] = seen(to, there), before[k] = seen(from, met(ground, from, x, there.y(), 0.02));
      low = std::min(low, after[k].t), high = std::max(high, after[k].t);
      widest = std::max(widest, std::abs(after[k].u));
    }
    const RimDrift drift(from, to, {1, ground.steepest_y(), 0.02, low, high, widest});
    EXPECT_TRUE(drift.known);
    for (int k = 0; k <= 40; ++k) {
      const double bound = before[k].h + drift.rise + drift.steep * ground.steepest_y() +
                           drift.along * before[k].fall + drift.turn * before[k].u;
      slack.least = std::min(slack.least, (bound - after[k].h) / size);
      slack.most = std::max(slack.most, (bound - after[k].h) / size);
    }
  }
  return slack;
}

TEST(RimDrift, BoundsWhatBecomesOfGroundWhicheverWayTheWheelMoves) {
  RandomStream random(3, 0, "drift");
  for (const Way way : {Way::along, Way::aside, Way::up, Way::pitch, Way::yaw, Way::roll, Way::all}) {
    for (const double size : {1e-6, 1e-4, 2e-3})
      EXPECT_GE(slack_of(way, size, random).least, -1e-6) << static_cast<int>(way) << ", " << size;
  }
}

TEST(RimDrift, IsExactForSmallMotionsInTheWheelsPlane) {
  // To the second order: 1e-6 of the motion is its own size over the radius, a few times.
  RandomStream random(4, 0, "drift");
  for (const Way way : {Way::along, Way::up})
    EXPECT_LT(slack_of(way, 1e-7, random).most, 1e-4) << static_cast<int>(way);
  // Pitching leaves the range of t, which is taken as a whole: half of it, times how steep the rim's hull is
  // at most.
  EXPECT_LT(slack_of(Way::pitch, 1e-7, random).most, 3);
}

TEST(RimDrift, SaysNothingOfPlanesThatRunAlongTheGroundOrOfLeaps) {
  const auto known = [](double roll, const Vec3& d, double slope) {
    const RimPlane w = plane_at({0, 0, 0}, rotation_from_rpy(roll, 0, 0));
    RimPlane to = w;
    to.centre += d;
    return RimDrift(w, to, {1, slope, 0.02, -0.13, -0.1, 0.12}).known;
  };
  EXPECT_TRUE(known(0.1, {1e-3, 0, 0}, 2));
  EXPECT_FALSE(known(0.5, {1e-3, 0, 0}, 2));   // steeper than the plane
  EXPECT_FALSE(known(0.1, {0.04, 0, 0}, 2));   // a third of a radius
  EXPECT_FALSE(known(0, {0, 0.021, 0}, 0.5));  // to the next cell but one
  EXPECT_FALSE(known(0, {0, 0.004, 0}, 10));   // ground may have risen as much
}

TEST(RimHull, IsTheRimAndNowhereBelowIt) {
  double last = 1e300;
  for (int i = -300; i <= 300; ++i) {
    const double u = 0.01 * i * kDriftRadius;
    const auto hull = RimHull::at(u, kDriftRadius), next = RimHull::at(u + 1e-7, kDriftRadius);
    if (std::abs(i) <= 100) {
      const double rim = std::sqrt(kDriftRadius * kDriftRadius - u * u);
      EXPECT_GE(hull.height, rim - 1e-15);
      if (std::abs(i) <= 90) {
        EXPECT_NEAR(hull.height, rim, 1e-15);
      }
    }
    EXPECT_NEAR((next.height - hull.height) / 1e-7, -hull.fall, 1e-4) << i;
    EXPECT_LE(-hull.fall, last + 1e-15) << i;  // concave
    EXPECT_LE(std::abs(hull.fall), RimHull::kSteepest);
    last = -hull.fall;
  }
}

}  // namespace
}  // namespace scree
