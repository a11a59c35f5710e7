/// The contact search that misses nothing, against the paper's own with a very fine division.
#include "scree/ground/rim_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/config/section.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

std::unique_ptr<const Terrain> rim_terrain(const std::string& text) {
  const Document document = Document::from_text(text);
  Section section = document.root();
  return make_terrain(section, {});
}

constexpr double kRadius = 0.12;
constexpr double kHighest = 0.25;  // m above the hub: higher than any ground of these tests
constexpr double kNoWalls = 1e300;

RimPlane rim_at(const Vec3& centre, const Mat3& R, double standing = kNoWalls) {
  return {centre, R.col(0), R.col(1), R.col(2), kRadius, standing};
}

/// Largest displacement over `slices` rim angles: along the suspension from high above to the first ground,
/// by steps and then by halves. Shares nothing with the searches but the terrain.
double by_slices(const Terrain& terrain, const RimPlane& w, int slices) {
  constexpr double kStep = 1.5e-3;
  double best = -0.5 * w.radius;
  for (int i = 0; i <= slices; ++i) {
    const double gamma = -1.555 + 3.11 * i / slices;
    const Vec3 rim = w.centre + w.radius * (std::sin(gamma) * w.n - std::cos(gamma) * w.b);
    const auto inside = [&](double h) {
      const Vec3 p = rim + h * w.b;
      return terrain.height(p.x(), p.y()) >= p.z();
    };
    double high = kHighest + w.radius * std::cos(gamma);
    bool found = false, was = inside(high);
    for (double h = high - kStep; h > best - kStep; h -= kStep) {
      const bool is = inside(h);
      if (is != was) {
        found = true, high = h + kStep;
        break;
      }
    }
    if (!found) continue;
    double low = high - kStep;
    for (int k = 0; k < 30; ++k) {
      const double middle = 0.5 * (low + high);
      (inside(middle) != was ? low : high) = middle;
    }
    best = std::max(best, low);
  }
  return best;
}

struct Miss {
  double below = 0, above = 0;  ///< how far the search lies below and above the slices, at most [m]
  int touching = 0;
};

Miss worst_miss(const Terrain& terrain, const Rectangle& area, int poses, int slices, double roll,
                double pitch) {
  RandomStream random(21, 0, "rims");
  const GridView* grid = terrain.bilinear_view();
  Miss miss;
  for (int i = 0; i < poses; ++i) {
    const Mat3 R = rotation_from_rpy(random.uniform(-roll, roll), random.uniform(-pitch, pitch),
                                     random.uniform(-kPi, kPi));
    const double x = random.uniform(area.x_min, area.x_max), y = random.uniform(area.y_min, area.y_max);
    const RimPlane w = rim_at({x, y, terrain.height(x, y) + random.uniform(0.06, 0.12)}, R);
    const RimContact c =
        grid ? search_cells(*grid, w)
             : search_looks_along(terrain, w, terrain.finest_feature({}), terrain.slope_bound({}));
    const double h = c.found ? c.h : -0.5 * kRadius;
    const double exact = by_slices(terrain, w, slices);
    miss.below = std::max(miss.below, exact - h);
    miss.above = std::max(miss.above, h - exact);
    miss.touching += h > 0;
    if (c.found) {  // the contact lies on the ground and on the rim
      const double cosine = std::sqrt(1 - c.sine * c.sine);
      const Vec3 p = w.centre + c.h * w.b + kRadius * (c.sine * w.n - cosine * w.b);
      EXPECT_NEAR(terrain.height(p.x(), p.y()), p.z(), 1e-5);
    }
  }
  return miss;
}

struct RimCase {
  const char* name;
  const char* terrain;
  double half;  ///< of the square where wheels are put [m]
  double roll = 0.3;
};
const RimCase kRough[] = {
    {"brick", "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.0080\nsize = [1, 1]\ncells = [128, 128]\n", 0.35},
    {"gravel", "kind = \"fbm\"\nhurst = 0.33\nsigma = 0.0035\nsize = [1, 1]\ncells = [128, 128]\n", 0.35},
    {"rocks", "kind = \"rocks\"\nsize = [4, 4]\ncell = 0.01\ncover = 0.3\nsmallest = 0.05\nlargest = 0.4\n",
     1.5},
};
const RimCase kEdges[] = {
    // Upright: where a wheel leans over an edge beside it, a part of the profile may be cut off from the
    // rest.
    {"step_field", "kind = \"step_field\"\n", 0.5, 0},
    {"stairs", "kind = \"stairs\"\nstart = -0.4\nrise = 0.1\n", 0.6},
    {"trench", "kind = \"trench\"\nstart = -0.1\n", 0.3, 0},
    {"step", "kind = \"step\"\nstart = 0.0\nrise = 0.2\n", 0.15},
};

