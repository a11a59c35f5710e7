/// One surface for all: what is asked point by point or in rows, what wheels touch, what sensors read and
/// what the window draws, on composed ground of every make.
#include "scree/core/random.hpp"
#include "scree/ground/slice_search.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/view/bridge.hpp"
#include "scree/view/terrain_tiles.hpp"
#include "support/paths.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using namespace lane;

constexpr int kSide = kTileCells + 1;

/// Hills, a turned ramp, a crater field, a sill and a dip. `how` is how the whole is held.
Scenario scenario_on(const std::string& how) {
  const std::string text = R"(format = 1
duration = 30.0
seed = 5
[terrain]
kind = "compose"
)" + how + R"(
[terrain.base]
kind = "noise"
rms = 0.08
length = 1.5
size = [24, 24]
cell = 0.1
[[terrain.feature]]
kind = "ramp"
at = [3, -2]
yaw_deg = 35
start = -1
angle_deg = 12
length = 2
entry_radius = 1
exit_radius = 1
footprint = [6, 3]
margin = 0.8
[[terrain.feature]]
kind = "craters"
sampled = false
size = [20, 20]
cell = 0.1
density = 0.03
smallest = 1.5
largest = 5
[[terrain.feature]]
kind = "bump"
at = [-4, 3]
yaw_deg = -20
rise = 0.3
length = 3
width = 2.5
[[terrain.feature]]
kind = "bump"
at = [0.2, 0.1]
rise = -0.15
length = 2
width = 2
[[robot]]
model = "vivi"
start = { position = [0.3, 0.4], clearance = 0.02, yaw_deg = 25 }
[robot.control]
kind = "speed"  # with a gain of its own it looks at where wheels touch
gain = 20
speed = 0
[[robot.profile]]
quantity = "brake"
value = 60.0
)";
  return load_scenario(Document::from_text(text, "test.toml", source_tree("/scenarios")),
                       source_tree("/scenarios/test.toml"));
}

class Exactness : public ::testing::TestWithParam<const char*> {
 protected:
  Scenario scenario = scenario_on(GetParam());
  const Terrain& ground = scenario.world->terrain();
};

TEST_P(Exactness, RowsOfAnyLengthAnswerAsPointsDo) {
  RandomStream random(1, 0, "rows");
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + static_cast<int>(random.uniform(0, 150));
    std::vector<double> x(n), y(n), z(n), sx(n), sy(n);
    for (int k = 0; k < n; ++k) x[k] = random.uniform(-13, 13), y[k] = random.uniform(-13, 13);
    ground.sample({n, x.data(), y.data(), z.data(), sx.data(), sy.data()});
    for (int k = 0; k < n; ++k) {
      const TerrainPoint p = ground.at(x[k], y[k]);
      ASSERT_EQ(p.z, z[k]) << x[k] << ", " << y[k];
      ASSERT_EQ(p.slope_x, sx[k]) << x[k] << ", " << y[k];
      ASSERT_EQ(p.slope_y, sy[k]) << x[k] << ", " << y[k];
    }
  }
}

TEST_P(Exactness, TheBareGridOfTheContactSearchIsTheSameSurface) {
  const GridView* view = ground.bilinear_view();
  ASSERT_EQ(view != nullptr, std::string(GetParam()) == "sampled = true");
  if (view == nullptr) return;  // asked through rows alone
  RandomStream random(2, 0, "lanes");
  for (int k = 0; k < 3000; ++k) {
    const double x = random.uniform(-13, 13), y = random.uniform(-13, 13);
    const LanesPoint p = view->bilinear(lanes(x), lanes(y));
    EXPECT_EQ(p.z[2], ground.height(x, y));
  }
}

/// The largest displacement over the lower half of the rim, by a fine division and bisection.
double brute_force(const Terrain& ground, const Vec3& centre, const Mat3& R, double r) {
  double best = -1e9;
  for (double gamma = -1.57; gamma <= 1.57; gamma += 1e-3) {
    const Vec3 rim = centre + r * (std::sin(gamma) * R.col(0) - std::cos(gamma) * R.col(2));
    double low = -1, high = 1;
    for (int i = 0; i < 32; ++i) {
      const double h = 0.5 * (low + high);
      const Vec3 p = rim + h * R.col(2);
      (p.z() < ground.height(p.x(), p.y()) ? low : high) = h;
    }
    best = std::max(best, low);
  }
  return best;
}

