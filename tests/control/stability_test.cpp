#include "scree/control/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/control/stability_monitor.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

const Vec3 kDown(0, 0, -9.81);

V3<double> v3(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
TipAxis<double> edge(const Vec3& a, const Vec3& b, const Vec3& down) {
  return {v3(a), v3(b), v3(-down.normalized())};
}
double support_distance(const Vec3& a, const Vec3& b, const Vec3& centre, const Vec3& down) {
  return scree::support_distance(edge(a, b, down), v3(centre));
}
double energy_margin(const Vec3& a, const Vec3& b, const Vec3& centre, const Vec3& down) {
  return scree::energy_margin(edge(a, b, down), v3(centre));
}
double stability_moment(const Vec3& a, const Vec3& b, std::span<const Vec3> points,
                        std::span<const Vec3> forces) {
  const ForceSum sum(points, forces);
  return scree::stability_moment(edge(a, b, kDown), v3(sum.force), v3(sum.moment));
}

std::vector<int> hull(const std::vector<Vec3>& p, const Vec3& down = kDown) {
  SupportPolygon s;
  support_polygon(p, down, s);
  std::vector<int> out(s.order.begin(), s.order.begin() + s.count);
  if (!out.empty()) std::rotate(out.begin(), std::min_element(out.begin(), out.end()), out.end());
  return out;
}

TEST(Support, RectangleTriangleAndDegenerateCases) {
  const std::vector<Vec3> rectangle = {{0.3, 0.2, 0}, {0.3, -0.2, 0.05}, {-0.3, 0.2, 0.1}, {-0.3, -0.2, 0}};
  EXPECT_EQ(hull(rectangle), (std::vector<int>{0, 2, 3, 1})) << "counter-clockwise from above";
  EXPECT_EQ(hull(rectangle, -kDown), (std::vector<int>{0, 1, 3, 2})) << "upside down";
  EXPECT_EQ(hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 5}}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(hull({{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}), (std::vector<int>{0, 1})) << "on a line: two corners";
  EXPECT_EQ(hull({{0, 0, 0}, {0, 0, 1}}).size(), 1u) << "above each other: one corner";
  EXPECT_EQ(hull({{1, 2, 3}}).size(), 1u);
  EXPECT_TRUE(hull({}).empty());
  EXPECT_EQ(hull({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0.5, 0, 0}}).size(), 4u)
      << "doubled points and points on an edge are no corners";
}

TEST(Support, HullOfRandomPointsHoldsThemAll) {
  RandomStream r(3, 0, "hull");
  SupportPolygon s;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Vec3> p(3 + r.below(8));
    for (Vec3& x : p) x = {r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
    const Vec3 down(r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), -1);
    support_polygon(p, down, s);
    ASSERT_GE(s.count, 3);
    for (int e = 0; e < s.edges(); ++e)
      for (const Vec3& x : p) EXPECT_GE(support_distance(p[s.from(e)], p[s.to(e)], x, down), -1e-12);
  }
}

TEST(Support, WhatWasFoundBeforeChangesNothing) {
  // A polygon that is kept from one set of points to the next is the one that is found from nothing: points
  // that wander, cross each other's ways and fall inside, seen from directions that turn.
  RandomStream r(5, 0, "wander");
  for (const int n : {3, 4, 5, 6, 8}) {
    std::vector<Vec3> p(n);
    for (int i = 0; i < n; ++i)
      p[i] = {std::cos(2 * kPi * i / n), std::sin(2 * kPi * i / n), r.uniform(-0.1, 0.1)};
    SupportPolygon kept;
    int whole = 0;
    for (int step = 0; step < 4000; ++step) {
      for (Vec3& x : p) x = 0.999 * x + Vec3(r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)) * 0.05;
      if (step % 50 == 0) std::swap(p[0], p[n / 2]);
      const Vec3 down(r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3), step % 97 == 0 ? 1 : -1);
      SupportPolygon fresh;
      support_polygon(p, down, kept);
      support_polygon(p, down, fresh);
      ASSERT_EQ(kept.count, fresh.count) << n << " points, step " << step;
      for (int k = 0; k < kept.count; ++k) ASSERT_EQ(kept.order[k], fresh.order[k]) << n << ", " << step;
      whole += fresh.count == n;
    }
    EXPECT_GT(whole, 20) << n;
  }
}

