/// Ground in tiles: the finest level is the terrain itself, levels meet, everything is covered once.
#include "scree/view/terrain_tiles.hpp"

#include "scree/core/random.hpp"
#include "scree/view/terrain_gpu.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

constexpr int kVertices = kTileCells + 1;

TEST(TerrainTiles, FinestVerticesLieOnTheTerrainsOwnSamples) {
  const GridGround ground(300, 0.1);
  const TileLayout layout = lay_tiles(ground, 0.04, 1e9);
  EXPECT_NEAR(layout.spacing, 0.05, 1e-12);  // half a cell: every other vertex is a sample
  const TileData tile = sample_tile(ground, layout, {0, 3, 2}, {});
  for (int j = 0; j < kVertices; j += 7)
    for (int i = 0; i < kVertices; i += 5) {
      const double x = tile.x + i * layout.spacing, y = tile.y + j * layout.spacing;
      // Heights are single precision above the tile's own datum.
      EXPECT_NEAR(tile.datum + tile.vertices[j * kVertices + i].z, ground.height(x, y), 1e-6);
    }
}

TEST(TerrainTiles, CoarseHeightsAreThoseOfTheNextLevel) {
  const GridGround ground(1000, 0.1);
  const TileLayout layout = lay_tiles(ground, 0.1, 1e9);
  const TileData fine = sample_tile(ground, layout, {1, 5, 4}, {}),
                 coarse = sample_tile(ground, layout, {2, 2, 2}, {});
  // The fine tile is the right half, lower part of the coarse one.
  const auto at = [](const TileData& t, int i, int j) { return t.datum + t.vertices[j * kVertices + i].z; };
  for (int j = 0; j < kTileCells; j += 2)
    for (int i = 0; i < kTileCells; i += 2) {
      const double morphed = fine.datum + fine.vertices[j * kVertices + i].z_coarse;
      EXPECT_NEAR(morphed, at(coarse, 16 + i / 2, j / 2), 1e-5);
      // Between two coarse vertices: the middle of their edge, so that both levels draw one line.
      const double edge = fine.datum + fine.vertices[j * kVertices + i + 1].z_coarse;
      EXPECT_NEAR(edge, 0.5 * (at(coarse, 16 + i / 2, j / 2) + at(coarse, 16 + i / 2 + 1, j / 2)), 1e-5);
    }
}

TEST(TerrainTiles, NormalsPointAwayFromTheSlope) {
  WaveGround ground;
  const TileLayout layout = lay_tiles(ground, 0.05, 100);
  const TileData tile = sample_tile(ground, layout, {0, 0, 0}, {});
  for (int j = 0; j < kVertices; j += 8)
    for (int i = 0; i < kVertices; i += 8) {
      const Vec3 n = ground.at(tile.x + i * layout.spacing, tile.y + j * layout.spacing).normal();
      EXPECT_NEAR(tile.vertices[j * kVertices + i].nx, n.x(), 2e-4);
      EXPECT_NEAR(tile.vertices[j * kVertices + i].ny, n.y(), 2e-4);
    }
}

/// A trench of 0.2 m across the lattice, in ground that slopes, its sides upright or over `edge`.
class TrenchGround final : public Terrain {
 public:
  explicit TrenchGround(double turn, double edge = 0) : c_(std::cos(turn)), s_(std::sin(turn)), edge_(edge) {}
  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) {
      const double inside = 0.1 - std::abs(across(row.x[k], row.y[k]));
      const double t = edge_ > 0 ? std::clamp(inside / edge_ + 0.5, 0.0, 1.0) : inside > 0;
      row.z[k] = 0.1 * row.x[k] - 0.15 * t * t * (3 - 2 * t);
      const double steep = edge_ > 0 ? -0.15 * 6 * t * (1 - t) / edge_ : 0;
      const double away = across(row.x[k], row.y[k]) > 0 ? -1 : 1;
      row.slope_x[k] = 0.1 + steep * away * c_, row.slope_y[k] = steep * away * s_;
    }
  }
  double across(double x, double y) const { return c_ * x + s_ * y; }
  std::string summary() const override { return "trench"; }

 private:
  double c_, s_, edge_;
};

