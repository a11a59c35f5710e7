/// Rays against fine marching (no code shared with them but sample()), closed forms, and their limits.
#include <cmath>
#include <vector>

#include "scree/terrain/grid.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

double clearance(const Terrain& terrain, const TerrainRay& ray, double t) {
  const Vec3 p = ray.from + t * ray.along.normalized();
  return p.z() - terrain.height(p.x(), p.y());
}

bool in_bounds(const Terrain& terrain, const TerrainRay& ray, double t) {
  const Vec3 p = ray.from + t * ray.along.normalized();
  return terrain.bounds().contains(p.x(), p.y());
}

struct Count {
  int hits = 0, misses = 0, inside = 0;
};

/// What a ray's answer claims, checked by marching: before the hit nothing is below the ground by more than
/// `depth`, at the hit the ray is on it within `near` (or had just come inside it).
void expect_true(const Terrain& terrain, const TerrainRay& ray, double step, double depth, double near,
                 Count& count) {
  const auto hit = terrain.ray(ray);
  const double until = hit ? hit->distance : std::min(ray.reach, 1e3);
  for (double t = 0; t < until; t += step) {
    if (!in_bounds(terrain, ray, t)) continue;
    ASSERT_GT(clearance(terrain, ray, t), -depth)
        << "t = " << t << " before " << until << (hit ? " (hit)" : " (none)") << ", from "
        << ray.from.transpose() << " along " << ray.along.transpose();
  }
  if (!hit) {
    ++count.misses;
    return;
  }
  ASSERT_LE(hit->distance, ray.reach);
  EXPECT_LT((hit->point - (ray.from + hit->distance * ray.along.normalized())).norm(), 1e-9);
  EXPECT_EQ(hit->ground.z, terrain.height(hit->point.x(), hit->point.y()));
  const double there = clearance(terrain, ray, hit->distance);
  const bool begins = hit->distance == 0 || !in_bounds(terrain, ray, hit->distance - 1e-9);
  if (begins && there <= 0) {
    ++count.inside;
    return;
  }
  ++count.hits;
  ASSERT_NEAR(there, 0, near) << "from " << ray.from.transpose() << " along " << ray.along.transpose()
                              << " at " << hit->distance;
}

/// Rays of all kinds: from above, from inside, nearly level, along the axes, straight down and up.
TerrainRay random_ray(RandomStream& random, const Rectangle& area, double low, double high, int k) {
  TerrainRay ray;
  ray.from = {random.uniform(area.x_min, area.x_max), random.uniform(area.y_min, area.y_max),
              random.uniform(low, high)};
  ray.along = {random.normal(), random.normal(), random.normal() * (k % 3 == 0 ? 0.05 : 0.7)};
  if (k % 7 == 0) ray.along.x() = 0;
  if (k % 11 == 0) ray.along.y() = 0;
  if (k % 29 == 0) ray.along = {0, 0, k % 2 ? -2.0 : 3.0};
  if (k % 13 == 0) ray.reach = random.uniform(0.1, 3);
  return ray;
}

HeightField rough_field(int nx, int ny, double height, std::uint64_t seed) {
  HeightField field = make_field({nx, ny, -1.5, 2.25, 0.125, 0.25}, "rough");
  field.datum = 7;
  RandomStream random(seed, 0, "field");
  for (float& z : field.z) z = static_cast<float>(height * random.normal());
  return field;
}

struct GridCase {
  Interpolation interpolation;
  bool extend;
  double height;
};

class GridRays : public ::testing::TestWithParam<GridCase> {};

TEST_P(GridRays, FirstPointNotAboveTheGround) {
  const GridCase& c = GetParam();
  // 61 x 37 samples: several squares of the table, the last ones not full.
  const Grid grid(rough_field(61, 37, c.height, 5), {c.interpolation, c.extend, "rough"});
  const Rectangle area = {-3.5, 8, 0.5, 13};  // two metres beyond the grid on every side
  RandomStream random(6, 0, "rays");
  Count count;
  for (int k = 0; k < 1500 && !HasFatalFailure(); ++k) {
    TerrainRay ray = random_ray(random, area, 7 - 2 * c.height, 7 + 4 * c.height + 0.2, k);
    ray.reach = std::min(ray.reach, 20.0);
    // Heights of order 7 in double, a quartic through five of them: a few hundred roundings.
    expect_true(grid, ray, 0.004, 1e-11, 1e-11, count);
  }
  EXPECT_GT(count.hits, 150);
  EXPECT_GT(count.misses, 150);
  EXPECT_GT(count.inside, 100);
}

