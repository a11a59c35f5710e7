/// The step as a whole: determinism, symmetry, energy, allocations, failures.
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "scenarios.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/run.hpp"
#include "support/count_allocations.cpp"
#include "support/paths.hpp"

namespace scree::testing {
namespace {

TEST(Step, AllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "AddressSanitizer brings its own malloc";
  for (const char* method : {"implicit", "euler", "rk4"}) {
    for (const char* model : {"skid4", "vivi", "hexa", "rocker"}) {
      Simulation s(scenario_of(kSines, {fmt::format("solver.method=\"{}\"", method), "solver.step=1e-4",
                                        fmt::format("robot.model=\"{}\"", model)}));
      run_to(s, 0.05);
      AllocationCounter counter;
      for (int i = 0; i < 100; ++i) s.advance();
      EXPECT_EQ(counter.count(), 0) << method << ", " << model;
    }
  }
}

TEST(Step, ObservingAllocatesNothingAndChangesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "AddressSanitizer brings its own malloc";
  Simulation s(scenario_of(kSines));
  run_to(s, 0.5);
  std::vector<double> values(signal_catalog(s.world()).size());
  const auto before = s.state().hash();
  AllocationCounter counter;
  observe(s.world(), s.state(), s.workspace(), values);
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(s.state().hash(), before);
}

TEST(Step, SameScenarioSameBits) {
  const Scenario scenario = scenario_of(kSines, {"duration=2.0"});
  EXPECT_EQ(run(scenario, {}).state_hash, run(scenario, {}).state_hash);
}

TEST(Step, ARobotAmongOthersMovesAsItDoesAlone) {
  const std::string one = R"([[robot]]
model = "skid4"
name = "a"
start = { position = [-20.0, 0.7], clearance = 0.05 }
)";
  const std::string head =
      "format = 1\nduration = 2.0\n[terrain]\nkind = \"sines\"\namplitude = 0.15\nwavelength_x = "
      "4.0\nwavelength_y = 6.0\n";
  const std::string other = R"([[robot]]
model = "vivi"
name = "b"
start = { position = [3.0, 3.0] }
[[robot]]
model = "skid4"
name = "c"
start = { position = [-10.0, -2.0], yaw_deg = 40.0 }
)";
  Simulation alone(scenario_of(head + one)), among(scenario_of(head + one + other));
  run_to(alone, 2);
  run_to(among, 2);
  EXPECT_EQ(position(alone), position(among, 0));
  EXPECT_NE(position(among, 0), position(among, 2));
  EXPECT_NO_THROW(signal_catalog(among.world()).find("b.wheel.front_left.normal"));
}

TEST(Step, MirroredGroundGivesMirroredMotion) {
  const auto mirrored = [](double sign) {
    Simulation s(scenario_of(
        kSines, {"robot.start.position=[-20.0," + std::to_string(0.7 * sign) + "]", "duration=3.0"}));
    run_to(s, 3);
    return position(s);
  };
  // cos in y is even, so the ground is its own mirror image. Sums over lanes differ in order: rounding only.
  const Vec3 left = mirrored(1), right = mirrored(-1);
  EXPECT_NEAR(left.x(), right.x(), 1e-9);
  EXPECT_NEAR(left.y(), -right.y(), 1e-9);
}

TEST(Step, EnergyNeverGrowsWithoutInput) {
  // A drop without torque: bounce, slide, roll. Kinetic and potential energy of the body fall; the springs'
  // store is bounded by what the body has lost.
  Simulation s(
      scenario_of(kSines, {"robot.set=[\"drive.kind=\\\"torque\\\"\"]", "robot.start.clearance=0.3",
                           "robot.start.position=[0.4,0.3]", "robot.start.roll_deg=12", "duration=6.0"}));
  const WorldRobot& r = s.world().robots()[0];
  const auto energy = [&] {
    const Look look(s);
    double springs = 0;
    for (const auto& wheel : r.model->wheels()) {
      const double h = look("wheel." + wheel.settings.name + ".suspension");
      springs += 0.5 * 8000 * h * h;
    }
    return mechanical_energy(s) + springs;
  };
  const double start = energy();
  double least = start;
  for (int i = 1; i <= 120; ++i) {
    run_to(s, 0.05 * i);
    const double now = energy();
    // What may come back: the tyre's brush (C u²/2L, below 0.3 J a wheel here) and the step's own error.
    EXPECT_LT(now, least + 1.2) << "at " << s.time();
    least = std::min(least, now);
  }
  EXPECT_LT(energy(), start - 60);  // most of the 40 kg x 0.3 m drop went into the dampers
}

