/// The contact search of cells where the answer is known.
#include "scree/ground/rim_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(RimSearch, ASpikeBetweenAnySlicesIsFound) {
  // One sample of a fine grid stands up: a needle that twenty slices pass on either side.
  HeightField field = make_field(GridGeometry::spanning(401, 401, {-1, 1, -1, 1}), "needle");
  field.at(207, 200) = 0.01f;  // x = 0.035, y = 0
  const Grid grid(std::move(field));
  const RimPlane w = rim_at({0, 0, 0.13}, Mat3::Identity());
  const RimContact c = search_cells(grid.view(), w);
  EXPECT_NEAR(c.h, 0.01 + std::sqrt(kRadius * kRadius - 0.035 * 0.035) - 0.13, 1e-7);
  EXPECT_NEAR(c.sine, 0.035 / kRadius, 1e-7);
}

TEST(RimSearch, TheTipOfABladeBearsThoughItsFacesDoNot) {
  // A row of samples stands up across the way: both faces rise by ten to one.
  HeightField field = make_field(GridGeometry::spanning(401, 401, {-1, 1, -1, 1}), "blade");
  for (int j = 0; j < 401; ++j) field.at(207, j) = 0.05f;  // x = 0.035
  const Grid grid(std::move(field));
  const auto function =
      terrain_of("kind = \"function\"\nexpression = \"0.05*max(1-abs(x-0.035)/0.005,0)\"\n");
  for (const double roll : {0.0, 0.1}) {
    for (const double yaw : {0.0, 0.5, kPi}) {
      const RimPlane w = rim_at({0, 0, 0.13}, rotation_from_rpy(roll, 0, yaw));
      const RimContact cells = search_cells(grid.view(), w),
                       looks = search_looks_along(*function, w, 0.01, 10);
      EXPECT_GT(cells.h, 0.02) << roll << ", " << yaw;
      EXPECT_NEAR(looks.h, cells.h, 5e-5) << roll << ", " << yaw;
      const double cosine = std::sqrt(1 - cells.sine * cells.sine);
      const Vec3 p = w.centre + cells.h * w.b + kRadius * (cells.sine * w.n - cosine * w.b);
      EXPECT_NEAR(p.x(), 0.035, 1e-6);
      EXPECT_NEAR(p.z(), 0.05, 1e-6);
      EXPECT_TRUE(w.bears(cells.slope_x, cells.slope_y)) << roll << ", " << yaw;
    }
  }
}

TEST(RimSearch, TheFloorIsFoundBelowThreeBladesThatAPlaneCuts) {
  // On its way down along the suspension the plane enters and leaves three upright blades, by faces that bear
  // nothing; their tips are out of reach.
  const auto blades = terrain_of(
      "kind = \"function\"\nexpression = \"0.6*(max(1-abs(y+0.05)/0.002,0)+max(1-abs(y+0.03)/0.002,0)"
      "+max(1-abs(y+0.01)/0.002,0))\"\n");
  const RimContact c =
      search_looks_along(*blades, rim_at({0, 0, 0.1}, rotation_from_rpy(0.2, 0, 0)), 0.004, 300);
  EXPECT_TRUE(c.found);
  EXPECT_NEAR(c.h, kRadius - 0.1 / std::cos(0.2), 1e-7);
}

TEST(RimSearch, OnAnEdgeTheTouchingPlaneHoldsTheRimsTangent) {
  // A roof whose ridge runs at 30 degrees to the wheel: the normal stands on the ridge.
  const auto terrain = terrain_of(
      "kind = \"function\"\nexpression = \"-0.5*abs(0.866025403784*(x-0.02) + 0.5*y)\"\nsampled = true\n"
      "size = [2, 2]\ncells = [2000, 2000]\n");
  const RimPlane w = rim_at({0, 0, 0.1}, Mat3::Identity());
  const RimContact c = search_cells(*terrain->bilinear_view(), w);
  const double cosine = std::sqrt(1 - c.sine * c.sine);
  const Vec3 tangent = cosine * w.n + c.sine * w.b, normal(-c.slope_x, -c.slope_y, 1);
  EXPECT_NEAR(normal.dot(tangent), 0, 1e-9);
  EXPECT_NEAR(c.sine, 0.02 / kRadius, 2e-2);
}

Grid level_grid(float height) {
  HeightField field = make_field(GridGeometry::spanning(601, 601, {-0.6, 0.6, -0.6, 0.6}), "level");
  for (float& z : field.z) z = height;
  return Grid(std::move(field));
}

TEST(RimSearch, PitchedWheelsReachTheGroundWhereverTheirSuspensionLeadsThem) {
  // The rim is lowest straight below its centre: the ground there is met after (z - c_z + R)/b_z, along b.
  const Grid grid = level_grid(0);
  for (const double yaw : {0.0, 1.5, 2.9}) {
    for (const double side : {-1.0, 1.0}) {
      // Far above the hub, a long way ahead or back; and hanging, pitched until the ground hardly bears.
      const auto expect_reached = [&](double pitch, double h) {
        const Mat3 R = rotation_from_rpy(0, side * pitch, yaw);
        const RimPlane w = rim_at({0, 0, kRadius - h * R(2, 2)}, R);
        const RimContact c = search_cells(grid.view(), w);
        EXPECT_TRUE(c.found) << pitch << ", " << h;
        EXPECT_NEAR(c.h, h, 1e-7) << pitch << ", " << h;
      };
      expect_reached(0.5, 2.7 * kRadius);
      expect_reached(0.5, 0.01);
      expect_reached(1.3, -0.49 * kRadius);
    }
  }
}

TEST(RimSearch, AContactCountsUpToHalfARadiusAway) {
  const Grid grid = level_grid(0);
  const RimContact near = search_cells(grid.view(), rim_at({0, 0, 1.499 * kRadius}, Mat3::Identity()));
  EXPECT_TRUE(near.found);
  EXPECT_NEAR(near.h, -0.499 * kRadius, 1e-9);
  EXPECT_FALSE(search_cells(grid.view(), rim_at({0, 0, 1.501 * kRadius}, Mat3::Identity())).found);
}

TEST(RimSearch, NoGroundNearTheRimIsHigherThanItSays) {
  // In a bowl that is flatter than the rim nothing but the bottom touches: what lies higher on either side is
  // not looked at, and counts.
  HeightField field = make_field(GridGeometry::spanning(401, 401, {-0.5, 0.5, -0.5, 0.5}), "bowl");
  for (int j = 0; j < 401; ++j)
    for (int i = 0; i < 401; ++i) field.at(i, j) = static_cast<float>(2 * std::pow(field.geometry.x(i), 2));
  const Grid grid(std::move(field));
  RimMemo memo;
  for (int i = 0; i < 3; ++i) {
    const RimContact c = search_cells(grid.view(), rim_at({1e-4 * i, 0, 0.115}, Mat3::Identity()), &memo);
    EXPECT_NEAR(c.sine, 0, 0.02);
    EXPECT_GE(c.highest, 2 * kRadius * kRadius - 1e-3);
  }
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
  const auto terrain =
      terrain_of("kind = \"fbm\"\nhurst = 0.36\nsigma = 0.0080\nsize = [1, 1]\ncells = [128, 128]\n");
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
