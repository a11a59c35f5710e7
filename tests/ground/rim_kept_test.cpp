/// What a wheel keeps of a grid from search to search changes no answer.
#include "scree/ground/rim_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rims.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::kNoWalls;
using testing::kRadius;
using testing::rim_at;
using testing::terrain_of;

TEST(RimSearch, WhatIsKeptFromSearchToSearchChangesNothing) {
  // A wheel that rolls, turns and sways over two grounds in turn, now and then put elsewhere: the same bits
  // as a search that keeps nothing.
  const auto fine =
      terrain_of("kind = \"fbm\"\nhurst = 0.36\nsigma = 0.02\nsize = [3, 3]\ncells = [512, 512]\n");
  const auto coarse =
      terrain_of("kind = \"fbm\"\nhurst = 0.6\nsigma = 0.05\nsize = [3, 3]\ncells = [64, 64]\n");
  RandomStream random(5, 0, "memo");
  RimMemo memo;
  Vec3 at(0, 0, 0.1);
  double yaw = 0;
  int touching = 0, moved = 0;
  for (int i = 0; i < 6000; ++i) {
    if (i % 500 == 0) {
      at = {random.uniform(-1.6, 1.6), random.uniform(-1.6, 1.6), 0};
      yaw = random.uniform(-3, 3);
    }
    const GridView& grid = *(i % 1000 < 700 ? fine : coarse)->bilinear_view();
    yaw += random.uniform(-0.01, 0.01);
    const Mat3 R = rotation_from_rpy(0.2 * random.normal(), 0.1 * random.normal(), yaw);
    at += 1e-3 * R.col(0);
    at.z() = fine->height(at.x(), at.y()) + random.uniform(0.08, 0.13);
    const RimPlane w = rim_at(at, R, i % 3 == 0 ? 0.01 : kNoWalls);
    const RimContact kept = search_cells(grid, w, &memo), anew = search_cells(grid, w);
    touching += anew.found && anew.h > 0;
    moved += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
             kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.highest < anew.highest;
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

TEST(RimSearch, AWheelThatRollsOnKeepsWhatItFoundAndMissesNothing) {
  // Small steps, ahead, aside, up and down, turning and leaning, over smooth and steep ground and against
  // walls: the same bits as a search that keeps nothing.
  const char* grounds[] = {
      "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.0080\nsize = [3, 3]\ncells = [384, 384]\n",
      "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.04\nsize = [3, 3]\ncells = [256, 256]\n",
      "kind = \"rocks\"\nsize = [4, 4]\ncell = 0.02\ncover = 0.3\nsmallest = 0.05\nlargest = 0.6\n",
      // As many columns as are kept, and more.
      "kind = \"fbm\"\nhurst = 0.5\nsigma = 0.006\nsize = [2.4, 2.4]\ncells = [2048, 2048]\n",
      "kind = \"fbm\"\nhurst = 0.5\nsigma = 0.006\nsize = [1.6, 1.6]\ncells = [2048, 2048]\n",
      "kind = \"function\"\nexpression = \"0.05*sin(20*x)*cos(15*y)\"\nsampled = true\nsize = [4, 4]\n"
      "cells = [800, 800]\n",
      // Cells of half a radius and of four, so that groups of columns reach far beyond the wheel.
      "kind = \"fbm\"\nhurst = 0.7\nsigma = 0.02\nsize = [8, 8]\ncells = [128, 128]\n",
      "kind = \"fbm\"\nhurst = 0.8\nsigma = 0.05\nsize = [16, 16]\ncells = [32, 32]\n"};
  RandomStream random(6, 0, "rolling");
  int other = 0, touching = 0, walled = 0;
  for (const char* const& text : grounds) {
    const auto terrain = terrain_of(text);
    const GridView& grid = *terrain->bilinear_view();
    int kept_on = 0;
    for (int run = 0; run < 12; ++run) {
      RimMemo memo;
      const double pace = std::pow(10.0, random.uniform(-5, -2.5)), sway = run % 3 * pace;
      double roll = random.uniform(-0.3, 0.3), pitch = random.uniform(-0.3, 0.3),
             yaw = random.uniform(-kPi, kPi);
      Vec3 at(random.uniform(-1, 1), random.uniform(-1, 1), 0);
      at.z() = terrain->height(at.x(), at.y()) + 0.1;
      double standing = run % 2 == 0 ? 0.01 : kNoWalls;
      for (int i = 0; i < 400; ++i) {
        roll += sway * random.normal(), pitch += sway * random.normal(), yaw += sway * random.normal();
        const Mat3 R = rotation_from_rpy(roll, pitch, yaw);
        at += pace * (R.col(0) + 0.2 * random.normal() * R.col(1) + 0.3 * random.normal() * R.col(2));
        const RimPlane w = rim_at(at, R, standing);
        const RimContact kept = search_cells(grid, w, &memo), anew = search_cells(grid, w);
        kept_on += memo.of == grid.z;
        touching += anew.found && anew.h > 0;
        walled += anew.found && standing < 1 && anew.highest > at.z();
        other += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
                 kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.highest < anew.highest;
        // On its springs: it follows the ground.
        if (anew.found) at.z() += 0.1 * std::clamp(anew.h - 0.01, -pace, pace);
        if (anew.found && standing < 1) standing += 0.1 * (std::max(anew.h, 0.0) - standing);
      }
    }
    if (&text != &grounds[4]) {  // of which nothing can be kept
      EXPECT_GT(kept_on, 1500) << text;
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(touching, 5000);
  EXPECT_GT(walled, 500);
}

TEST(RimSearch, GroundThatComesIntoReachFromAboveIsFound) {
  // Leaning wheels between high steep ridges, which rise and sink: three radii above the hub is as far as is
  // looked, so that ground beyond is kept by nobody.
  const auto terrain = terrain_of(
      "kind = \"function\"\nexpression = \"0.7*abs(sin(4*x+0.5*y))\"\nsampled = true\nsize = [4, 4]\n"
      "cells = [200, 200]\n");
  const GridView& grid = *terrain->bilinear_view();
  RandomStream random(8, 0, "rising");
  int other = 0, high = 0;
  for (int run = 0; run < 150; ++run) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.6, 0.6), random.uniform(-0.3, 0.3), random.uniform(-kPi, kPi));
    Vec3 at(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    at.z() = terrain->height(at.x(), at.y()) + random.uniform(-0.3, 0.1);
    const double way = random.uniform(-1e-3, 1e-3);
    RimMemo memo;
    for (int i = 0; i < 200; ++i, at.z() += way) {
      const RimPlane w = rim_at(at, R);
      const RimContact kept = search_cells(grid, w, &memo), anew = search_cells(grid, w);
      high += anew.found && anew.h > 2.5 * kRadius;
      other += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine;
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(high, 500);
}

TEST(RimSearch, WhatIsKeptIsFollowedToTheNearestMicrometreInTheWheelsPlane) {
  // Ground that is the same all across, of random heights along the way: a wheel that moves in its own plane
  // meets the same profile, and nothing but the width of columns leaves room for mistakes. It creeps on,
  // back, up, down and pitches, one at a time: the same bits as a search that keeps nothing.
  RandomStream random(7, 0, "creeping");
  int other = 0, touching = 0, changes = 0;
  for (int run = 0; run < 240; ++run) {
    const bool by_x = run % 2 == 0;
    const double cell = random.uniform(0.006, 0.03),
                 height = random.uniform(0.02, run % 2 == 0 ? 0.6 : 0.1) * cell;
    HeightField field = make_field({33, 33, -16 * cell, -16 * cell, cell, cell}, "extruded");
    for (int i = 0; i < 33; ++i) {
      const auto z = static_cast<float>(random.uniform(0, height));
      for (int j = 0; j < 33; ++j) (by_x ? field.at(i, j) : field.at(j, i)) = z;
    }
    const Grid grid(std::move(field));
    RimMemo memo;
    double pitch = run % 3 == 0 ? random.uniform(-0.3, 0.3) : 0, last = 0;
    Vec3 at(0, 0, kRadius + height - 0.005);
    const double yaw = (by_x ? 0 : 0.5 * kPi) + (run % 4 < 2 ? 0 : kPi), pace = random.uniform(2e-5, 4e-4);
    const int way = run / 4 % 8;
    for (int i = 0; i < 150; ++i) {
      if (way < 2) at += (way == 0 ? pace : -pace) * rotation_from_rpy(0, pitch, yaw).col(0);
      if (way == 2)
        at.z() += i % 50 < 25 ? pace : -pace, at += 0.3 * pace * rotation_from_rpy(0, 0, yaw).col(0);
      if (way > 2) pitch += ((way > 4 ? i / 20 : way) % 2 == 0 ? -4 : 4) * pace;
      if (way > 4) at += (way == 5 ? -0.5 : 0.5) * pace * rotation_from_rpy(0, 0, yaw).col(0);
      const RimPlane w = rim_at(at, rotation_from_rpy(0, pitch, yaw));
      const RimContact kept = search_cells(grid.view(), w, &memo), anew = search_cells(grid.view(), w);
      touching += anew.found, changes += std::abs(anew.sine - last) > 0.05, last = anew.sine;
      other += kept.h != anew.h || kept.sine != anew.sine || kept.slope_x != anew.slope_x ||
               kept.slope_y != anew.slope_y || kept.highest != anew.highest;
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(touching, 30000);
  EXPECT_GT(changes, 100);
}

TEST(RimSearch, AWheelThatSlidesFromTileToTileIsToldOfEach) {
  // Ground that rises all across: a wheel that slides up along its axle must know of each tile as soon as its
  // plane cuts it, of the first and the last one as well.
  constexpr int kCells = 5 * RimMemo::kColumns;
  for (const int way : {1, -1}) {
    HeightField field =
        make_field(GridGeometry::spanning(kCells + 1, kCells + 1, {-0.2, 0.2, -0.2, 0.2}), "slope");
    for (int j = 0; j <= kCells; ++j)
      for (int i = 0; i <= kCells; ++i) field.at(i, j) = static_cast<float>(way * 1e-4 * j);
    const Grid grid(std::move(field));
    for (int start = -6; start <= kCells + 6; ++start) {
      RimMemo memo;
      for (int i = 0; i < 100; ++i) {
        const double row = start + 0.1 * way * (i + 0.5);
        const RimPlane w = rim_at({0, -0.2 + 0.01 * row, 0.11}, Mat3::Identity());
        EXPECT_GE(search_cells(grid.view(), w, &memo).highest, search_cells(grid.view(), w).highest) << row;
      }
    }
  }
}

TEST(RimSearch, WhatRisesBesideAWheelThatSlidesIsFoundInTime) {
  // Level ground under the wheel, and ahead of it one line of samples, or all beyond it, that rises across
  // from some row on: a wheel that slides aside must find it as soon as it is higher, and no later. Rows of
  // the kept slopes change on the way.
  constexpr int kCells = 60;
  constexpr double kCell = 0.01;
  RandomStream random(12, 0, "rising");
  int risen = 0;
  for (const bool turned : {false, true}) {
    for (const double slope : {0.3, 1.0, 3.0}) {
      for (const int wide : {1, kCells}) {
        for (int line = 33; line < 36; ++line) {
          for (const double start : {0.3, 7.6, 15.2}) {
            HeightField field =
                make_field(GridGeometry::spanning(kCells + 1, kCells + 1, {-0.3, 0.3, -0.3, 0.3}), "rising");
            const double rough = line == 34 ? 0.0 : 3e-4;
            for (float& z : field.z) z = static_cast<float>(random.uniform(0, rough));
            for (int k = 0; k <= kCells; ++k) {
              for (int m = line; m <= std::min(line + wide - 1, kCells); ++m)
                (turned ? field.at(k, m) : field.at(m, k)) +=
                    static_cast<float>(std::max(0.0, slope * kCell * (k - start - 12)));
            }
            const Grid grid(std::move(field));
            RimMemo memo;
            for (int i = 0; i < 150; ++i) {
              const double aside = -0.3 + kCell * (start + 0.12 * i);
              const Mat3 R = rotation_from_rpy(0.02, 0, turned ? 0.5 * kPi : 0.0);
              const RimPlane w = rim_at(turned ? Vec3(aside, 0, 0.11) : Vec3(0, aside, 0.11), R);
              const RimContact kept = search_cells(grid.view(), w, &memo),
                               anew = search_cells(grid.view(), w);
              EXPECT_EQ(kept.h, anew.h) << "slope " << slope << ", " << wide << " from " << line << ", row "
                                        << start << " + " << 0.12 * i << (turned ? ", turned" : "");
              risen += anew.sine > 0.1;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(risen, 500);
}

}  // namespace
}  // namespace scree
