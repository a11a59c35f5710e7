/// What of the ground is a wall, and how deep, on grids and on functions.
#include "scree/ground/wall_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "many_slices.hpp"
#include "rims.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::kRadius;
using testing::rim_at;
using testing::terrain_of;
using testing::wall_by_points;

/// A ramp up to 0.2 m, as steep as asked for: as an expression, and as a grid whose samples lie on its edges.
/// The two are the same surface, found by searches that share no line.
class SameGround : public ::testing::TestWithParam<int> {
 protected:
  SameGround()
      : width_(1e-3 * GetParam()),
        function_(terrain_of(
            fmt::format("kind = \"function\"\nexpression = \"0.2*min(max(x/{},0),1)\"\n", width_))),
        grid_(sampled(*function_)) {}
  static Grid sampled(const Terrain& ground) {
    HeightField field = make_field(GridGeometry::spanning(801, 801, {-0.8, 0.8, -0.8, 0.8}), "ramp");
    for (int j = 0; j < 801; ++j)
      for (int i = 0; i < 801; ++i)
        field.at(i, j) = static_cast<float>(ground.height(field.geometry.x(i), field.geometry.y(j)));
    return Grid(std::move(field));
  }
  double width_;
  std::unique_ptr<const Terrain> function_;
  Grid grid_;
};

TEST_P(SameGround, CellsAndLooksFindTheSameContactsAndWalls) {
  RandomStream random(9, 0, "walls");
  int walls = 0, contacts = 0;
  for (int i = 0; i < 2000; ++i) {
    const double lean = i % 4 == 0 ? 0 : 0.4;
    const Mat3 R = rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean),
                                     random.uniform(-kPi, kPi));
    const double x = random.uniform(-0.15, 0.15 + width_), y = random.uniform(-0.1, 0.1);
    const RimPlane w =
        rim_at({x, y, function_->height(x, y) + random.uniform(0.06, 0.13)}, R, random.uniform(0, 0.03));
    const RimContact cells = search_cells(grid_.view(), w),
                     looks = search_looks_along(*function_, w, width_, 0.2 / width_);
    EXPECT_EQ(cells.found, looks.found) << i;
    EXPECT_NEAR(cells.h, looks.h, 5e-5) << i;
    for (const RimContact& c : {cells, looks}) EXPECT_TRUE(w.faces(c.slope_x, c.slope_y)) << i;
    const RimWall of_grid = find_wall(grid_, w, grid_.cell()), of_function = find_wall(*function_, w, width_);
    EXPECT_NEAR(of_grid.depth, of_function.depth, 1e-5) << i;
    if (i % 8 == 0) {
      EXPECT_NEAR(of_grid.depth, wall_by_points(*function_, w, 20000), 5e-5) << i;
    }
    if (of_grid.depth > 0) {
      EXPECT_GT(cells.highest, lowest_feeler(w)) << i;
    }
    contacts += cells.found;
    walls += of_grid.depth > 0.005;
  }
  EXPECT_GT(contacts, 1500);
  EXPECT_GT(walls, 200);
}
// Millimetres over which 0.2 m are climbed: slopes of 20 and 5 bear nothing, 2.9 and 1.7 do.
INSTANTIATE_TEST_SUITE_P(Ramps, SameGround, ::testing::Values(10, 40, 70, 120),
                         [](const auto& info) { return fmt::format("over_{}_mm", info.param); });

TEST(Walls, TheDepthOfAWallIsContinuousAlongAnyMotion) {
  // Wherever it changes much within a step, it changes little within a small part of that step.
  const auto ground = terrain_of("kind = \"step_field\"\n");
  const double slope = ground->slope_bound({});
  RandomStream random(4, 0, "motions");
  int deep = 0, sudden = 0;
  for (int i = 0; i < 2000; ++i) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(-3, 3));
    const double x = random.uniform(-0.4, 0.4), y = random.uniform(-0.4, 0.4);
    const RimPlane w =
        rim_at({x, y, ground->height(x, y) + random.uniform(0.02, 0.12)}, R, random.uniform(0, 0.03));
    const Vec3 way(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01));
    const auto depth = [&](double share) {
      RimPlane moved = w;
      moved.centre += share * way;
      const RimWall wall = find_wall(*ground, moved, 0.01);
      EXPECT_GE((moved.centre + wall.u * moved.n + wall.t * moved.b).z(), lowest_feeler(moved) - 1e-12);
      return wall.depth;
    };
    double from = 0, to = 1, first = depth(from), last = depth(to);
    deep += first > 0.02;
    sudden += std::abs(last - first) > 2 * way.norm();
    for (int k = 0; k < 16; ++k) {
      const double middle = 0.5 * (from + to), here = depth(middle);
      if (std::abs(here - first) > std::abs(last - here)) {
        to = middle, last = here;
      } else {
        from = middle, first = here;
      }
    }
    EXPECT_LT(std::abs(last - first), (1 + slope) * way.norm() * (to - from) + 1e-6) << i;
  }
  EXPECT_GT(deep, 100);
  EXPECT_GT(sudden, 10);
}