INSTANTIATE_TEST_SUITE_P(All, GridRays,
                         ::testing::Values(GridCase{Interpolation::bilinear, false, 0.3},
                                           GridCase{Interpolation::bilinear, true, 0.3},
                                           GridCase{Interpolation::smooth, false, 0.3},
                                           GridCase{Interpolation::smooth, true, 0.3},
                                           GridCase{Interpolation::bilinear, false, 0.01},
                                           GridCase{Interpolation::smooth, false, 0.01}));

TEST(TerrainRay, ABilinearCellIsSolvedInClosedForm) {
  // z = x y on one cell: along (s, s, 0.25) the ground is s^2 and is met at s = 1/2, between samples.
  const std::vector<double> heights{0, 0, 0, 1};
  const auto grid = grid_from_heights(std::span(heights), {2, 2, 0, 0, 1, 1});
  const auto hit = grid->ray({{0, 0, 0.25}, {1, 1, 0}, kEndless});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 0.5 * std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(hit->ground.slope_x, 0.5, 1e-15);
}

TEST(TerrainRay, AGrazedSaddleIsTouchedNotMissed) {
  // z = 1 - (2 x - 1)^2 along the diagonal of z = 4 x (1 - y) turned: highest 1 at the middle. A ray at that
  // height less 1e-9 meets it 1.6e-5 before the middle; a march of 1 mm would pass over.
  const std::vector<double> heights{0, 4, 0, 0};
  const auto grid = grid_from_heights(std::span(heights), {2, 2, 0, 0, 1, 1});
  const auto along = Vec3(1, 1, 0);
  const auto hit = grid->ray({{0, 0, 1 - 1e-9}, along, kEndless});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance / std::sqrt(2.0), 0.5 - 0.5 * std::sqrt(1e-9), 1e-9);
  EXPECT_FALSE(grid->ray({{0, 0, 1 + 1e-9}, along, kEndless}));
}

TEST(TerrainRay, PlanesInClosedForm) {
  const auto flat = terrain_from("kind = \"flat\"\nheight = 2\nslope_deg = 45\nuphill_deg = 90\n");
  // z = 2 + y, from (0, 0, 3) along (0, 1, 0): at y = 1.
  const auto hit = flat->ray({{0, 0, 3}, {0, 5, 0}, kEndless});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 1, 1e-15);
  EXPECT_FALSE(flat->ray({{0, 0, 3}, {0, 5, 0}, 0.99}));
  EXPECT_FALSE(flat->ray({{0, 0, 3}, {0, 1, 1.0}, kEndless})) << "along the slope, one metre above it";
  EXPECT_EQ(flat->ray({{0, 0, 1}, {0, 0, 1}, kEndless})->distance, 0) << "starts inside";
  EXPECT_NEAR(flat->ray({{0, 0, 1e6}, {0, 0, -1}, kEndless})->distance, 1e6 - 2, 1e-6);
}

TEST(TerrainRay, FunctionsMeetTheirClosedForm) {
  const auto bowl = terrain_from("kind = \"function\"\nexpression = \"0.1*(x*x+y*y)\"\n");
  // From the bottom's axis at 1 m, level: 0.1 r^2 = 1.
  RandomStream random(2, 0, "bowl");
  for (int k = 0; k < 50; ++k) {
    const double angle = random.uniform(0, 2 * kPi);
    const auto hit = bowl->ray({{0, 0, 1}, {std::cos(angle), std::sin(angle), 0}, kEndless});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, std::sqrt(10.0), 1e-12);
  }
}

/// Ground that answers by walking. Where slopes are bounded 0.1 mm of the ray's way may be overlooked: as
/// deep as that times the closing rate, which is below 4 here.
void expect_walked(const Terrain& terrain, const Rectangle& area, double low, double high, double depth) {
  RandomStream random(9, 0, "walks");
  Count count;
  for (int k = 0; k < 250 && !::testing::Test::HasFatalFailure(); ++k) {
    TerrainRay ray = random_ray(random, area, low, high, k);
    ray.reach = std::min(ray.reach, 12.0);
    expect_true(terrain, ray, 0.005, depth, 1e-9, count);
  }
  EXPECT_GT(count.hits, 30);
  EXPECT_GT(count.misses + count.inside, 30);
}

TEST(TerrainRay, SinesAreWalkedByTheirSlopeBound) {
  const auto sines = terrain_from("kind = \"sines\"\n");
  expect_walked(*sines, {-5, 5, -5, 5}, -0.3, 0.8, 4e-4);
}

