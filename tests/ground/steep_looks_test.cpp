/// Looks against cells on the same steep grids, which are searched for contacts in ways that share no line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {
namespace {

constexpr double kLookRadius = 0.12;  // radius [m]

/// A grid that does not say it is one.
class HiddenGrid : public Terrain {
 public:
  explicit HiddenGrid(HeightField field) : grid_(std::move(field)) {}
  void sample(const TerrainRow& row) const override { grid_.sample(row); }
  double slope_bound(const Rectangle& area) const override { return grid_.slope_bound(area); }
  HeightRange height_range(const Rectangle& area) const override { return grid_.height_range(area); }
  std::string summary() const override { return "hidden"; }
  const GridView& view() const { return grid_.view(); }

 private:
  Grid grid_;
};

struct LookCase {
  const char* name;
  int count;                   ///< of samples along x and y
  double cell, height;         ///< m
  std::vector<int> hard = {};  ///< poses
};
const LookCase kLookCases[] = {
    {"slabs", 16, 0.05, 0.25, {279,  465,  473,  604,  641,  930,  951,  1093, 1654,  1994, 2009,
                               2126, 2290, 3098, 3106, 3538, 3958, 6051, 6427, 14578, 18530}},
    {"rubble", 32, 0.025, 0.15, {49,   93,   165,  298,  454,  527,  563,  634,  1154, 1439,
                                 1451, 1994, 2067, 2173, 2489, 3434, 3610, 3802, 3819, 16319}},
    {"gentle", 32, 0.025, 0.03, {129, 207, 398, 742, 3926, 5966}},
};

HiddenGrid hidden_grid(const LookCase& c) {
  const double half = 0.5 * (c.count - 1) * c.cell;
  RandomStream random(2, 0, c.name);
  HeightField field = make_field({c.count, c.count, -half, -half, c.cell, c.cell}, c.name);
  for (float& z : field.z) z = static_cast<float>(random.uniform(0, c.height));
  return HiddenGrid(std::move(field));
}

RimPlane look_pose(RandomStream& random, const Terrain& ground, int i) {
  const double lean = i % 4 == 0 ? 0 : 0.35;
  const Mat3 R =
      rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean), random.uniform(-kPi, kPi));
  const double x = random.uniform(-0.2, 0.2), y = random.uniform(-0.2, 0.2);
  const double z = ground.height(x, y) + random.uniform(0.06, 0.14), stood = random.uniform(0, 0.04);
  return {{x, y, z}, R.col(0), R.col(1), R.col(2), kLookRadius, i % 2 == 0 ? stood : 1e300};
}

/// Every fourth time the ground does not know its slopes, and gentle ground every fifth not its features.
RimContact look_at_pose(const HiddenGrid& ground, const LookCase& c, const RimPlane& w, int i) {
  return search_looks_along(
      ground, w, i % 5 == 3 && c.height < 0.1 ? 0 : c.cell,
      i % 4 == 3 ? std::numeric_limits<double>::infinity() : ground.slope_bound({-9, 9, -9, 9}));
}

bool agree(const RimContact& a, const RimContact& b) {
  if (a.found != b.found || !(std::abs(a.h - b.h) < 5e-5)) return false;
  if (std::abs(a.sine - b.sine) > 1e-4) return true;  // two places of one height
  const double slope = std::hypot(a.slope_x, a.slope_y);
  return std::hypot(a.slope_x - b.slope_x, a.slope_y - b.slope_y) < 0.02 * (1 + slope);
}

class SteepLooks : public ::testing::TestWithParam<LookCase> {};

TEST_P(SteepLooks, FindWhatCellsFind) {
  const LookCase& c = GetParam();
  const HiddenGrid ground = hidden_grid(c);
  RandomStream random(31, 0, "looks");
  const int last = c.hard.empty() ? 0 : c.hard.back();
  int differ = 0;
  for (int i = 0; i < 600 || i <= last; ++i) {
    const RimPlane w = look_pose(random, ground, i);
    const bool hard = std::ranges::binary_search(c.hard, i);
    if (i >= 600 && !hard) continue;
    const bool same = agree(look_at_pose(ground, c, w, i), search_cells(ground.view(), w));
    if (hard) {
      EXPECT_TRUE(same) << "pose " << i;
    }
    differ += !same;
  }
  // Wedges that the plane cuts over less than a thirty-second of a cell may be missed.
  EXPECT_LT(differ, 36);
}
INSTANTIATE_TEST_SUITE_P(Grounds, SteepLooks, ::testing::ValuesIn(kLookCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace scree
