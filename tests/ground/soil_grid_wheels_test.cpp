/// A wheel of kind soil_grid on its link: what it tells the implicit step, against differences.
#include <gtest/gtest.h>

#include <random>

#include "ground/led_wheel.hpp"
#include "scree/terrain/flat.hpp"

namespace scree {
namespace {

/// One on soil that deforms.
class SoilGridWheel : public testing::LedWheel {
 public:
  explicit SoilGridWheel(const char* soil)
      : LedWheel("kind = \"soil_grid\"", 0.125, 0.16, flat_), soils_(load_soil(soil)) {
    view.tiles = &tiles_, view.grid = &grid_, view.soils = &soils_;
  }
  /// A step at constant speed.
  void roll(LinkMotion& link, double spin) {
    touch(link, spin);
    finish(link, spin);
    press(tiles_);
    link.X_WL.p += step.dt * (link.X_WL.R * link.V_WL_L.head<3>());
    link.X_WL.R = link.X_WL.R * rotation_about(Vec3::UnitZ(), step.dt * link.V_WL_L[5]);
  }

 private:
  inline static const Flat flat_{};
  SoilGridSettings grid_;
  SoilTiles tiles_{0.02, 1000};
  GroundSoils soils_;
};

/// Pose and speed with a share of what an acceleration does in a step: dt/2 of it to the speed, dt²/4 to the
/// place, which is what the forces in the middle of the step answer to.
LinkMotion with_acceleration(const LinkMotion& link, const Vec6& a, double dt) {
  LinkMotion out = link;
  out.V_WL_L += 0.5 * dt * a;
  out.X_WL.p += link.X_WL.R * Vec3(0.25 * dt * dt * a.head<3>());
  const Vec3 turn = 0.25 * dt * dt * a.tail<3>();
  if (turn.norm() > 0) out.X_WL.R = link.X_WL.R * rotation_about(turn.normalized(), turn.norm());
  return out;
}

TEST(SoilGridWheels, WhatTheyLoseByAccelerationIsTheSlopeOfTheirForcesInTheMain) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const double step = 2e-3;  // of the differences
  for (const char* soil : {"dry_sand", "mars_regolith"})
    for (int trial = 0; trial < 8; ++trial) {
      SoilGridWheel wheel(soil);
      LinkMotion link;
      const double yaw = 3 * unit(random);
      link.X_WL = {rotation_from_rpy(0.05 * unit(random), 0.05 * unit(random), yaw), Vec3::Zero()};
      link.X_WL.p.z() = 0.105 - (link.X_WL.R * testing::kLedHub).z();  // the hub 2 cm deep
      const Vec3 way =
          rotation_about(Vec3::UnitZ(), yaw) * Vec3(0.15 + 0.05 * unit(random), 0.03 * unit(random), 0);
      link.V_WL_L << link.X_WL.R.transpose() * way, Vec3::Zero();
      const double spin = 1.5;
      for (int i = 0; i < 700; ++i) wheel.roll(link, spin);
      // It sinks a little deeper: soil that is being pressed, whose slopes are those of the law.
      link.V_WL_L.head<3>() -= link.X_WL.R.transpose() * Vec3(0, 0, 0.01);
      link.X_WL.p.z() -= 0.002;
      const SoilGridWheel::Answer at = wheel.touch(link, spin);
      ASSERT_GT(at.link.wrench[2], 10);
      const double dt = wheel.step.dt;
      for (int k = 0; k < 7; ++k) {
        Vec6 a = Vec6::Zero();
        double spin_rate = 0;
        const double much = step / (0.5 * dt) * (k < 3 ? 1 : 5);
        (k < 6 ? a[k] : spin_rate) = much;
        const auto up = wheel.touch(with_acceleration(link, a, dt), spin + 0.5 * dt * spin_rate);
        const auto down = wheel.touch(with_acceleration(link, -a, dt), spin - 0.5 * dt * spin_rate);
        const Vec6 seen = -(up.link.wrench - down.link.wrench) / (2 * much);
        const Vec6 told = k < 6 ? Vec6(at.link.apparent.col(k)) : at.rotor.column;
        const double rotor_seen = -(up.rotor.torque - down.rotor.torque) / (2 * much);
        const double rotor_told = at.rotor.apparent;
        const double size = at.link.apparent.topLeftCorner<3, 3>().norm();
        // Level soil answers to what sinks alone; going on is felt as far as the link is tilted.
        if (k == 0) {
          for (const int r : {0, 2}) EXPECT_NEAR(told[r] / size, seen[r] / size, 0.02) << soil << trial << r;
        }
        // That shear grows with the pressure is left out: the side and pull of what sinks.
        if (k == 2) {
          EXPECT_NEAR(told[2] / seen[2], 1, 0.15) << soil << " " << trial;
        }
        if (k == 1) {
          EXPECT_NEAR(told[1] / seen[1], 1, 0.15) << soil << " " << trial;
        }
        // Slip: falling branches are left out, so that the rotor resists more than the forces.
        if (k == 6) {
          EXPECT_GT(rotor_told, 0.9 * rotor_seen) << soil << " " << trial;
          EXPECT_LT(rotor_told, 2 * rotor_seen) << soil << " " << trial;
        }
      }
    }
}

}  // namespace
}  // namespace scree