/// Where the triangle of a tile under a place in its lattice is drawn: the vertex shader's own sum.
Vec3 drawn(const TileData& t, double spacing, double u, double v, bool coarse) {
  const auto vertex = [&](int i, int j) -> Vec3 {
    const TileVertex& p = t.vertices[j * kVertices + i];
    const double unit = kMostSlide * spacing / 32767;
    const int k = coarse ? 2 : 0;
    return {t.x + i * spacing + unit * p.slide[k], t.y + j * spacing + unit * p.slide[k + 1],
            t.datum + (coarse ? p.z_coarse : p.z)};
  };
  const int i = static_cast<int>(u), j = static_cast<int>(v);
  const double a = u - i, b = v - j;
  const Vec3 low = vertex(i, j), high = vertex(i + 1, j + 1);
  return a > b ? low + (a - b) * (vertex(i + 1, j) - low) + b * (high - low)
               : low + (b - a) * (vertex(i, j + 1) - low) + a * (high - low);
}

TEST(TerrainTiles, WallsStandWhereTheGroundHasThem) {
  RandomStream random(5, 0, "walls");
  for (const auto& [turn, edge] : {std::pair(0.0, 0.0),
                                   {0.26, 0.0},
                                   {0.5, 0.0},
                                   {kPi / 4, 0.0},
                                   {1.2, 0.0},
                                   {2.0, 0.0},
                                   {0.26, 0.01},
                                   {0.5, 0.01},
                                   {1.2, 0.01}}) {
    const TrenchGround ground(turn, edge);
    const TileLayout layout = lay_tiles(ground, 0.05, 100);
    int walls = 0;
    for (const TileKey& key : {TileKey{0, 0, 0}, {0, -1, 0}, {0, -1, -1}, {0, 0, -1}}) {
      const TileData tile = sample_tile(ground, layout, key, {});
      for (int k = 0; k < 20000; ++k) {
        const Vec3 p =
            drawn(tile, layout.spacing, random.uniform(0, kTileCells), random.uniform(0, kTileCells), false);
        const double off = std::abs(std::abs(ground.across(p.x(), p.y())) - 0.1);
        if (off < 0.006 + 0.5 * edge) {
          ++walls;
          continue;
        }
        // Within the triangles' own flatness of a slope that does not bend.
        ASSERT_NEAR(p.z(), ground.height(p.x(), p.y()), 1.5e-3) << turn << ": " << p.transpose();
      }
    }
    EXPECT_GT(walls, 100) << turn;
  }
}

TEST(TerrainTiles, WallsOfTwoLevelsMeet) {
  const TrenchGround ground(0.26);
  const TileLayout layout = lay_tiles(ground, 0.02, 100);
  const TileData fine = sample_tile(ground, layout, {0, 0, 0}, {}),
                 next = sample_tile(ground, layout, {1, 0, 0}, {});
  int slid = 0;
  for (int j = 0; j <= kTileCells; j += 2)
    for (int i = 0; i <= kTileCells; i += 2) {
      const auto& v = next.vertices[j / 2 * kVertices + i / 2];
      slid += v.slide[0] != 0;
      const double unit = kMostSlide * layout.spacing / 32767;
      const TileVertex& f = fine.vertices[j * kVertices + i];
      EXPECT_NEAR(unit * f.slide[2], 2 * unit * v.slide[0], 1e-5);
      EXPECT_NEAR(unit * f.slide[3], 2 * unit * v.slide[1], 1e-5);
      EXPECT_NEAR(fine.datum + f.z_coarse, next.datum + v.z, 1e-5);
    }
  EXPECT_GT(slid, 3);
}