TEST(Nesm, LevelRectangleIsTheHandComputedRise) {
  // Edge along x at y = -w: rho = hypot(w, h), so U = hypot(w, h) - h.
  const double w = 0.25, h = 0.22;
  EXPECT_NEAR(energy_margin({0.3, w, 0}, {-0.3, w, 0}, {0, 0, h}, kDown), std::hypot(w, h) - h, 1e-15);
  EXPECT_NEAR(energy_margin({-0.3, -w, 0}, {0.3, -w, 0}, {0, 0, h}, kDown), std::hypot(w, h) - h, 1e-15);
  EXPECT_NEAR(energy_margin({-0.3, -w, 0}, {0.3, -w, 0}, {0, -w, h}, kDown), 0, 1e-15) << "above the axis";
  EXPECT_NEAR(energy_margin({-0.3, -w, 0}, {0.3, -w, 0}, {0, -2 * w, h}, kDown), -(std::hypot(w, h) - h),
              1e-15)
      << "outside: negative";
}

TEST(Nesm, IsTheGreatestRiseWhileTurningAboutTheAxis) {
  // Independent: turn the centre of mass about the axis in small steps outwards and take its highest point.
  RandomStream r(4, 0, "nesm");
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 a(r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-0.5, 0.5));
    Vec3 b(r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-0.5, 0.5));
    const Vec3 up = Vec3::UnitZ();
    Vec3 c(r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(0.2, 1.5));
    if (support_distance(a, b, c, kDown) < 0)
      c -= 2 * support_distance(a, b, c, kDown) * up.cross(b - a).normalized();
    double top = c.z();
    const Vec3 axis = (b - a).normalized();
    for (int i = 0; i <= 20000; ++i) {
      const double angle = kPi * i / 20000;  // outwards over the edge: inward turns to up, then outward
      const Vec3 p = a + Eigen::AngleAxisd(angle, axis) * (c - a);
      top = std::max(top, p.z());
    }
    // A highest point found at steps of 1.6e-4 rad is low by at most rho (1.6e-4)^2 / 8.
    EXPECT_NEAR(energy_margin(a, b, c, kDown), top - c.z(), 1e-7) << trial;
  }
}

TEST(Nesm, VanishesOnTheSlopeThatPutsTheCentreOverTheEdge) {
  const double w = 0.25, h = 0.22, slope = std::atan(w / h);
  const Vec3 down(0, -std::sin(slope), -std::cos(slope));  // gravity seen from the robot
  EXPECT_NEAR(energy_margin({-0.3, -w, 0}, {0.3, -w, 0}, {0, 0, h}, down), 0, 1e-15);
  EXPECT_NEAR(support_distance({-0.3, -w, 0}, {0.3, -w, 0}, {0, 0, h}, down), 0, 1e-15);
}

TEST(StabilityMoment, AtRestIsTheMomentOfTheWeight) {
  // Four wheels on level ground, centre of mass off the middle: loads by statics, the index is 1.
  const std::vector<Vec3> p = {{0.3, 0.25, 0}, {0.3, -0.25, 0}, {-0.3, 0.25, 0}, {-0.3, -0.25, 0}};
  const double weight = 45 * 9.81, x = 0.05, y = -0.02;
  std::vector<Vec3> f;
  for (const Vec3& q : p)
    f.push_back({0, 0, weight * (0.5 + q.x() / 0.3 * x / 0.6) * (0.5 + q.y() / 0.25 * y / 0.5)});
  SupportPolygon s;
  support_polygon(p, kDown, s);
  ASSERT_EQ(s.count, 4);
  for (int e = 0; e < 4; ++e) {
    const Vec3 a = p[s.from(e)], b = p[s.to(e)];
    EXPECT_NEAR(stability_moment(a, b, p, f), weight * support_distance(a, b, {x, y, 0.2}, kDown), 1e-10);
  }
}

TEST(StabilityMoment, IsZeroWhenOnlyTheAxisCarries) {
  const std::vector<Vec3> p = {{0.3, 0.25, 0.1}, {0.3, -0.25, 0}, {-0.3, 0.25, 0.2}, {-0.3, -0.25, 0}};
  const std::vector<Vec3> f = {Vec3::Zero(), {10, 80, 200}, Vec3::Zero(), {-20, 60, 240}};
  EXPECT_NEAR(stability_moment(p[3], p[1], p, f), 0, 1e-12) << "whatever direction the axis' own forces have";
  EXPECT_GT(stability_moment(p[1], p[0], p, f), 0);
}

