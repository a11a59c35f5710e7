/// Contact with ground that is one profile, in closed form: against every point of it, against the paper's
/// own search with a very fine division, and by way of what is kept of the ground under each wheel.
#include "scree/ground/profile_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "many_slices.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/ground/wall_search.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using namespace lane;
using testing::HighGround;
using testing::ManySlices;
using testing::RimAngles;
using testing::terrain_of;

constexpr double kProfileRadius = 0.12;

struct ProfileCase {
  const char* name;
  const char* terrain;
};
/// Edges that bear nothing, edges that bear in part and all over, corners, arcs wider and narrower than the
/// wheel; two of them turned, tilted over and lifted as features.
const ProfileCase kProfiles[] = {
    {"trench", "kind = \"trench\"\nstart = -0.1\n"},
    {"stairs", "kind = \"stairs\"\nstart = -0.3\nrise = 0.07\ntread = 0.11\nedge = 0.03\n"},
    {"hill", "kind = \"step\"\nstart = -0.2\nrise = 0.2\nedge = 0.4\n"},
    {"bank", "kind = \"trench\"\nstart = -0.15\ndepth = -0.12\nwidth = 0.03\nwall = 0.1\n"},
    {"corners",
     "kind = \"ramp\"\nstart = -0.2\nangle_deg = 35\nlength = 0.3\nentry_radius = 0\nexit_radius = 0\n"},
    {"arcs",
     "kind = \"ramp\"\nstart = -0.3\nangle_deg = 70\nlength = 0.05\nentry_radius = 0.08\nexit_radius = "
     "0.1\n"},
    {"turned",
     "kind = \"compose\"\nbase = { kind = \"flat\", height = 0.3 }\n"
     "feature = [{ kind = \"trench\", at = [0.1, 0.05], yaw_deg = 40, start = -0.1, depth = 0.15, scale = "
     "1.2, "
     "lift = -0.1, footprint = [9, 9] }]\n"},
    {"upside_down",
     "kind = \"compose\"\nbase = { kind = \"flat\" }\n"
     "feature = [{ kind = \"ramp\", start = -0.2, angle_deg = 40, length = 0.1, entry_radius = 0.2, "
     "exit_radius = "
     "0, at = [0.05, 0], yaw_deg = -160, scale = -1, footprint = [9, 9] }]\n"},
};

RimPlane profile_pose(RandomStream& random, const Terrain& terrain, int i) {
  const double lean = i % 3 == 0 ? 0 : 0.4;
  const Mat3 R =
      rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean), random.uniform(-kPi, kPi));
  const double x = random.uniform(-0.35, 0.35), y = random.uniform(-0.1, 0.1);
  const double above = random.uniform(0.03, 0.14), stood = random.uniform(0, 0.03);
  return {{x, y, terrain.height(x, y) + above},
          R.col(0),
          R.col(1),
          R.col(2),
          kProfileRadius,
          i % 2 == 0 ? stood : 1e300};
}

/// The law of rim_search.hpp at every point of the profile, 20 um apart.
double highest_of_all(const Terrain& terrain, const PlacedProfile& g, const RimPlane& w) {
  const Vec3 d(g.along_x, g.along_y, 0), e(-g.along_y, g.along_x, 0);
  double highest = -0.5 * w.radius;
  for (double s = -0.4; s <= 0.4; s += 2e-5) {
    // Where the line from here across the profile, on which the ground is level, meets the wheel's plane.
    const Vec3 from(w.centre.x() + s * d.x(), w.centre.y() + s * d.y(),
                    terrain.height(w.centre.x() + s * d.x(), w.centre.y() + s * d.y()));
    const Vec3 p = from - w.a.dot(from - w.centre) / w.a.dot(e) * e - w.centre;
    const double u = w.n.dot(p), t = w.b.dot(p);
    if (!(std::abs(u) < w.radius) || t > w.wall_line(u)) continue;
    const double h = t + std::sqrt(w.radius * w.radius - u * u);
    if (h <= highest) continue;
    const TerrainPoint ground = terrain.at(p.x() + w.centre.x(), p.y() + w.centre.y());
    if (w.bears(ground.slope_x, ground.slope_y)) highest = h;
  }
  return highest;
}

/// Looks that find the same place find the same plane: on edges the one that touches the rim.
void expect_plane_of_looks(const Terrain& terrain, const RimPlane& w, const RimContact& c, int pose) {
  const RimContact looks =
      search_looks_along(terrain, w, terrain.finest_feature({}), terrain.slope_bound({-1, 1, -1, 1}));
  if (!looks.found || std::abs(looks.sine - c.sine) > 1e-5 || std::abs(looks.h - c.h) > 1e-6) return;
  EXPECT_NEAR(looks.slope_x, c.slope_x, 0.01 * (1 + std::abs(c.slope_x))) << pose;
  EXPECT_NEAR(looks.slope_y, c.slope_y, 0.01 * (1 + std::abs(c.slope_y))) << pose;
}

