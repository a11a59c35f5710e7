/// Slices that fan out over the slopes under each wheel find what those over all slopes nearby find.
#include "scree/ground/near_slopes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "scree/core/random.hpp"
#include "scree/ground/contact_search.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using namespace lane;
using testing::terrain_of;

constexpr double kRollRadius = 0.12;

const SliceTable& fine_slices() {
  static const SliceTable slices(2000);
  return slices;
}

/// Gentle ground of cells no smaller than half a radius, and functions.
std::vector<std::unique_ptr<const Terrain>> gentle_grounds() {
  std::vector<std::unique_ptr<const Terrain>> all;
  const std::string sines = "expression = \"0.15*sin(2*pi*x/4)*cos(2*pi*y/6)+0.01*sin(5*x+3*y)\"\n";
  all.push_back(terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 4\nwavelength_y = 6\n"));
  for (const char* how : {"bilinear", "smooth"}) {
    all.push_back(
        terrain_of(fmt::format("kind = \"function\"\n{}sampled = true\nsize = [20, 20]\ncells = [200, "
                               "200]\ninterpolation = \"{}\"\n",
                               sines, how)));
    all.push_back(
        terrain_of(fmt::format("kind = \"fbm\"\nhurst = 0.8\nsigma = 0.05\nsize = [20, 20]\ncells = [256, "
                               "256]\ninterpolation = \"{}\"\n",
                               how)));
  }
  all.push_back(terrain_of("kind = \"flat\"\nslope_deg = 15\nuphill_deg = 40\n"));
  all.push_back(terrain_of("kind = \"sines\"\namplitude = 0.1\nwavelength_x = 2\nwavelength_y = 0\n"));
  return all;
}

RimGround ground_of(const Terrain& terrain, const SliceTable& slices, const Vec3& at, NearSlopes* slopes) {
  RimGround g;
  g.terrain = &terrain, g.slices = &slices, g.slopes = slopes;
  const Rectangle area{at.x() - 1, at.x() + 1, at.y() - 1, at.y() + 1};
  g.slope_bound = terrain.slope_bound(area), g.feature = terrain.finest_feature(area);
  return g;
}

/// Four wheels about a place, each displaced by some centimetres and turned its own way.
WheelPlanes wheels_about(const Terrain& terrain, const Vec3& at, double lean, RandomStream& random) {
  WheelPlanes w{};
  for (int k = 0; k < kLanes; ++k) {
    const double x = at.x() + (k % 2 ? 0.3 : -0.3), y = at.y() + (k / 2 ? 0.25 : -0.25);
    const Mat3 R =
        rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean), random.uniform(-3, 3));
    set_lane(w.centre, k, Vec3(x, y, terrain.height(x, y) + random.uniform(0.07, 0.13)));
    set_lane(w.n, k, R.col(0));
    set_lane(w.b, k, R.col(2));
    w.radius[k] = kRollRadius, w.guess[k] = random.uniform(0, 0.04);
  }
  return w;
}

/// Largest differences from 2,000 slices over the whole rim, and how often the slopes under wheels served.
struct FanEffect {
  double h = 0, sine = 0;
  int used = 0;
};
FanEffect effect_of_fan(const Terrain& terrain, const SliceTable& slices, RandomStream& random) {
  FanEffect effect;
  for (int i = 0; i < 300; ++i) {
    const Vec3 at(random.uniform(-8, 8), random.uniform(-8, 8), 0);
    const WheelPlanes w = wheels_about(terrain, at, i % 3 ? 0.25 : 0.5, random);
    NearSlopes near;
    const RimGround g = ground_of(terrain, slices, at, &near);
    if (!(g.slope_bound < kGentle) || !near.under(terrain, w, g.slope_bound)) continue;
    ++effect.used;
    const WheelContacts found = find_contacts(g, w, lanes(1e300), kLanes);
    const WheelContacts best = search_slices(terrain, fine_slices(), w, 1e9, search_looks(g.slope_bound));
    for (int k = 0; k < kLanes; ++k) {
      EXPECT_EQ(found.valid[k], best.valid[k]);
      if (!found.valid[k] || !(best.h[k] > 0)) continue;
      effect.h = std::max(effect.h, std::abs(found.h[k] - best.h[k]));
      effect.sine = std::max(effect.sine, std::abs(found.sine[k] - best.sine[k]));
    }
  }
  return effect;
}

