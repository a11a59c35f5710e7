/// Which search a wheel gets, what it is told of the ground, and walls seen from any side.
#include "scree/ground/contact_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "many_slices.hpp"
#include "scree/core/random.hpp"
#include "scree/ground/wall_search.hpp"
#include "scree/terrain/grid.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

using namespace lane;
using testing::terrain_of;
using testing::wall_by_points;

constexpr double kContactRadius = 0.12;

void put_wheel(WheelPlanes& w, int k, const Vec3& centre, const Mat3& R) {
  const auto set = [k](V3<Lanes>& to, const Vec3& v) { to.x[k] = v.x(), to.y[k] = v.y(), to.z[k] = v.z(); };
  set(w.centre, centre), set(w.n, R.col(0)), set(w.b, R.col(2));
  w.radius[k] = kContactRadius, w.guess[k] = 0;
}
WheelPlanes wheels_at(const Vec3& centre, const Mat3& R) {
  WheelPlanes w{};
  for (int k = 0; k < kLanes; ++k) put_wheel(w, k, centre, R);
  return w;
}
RimPlane plane_at(const Vec3& centre, const Mat3& R, double standing) {
  return {centre, R.col(0), R.col(1), R.col(2), kContactRadius, standing};
}

WheelContacts contacts_on(const Terrain& terrain, const WheelPlanes& w, Lanes standing, int count = kLanes) {
  static const SliceTable slices(20);
  RimGround ground;
  ground.terrain = &terrain, ground.slices = &slices;
  ground.slope_bound = std::numeric_limits<double>::infinity();
  return find_contacts(ground, w, standing, count);
}

/// Steps of 0.1 m across a grid of 1 cm, in x and y.
Grid block_grid() {
  HeightField field = make_field(GridGeometry::spanning(201, 201, {-1, 1, -1, 1}), "blocks");
  for (int j = 0; j < 201; ++j)
    for (int i = 0; i < 201; ++i) field.at(i, j) = 0.1f * static_cast<float>((i / 23 + j / 19) % 3);
  return Grid(std::move(field));
}

TEST(ContactSearch, GentleGroundWithSmallFeaturesIsNotLeftToSlices) {
  // A needle of 4 mm that no slope above 0.6 belongs to, between two slices.
  HeightField field = make_field(GridGeometry::spanning(201, 201, {-1, 1, -1, 1}), "needle");
  field.at(104, 100) = 0.004f;  // x = 0.04
  const Grid grid(std::move(field));
  const WheelContacts c =
      contacts_on(grid, wheels_at({0.012, 0, kContactRadius}, Mat3::Identity()), lanes(kContactRadius));
  EXPECT_NEAR(c.h[0], 0.004 + std::sqrt(kContactRadius * kContactRadius - 0.028 * 0.028) - kContactRadius,
              1e-4);
  EXPECT_EQ(
      c.h[0],
      search_cells(grid.view(), plane_at({0.012, 0, kContactRadius}, Mat3::Identity(), kContactRadius)).h);
}

TEST(ContactSearch, WallsAreFoundWhereverThereAreAny) {
  const Grid grid = block_grid();
  RandomStream random(3, 0, "walls");
  int walls = 0;
  for (int i = 0; i < 2000; ++i) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(-3, 3));
    const double x = random.uniform(-0.8, 0.8), y = random.uniform(-0.8, 0.8),
                 stood = random.uniform(0, 0.03);
    const Vec3 centre(x, y, grid.height(x, y) + random.uniform(0.02, 0.13));
    const WheelContacts c = contacts_on(grid, wheels_at(centre, R), lanes(stood), 1);
    const RimWall wall = find_wall(grid, plane_at(centre, R, stood), grid.cell());
    EXPECT_EQ(c.wall[0], wall.depth) << i;
    EXPECT_EQ(c.wall_x[0], wall.x) << i;
    EXPECT_EQ(c.h[2], c.h[0]) << i;  // idle lanes repeat the first
    walls += wall.depth > 0 && wall.depth < 0.03;
  }
  EXPECT_GT(walls, 200);
}

TEST(ContactSearch, WheelsOnGentleAndOnSteepGroundGetTheirOwn) {
  const auto ground = terrain_of("kind = \"step\"\nstart = 0.0\nrise = 0.2\n");
  WheelPlanes w = wheels_at({-2, 0, 0.11}, Mat3::Identity());
  put_wheel(w, 1, {-0.1, 0, 0.11}, Mat3::Identity());
  put_wheel(w, 3, {2, 0, 0.31}, Mat3::Identity());
  const WheelContacts c = contacts_on(*ground, w, lanes(0.01));
  for (const int k : {0, 2, 3}) {
    EXPECT_NEAR(c.h[k], 0.01, 1e-9) << k;
    EXPECT_EQ(c.wall[k], 0) << k;
  }
  EXPECT_GT(c.wall[1], 0.01);
}

TEST(ContactSearch, AWheelInsideTheGroundKnowsHowDeep) {
  const auto ground = terrain_of("kind = \"function\"\nexpression = \"2*x\"\n");
  const WheelContacts c = contacts_on(*ground, wheels_at({0.3, 0, -1.4}, Mat3::Identity()), lanes(0.01));
  EXPECT_FALSE(c.valid[0]);
  EXPECT_NEAR(c.buried[0], 2, 1e-12);
  // One that lies on its side touches nothing and is not buried.
  const WheelContacts side =
      contacts_on(*ground, wheels_at({0.3, 0, 0.5}, rotation_from_rpy(0.5 * kPi, 0, 0)), lanes(0.01));
  EXPECT_FALSE(side.valid[0]);
  EXPECT_EQ(side.buried[0], 0);
}