TEST(Step, ClearanceIsTheHeightOfTheFall) {
  const auto height = [](double clearance) {
    Simulation s(scenario_of(kSines, {fmt::format("robot.start.clearance={}", clearance)}));
    return position(s).z();
  };
  const auto touching = [](double clearance) {
    Simulation s(scenario_of(kSines, {fmt::format("robot.start.clearance={}", clearance)}));
    examine(s.world(), s.state(), 0, s.workspace());
    return s.workspace().report[0].touching;
  };
  const double touch = height(0);
  for (const double clearance : {0.0, -0.001, -0.01, 0.05, 0.5, 4.0})
    EXPECT_NEAR(height(clearance), touch + clearance, 1e-9);
  EXPECT_EQ(touching(1e-6), 0);
  EXPECT_GT(touching(-1e-6), 0);
}

TEST(Step, HullContactIsNeverMissed) {
  // Most steps ask the wheels' contacts and the steepest slope nearby whether the hull can touch at all; here
  // every column is looked at, in poses that clear, graze and enter the ground.
  const Scenario scenario =
      load_scenario(source_tree("/scenarios/terrain/moon.toml"), {"robot.model=\"hexa\""});
  const World& world = *scenario.world;
  const WorldRobot& robot = world.robots()[0];
  State state = initial_state(scenario);
  SimWorkspace workspace(world);
  RandomStream random(6, 0, "hull");
  int touches = 0;
  constexpr int kPoses = 2000;
  for (int k = 0; k < kPoses; ++k) {
    const Vec3 p(random.uniform(-35, 35), random.uniform(-35, 35), 0);
    const Mat3 R =
        rotation_from_rpy(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), random.uniform(-3, 3));
    const Quat q(R);
    double* x = state.block(robot) + robot.model->layout().positions;
    x[0] = p.x(), x[1] = p.y(), x[2] = world.terrain().height(p.x(), p.y()) + random.uniform(0.1, 0.35);
    x[3] = q.w(), x[4] = q.x(), x[5] = q.y(), x[6] = q.z();
    examine(world, state, 0, workspace);
    const bool inside = sunk(world, *robot.model, workspace.of(0).mechanism) > 0;
    EXPECT_EQ(workspace.report[0].body, inside) << "pose " << k;
    touches += inside;
  }
  EXPECT_GT(touches, kPoses / 10);
  EXPECT_LT(touches, kPoses * 9 / 10);
}

TEST(Step, TumblingAmongRocksGainsNoEnergy) {
  // Robots thrown onto ground with slopes beyond 60 degrees, any side first: what they have of height and
  // speed never exceeds what they began with.
  RandomStream random(5, 0, "tumble");
  for (int k = 0; k < 16; ++k) {
    const char* model = std::array{"vivi", "her", "hexa", "skid4"}[k % 4];
    const Scenario scenario = load_scenario(
        source_tree("/scenarios/terrain/moon.toml"),
        {"world.gravity=[0,0,-9.81]", "duration=3.0", fmt::format("robot.model=\"{}\"", model),
         "robot.control={kind=\"torque\",torque=0.0}", "event=[{kind=\"rolled_over\",ends_run=false}]",
         fmt::format("robot.start={{clearance=0.5,position=[{},{}],yaw_deg={},roll_deg={},pitch_deg={}}}",
                     random.uniform(-30, 30), random.uniform(-30, 30), random.uniform(-180, 180),
                     random.uniform(-180, 180), random.uniform(-80, 80))});
    Simulation s(scenario);
    const auto energy = [&] {
      const RobotBlock b(*s.world().robots()[0].model, s.mutable_state().block(s.world().robots()[0]));
      return 9.81 * b.positions[2] +
             0.5 * (b.velocities[0] * b.velocities[0] + b.velocities[1] * b.velocities[1] +
                    b.velocities[2] * b.velocities[2]);
    };
    const double start = energy();
    for (int i = 1; i <= 300; ++i) {
      run_to(s, 0.01 * i);
      ASSERT_LT(energy(), start + 1e-6) << model << ", drop " << k << " at " << s.time();
    }
  }
}

TEST(Step, DivergenceEndsTheRunWithStepRobotAndQuantity) {
  // Explicit Euler far beyond its stable step.
  const Scenario scenario =
      scenario_of(kSines, {"solver={method=\"euler\",step=0.05}", "event=[{kind=\"rolled_over\"}]"});
  const RunSummary summary = run(scenario, {});
  EXPECT_EQ(summary.outcome, "diverged");
  EXPECT_NE(summary.error.find("step "), std::string::npos) << summary.error;
  EXPECT_NE(summary.error.find("skid4"), std::string::npos) << summary.error;
  EXPECT_NE(summary.error.find("acceleration"), std::string::npos) << summary.error;
}

TEST(Events, LeavingTheTerrainEndsTheRun) {
  const RunSummary summary = run(
      scenario_of(kSines,
                  {"terrain={kind=\"function\",expression=\"0*x\",sampled=true,size=[44,10],cells=[44,10]}",
                   "robot.start.speed=1", "duration=60.0"}),
      {});
  EXPECT_EQ(summary.outcome, "left_terrain");
  EXPECT_NEAR(summary.events.back().position.x(), 22, 0.05);
}

