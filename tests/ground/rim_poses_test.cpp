/// The contact searches that miss nothing, against the paper's own with a very fine division.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "many_slices.hpp"
#include "rims.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/ground/profile_search.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using testing::HighGround;
using testing::kNoWalls;
using testing::kRadius;
using testing::ManySlices;
using testing::rim_at;
using testing::RimAngles;
using testing::terrain_of;

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

}  // namespace
}  // namespace scree
