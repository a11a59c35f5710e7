/// What is kept of the ground under wheels changes no contact, whatever is kept.
#include "scree/ground/near_places.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "scree/core/random.hpp"
#include "scree/ground/contact_search.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using namespace lane;
using testing::terrain_of;

constexpr double kPlaceRadius = 0.12;

/// Level ground, a turned trench, stairs, a plateau, a bump, and ground that fades in.
const char* const kCourse =
    "kind = \"compose\"\nbase = { kind = \"flat\", height = 0.2 }\nfeature = [\n"
    "{ kind = \"trench\", at = [0.5, 0], yaw_deg = 15, start = 0, depth = 0.15, footprint = [2, 3], margin = "
    "0.1 },\n"
    "{ kind = \"stairs\", at = [2.5, 0], yaw_deg = -30, start = -0.5, rise = 0.08, tread = 0.2, count = 4, "
    "footprint = "
    "[4, 2], margin = 0.02 },\n"
    "{ kind = \"flat\", at = [-1, 0], height = 0.1, footprint = [0.8, 0.8] },\n"
    "{ kind = \"bump\", at = [-1, 1.5], rise = 0.1, length = 1, width = 1 }]\n";

RimGround places_on(const Terrain& terrain, NearPlaces* places) {
  static const SliceTable slices(20);
  RimGround g;
  g.terrain = &terrain, g.slices = &slices, g.places = places;
  g.slope_bound = std::numeric_limits<double>::infinity();
  return g;
}

WheelPlanes four_wheels(const Terrain& terrain, double x, double y, double lean, RandomStream& random) {
  WheelPlanes w{};
  for (int k = 0; k < kLanes; ++k) {
    const double px = x + (k % 2 ? 0.3 : -0.3), py = y + (k / 2 ? 0.25 : -0.25);
    const Mat3 R = rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean),
                                     random.uniform(-kPi, kPi));
    const auto set = [k](V3<Lanes>& to, const Vec3& v) { to.x[k] = v.x(), to.y[k] = v.y(), to.z[k] = v.z(); };
    set(w.centre, {px, py, terrain.height(px, py) + random.uniform(0.09, 0.13)});
    set(w.n, R.col(0)), set(w.b, R.col(2));
    w.radius[k] = kPlaceRadius, w.guess[k] = random.uniform(0, 0.02);
  }
  return w;
}

