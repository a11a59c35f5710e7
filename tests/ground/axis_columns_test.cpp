/// Bodies of columns along their own axes (Yokokohji 2002 Eqs. 20-22): closed forms, a second method,
/// symmetry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "body_bench.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/sines.hpp"

namespace scree {
namespace {

using namespace scree::testing;

constexpr double kUpright = 1200 / (0.025 * 0.025), kLengthwise = 500 / (0.025 * 0.025);  // N/m³
const char* kPaper = "kind = \"axis_columns\"\nlengthwise_stiffness = 500.0\nlengthwise_damping = 50.0\n";

HullSettings paper() {
  HullSettings hull;
  hull.stiffness = 1200;
  hull.damping = 200;
  hull.friction = 0.4;
  return hull;
}

TEST(AxisColumns, PressedFlatOnlyUprightColumnsPush) {
  BodyBench bench(box(), paper(), kPaper);
  const auto flat = terrain_of("kind = \"flat\"\n");
  const Vec6 w = bench.at(*flat, standing(0.1 - 0.002));
  // The lowest row of lengthwise columns has its middle 12.5 mm up: it is not below the ground.
  EXPECT_NEAR(w[2], kUpright * 0.6 * 0.4 * 0.002, 1e-9 * w[2]);
  EXPECT_NEAR(w[0], 0, 1e-12);
  EXPECT_NEAR(w.tail<3>().norm(), 0, 1e-9);
  double listed = 0;
  for (const Contact& c : bench.contacts) listed += c.force_W.z();
  EXPECT_NEAR(listed, w[2], 1e-9);
  EXPECT_NEAR(bench.sunk, 0.002, 1e-12);
  bench.at(*flat, standing(0.1 + 1e-9));
  EXPECT_FALSE(bench.report.body);
}

/// Both ends of a lengthwise column below the ground pull it nowhere; the nose alone is pushed back, Eq. 21.
TEST(AxisColumns, AWallPushesBackByDepthAndArea) {
  const auto wall = terrain_of("kind = \"step\"\nstart = 0.0\nrise = 0.5\nedge = 1e-6\n");
  BodyBench bench(box(), paper(), kPaper);
  for (const double deep : {0.004, 0.02, 0.09}) {
    const Vec6 w = bench.at(*wall, standing(0.2, 0, 0, 0, -0.3 + deep));
    // The last straight line of the search spans the wall's corner: 10 mm halved four times.
    EXPECT_NEAR(w[0], -kLengthwise * 0.4 * 0.2 * deep, kLengthwise * 0.4 * 0.2 * 0.01 / 16) << deep;
    EXPECT_NEAR(w[1], 0, 1e-9);
    Vec6 up = Vec6::Zero();
    up[2] = 0.5;  // along the wall: no friction
    const Vec6 moved = bench.at(*wall, standing(0.2, 0, 0, 0, -0.3 + deep), up);
    EXPECT_NEAR((moved - w).norm(), 0, 5 + 1e-3 * w.norm());
    EXPECT_NEAR(moved[2], 0, 1e-9 * w.norm());
    Vec3 listed = Vec3::Zero();
    for (const Contact& c : bench.contacts) listed += c.force_W;
    EXPECT_NEAR((listed - moved.head<3>()).norm(), 0, 1e-9 * w.norm());
    const Vec6 b = bench.at(*wall, standing(0.2, 0, 0, kPi, -0.3 + deep));
    EXPECT_NEAR(b[0], w[0], 1e-6 * std::abs(w[0])) << "the rear end as the nose";
  }
}

/// A level box whose nose meets a slope: at a distance u behind the nose the ground is d - u tan a above the
/// underside. Upright: K b d²/(2 tan a). Lengthwise, at a height h above the underside L = (d - h)/tan a: K b
/// d²/(2 tan a).
TEST(AxisColumns, ASlopeUnderTheNosePushesBothWays) {
  const double a = 20 * kPi / 180, d = 0.08;
  const auto slope = terrain_of("kind = \"flat\"\nslope_deg = 20.0\n");
  // The underside's front edge lies d below the ground.
  const double front = 0.3, ground = slope->height(front, 0);
  BodyBench bench(box(), paper(), kPaper);
  const Vec6 w = bench.at(*slope, standing(ground - d + 0.1));
  ASSERT_NEAR(slope->height(front, 0) - slope->height(front - 0.1, 0), 0.1 * std::tan(a), 1e-12);
  const double wedge = 0.4 * 0.5 * d * d / std::tan(a);
  EXPECT_NEAR(w[2], kUpright * wedge, 0.01 * w[2]);
  EXPECT_NEAR(w[0], -kLengthwise * wedge, 0.02 * std::abs(w[0]));
  EXPECT_NEAR(w[1], 0, 1e-9 * w[2]);
  // About the middle: the upright wedge's centre is a third of its length behind the nose; the lengthwise
  // one's a third of d above the underside.
  const double arm = 0.3 - d / std::tan(a) / 3;
  const double moment = -arm * kUpright * wedge + (-0.1 + d / 3) * -kLengthwise * wedge;
  EXPECT_NEAR(w[4], moment, 0.02 * std::abs(moment));
}

/// L' is the rate of L: a body that moves, against the difference of its springs' forces at two places.
TEST(AxisColumns, DampersFeelTheRateOfDepth) {
  const auto sines =
      terrain_of("kind = \"sines\"\namplitude = 0.04\nwavelength_x = 0.5\nwavelength_y = 0.7\n");
  HullSettings spring = paper();
  spring.friction = 0, spring.damping = 0, spring.ramp = 1e-9;
  HullSettings both = spring;
  both.damping = 1200 * 1e-3;  // D = K x 1 ms in both directions: F(L + 1 ms L') = F + D L'
  BodyBench still(box(), spring,
                  "kind = \"axis_columns\"\nlengthwise_stiffness = 500.0\nlengthwise_damping = 0.0\n");
  BodyBench moving(box(), both,
                   "kind = \"axis_columns\"\nlengthwise_stiffness = 500.0\nlengthwise_damping = 0.5\n");
  RandomStream random(11, 0, "rates");
  std::vector<double> apart;
  for (int i = 0; i < 60; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    Pose X = standing(0, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-3, 3), x, y);
    still.at(*sines, X);
    X.p.z() = still.sunk - 0.03;
    Vec6 V;
    for (int k = 0; k < 6; ++k) V[k] = random.uniform(-1, 1);
    const double dt = 1e-5;
    moving.at(*sines, X, V);
    const Vec6 damped = moving.load.wrench;
    still.at(*sines, X, V);
    const Vec6 before = still.load.wrench;
    Pose next = X;
    next.p += dt * (X.R * V.head<3>());
    next.R = X.R * rotation_about(Vec3(V.tail<3>().normalized()), dt * V.tail<3>().norm());
    still.at(*sines, next, V);
    // In link axes the columns stand still: only their depths changed.
    const Vec6 expected = before + (still.load.wrench - before) / dt * 1e-3;
    apart.push_back((damped - expected).norm() / (damped - before).norm());
  }
  std::sort(apart.begin(), apart.end());
  EXPECT_LT(apart[30], 0.03);  // a straight line between two looks, the slope at one place
  EXPECT_LT(apart[54], 0.2);
}

/// The second method: every column on its own, in steps of 0.02 mm, without lanes.
TEST(AxisColumns, AgreesWithMarchingColumnByColumn) {
  const auto sines =
      terrain_of("kind = \"sines\"\namplitude = 0.05\nwavelength_x = 0.6\nwavelength_y = 0.8\n");
  HullSettings hull = paper();
  hull.friction = 0;
  BodyBench bench(box(), hull, kPaper);
  RandomStream random(12, 0, "march");
  std::vector<double> apart;
  for (int i = 0; i < 40; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    Pose X = standing(0, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-3, 3), x, y);
    bench.at(*sines, X);
    X.p.z() = bench.sunk - random.uniform(0.005, 0.05);
    bench.at(*sines, X);
    const Vec6 got = bench.load.wrench;
    Vec6 sum = Vec6::Zero();
    const auto column = [&](const Vec3& end, const Vec3& inward, double length, double K) {
      double L = 0;
      for (; L < length; L += 2e-5) {
        const Vec3 p = X * Vec3(end + L * inward);
        if (!(sines->height(p.x(), p.y()) > p.z())) break;
      }
      const Vec3 f = K * L * inward;
      sum.head<3>() += f, sum.tail<3>() += end.cross(f);
    };
    for (int u = 0; u < 24; ++u)
      for (int v = 0; v < 16; ++v)
        for (const double side : {-1.0, 1.0})
          column({-0.3 + 0.025 * (u + 0.5), -0.2 + 0.025 * (v + 0.5), 0.1 * side}, {0, 0, -side}, 0.2, 1200);
    for (int u = 0; u < 16; ++u)
      for (int v = 0; v < 8; ++v)
        for (const double side : {-1.0, 1.0})
          column({0.3 * side, -0.2 + 0.025 * (u + 0.5), -0.1 + 0.025 * (v + 0.5)}, {-side, 0, 0}, 0.6, 500);
    if (sum.norm() > 1) apart.push_back((got - sum).norm() / sum.norm());
  }
  ASSERT_GT(apart.size(), 30u);
  std::sort(apart.begin(), apart.end());
  EXPECT_LT(apart[apart.size() / 2], 2e-3);  // of L 0.02 mm, the step of the march
  EXPECT_LT(apart.back(), 0.02);
}

