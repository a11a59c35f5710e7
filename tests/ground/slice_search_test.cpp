#include "scree/ground/slice_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "body_bench.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

using testing::terrain_of;

using namespace lane;

WheelPlanes wheel_at(const Vec3& centre, const Mat3& R, double radius) {
  const auto spread = [](const Vec3& v) { return V3<Lanes>{lanes(v.x()), lanes(v.y()), lanes(v.z())}; };
  return {spread(centre), spread(R.col(0)), spread(R.col(2)), lanes(radius), Lanes{}};
}

/// Up to these angles [rad], and any heading.
Mat3 random_turn(RandomStream& random, double roll, double pitch) {
  return rotation_from_rpy(random.uniform(-roll, roll), random.uniform(-pitch, pitch), random.uniform(-3, 3));
}

/// The paper's search, done with a very fine division and bisection along b: an independent method.
struct BruteForce {
  double h = -1e9, gamma = 0;
};
BruteForce brute_force(const Terrain& terrain, const Vec3& centre, const Mat3& R, double r) {
  const Vec3 n = R.col(0), b = R.col(2);
  BruteForce best;
  for (double gamma = -1.57; gamma <= 1.57; gamma += 2e-4) {
    const Vec3 rim = centre + r * (std::sin(gamma) * n - std::cos(gamma) * b);
    double low = -2, high = 2;  // above the ground at high
    for (int i = 0; i < 50; ++i) {
      const double h = 0.5 * (low + high);
      const Vec3 p = rim + h * b;
      (p.z() < terrain.height(p.x(), p.y()) ? low : high) = h;
    }
    if (low > best.h) best = {low, gamma};
  }
  return best;
}

TEST(SliceSearch, ExactOnAPlane) {
  // A wheel of radius r over a plane of slope a: distance of the hub to the plane decides, gamma = a.
  for (const double slope : {-0.5, -0.1, 0.0, 0.2, 0.6}) {
    const auto terrain = terrain_of(fmt::format("kind = \"flat\"\nslope = {}\nuphill_deg = {}\n",
                                                std::abs(slope), slope < 0 ? 180.0 : 0.0));
    const WheelPlanes w = wheel_at({0.3, 0, 0.3 * std::tan(slope) + 0.1}, Mat3::Identity(), 0.12);
    const auto c = search_slices(*terrain, SliceTable(20), w, terrain->slope_bound({}), 1);
    EXPECT_NEAR(c.h[0], 0.12 / std::cos(slope) - 0.1, 1e-12);
    EXPECT_NEAR(c.sine[0], std::sin(slope), 1e-12);
  }
}

TEST(SliceSearch, TwentySlicesFindWhatTenThousandFind) {
  const auto terrain = terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 4\nwavelength_y = 6\n");
  RandomStream random(7, 0, "slices");
  for (int i = 0; i < 20; ++i) {
    const Mat3 R = random_turn(random, 0.3, 0.4);
    const double x = random.uniform(-5, 5), y = random.uniform(-5, 5);
    const Vec3 centre(x, y, terrain->height(x, y) + 0.1);
    const auto c =
        search_slices(*terrain, SliceTable(20), wheel_at(centre, R, 0.12), terrain->slope_bound({}), 1);
    const BruteForce exact = brute_force(*terrain, centre, R, 0.12);
    // The brute force's own grid costs r (2e-4)²/8 < 1e-9 m.
    EXPECT_NEAR(c.h[0], exact.h, 1e-8);
    EXPECT_NEAR(std::asin(c.sine[0]), exact.gamma, 3e-4);
  }
}

/// Largest differences between a search that knows the terrain's slopes and one that does not.
struct BoundEffect {
  double h = 0, sine = 0;
};
BoundEffect effect_of_bound(const Terrain& terrain, int looks) {
  RandomStream random(8, 0, "slices");
  BoundEffect most;
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = random_turn(random, 0.5, 0.7);
    const double x = random.uniform(-8, 8), y = random.uniform(-8, 8);
    const WheelPlanes w = wheel_at({x, y, terrain.height(x, y) + 0.09}, R, 0.12);
    const auto bounded =
        search_slices(terrain, SliceTable(20), w, terrain.slope_bound({x - 1, x + 1, y - 1, y + 1}), looks);
    const auto all = search_slices(terrain, SliceTable(20), w, 1e9, looks);
    most.h = std::max(most.h, std::abs(bounded.h[0] - all.h[0]));
    most.sine = std::max(most.sine, std::abs(bounded.sine[0] - all.sine[0]));
  }
  return most;
}

