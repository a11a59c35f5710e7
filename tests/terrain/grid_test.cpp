#include "scree/terrain/grid.hpp"

#include <cmath>

#include "scree/terrain/spline.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

HeightField field_of(const GridGeometry& geometry, double (*height)(double, double)) {
  HeightField field = make_field(geometry, "test");
  for (int j = 0; j < geometry.ny; ++j) {
    for (int i = 0; i < geometry.nx; ++i) {
      field.at(i, j) = static_cast<float>(height(geometry.x(i), geometry.y(j)));
    }
  }
  return field;
}

double sines(double x, double y) { return 0.15 * std::sin(2 * kPi * x / 4) * std::cos(2 * kPi * y / 6); }

HeightField random_field(int nx, int ny) {
  HeightField field = make_field({nx, ny, -1.5, 2.25, 0.125, 0.25}, "random");
  RandomStream random(3, 0, "field");
  for (float& z : field.z) z = static_cast<float>(random.normal());
  return field;
}

/// Morrot 2011, Eqs. 3-5, written as printed, one point at a time and in double.
double bilinear_by_the_book(const HeightField& m, double x, double y) {
  const GridGeometry& g = m.geometry;
  const double aux_x = (x - g.x_min) * (g.nx - 1) / (g.x_max() - g.x_min);
  const double aux_y = (y - g.y_min) * (g.ny - 1) / (g.y_max() - g.y_min);
  const int ix = std::min(static_cast<int>(aux_x), g.nx - 2),
            iy = std::min(static_cast<int>(aux_y), g.ny - 2);
  const double z1 = m.at(ix + 1, iy) * (aux_x - ix) + m.at(ix, iy) * (1 - (aux_x - ix));
  const double z2 = m.at(ix + 1, iy + 1) * (aux_x - ix) + m.at(ix, iy + 1) * (1 - (aux_x - ix));
  return m.datum + z2 * (aux_y - iy) + z1 * (1 - (aux_y - iy));
}

TEST(Grid, BilinearEqualsThePapersEquations) {
  const HeightField field = random_field(17, 9);
  const Grid grid{HeightField(field)};
  RandomStream random(5, 0, "points");
  const Rectangle b = grid.bounds();
  for (int k = 0; k < 2000; ++k) {
    const double x = random.uniform(b.x_min, b.x_max), y = random.uniform(b.y_min, b.y_max);
    // Both are a handful of rounded operations on numbers of order one.
    EXPECT_NEAR(grid.height(x, y), bilinear_by_the_book(field, x, y), 1e-13);
  }
  // x = x_max is inside: the errata's index n_x - 2.
  EXPECT_NEAR(grid.height(b.x_max, b.y_max), field.at(16, 8), 1e-13);
}

TEST(Grid, BilinearReproducesBilinearGround) {
  const auto height = [](double x, double y) { return 0.5 + 0.25 * x - 0.125 * y + 0.0625 * x * y; };
  const Grid grid(field_of({9, 9, -2, -2, 0.5, 0.5}, height));
  for (double x = -2; x <= 2; x += 0.3) {
    for (double y = -2; y <= 2; y += 0.3) {
      const TerrainPoint p = grid.at(x, y);
      EXPECT_NEAR(p.z, height(x, y), 1e-14);
      EXPECT_NEAR(p.slope_x, 0.25 + 0.0625 * y, 1e-13);
      EXPECT_NEAR(p.slope_y, -0.125 + 0.0625 * x, 1e-13);
    }
  }
}

