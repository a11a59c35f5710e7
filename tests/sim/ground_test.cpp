/// Scenarios on made and mapped ground: the examples run, and friction and soils lie where the maps say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "scenarios.hpp"
#include "scree/sim/run.hpp"
#include "scree/terrain/map.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace scree::testing {
namespace {

TEST(Ground, EveryExampleOfGroundCarriesARobot) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_tree("/scenarios/terrain"))) {
    Simulation s(load_scenario(file.path(), {"duration=1.0"}));
    while (!s.finished()) s.advance();
    EXPECT_EQ(s.outcome(), "finished") << file.path();
    const Vec3 p = position(s);
    EXPECT_TRUE(s.world().terrain().bounds().contains(p.x(), p.y())) << file.path();
    // Hubs 0.12 m above the ground, the base's origin 0.11 m above them.
    EXPECT_NEAR(p.z() - s.world().terrain().height(p.x(), p.y()), 0.22, 0.12) << file.path();
    ++count;
  }
  EXPECT_GE(count, 5);
}

/// Waves given by an expression carry a robot as the same waves in closed form do: gentle ones, which are
/// searched by slices, and steep ones, which are looked at closely.
TEST(Ground, AnExpressionCarriesARobotAsItsClosedFormDoes) {
  for (const double height : {0.05, 0.12}) {
    const auto end_on = [](const std::string& terrain) {
      Simulation s(load_scenario(source_tree("/scenarios/bench/skid4.toml"),
                                 {terrain, "duration=1.0", "solver.slices=200"}));
      while (!s.finished()) s.advance();
      return position(s);
    };
    const Vec3 closed = end_on(
        fmt::format("terrain={{kind=\"sines\",amplitude={},wavelength_x=0.8,wavelength_y=0.9}}", height));
    const Vec3 written = end_on(fmt::format(
        "terrain={{kind=\"function\",expression=\"{}*sin(2*pi*x/0.8)*cos(2*pi*y/0.9)\"}}", height));
    // The closed form knows the slopes under each wheel, the expression a bound of them all: 20 slices lie
    // elsewhere, which moves the end by 2e-5 m (the step of 1 ms by 4e-4), 200 are close enough to agree.
    EXPECT_LT((closed - written).norm(), 1e-6) << height;
  }
}

#ifdef SCREE_HAVE_GDAL
/// Friction by image and polygon, soils by function and polygon, on composed ground.
Scenario mapped(const std::filesystem::path& folder, double y) {
  std::ofstream(folder / "ice.pgm", std::ios::binary) << "P5\n4 2\n255\n"
                                                      << std::string(4, '\xff') + std::string(4, '\0');
  const std::string text = fmt::format(R"(format = 1
duration = 1.5
[terrain]
kind = "compose"
[terrain.base]
kind = "flat"
[[terrain.feature]]
kind = "bump"
at = [30, 0]
[terrain.friction]
kind = "image"
file = "ice.pgm"
size = [60, 20]
low = 0.05
high = 1.0
[[terrain.friction.polygon]]
value = 0.5
corners = [[20, -5], [24, -5], [24, 5], [20, 5]]
[terrain.soil]
names = ["sand", "clay", "rock"]
kind = "function"
expression = "x > 10 ? 1 : 0"
[[terrain.soil.polygon]]
soil = "rock"
corners = [[20, -5], [24, -5], [24, 5], [20, 5]]
[[robot]]
model = "skid4"
start = {{ position = [0.0, {}], clearance = -0.01 }}
)",
                                       y);
  return load_scenario(Document::from_text(text, "test.toml", folder), folder / "test.toml");
}

TEST(Ground, FrictionAndSoilsByImagePolygonAndFunctionTogether) {
  const TemporaryFolder folder;
  const Scenario scenario = mapped(folder.path(), 5);
  const ScalarMap& friction = *scenario.world->friction_map();
  EXPECT_NEAR(friction.at(0, 5), 1.0, 1e-12);  // the image's first row, white, is at the larger y
  EXPECT_NEAR(friction.at(0, -5), 0.05, 1e-12);
  EXPECT_EQ(friction.at(22, -4), 0.5);
  ASSERT_NE(scenario.world->soil_map(), nullptr);
  const LabelMap& soils = *scenario.world->soil_map();
  EXPECT_EQ(soils.names().at(soils.at(0, 0)), "sand");
  EXPECT_EQ(soils.names().at(soils.at(11, 0)), "clay");
  EXPECT_EQ(soils.names().at(soils.at(22, 0)), "rock");
}

TEST(Ground, ARobotGetsAwayOnGripAndSpinsItsWheelsOnIce) {
  const TemporaryFolder folder;
  double way[2];
  for (int k = 0; k < 2; ++k) {
    Simulation s(mapped(folder.path(), k == 0 ? 5 : -5));
    while (!s.finished()) s.advance();
    way[k] = position(s).x();
  }
  // On ice no more than mu g t^2 / 2 = 0.04 x 9.81 x 1.125 = 0.44 m.
  EXPECT_LT(way[1], 0.45);
  EXPECT_GT(way[1], 0.3);
  EXPECT_GT(way[0], 2 * way[1]);
}
#endif

TEST(Ground, NoSoilTableMeansNoSoilMap) { EXPECT_EQ(scenario_of(kSines).world->soil_map(), nullptr); }

}  // namespace
}  // namespace scree::testing