TEST(AxisColumns, LeftIsTheMirrorOfRight) {
  const auto bump = terrain_of("kind = \"bump\"\nrise = 0.3\nlength = 0.6\nwidth = 0.5\n");
  RandomStream random(8, 0, "mirror");
  BodyBench bench(box(), paper(), kPaper);
  for (int i = 0; i < 100; ++i) {
    const double roll = random.uniform(-0.5, 0.5), pitch = random.uniform(-0.5, 0.5);
    const double yaw = random.uniform(-3, 3), x = random.uniform(-0.3, 0.3), y = random.uniform(-0.3, 0.3);
    Vec6 V;
    for (int k = 0; k < 6; ++k) V[k] = random.uniform(-0.3, 0.3);
    Vec6 M = V;  // mirrored: velocity along y, turning about x and z
    M[1] = -V[1], M[3] = -V[3], M[5] = -V[5];
    bench.at(*bump, standing(0, roll, pitch, yaw, x, y));
    const double z = bench.sunk - random.uniform(0, 0.03);
    const Vec6 a = bench.at(*bump, standing(z, roll, pitch, yaw, x, y), V);
    const Vec6 b = bench.at(*bump, standing(z, -roll, pitch, -yaw, x, -y), M);
    const double near = 1e-9 * a.norm() + 1e-9;
    for (int k = 0; k < 6; ++k) {
      const bool odd = k == 1 || k == 3 || k == 5;
      EXPECT_NEAR(a[k], odd ? -b[k] : b[k], near) << i << " " << k;
    }
  }
}

