/// Tiles of soil that deforms: found by place, shared until written on, bounded.
#include "scree/soil/soil_tiles.hpp"

#include <gtest/gtest.h>

#include "scree/soil/deformed_terrain.hpp"
#include "scree/terrain/flat.hpp"

namespace scree {
namespace {

TEST(SoilTiles, AreMadeOnFirstTouchAndFoundAnywhere) {
  const Flat flat;
  SoilTiles tiles(0.02, 100);
  EXPECT_EQ(tiles.find({0, 0}), nullptr);
  for (int k = -300; k < 300; k += 7) tiles.edit({k, 1000000 - 3 * k}, flat).sunk[5] = k + 301;
  for (int k = -300; k < 300; k += 7) {
    const SoilTile* tile = tiles.find({k, 1000000 - 3 * k});
    ASSERT_NE(tile, nullptr);
    EXPECT_EQ(tile->sunk[5], k + 301);
  }
  EXPECT_EQ(tiles.find({1, 1}), nullptr);
}

TEST(SoilTiles, CopiesAreSnapshotsThatShareWhatDoesNotChange) {
  const Flat flat;
  SoilTiles tiles(0.02, 100);
  tiles.edit({0, 0}, flat).sunk[0] = 1;
  tiles.edit({1, 0}, flat).sunk[0] = 2;
  const SoilTiles snapshot = tiles;
  tiles.edit({0, 0}, flat).sunk[0] = 10;
  EXPECT_EQ(snapshot.find({0, 0})->sunk[0], 1);
  EXPECT_EQ(tiles.find({0, 0})->sunk[0], 10);
  EXPECT_EQ(snapshot.find({1, 0}), tiles.find({1, 0})) << "an untouched tile is shared";
  SoilTile* own = &tiles.edit({0, 0}, flat);
  EXPECT_EQ(own, &tiles.edit({0, 0}, flat)) << "once divided it is written in place";
}

TEST(SoilTiles, HashDoesNotDependOnTheOrderNorOnUntouchedTiles) {
  const Flat flat;
  SoilTiles a(0.02, 100), b(0.02, 100);
  for (const int k : {3, 1, 2}) a.edit({k, -k}, flat).loose[7] = k;
  for (const int k : {1, 2, 3}) b.edit({k, -k}, flat).loose[7] = k;
  b.ensure({9, 9}, flat);
  EXPECT_EQ(a.hash(1), b.hash(1));
  b.edit({2, -2}, flat).loose[7] = 5;
  EXPECT_NE(a.hash(1), b.hash(1));
}

TEST(SoilTiles, RefuseMoreMemoryThanAllowed) {
  const Flat flat;
  SoilTiles tiles(0.02, 1);
  try {
    for (int k = 0; k < 1000; ++k) tiles.ensure({k, 0}, flat);
    FAIL() << "no limit";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("terrain.soil.grid.memory"), std::string::npos) << error.what();
  }
  EXPECT_LE(tiles.megabytes(), 1.0);
}

TEST(DeformedTerrain, HasRutsAndSaysWhereTheyAreNew) {
  const Flat flat;
  SoilTiles tiles(0.02, 100);
  DeformedTerrain ground(flat);
  SoilTile& tile = tiles.edit({0, 0}, flat);
  tile.sunk[static_cast<std::size_t>(5 * kTileSide + 3)] = static_cast<std::int32_t>(0.05 / kSoilUnit);
  tile.loose[static_cast<std::size_t>(5 * kTileSide + 3)] = static_cast<std::int32_t>(0.01 / kSoilUnit);
  EXPECT_EQ(ground.show(tiles).size(), 1u);
  EXPECT_EQ(ground.show(tiles).size(), 0u) << "nothing changed";
  EXPECT_NEAR(ground.height(0.06, 0.10), -0.04, 1e-7);
  EXPECT_NEAR(ground.height(0.07, 0.10), -0.02, 1e-7);
  EXPECT_EQ(ground.height(0.09, 0.10), 0);
  tiles.edit({1, 0}, flat).sunk[0] = 100;
  const auto changed = ground.show(tiles);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_TRUE(changed[0].contains(0.64, 0));
  EXPECT_FALSE(changed[0].contains(0.3, 0));
}

TEST(DeformedTerrain, RaysSeeRutsAndHeaps) {
  // A trench along y and a heap beside it: rays from above and from the side end on them.
  const Flat flat;
  SoilTiles tiles(0.02, 100);
  SoilTile& tile = tiles.edit({0, 0}, flat);
  for (std::size_t y = 0; y < kTileSide; ++y) {
    for (std::size_t x = 10; x <= 15; ++x)
      tile.sunk[y * kTileSide + x] = static_cast<std::int32_t>(0.05 / kSoilUnit);
    for (std::size_t x = 18; x <= 20; ++x)
      tile.loose[y * kTileSide + x] = static_cast<std::int32_t>(0.03 / kSoilUnit);
  }
  DeformedTerrain ground(flat);
  ground.show(tiles);
  const auto down = [&](double x) { return ground.ray({Vec3(x, 0.3, 1), Vec3(0, 0, -1), 10.0}); };
  EXPECT_NEAR(down(0.25)->point.z(), -0.05, 1e-4);
  EXPECT_NEAR(down(0.38)->point.z(), 0.03, 1e-4);
  EXPECT_NEAR(down(0.1)->point.z(), 0, 1e-4);
  const auto along = ground.ray({Vec3(0.6, 0.3, 0.015), Vec3(-1, 0, 0), 10.0});
  ASSERT_TRUE(along);
  EXPECT_NEAR(along->point.x(), 0.41, 2e-3) << "half way up the heap's side";
}

TEST(DeformedTerrain, SoilBetweenTwoMomentsIsBlended) {
  const Flat flat;
  SoilTiles before(0.02, 100);
  before.edit({0, 0}, flat).sunk[7] = 1000;
  before.edit({3, 0}, flat).loose[2] = 10;
  SoilTiles after = before;
  after.edit({0, 0}, flat).sunk[7] = 3000;
  after.edit({1, 1}, flat).loose[9] = 400;
  const SoilTiles half = blend_soil(before, after, 0.25);
  EXPECT_EQ(half.find({0, 0})->sunk[7], 1500);
  EXPECT_EQ(half.find({1, 1})->loose[9], 100);
  EXPECT_EQ(half.find({3, 0}), before.find({3, 0})) << "shared";
  EXPECT_EQ(after.find({0, 0})->sunk[7], 3000) << "left as it was";
}

}  // namespace
}  // namespace scree
