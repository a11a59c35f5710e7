#pragma once
/// Four wheels alike, held at a pose and motion, for tests of their law.
#include "scree/ground/wheel.hpp"
#include "support/terrain.hpp"

namespace scree {

using namespace lane;

inline V3<Lanes> spread(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }

struct WheelBench {
  Tyre tyre{TyreSettings{}};
  std::unique_ptr<const Terrain> terrain;
  SliceTable slices{20};
  WheelPack pack;
  WheelMotion motion{};
  WheelMemory memory{};
  WheelGround ground;

  explicit WheelBench(const std::string& text = "kind = \"flat\"\n") {
    terrain = testing::terrain_of(text);
    pack.count = 4;
    pack.active = ~Mask{};
    pack.n = spread(Vec3::UnitX());
    pack.a = spread(Vec3::UnitY());
    pack.b = spread(Vec3::UnitZ());
    pack.radius = lanes(0.12);
    pack.spin_inertia = lanes(0.02);
    pack.suspension = {lanes(8000), lanes(350), lanes(0.05), lanes(9), lanes(0.01)};
    pack.tyre = &tyre;
    ground.terrain = terrain.get();
    ground.slices = &slices;
    ground.slope_bound = 1e9;
    set_pose(Mat3::Identity(), Vec3(0, 0, 0.11));
  }
  void set_pose(const Mat3& R, const Vec3& p) {
    motion.p = spread(p);
    motion.ex = spread(R.col(0));
    motion.ey = spread(R.col(1));
    motion.ez = spread(R.col(2));
  }
  WheelForces touch(const WheelStep& step) const {
    WheelForces f;
    touch_wheels(pack, motion, memory, ground, step, f);
    return f;
  }
};

}  // namespace scree
