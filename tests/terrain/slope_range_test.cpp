/// Slopes of a small place lie within what the ground says of it, and not far within.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/random.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::terrain_of;

/// Samples that know nothing of each other, cells longer than wide.
Grid torn_grid(Interpolation interpolation) {
  HeightField field = make_field(GridGeometry::spanning(41, 31, {-2, 2, -1, 1}), "torn");
  RandomStream random(3, 0, "torn");
  for (int j = 0; j < 31; ++j)
    for (int i = 0; i < 41; ++i) field.at(i, j) = static_cast<float>(random.uniform(-0.1, 0.1));
  GridOptions options;
  options.interpolation = interpolation;
  return Grid(std::move(field), options);
}

struct Seen {
  int known = 0;
  double beyond = -1e9;  ///< how far a slope lies outside the range, at most
  double share = 0;      ///< of the range that slopes take up, in the mean of the larger places
};

Seen look(const Terrain& terrain, double reach) {
  RandomStream random(4, 0, "slopes");
  Seen seen;
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
    const double size = i % 2 ? 0.3 : 0.01;
    const Rectangle area{x, x + random.uniform(0, size), y, y + random.uniform(0, size)};
    const auto range = terrain.slope_range(area);
    if (!range) continue;
    ++seen.known;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int k = 0; k < 100; ++k) {
      const TerrainPoint p =
          terrain.at(random.uniform(area.x_min, area.x_max), random.uniform(area.y_min, area.y_max));
      low[0] = std::min(low[0], p.slope_x), high[0] = std::max(high[0], p.slope_x);
      low[1] = std::min(low[1], p.slope_y), high[1] = std::max(high[1], p.slope_y);
    }
    seen.beyond = std::max({seen.beyond, range->x_low - low[0], high[0] - range->x_high,
                            range->y_low - low[1], high[1] - range->y_high});
    if (i % 2)
      seen.share += (high[0] - low[0] + high[1] - low[1]) /
                    (range->x_high - range->x_low + range->y_high - range->y_low + 1e-9);
  }
  seen.share /= 0.5 * std::max(seen.known, 1);
  return seen;
}

TEST(SlopeRange, HoldsEverySlopeOfAGrid) {
  // Slopes of a cell's border rows are found by few of 100 points: much of the range, not all of it. A smooth
  // piece's are means of more differences. Places beyond the edge (a third of them) count the edge's slopes.
  const Seen bilinear = look(torn_grid(Interpolation::bilinear), 1.2);
  EXPECT_EQ(bilinear.known, 2000);
  EXPECT_LE(bilinear.beyond, 1e-12);
  EXPECT_GT(bilinear.share, 0.6);
  const Seen smooth = look(torn_grid(Interpolation::smooth), 1.2);
  EXPECT_EQ(smooth.known, 2000);
  EXPECT_LE(smooth.beyond, 1e-12);
  EXPECT_GT(smooth.share, 0.25);
}

TEST(SlopeRange, IsThatOfACellWithinOneCell) {
  const Grid grid = torn_grid(Interpolation::bilinear);
  const GridGeometry& g = grid.geometry();
  for (int i = 3; i < 37; ++i) {
    const int j = i / 2;
    const double x = g.x(i) + 0.4 * g.step_x, y = g.y(j) + 0.4 * g.step_y;
    const auto range = grid.slope_range({x, x + 0.1 * g.step_x, y, y + 0.1 * g.step_y});
    ASSERT_TRUE(range);
    const double low = (grid.sample_height(i + 1, j) - grid.sample_height(i, j)) / g.step_x,
                 high = (grid.sample_height(i + 1, j + 1) - grid.sample_height(i, j + 1)) / g.step_x;
    const double left = (grid.sample_height(i, j + 1) - grid.sample_height(i, j)) / g.step_y,
                 right = (grid.sample_height(i + 1, j + 1) - grid.sample_height(i + 1, j)) / g.step_y;
    EXPECT_NEAR(range->x_low, std::min(low, high), 1e-5);
    EXPECT_NEAR(range->x_high, std::max(low, high), 1e-5);
    EXPECT_NEAR(range->y_low, std::min(left, right), 1e-5);
    EXPECT_NEAR(range->y_high, std::max(left, right), 1e-5);
  }
}

TEST(SlopeRange, HoldsEverySlopeOfPlanesAndSines) {
  const Seen plane = look(*terrain_of("kind = \"flat\"\nslope_deg = 12\nuphill_deg = 30\n"), 5);
  EXPECT_EQ(plane.known, 2000);
  EXPECT_LE(plane.beyond, 1e-15);
  for (const char* waves :
       {"wavelength_x = 1.1\nwavelength_y = 0.9\n", "wavelength_x = 0\nwavelength_y = 2\n"}) {
    const Seen sines = look(*terrain_of(fmt::format("kind = \"sines\"\namplitude = 0.1\n{}", waves)), 5);
    EXPECT_EQ(sines.known, 2000) << waves;
    EXPECT_LE(sines.beyond, 1e-12) << waves;
    EXPECT_GT(sines.share, 0.2) << waves;
  }
}

TEST(SlopeRange, IsNotSoughtOverManySamples) {
  EXPECT_FALSE(torn_grid(Interpolation::bilinear).slope_range({-1, 1, -1, 1}));
}

}  // namespace
}  // namespace scree