TEST(NearSlopes, FindTheSameContactsAsAllSlopes) {
  RandomStream random(11, 0, "near");
  int used = 0, index = 0;
  for (const auto& terrain : gentle_grounds()) {
    // On facets two contacts may tie within a slice's width, and 20 slices miss the better one by a hair.
    const FanEffect few = effect_of_fan(*terrain, SliceTable(20), random);
    EXPECT_LT(few.h, 4e-5) << "ground " << index;
    // Narrow slices leave no room beside the slopes that were found.
    const FanEffect many = effect_of_fan(*terrain, SliceTable(400), random);
    EXPECT_LT(many.h, 1e-6) << "ground " << index;
    // One look errs by the square of what the guess is off, which turns the contact by up to 1.5e-3 (the two
    // searches over all slopes, with one look and with three, differ by as much).
    if (!terrain->bilinear_view()) {
      EXPECT_LT(many.sine, 2e-3) << "ground " << index;
    }
    used += few.used + many.used;
    ++index;
  }
  EXPECT_GT(used, 1800);
}

TEST(NearSlopes, WhatIsKeptChangesNothing) {
  const SliceTable slices(20);
  RandomStream random(12, 0, "near");
  for (const auto& terrain : gentle_grounds()) {
    NearSlopes kept;
    Vec3 at(random.uniform(-6, 6), random.uniform(-6, 6), 0);
    const double heading = random.uniform(-3, 3);
    WheelPlanes w = wheels_about(*terrain, at, 0.2, random);
    for (int i = 0; i < 400; ++i) {
      const double step = i % 100 == 99 ? 0.5 : 0.003;  // and jumps, back to where it was
      const double way = i % 200 == 199 ? -step : step;
      w.centre.x += way * std::cos(heading), w.centre.y += way * std::sin(heading);
      at += Vec3(way * std::cos(heading), way * std::sin(heading), 0);
      const WheelContacts with =
          find_contacts(ground_of(*terrain, slices, at, &kept), w, lanes(1e300), kLanes);
      NearSlopes fresh;
      const WheelContacts anew =
          find_contacts(ground_of(*terrain, slices, at, &fresh), w, lanes(1e300), kLanes);
      for (int k = 0; k < kLanes; ++k) {
        ASSERT_EQ(with.h[k], anew.h[k]) << "step " << i << ", wheel " << k;
        ASSERT_EQ(with.sine[k], anew.sine[k]) << "step " << i << ", wheel " << k;
      }
    }
  }
}

TEST(NearSlopes, BelongToOneGround) {
  const auto up = terrain_of("kind = \"flat\"\nslope_deg = 15\n"),
             down = terrain_of("kind = \"flat\"\nslope_deg = 15\nuphill_deg = 180\n");
  RandomStream random(14, 0, "near");
  const WheelPlanes w = wheels_about(*up, Vec3::Zero(), 0.1, random);
  NearSlopes near;
  const double bound = up->slope_bound({});
  EXPECT_GT(near.under(*up, w, bound)->x[0], 0.2);
  EXPECT_LT(near.under(*down, w, bound)->x[0], -0.2);
  EXPECT_EQ(near.under(*terrain_of("kind = \"step\"\nrise = 0.1\n"), w, bound), nullptr);  // knows none
}

