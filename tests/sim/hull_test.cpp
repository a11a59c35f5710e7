/// Robots on their bellies, noses and roofs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scenarios.hpp"
#include "scree/core/random.hpp"
#include "scree/mechanism/balance.hpp"

namespace scree::testing {
namespace {

const char* kRock = R"(
format = 1
duration = 8.0
[terrain]
kind = "bump"
rise = 0.2
length = 0.4
width = 0.3
[[robot]]
model = "vivi"
start = { position = [-2.0, 0.0] }
[robot.control]
kind = "speed"
speed = 0.5
[[event]]
kind = "hull_contact"
)";

bool touched_its_hull(const Simulation& s) {
  for (const Event& e : s.events())
    if (e.kind == "hull_contact") return true;
  return false;
}

TEST(Hull, ARockBetweenTheWheelsStopsTheRobot) {
  for (const double rise : {0.2, 0.35, 0.5}) {
    Simulation s(scenario_of(kRock, {fmt::format("terrain.rise={}", rise)}));
    run_to(s, 8);
    EXPECT_TRUE(touched_its_hull(s)) << rise;
    EXPECT_LT(position(s).x(), -0.3) << rise;
    EXPECT_LT(std::abs(Look(s)("speed")), 0.02) << rise;
  }
  // Lower than the belly, it passes under.
  Simulation low(scenario_of(kRock, {"terrain.rise=0.1"}));
  run_to(low, 8);
  EXPECT_FALSE(touched_its_hull(low));
  EXPECT_GT(position(low).x(), 1.5);
}

/// Put down across a bank that is higher than its belly: the wheels hang, it stays there.
TEST(Hull, HighCentredItHangsAndCarriesItsWeightOnTheBank) {
  Simulation s(scenario_of(kRock, {"terrain={kind=\"trench\",start=-0.15,width=0.26,depth=-0.3}",
                                   "robot.0.start={clearance=0.001}", "robot.0.control.speed=0.0"}));
  run_to(s, 5);
  const Look look(s);
  double load = 0;
  for (const auto& wheel : s.world().robots()[0].model->wheels())
    load += look("wheel." + wheel.settings.name + ".normal");
  EXPECT_TRUE(touched_its_hull(s));
  EXPECT_LT(load, 0.2 * 45 * 9.81);
  EXPECT_LT(position(s).head<2>().norm(), 0.05);
  EXPECT_LT(fastest(s), 0.02);
}

TEST(Hull, OnItsRoofItComesToRestAndDoesNotCreep) {
  for (const char* model : {"vivi", "skid4", "her", "hexa", "rocker"}) {
    Simulation s(scenario_of(R"(
format = 1
duration = 6.0
[terrain]
kind = "flat"
slope_deg = 10.0
[[robot]]
model = "skid4"
set = ["drive.kind=\"torque\""]
start = { roll_deg = 175.0, pitch_deg = -8.0, clearance = 0.1 }
[[event]]
kind = "rolled_over"
[[event]]
kind = "hull_contact"
)",
                             {fmt::format("robot.0.model=\"{}\"", model)}));
    run_to(s, 4);
    const Vec3 before = position(s);
    EXPECT_TRUE(touched_its_hull(s)) << model;
    run_to(s, 6);
    EXPECT_LT((position(s) - before).norm(), 1e-4) << model;
  }
}

/// Thrown anyhow onto nasty ground, without drive: what it has never exceeds what it had.
TEST(Hull, ThrownOntoAnyGroundItGainsNoEnergy) {
  const char* grounds[] = {
      "terrain={kind=\"rocks\",sampled=false,cover=0.2,smallest=0.1,largest=0.5,size=[12.0,12.0],seed=4}",
      "terrain={kind=\"step\",start=0.0,rise=0.4}",
      "terrain={kind=\"fbm\",hurst=0.36,sigma=0.02,size=[6.0,6.0],cells=[256,256],seed=3}",
      "terrain={kind=\"stairs\",start=-1.0}"};
  RandomStream random(21, 0, "throws");
  for (const char* ground : grounds) {
    for (int i = 0; i < 5; ++i) {
      Simulation s(scenario_of(
          R"(
format = 1
duration = 2.0
[[robot]]
model = "vivi"
set = ["drive.kind=\"torque\"", "battery.voltage=0"]
[[event]]
kind = "rolled_over"
)",
          {ground, fmt::format("robot.0.start={{position=[{:.3f},{:.3f}],clearance={:.3f},roll_deg={:.1f},"
                               "pitch_deg={:.1f},yaw_deg={:.1f},speed={:.2f}}}",
                               random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0, 0.4),
                               random.uniform(-180, 180), random.uniform(-80, 80), random.uniform(-180, 180),
                               random.uniform(0, 2))}));
      const double first = mechanical_energy(s);
      for (double t = 0.05; t <= 2.0; t += 0.05) {
        run_to(s, t);
        // Nothing is stored at the start; 1 J is 2 mm of height.
        EXPECT_LT(mechanical_energy(s), first + 1) << ground << " throw " << i << " at " << t;
      }
    }
  }
}

/// Mirrored starts on mirrored ground end mirrored.
TEST(Hull, LeftIsTheMirrorOfRight) {
  const auto end = [](double side) {
    Simulation s(scenario_of(
        kRock, {"terrain.rise=0.3", "terrain.length=0.8", "terrain.width=0.6", "robot.0.control.speed=0.0",
                fmt::format("robot.0.start={{position=[0.1,{}],roll_deg={},clearance=0.1}}", side * 0.15,
                            side * 20)}));
    run_to(s, 1.0);
    return position(s);
  };
  const Vec3 left = end(1), right = end(-1);
  EXPECT_NEAR(left.x(), right.x(), 1e-7);
  EXPECT_NEAR(left.y(), -right.y(), 1e-7);
  EXPECT_NEAR(left.z(), right.z(), 1e-7);
}

}  // namespace
}  // namespace scree::testing