TEST_P(Exactness, WheelsFindTheHighestPointOfIt) {
  RandomStream random(3, 0, "wheels");
  const SliceTable table(20);
  constexpr double kRadius = 0.12;
  const auto spread = [](const Vec3& v) { return V3<Lanes>{lanes(v.x()), lanes(v.y()), lanes(v.z())}; };
  for (int k = 0; k < 40; ++k) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.2, 0.2), random.uniform(-0.3, 0.3), random.uniform(-3, 3));
    const double x = random.uniform(-10, 10), y = random.uniform(-10, 10);
    const Vec3 centre(x, y, ground.height(x, y) + 0.1);
    const WheelPlanes wheel{spread(centre), spread(R.col(0)), spread(R.col(2)), lanes(kRadius), Lanes{}};
    const double bound = ground.slope_bound({x - 0.3, x + 0.3, y - 0.3, y + 0.3});
    const WheelContacts found = search_slices(ground, table, wheel, bound, 3);
    const double h = brute_force(ground, centre, R, kRadius);
    // Smooth ground: the brute force's own division, r (1e-3)^2 / 8 < 1e-7, and Newton's two steps. Bilinear
    // patches have creases: the division misses one by up to r 1e-3 times its slope, the search by as much.
    const bool smooth = std::string(GetParam()).find("smooth") != std::string::npos;
    EXPECT_NEAR(found.h[0], h, smooth ? 1e-6 : 2e-5) << "wheel " << k;
  }
}

TEST_P(Exactness, ContactsOfARobotAtRestLieOnIt) {
  Simulation simulation(scenario);
  while (simulation.time() < 8 && !simulation.finished()) simulation.advance();
  Bridge bridge(scenario);
  const Moment moment = bridge.moment(simulation.state().all());
  const RobotMoment& robot = moment.robots[0];
  const Readings& readings = *simulation.pilots()[0].readings();
  ASSERT_EQ(readings.wheels.size(), robot.wheels.size());
  for (std::size_t k = 0; k < robot.wheels.size(); ++k) {
    ASSERT_TRUE(robot.wheels[k].touches) << k;
    // What the window marks, and what a controller is told.
    const Vec3 drawn = robot.wheels[k].contact, read = robot.links[0] * readings.wheels[k].p_BC;
    EXPECT_NEAR(drawn.z(), ground.height(drawn.x(), drawn.y()), 1e-9) << "wheel " << k;
    EXPECT_NEAR(read.z(), ground.height(read.x(), read.y()), 1e-9) << "wheel " << k;
  }
}

TEST_P(Exactness, TilesOfFullDetailAreMadeOfIt) {
  const TileLayout layout = lay_tiles(ground, 0.04, 1e9);
  RandomStream random(4, 0, "tiles");
  const int across = static_cast<int>(24 / layout.tile_size(0));
  for (int t = 0; t < 12; ++t) {
    const TileKey key{0, static_cast<int>(random.uniform(0, across)),
                      static_cast<int>(random.uniform(0, across))};
    const TileData tile = sample_tile(ground, layout, key, {});
    for (int j = 0; j < kSide; ++j)
      for (int i = 0; i < kSide; ++i) {
        const double x = std::min(tile.x + i * layout.spacing, layout.bounds.x_max),
                     y = std::min(tile.y + j * layout.spacing, layout.bounds.y_max);
        ASSERT_EQ(tile.vertices[j * kSide + i].z, static_cast<float>(ground.height(x, y) - tile.datum))
            << x << ", " << y;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ground, Exactness,
    ::testing::Values("sampled = false", "sampled = true", "sampled = true\ninterpolation = \"smooth\""),
    [](const auto& info) {
      return std::string(info.index == 0 ? "Exact" : info.index == 1 ? "Grid" : "Smooth");
    });

}  // namespace
}  // namespace scree::view
