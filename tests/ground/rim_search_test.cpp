/// The contact search that misses nothing, against the paper's own with a very fine division.
#include "scree/ground/rim_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "scree/config/section.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/look_search.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

std::unique_ptr<const Terrain> rim_terrain(const std::string& text) {
  const Document document = Document::from_text(text);
  Section section = document.root();
  return make_terrain(section, {});
}

constexpr double kRadius = 0.12;
constexpr double kNoWalls = 1e300;

RimPlane rim_at(const Vec3& centre, const Mat3& R, double standing = kNoWalls) {
  return {centre, R.col(0), R.col(1), R.col(2), kRadius, standing};
}

/// The ground's highest heights around every place, read densely and kept: tells slices that cannot touch
/// from those that may.
class HighGround {
 public:
  HighGround(const Terrain& terrain, const Rectangle& area)
      : x_min_(area.x_min),
        y_min_(area.y_min),
        nx_(blocks(area.x_max - area.x_min)),
        ny_(blocks(area.y_max - area.y_min)),
        high_(static_cast<std::size_t>(nx_) * ny_, -1e30) {
    std::vector<double> own(high_.size(), -1e30);
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i)
        for (int k = 0; k < kLooks * kLooks; ++k)
          own[at(i, j)] =
              std::max(own[at(i, j)], terrain.height(x_min_ + kBlock * (i + (k % kLooks + 0.5) / kLooks),
                                                     y_min_ + kBlock * (j + (k / kLooks + 0.5) / kLooks)));
    for (int j = 1; j + 1 < ny_; ++j)
      for (int i = 1; i + 1 < nx_; ++i)
        for (int k = 0; k < 9; ++k)
          high_[at(i, j)] = std::max(high_[at(i, j)], own[at(i - 1 + k % 3, j - 1 + k / 3)] + kBetween);
    highest_ = *std::max_element(high_.begin(), high_.end());
  }
  double highest() const { return highest_; }
  /// No ground within kBlock of the place is higher.
  double around(double x, double y) const {
    return high_[at(std::clamp(static_cast<int>((x - x_min_) / kBlock), 0, nx_ - 1),
                    std::clamp(static_cast<int>((y - y_min_) / kBlock), 0, ny_ - 1))];
  }
  static constexpr double kBlock = 2e-3;  // m

 private:
  static constexpr int kLooks = 3;          // a side of a block
  static constexpr double kBetween = 1e-3;  // m by which ground between two looks may be higher
  static int blocks(double length) { return static_cast<int>(length / kBlock) + 1; }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j) * nx_ + i; }
  double x_min_, y_min_, highest_;
  int nx_, ny_;
  std::vector<double> high_;
};

/// Largest displacement over many rim angles: along the suspension from above to the first ground, by steps
/// and then by halves. Shares nothing with the searches but the terrain. Slices that the ground's highest
/// heights cannot reach are left out, a hundred at a time.
class BySlices {
 public:
  BySlices(const Terrain& terrain, const HighGround& high, const RimPlane& w)
      : terrain_(terrain), high_(high), w_(w), lean_(std::hypot(w.b.x(), w.b.y())), best_(-0.5 * w.radius) {}
  double run(int slices) {
    constexpr int kGroup = 100;
    const double spread = 0.5 * kGroup * 3.11 / slices * w_.radius;  // of a group about its middle
    for (int i = kGroup / 2; i <= slices; i += kGroup) look(angle(i, slices));
    for (int i = 0; i <= slices; i += kGroup) {
      if (!(top(angle(i + kGroup / 2, slices), 2 * spread) > best_)) continue;
      for (int k = i; k < std::min(i + kGroup, slices + 1); ++k) look(angle(k, slices));
    }
    return best_;
  }

 private:
  static double angle(int i, int slices) { return -1.555 + 3.11 * i / slices; }
  Vec3 rim(double gamma) const {
    return w_.centre + w_.radius * (std::sin(gamma) * w_.n - std::cos(gamma) * w_.b);
  }
  /// Above this displacement the slice is above all ground; no more than the best: it cannot beat it.
  double top(double gamma, double slack) const {
    const Vec3 from = rim(gamma);
    const double step = std::min(0.5 * HighGround::kBlock / std::max(lean_, 1e-3), 0.02);
    double h = (high_.highest() + slack - from.z()) / w_.b.z();
    for (; h > best_; h -= step) {
      const Vec3 p = from + (h - 0.5 * step) * w_.b;
      if (high_.around(p.x(), p.y()) + slack >= p.z() - 0.5 * step * w_.b.z()) return h;
    }
    return best_;
  }
  void look(double gamma) {
    constexpr double kStep = 1.5e-3;
    double high = top(gamma, 0);
    if (!(high > best_)) return;
    const Vec3 from = rim(gamma);
    const auto inside = [&](double h) {
      const Vec3 p = from + h * w_.b;
      return terrain_.height(p.x(), p.y()) >= p.z();
    };
    while (!inside(high - kStep)) {
      high -= kStep;
      if (!(high > best_)) return;
    }
    double low = high - kStep;
    for (int k = 0; k < 30; ++k) {
      const double middle = 0.5 * (low + high);
      (inside(middle) ? low : high) = middle;
    }
    best_ = std::max(best_, low);
  }