TEST(Events, RollingOverEndsTheRun) {
  const RunSummary summary =
      run(scenario_of(kSines,
                      {"terrain={kind=\"flat\"}", "robot.start={roll_deg=70,clearance=0.1}", "duration=5.0"}),
          {});
  EXPECT_EQ(summary.outcome, "rolled_over");
}

TEST(Events, GoalAndStuckAreNoticed) {
  const RunSummary goal =
      run(scenario_of(kSines, {"event=[{kind=\"goal\",position=[-17.0,0.7],radius=0.5,ends_run=true}]"}), {});
  EXPECT_EQ(goal.outcome, "goal");
  const RunSummary stuck = run(
      scenario_of(kParked, {"robot.start={pitch_deg=20}", "event=[{kind=\"stuck\",time=2.0,ends_run=true}]"}),
      {});
  EXPECT_EQ(stuck.outcome, "stuck");
  EXPECT_NEAR(stuck.simulated_s, 2, 0.5);
}

TEST(Events, AreasAreReachedAndLeftAtTheirEdges) {
  const auto ended = [](const std::string& event) {
    return run(scenario_of(kSines, {"event=[" + event + "]"}), {});
  };
  const RunSummary goal = ended("{kind=\"goal\",area=[-17,20,-5,5],ends_run=true}");
  EXPECT_EQ(goal.outcome, "goal");
  EXPECT_NEAR(goal.events.back().position.x(), -17, 0.02);
  const RunSummary left = ended("{kind=\"left_area\",area=[-30,-17,-5,5],ends_run=true}");
  EXPECT_EQ(left.outcome, "left_area");
  EXPECT_EQ(left.state_hash, goal.state_hash) << "the same edge";
  EXPECT_NE(ended("{kind=\"goal\",area=[-17,20,30,31],ends_run=true}").outcome, "goal") << "beside it";
  // What the settings say as text is what they were read from.
  const Scenario s =
      scenario_of(kSines, {"event=[{kind=\"goal\",area=[-17,20.5,-5,5],ends_run=true},"
                           "{kind=\"stuck\",time=1.5,distance=0.005},{kind=\"goal\",position=[1,2],radius=3},"
                           "{kind=\"rolled_over\",angle=1.25}]"});
  std::string list;
  for (const EventSettings& e : s.events) list += (list.empty() ? "" : ",") + event_text(e);
  const Scenario again = scenario_of(kSines, {"event=[" + list + "]"});
  ASSERT_EQ(again.events.size(), s.events.size());
  for (std::size_t i = 0; i < s.events.size(); ++i)
    EXPECT_EQ(event_text(again.events[i]), event_text(s.events[i]));
  EXPECT_EQ(again.events[0].area[1], 20.5);
  for (const char* bad :
       {"{kind=\"left_area\"}", "{kind=\"goal\",area=[1,2,3]}", "{kind=\"goal\",area=[2,1,0,1]}",
        "{kind=\"stuck\",area=[0,1,0,1]}", "{kind=\"goal\",area=[0,1,0,1],radius=2}"})
    EXPECT_THROW(ended(bad), InputError) << bad;
}

TEST(Control, SamplesSplitTheStep) {
  // 10 kHz control with a 65 us step, as Morrot 2011 Sec. 5: 10000 samples and 15384 grid points a second.
  Simulation s(scenario_of(kSines, {"robot.model=\"vivi\"", "solver.step=65e-6", "duration=0.05",
                                    "robot.control={kind=\"speed\",rate=10000,speed=2.0}"}));
  run_to(s, 0.05);
  EXPECT_NEAR(static_cast<double>(s.steps()), 500 + 769 - 38, 4);  // 38 instants are shared
}

TEST(Friction, IceOnOneSideTurnsTheRobot) {
  // Full throttle from rest with the left wheels on ice: the right side pulls, the robot turns left.
  const auto yaw_after = [](const std::string& friction) {
    Simulation s(
        scenario_of(kSines, {"terrain={kind=\"flat\"" + friction + "}", "robot.start={position=[0,0]}",
                             "robot.set=[\"drive.speed=60\"]", "duration=2.0"}));
    run_to(s, 2);
    return Look(s)("yaw");
  };
  EXPECT_NEAR(yaw_after(""), 0, 1e-9);
  EXPECT_GT(yaw_after(",friction={kind=\"function\",expression=\"y>0 ? 0.1 : 1.0\"}"), 0.05);
}

TEST(Run, AStopFlagEndsItCleanly) {
  std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  EXPECT_EQ(run(scenario_of(kSines), {}, control).outcome, "interrupted");
}

}  // namespace
}  // namespace scree::testing