/// A robot of any number of wheels, leaning any way, loaded anyhow.
struct RandomStance {
  RobotInfo info;
  std::vector<WheelReading> wheels;
  Readings readings;
  explicit RandomStance(RandomStream& r, int count) : wheels(count) {
    info.mass = r.uniform(5, 500);
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * kPi * (i + r.uniform(0, 0.8)) / count;
      const Vec3 hub(r.uniform(0.4, 0.6) * std::cos(angle), r.uniform(0.4, 0.6) * std::sin(angle), 0.1);
      info.wheels.push_back({std::to_string(i), hub, 0.1, -1});
      WheelReading& w = wheels[i];
      w.p_BC = hub - Vec3(0, 0, r.uniform(0.05, 0.15));
      w.normal = r.uniform(0, 300), w.traction = r.uniform(-50, 50), w.lateral = r.uniform(-50, 50);
      w.contact_angle = r.uniform(-1.2, 1.2), w.contact_tilt = r.uniform(-0.5, 0.5);
      w.ahead_B = Vec3(1, r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3)).normalized();
      w.up_B = w.ahead_B.cross(Vec3(0.1, 1, 0.05)).normalized();
    }
    readings.roll = r.uniform(-0.4, 0.4), readings.pitch = r.uniform(-0.4, 0.4),
    readings.yaw = r.uniform(-3, 3);
    readings.p_BM = Vec3(r.uniform(-0.1, 0.1), r.uniform(-0.1, 0.1), r.uniform(0.1, 0.4));
    readings.wheels = wheels;
  }
};

TEST(StabilityMonitor, EveryAxisIsWhatPlainFormulasSayForAnyNumberOfWheels) {
  RandomStream r(11, 0, "stances");
  int beyond_four = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomStance at(r, 3 + trial % 8);
    StabilityMonitor monitor(at.info);
    monitor.update(at.readings);
    const Vec3 centre = at.readings.p_BM;
    const Vec3 up =
        rotation_from_rpy(at.readings.roll, at.readings.pitch, at.readings.yaw).transpose() * Vec3::UnitZ();
    const auto axes = monitor.axes();
    ASSERT_GE(axes.size(), 3u);
    beyond_four += axes.size() > 4;
    double least_index = 1e300, least_energy = 1e300, least_distance = 1e300;
    for (std::size_t e = 0; e < axes.size(); ++e) {
      const int from = axes[e].place, to = axes[(e + 1) % axes.size()].place;
      const Vec3 a = at.wheels[from].p_BC, way = (at.wheels[to].p_BC - a).normalized();
      double moment = 0;
      for (const WheelReading& w : at.wheels) {
        // Normal and side force in the ground's tangent plane, turned by its tilt about the wheel's way.
        const Vec3 left = w.up_B.cross(w.ahead_B);
        const Vec3 n0 = std::cos(w.contact_angle) * w.up_B - std::sin(w.contact_angle) * w.ahead_B;
        const Vec3 along = std::cos(w.contact_angle) * w.ahead_B + std::sin(w.contact_angle) * w.up_B;
        const Vec3 n = std::cos(w.contact_tilt) * n0 + std::sin(w.contact_tilt) * left;
        const Vec3 side = std::cos(w.contact_tilt) * left - std::sin(w.contact_tilt) * n0;
        const Vec3 force = w.normal * n + w.traction * along + w.lateral * side;
        moment += way.dot((w.p_BC - a).cross(force));
      }
      const Vec3 inward = up.cross(way).normalized(), arm = centre - a;
      const Vec3 ha = at.info.wheels[from].p_BK, hb = at.info.wheels[to].p_BK;
      const double lever = Vec3(ha.y() - hb.y(), hb.x() - ha.x(), 0).normalized().dot(centre - ha);
      const double index = moment / (at.info.mass * at.info.gravity * std::max(lever, 1e-3));
      const Vec3 radius = arm - arm.dot(way) * way;
      const double rise = radius.norm() * up.cross(way).norm() - radius.dot(up);
      const double energy = inward.dot(radius) >= 0 ? rise : -rise;
      EXPECT_NEAR(axes[e].moment, moment, 1e-9 * (1 + std::abs(moment))) << trial;
      EXPECT_NEAR(axes[e].index, index, 1e-9 * (1 + std::abs(index))) << trial;
      EXPECT_NEAR(axes[e].energy_margin, energy, 1e-12) << trial;
      EXPECT_NEAR(axes[e].distance, inward.dot(arm), 1e-12) << trial;
      EXPECT_LT((axes[e].outward + inward).norm(), 1e-12) << trial;
      least_index = std::min(least_index, index), least_energy = std::min(least_energy, energy);
      least_distance = std::min(least_distance, inward.dot(arm));
    }
    EXPECT_NEAR(monitor.least_index(), least_index, 1e-9 * (1 + std::abs(least_index)));
    EXPECT_NEAR(monitor.least_energy_margin(), least_energy, 1e-12);
    EXPECT_NEAR(monitor.least_distance(), least_distance, 1e-12);
  }
  EXPECT_GT(beyond_four, 100) << "few have more edges than are computed side by side";
}

}  // namespace
}  // namespace scree
