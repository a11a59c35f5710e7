#include "scree/terrain/function.hpp"

#include <cmath>
#include <thread>

#include "scree/terrain/grid.hpp"
#include "scree/terrain/sines.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

const char* kSines =
    "kind = 'function'\nexpression = 'a * sin(2 * pi * x / lx) * cos(2 * pi * y / ly)'\n"
    "parameters = { a = 0.15, lx = 4, ly = 6 }\n";

TEST(Function, ExactExpressionAgreesWithClosedForm) {
  const TerrainPtr function = terrain_from(kSines);
  const Sines sines({.amplitude = 0.15, .wavelength_x = 4, .wavelength_y = 6});
  RandomStream random(2, 0, "points");
  for (int k = 0; k < 500; ++k) {
    const double x = random.uniform(-50, 50), y = random.uniform(-50, 50);
    const TerrainPoint f = function->at(x, y), s = sines.at(x, y);
    EXPECT_NEAR(f.z, s.z, 1e-14);
    EXPECT_NEAR(f.slope_x, s.slope_x, 1e-14);
    EXPECT_NEAR(f.slope_y, s.slope_y, 1e-14);
  }
  // Along x and along y apart: a little more than the closed form's.
  EXPECT_GE(function->slope_bound({}), sines.slope_bound({}));
  EXPECT_LE(function->slope_bound({}), 1.3 * sines.slope_bound({}));
  EXPECT_GT(expect_slope_bound(*function, {-5, 5, -5, 5}, 2), 0.8);
  EXPECT_NEAR(function->finest_feature({}), sines.finest_feature({}), 1e-12);
  EXPECT_NEAR(function->height_range({}).high, 0.15, 1e-12);
}

TEST(Function, SampledEqualsExactAtTheSamples) {
  const TerrainPtr exact = terrain_from(kSines);
  const TerrainPtr sampled =
      terrain_from(std::string(kSines) + "sampled = true\nsize = [50, 50]\ncells = [512, 512]");
  const Grid* grid = dynamic_cast<const Grid*>(sampled.get());
  ASSERT_NE(grid, nullptr);
  EXPECT_EQ(grid->geometry().nx, 513);
  EXPECT_NEAR(grid->cell(), 50.0 / 512, 1e-15);
  for (int i = 0; i < 513; i += 16) {
    const double x = grid->geometry().x(i), y = grid->geometry().y(i);
    EXPECT_NEAR(sampled->height(x, y), exact->height(x, y), 1e-8);  // float32 of 0.15
  }
}

TEST(Function, SampledByAnyNumberOfThreadsIsTheSameToTheBit) {
  const std::string toml =
      "kind = 'function'\nexpression = '1234.5 + sin(x * y) + 0.1 * x'\nsampled = true\nsize = [7, 9]\n"
      "cells = [70, 91]";
  const TerrainPtr one = terrain_from(toml, ".", {.seed = 1, .threads = 1});
  const TerrainPtr five = terrain_from(toml, ".", {.seed = 1, .threads = 5});
  const Grid &a = dynamic_cast<const Grid&>(*one), &b = dynamic_cast<const Grid&>(*five);
  for (int j = 0; j < a.geometry().ny; ++j) {
    for (int i = 0; i < a.geometry().nx; ++i) EXPECT_EQ(a.sample_height(i, j), b.sample_height(i, j));
  }
}

TEST(Function, ManyThreadsMayAskAtOnce) {
  const TerrainPtr function = terrain_from(kSines);
  const auto sum = [&](double from) {
    double total = 0;
    for (int k = 0; k < 3000; ++k) total += function->height(from + 0.01 * k, 1);
    return total;
  };
  const double expected[3] = {sum(0), sum(5), sum(11)};
  double found[3] = {};
  std::thread threads[3];
  for (int t = 0; t < 3; ++t)
    threads[t] = std::thread([&, t] { found[t] = sum(t == 0 ? 0 : t == 1 ? 5 : 11); });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 3; ++t) EXPECT_EQ(found[t], expected[t]);
}

TEST(Function, RefusesWhatDoesNotParse) {
  EXPECT_THAT(refusal("kind = 'function'\nexpression = '0.1 * sin('"),
              HasSubstr("'0.1 * sin(' does not parse"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = 'q * x'"), HasSubstr("'q'"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = ''"), HasSubstr("empty"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = '0,1 * x'"), HasSubstr("decimal comma"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = 'x'\nparameters = { x = 1 }"),
              HasSubstr("hides a coordinate"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = 'x'\nparameters = { '2a' = 1 }"),
              HasSubstr("'2a' is no name"));
  EXPECT_THAT(refusal("kind = 'function'"), HasSubstr("expression"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = 'sqrt(x)'\nsampled = true\nsize = [2, 2]\ncell = 0.5"),
              HasSubstr("not a finite number"));
  EXPECT_THAT(refusal("kind = 'function'\nexpression = 'x'\nsampled = true\nsize = [2, 2]"),
              HasSubstr("cell"));
}

}  // namespace
}  // namespace scree