bool same_bits(const WheelContacts& a, const WheelContacts& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(NearPlaces, LevelGroundHasTheBitsOfSlicesThatAskForIt) {
  const auto terrain = terrain_of(kCourse);
  RandomStream random(3, 0, "places");
  NearPlaces places;
  int level = 0;
  for (int i = 0; i < 4000; ++i) {
    const WheelPlanes w =
        four_wheels(*terrain, random.uniform(-2, 4), random.uniform(-2, 2), i % 2 ? 0.2 : 0, random);
    const Lanes standing = w.guess;
    const NearPlaces::Found found = places.under(*terrain, w, RimReach(w, standing));
    for (int k = 0; k < kLanes; ++k) {
      if (found.level[k]) {
        EXPECT_EQ(found.z[k], terrain->height(w.centre.x[k], w.centre.y[k])) << i;
      }
    }
    if (!all(found.level)) continue;
    ++level;
    RimGround asked = places_on(*terrain, nullptr), kept = places_on(*terrain, &places);
    asked.slope_bound = kept.slope_bound = 0;
    EXPECT_TRUE(
        same_bits(find_contacts(asked, w, standing, kLanes), find_contacts(kept, w, standing, kLanes)))
        << i;
  }
  EXPECT_GT(level, 300);
}

TEST(NearPlaces, ContactsAreThoseThatLooksFind) {
  // Wheels that lean far reach farther than is kept.
  const auto terrain = terrain_of(kCourse);
  RandomStream random(4, 0, "places");
  NearPlaces places;
  int profiles = 0, levels = 0, others = 0;
  for (int i = 0; i < 1500; ++i) {
    const double lean = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.3 : 0.8;
    const WheelPlanes w = four_wheels(*terrain, random.uniform(-2, 4), random.uniform(-2, 2), lean, random);
    const Lanes standing = i % 2 ? w.guess : lanes(1e300);
    const NearPlaces::Found found = places.under(*terrain, w, RimReach(w, standing));
    for (int k = 0; k < kLanes; ++k) ++(found.level[k] ? levels : found.on(k) ? profiles : others);
    const WheelContacts kept = find_contacts(places_on(*terrain, &places), w, standing, kLanes),
                        asked = find_contacts(places_on(*terrain, nullptr), w, standing, kLanes);
    for (int k = 0; k < kLanes; ++k) {
      EXPECT_EQ(kept.valid[k], asked.valid[k]) << i << ' ' << k;
      if (!kept.valid[k]) continue;
      EXPECT_NEAR(kept.h[k], asked.h[k], 2e-5) << i << ' ' << k;
      EXPECT_NEAR(kept.wall[k], asked.wall[k], 2e-5) << i << ' ' << k;
    }
  }
  EXPECT_GT(profiles, 250);
  EXPECT_GT(levels, 500);
  EXPECT_GT(others, 500);
}

TEST(NearPlaces, OnAGridTheyAreNoGentlerThanWhatAWheelReaches) {
  // A plain with rocks: steep in one place and gentle beside it.
  const auto terrain = terrain_of(
      "kind = \"rocks\"\nsize = [8, 8]\ncell = 0.02\ncover = 0.1\nsmallest = 0.1\nlargest = 0.6\n");
  RandomStream random(7, 0, "places");
  NearPlaces places;
  int known = 0, gentle = 0, steep = 0;
  for (int i = 0; i < 2000; ++i) {
    const WheelPlanes w = four_wheels(*terrain, random.uniform(-3, 3), random.uniform(-3, 3), 0.3, random);
    const RimReach reach(w, w.guess);
    const NearPlaces::Found found = places.under(*terrain, w, reach);
    const Lanes x0 = w.centre.x + reach.least(w.n.x, w.b.x), x1 = w.centre.x + reach.most(w.n.x, w.b.x),
                y0 = w.centre.y + reach.least(w.n.y, w.b.y), y1 = w.centre.y + reach.most(w.n.y, w.b.y);
    for (int k = 0; k < kLanes; ++k) {
      if (!found.on(k)) continue;
      ++known;
      const Rectangle area{x0[k], x1[k], y0[k], y1[k]};
      const double slope = terrain->slope_bound(area);
      EXPECT_GE(found.on(k)->slope_bound, slope) << i;
      EXPECT_EQ(found.on(k)->feature, terrain->finest_feature(area)) << i;
      ++(slope < kGentle ? gentle : steep);
    }
    const WheelContacts kept = find_contacts(places_on(*terrain, &places), w, w.guess, kLanes),
                        asked = find_contacts(places_on(*terrain, nullptr), w, w.guess, kLanes);
    for (int k = 0; k < kLanes; ++k) {
      EXPECT_EQ(kept.valid[k], asked.valid[k]) << i << ' ' << k;
      // Where one asks the slices and the other cell by cell they agree to what 20 slices miss.
      if (kept.valid[k]) {
        EXPECT_NEAR(kept.h[k], asked.h[k], 1e-4) << i << ' ' << k;
        EXPECT_NEAR(std::hypot(kept.sine[k], kept.cosine[k]), 1, 1e-12) << i << ' ' << k;
      }
      EXPECT_EQ(kept.wall[k], asked.wall[k]) << i << ' ' << k;
    }
  }
  EXPECT_GT(known, 6000);
  EXPECT_GT(gentle, 1000);
  EXPECT_GT(steep, 1000);
}

TEST(NearPlaces, AreThoseOfOneRadius) {
  // Over the same square; the larger wheel reaches the step.
  const auto terrain = terrain_of("kind = \"step\"\nstart = 0.3\nrise = 0.1\n");
  RandomStream random(6, 0, "places");
  NearPlaces places;
  WheelPlanes w = four_wheels(*terrain, 0, 0, 0, random);
  w.centre.x = w.centre.y = Lanes{};
  EXPECT_TRUE(all(places.under(*terrain, w, RimReach(w, w.guess)).level));
  w.radius = lanes(0.6), w.n.x = lanes(1), w.n.y = Lanes{};
  EXPECT_FALSE(any(places.under(*terrain, w, RimReach(w, w.guess)).level));
}

/// Cells that are not small to a wheel: some places are for the slices, others not, and wheels that lean far
/// or were lifted reach beyond what is kept.
TEST(NearPlaces, OnAGridOfCoarseCellsTheSlicesAreForGentlePlaces) {
  HeightField field = make_field(GridGeometry::spanning(81, 81, {-4, 4, -4, 4}), "coarse");
  for (int j = 0; j < 81; ++j)
    for (int i = 0; i < 81; ++i)
      field.at(i, j) = (i < 40 ? 0.01f : 0.12f) * static_cast<float>((i + 2 * j) % 3);
  const Grid grid(std::move(field));
  RandomStream random(8, 0, "coarse");
  NearPlaces places;
  int gentle = 0, steep = 0, beyond = 0;
  for (int i = 0; i < 3000; ++i) {
    const WheelPlanes w =
        four_wheels(grid, random.uniform(-3, 3), random.uniform(-3, 3), i % 2 ? 0.1 : 0.9, random);
    const Lanes standing = i % 3 == 0 ? lanes(1e300) : w.guess;
    const RimReach reach(w, standing);
    const NearPlaces::Found found = places.under(grid, w, reach);
    for (int k = 0; k < kLanes; ++k) {
      if (!found.on(k)) {
        EXPECT_EQ(found.closely[k], 0) << i;
        ++beyond;
        continue;
      }
      const auto& [ground, slope, feature] = *found.on(k);
      const Rectangle area{
          w.centre.x[k] + reach.least(w.n.x, w.b.x)[k], w.centre.x[k] + reach.most(w.n.x, w.b.x)[k],
          w.centre.y[k] + reach.least(w.n.y, w.b.y)[k], w.centre.y[k] + reach.most(w.n.y, w.b.y)[k]};
      EXPECT_GE(slope, grid.slope_bound(area)) << i;
      EXPECT_EQ(found.closely[k] == 0, is_gentle(slope, feature, w.radius[k])) << i;
      ++(found.closely[k] ? steep : gentle);
    }
  }
  EXPECT_GT(gentle, 500);
  EXPECT_GT(steep, 500);
  EXPECT_GT(beyond, 500);
}

TEST(NearPlaces, WhatIsKeptChangesNothing) {
  const auto terrain = terrain_of(kCourse), other = terrain_of("kind = \"step\"\nstart = 0.1\nrise = 0.1\n");
  RandomStream random(5, 0, "places");
  NearPlaces kept;
  double x = 0, y = 0;
  for (int i = 0; i < 3000; ++i) {
    // Along either axis and aslant, back and forth; to another ground now and then.
    const double way = random.uniform(-0.03, 0.03);
    if (i % 3 != 0) x += way;
    if (i % 3 != 1) y += way;
    if (i % 100 == 0) x = random.uniform(-1, 3), y = random.uniform(-1, 1);
    const Terrain& ground = i % 7 == 0 ? *other : *terrain;
    WheelPlanes w = four_wheels(ground, x, y, 0.1, random);
    if (i % 5 == 0) w.radius = lanes(0.1);
    NearPlaces fresh;
    EXPECT_TRUE(same_bits(find_contacts(places_on(ground, &kept), w, w.guess, kLanes),
                          find_contacts(places_on(ground, &fresh), w, w.guess, kLanes)))
        << i;
  }
}

}  // namespace
}  // namespace scree
