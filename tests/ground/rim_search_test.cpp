/// The contact search that misses nothing, against the paper's own with a very fine division.
#include "scree/ground/rim_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <span>

#include "many_slices.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/ground/profile_search.hpp"
#include "scree/ground/wall_search.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::HighGround;
using testing::ManySlices;
using testing::RimAngles;
using testing::terrain_of;
using testing::wall_by_points;

constexpr double kRadius = 0.12;
constexpr double kNoWalls = 1e300;

RimPlane rim_at(const Vec3& centre, const Mat3& R, double standing = kNoWalls) {
  return {centre, R.col(0), R.col(1), R.col(2), kRadius, standing};
}

/// A hundred thousand slices, and ten times as many.
const RimAngles& slices() {
  static const RimAngles angles(100000);
  return angles;
}
const RimAngles& more_slices() {
  static const RimAngles angles(1000000);
  return angles;
}

/// A ground and lean: SCREE_RIM_POSES asks for more than a test has time for.
int rim_poses() {
  const char* asked = std::getenv("SCREE_RIM_POSES");
  return asked ? std::max(1, std::atoi(asked)) : 200;
}

RimContact search_rim(const Terrain& terrain, const RimPlane& w) {
  const GridView* grid = terrain.bilinear_view();
  return grid ? search_cells(*grid, w)
              : search_looks_along(terrain, w, terrain.finest_feature({}), terrain.slope_bound({}));
}

/// A way to put wheels down.
struct Lean {
  const char* name;
  double roll, pitch;  ///< up to so much [rad]
  bool walls;          ///< the wheel stood somewhere before
};
const Lean kLeans[] = {{"upright", 0, 0, false}, {"leaning", 0.3, 0.4, false}, {"walled", 0.3, 0.4, true}};

struct RimCase {
  const char* name;
  const char* terrain;
  double half;  ///< of the square where wheels are put [m]
};
const RimCase kRough[] = {
    {"brick", "kind = \"fbm\"\nhurst = 0.36\nsigma = 0.0080\nsize = [1, 1]\ncells = [128, 128]\n", 0.35},
    {"gravel", "kind = \"fbm\"\nhurst = 0.33\nsigma = 0.0035\nsize = [1, 1]\ncells = [128, 128]\n", 0.35},
    {"rocks", "kind = \"rocks\"\nsize = [4, 4]\ncell = 0.01\ncover = 0.3\nsmallest = 0.05\nlargest = 0.4\n",
     0.4},
};
const RimCase kEdges[] = {
    {"step_field", "kind = \"step_field\"\n", 0.5},
    {"stairs", "kind = \"stairs\"\nstart = -0.4\nrise = 0.1\n", 0.6},
    {"trench", "kind = \"trench\"\nstart = -0.1\n", 0.3},
    {"step", "kind = \"step\"\nstart = 0.0\nrise = 0.2\n", 0.15},
};

RimPlane next_pose(RandomStream& random, const Terrain& terrain, double half, const Lean& lean) {
  const Mat3 R = rotation_from_rpy(random.uniform(-lean.roll, lean.roll),
                                   random.uniform(-lean.pitch, lean.pitch), random.uniform(-kPi, kPi));
  const double x = random.uniform(-half, half), y = random.uniform(-half, half);
  const double above = random.uniform(0.06, 0.12), stood = random.uniform(0, 0.03);
  return rim_at({x, y, terrain.height(x, y) + above}, R, lean.walls ? stood : kNoWalls);
}

/// What the searches for this kind of ground find, which is one, or two on profiles.
std::vector<RimContact> searches(const Terrain& terrain, const RimPlane& w) {
  std::vector<RimContact> all{search_rim(terrain, w)};
  if (terrain.bilinear_view()) return all;
  const double reach = 3 * kRadius;
  const auto profile = terrain.placed_profile(
      {w.centre.x() - reach, w.centre.x() + reach, w.centre.y() - reach, w.centre.y() + reach});
  if (profile && profile->profile)
    if (const auto c = search_profile(terrain, *profile, w)) all.push_back(*c);
  return all;
}

