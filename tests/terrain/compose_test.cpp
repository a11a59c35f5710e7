#include <cmath>

#include "scree/core/random.hpp"
#include "scree/terrain/bump.hpp"
#include "scree/terrain/composite.hpp"
#include "scree/terrain/flat.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/profile.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Terrain> bump(double rise, double length, double width) {
  return std::make_shared<Bump>(BumpSettings{.rise = rise, .length = length, .width = width});
}
std::shared_ptr<const Terrain> level(double height) {
  return std::make_shared<Flat>(FlatSettings{.height = height});
}

TEST(Compose, AFeatureLiesWhereItIsPlacedAndTurned) {
  const Composite ground(level(1), {Feature(bump(0.5, 4, 2), {.at = {3, 2}, .yaw = kPi / 2})});
  EXPECT_NEAR(ground.height(3, 2), 1.5, 1e-15);
  // Turned by 90 degrees its length lies along y: half-way out along each axis it is half as high.
  EXPECT_NEAR(ground.height(3, 3), 1.25, 1e-12);
  EXPECT_NEAR(ground.height(3.5, 2), 1.25, 1e-12);
  EXPECT_EQ(ground.height(-3, 2), 1);
  expect_gradients(ground, {0, 6, 0, 5}, 1e-4);
}

TEST(Compose, BlendsHaveTheGradientOfTheirHeight) {
  const auto base = std::make_shared<Flat>(FlatSettings{.height = 0.1, .slope = 0.2, .uphill = 0.7});
  for (const Blend how : {Blend::add, Blend::replace, Blend::highest, Blend::lowest}) {
    const Composite ground(base, {Feature(bump(0.5, 4, 3), {.at = {1, 0.5},
                                                            .yaw = 0.4,
                                                            .size = {4, 3},
                                                            .margin = 0.6,
                                                            .scale = 1.5,
                                                            .lift = -0.1,
                                                            .blend = how})});
    // highest and lowest have a crease where the two surfaces meet: few of the random points are within 1e-5
    // m.
    expect_gradients(ground, {-2, 4, -2, 3}, 1e-3);
    // Far away the base is untouched; in the middle the feature is fully there.
    EXPECT_EQ(ground.height(20, 20), base->height(20, 20));
    const double z = base->height(1, 0.5), f = 1.5 * 0.5 - 0.1;
    const double expected = how == Blend::add       ? z + f
                            : how == Blend::lowest  ? std::min(z, f)
                            : how == Blend::highest ? std::max(z, f)
                                                    : f;
    EXPECT_NEAR(ground.height(1, 0.5), expected, 1e-12);
  }
}

TEST(Compose, AddedFeaturesAreTheSumWhereverAsked) {
  // Turned, scaled, off its own middle, endless across or not: what is passed over must be zero.
  RandomStream random(3, 0, "sum");
  const auto base = std::make_shared<Flat>(FlatSettings{.slope = 0.2, .uphill = 0.7});
  for (const double height : {0.0, 0.3}) {
    for (const double width : {0.0, 1.5}) {
      const Bump shape({.centre = {0.4, -0.3}, .rise = 0.2, .length = 1.2, .width = width, .height = height});
      const double yaw = random.uniform(-3, 3);
      const Composite ground(
          base, {Feature(std::make_shared<Bump>(shape), {.at = {1, 2}, .yaw = yaw, .scale = -1.5})});
      for (int k = 0; k < 2000; ++k) {
        const double x = random.uniform(-1, 3), y = random.uniform(0, 4);
        const double u = std::cos(yaw) * (x - 1) + std::sin(yaw) * (y - 2),
                     v = -std::sin(yaw) * (x - 1) + std::cos(yaw) * (y - 2);
        EXPECT_NEAR(ground.height(x, y), base->height(x, y) - 1.5 * shape.height(u, v), 1e-12);
      }
    }
  }
}

TEST(Compose, FinestFeatureIsThatOfTheArea) {
  const Composite ground(level(0),
                         {Feature(bump(0.1, 0.2, 0.2), {.at = {1, 0}}),
                          Feature(bump(0.1, 4, 4), {.at = {-3, 0}, .size = {4, 4}, .margin = 0.5})});
  EXPECT_DOUBLE_EQ(ground.finest_feature({0.95, 1.3, -0.1, 0.1}), 0.1);
  EXPECT_DOUBLE_EQ(ground.finest_feature({-3.1, -2.9, -0.1, 0.1}), 0.5);
  EXPECT_EQ(ground.finest_feature({0.2, 0.5, 0, 0.1}), 0);
  EXPECT_DOUBLE_EQ(ground.finest_feature({}), 0.1);
}

