#include <cmath>

#include "scree/terrain/bump.hpp"
#include "scree/terrain/flat.hpp"
#include "scree/terrain/profile.hpp"
#include "scree/terrain/sines.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Shapes, FlatIsAPlane) {
  const TerrainPtr level = terrain_from("kind = 'flat'\nheight = 2.5");
  EXPECT_EQ(level->height(1e6, -3), 2.5);
  EXPECT_EQ(level->slope_bound({}), 0);
  const TerrainPtr slope = terrain_from("kind = 'flat'\nslope_deg = 20\nuphill_deg = 90");
  EXPECT_NEAR(slope->height(5, 10), 10 * std::tan(20 * kDegree), 1e-12);
  // The normal leans away from the ascent by the slope angle.
  EXPECT_NEAR(slope->at(0, 0).normal().z(), std::cos(20 * kDegree), 1e-15);
  EXPECT_NEAR(slope->slope_bound({}), std::tan(20 * kDegree), 1e-15);
}

TEST(Shapes, SinesAreTheirFormula) {
  const Sines sines({.amplitude = 0.15, .wavelength_x = 4, .wavelength_y = 6});
  EXPECT_NEAR(sines.height(1, 0), 0.15, 1e-15);
  EXPECT_NEAR(sines.height(1, 3), -0.15, 1e-15);
  EXPECT_NEAR(sines.height(0.3, 0.9), 0.15 * std::sin(kPi * 0.15) * std::cos(kPi * 0.3), 1e-15);
  // Third derivative times h^2 / 6: below 1e-10; rounding of 0.15 / 1e-5: below 1e-11.
  expect_gradients(sines, {-10, 10, -10, 10}, 1e-10);
  EXPECT_GT(expect_slope_bound(sines, {-10, 10, -10, 10}, 5), 0.99);
}

TEST(Shapes, SinesInOneDirection) {
  const Sines along_x({.amplitude = 0.1, .wavelength_x = 2, .wavelength_y = 0});
  EXPECT_NEAR(along_x.height(0.5, 123), 0.1, 1e-15);
  EXPECT_EQ(along_x.at(0.3, 1).slope_y, 0);
  const Sines along_y({.amplitude = 0.1, .wavelength_x = 0, .wavelength_y = 2});
  EXPECT_NEAR(along_y.height(77, 0), 0.1, 1e-15);
  EXPECT_NEAR(along_y.height(77, 1), -0.1, 1e-15);
}

TEST(Shapes, RampRisesAsItsArcsAndLineSay) {
  const TerrainPtr ramp = terrain_from(
      "kind = 'ramp'\nstart = 1\nangle_deg = 30\nlength = 4\nentry_radius = 2\nexit_radius = 3\nheight = "
      "0.5");
  const double a = 30 * kDegree;
  EXPECT_EQ(ramp->height(0.99, 5), 0.5);
  // Foot arc: horizontal R sin a, rise R (1 - cos a).
  const double x1 = 1 + 2 * std::sin(a), z1 = 0.5 + 2 * (1 - std::cos(a));
  EXPECT_NEAR(ramp->height(x1, 0), z1, 1e-14);
  EXPECT_NEAR(ramp->at(x1 + 2, 0).z, z1 + 2 * std::tan(a), 1e-14);
  EXPECT_NEAR(ramp->at(x1 + 2, 0).slope_x, std::tan(a), 1e-14);
  const double top = z1 + 4 * std::tan(a) + 3 * (1 - std::cos(a));
  EXPECT_NEAR(ramp->height(100, 0), top, 1e-13);
  EXPECT_EQ(ramp->at(100, 0).slope_x, 0);
  // Curvature 1/2 m^-1 jumps where arcs begin: h times it.
  expect_gradients(*ramp, {0, 12, -1, 1}, 2e-5);
  EXPECT_GT(expect_slope_bound(*ramp, {0, 12, -1, 1}, 2), 0.999);
  EXPECT_EQ(ramp->slope_bound({-5, 0.9, -kInfinity, kInfinity}), 0);
}

