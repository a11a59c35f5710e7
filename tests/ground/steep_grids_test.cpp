/// The search by cells on grids that are nothing but steep: twisted cells, ledges in faces that do not bear,
/// tips, cells larger than the wheel, cells longer than wide, the ends of the grid.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "many_slices.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/rim_search.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {
namespace {

using testing::HighGround;
using testing::ManySlices;

constexpr double kSteepRadius = 0.12;
constexpr double kSteepHalf = 0.25;  // of the square where wheels are put [m]

/// Heights between 0 and `height` above a datum of 3 m, each sample for itself.
struct SteepCase {
  const char* name;
  GridGeometry grid;
  double height;
  double low;  ///< share of samples in the lowest fifth: 0.2 spreads them evenly
  std::vector<int> hard = {};
};
GridGeometry around_zero(int nx, int ny, double step_x, double step_y) {
  return {nx, ny, -0.5 * (nx - 1) * step_x, -0.5 * (ny - 1) * step_y, step_x, step_y};
}
const SteepCase kSteep[] = {
    {"coarse", around_zero(16, 20, 0.05, 0.04), 0.25, 0.2, {552, 833, 1652, 2228, 2802}},
    {"blocks", around_zero(24, 16, 0.03, 0.045), 0.12, 0.6, {1325, 1812, 2357, 2680, 3160}},
    {"fine", around_zero(61, 80, 0.011, 0.008), 0.06, 0.2, {1305, 1435}},
    {"spikes", around_zero(64, 50, 0.01, 0.012), 0.1, 0.9, {670, 753, 846, 1068, 1740, 3433}},
    {"steep", around_zero(40, 40, 0.02, 0.02), 0.25, 0.2, {422, 680, 799, 1109, 1445, 2799}},
    {"ends", around_zero(8, 16, 0.03, 0.02), 0.15, 0.2, {405, 468, 734, 1046, 1558}},
    {"large", around_zero(7, 6, 0.3, 0.4), 0.33, 0.2},
    {"ridges", around_zero(9, 140, 0.2, 0.01), 0.1, 0.2, {419, 712, 763, 842, 4162}},
};

Grid steep_grid(const SteepCase& c) {
  RandomStream random(1, 0, c.name);
  HeightField field = make_field(c.grid, c.name);
  field.datum = 3;
  for (float& z : field.z) {
    const double share = random.uniform(0, 1);
    z = static_cast<float>(c.height *
                           (share < c.low ? 0.2 * share / c.low : 0.2 + 0.8 * (share - c.low) / (1 - c.low)));
  }
  return Grid(std::move(field));
}

RimPlane steep_pose(RandomStream& random, const Terrain& ground, int i) {
  const double roll = i % 3 == 0 ? 0 : 0.3, pitch = i % 3 == 0 ? 0 : 0.4;
  const Mat3 R = rotation_from_rpy(random.uniform(-roll, roll), random.uniform(-pitch, pitch),
                                   i % 16 == 0 ? 0.5 * kPi * (i / 16 % 4) : random.uniform(-kPi, kPi));
  const double x = random.uniform(-kSteepHalf, kSteepHalf), y = random.uniform(-kSteepHalf, kSteepHalf);
  const double z = ground.height(x, y) + random.uniform(0.06, 0.12), stood = random.uniform(0, 0.03);
  return {{x, y, z}, R.col(0), R.col(1), R.col(2), kSteepRadius, i % 3 == 2 ? stood : 1e300};
}

/// Whether a contact is one: a point of the rim, of the ground and of no wall, with a plane of the ground
/// there, or on an edge one between two of them that holds the rim's tangent; one of all these bears.
::testing::AssertionResult is_contact(const Grid& ground, const RimPlane& w, const RimContact& c) {
  const auto no = [] { return ::testing::AssertionFailure(); };
  const double cosine = std::sqrt(1 - c.sine * c.sine), u = c.sine * w.radius, t = c.h - w.radius * cosine;
  const Vec3 p = w.centre + u * w.n + t * w.b, tangent = cosine * w.n + c.sine * w.b;
  const double off = ground.height(p.x(), p.y()) - p.z();
  if (!(std::abs(off) < 2e-6)) return no() << off << " m off the ground";
  if (!(t <= w.wall_line(u) + 1e-7)) return no() << "beyond the line of walls";
  if (!w.faces(c.slope_x, c.slope_y)) return no() << "faces away";
  const Vec2 own(c.slope_x, c.slope_y);
  const auto bears = [&](const Vec2& slope) {
    return w.bears((1 - 1e-6) * slope.x(), (1 - 1e-6) * slope.y());
  };
  std::vector<Vec2> beside;
  for (const double dx : {-1e-6, 1e-6}) {
    for (const double dy : {-1e-6, 1e-6}) {
      const TerrainPoint at = ground.at(p.x() + dx, p.y() + dy);
      beside.emplace_back(at.slope_x, at.slope_y);
    }
  }
  bool bearing = bears(own), of_one = false, between = false;
  for (const Vec2& one : beside) {
    bearing = bearing || bears(one);
    of_one = of_one || (one - own).norm() < 1e-2;
    for (const Vec2& other : beside) {
      const Vec2 way = other - one;
      const double share = (own - one).dot(way) / std::max(way.squaredNorm(), 1e-12);
      between = between || (share > -1e-3 && share < 1.001 && (one + share * way - own).norm() < 1e-2);
    }
  }
  if (!bearing) return no() << "does not bear";
  if (of_one) return ::testing::AssertionSuccess();
  if (!between) return no() << "is of no plane there";
  const double across = Vec3(-own.x(), -own.y(), 1).normalized().dot(tangent);
  return std::abs(across) < 1e-6 ? ::testing::AssertionSuccess() : no() << "does not touch";
}

class SteepGrids : public ::testing::TestWithParam<SteepCase> {
 protected:
  SteepGrids() : grid_(steep_grid(GetParam())) {}
  /// The first poses, and those of many more by which single mistakes in the search were seen.
  template <class Visit>
  void poses(int first, const Visit& visit) const {
    RandomStream random(21, 0, "steep");
    const int last = GetParam().hard.empty() ? 0 : GetParam().hard.back();
    for (int i = 0; i < first || i <= last; ++i) {
      const RimPlane w = steep_pose(random, grid_, i);
      if (i < first || std::ranges::binary_search(GetParam().hard, i)) visit(w, i);
    }
  }
  Grid grid_;
};

/// However few the slices are, none finds a higher contact; and what is found is one.
TEST_P(SteepGrids, NoSliceFindsAHigherContact) {
  const double far = kSteepHalf + 0.45;
  const HighGround high(grid_, {-far, far, -far, far});
  const testing::RimAngles angles(1000);
  int touching = 0;
  poses(400, [&](const RimPlane& w, int i) {
    const RimContact c = search_cells(grid_.view(), w);
    EXPECT_LT(ManySlices(grid_, high, w, angles).run(c.h - 1e-3),
              (c.found ? c.h : -0.5 * kSteepRadius) + 1e-6)
        << "pose " << i;
    if (c.found) {
      EXPECT_TRUE(is_contact(grid_, w, c)) << "pose " << i;
    }
    touching += c.found;
    for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {  // by this walls are asked for
      const Vec3 p = w.centre + share * kSteepRadius * w.n;
      EXPECT_GE(c.highest, std::min(grid_.height(p.x(), p.y()), w.centre.z() + 3 * kSteepRadius) - 1e-6)
          << "pose " << i;
    }
  });
  EXPECT_GT(touching, 250);
  // Above the ground, and raised as far as suspensions are.
  RandomStream random(22, 0, "steep");
  for (int i = 0; i < 150; ++i) {
    RimPlane w = steep_pose(random, grid_, i);
    (i % 3 == 2 ? w.standing : w.centre.z()) += random.uniform(0, 0.15);
    const RimContact c = search_cells(grid_.view(), w);
    EXPECT_LT(ManySlices(grid_, high, w, angles).run(c.h - 1e-3),
              (c.found ? c.h : -0.5 * kSteepRadius) + 1e-6)
        << "high pose " << i;
  }
}

/// Cells are visited in another order, and so are the ends of what the wheel's plane cuts of them.
TEST_P(SteepGrids, MirroredGroundGivesMirroredContacts) {
  const auto mirrored = [this](bool exchanged) {
    const GridGeometry& g = GetParam().grid;
    HeightField field = make_field(exchanged ? around_zero(g.ny, g.nx, g.step_y, g.step_x) : g, "mirrored");
    field.datum = grid_.view().datum;
    for (int j = 0; j < g.ny; ++j) {
      for (int i = 0; i < g.nx; ++i)
        (exchanged ? field.at(j, i) : field.at(g.nx - 1 - i, j)) = grid_.view().z[j * g.nx + i];
    }
    return Grid(std::move(field));
  };
  for (const bool exchanged : {false, true}) {
    const Grid other = mirrored(exchanged);
    const auto seen = [=](const Vec3& v) {
      return exchanged ? Vec3(v.y(), v.x(), v.z()) : Vec3(-v.x(), v.y(), v.z());
    };
    poses(400, [&](const RimPlane& w, int i) {
      const Vec3 n = seen(w.n), b = seen(w.b);
      const RimContact here = search_cells(grid_.view(), w),
                       there = search_cells(other.view(),
                                            {seen(w.centre), n, b.cross(n), b, kSteepRadius, w.standing});
      EXPECT_EQ(here.found, there.found) << "pose " << i;
      EXPECT_NEAR(here.h, there.h, 1e-6) << "pose " << i;
      const Vec3 slope = seen({here.slope_x, here.slope_y, 0});
      EXPECT_LT((slope - Vec3(there.slope_x, there.slope_y, 0)).norm(), 1e-3 * (1 + slope.norm()))
          << "pose " << i;
    });
  }
}

/// Small steps ahead and aside, up and down, turning and leaning: the same bits as a search that keeps
/// nothing.
TEST_P(SteepGrids, AWheelThatRollsOnKeepsWhatItFoundAndMissesNothing) {
  RandomStream random(23, 0, "steep");
  int other = 0, touching = 0;
  for (int run = 0; run < 36; ++run) {
    RimMemo memo;
    const double pace = std::pow(10.0, random.uniform(-5, -2.3)), sway = 4 * (run % 3) * pace;
    const double lean = run % 2 * 0.2, side = random.uniform(-1, 1) * (run % 4 == 1 ? 1 : 0.1);
    double roll = random.uniform(-lean, lean), pitch = random.uniform(-lean, lean),
           yaw = run % 5 == 0 ? 0.5 * kPi * (run / 5 % 4) : random.uniform(-kPi, kPi);
    Vec3 at(random.uniform(-1.2, 1.2) * kSteepHalf, random.uniform(-1.2, 1.2) * kSteepHalf, 0);
    at.z() = grid_.height(at.x(), at.y()) + random.uniform(0.06, 0.12);
    const double standing = run % 3 == 1 ? random.uniform(0, 0.03) : 1e300;
    for (int i = 0; i < 100; ++i) {
      roll += sway * random.normal(), pitch += sway * random.normal(), yaw += sway * random.normal();
      const Mat3 R = rotation_from_rpy(roll, pitch, yaw);
      at += pace * (R.col(0) + (side + 0.1 * random.normal()) * R.col(1) + 0.2 * random.normal() * R.col(2));
      const RimPlane w{at, R.col(0), R.col(1), R.col(2), kSteepRadius, standing};
      const RimContact kept = search_cells(grid_.view(), w, &memo), anew = search_cells(grid_.view(), w);
      touching += anew.found;
      other += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
               kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.highest < anew.highest;
      // On its springs: it follows the ground.
      if (anew.found) at.z() += std::clamp(anew.h - 0.01, -0.5 * pace, 0.5 * pace);
    }
  }
  EXPECT_EQ(other, 0);
  EXPECT_GT(touching, 1000);
}

INSTANTIATE_TEST_SUITE_P(Grounds, SteepGrids, ::testing::ValuesIn(kSteep),
                         [](const auto& info) { return std::string(info.param.name); });

Grid level_grid(double height) {
  HeightField field = make_field(around_zero(33, 33, 0.05, 0.05), "flat");
  for (float& z : field.z) z = static_cast<float>(height);
  return Grid(std::move(field));
}

TEST(SteepGround, GroundIsReachedUpToThreeRadiiAboveTheHub) {
  const RimPlane w{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, kSteepRadius, 1e300};
  EXPECT_NEAR(search_cells(level_grid(2.9 * kSteepRadius).view(), w).h, 3.9 * kSteepRadius, 1e-7);
  EXPECT_FALSE(search_cells(level_grid(3.5 * kSteepRadius).view(), w).found);
  // And down to half a radius of clearance.
  EXPECT_NEAR(search_cells(level_grid(-1.45 * kSteepRadius).view(), w).h, -0.45 * kSteepRadius, 1e-7);
  EXPECT_FALSE(search_cells(level_grid(-1.55 * kSteepRadius).view(), w).found);
}

TEST(SteepGround, TheRimReachesAlmostAsFarAsTheRadius) {
  // A step begins at 0.995 R ahead or behind: its level top bears on the edge.
  for (const double side : {1.0, -1.0}) {
    HeightField field = make_field(around_zero(201, 201, 0.01, 0.01), "step");
    for (int j = 0; j < 201; ++j)
      for (int i = 0; i <= 100; ++i) field.at(side > 0 ? 200 - i : i, j) = 0.2f;  // from x = 0 on
    const Grid grid(std::move(field));
    const RimPlane w{
        {-side * 0.995 * kSteepRadius, 0, 0.2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, kSteepRadius, 1e300};
    EXPECT_NEAR(search_cells(grid.view(), w).h, kSteepRadius * std::sqrt(1 - 0.995 * 0.995), 1e-6);
  }
}

TEST(SteepGround, AGrooveOfFacesThatDoNotBearHoldsNothing) {
  HeightField field = make_field(around_zero(201, 201, 0.01, 0.01), "groove");
  for (int j = 0; j < 201; ++j)
    for (int i = 0; i < 201; ++i) field.at(i, j) = 0.08f * static_cast<float>(std::abs(i - 100));
  const Grid grid(std::move(field));
  for (const double roll : {0.0, 0.2}) {
    const Mat3 R = rotation_from_rpy(roll, 0, 0);
    EXPECT_FALSE(
        search_cells(grid.view(), {{0, 0, 0.1}, R.col(0), R.col(1), R.col(2), kSteepRadius, 0.0}).found);
  }
}

TEST(SteepGround, WhatIsKeptOfOneGridIsNotTakenForAnother) {
  // Two grids of one size, in turn.
  const Grid grids[] = {steep_grid(kSteep[2]), steep_grid({"another", kSteep[2].grid, 0.06, 0.6})};
  RandomStream random(21, 0, "steep");
  RimMemo memo;
  for (int i = 0; i < 200; ++i) {
    const RimPlane w = steep_pose(random, grids[0], i);
    for (const Grid& grid : grids)
      EXPECT_EQ(search_cells(grid.view(), w, &memo).h, search_cells(grid.view(), w).h);
  }
}

TEST(SteepGround, GroundBearsUpToTheAngleOfItsCosine) {
  // Gradients along and across a leaning suspension.
  const Mat3 R = rotation_from_rpy(0.3, -0.2, 0.7);
  const RimPlane w{{0, 0, 0}, R.col(0), R.col(1), R.col(2), kSteepRadius, 1e300};
  int bearing = 0, facing = 0;
  for (double x = -20; x <= 20; x += 0.37) {
    for (double y = -20; y <= 20; y += 0.41) {
      const double cosine = Vec3(-x, -y, 1).normalized().dot(w.b);
      EXPECT_EQ(w.bears(x, y), cosine >= kLeastBearing) << x << ", " << y;
      EXPECT_EQ(w.faces(x, y), cosine > 0) << x << ", " << y;
      bearing += cosine >= kLeastBearing, facing += cosine > 0;
    }
  }
  EXPECT_GT(bearing, 100);
  EXPECT_GT(facing - bearing, 100);
}

}  // namespace
}  // namespace scree