  const Terrain& terrain_;
  const HighGround& high_;
  const RimPlane& w_;
  double lean_, best_;
};

struct Miss {
  double below = 0, above = 0;  ///< how far the search lies below and above the slices, at most [m]
  int touching = 0;
};

constexpr int kSlices = 100000;

/// A ground and lean: SCREE_RIM_POSES asks for more than a test has time for.
int rim_poses() {
  const char* asked = std::getenv("SCREE_RIM_POSES");
  return asked ? std::max(1, std::atoi(asked)) : 100;
}

Miss worst_miss(const Terrain& terrain, const HighGround& high, double half, double roll, double pitch) {
  RandomStream random(21, 0, "rims");
  const GridView* grid = terrain.bilinear_view();
  Miss miss;
  const int poses = rim_poses();
  for (int i = 0; i < poses; ++i) {
    const Mat3 R = rotation_from_rpy(random.uniform(-roll, roll), random.uniform(-pitch, pitch),
                                     random.uniform(-kPi, kPi));
    const double x = random.uniform(-half, half), y = random.uniform(-half, half);
    const RimPlane w = rim_at({x, y, terrain.height(x, y) + random.uniform(0.06, 0.12)}, R);
    const RimContact c =
        grid ? search_cells(*grid, w)
             : search_looks_along(terrain, w, terrain.finest_feature({}), terrain.slope_bound({}));
    const double h = c.found ? c.h : -0.5 * kRadius;
    const double exact = BySlices(terrain, high, w).run(kSlices);
    miss.below = std::max(miss.below, exact - h);
    miss.above = std::max(miss.above, h - exact);
    miss.touching += h > 0;
    if (c.found) {  // the contact lies on the ground and on the rim
      const double cosine = std::sqrt(1 - c.sine * c.sine);
      const Vec3 p = w.centre + c.h * w.b + kRadius * (c.sine * w.n - cosine * w.b);
      EXPECT_NEAR(terrain.height(p.x(), p.y()), p.z(), 1e-5);
    }
  }
  return miss;
}

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

/// Upright and leaning wheels against a hundred thousand slices.
void expect_what_slices_find(const RimCase& ground) {
  const auto terrain = rim_terrain(ground.terrain);
  const double far = ground.half + 0.45;
  const HighGround high(*terrain, {-far, far, -far, far});
  for (const double lean : {0.0, 1.0}) {
    const Miss miss = worst_miss(*terrain, high, ground.half, 0.3 * lean, 0.4 * lean);
    EXPECT_GT(miss.touching, 0);
    EXPECT_LT(miss.below, 5e-5) << lean;
    EXPECT_LT(miss.above, 5e-5) << lean;
  }
}