TEST(Shapes, RampDownAndEndless) {
  const TerrainPtr down = terrain_from(
      "kind = 'ramp'\nstart = 0\nangle_deg = -20\nlength = 2\nentry_radius = 1\nexit_radius = 1");
  EXPECT_NEAR(down->height(50, 0), -2 * std::tan(20 * kDegree) - 2 * (1 - std::cos(20 * kDegree)), 1e-13);
  const TerrainPtr endless =
      terrain_from("kind = 'ramp'\nstart = 0\nangle_deg = 45\nlength = 0\nentry_radius = 0");
  EXPECT_NEAR(endless->height(1000, 0), 1000, 1e-9);
}

TEST(Shapes, StepTrenchStairs) {
  const TerrainPtr step = terrain_from("kind = 'step'\nstart = 1\nrise = 0.2\nedge = 0.1");
  EXPECT_EQ(step->height(1, 0), 0);
  EXPECT_NEAR(step->height(1.05, 0), 0.1, 1e-15);
  EXPECT_NEAR(step->height(1.1, 0), 0.2, 1e-15);
  EXPECT_NEAR(step->at(1.05, 0).slope_x, 3, 1e-12);  // 1.5 rise / edge
  EXPECT_NEAR(step->slope_bound({0, 2, 0, 0}), 3, 1e-12);
  EXPECT_EQ(step->slope_bound({1.2, 2, 0, 0}), 0);

  const TerrainPtr trench = terrain_from("kind = 'trench'\nstart = 1\nwidth = 0.3\ndepth = 0.1\nwall = 0.05");
  EXPECT_EQ(trench->height(0.5, 0), 0);
  EXPECT_NEAR(trench->height(1.2, 0), -0.1, 1e-15);
  EXPECT_NEAR(trench->height(1.45, 0), 0, 1e-15);
  expect_gradients(*trench, {0.5, 2, -1, 1}, 1e-3);

  const TerrainPtr stairs =
      terrain_from("kind = 'stairs'\nstart = 0\ncount = 5\nrise = 0.17\ntread = 0.29\nedge = 0.01");
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(stairs->height(0.29 * k + 0.2, 0), 0.17 * (k + 1), 1e-14);
  EXPECT_NEAR(stairs->height(50, 0), 0.85, 1e-14);
  expect_slope_bound(*stairs, {-1, 3, -1, 1}, 0.5);
}

TEST(Shapes, BumpIsRoundAndEndsLevel) {
  const Bump bump({.centre = {1, 2}, .rise = 0.3, .length = 2, .width = 4, .height = 0.1});
  EXPECT_NEAR(bump.height(1, 2), 0.4, 1e-15);
  EXPECT_NEAR(bump.height(1.5, 2), 0.25, 1e-15);  // half-way down half-way out
  EXPECT_NEAR(bump.height(1, 3), 0.25, 1e-15);
  EXPECT_EQ(bump.height(2.1, 2), 0.1);
  expect_gradients(bump, {-1, 3, -1, 5}, 5e-5);  // the curvature jumps at the foot: h pi^2 rise / 2 per m^2
  EXPECT_GT(expect_slope_bound(bump, {-1, 3, -1, 5}, 1), 0.98);
  EXPECT_EQ(bump.slope_bound({3, 4, 0, 1}), 0);
  const Bump sill({.rise = 0.1, .length = 1});
  EXPECT_EQ(sill.height(0.2, -1e6), sill.height(0.2, 0));
}

TEST(Shapes, ProfilesAreContinuous) {
  Profile p("test", 0, 1);
  p.arc(1, 0, 0.7).line(2, std::tan(0.7)).arc(0.5, 0.7, -0.3).line(1, std::tan(-0.3)).ease(0.2, 0.4).level(1);
  for (double x = -1; x < p.end_x() + 1; x += 1e-3) {
    EXPECT_NEAR(p.height(x + 1e-9, 0), p.height(x - 1e-9, 0), 1e-8);
  }
  EXPECT_EQ(p.height(1e9, 0), p.end_z());
}

}  // namespace
}  // namespace scree
