/// Robots that meet: momentum, energy, who passes whom, the same bits whatever runs beside.
#include "scree/sim/encounters.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "scenarios.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/run.hpp"
#include "support/count_allocations.hpp"

namespace scree::testing {
namespace {

/// The second robot is parked in the way of the first.
const char* kTwo = R"(
format = 1
duration = 3.0
[terrain]
kind = "flat"
[[robot]]
name = "a"
model = "skid4"
start = { position = [-1.2, 0.1], speed = 1.0 }
[[robot]]
name = "b"
model = "skid4"
set = ["drive.speed=0.0"]
[[event]]
kind = "robot_contact"
)";

/// Momentum, angular momentum about the origin, and kinetic energy of all robots.
struct Motion {
  Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
  double energy = 0;
};
Motion motion(const Simulation& s) {
  Motion out;
  for (const WorldRobot& r : s.world().robots()) {
    const Tree& tree = r.model->tree();
    Workspace w(tree);
    RobotBlock block(*r.model, const_cast<double*>(s.state().block(r)));
    update_kinematics(tree, block.positions, block.velocities, w);
    out.energy += kinetic_energy(tree, w);
    const Momentum m = momentum(tree, w);
    out.momentum += m.linear, out.spin += m.angular;
  }
  return out;
}

/// In free space, with and without friction, from all sides: nothing is made out of nothing.
TEST(Encounters, MomentumIsKeptAndEnergyDoesNotGrow) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(-1, 1);
  int met = 0;
  double lost = 0, gained = 0;
  for (int i = 0; i < 40; ++i) {
    const char* models[] = {"skid4", "rocker", "her", "hexa"};
    const double yaw = 180 * unit(random);
    const std::string text = fmt::format(
        R"(
format = 1
duration = 4.0
terrain = {{ kind = "flat" }}
world = {{ gravity = [0, 0, 0], robot_friction = {} }}
solver = {{ step = {} }}
[[robot]]
name = "a"
model = "{}"
set = ["drive.kind=\"torque\""]
start = {{ position = [{}, {}], clearance = {}, speed = 1.0, yaw_deg = {}, roll_deg = {}, pitch_deg = {} }}
[[robot]]
name = "b"
model = "{}"
set = ["drive.kind=\"torque\""]
start = {{ position = [0, 0], clearance = 5.0, yaw_deg = {}, roll_deg = {}, pitch_deg = {} }}
[[event]]
kind = "robot_contact"
[[event]]
kind = "rolled_over"
ends_run = false
)",
        i % 2 ? 0.5 : 0.0, i % 4 < 2 ? 1e-3 : 5e-3, models[i % 4],
        -2.2 * std::cos(yaw * kDegree) + 0.2 * unit(random),
        -2.2 * std::sin(yaw * kDegree) + 0.2 * unit(random), 5 + 0.2 * unit(random), yaw, 60 * unit(random),
        60 * unit(random), models[(i / 4) % 4], 180 * unit(random), 60 * unit(random), 60 * unit(random));
    Simulation s(scenario_of(text));
    ASSERT_EQ(s.encounter_note(), "");
    const Motion before = motion(s);
    run_to(s, 4);
    const Motion after = motion(s);
    met += s.events().empty() ? 0 : 1;
    // What a step itself keeps of a body that tumbles: of second order. A meter of arm for the moment.
    const double kept = (i % 4 < 2 ? 5e-5 : 25 * 5e-5) * before.momentum.norm();
    EXPECT_LT((after.momentum - before.momentum).norm(), kept) << text;
    EXPECT_LT((after.spin - before.spin).norm(), 6 * kept) << "5 m above the origin\n" << text;
    gained = std::max(gained, after.energy / before.energy - 1);
    lost = std::max(lost, 1 - after.energy / before.energy);
  }
  EXPECT_GT(met, 30);
  EXPECT_LT(gained, 0.01);
  EXPECT_GT(lost, 0.05) << "impacts lose something";
}

double base_speed(const Simulation& s, int robot) {
  const WorldRobot& r = s.world().robots()[robot];
  return Eigen::Map<const Vec3>(s.state().block(r) + r.model->layout().velocities).norm();
}