/// A pose against a hundred thousand slices; where the two differ, against more of them and by smaller steps
/// along the suspension, since wedges of ground may be thinner than those. How far a search is off [m].
double miss_of(const Terrain& terrain, const HighGround& high, const RimPlane& w) {
  double worst = 0, truth = 0;
  bool known = false;
  for (const RimContact& c : searches(terrain, w)) {
    const double h = c.found ? c.h : -0.5 * kRadius;
    const double guess = h - 5e-5;
    if (!known) truth = ManySlices(terrain, high, w, slices()).run(guess), known = true;
    double miss = truth - h;
    if (std::abs(miss) > 4e-5) miss = ManySlices(terrain, high, w, more_slices(), 5e-5).run(guess) - h;
    worst = std::max(worst, std::abs(miss));
    if (!c.found) continue;  // the contact lies on the ground and on the rim
    const double cosine = std::sqrt(1 - c.sine * c.sine);
    const Vec3 p = w.centre + c.h * w.b + kRadius * (c.sine * w.n - cosine * w.b);
    EXPECT_NEAR(terrain.height(p.x(), p.y()), p.z(), 1e-5);
  }
  return worst;
}

std::vector<double> misses_of(const Terrain& terrain, const HighGround& high, double half, const Lean& lean,
                              int poses) {
  RandomStream random(21, 0, "rims");
  std::vector<double> misses;
  for (int i = 0; i < poses; ++i) {
    misses.push_back(miss_of(terrain, high, next_pose(random, terrain, half, lean)));
    EXPECT_LT(misses.back(), 5e-5) << lean.name << ", pose " << i;
  }
  return misses;
}

void expect_what_slices_find(const RimCase& ground) {
  const auto terrain = terrain_of(ground.terrain);
  const double far = ground.half + 0.45;
  const HighGround high(*terrain, {-far, far, -far, far});
  for (const Lean& lean : kLeans) {
    std::vector<double> misses = misses_of(*terrain, high, ground.half, lean, rim_poses());
    std::sort(misses.begin(), misses.end());
    if (std::getenv("SCREE_RIM_POSES"))
      fmt::print("{} {}: {} poses, median {:.2g} m, worst {:.2g} m\n", ground.name, lean.name, misses.size(),
                 misses[misses.size() / 2], misses.back());
  }
}

TEST(ManySlicesTest, LeavingOutStepsAndGuessingChangeNothing) {
  // To the last bit, against every step of every slice; guesses too low, right and too high.
  const RimAngles few(400);
  RandomStream guesses(3, 0, "guesses");
  int low = 0, high_guess = 0, poses = 0;
  for (const auto& grounds : {std::span<const RimCase>(kRough), std::span<const RimCase>(kEdges)}) {
    for (const RimCase& ground : grounds) {
      const auto terrain = terrain_of(ground.terrain);
      const double far = ground.half + 0.45;
      const HighGround high(*terrain, {-far, far, -far, far});
      for (const Lean& lean : kLeans) {
        RandomStream random(22, 0, "rims");
        for (int i = 0; i < 10; ++i, ++poses) {
          const RimPlane w = next_pose(random, *terrain, ground.half, lean);
          const double h = ManySlices(*terrain, high, w, few).plain(),
                       guess = h + guesses.uniform(-1e-3, 1e-3);
          EXPECT_EQ(ManySlices(*terrain, high, w, few).run(guess), h) << ground.name << ", " << lean.name;
          EXPECT_EQ(ManySlices(*terrain, high, w, few).run(-1), h) << ground.name << ", " << lean.name;
          (guess < h ? low : high_guess) += 1;
        }
      }
    }
  }
  EXPECT_GT(low, poses / 3);
  EXPECT_GT(high_guess, poses / 3);
}