class RoughRims : public ::testing::TestWithParam<RimCase> {};

TEST_P(RoughRims, CellByCellFindsWhatAHundredThousandSlicesFind) {
  const auto terrain = rim_terrain(GetParam().terrain);
  const double s = GetParam().half;
  const Miss miss = worst_miss(*terrain, {-s, s, -s, s}, 3, 100000, 0.3, 0.4);
  EXPECT_GT(miss.touching, 0);
  EXPECT_LT(miss.below, 5e-5);
  EXPECT_LT(miss.above, 5e-5);
}

TEST_P(RoughRims, ManyPosesAgainstFewerSlices) {
  // Slices only find less: by their spacing (3.11 r / 4000 = 0.09 mm) times the slope beside an edge.
  const auto terrain = rim_terrain(GetParam().terrain);
  const double s = GetParam().half;
  EXPECT_LT(worst_miss(*terrain, {-s, s, -s, s}, 60, 4000, 0.3, 0.4).below, 5e-5);
  EXPECT_LT(worst_miss(*terrain, {-s, s, -s, s}, 30, 4000, 0, 0).below, 5e-5);
}
INSTANTIATE_TEST_SUITE_P(Grounds, RoughRims, ::testing::ValuesIn(kRough),
                         [](const auto& info) { return std::string(info.param.name); });

class EdgedRims : public ::testing::TestWithParam<RimCase> {};

TEST_P(EdgedRims, LooksFindWhatSlicesFind) {
  const auto terrain = rim_terrain(GetParam().terrain);
  const double s = GetParam().half;
  const Miss few = worst_miss(*terrain, {-s, s, -s, s}, 2, 100000, GetParam().roll, 0.4);
  EXPECT_LT(few.below, 5e-5);
  EXPECT_LT(few.above, 5e-5);
  EXPECT_LT(worst_miss(*terrain, {-s, s, -s, s}, 60, 4000, GetParam().roll, 0.4).below, 5e-5);
}
INSTANTIATE_TEST_SUITE_P(Grounds, EdgedRims, ::testing::ValuesIn(kEdges),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RimSearch, ASpikeBetweenAnySlicesIsFound) {
  // One sample of a fine grid stands up: a needle that twenty slices pass on either side.
  HeightField field = make_field(GridGeometry::spanning(401, 401, {-1, 1, -1, 1}), "needle");
  field.at(207, 200) = 0.05f;  // x = 0.035, y = 0
  const Grid grid(std::move(field));
  const RimPlane w = rim_at({0, 0, 0.13}, Mat3::Identity());
  const RimContact c = search_cells(grid.view(), w);
  EXPECT_NEAR(c.h, 0.05 + std::sqrt(kRadius * kRadius - 0.035 * 0.035) - 0.13, 1e-7);
  EXPECT_NEAR(c.sine, 0.035 / kRadius, 1e-7);
}

TEST(RimSearch, WhatIsKeptFromSearchToSearchChangesNothing) {
  // A wheel that rolls, turns and sways over two grounds in turn, now and then put elsewhere: the same bits
  // as a search that keeps nothing.
  const auto fine =
      rim_terrain("kind = \"fbm\"\nhurst = 0.36\nsigma = 0.02\nsize = [3, 3]\ncells = [512, 512]\n");
  const auto coarse =
      rim_terrain("kind = \"fbm\"\nhurst = 0.6\nsigma = 0.05\nsize = [3, 3]\ncells = [64, 64]\n");
  RandomStream random(5, 0, "memo");
  RimMemo memo;
  Vec3 at(0, 0, 0.1);
  double yaw = 0;
  int touching = 0, moved = 0;
  for (int i = 0; i < 6000; ++i) {
    if (i % 500 == 0)
      at << random.uniform(-1.6, 1.6), random.uniform(-1.6, 1.6), 0, yaw = random.uniform(-3, 3);
    const GridView& grid = *(i % 1000 < 700 ? fine : coarse)->bilinear_view();
    yaw += random.uniform(-0.01, 0.01);
    const Mat3 R = rotation_from_rpy(0.2 * random.normal(), 0.1 * random.normal(), yaw);
    at += 1e-3 * R.col(0);
    at.z() = fine->height(at.x(), at.y()) + random.uniform(0.08, 0.13);
    const RimPlane w = rim_at(at, R, i % 3 == 0 ? 0.01 : kNoWalls);
    const RimContact kept = search_cells(grid, w, &memo), anew = search_cells(grid, w);
    touching += anew.found && anew.h > 0;
    moved += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
             kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.wall != anew.wall;
  }
  EXPECT_EQ(moved, 0);
  EXPECT_GT(touching, 2000);
  // Places whose columns are kept in the same room: 256 columns further, and with x and y exchanged.
  const double cell = 3.0 / 511;
  const GridView& grid = *fine->bilinear_view();
  const Mat3 along_y = rotation_from_rpy(0, 0, 0.5 * kPi);
  for (const double y : {-0.7, -0.2, 0.1, 0.6}) {
    const double x = -1.2;
    for (const auto& [place, R] : {std::pair(Vec2(x, y), Mat3(Mat3::Identity())),
                                   {Vec2(x + 256 * cell, y), Mat3::Identity()},
                                   {Vec2(y, x + 256 * cell), along_y}}) {
      const RimPlane w = rim_at(Vec3(place.x(), place.y(), fine->height(place.x(), place.y()) + 0.1), R);
      EXPECT_EQ(search_cells(grid, w, &memo).h, search_cells(grid, w).h);
    }
  }
}