void expect_no_point_higher(const Terrain& terrain) {
  const std::optional<PlacedProfile> ground = terrain.placed_profile({-1, 1, -1, 1});
  ASSERT_TRUE(ground && ground->profile);
  RandomStream random(8, 0, "profiles");
  int found = 0, left = 0;
  for (int i = 0; i < 300; ++i) {
    const RimPlane w = profile_pose(random, terrain, i);
    const std::optional<RimContact> c = search_profile(terrain, *ground, w);
    if (!c) {
      ++left;
      continue;
    }
    const double h = c->found ? c->h : -0.5 * kProfileRadius, highest = highest_of_all(terrain, *ground, w);
    // Where ground begins to bear is known to within less than a micrometre; between two of its points the
    // steepest rises by 0.3 mm.
    EXPECT_GT(h, highest - 1e-6) << i;
    EXPECT_LT(h, highest + 3e-4) << i;
    if (!c->found) continue;
    ++found;
    const double cosine = std::sqrt(1 - c->sine * c->sine);
    const Vec3 p = w.centre + c->h * w.b + kProfileRadius * (c->sine * w.n - cosine * w.b);
    EXPECT_NEAR(terrain.height(p.x(), p.y()), p.z(), 1e-9) << i;
    EXPECT_TRUE(w.bears(c->slope_x, c->slope_y)) << i;
    expect_plane_of_looks(terrain, w, *c, i);
    if (w.standing < 1 && find_wall(terrain, w, 0.01).depth > 0) {
      EXPECT_GT(c->highest, lowest_feeler(w)) << i;
    }
  }
  EXPECT_GT(found, 150);
  EXPECT_LT(left, 100);
}

class ProfileRims : public ::testing::TestWithParam<ProfileCase> {};

TEST_P(ProfileRims, NoPointOfTheProfileIsHigher) { expect_no_point_higher(*terrain_of(GetParam().terrain)); }

TEST(ProfileSearch, ArcsOverATopAndThroughABottom) {
  Profile humps("humps", -0.4, 0);
  humps.line(0.05, 0.8).arc(0.07, std::atan(0.8), -std::atan(0.8)).line(0.03, -0.8);
  humps.arc(0.05, -std::atan(0.8), std::atan(0.8)).arc(0.2, std::atan(0.8), -1.2).arc(0.3, -1.2, 0);
  expect_no_point_higher(humps);
}

TEST_P(ProfileRims, SlicesFindTheSame) {
  const auto terrain = terrain_of(GetParam().terrain);
  const std::optional<PlacedProfile> ground = terrain->placed_profile({-1, 1, -1, 1});
  ASSERT_TRUE(ground);
  const HighGround high(*terrain, {-0.9, 0.9, -0.7, 0.7});
  const RimAngles slices(100000), more(1000000);
  RandomStream random(9, 0, "profiles");
  for (int i = 0; i < 40; ++i) {
    const RimPlane w = profile_pose(random, *terrain, i);
    const std::optional<RimContact> c = search_profile(*terrain, *ground, w);
    if (!c) continue;
    const double h = c->found ? c->h : -0.5 * kProfileRadius;
    double other = ManySlices(*terrain, high, w, slices).run(h - 5e-5);
    if (std::abs(other - h) > 4e-5) other = ManySlices(*terrain, high, w, more, 5e-5).run(h - 5e-5);
    EXPECT_NEAR(h, other, 5e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Grounds, ProfileRims, ::testing::ValuesIn(kProfiles),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ProfileSearch, LeavesWhatItIsNotFor) {
  const auto terrain = terrain_of("kind = \"step\"\nstart = 0\nrise = 0.5\n");
  const PlacedProfile ground = *terrain->placed_profile({-1, 1, -1, 1});
  const auto found = [&](const Mat3& R, double standing) {
    return search_profile(*terrain, ground,
                          {{-0.05, 0, 0.11}, R.col(0), R.col(1), R.col(2), kProfileRadius, standing})
        .has_value();
  };
  EXPECT_TRUE(found(Mat3::Identity(), 0.01));
  EXPECT_TRUE(found(rotation_from_rpy(0, 0, 1.2), 0.01));
  EXPECT_FALSE(found(rotation_from_rpy(0, 0, 1.4), 0.01));  // along the edge
  EXPECT_FALSE(found(rotation_from_rpy(0, 1.3, 0), 0.01));  // on its back
  // In the air nothing is a wall, and ground is higher than is looked for.
  EXPECT_FALSE(found(Mat3::Identity(), 1e300));
}

}  // namespace
}  // namespace scree