TEST(SliceSearch, SlopeBoundSkipsNothing) {
  // The slices lie elsewhere, so results agree to what the last tangent is off: in angle by the refinement's
  // tolerance times r t'' (5e-4 x 0.12 x 0.37 here), in height by its square.
  const auto smooth = terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 4\nwavelength_y = 6\n");
  EXPECT_LT(effect_of_bound(*smooth, 1).h, 2e-8);
  EXPECT_LT(effect_of_bound(*smooth, 1).sine, 3e-5);
  // On facets two contacts may tie: then either search may miss the better one by a hair.
  const auto facets = terrain_of(
      "kind = \"function\"\nexpression = \"0.15*sin(2*pi*x/4)*cos(2*pi*y/6)\"\nsampled = true\n"
      "size = [20, 20]\ncells = [200, 200]\n");
  EXPECT_LT(effect_of_bound(*facets, 1).h, 1e-5);
}

TEST(SliceSearch, TheGuessOnlySaysWhereToStart) {
  const auto terrain = terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 4\nwavelength_y = 6\n");
  RandomStream random(9, 0, "slices");
  for (int i = 0; i < 100; ++i) {
    const Mat3 R = random_turn(random, 0.5, 0.7);
    const double x = random.uniform(-8, 8), y = random.uniform(-8, 8);
    WheelPlanes w = wheel_at({x, y, terrain->height(x, y) + 0.08}, R, 0.12);
    const auto plain = search_slices(*terrain, SliceTable(20), w, terrain->slope_bound({}), 1);
    for (const double guess : {-0.02, plain.h[0], plain.h[0] + 0.005, 0.08}) {
      w.guess = lanes(guess);
      const auto guessed = search_slices(*terrain, SliceTable(20), w, terrain->slope_bound({}), 1);
      EXPECT_NEAR(guessed.h[0], plain.h[0], 2e-8) << "guess " << guess;
      EXPECT_NEAR(guessed.sine[0], plain.sine[0], 3e-5) << "guess " << guess;
    }
  }
}

TEST(SliceSearch, HighAboveTheGroundNothingTouches) {
  // However the wheel is turned, and however far down the ground lies along its suspension.
  const auto flat = terrain_of("kind = \"flat\"\n");
  const auto sines = terrain_of("kind = \"sines\"\namplitude = 0.15\nwavelength_x = 4\nwavelength_y = 6\n");
  RandomStream random(10, 0, "slices");
  for (int i = 0; i < 500; ++i) {
    const Mat3 R = random_turn(random, 3, 1.5);
    const Vec3 centre(random.uniform(-8, 8), random.uniform(-8, 8), random.uniform(0.3, 9));
    for (const Terrain* terrain : {flat.get(), sines.get()}) {
      for (const int looks : {1, 3}) {
        const auto c = search_slices(*terrain, SliceTable(20), wheel_at(centre, R, 0.12),
                                     terrain->slope_bound({}), looks);
        EXPECT_FALSE(c.valid[0] && c.h[0] > 0) << "height " << centre.z() << ", b_z " << R(2, 2);
      }
    }
  }
}

TEST(SliceSearch, EdgeOfAConvexCreaseIsFound) {
  // A roof of slopes +-1/2 with its ridge at x = 0.02: the rim touches the ridge itself.
  const auto terrain = terrain_of("kind = \"function\"\nexpression = \"-0.5*abs(x-0.02)\"\n");
  const WheelPlanes w = wheel_at({0, 0, 0.1}, Mat3::Identity(), 0.12);
  const auto c = search_slices(*terrain, SliceTable(20), w, 0.6, 1);
  EXPECT_NEAR(c.sine[0], 0.02 / 0.12, 1e-6);
  EXPECT_NEAR(c.h[0], std::sqrt(0.12 * 0.12 - 0.02 * 0.02) - 0.1, 1e-9);
}

TEST(SliceSearch, NothingIsRememberedInAValley) {
  // In a V the wheel touches both sides; the higher one wins, wherever the wheel came from.
  const auto terrain = terrain_of("kind = \"function\"\nexpression = \"0.2*abs(x)\"\n");
  for (const double x : {-0.003, -0.001, 0.001, 0.003}) {
    const WheelPlanes w = wheel_at({x, 0, 0.1}, Mat3::Identity(), 0.12);
    const auto c = search_slices(*terrain, SliceTable(20), w, 0.3, 1);
    EXPECT_GT(c.sine[0] * x, 0) << "at x = " << x;
  }
}

TEST(SliceSearch, ASuspensionAlongTheGroundTouchesNothing) {
  const auto terrain = terrain_of("kind = \"flat\"\n");
  const WheelPlanes w = wheel_at({0, 0, 0.05}, rotation_from_rpy(kPi / 2, 0, 0), 0.12);
  EXPECT_FALSE(any(search_slices(*terrain, SliceTable(20), w, 0, 1).valid));
}

}  // namespace
}  // namespace scree
