#include "scree/ground/contact_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scree/core/dense.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {
namespace {

/// z = f(x, y), for ground that a test can write down.
template <class F>
class Ground final : public Terrain {
 public:
  explicit Ground(F f) : f_(f) {}
  void sample(const TerrainRow& row) const override {
    const double h = 1e-6;
    for (int i = 0; i < row.count; ++i) {
      const double x = row.x[i], y = row.y[i];
      row.z[i] = f_(x, y);
      row.slope_x[i] = (f_(x + h, y) - f_(x - h, y)) / (2 * h);
      row.slope_y[i] = (f_(x, y + h) - f_(x, y - h)) / (2 * h);
    }
  }
  std::string summary() const override { return "test"; }

 private:
  F f_;
};

Vec2 heading(double yaw) { return {std::cos(yaw), std::sin(yaw)}; }
const SoilWheel kWheel{.radius = 0.1, .width = 0.1};

TEST(ContactPlane, AxesAreARotationWhateverHeadingAndSlope) {
  RandomStream random(1, 0, "plane");
  for (int i = 0; i < 1000; ++i) {
    const auto point = [&] {
      return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    const Vec3 a = point(), b = point(), c = point();
    const ContactPlane plane = plane_through(a, b, c);
    EXPECT_GE(plane.normal.z(), 0) << "errata 003-21: C_t > 0";
    for (const Vec3& p : {a, b, c}) EXPECT_NEAR(plane.distance(p), 0, 1e-12);
    if (plane.normal.z() < 1e-3) continue;
    const double yaw = random.uniform(-kPi, kPi);
    const Mat3 A = contact_axes(plane, heading(yaw));
    EXPECT_LT((A * A.transpose() - Mat3::Identity()).norm(), 1e-12) << "errata 003-28: y_e is unit";
    EXPECT_NEAR(A.determinant(), 1, 1e-12);
    // x_e lies in the vertical plane of the heading and points forward, also beyond 90 degrees of yaw.
    EXPECT_NEAR(A(0, 0) * std::sin(yaw) - A(1, 0) * std::cos(yaw), 0, 1e-12);
    EXPECT_GT(A(0, 0) * std::cos(yaw) + A(1, 0) * std::sin(yaw), 0);
  }
}

TEST(ContactPlane, PrintedFormulaeWhereTheyAreRight) {
  // Ding 2011 Eqs. 26-28 with X_2 = X_3 X_1, yaw within 90 degrees.
  const double A = 0.2, B = -0.3, C = 1.7, yaw = 0.6, t = std::tan(yaw);
  ContactPlane plane{Vec3(A, B, C).normalized(), Vec3::Zero()};
  const Mat3 axes = contact_axes(plane, heading(yaw));
  const double X1 = std::sqrt(C * C * (1 + t * t) + (A + B * t) * (A + B * t));
  const double X3 = std::sqrt(A * A + B * B + C * C), X2 = X3 * X1;
  EXPECT_LT((axes.col(0) - Vec3(C, C * t, -A - B * t) / X1).norm(), 1e-12);
  EXPECT_LT(
      (axes.col(1) - Vec3(-A * B - (B * B + C * C) * t, C * C + A * A + A * B * t, A * C * t - B * C) / X2)
          .norm(),
      1e-12);
  const ContactSlopes s = contact_slopes(axes);
  EXPECT_NEAR(s.climb, std::asin((-A - B * t) / X1), 1e-12);
  EXPECT_NEAR(s.cross, std::asin(C * (A * t - B) / X2), 1e-12);
}

TEST(ContactPlane, SinkageOnSlopesIsMeasuredAcrossThem) {
  for (const double slope : {0.0, 0.2, 0.6}) {
    const Ground ground([&](double x, double y) { return slope * x - 0.3 * slope * y + 0.4; });
    const Vec3 normal = Vec3(-slope, 0.3 * slope, 1).normalized();
    for (const double yaw : {0.0, 1.0, 3.0, -2.0}) {
      const Vec3 on(0.7, -0.2, 0.4 + slope * 0.7 + 0.3 * slope * 0.2);
      const SoilPatch patch = find_soil_patch(ground, on + (0.1 - 0.013) * normal, heading(yaw), kWheel);
      EXPECT_NEAR(patch.sinkage, 0.013, 1e-12);
      EXPECT_LT((patch.plane.normal - normal).norm(), 1e-12);
      EXPECT_LT((patch.foot - (on - 0.013 * normal)).norm(), 1e-12);
    }
  }
}

TEST(ContactPlane, InTheAirTheDistanceIsSigned) {
  const Ground ground([](double, double) { return 0.0; });
  EXPECT_NEAR(find_soil_patch(ground, {0, 0, 0.15}, heading(0), kWheel).sinkage, -0.05, 1e-12);
  // A hub under the ground is deeper than its radius, not its mirror image (errata 003-23).
  EXPECT_NEAR(find_soil_patch(ground, {0, 0, -0.05}, heading(0), kWheel).sinkage, 0.15, 1e-12);
}

TEST(ContactPlane, AStepIsFeltByTheWholePatch) {
  const Ground ground([](double x, double) { return x > 0.02 ? 0.01 : 0.0; });
  const SoilPatch before = find_soil_patch(ground, {-0.2, 0, 0.09}, heading(0), kWheel);
  const SoilPatch at = find_soil_patch(ground, {0, 0, 0.09}, heading(0), kWheel);
  const SoilPatch after = find_soil_patch(ground, {0.2, 0, 0.1}, heading(0), kWheel);
  EXPECT_NEAR(before.sinkage, 0.01, 1e-12);
  EXPECT_NEAR(after.sinkage, 0.01, 1e-12);
  EXPECT_GT(contact_slopes(at.axes).climb, 0.05) << "the plane tips up before the hub is over the step";
  EXPECT_GT(at.sinkage, before.sinkage);
}

TEST(ContactPlane, SpreadSettlesOnCurvedGround) {
  const Ground ground([](double x, double y) { return 0.4 * x * x + 0.1 * std::sin(7 * y); });
  for (const double x : {-0.3, 0.0, 0.2}) {
    const double z = 0.4 * x * x + 0.09;
    const SoilPatch cold = find_soil_patch(ground, {x, 0, z}, heading(0.3), kWheel);
    const SoilPatch warm =
        find_soil_patch(ground, {x, 0, z}, heading(0.3), kWheel, patch_spread(kWheel, cold.sinkage));
    // One more pass changes the sinkage by less than a twentieth of a millimetre.
    EXPECT_NEAR(cold.sinkage, warm.sinkage, 5e-5);
  }
}

/// Rough ground, by a second method: the least-squares plane of the same eight places, whose height and slope
/// across are those of the plane of means; and the same plane for a wheel that is turned round.
TEST(ContactPlane, OnRoughGroundItIsThePlaneOfTheWholePatch) {
  const Ground ground([](double x, double y) {
    return 0.01 * std::sin(311 * x + 1) * std::cos(273 * y) + 0.02 * std::sin(90 * x - 70 * y);
  });
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 hub(unit(random), unit(random), 0.09);
    const Vec2 along = heading(3 * unit(random)), left(-along.y(), along.x());
    const double spread = 0.03 + 0.02 * unit(random);
    const SoilPatch patch = find_soil_patch(ground, hub, along, kWheel, spread);
    Eigen::Matrix<double, 8, 3> places;
    Eigen::Matrix<double, 8, 1> heights;
    for (int k = 0; k < 8; ++k) {
      const double x = spread * (k / 2 - 1.5) / 1.5, y = 0.5 * kWheel.width * (k % 2 ? -1 : 1);
      const Vec2 at = hub.head<2>() + x * along + y * left;
      places.row(k) << 1, x, y;
      heights[k] = ground.height(at.x(), at.y());
    }
    const Vec3 fit = least_squares(places, heights);
    const Vec3& n = patch.plane.normal;
    const Vec3 under = patch.plane.point - hub;
    const double height = patch.plane.point.z() + (n.x() * under.x() + n.y() * under.y()) / n.z();
    EXPECT_NEAR(height, fit[0], 1e-12);
    EXPECT_NEAR(-(n.head<2>().dot(left)) / n.z(), fit[2], 1e-12);
    // Along, means of the halves weigh the rows alike: between them and the fit lies what bends.
    const double front = 0.25 * heights.tail<4>().sum(), rear = 0.25 * heights.head<4>().sum();
    EXPECT_NEAR(-(n.head<2>().dot(along)) / n.z(), (front - rear) / (4 * spread / 3), 1e-12);
    // The rise of the plane at a hub that moves on, by differences, less that of moving along the plane.
    const auto plane_height = [&](const Vec2& step) {
      const Vec3 moved = hub + Vec3(step.x(), step.y(), 0);
      const SoilPatch p = find_soil_patch(ground, moved, along, kWheel, spread);
      const Vec3 off = p.plane.point - moved;
      return p.plane.point.z() + p.plane.normal.head<2>().dot(off.head<2>()) / p.plane.normal.z();
    };
    const double h = 1e-6;
    for (const Vec2& way : {Vec2(1, 0), Vec2(0, 1)}) {
      const double rise = (plane_height(h * way) - plane_height(-h * way)) / (2 * h);
      EXPECT_NEAR(patch.drift.dot(way), n.z() * rise + n.head<2>().dot(way), 1e-3);
    }
    const SoilPatch turned = find_soil_patch(ground, hub, -along, kWheel, spread);
    EXPECT_NEAR(turned.sinkage, patch.sinkage, 1e-12);
    EXPECT_LT((turned.plane.normal - n).norm(), 1e-12);
  }
}

TEST(ContactPlane, WrenchAtTheFootIsThatAtTheHub) {
  const Ground ground([](double x, double y) { return 0.3 * x + 0.2 * y; });
  const SoilPatch patch = find_soil_patch(ground, {0, 0, 0.095}, heading(0.7), kWheel);
  const SoilReaction<double> f{.drawbar = 12, .side = -7, .normal = 60, .torque = 2.1};
  const PatchWrench w = wrench_at_foot(patch, f, 0.1);
  const Vec3 hub(0, 0, 0.095);
  const Vec3 at_hub = patch.axes.transpose() * Vec3(w.moment + (patch.foot - hub).cross(w.force));
  EXPECT_LT((patch.axes.transpose() * w.force - Vec3(12, -7, 60)).norm(), 1e-12);
  // Ding 2011 Eqs. 20 and 30: M_O = r F_S, -M_R, M_S = 0 at the wheel's centre.
  EXPECT_LT((at_hub - Vec3(0.1 * -7, -2.1, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace scree
