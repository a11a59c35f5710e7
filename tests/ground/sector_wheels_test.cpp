/// Wheels of sectors on their link: what they tell the implicit step, against differences of their forces.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "ground/led_wheel.hpp"
#include "scree/core/random.hpp"
#include "support/terrain.hpp"

namespace scree {
namespace {

/// Brushes deflected at random and slow speeds: friction below, at and beyond what sticks, so that every term
/// is there. A step so short that springs do not count: what is lost by an acceleration is theta dt times the
/// forces' fall with the speeds. The speed that wears the brushes off is left out by design; stiff slip makes
/// that a thousandth.
TEST(SectorWheels, WhatTheyLoseByAccelerationIsTheFallOfTheirForces) {
  RandomStream random(7, 0, "led");
  const char* kinds[] = {"kind = \"flat\"\nslope = 0.3\nuphill = 0.7\n",
                         "kind = \"sines\"\namplitude = 0.05\nwavelength_x = 0.7\nwavelength_y = 0.9\n",
                         "kind = \"step\"\nstart = 0.0\nrise = 0.05\n"};
  int felt = 0;
  for (const char* ground : kinds) {
    const auto terrain = testing::terrain_of(ground);
    for (int trial = 0; trial < 60; ++trial) {
      testing::LedWheel wheel(
          fmt::format("kind = \"sectors\"\nslip_stiffness = {}\ncornering_stiffness = {}\n"
                      "friction_x = {}\nfriction_y = {}\n",
                      random.uniform(4e4, 2e5), random.uniform(4e4, 2e5), random.uniform(0.3, 1),
                      random.uniform(0.3, 1)),
          0.12, 0.08, *terrain);
      wheel.step = {1e-7, 0.5, 0.5, 1};
      for (double& u : wheel.memory) u = random.uniform(-4e-5, 4e-5);
      LinkMotion link;
      link.X_WL = {
          rotation_from_rpy(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-3, 3)),
          Vec3(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), 0)};
      const Vec3 hub = link.X_WL * testing::kLedHub;
      link.X_WL.p.x() -= hub.x(), link.X_WL.p.y() -= hub.y();  // the hub near the origin
      link.X_WL.p.x() += random.uniform(-0.1, 0.1);
      const Vec3 over = link.X_WL * testing::kLedHub;
      link.X_WL.p.z() += terrain->height(over.x(), over.y()) + random.uniform(0.08, 0.115) - over.z();
      for (int k = 0; k < 6; ++k) link.V_WL_L[k] = random.uniform(-1e-3, 1e-3);
      const double spin = random.uniform(-1e-2, 1e-2);
      const auto at = wheel.touch(link, spin);
      const testing::LedWheel::Mat7 told = at.apparent() / (0.5 * wheel.step.dt),
                                    seen = wheel.fall(link, spin);
      const double size = seen.norm();
      if (!(size > 0)) continue;
      ++felt;
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j)
          EXPECT_NEAR(told(i, j) / size, seen(i, j) / size, 5e-3)
              << ground << trial << ": " << i << ' ' << j << '\n'
              << told << "\n\n"
              << seen;
    }
  }
  EXPECT_GT(felt, 150);
}

}  // namespace
}  // namespace scree