class RoughRims : public ::testing::TestWithParam<RimCase> {};
TEST_P(RoughRims, CellByCellFindsWhatAHundredThousandSlicesFind) { expect_what_slices_find(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Grounds, RoughRims, ::testing::ValuesIn(kRough),
                         [](const auto& info) { return std::string(info.param.name); });

class EdgedRims : public ::testing::TestWithParam<RimCase> {};
TEST_P(EdgedRims, LooksAndProfilesFindWhatAHundredThousandSlicesFind) { expect_what_slices_find(GetParam()); }

/// Corners that the wheel's plane clips, stretches that end below others or are joined to them, ledges in
/// faces, tips at the line of walls and at the rim's end, profiles that return under it: each was missed
/// once, or by a search without one of its rules, by up to 0.15 m.
TEST(NastyRims, PosesThatWereMissedOnceAreNot) {
  const std::vector<int> missed[][3] = {
      // of each ground: upright, leaning, walled
      {{563, 2755, 3108, 3779, 8530, 22755, 29296, 33815},
       {940, 1317, 6155, 6269, 43452},
       {87, 128, 3069, 3550, 3636, 4636, 6161, 9102, 9112, 16487, 28286, 28484, 43452}},
      {{}, {1294, 9745, 11427}, {21485, 27172}},
      {{}, {36, 2853, 3773, 5686}, {119, 27972}},
      {{5, 27, 88}, {2353, 7907, 8379}, {}}};
  for (int k = 0; k < 4; ++k) {
    const RimCase& ground = kEdges[k];
    const auto terrain = terrain_of(ground.terrain);
    const double far = ground.half + 0.45;
    const HighGround high(*terrain, {-far, far, -far, far});
    for (int lean = 0; lean < 3; ++lean) {
      RandomStream random(21, 0, "rims");
      int i = 0;
      for (const int pose : missed[k][lean]) {
        for (; i < pose; ++i) next_pose(random, *terrain, ground.half, kLeans[lean]);
        const RimPlane w = next_pose(random, *terrain, ground.half, kLeans[lean]);
        ++i;
        EXPECT_LT(miss_of(*terrain, high, w), 5e-5) << ground.name << ", " << lean << ", pose " << pose;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Grounds, EdgedRims, ::testing::ValuesIn(kEdges),
                         [](const auto& info) { return std::string(info.param.name); });

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

TEST(RimSearch, AFaceThatBearsNothingHidesNoFloor) {
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
      "cells = [800, 800]\n"};
  RandomStream random(6, 0, "rolling");
  int other = 0, touching = 0, walled = 0;
  for (const char* text : grounds) {
    const auto terrain = terrain_of(text);
    const GridView& grid = *terrain->bilinear_view();
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
        touching += anew.found && anew.h > 0;
        walled += anew.found && standing < 1 && anew.highest > at.z();
        other += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
                 kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.highest < anew.highest;
        // On its springs: it follows the ground.
        if (anew.found) at.z() += 0.1 * std::clamp(anew.h - 0.01, -pace, pace);
        if (anew.found && standing < 1) standing += 0.1 * (std::max(anew.h, 0.0) - standing);
      }
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(touching, 5000);
  EXPECT_GT(walled, 500);
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

TEST(RimSearch, BesideTheGridItsEdgeGoesOn) {
  HeightField field = make_field(GridGeometry::spanning(21, 21, {-1, 1, -1, 1}), "edge");
  for (float& z : field.z) z = 0.3f;
  const Grid grid(std::move(field));
  const RimContact c = search_cells(grid.view(), rim_at({7, -9, 0.41}, rotation_from_rpy(0.1, 0.1, 2)));
  EXPECT_TRUE(c.found);
  EXPECT_GT(c.h, 0.0);
}

TEST(HeightTable, HoldsEveryHeightOfARectangle) {
  const auto terrain = terrain_of(kRough[0].terrain);
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
