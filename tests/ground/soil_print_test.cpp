/// What becomes of displaced soil, loose soil and walls.
#include "scree/ground/soil_print.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ground/cell_bed.hpp"
#include "scree/terrain/flat.hpp"

namespace scree {
namespace {

constexpr double kD = 0.02;

std::int32_t units(double metres) { return static_cast<std::int32_t>(std::lround(metres / kSoilUnit)); }

/// A trench `depth` deep through the middle of 40 x 40 cells.
PrintRoom trench(const Terrain& ground, double depth) {
  SoilTiles tiles(kD, 100);
  PrintRoom room;
  room.gather(tiles, ground, 0, 0, 40, 40);
  for (std::size_t y = 0; y < 40; ++y)
    for (std::size_t x = 16; x < 24; ++x) room.press(40 * y + x, ground.height(kD * x, kD * y) - depth, {});
  room.firm = room.aside = 0;
  return room;
}
struct Sums2 {
  std::int64_t sunk = 0, loose = 0;
};
Sums2 sums_of(const PrintRoom& room) {
  Sums2 s;
  for (const std::int32_t v : room.sunk) s.sunk += v;
  for (const std::int32_t v : room.loose) s.loose += v;
  return s;
}
/// Highest bare step of firm soil over its neighbour in x [m].
double highest_step(const PrintRoom& room) {
  double most = 0;
  const auto firm = [&](std::size_t k) { return room.ground[k] - kSoilUnit * room.sunk[k]; };
  for (std::size_t y = 0; y < 40; ++y)
    for (std::size_t x = 0; x + 1 < 40; ++x) {
      const std::size_t a = 40 * y + x;
      most = std::max({most, firm(a) - room.top[a + 1], firm(a + 1) - room.top[a]});
    }
  return most;
}

TEST(SoilPrint, AVerticalWallStandsAsHighAsItsCohesionHoldsIt) {
  SoilNumbers soil = load_soil("dry_sand");
  soil.cohesion = 1000, soil.friction_angle = 30 * kDegree, soil.density = 1600;
  EXPECT_NEAR(standing_height(soil, 10), 4 * 1000 / 16000.0 * std::tan(60 * kDegree), 1e-12);
  EXPECT_NEAR(standing_height(soil, 5) / standing_height(soil, 10), 2, 1e-12);
  soil.cohesion = 0;
  EXPECT_EQ(standing_height(soil, 10), 0);
}

TEST(SoilPrint, WallsBreakDownToWhatStandsAndNothingIsLost) {
  const Flat ground;
  const double repose = std::tan(32 * kDegree);
  for (const double stands : {0.0, 0.02, 0.06}) {
    PrintRoom room = trench(ground, 0.05);
    const Sums2 before = sums_of(room);
    for (int pass = 0; pass < 2000; ++pass) room.flow(repose, stands);
    const Sums2 after = sums_of(room);
    EXPECT_EQ(after.loose - before.loose, after.sunk - before.sunk) << stands;
    const double limit = kD * repose + stands;
    if (stands > 0.05) {
      EXPECT_EQ(after.sunk, before.sunk) << "it stands";
      EXPECT_NEAR(highest_step(room), 0.05, 2 * kSoilUnit);
    } else {
      EXPECT_GT(after.loose, 0);
      EXPECT_LT(highest_step(room), limit + 1e-6) << stands;
      EXPECT_GT(highest_step(room), 0.3 * limit) << "no more than needed";
    }
    for (const std::int32_t v : room.loose) ASSERT_GE(v, 0);
    // Both walls alike, to a part of what flows in a pass.
    EXPECT_NEAR(kSoilUnit * room.sunk[40 * 20 + 15], kSoilUnit * room.sunk[40 * 20 + 24], 1e-3);
  }
}

TEST(SoilPrint, UndeformedCliffsDoNotFall) {
  const Flat steep({0, 60 * kDegree, 0});
  SoilTiles tiles(kD, 100);
  PrintRoom room;
  room.gather(tiles, steep, 0, 0, 40, 40);
  for (int pass = 0; pass < 100; ++pass) room.flow(0.5, 0);
  EXPECT_EQ(sums_of(room).sunk + sums_of(room).loose, 0);
  // What pressing made there falls, the cliff stays.
  PrintRoom cut = trench(steep, 0.05);
  for (int pass = 0; pass < 500; ++pass) cut.flow(0.5, 0);
  for (std::size_t k = 0; k < cut.sunk.size(); ++k) ASSERT_LE(cut.sunk[k], units(0.05) + 1);
}

TEST(SoilPrint, LooseSoilThatIsPressedIsFirmAgain) {
  // A rut of 4 cm with 2 cm of loose soil: however many prints it takes, firm soil is met at
  // l share/(1 + share) above the old bottom.
  const Flat ground;
  for (const double share : {0.0, 0.3, 0.5, 1.0})
    for (const int prints : {1, 7, 200}) {
      SoilTiles tiles(kD, 100);
      PrintRoom room;
      room.gather(tiles, ground, 0, 0, 8, 8);
      const std::size_t at = 8 * 4 + 4;
      room.sunk[at] = units(0.04), room.loose[at] = units(0.02);
      PrintSettings how;
      how.compaction = share;
      const double meets = 0.02 / (1 + share);  // of the way down through the loose layer
      for (int k = 1; k <= prints; ++k) room.press(at, -0.02 - meets * k / prints, how);
      EXPECT_NEAR(kSoilUnit * room.sunk[at], 0.04 - 0.02 * share / (1 + share), 4 * prints * kSoilUnit)
          << share;
      EXPECT_NEAR(kSoilUnit * room.loose[at], 0, 4 * prints * kSoilUnit);
      // Firm and aside together are what was loose.
      EXPECT_EQ(room.aside + (units(0.04) - room.sunk[at]) + room.loose[at], units(0.02));
      EXPECT_LE(room.firm, 2 * prints);
    }
  // On ground that was never pressed nothing can be firm above it.
  SoilTiles tiles(kD, 100);
  PrintRoom room;
  room.gather(tiles, ground, 0, 0, 8, 8);
  room.loose[36] = units(0.02);
  room.press(36, 0.005, {});
  EXPECT_EQ(room.sunk[36], 0);
  EXPECT_NEAR(kSoilUnit * room.loose[36], 0.005, 2 * kSoilUnit);
}

TEST(SoilPrint, ARutFilledWithLooseSoilCarriesMoreThanAnEmptyOne) {
  double depth[2] = {};
  for (const bool filled : {false, true}) {
    CellBedSettings x;
    x.soil = load_soil("dry_sand"), x.bulldozing = true, x.compaction = 0.5;
    CellBed bed(x);
    for (int tx = -1; tx < 2; ++tx)
      for (int ty = -1; ty < 1; ++ty) {
        SoilTile& tile = bed.tiles.edit({tx, ty}, *bed.terrain);
        tile.sunk.fill(units(0.03)), tile.loose.fill(filled ? units(0.03) : 0);
      }
    depth[filled] = bed.roll(0.4).sinkage;
  }
  EXPECT_LT(depth[1], depth[0] - 0.004);
  EXPECT_GT(depth[1], 0.01);
}

}  // namespace
}  // namespace scree