TEST(Grid, RowsOfAnyLengthGiveTheSameAnswers) {
  for (const Interpolation how : {Interpolation::bilinear, Interpolation::smooth}) {
    const Grid grid(random_field(40, 30), {.interpolation = how});
    RandomStream random(6, 0, "points");
    std::vector<double> x(80), y(80), z(80), sx(80), sy(80);
    for (int k = 0; k < 80; ++k) x[k] = random.uniform(-2, 4), y[k] = random.uniform(2, 10);
    for (int count : {0, 1, 2, 3, 4, 5, 7, 8, 20, 79, 80}) {
      grid.sample({count, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (int k = 0; k < count; ++k) {
        const TerrainPoint p = grid.at(x[k], y[k]);
        EXPECT_EQ(z[k], p.z);
        EXPECT_EQ(sx[k], p.slope_x);
        EXPECT_EQ(sy[k], p.slope_y);
      }
    }
  }
}

TEST(Grid, OutsideTheNearestEdgeAnswersWithNoSlopeOutward) {
  for (const Interpolation how : {Interpolation::bilinear, Interpolation::smooth}) {
    const Grid grid(random_field(12, 12), {.interpolation = how});
    const Rectangle b = grid.bounds();
    const double y = 0.5 * (b.y_min + b.y_max) + 0.07;
    const TerrainPoint outside = grid.at(b.x_max + 3, y), edge = grid.at(b.x_max, y);
    EXPECT_EQ(outside.z, edge.z);
    EXPECT_EQ(outside.slope_x, 0);
    EXPECT_EQ(outside.slope_y, edge.slope_y);
    for (const double far : {1e9, 1e300, std::numeric_limits<double>::infinity()}) {
      EXPECT_EQ(grid.at(far, far).z, grid.at(b.x_max, b.y_max).z);
      EXPECT_EQ(grid.at(-far, -far).z, grid.at(b.x_min, b.y_min).z);
    }
    // Not a number reads a cell of the grid rather than memory beyond it.
    EXPECT_TRUE(std::isfinite(grid.at(std::nan(""), 0).z));
  }
}

TEST(Grid, ExtendLiftsTheBoundsAndChangesNothingElse) {
  const HeightField field = random_field(8, 8);
  const Grid bounded{HeightField(field)}, extended(HeightField(field), {.extend = true});
  EXPECT_TRUE(extended.bounds().contains(1e12, -1e12));
  EXPECT_FALSE(bounded.bounds().contains(1e12, -1e12));
  EXPECT_EQ(bounded.height(100, 3), extended.height(100, 3));
}

TEST(Grid, ADatumKeepsSmallHeightsOnAHighMountain) {
  HeightField field =
      field_of({33, 33, 0, 0, 0.1, 0.1}, [](double x, double y) { return 1e-3 * std::sin(9 * x + 7 * y); });
  const Grid low{HeightField(field)};
  field.datum = 8848;
  const Grid high(std::move(field));
  // 8848 + z is rounded to 2^-40 m.
  for (double x = 0; x < 3; x += 0.17) EXPECT_NEAR(high.height(x, 1.3) - 8848, low.height(x, 1.3), 2e-12);
}

TEST(Grid, SmoothPassesThroughTheSamples) {
  const HeightField field = random_field(31, 22);
  const Grid grid(HeightField(field), {.interpolation = Interpolation::smooth});
  for (int j = 0; j < 22; ++j) {
    for (int i = 0; i < 31; ++i) {
      // Coefficients of a random field reach 4; float32 rounds them to 2.4e-7, twice (along x, along y).
      EXPECT_NEAR(grid.height(field.geometry.x(i), field.geometry.y(j)), field.at(i, j), 1.5e-6);
    }
  }
}

TEST(Grid, SmoothIsContinuousInHeightAndSlopeEverywhere) {
  const Grid grid(random_field(9, 9), {.interpolation = Interpolation::smooth});
  const Rectangle b = grid.bounds();
  // Across every line between pieces: a jump would not shrink with the distance between the two points.
  const double e = 1e-9;
  for (double u = b.x_min + 0.0625; u < b.x_max - 0.01; u += 0.0625) {
    for (double v = b.y_min + 0.01; v < b.y_max; v += 0.11) {
      const TerrainPoint left = grid.at(u - e, v), right = grid.at(u + e, v);
      EXPECT_NEAR(left.z, right.z, 1e-6);
      EXPECT_NEAR(left.slope_x, right.slope_x, 1e-5);
      EXPECT_NEAR(left.slope_y, right.slope_y, 1e-5);
    }
  }
  // The gradient is that of the height (its curvature jumps between pieces: tolerance h * jump).
  expect_gradients(grid, {b.x_min + 0.01, b.x_max - 0.01, b.y_min + 0.01, b.y_max - 0.01}, 5e-3);
}

/// Largest error of heights and slopes on the sines for n x n cells over 12 m x 12 m, away from the edge.
std::pair<double, double> errors_on_sines(int cells, Interpolation how) {
  const Grid grid(field_of(GridGeometry::spanning(cells + 1, cells + 1, {-6, 6, -6, 6}), sines),
                  {.interpolation = how});
  double height = 0, slope = 0;
  RandomStream random(9, 0, "sines");
  for (int k = 0; k < 4000; ++k) {
    const double x = random.uniform(-5, 5), y = random.uniform(-5, 5);
    const TerrainPoint p = grid.at(x, y);
    height = std::max(height, std::abs(p.z - sines(x, y)));
    slope =
        std::max(slope, std::abs(p.slope_x - 0.15 * kPi / 2 * std::cos(kPi / 2 * x) * std::cos(kPi / 3 * y)));
  }
  return {height, slope};
}

TEST(Grid, OrdersOfConvergence) {
  // Halving the cell: bilinear gains 4 in height and 2 in slope, smooth 8 and 4 (B-spline of degree 2).
  const auto b1 = errors_on_sines(64, Interpolation::bilinear),
             b2 = errors_on_sines(128, Interpolation::bilinear);
  const auto s1 = errors_on_sines(64, Interpolation::smooth),
             s2 = errors_on_sines(128, Interpolation::smooth);
  EXPECT_NEAR(b1.first / b2.first, 4, 0.5);
  EXPECT_NEAR(b1.second / b2.second, 2, 0.3);
  EXPECT_NEAR(s1.first / s2.first, 8, 2);
  EXPECT_NEAR(s1.second / s2.second, 4, 0.8);
  EXPECT_LT(s1.second, 0.1 * b1.second);
}

TEST(Grid, SplineCoefficientsGoBackToSamples) {
  HeightField field = random_field(200, 150);
  const HeightField before = field;
  to_spline_coefficients(field);
  to_spline_samples(field);
  for (std::size_t k = 0; k < field.z.size(); ++k) EXPECT_NEAR(field.z[k], before.z[k], 2e-6);
}

TEST(Grid, ReleaseGivesTheSamplesBack) {
  const HeightField field = random_field(20, 10);
  Grid grid{HeightField(field)};
  const HeightField back = std::move(grid).release();
  EXPECT_EQ(back.z, field.z);
}

TEST(Grid, SlopeBoundHoldsAndIsTight) {
  for (const Interpolation how : {Interpolation::bilinear, Interpolation::smooth}) {
    const Grid rough(random_field(70, 45), {.interpolation = how});
    const Rectangle b = rough.bounds();
    expect_slope_bound(rough, {b.x_min - 1, b.x_max + 1, b.y_min - 1, b.y_max + 1}, 1);
    expect_slope_bound(rough, b, 20);
    const Grid gentle(field_of(GridGeometry::spanning(512, 512, {-25, 25, -25, 25}), sines),
                      {.interpolation = how});
    // A box of the bench's wheel: the bound is the largest slope within a tile, 0.8 m.
    EXPECT_GT(expect_slope_bound(gentle, {-20, 20, -20, 20}, 0.3), 0.95);
    EXPECT_NEAR(gentle.slope_bound({}), 0.15 * kPi / 2, 0.003);
  }
  const Grid flat(make_field({100, 100, 0, 0, 1, 1}, "flat"));
  EXPECT_EQ(flat.slope_bound({3, 50, 2, 70}), 0);
}

TEST(Grid, RefusesWhatIsNoGrid) {
  const auto message = [](HeightField field, GridOptions options = {}) {
    try {
      const Grid grid(std::move(field), options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(message({}), HasSubstr("0 x 0"));
  EXPECT_THAT(message({{2, 1, 0, 0, 1, 1}, 0, {0, 0}}), HasSubstr("2 x 1"));
  EXPECT_THAT(message({{2, 2, 0, 0, 0, 1}, 0, {0, 0, 0, 0}}), HasSubstr("is outside [1e-9, 1e9] m"));
  EXPECT_THAT(message({{2, 2, 0, 0, std::nan(""), 1}, 0, {0, 0, 0, 0}}),
              HasSubstr("is outside [1e-9, 1e9] m"));
  EXPECT_THAT(message({{3, 2, 0, 0, 1, 1}, 0, {0, 0, 0}}), HasSubstr("3 heights for 3 x 2"));
  EXPECT_THAT(message({{2, 2, 0, 0, 1, 1}, 0, {0, 0, std::nanf(""), 0}}), HasSubstr("sample (0, 1)"));
  EXPECT_THAT(message({{2, 2, 0, 0, 1, 1}, 0, {0, INFINITY, 0, 0}}), HasSubstr("sample (1, 0)"));
  EXPECT_THAT(message({{2, 2, 0, 0, 1, 1}, 0, {0, 0, 0, 0}}, {.interpolation = Interpolation::smooth}),
              HasSubstr("3 x 3"));
  EXPECT_THAT(message({{100000, 100000, 0, 0, 1, 1}, 0, {}}), HasSubstr("window"));
}

TEST(Grid, MemoryIsForeseen) {
  try {
    check_memory(std::size_t{1} << 60, "grid 'moon'");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("grid 'moon': needs 1152921504.6 GB"));
  }
}

}  // namespace
}  // namespace scree