TEST(Compose, AFootprintHoldsItsEdge) {
  const Composite ground(level(0), {Feature(level(0.5), {.at = {1, 1}, .yaw = 0.3, .size = {2, 2}})});
  const double c = std::cos(0.3), s = std::sin(0.3);
  for (double t = -1; t <= 1; t += 0.125) {
    EXPECT_EQ(ground.height(1 + c - s * t, 1 + s + c * t), 0.5);
    EXPECT_EQ(ground.height(1 + 1.001 * c - s * t, 1 + 1.001 * s + c * t), 0);
  }
}

TEST(Compose, SlopeBoundHolds) {
  const auto base = std::make_shared<Flat>(FlatSettings{.slope = 0.2});
  const Composite ground(base, {Feature(bump(0.5, 4, 3), {.at = {1, 0.5}, .yaw = 0.4}),
                                Feature(bump(-0.3, 2, 2), {.at = {-1, 0.5}, .size = {2, 2}, .margin = 0.3})});
  expect_slope_bound(ground, {-3, 4, -3, 3}, 0.5);
  EXPECT_NEAR(ground.slope_bound({30, 31, 30, 31}), std::tan(0.2), 1e-12);
}

TEST(Compose, AFaceHasNoSlopeAlongItself) {
  auto step = std::make_shared<Profile>("step", 0, 0);
  step->ease(0.01, 0.1);
  const Composite ground(level(0), {Feature(step, {.at = {1, 2}, .yaw = 0.4})});
  const Rectangle area{0.9, 1.1, 1.9, 2.1};
  EXPECT_NEAR(ground.slope_bound(area), 15, 1e-12);
  for (const double turn : {0.0, 0.3, 1.0, 0.5 * kPi}) {
    const Vec2 way(std::cos(0.4 + turn), std::sin(0.4 + turn));
    EXPECT_NEAR(ground.slope_bound_along(area, way), 15 * std::cos(turn), 1e-12) << turn;
  }
  expect_slope_bound(ground, {0, 2, 1, 3}, 0.1);
}

TEST(Compose, ATrenchThatIsAddedReachesNoFartherThanItsWalls) {
  auto trench = std::make_shared<Profile>("trench", 0.1, 0);
  trench->ease(0.02, -0.1).level(0.2).ease(0.02, 0.1);
  EXPECT_EQ(trench->raised().x_min, 0.1);
  EXPECT_NEAR(trench->raised().x_max, 0.34, 1e-12);
  const Feature added(trench, {.size = {4, 2}, .margin = 0.1}), lifted(trench, {.size = {4, 2}, .lift = 0.1});
  EXPECT_NEAR(added.footprint().x_max, 0.34, 1e-6);
  EXPECT_NEAR(lifted.footprint().x_max, 2, 1e-6);
  const Composite ground(level(0.2), {added});
  EXPECT_EQ(ground.height(0.35, 0), 0.2);
  EXPECT_NEAR(ground.height(0.2, 0), 0.1, 1e-12);
  EXPECT_EQ(ground.finest_feature({0.4, 1, -1, 1}), 0);
  // A step goes on at its height, ground that does not start at zero has no such end.
  auto step = std::make_shared<Profile>("step", 0.1, 0), high = std::make_shared<Profile>("high", 0.1, 0.3);
  step->ease(0.02, 0.1), high->ease(0.02, -0.3);
  EXPECT_TRUE(std::isinf(step->raised().x_max));
  EXPECT_TRUE(std::isinf(high->raised().x_min));
}

TEST(Compose, SlopesAreBoundedWhereAFeatureFadesIn) {
  const auto base = std::make_shared<Flat>(FlatSettings{.slope = 0.2});
  const Placement in{
      .at = {0.5, 0.2}, .yaw = 0.4, .size = {2, 1.5}, .margin = 0.3, .scale = 1.5, .lift = 0.1};
  const Composite ground(base, {Feature(bump(0.3, 3, 2), in)});
  EXPECT_LT(ground.slope_bound({-2, 2, -2, 2}), 6);
  EXPECT_GT(expect_slope_bound(ground, {-1, 2, -1, 1.5}, 0.3), 0.5);
  // A plateau that fades in is as steep as the S over its margin, 3/2 of the mean; without a margin it jumps,
  // but for a part that lies at height zero.
  const auto plateau = [](double height, double margin) {
    return Composite(level(0), {Feature(level(height), {.size = {2, 2}, .margin = margin})});
  };
  EXPECT_GE(plateau(0.5, 0.1).slope_bound({-1, -0.9, 0, 0.1}), 7.5);
  EXPECT_TRUE(std::isinf(plateau(0.5, 0).slope_bound({-1.1, -0.9, 0, 0.1})));
  EXPECT_EQ(plateau(0, 0).slope_bound({-1.1, -0.9, 0, 0.1}), 0);
  EXPECT_EQ(plateau(0.5, 0.1).slope_bound({-0.1, 0.1, 0, 0.1}), 0);
}