class RoughRims : public ::testing::TestWithParam<RimCase> {};
TEST_P(RoughRims, CellByCellFindsWhatAHundredThousandSlicesFind) { expect_what_slices_find(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Grounds, RoughRims, ::testing::ValuesIn(kRough),
                         [](const auto& info) { return std::string(info.param.name); });

class EdgedRims : public ::testing::TestWithParam<RimCase> {};
TEST_P(EdgedRims, LooksFindWhatAHundredThousandSlicesFind) { expect_what_slices_find(GetParam()); }

/// The same step as a grid, whose samples lie on its corners: two searches that share no line.
TEST(EdgedGround, LooksAndCellsFindTheSameContactsAndWalls) {
  const auto step = rim_terrain("kind = \"step\"\nstart = 0.0\nrise = 0.2\nedge = 0.01\n");
  HeightField field = make_field(GridGeometry::spanning(801, 801, {-0.8, 0.8, -0.8, 0.8}), "step");
  for (int j = 0; j < 801; ++j)
    for (int i = 0; i < 801; ++i)
      field.at(i, j) = static_cast<float>(step->height(field.geometry.x(i), field.geometry.y(j)));
  const Grid grid(std::move(field));
  RandomStream random(9, 0, "walls");
  int walls = 0, contacts = 0, floors = 0;
  for (int i = 0; i < 1000; ++i) {
    const double lean = i % 4 == 0 ? 0 : 0.3;
    const Mat3 R = rotation_from_rpy(random.uniform(-lean, lean), random.uniform(-lean, lean),
                                     random.uniform(-kPi, kPi));
    const double x = random.uniform(-0.15, 0.15), y = random.uniform(-0.1, 0.1);
    const RimPlane w =
        rim_at({x, y, step->height(x, y) + random.uniform(0.09, 0.13)}, R, random.uniform(0, 0.02));
    const RimContact cells = search_cells(grid.view(), w),
                     looks = search_looks_along(*step, w, step->finest_feature({}), step->slope_bound({}));
    EXPECT_EQ(cells.found, looks.found) << i;
    // Going on along the suspension leaves the ground: no overhanging part is a contact.
    for (const RimContact& c : {cells, looks}) {
      EXPECT_GT(w.b.z() - c.slope_x * w.b.x() - c.slope_y * w.b.y(), 0) << i;
    }
    // On the face itself, between floor and wall, the highest point seen depends on how finely one looks.
    const auto level = [](const RimContact& c) { return c.slope_x * c.slope_x + c.slope_y * c.slope_y < 1; };
    if (level(cells) && level(looks)) {
      EXPECT_NEAR(cells.h, looks.h, 5e-5) << i;
      ++floors;
    }
    if (lean == 0) {
      EXPECT_NEAR(cells.wall, looks.wall, 2.5e-3) << i;
    }
    contacts += cells.found;
    walls += cells.wall > 0.005;
  }
  EXPECT_GT(contacts, 900);
  EXPECT_GT(walls, 100);
  EXPECT_GT(floors, 500);
}
INSTANTIATE_TEST_SUITE_P(Grounds, EdgedRims, ::testing::ValuesIn(kEdges),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RimSearch, ASpikeBetweenAnySlicesIsFound) {
  // One sample of a fine grid stands up: a needle that twenty slices pass on either side.
  HeightField field = make_field(GridGeometry::spanning(401, 401, {-1, 1, -1, 1}), "needle");
  field.at(207, 200) = 0.05f;  // x = 0.035, y = 0
  const Grid grid(std::move(field));
  const RimPlane w = rim_at({0, 0, 0.13}, Mat3::Identity());
  const RimContact c = search_cells(grid.view(), w);
  EXPECT_NEAR(c.h, 0.05 + std::sqrt(kRadius * kRadius - 0.035 * 0.035) - 0.13, 1e-7);
  EXPECT_NEAR(c.sine, 0.035 / kRadius, 1e-7);
}

TEST(RimSearch, WhatIsKeptFromSearchToSearchChangesNothing) {
  // A wheel that rolls, turns and sways over two grounds in turn, now and then put elsewhere: the same bits
  // as a search that keeps nothing.
  const auto fine =
      rim_terrain("kind = \"fbm\"\nhurst = 0.36\nsigma = 0.02\nsize = [3, 3]\ncells = [512, 512]\n");
  const auto coarse =
      rim_terrain("kind = \"fbm\"\nhurst = 0.6\nsigma = 0.05\nsize = [3, 3]\ncells = [64, 64]\n");
  RandomStream random(5, 0, "memo");
  RimMemo memo;
  Vec3 at(0, 0, 0.1);
  double yaw = 0;
  int touching = 0, moved = 0;
  for (int i = 0; i < 6000; ++i) {
    if (i % 500 == 0) {
      at = {random.uniform(-1.6, 1.6), random.uniform(-1.6, 1.6), 0};
      yaw = random.uniform(-3, 3);
    }
    const GridView& grid = *(i % 1000 < 700 ? fine : coarse)->bilinear_view();
    yaw += random.uniform(-0.01, 0.01);
    const Mat3 R = rotation_from_rpy(0.2 * random.normal(), 0.1 * random.normal(), yaw);
    at += 1e-3 * R.col(0);
    at.z() = fine->height(at.x(), at.y()) + random.uniform(0.08, 0.13);
    const RimPlane w = rim_at(at, R, i % 3 == 0 ? 0.01 : kNoWalls);
    const RimContact kept = search_cells(grid, w, &memo), anew = search_cells(grid, w);
    touching += anew.found && anew.h > 0;
    moved += kept.found != anew.found || kept.h != anew.h || kept.sine != anew.sine ||
             kept.slope_x != anew.slope_x || kept.slope_y != anew.slope_y || kept.wall != anew.wall;
  }
  EXPECT_EQ(moved, 0);
  EXPECT_GT(touching, 2000);
  // Places whose columns are kept in the same room: 256 columns further, and with x and y exchanged.
  const double cell = 3.0 / 511;
  const GridView& grid = *fine->bilinear_view();
  const Mat3 along_y = rotation_from_rpy(0, 0, 0.5 * kPi);
  for (const double y : {-0.7, -0.2, 0.1, 0.6}) {
    const double x = -1.2;
    for (const auto& [place, R] : {std::pair(Vec2(x, y), Mat3(Mat3::Identity())),
                                   {Vec2(x + 256 * cell, y), Mat3::Identity()},
                                   {Vec2(y, x + 256 * cell), along_y}}) {
      const RimPlane w = rim_at(Vec3(place.x(), place.y(), fine->height(place.x(), place.y()) + 0.1), R);
      EXPECT_EQ(search_cells(grid, w, &memo).h, search_cells(grid, w).h);
    }
  }
}

TEST(RimSearch, OnAnEdgeTheTouchingPlaneHoldsTheRimsTangent) {
  // A roof whose ridge runs at 30 degrees to the wheel: the normal stands on the ridge.
  const auto terrain = rim_terrain(
      "kind = \"function\"\nexpression = \"-0.5*abs(0.866025403784*(x-0.02) + 0.5*y)\"\nsampled = true\n"
      "size = [2, 2]\ncells = [2000, 2000]\n");
  const RimPlane w = rim_at({0, 0, 0.1}, Mat3::Identity());
  const RimContact c = search_cells(*terrain->bilinear_view(), w);
  const double cosine = std::sqrt(1 - c.sine * c.sine);
  const Vec3 tangent = cosine * w.n + c.sine * w.b, normal(-c.slope_x, -c.slope_y, 1);
  EXPECT_NEAR(normal.dot(tangent), 0, 1e-9);
  EXPECT_NEAR(c.sine, 0.02 / kRadius, 2e-2);
}

TEST(RimSearch, GroundAboveTheCentreIsAWall) {
  // A face 0.4 m high, 0.1 m ahead of the hub: it reaches 2 cm into the rim; the floor carries.
  HeightField field = make_field(GridGeometry::spanning(201, 201, {-1, 1, -1, 1}), "wall");
  for (int j = 0; j < 201; ++j)
    for (int i = 111; i < 201; ++i) field.at(i, j) = 0.4f;
  const Grid grid(std::move(field));  // the face rises from x = 0.10 to x = 0.11
  const RimContact c = search_cells(grid.view(), rim_at({0, 0, 0.115}, Mat3::Identity(), 0.004));
  EXPECT_TRUE(c.found);
  EXPECT_NEAR(c.h, 0.005, 1e-9);
  EXPECT_NEAR(c.sine, 0, 1e-6);
  // The face crosses the line from the centre, 0.119 m up less 0.2582 u, at u = 0.10233.
  EXPECT_NEAR(c.wall, kRadius - std::hypot(0.10233, 0.2582 * 0.10233), 1e-4);
  EXPECT_GT(c.wall_u, 0);
  // Far enough away there is none.
  EXPECT_EQ(search_cells(grid.view(), rim_at({-0.05, 0, 0.115}, Mat3::Identity(), 0.004)).wall, 0);
}

TEST(RimSearch, BesideTheGridItsEdgeGoesOn) {
  HeightField field = make_field(GridGeometry::spanning(21, 21, {-1, 1, -1, 1}), "edge");
  for (float& z : field.z) z = 0.3f;
  const Grid grid(std::move(field));
  const RimContact c = search_cells(grid.view(), rim_at({7, -9, 0.41}, rotation_from_rpy(0.1, 0.1, 2)));
  EXPECT_TRUE(c.found);
  EXPECT_GT(c.h, 0.0);
}

TEST(HeightTable, HoldsEveryHeightOfARectangle) {
  const auto terrain = rim_terrain(kRough[0].terrain);
  RandomStream random(5, 0, "heights");
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(-0.6, 0.5), y = random.uniform(-0.6, 0.5);
    const Rectangle area{x, x + random.uniform(0, 0.3), y, y + random.uniform(0, 0.3)};
    const HeightRange range = terrain->height_range(area);
    for (int k = 0; k < 50; ++k) {
      const double z =
          terrain->height(random.uniform(area.x_min, area.x_max), random.uniform(area.y_min, area.y_max));
      EXPECT_GE(z, range.low - 1e-9);
      EXPECT_LE(z, range.high + 1e-9);
    }
  }
  // And no looser than its tiles: a quarter of the map is not the whole.
  const HeightRange all = terrain->height_range({-1, 1, -1, 1}),
                    part = terrain->height_range({0, 0.1, 0, 0.1});
  EXPECT_LT(part.high - part.low, 0.9 * (all.high - all.low));
}

}  // namespace
}  // namespace scree