TEST(Walls, AFaceThatBearsNothingHidesNoFloor) {
  // 80 degrees, 0.07 m ahead: the floor carries. 70 degrees: the face does, up to the line of walls.
  const auto ground = [](double slope) {
    return terrain_of(
        fmt::format("kind = \"function\"\nexpression = \"min(max({}*(x-0.07),0),0.3)\"\n", slope));
  };
  const RimPlane w = rim_at({0, 0, 0.115}, Mat3::Identity(), 0.005);
  const RimContact floor = search_looks_along(*ground(5.67), w, 0.05, 5.67);
  EXPECT_NEAR(floor.h, 0.005, 1e-9);
  EXPECT_NEAR(floor.sine, 0, 1e-4);
  const RimContact face = search_looks_along(*ground(2.75), w, 0.1, 2.75);
  // The face meets the line z = 0.12 - 0.2582 u at u = (0.12 + 2.75 0.07)/(2.75 + 0.2582).
  const double u = 0.3125 / (2.75 + kWallRise);
  EXPECT_NEAR(face.sine * kRadius, u, 1e-6);
  EXPECT_NEAR(face.h, 0.005 - kWallRise * u + std::sqrt(kRadius * kRadius - u * u), 1e-6);
}

TEST(Walls, GroundAboveTheCentreIsAWall) {
  // A face 0.4 m high, 0.1 m ahead of the hub: it reaches 2 cm into the rim; the floor carries.
  HeightField field = make_field(GridGeometry::spanning(201, 201, {-1, 1, -1, 1}), "wall");
  for (int j = 0; j < 201; ++j)
    for (int i = 111; i < 201; ++i) field.at(i, j) = 0.4f;
  const Grid grid(std::move(field));  // the face rises from x = 0.10 to x = 0.11
  const RimPlane w = rim_at({0, 0, 0.115}, Mat3::Identity(), 0.004);
  const RimContact c = search_cells(grid.view(), w);
  EXPECT_TRUE(c.found);
  EXPECT_NEAR(c.h, 0.005, 1e-9);
  EXPECT_NEAR(c.sine, 0, 1e-6);
  // The level feeler, 0.119 m up, is as deep inside the rim as below the face where 40 (s - 0.1) = 0.119 + R
  // - s; the lower one, slope 0.2582, where it lies deeper below the face.
  const double level = (kRadius + 0.119 + 4) / 41, per = 1 / std::hypot(1, kWallRise);
  const double lower = (kRadius + 0.119 + 4) / (1 + per * (40 + kWallRise));
  const RimWall wall = find_wall(grid, w, 0.01);
  EXPECT_NEAR(wall.depth, kRadius - std::min(level, lower), 1e-6);
  EXPECT_NEAR(wall.u, level, 1e-6);
  EXPECT_NEAR(wall.t, 0.004, 1e-12);
  EXPECT_NEAR(wall.x, -1, 1e-9);
  EXPECT_NEAR(lowest_feeler(w), 0.119 - kWallRise * per * kRadius, 1e-12);
  // Far enough away there is none, and none behind.
  EXPECT_EQ(find_wall(grid, rim_at({-0.05, 0, 0.115}, Mat3::Identity(), 0.004), 0.01).depth, 0);
  EXPECT_LT(find_wall(grid, rim_at({0.21, 0, 0.115}, Mat3::Identity(), 0.004), 0.01).u, 1e-9);
}

}  // namespace
}  // namespace scree