TEST(TerrainRay, RocksAreWalkedByTheirSlopeBound) {
  const auto rocks = terrain_from("kind = \"rocks\"\nsize = [20, 20]\nsampled = false\ncover = 0.1\n");
  expect_walked(*rocks, {-8, 8, -8, 8}, -0.05, 0.8, 4e-3);
}

TEST(TerrainRay, CompositesWithEdgesAreSeenWhereTheyJump) {
  const auto ground = terrain_from(R"(kind = "compose"
[base]
kind = "sines"
[[feature]]
kind = "flat"
height = 0.5
footprint = [1.5, 1.0]
at = [1, 1]
yaw_deg = 30
)");
  // The block's sides are walls: a ray that meets one ends within a step of it, bisected to rounding.
  const auto wall = ground->ray({{-1.5, 1, 0.45}, {1, 0, 0}, kEndless});
  ASSERT_TRUE(wall);
  RandomStream random(9, 0, "walls");
  for (int k = 0; k < 200; ++k) {
    TerrainRay ray = random_ray(random, {-3, 3, -3, 3}, 0.2, 1.2, k);
    ray.reach = 10;
    const auto hit = ground->ray(ray);
    const double until = hit ? hit->distance : ray.reach;
    for (double t = 0; t < until - 1e-9; t += 0.01)
      ASSERT_GT(clearance(*ground, ray, t), -0.03) << k << " " << t;
    if (hit && hit->distance > 0) {
      ASSERT_LE(clearance(*ground, ray, hit->distance), 1e-9);
    }
  }
}

TEST(TerrainRay, NothingIsMetOutsideTheBoundsOrByARayThatIsNone) {
  const Grid grid(rough_field(9, 9, 0.1, 3));
  const Rectangle b = grid.bounds();
  EXPECT_FALSE(grid.ray({{b.x_max + 1, 3, 9}, {0, 0, -1}, kEndless}));
  EXPECT_FALSE(grid.ray({{b.x_max + 1, 3, 9}, {1, 0, -1}, kEndless}));
  EXPECT_TRUE(grid.ray({{b.x_max + 1, 3, 9}, {-1, 0, -1}, kEndless}));
  EXPECT_FALSE(grid.ray({{0, 3, 9}, Vec3::Zero(), kEndless}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(grid.ray({{nan, 3, 9}, {0, 0, -1}, kEndless}));
  EXPECT_FALSE(grid.ray({{0, 3, 9}, {0, nan, -1}, kEndless}));
}

TEST(TerrainRay, ADistantPeakOnALargeGridIsFound) {
  HeightField field = make_field({3001, 3001, 0, 0, 0.5, 0.5}, "plain");
  field.at(2900, 2800) = 40;
  const Grid grid(std::move(field));
  const Vec3 peak(1450, 1400, 39), from(3, 5, 30);
  const auto hit = grid.ray({from, peak - from, kEndless});
  ASSERT_TRUE(hit);
  EXPECT_NEAR((hit->point - peak).norm(), 0, 0.1) << "a spike of one sample, 40 m high";
  EXPECT_NEAR(hit->ground.z, hit->point.z(), 1e-9);
}

TEST(GridFromHeights, RowsGoAlongXAndTheValuesAreKept) {
  const std::vector<double> heights{1000.5, 1001, 1002, 1003, 1004, 1005.25};
  const auto grid = grid_from_heights(std::span(heights), {3, 2, -1, 4, 0.5, 2});
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(grid->height(-1 + 0.5 * i, 4 + 2 * j), heights[3 * j + i]);
  }
  const std::vector<float> single(heights.begin(), heights.end());
  EXPECT_EQ(grid_from_heights(std::span(single), {3, 2, -1, 4, 0.5, 2})->height(0, 6), 1005.25);
}

TEST(GridFromHeights, RefusesWhatDoesNotFit) {
  const std::vector<double> five(5, 0.0);
  const std::vector<double> bad{0, 0, std::numeric_limits<double>::quiet_NaN(), 0};
  const auto message = [](std::span<const double> heights, int nx, int ny) -> std::string {
    try {
      grid_from_heights(heights, {nx, ny, 0, 0, 1, 1}, {.name = "array"});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(five, 3, 2), "array: 5 heights for 3 x 2 samples, which need 6");
  EXPECT_THAT(message(bad, 2, 2), ::testing::HasSubstr("sample (0, 1)"));
  EXPECT_THAT(message(five, 5, 1), ::testing::HasSubstr("at least 2 x 2"));
}

}  // namespace
}  // namespace scree
