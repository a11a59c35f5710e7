/// Where no wall is looked for there is none, however wheels move.
#include "scree/ground/near_walls.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"
#include "scree/ground/contact_search.hpp"
#include "scree/ground/wall_search.hpp"
#include "upright_grounds.hpp"

namespace scree {
namespace {

using testing::upright_grounds;

constexpr double kNearWallRadius = 0.12;

/// A wheel that moves along, turns, or is lifted: each alone or all together.
struct WanderingWheel {
  RimPlane plane;
  Vec3 way = Vec3::Zero(), axis = Vec3::UnitZ();
  double turn = 0, lift = 0;

  WanderingWheel(const Terrain& terrain, int kind, RandomStream& random) {
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-3, 3));
    const double x = random.uniform(-1.5, 1.5), y = random.uniform(-1.5, 1.5);
    plane = {{x, y, terrain.height(x, y) + random.uniform(0.06, 0.13)},
             R.col(0),
             R.col(1),
             R.col(2),
             kNearWallRadius,
             random.uniform(0, 0.03)};
    const double size = random.uniform(0, 1);
    if (kind == 0 || kind == 1)
      way = 0.004 * size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.2, 0.2));
    axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    if (kind == 0 || kind == 2) turn = 0.03 * size;
    if (kind == 0 || kind == 3) lift = 0.002 * size * (random.uniform(-1, 1) > 0 ? 1 : -1);
  }
  void go_on() {
    const Mat3 R = rotation_about(axis, turn);
    plane.centre += way;
    plane.n = R * plane.n, plane.a = R * plane.a, plane.b = R * plane.b;
    plane.standing = std::max(plane.standing + lift, 0.0);
  }
};

TEST(NearWalls, FeelersMeetNothingWithinTheirRoom) {
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(3, 0, "rooms");
    int clear = 0, close = 0;
    for (int i = 0; i < 6000; ++i) {
      WanderingWheel wheel(*terrain, i % 4, random);
      const double most = (i % 3 == 0 ? 0.03 : 0.005),
                   room = wall_room(*terrain->bilinear_view(), wheel.plane, most);
      EXPECT_LE(room, most);
      if (!(room > 0)) continue;
      (room < most ? close : clear) += 1;
      for (int k = 0; k < 5; ++k) {
        const Vec3 way =
            Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
        RimPlane moved = wheel.plane;
        moved.centre += (k == 0 ? Vec3(-room * Vec3::UnitZ()) : Vec3(room * way));
        EXPECT_EQ(find_wall(*terrain, moved, 0.01).depth, 0) << i << " room " << room;
      }
    }
    EXPECT_GT(clear, 300);
    EXPECT_GT(close, 100);
  }
}

/// Every wall is found in every step, with the bits that a search alone finds.
TEST(NearWalls, WheelsThatWanderFindEveryWall) {
  static const SliceTable slices(20);
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(4, 0, "wanderers");
    int walls = 0, shallow = 0, none = 0;
    NearPlaces places;
    for (int walk = 0; walk < 400; ++walk) {
      std::vector<WanderingWheel> wheels;
      for (int k = 0; k < kLanes; ++k) wheels.emplace_back(*terrain, (walk + k) % 4, random);
      for (int step = 0; step < 40; ++step) {
        WheelPlanes w{};
        Lanes standing{};
        for (int k = 0; k < kLanes; ++k) {
          const RimPlane& p = wheels[k].plane;
          const auto set = [k](V3<Lanes>& to, const Vec3& v) {
            to.x[k] = v.x(), to.y[k] = v.y(), to.z[k] = v.z();
          };
          set(w.centre, p.centre), set(w.n, p.n), set(w.b, p.b);
          w.radius[k] = p.radius, standing[k] = p.standing;
        }
        RimGround ground;
        ground.terrain = terrain.get(), ground.slices = &slices, ground.places = &places;
        ground.slope_bound = std::numeric_limits<double>::infinity();
        const WheelContacts c = find_contacts(ground, w, standing, walk % 5 == 0 ? 3 : kLanes);
        for (int k = 0; k < (walk % 5 == 0 ? 3 : kLanes); ++k) {
          if (!(wheels[k].plane.b.z() > 0.1)) continue;
          const RimWall wall = find_wall(*terrain, wheels[k].plane, terrain->cell());
          EXPECT_EQ(c.wall[k], wall.depth) << walk << ' ' << step << ' ' << k;
          EXPECT_EQ(c.wall_u[k], wall.u) << walk << ' ' << step << ' ' << k;
          EXPECT_EQ(c.wall_x[k], wall.x) << walk << ' ' << step << ' ' << k;
          ++(wall.depth > 0.002 ? walls : wall.depth > 0 ? shallow : none);
        }
        for (WanderingWheel& wheel : wheels) wheel.go_on();
      }
    }
    EXPECT_GT(walls, 1000);
    EXPECT_GT(shallow, 50);
    EXPECT_GT(none, 5000);
  }
}

/// The same ground, which does not tell that it is a grid.
class PlainGround : public Terrain {
 public:
  explicit PlainGround(const Terrain& ground) : ground_(ground) {}
  void sample(const TerrainRow& row) const override { ground_.sample(row); }
  std::string summary() const override { return "plain"; }

 private:
  const Terrain& ground_;
};

TEST(NearWalls, AGridHasTheWallsOfAnyGround) {
  for (const auto& terrain : upright_grounds()) {
    const PlainGround plain(*terrain);
    RandomStream random(6, 0, "plain");
    int walls = 0;
    for (int i = 0; i < 9000; ++i) {
      const RimPlane plane = WanderingWheel(*terrain, 0, random).plane;
      const RimWall grid = find_wall(*terrain, plane, 0.02), any = find_wall(plain, plane, 0.02);
      EXPECT_EQ(grid.depth, any.depth) << i;
      EXPECT_EQ(grid.u, any.u) << i;
      EXPECT_EQ(grid.t, any.t) << i;
      EXPECT_EQ(grid.x, any.x) << i;
      walls += any.depth > 0;
    }
    EXPECT_GT(walls, 300);
  }
}

/// What is kept of one ground says nothing about another, nor of one wheel about a larger one.
TEST(NearWalls, AnotherGroundAndAnotherWheelAreLookedAtAnew) {
  const auto grounds = upright_grounds();
  RandomStream random(5, 0, "others");
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    WanderingWheel wheel(*grounds[0], 1, random);
    NearWalls walls;
    const auto near = [&](const Terrain& terrain, const RimPlane& p) {
      const RimPlane* of[kLanes] = {&p, &p, &p, &p};
      return walls.near(*terrain.bilinear_view(), side_by_side(of), Mask{-1, 0, 0, 0});
    };
    if (near(*grounds[0], wheel.plane)[0] != 0) continue;
    RimPlane larger = wheel.plane;
    larger.radius *= 1.5;
    for (const auto& [terrain, plane] :
         {std::pair(grounds[1].get(), wheel.plane), std::pair(grounds[0].get(), larger)}) {
      near(*grounds[0], wheel.plane);
      const Mask seen = near(*terrain, plane);
      EXPECT_EQ(seen[1] | seen[2] | seen[3], 0);
      if (!(find_wall(*terrain, plane, terrain->cell()).depth > 0)) continue;
      EXPECT_EQ(seen[0], -1) << i;
      ++found;
    }
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace scree
