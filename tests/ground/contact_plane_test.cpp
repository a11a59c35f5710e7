#include "scree/ground/contact_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
    for (int i = 0; i < row.count; ++i)
      row.z[i] = f_(row.x[i], row.y[i]), row.slope_x[i] = row.slope_y[i] = 0;
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
    const SoilPatch warm = find_soil_patch(ground, {x, 0, z}, heading(0.3), kWheel,
                                           std::sqrt(std::max(0.0, cold.sinkage * (0.2 - cold.sinkage))));
    // One more pass changes the sinkage by less than a twentieth of a millimetre.
    EXPECT_NEAR(cold.sinkage, warm.sinkage, 5e-5);
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