/// Area of the chosen tiles inside the terrain: each point once means exactly the terrain's.
double chosen_area(const std::vector<TerrainGpu::Chosen>& chosen) {
  double area = 0;
  for (const auto& c : chosen) area += c.data->x_limit * c.data->y_limit;
  return area;
}

TEST(TerrainTiles, CoverAHugeGridOnceWithFewTiles) {
  const auto context = make_offscreen_context();
  const GridGround ground(10000, 0.1);  // 10,000 x 10,000 cells, 1 km
  TerrainGpu gpu(ground, {}, lay_tiles(ground, 0.1, 1e9));
  TerrainGpu::Wish wish;
  wish.center = {Vec3(500, 500, 3), Vec3(503, 500, 0), 4};
  wish.detail = detail_for(gpu.layout(), 45 * kDegree, 720, 6);
  std::vector<TerrainGpu::Chosen> chosen;
  gpu.choose(wish, chosen);
  EXPECT_NEAR(chosen_area(chosen), 1000.0 * 1000.0, 1e-3);
  EXPECT_LT(chosen.size(), 2500u);  // of 97,656 tiles at full detail
  int finest = 99;
  for (const auto& c : chosen)
    if (c.data->x <= 503 && c.data->x + c.data->size >= 503 && c.data->y <= 500 &&
        c.data->y + c.data->size >= 500)
      finest = std::min(finest, c.level);
  EXPECT_EQ(finest, 0);  // under the robot
}

TEST(TerrainTiles, StandInsFillForTilesThatAreNotYetMade) {
  const auto context = make_offscreen_context();
  const GridGround ground(2000, 0.1);
  TerrainGpu gpu(ground, {}, lay_tiles(ground, 0.1, 1e9));
  TerrainGpu::Wish wish;
  wish.center = {Vec3(100, 100, 2), Vec3(100, 100, 0), 3};
  wish.detail = detail_for(gpu.layout(), 45 * kDegree, 360, 6);
  wish.budget = 10;
  std::size_t last = 0;
  for (int frame = 0; frame < 200; ++frame) {
    std::vector<TerrainGpu::Chosen> chosen;
    gpu.choose(wish, chosen);
    ASSERT_NEAR(chosen_area(chosen), 200.0 * 200.0, 1e-3) << "frame " << frame;
    if (chosen.size() == last && frame > 50) break;
    last = chosen.size();
  }
  EXPECT_GT(last, 50u);
}

TEST(TerrainTiles, AreMadeAnewOnlyWhereTheGroundChangedAndShownUntilThen) {
  const auto context = make_offscreen_context();
  const GridGround ground(500, 0.1);
  TerrainGpu gpu(ground, {}, lay_tiles(ground, 0.1, 1e9));
  TerrainGpu::Wish wish;
  wish.center = {Vec3(25, 25, 2), Vec3(25, 25, 0), 3};
  wish.detail = detail_for(gpu.layout(), 45 * kDegree, 360, 6);
  std::vector<TerrainGpu::Chosen> chosen;
  gpu.choose(wish, chosen);
  const std::size_t all = gpu.made(), shown = chosen.size();
  const auto again = [&] {
    const std::size_t before = gpu.made();
    chosen.clear();
    gpu.choose(wish, chosen);
    EXPECT_EQ(chosen.size(), shown) << "none is missing, none stands in for others";
    return gpu.made() - before;
  };
  EXPECT_EQ(again(), 0u);
  gpu.changed({24, 26, 24, 26});
  const std::size_t renewed = again();
  EXPECT_GT(renewed, 0u);
  EXPECT_LT(renewed, all / 2);
  EXPECT_EQ(again(), 0u);
  gpu.changed({24, 26, 24, 26});
  wish.budget = 2;
  const std::size_t some = again();  // two, and the roots, which are made whatever the budget
  EXPECT_GE(some, 2u);
  EXPECT_LT(some, renewed);
}

}  // namespace
}  // namespace scree::view