/// Sloping ground that says what it was asked about.
class AskedGround : public Terrain {
 public:
  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) row.z[k] = 0.1 * row.x[k], row.slope_x[k] = 0.1, row.slope_y[k] = 0;
  }
  double slope_bound(const Rectangle& area) const override { return asked = area, 1; }
  std::string summary() const override { return "asked"; }
  mutable Rectangle asked;
};

TEST(ContactSearch, TheGroundIsAskedAboutAllThatARimCanReach) {
  const AskedGround ground;
  RandomStream random(5, 0, "areas");
  for (int i = 0; i < 200; ++i) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(-3, 3));
    const Vec3 centre(random.uniform(-1, 1), random.uniform(-1, 1), 0.1);
    const double stood = i % 2 == 0 ? 0.03 : 1e300;
    contacts_on(ground, wheels_at(centre, R), lanes(stood), 1);
    for (const double u : {-1.0, 1.0}) {
      for (const double t : {-1.5 * kContactRadius, std::min(stood, 3 * kContactRadius)}) {
        const Vec3 p = centre + u * kContactRadius * R.col(0) + t * R.col(2);
        EXPECT_GE(p.x(), ground.asked.x_min - 1e-12);
        EXPECT_LE(p.x(), ground.asked.x_max + 1e-12);
        EXPECT_GE(p.y(), ground.asked.y_min - 1e-12);
        EXPECT_LE(p.y(), ground.asked.y_max + 1e-12);
      }
    }
  }
}

RimWall wall_of(const std::string& expression, double feature, const Vec3& centre = {0, 0, 0.1}) {
  const auto ground = terrain_of(fmt::format("kind = \"function\"\nexpression = \"{}\"\n", expression));
  return find_wall(*ground, plane_at(centre, Mat3::Identity(), 0.0), feature);
}

TEST(Walls, TheWayOutIsTheNormalOfTheFaceWhereItIsEntered) {
  // A face across the way at 30 degrees, 3 cm high above the feeler; behind it the ground goes on rising
  // gently.
  const std::string along = "(0.866025403784*x+0.5*y)";
  const RimWall wall = wall_of(fmt::format("min(130*max({0}-0.01,0),0.13)+0.2*max({0}-0.02,0)", along), 0.01);
  EXPECT_GT(wall.u, 0.05);  // deepest far behind the face
  EXPECT_NEAR(wall.x, -0.866025403784, 1e-6);
  EXPECT_NEAR(wall.y, -0.5, 1e-6);
  // A slope below 1 is no face.
  const RimWall slope = wall_of("0.13+0.9*x", 0.05);
  EXPECT_GT(slope.depth, 0.01);
  EXPECT_EQ(slope.x, 0);
  EXPECT_EQ(slope.y, 0);
  // Nor is a face behind a centre that is inside the ground itself.
  for (double behind = 0.0002; behind < 0.003; behind += 0.0004) {
    const RimWall inside =
        wall_of(fmt::format("min(1000*max(x+{},0),0.13)+0.1*max(x,0)", behind + 1e-4), 0.01);
    EXPECT_GT(inside.depth, 0.02);
    EXPECT_EQ(inside.x, 0) << behind;
  }
}

TEST(Walls, FacesBelowTheCentreAreMetByTheFeelersBelow) {
  // The top of a block lies 1 cm below the centre; the feeler enters it where it is that low.
  const RimWall wall = wall_of("0.09*min(max(1000*(x-0.02),0),1)", 0.01);
  const double per = 1 / std::hypot(1, kWallRise), s = kContactRadius, below = kWallRise * per;
  EXPECT_NEAR(wall.t, -below * wall.u / per, 1e-9);
  EXPECT_GT(wall.depth, 0);
  // min(R - s, below s - 0.01) is largest where both are the same.
  const double deepest = (s + 0.01) / (1 + below);
  EXPECT_NEAR(wall.depth, s - deepest, 1e-6);
  EXPECT_NEAR(wall.u, per * deepest, 1e-6);
}

TEST(Walls, KnowingHowSteepTheGroundIsChangesNone) {
  // Sharp crests that just reach a feeler between two looks.
  const auto ground = terrain_of("kind = \"function\"\nexpression = \"0.15-0.2*abs(sin(6*x+y))\"\n");
  RandomStream random(5, 0, "walls");
  int shallow = 0;
  for (int i = 0; i < 4000; ++i) {
    const double x = random.uniform(-2, 2), y = random.uniform(-2, 2);
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-3, 3));
    const RimPlane w = plane_at({x, y, ground->height(x, y) + random.uniform(0, 0.1)}, R, 0.01);
    const RimWall plain = find_wall(*ground, w, 0.1);
    const double bound = ground->slope_bound({x - 0.2, x + 0.2, y - 0.2, y + 0.2});
    const RimWall bounded = find_wall(*ground, w, 0.1, bound);
    EXPECT_EQ(plain.depth, bounded.depth) << i;
    EXPECT_EQ(plain.u, bounded.u) << i;
    shallow += plain.depth > 0 && plain.depth < 0.002;
  }
  EXPECT_GT(shallow, 40);
}

TEST(Walls, PostsAreMetThoughTheirSizeIsNotKnown) {
  for (double at = 0.01; at < 0.1; at += 0.003) {
    const auto ground = terrain_of(
        fmt::format("kind = \"function\"\nexpression = \"0.3*min(max(2-abs(x-{})/0.006,0),1)\"\n", at));
    const RimPlane w = plane_at({0, 0, 0.1}, Mat3::Identity(), 0.0);
    EXPECT_NEAR(find_wall(*ground, w, 0).depth, wall_by_points(*ground, w, 8000), 5e-5) << at;
  }
}

}  // namespace
}  // namespace scree
