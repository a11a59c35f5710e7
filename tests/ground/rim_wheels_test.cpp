/// Four wheels on a grid side by side, against each by itself with nothing kept: the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/ground/rim_search.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::terrain_of;

constexpr double kWheelsNoWalls = 1e300;

void put_plane(RimPlanes& to, int k, const RimPlane& w) {
  for (int i = 0; i < 3; ++i)
    to.centre[i][k] = w.centre[i], to.n[i][k] = w.n[i], to.a[i][k] = w.a[i], to.b[i][k] = w.b[i];
  to.radius[k] = w.radius, to.standing[k] = w.standing;
}

/// (Tiles that are kept may be more than a new search would ask for.)
bool same(const RimContacts& four, int k, const RimContact& one) {
  return (four.found[k] != 0) == one.found && four.h[k] == one.h && four.sine[k] == one.sine &&
         four.slope_x[k] == one.slope_x && four.slope_y[k] == one.slope_y && four.highest[k] >= one.highest;
}

/// A wheel that rolls, slides aside, sways, leans and bounces on its springs.
struct RollingWheel {
  Vec3 at = Vec3::Zero();
  double roll = 0, pitch = 0, yaw = 0, pace = 0, aside = 0, sway = 0, radius = 0, standing = 0;

  RollingWheel(RandomStream& random, const Terrain& ground, double heading, int run)
      : at(random.uniform(-1, 1), random.uniform(-1, 1), 0),
        roll(random.uniform(-0.3, 0.3)),
        pitch(random.uniform(-0.3, 0.3)),
        yaw(heading + random.uniform(-0.2, 0.2)),
        pace(std::pow(10.0, random.uniform(-5, -2.5))),
        aside(run % 2 == 0 ? random.uniform(-2, 2) : 0),
        sway(run % 3 * pace),
        radius(random.uniform(0.1, 0.14)),
        standing(run / 2 % 2 == 0 ? 0.01 : kWheelsNoWalls) {
    at.z() = ground.height(at.x(), at.y()) + radius - 0.02;
  }
  RimPlane move(RandomStream& random) {
    roll += sway * random.normal(), pitch += sway * random.normal(), yaw += sway * random.normal();
    const Mat3 R = rotation_from_rpy(roll, pitch, yaw);
    at += pace * (R.col(0) + (aside + 0.2 * random.normal()) * R.col(1) + 0.3 * random.normal() * R.col(2));
    return {at, R.col(0), R.col(1), R.col(2), radius, standing};
  }
  void follow(const RimContact& c) {
    if (!c.found) return;
    at.z() += 0.1 * std::clamp(c.h - 0.01, -pace, pace);
    if (standing < 1) standing += 0.1 * (std::max(c.h, 0.0) - standing);
  }
};

TEST(RimWheels, SideBySideTheyFindWhatEachFindsByItself) {
  const char* grounds[] = {
      "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.008\nsize = [3, 3]\ncells = [384, 384]\n",
      "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.04\nsize = [3, 3]\ncells = [256, 256]\n",
      "kind = \"rocks\"\nsize = [4, 4]\ncell = 0.02\ncover = 0.3\nsmallest = 0.05\nlargest = 0.6\n",
      // More columns than are kept; cells longer than wide.
      "kind = \"fbm\"\nhurst = 0.5\nsigma = 0.006\nsize = [1.6, 1.6]\ncells = [2048, 2048]\n",
      "kind = \"function\"\nexpression = \"0.05*sin(20*x)*cos(15*y)\"\nsampled = true\nsize = [4, 3]\n"
      "cells = [800, 200]\n",
      "kind = \"fbm\"\nhurst = 0.7\nsigma = 0.02\nsize = [8, 8]\ncells = [128, 128]\n",
      // Blades and spikes, under which wheels lean.
      "kind = \"fbm\"\nhurst = 0.1\nsigma = 0.15\nsize = [4, 4]\ncells = [300, 300]\n"};
  RandomStream random(8, 0, "side by side");
  int other = 0, touching = 0, edges = 0, crossing = 0;
  for (const char* text : grounds) {
    const auto terrain = terrain_of(text);
    const GridView& grid = *terrain->bilinear_view();
    for (int run = 0; run < 10; ++run) {
      RimMemo memo[kLanes];
      // Some runs have wheels along x and along y beside each other.
      const double heading = random.uniform(-kPi, kPi);
      std::vector<RollingWheel> wheels;
      for (int k = 0; k < kLanes; ++k) {
        wheels.emplace_back(random, *terrain, heading + (run % 4 == 3 ? k * 0.5 * kPi : 0), run);
        // Twins, of which one's memory would serve another.
        if (run % 5 == 4) wheels[k] = wheels[0], wheels[k].at += 1e-4 * k * Vec3::UnitX();
        if (run % 5 == 1) wheels[k].roll *= 4;
        if (run % 5 == 2) {  // in and beside the grid's corner
          Vec3& at = wheels[k].at;
          at.head<2>() = Vec2(grid.x_min + random.uniform(-4, 24) / grid.per_x,
                              grid.y_min + random.uniform(-4, 24) / grid.per_y);
          at.z() = terrain->height(at.x(), at.y()) + wheels[k].radius - 0.02;
        }
      }
      for (int i = 0; i < 150; ++i) {
        RimPlanes planes{};
        RimPlane plane[kLanes];
        for (int k = 0; k < kLanes; ++k) put_plane(planes, k, plane[k] = wheels[k].move(random));
        const int wanted = i % 7 == 0 ? 1 + static_cast<int>(random.uniform(0, 15)) : 15;
        const RimContacts four = search_cells(grid, planes, wanted, memo);
        bool along_x = false, along_y = false;
        for (int k = 0; k < kLanes; ++k) {
          const RimContact one = search_cells(grid, plane[k]);
          wheels[k].follow(one);
          if ((wanted >> k & 1) == 0) continue;
          (std::abs(plane[k].a.y()) >= std::abs(plane[k].a.x()) ? along_x : along_y) = true;
          touching += one.found && one.h > 0;
          other += !same(four, k, one);
          edges += one.found && std::hypot(one.slope_x, one.slope_y) > 0.2;
        }
        crossing += along_x && along_y;
      }
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(touching, 10000);
  EXPECT_GT(edges, 2000);
  EXPECT_GT(crossing, 500);
}

}  // namespace
}  // namespace scree