/// At up to 3 m/s it climbs onto the other, pushes it or turns aside; neither is thrown.
TEST(Encounters, ARobotPushesAnotherAndDoesNotPassThroughIt) {
  for (const double step : {1e-3, 5e-3})
    for (const double speed : {0.2, 1.0, 3.0}) {
      Simulation s(scenario_of(kTwo, {fmt::format("solver.step={}", step),
                                      fmt::format("robot.0.set=[\"drive.speed={}\"]", speed / 0.12),
                                      fmt::format("robot.0.start.speed={}", speed), "duration=4.0",
                                      "robot.0.start.position=[-0.9,0.0]"}));
      const double start = position(s, 1).x();
      double highest_speed = 0;
      while (!s.finished()) {
        s.advance();
        highest_speed = std::max({highest_speed, base_speed(s, 0), base_speed(s, 1)});
        if (position(s, 0).z() < 0.25) {
          ASSERT_LT(position(s, 0).x(), position(s, 1).x() - 0.2) << speed << ' ' << step << ' ' << s.time();
        }
      }
      EXPECT_GT(position(s, 1).x(), start + 0.005) << speed << ' ' << step;
      EXPECT_FALSE(s.events().empty()) << speed << ' ' << step;
      EXPECT_LT(highest_speed, 1.3 * speed + 0.5) << speed << ' ' << step;
    }
}

/// Until it climbs: from then on rounding grows with every tooth of the wheels.
TEST(Encounters, LeftIsTheMirrorOfRight) {
  const auto ends = [](double side) {
    Simulation s(scenario_of(kTwo, {fmt::format("robot.0.start.position=[-1.2,{}]", 0.13 * side)}));
    run_to(s, 0.9);
    return std::pair{position(s, 0), position(s, 1)};
  };
  const auto left = ends(1), right = ends(-1);
  const Vec3 mirror(1, -1, 1);
  EXPECT_LT((left.first - right.first.cwiseProduct(mirror)).norm(), 1e-9);
  EXPECT_LT((left.second - right.second.cwiseProduct(mirror)).norm(), 1e-9);
  EXPECT_GT(std::abs(left.second.y()), 1e-4) << "it was hit off its middle";
}

TEST(Encounters, TheSameBitsOnAnyNumberOfThreadsAndWhoeverIsFarAway) {
  const auto hash = [](const std::vector<std::string>& changes, int threads) {
    Simulation s(scenario_of(kTwo, changes), threads);
    run_to(s, 2);
    return s.state().hash();
  };
  EXPECT_EQ(hash({}, 1), hash({}, 2));
  EXPECT_NE(hash({}, 1), hash({"world.robots_touch=false"}, 1));
  const std::string far = "robot.1.start={position=[0,30]}";
  EXPECT_EQ(hash({far}, 1), hash({far, "world.robots_touch=false"}, 1));
}

TEST(Encounters, RobotsThatStartInsideEachOtherAreLeftAlone) {
  const std::string same = "robot.1.start={position=[-1.2,0.1]}";
  Simulation ghosts(scenario_of(kTwo, {same})), apart(scenario_of(kTwo, {same, "world.robots_touch=false"}));
  EXPECT_THAT(ghosts.encounter_note(), ::testing::HasSubstr("'a' and 'b' start inside each other"));
  EXPECT_EQ(apart.encounter_note(), "");
  run_to(ghosts, 1), run_to(apart, 1);
  EXPECT_EQ(ghosts.state().hash(), apart.state().hash());
  EXPECT_TRUE(ghosts.events().empty());
}

TEST(Encounters, ARunGoesOnFromTheMiddleOfAContact) {
  const Scenario scenario = scenario_of(kTwo);
  Simulation whole(scenario);
  while (whole.events().empty()) whole.advance();
  for (int i = 0; i < 5; ++i) whole.advance();
  std::vector<double> values(whole.snapshot_size());
  whole.save(values);
  Simulation rest(scenario, SnapshotView{whole.layout(), values});
  run_to(whole, 3), run_to(rest, 3);
  EXPECT_EQ(whole.state().hash(), rest.state().hash());
}

TEST(Encounters, AStepAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "AddressSanitizer brings its own malloc";
  Simulation s(scenario_of(kTwo, {"event=[]"}));
  run_to(s, 0.8);
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) s.advance();
  EXPECT_EQ(counter.count(), 0);
  EXPECT_TRUE(s.workspace().report[0].met || s.workspace().report[1].met || position(s, 1).x() > 0.001);
}

}  // namespace
}  // namespace scree::testing
