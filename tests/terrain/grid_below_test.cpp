/// The least of a grid along a direction is that of the surface in the rectangle, no more and no less.
#include "scree/terrain/grid_below.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {
namespace {

constexpr double kBelowStep = 0.05;  // m: the grid's

/// Noise of 0.3 m from sample to sample.
Grid rough_grid(int nx, int ny, RandomStream& random) {
  HeightField field = make_field(
      GridGeometry::spanning(nx, ny, {1, 1 + kBelowStep * (nx - 1), -2, -2 + kBelowStep * (ny - 1)}),
      "rough");
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) field.at(i, j) = static_cast<float>(random.uniform(-0.3, 0.3));
  return Grid(std::move(field));
}

/// Ends of an interval and the lines of samples inside.
std::vector<double> lines_within(double from, double to, double first) {
  std::vector<double> out{from, to};
  for (int i = 0; i < 100; ++i)
    if (const double at = first + kBelowStep * i; at > from && at < to) out.push_back(at);
  return out;
}

TEST(GridBelow, TheLeastIsThatOfTheSurface) {
  RandomStream random(3, 0, "below");
  for (int i = 0; i < 4000; ++i) {
    const int nx = 4 + static_cast<int>(random.uniform(0, 20)),
              ny = 2 + static_cast<int>(random.uniform(0, 20));
    const Grid grid = rough_grid(nx, ny, random);
    // From a part of a cell to the whole grid; now and then along its border.
    const double width = 1e-3 * kBelowStep * (nx - 1), height = 1e-3 * kBelowStep * (ny - 1);
    const auto interval = [&](double first, double unit) {
      const double a = i % 7 == 0 ? 0 : random.uniform(0, 999), size = random.uniform(0, 1);
      const double b = std::min(a + 999.9 * size * size * size, 999.9);
      return std::pair(first + unit * a, first + unit * b);
    };
    const auto [x0, x1] = interval(1, width);
    const auto [y0, y1] = interval(-2, height);
    const Vec3 d = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), i % 5 == 0 ? 0 : -random.uniform(0, 1))
                       .normalized();
    double expected = std::numeric_limits<double>::infinity();
    for (const double x : lines_within(x0, x1, 1))
      for (const double y : lines_within(y0, y1, -2))
        expected = std::min(expected, d.dot(Vec3(x, y, grid.height(x, y))));
    const double least = least_along(grid.view(), {x0, x1, y0, y1}, d);
    EXPECT_NEAR(least, expected, 1e-12) << i << ": " << nx << " x " << ny;
    for (int k = 0; k < 10; ++k) {
      const double x = random.uniform(x0, x1), y = random.uniform(y0, y1);
      EXPECT_GE(d.dot(Vec3(x, y, grid.height(x, y))), least - 1e-12) << i;
    }
  }
}

TEST(GridBelow, BeyondTheGridNothingIsKnown) {
  RandomStream random(4, 0, "below");
  const Grid grid = rough_grid(9, 9, random);
  const double end = 1 + 8 * kBelowStep;
  const Rectangle inside{1.1, 1.2, -1.9, -1.8};
  EXPECT_TRUE(std::isfinite(least_along(grid.view(), inside, -Vec3::UnitZ())));
  for (Rectangle area : {Rectangle{0.999, 1.2, -1.9, -1.8}, Rectangle{1.1, end + 1e-3, -1.9, -1.8},
                         Rectangle{1.1, 1.2, -2.001, -1.8}, Rectangle{1.1, 1.2, -1.9, -1.599},
                         Rectangle{1.1, std::nan(""), -1.9, -1.8}, Rectangle{}})
    EXPECT_EQ(least_along(grid.view(), area, -Vec3::UnitZ()), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace scree