/// What the implicit step takes as apparent inertia is the answer to velocity and way.
TEST(AxisColumns, ApparentInertiaIsTheDerivative) {
  HullSettings hull = paper();
  hull.friction = 0, hull.ramp = 1e-9;
  const auto slope = terrain_of("kind = \"flat\"\nslope_deg = 12.0\n");
  BodyBench bench(box(), hull, kPaper);
  const Pose X = standing(0.12, 0.02, -0.03);
  bench.at(*slope, X, Vec6::Zero(), 1e-3);
  const Mat6 apparent = bench.load.apparent, expected = bench.measured_apparent(*slope, X, 1e-3);
  ASSERT_GT(std::abs(bench.at(*slope, X)[0]), 1) << "the nose is in the slope too";
  for (int i = 0; i < 6; ++i) {
    EXPECT_LT((apparent.col(i) - expected.col(i)).norm(), 1e-3 * apparent.norm()) << i;
  }
}

/// Sliding on its belly, the friction is mu times the upright load, against the slip.
TEST(AxisColumns, FrictionIsThatOfTheUprightColumns) {
  const auto flat = terrain_of("kind = \"flat\"\n");
  BodyBench bench(box(), paper(), kPaper);
  Vec6 V = Vec6::Zero();
  V[0] = 0.3, V[1] = -0.4;
  for (double& e : bench.memory) e = 0;
  bench.at(*flat, standing(0.1 - 0.004), V);
  const double load = kUpright * 0.24 * 0.004;
  EXPECT_NEAR(bench.load.wrench[2], load, 1e-6 * load);
  EXPECT_LE(bench.load.wrench.head<2>().norm(), 0.4 * load * (1 + 1e-9));
  EXPECT_LT(bench.load.wrench[0], 0);
  EXPECT_GT(bench.load.wrench[1], 0);
  // Bristles at their end: the whole of it.
  for (std::size_t i = 0; i < bench.memory.size(); i += 3) bench.memory[i] = 0.6, bench.memory[i + 1] = -0.8;
  bench.at(*flat, standing(0.1 - 0.004), V);
  EXPECT_NEAR(bench.load.wrench[0], -0.6 * 0.4 * load, 1e-6 * load);
  EXPECT_NEAR(bench.load.wrench[1], 0.8 * 0.4 * load, 1e-6 * load);
}