TEST(Compose, GroundThatIsOneProfileSaysWhichAndWhere) {
  // Turned, turned over, lifted, one inside another, side by side, and fading in.
  const TerrainPtr terrain = terrain_from(
      "kind = \"compose\"\nbase = { kind = \"flat\", height = 0.3 }\nfeature = [\n"
      "{ kind = \"trench\", at = [0.5, 0.2], yaw_deg = 15, start = 0, depth = 0.15, footprint = [2, 2], "
      "margin = 0.1 },\n"
      "{ kind = \"ramp\", at = [3, 1], yaw_deg = 200, start = -0.5, length = 0.5, scale = -0.7, lift = 0.1, "
      "footprint = [2, 2] },\n"
      "{ kind = \"compose\", at = [-2, 0], yaw_deg = 70, scale = 0.5, lift = -0.2, footprint = [2, 2], "
      "base = { kind = \"flat\", height = 0.1 }, "
      "feature = [{ kind = \"stairs\", at = [0.1, 0.3], yaw_deg = -20, start = -0.4, count = 3 }] },\n"
      "{ kind = \"step\", at = [-2.2, 2.5], yaw_deg = 40, start = -0.1, footprint = [3, 3], margin = 0.2 },\n"
      "{ kind = \"step\", at = [-2, 2.4], yaw_deg = -30, start = 0.1, footprint = [3, 3], margin = 0.2 },\n"
      "{ kind = \"trench\", at = [3, -3], start = -0.1, blend = \"lowest\", footprint = [2, 2] }]\n");
  RandomStream random(6, 0, "areas");
  int levels = 0, profiles = 0, others = 0;
  for (int i = 0; i < 4000; ++i) {
    const double x = random.uniform(-4, 4), y = random.uniform(-4, 4), half = random.uniform(0.02, 0.3);
    const std::optional<PlacedProfile> ground =
        terrain->placed_profile({x - half, x + half, y - half, y + half});
    ++(!ground ? others : ground->profile ? profiles : levels);
    if (!ground) continue;
    for (int k = 0; k < 20; ++k) {
      const double px = random.uniform(x - half, x + half), py = random.uniform(y - half, y + half);
      const TerrainPoint at = terrain->at(px, py);
      const double along = ground->along_x * px + ground->along_y * py + ground->offset;
      const Profile* f = ground->profile;
      const Profile::Point own = f ? f->piece(f->piece_at(along)).at(along) : Profile::Point{0, 0};
      const double slope = ground->scale * own.slope;
      EXPECT_NEAR(at.z, ground->z + ground->scale * own.z, 1e-12) << i;
      EXPECT_NEAR(at.slope_x, slope * ground->along_x, 1e-9) << i;
      EXPECT_NEAR(at.slope_y, slope * ground->along_y, 1e-9) << i;
    }
  }
  EXPECT_GT(levels, 1000);
  EXPECT_GT(profiles, 300);
  EXPECT_GT(others, 300);
}

TEST(Compose, HeightsLieInTheirRange) {
  RandomStream random(6, 0, "heights");
  const auto base = std::make_shared<Flat>(FlatSettings{.height = 0.1, .slope = 0.2, .uphill = 0.7});
  for (const Blend how : {Blend::add, Blend::replace, Blend::highest, Blend::lowest}) {
    const Placement in{
        .at = {1, 0.5}, .yaw = 0.4, .size = {3, 2}, .margin = 0.4, .scale = -1.5, .lift = 0.3, .blend = how};
    const Composite ground(base, {Feature(bump(0.3, 3, 2), in)});
    for (int k = 0; k < 300; ++k) {
      const double x = random.uniform(-1, 3), y = random.uniform(-1, 2);
      const Rectangle box{x, x + random.uniform(0, 0.4), y, y + random.uniform(0, 0.4)};
      const HeightRange range = ground.height_range(box);
      for (int n = 0; n < 20; ++n) {
        const double z =
            ground.height(random.uniform(box.x_min, box.x_max), random.uniform(box.y_min, box.y_max));
        EXPECT_GE(z, range.low - 1e-12);
        EXPECT_LE(z, range.high + 1e-12);
      }
    }
  }
  // Where a feature is whole, it is all that counts: nothing of the ground at its edge.
  const Composite pit(level(0), {Feature(level(-0.2), {.size = {2, 2}, .margin = 0.1})});
  EXPECT_EQ(pit.height_range({-0.5, 0.5, -0.5, 0.5}).high, -0.2);
  EXPECT_EQ(pit.height_range({0.5, 0.95, -0.5, 0.5}).high, 0);
}