TEST(NearSlopes, AWheelDeepInTheGroundIsSearchedForOverAllSlopes) {
  // Its centre moves aside along the suspension, to where the ground has other slopes.
  const auto terrain = terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 2\nwavelength_y = 0\n");
  const SliceTable narrow(400);
  RandomStream random(15, 0, "near");
  for (int i = 0; i < 50; ++i) {
    WheelPlanes w = wheels_about(*terrain, Vec3(random.uniform(-3, 3), 0, 0), 0.3, random);
    w.centre.z -= random.uniform(0.1, 0.5);
    w.guess = Lanes{};
    NearSlopes near;
    const RimGround g = ground_of(*terrain, narrow, Vec3(w.centre.x[0], 0, 0), &near);
    const WheelContacts found = find_contacts(g, w, lanes(1e300), kLanes);
    const WheelContacts plain =
        search_slices(*terrain, narrow, w, g.slope_bound, search_looks(g.slope_bound));
    for (int k = 0; k < kLanes; ++k) EXPECT_NEAR(found.h[k], plain.h[k], 1e-9) << i;
  }
}

TEST(NearSlopes, AreNotTrustedFartherAsideThanTheyReach) {
  // A plane of 15 degrees: with the wheel upright a contact is r sin 15 aside; leaning adds, and a long way
  // along a slanting suspension does.
  const auto plane = terrain_of("kind = \"flat\"\nslope_deg = 15\n");
  const double bound = plane->slope_bound({});
  const auto under = [&](const Mat3& R, double guess) {
    WheelPlanes w{};
    for (int k = 0; k < kLanes; ++k) {
      set_lane(w.centre, k, Vec3(0, 0, 0.1));
      set_lane(w.n, k, R.col(0));
      set_lane(w.b, k, R.col(2));
      w.radius[k] = kRollRadius, w.guess[k] = guess;
    }
    NearSlopes near;
    return near.under(*plane, w, bound) != nullptr;
  };
  EXPECT_TRUE(under(Mat3::Identity(), 0.02));
  EXPECT_TRUE(under(rotation_from_rpy(0.2, 0.2, 1), 0.02));
  EXPECT_FALSE(under(rotation_from_rpy(0.9, 0, 1), 0.02));
  EXPECT_FALSE(under(rotation_from_rpy(0.2, 0.2, 1), 0.5));
}

/// Ground that says where slopes were asked for.
class Asked : public Terrain {
 public:
  explicit Asked(const Terrain& ground) : ground_(ground) {}
  void sample(const TerrainRow& row) const override { ground_.sample(row); }
  double slope_bound(const Rectangle& area) const override { return ground_.slope_bound(area); }
  std::optional<SlopeRange> slope_range(const Rectangle& area) const override {
    asked.push_back(area);
    return ground_.slope_range(area);
  }
  std::string summary() const override { return ground_.summary(); }
  mutable std::vector<Rectangle> asked;

 private:
  const Terrain& ground_;
};

TEST(NearSlopes, EveryContactLiesWhereTheyWereAskedFor) {
  const SliceTable slices(20);
  RandomStream random(13, 0, "near");
  int looked = 0;
  for (const auto& terrain : gentle_grounds()) {
    for (int i = 0; i < 300; ++i) {
      const Vec3 at(random.uniform(-8, 8), random.uniform(-8, 8), 0);
      const WheelPlanes w = wheels_about(*terrain, at, 0.35, random);
      const Asked ground(*terrain);
      NearSlopes near;
      const double bound = terrain->slope_bound({at.x() - 1, at.x() + 1, at.y() - 1, at.y() + 1});
      if (!near.under(ground, w, bound)) continue;
      ASSERT_EQ(ground.asked.size(), 4u);
      const WheelContacts c = search_slices(*terrain, fine_slices(), w, 1e9, 3);
      if (!NearSlopes::holds(w, c.h)) continue;
      for (int k = 0; k < kLanes; ++k) {
        if (!c.valid[k] || !(c.h[k] > -0.5 * kRollRadius)) continue;
        const double u = kRollRadius * c.sine[k], t = c.h[k] - kRollRadius * c.cosine[k];
        EXPECT_TRUE(ground.asked[k].contains(w.centre.x[k] + u * w.n.x[k] + t * w.b.x[k],
                                             w.centre.y[k] + u * w.n.y[k] + t * w.b.y[k]));
        ++looked;
      }
    }
  }
  EXPECT_GT(looked, 2000);
}

}  // namespace
}  // namespace scree