/// Waves of one steepness that say to be made of finer features from some place on: how a body is divided
/// into columns changes there, and nothing else does.
class FinerFurtherOn : public Terrain {
 public:
  void sample(const TerrainRow& row) const override { waves_.sample(row); }
  double slope_bound(const Rectangle& area) const override { return waves_.slope_bound(area); }
  HeightRange height_range(const Rectangle& area) const override { return waves_.height_range(area); }
  double finest_feature(const Rectangle& area) const override { return area.x_max > 0.15 ? 0.01 : 0; }
  std::string summary() const override { return "waves"; }

 private:
  Sines waves_{{.amplitude = 0.08, .wavelength_x = 0.9, .wavelength_y = 1.1}};
};

/// A body that moves on and on gives, to the last bit, what one gives that is put there for the first time:
/// columns that were clear are not looked at before they can touch.
TEST(AxisColumns, LooksThatAreSparedChangeNothing) {
  for (const char* text :
       {"kind = \"fbm\"\nsize = [2.0, 2.0]\ncells = [256, 256]\nhurst = 0.36\nsigma = 0.018\n",
        "kind = \"bump\"\nrise = 0.12\nlength = 0.5\nwidth = 0.4\n",
        "kind = \"step\"\nstart = 0.1\nrise = 0.1\nedge = 0.001\n", ""}) {
    const auto terrain = *text ? terrain_of(text) : std::make_unique<FinerFurtherOn>();
    RandomStream random(3, 0, "walks");
    BodyBench kept(box(), paper(), kPaper);
    int touched = 0;
    Vec3 p(-0.2, 0.05, 0.17);
    double roll = 0.05, pitch = 0.02, yaw = 0.3;
    for (int i = 0; i < 250; ++i) {
      p.x() += random.uniform(0, 2e-3), p.y() += random.uniform(-5e-4, 5e-4);
      p.z() = std::clamp(p.z() + random.uniform(-4e-3, 4e-3), 0.1, 0.24);
      roll += random.uniform(-4e-3, 4e-3), pitch += random.uniform(-4e-3, 4e-3);
      yaw += random.uniform(-4e-3, 4e-3);
      const Pose X = standing(p.z(), roll, pitch, yaw, p.x(), p.y());
      Vec6 V;
      for (int k = 0; k < 6; ++k) V[k] = random.uniform(-0.1, 0.1);
      BodyBench fresh(box(), paper(), kPaper);
      const Vec6 a = kept.at(*terrain, X, V, 1e-3), b = fresh.at(*terrain, X, V, 1e-3);
      ASSERT_EQ(a, b) << text << i;
      ASSERT_EQ(kept.load.apparent, fresh.load.apparent) << text << i;
      touched += b.norm() > 0;
    }
    EXPECT_GT(touched, 20) << text;
  }
}

}  // namespace
}  // namespace scree