const char* kScene = R"(
kind = 'compose'
[base]
kind = 'sines'
amplitude = 0.05
[[feature]]
kind = 'ramp'
start = 0
angle_deg = 15
length = 1
at = [2, 0]
yaw_deg = 30
footprint = [3, 2]
margin = 0.3
[[feature]]
kind = 'trench'
start = -0.2
at = [-2, 1]
[[feature]]
kind = 'stairs'
start = 0
count = 3
at = [-1, -3]
footprint = [2, 1]
blend = 'highest'
[[feature]]
kind = 'step_field'
at = [1, 3]
[[feature]]
kind = 'rocks'
size = [3, 3]
cell = 0.05
at = [-3, -3]
[[feature]]
kind = 'craters'
size = [4, 4]
cell = 0.1
smallest = 0.5
largest = 2
margin = 0.5
[[feature]]
kind = 'noise'
size = [6, 6]
rms = 0.01
margin = 1
[[feature]]
kind = 'bump'
at = [0, 2]
)";

TEST(Compose, EveryKindOfFeatureInOneScenario) {
  const TerrainPtr exact = terrain_from(kScene);
  const TerrainPtr sampled = terrain_from(
      std::string(kScene).replace(1, 16, "kind = 'compose'\nsampled = true\nsize = [10, 10]\ncell = 0.05\n"));
  const Grid& grid = dynamic_cast<const Grid&>(*sampled);
  EXPECT_EQ(grid.geometry().nx, 201);
  // At its samples the gridded ground is the exact one, to float32.
  for (int j = 0; j < 201; j += 3) {
    for (int i = 0; i < 201; i += 3) {
      const double x = grid.geometry().x(i), y = grid.geometry().y(j);
      EXPECT_NEAR(grid.sample_height(i, j), exact->height(x, y), 1e-6) << x << ", " << y;
    }
  }
}

TEST(Compose, AddsToAGridInPlace) {
  const TemporaryFolder folder;
  folder.write("g.txt", "0 0 0\n0 0 0\n0 0 0\n");
  const TerrainPtr t = terrain_from(
      "kind = 'compose'\nsampled = true\nbase = { kind = 'grid', file = 'g.txt', cell = 1 }\n"
      "[[feature]]\nkind = 'bump'\nrise = 0.4\nlength = 1\nwidth = 1\nat = [1, 0]\n",
      folder.path());
  EXPECT_NEAR(t->height(1, 0), 0.4, 1e-7);
  EXPECT_EQ(t->height(0, 0), 0);
  EXPECT_EQ(t->bounds().x_min, -1);
}

TEST(Compose, TwoFeaturesOfAKindDiffer) {
  const TerrainPtr t = terrain_from(
      "kind = 'compose'\nbase = { kind = 'flat' }\n"
      "[[feature]]\nkind = 'step_field'\nat = [-3, 0]\n[[feature]]\nkind = 'step_field'\nat = [3, 0]\n");
  int same = 0;
  for (int i = 0; i < 12; ++i) same += t->height(-3.55 + 0.1 * i, 0.05) == t->height(2.45 + 0.1 * i, 0.05);
  EXPECT_LT(same, 12);
}

TEST(Compose, RefusesWithThePlace) {
  EXPECT_THAT(refusal("kind = 'compose'"), HasSubstr("kind"));
  EXPECT_THAT(refusal("kind = 'compose'\nbase = { kind = 'flat' }\n[[feature]]\nkind = 'bmup'"),
              HasSubstr("bump"));
  EXPECT_THAT(refusal("kind = 'compose'\nbase = { kind = 'flat' }\n[[feature]]\nkind = 'bump'\nyaww = 1"),
              HasSubstr("yaw"));
  EXPECT_THAT(refusal("kind = 'compose'\nbase = { kind = 'flat' }\nsampled = true"), HasSubstr("size"));
}

}  // namespace
}  // namespace scree
