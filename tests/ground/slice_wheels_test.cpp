/// Suspended wheels on their link: what they tell the implicit step, against differences of their forces.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "ground/led_wheel.hpp"
#include "scree/core/random.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

/// Wheels alone and by fours, in the axes of their link and turned, slow and with deflected brushes, on
/// ground that tilts any way; a step so short that springs do not count: what is lost by an acceleration is
/// theta dt times the forces' fall with the speeds. Tyres whose coefficients follow the load are left out,
/// and so is by design how fast speed wears the brushes off and what friction changes of the load that rolls.
TEST(SliceWheels, WhatTheyLoseByAccelerationIsTheFallOfTheirForces) {
  RandomStream random(8, 0, "led slices");
  const SliceTable slices{20};
  int felt = 0, rolled = 0;
  for (const char* ground :
       {"kind = \"flat\"\n", "kind = \"flat\"\nslope = 0.3\nuphill = 0.7\n",
        "kind = \"sines\"\namplitude = 0.05\nwavelength_x = 0.7\nwavelength_y = 0.9\n"}) {
    const auto terrain = testing::terrain_of(ground);
    for (int trial = 0; trial < 80; ++trial) {
      const bool square = trial % 2 == 0;
      const Mat3 axes = square ? Mat3::Identity()
                               : rotation_from_rpy(random.uniform(-0.2, 0.2), random.uniform(-0.1, 0.1),
                                                   random.uniform(-0.5, 0.5));
      const double resistance = trial % 4 < 2 ? 0.4 : 0.015;
      testing::LedWheel wheel("kind = \"slices\"", 0.12, 0.08, *terrain, [&](ContactElement& e) {
        e.axes = axes;
        e.spin_inertia = 0.02;
        e.tyre.kind = "constant";
        e.tyre.relaxation_length = 0.2;
        e.tyre.rolling_resistance = resistance;
      });
      wheel.view.slices = &slices;
      wheel.step = {1e-7, 0.5, 0.5, 8};
      LinkMotion link;
      link.X_WL = {
          rotation_from_rpy(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-3, 3)),
          Vec3::Zero()};
      const Vec3 hub = link.X_WL * testing::kLedHub;
      link.X_WL.p = -hub;
      link.X_WL.p.z() += terrain->height(0, 0) + random.uniform(0.09, 0.1);
      for (int k = 0; k < 6; ++k) link.V_WL_L[k] = random.uniform(-3e-3, 3e-3);
      const double spin = random.uniform(-0.1, 0.1);
      // The memory as steps leave it, deflected.
      wheel.touch(link, spin);
      wheel.finish(link, spin);
      for (int k = 0; k < 8; ++k) wheel.memory[k] = random.uniform(-5e-4, 5e-4);
      const auto at = wheel.touch(link, spin);
      const testing::LedWheel::Mat7 told = at.apparent() / (0.5 * wheel.step.dt),
                                    seen = wheel.fall(link, spin);
      if (!(seen.norm() > 0)) continue;
      ++felt;
      rolled += resistance > 0.1;
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j)
          EXPECT_NEAR(told(i, j), seen(i, j), 1e-2 * std::sqrt(seen.row(i).norm() * seen.col(j).norm()))
              << ground << trial << ": " << i << ' ' << j << '\n'
              << told << "\n\n"
              << seen;
    }
  }
  EXPECT_GT(felt, 200);
  EXPECT_GT(rolled, 100);
}

}  // namespace
}  // namespace scree