TEST(RimSearch, OnAnEdgeTheTouchingPlaneHoldsTheRimsTangent) {
  // A roof whose ridge runs at 30 degrees to the wheel: the normal stands on the ridge.
  const auto terrain = rim_terrain(
      "kind = \"function\"\nexpression = \"-0.5*abs(0.866025403784*(x-0.02) + 0.5*y)\"\nsampled = true\n"
      "size = [2, 2]\ncells = [2000, 2000]\n");
  const RimPlane w = rim_at({0, 0, 0.1}, Mat3::Identity());
  const RimContact c = search_cells(*terrain->bilinear_view(), w);
  const double cosine = std::sqrt(1 - c.sine * c.sine);
  const Vec3 tangent = cosine * w.n + c.sine * w.b, normal(-c.slope_x, -c.slope_y, 1);
  EXPECT_NEAR(normal.dot(tangent), 0, 1e-9);
  EXPECT_NEAR(c.sine, 0.02 / kRadius, 2e-2);
}

TEST(RimSearch, GroundAboveTheCentreIsAWall) {
  // A face 0.4 m high, 0.1 m ahead of the hub: it reaches 2 cm into the rim; the floor carries.
  HeightField field = make_field(GridGeometry::spanning(201, 201, {-1, 1, -1, 1}), "wall");
  for (int j = 0; j < 201; ++j)
    for (int i = 111; i < 201; ++i) field.at(i, j) = 0.4f;
  const Grid grid(std::move(field));  // the face rises from x = 0.10 to x = 0.11
  const RimContact c = search_cells(grid.view(), rim_at({0, 0, 0.115}, Mat3::Identity(), 0.004));
  EXPECT_TRUE(c.found);
  EXPECT_NEAR(c.h, 0.005, 1e-9);
  EXPECT_NEAR(c.sine, 0, 1e-6);
  // The face crosses the line from the centre, 0.119 m up less 0.2582 u, at u = 0.10233.
  EXPECT_NEAR(c.wall, kRadius - std::hypot(0.10233, 0.2582 * 0.10233), 1e-4);
  EXPECT_GT(c.wall_u, 0);
  // Far enough away there is none.
  EXPECT_EQ(search_cells(grid.view(), rim_at({-0.05, 0, 0.115}, Mat3::Identity(), 0.004)).wall, 0);
}

TEST(RimSearch, BesideTheGridItsEdgeGoesOn) {
  HeightField field = make_field(GridGeometry::spanning(21, 21, {-1, 1, -1, 1}), "edge");
  for (float& z : field.z) z = 0.3f;
  const Grid grid(std::move(field));
  const RimContact c = search_cells(grid.view(), rim_at({7, -9, 0.41}, rotation_from_rpy(0.1, 0.1, 2)));
  EXPECT_TRUE(c.found);
  EXPECT_GT(c.h, 0.0);
}

TEST(HeightTable, HoldsEveryHeightOfARectangle) {
  const auto terrain = rim_terrain(kRough[0].terrain);
  RandomStream random(5, 0, "heights");
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(-0.6, 0.5), y = random.uniform(-0.6, 0.5);
    const Rectangle area{x, x + random.uniform(0, 0.3), y, y + random.uniform(0, 0.3)};
    const HeightRange range = terrain->height_range(area);
    for (int k = 0; k < 50; ++k) {
      const double z =
          terrain->height(random.uniform(area.x_min, area.x_max), random.uniform(area.y_min, area.y_max));
      EXPECT_GE(z, range.low - 1e-9);
      EXPECT_LE(z, range.high + 1e-9);
    }
  }
  // And no looser than its tiles: a quarter of the map is not the whole.
  const HeightRange all = terrain->height_range({-1, 1, -1, 1}),
                    part = terrain->height_range({0, 0.1, 0, 0.1});
  EXPECT_LT(part.high - part.low, 0.9 * (all.high - all.low));
}

}  // namespace
}  // namespace scree
