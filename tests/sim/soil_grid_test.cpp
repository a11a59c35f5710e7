/// Whole robots on soil that deforms: rest, drives, ruts, threads, resume, extremes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "scenarios.hpp"
#include "scree/core/errors.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/record/soil_tape.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"
#include "support/count_allocations.hpp"
#include "support/temporary_folder.hpp"

namespace scree::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const char* kDeforming = R"(
format = 1
duration = 10.0
[terrain]
kind = "flat"
soil = { names = ["dry_sand"] }
[[robot]]
model = "rocker"
set = ['wheel.contact={ kind = "soil_grid" }']
)";
const std::string kBrakedWheels = "robot.profile=[{quantity=\"brake\",value=200.0}]";
/// Wheels that are buried do not end the run.
const std::string kGoesOn = "event=[{kind=\"buried\",ends_run=false}]";
const std::string kDriven = "robot.control={kind=\"pid\",speed=0.3}";

TEST(SoilGrid, StandingWheelsCarryTheWeightAndRest) {
  for (const char* mount : {"rigid", "suspension"}) {
    Simulation s(scenario_of(
        kDeforming,
        {kBrakedWheels, "solver.step=0.002",
         fmt::format("robot.set=['wheel.contact={{ kind = \"soil_grid\", mount = \"{}\" }}']", mount)}));
    run_to(s, 5);
    const Look look(s);
    double sum = 0;
    for (const auto& wheel : s.world().robots()[0].model->wheels())
      sum += look("wheel." + wheel.settings.name + ".normal");
    const double weight = 9.81 * s.world().robots()[0].model->tree().mass();
    EXPECT_NEAR(sum, weight, 1e-3 * weight) << mount;
    EXPECT_LT(fastest(s), 1e-4) << mount;
  }
}

TEST(SoilGrid, ParkedOnASlopeItStays) {
  for (const double slope : {10.0, 20.0}) {
    Simulation s(scenario_of(kDeforming, {kBrakedWheels, fmt::format("terrain.slope_deg={:.1f}", slope),
                                          "duration=30.0", "solver.step=0.004"}));
    run_to(s, 4);
    const Vec3 before = position(s);
    run_to(s, 24);
    EXPECT_LT((position(s) - before).norm(), 2e-3) << slope;  // in 20 s
  }
}

TEST(SoilGrid, SlidesWhereTheSlopeIsSteeperThanTheSoilCanHold) {
  // Friction 28 degrees and some cohesion: 45 degrees are too much for it.
  Simulation s(scenario_of(kDeforming, {kBrakedWheels, "terrain.slope_deg=45.0"}));
  run_to(s, 3);
  EXPECT_GT(position(s).head<2>().norm(), 0.3);
}

TEST(SoilGrid, ResultsDoNotDependOnThreads) {
  std::string text = kDeforming;
  std::string robots = "robot=[";
  for (int i = 0; i < 5; ++i)
    robots += fmt::format(
        "{}{{name=\"r{}\",model=\"rocker\",set=['wheel.contact={{ kind = \"soil_grid\" "
        "}}'],start={{position=[0.0,"
        "{:.2f}]}},control={{kind=\"pid\",speed=0.4}}}}",
        i ? "," : "", i, 0.45 * i);  // their tracks overlap
  std::uint64_t hash = 0;
  for (const int threads : {1, 2, 3}) {
    Simulation s(scenario_of(text, {robots + "]", "world.robots_touch=false", "solver.step=0.003"}), threads);
    run_to(s, 1.5);
    if (hash == 0) hash = s.state().hash();
    EXPECT_EQ(s.state().hash(), hash) << threads;
    EXPECT_GT(soil_balance(s.state().soil()).sunk, 0);
  }
}

TEST(SoilGrid, GoesOnFromAnyMomentWithTheSameBits) {
  const Scenario scenario = scenario_of(kDeforming, {kDriven, "terrain.soil.grid={cell=0.025}"});
  Simulation whole(scenario);
  run_to(whole, 1.2);
  std::vector<double> values(whole.snapshot_size());
  whole.save(values);
  const SoilTiles soil = whole.state().soil();
  const std::uint64_t then = whole.state().hash();
  run_to(whole, 3);
  Simulation resumed(scenario, SnapshotView{whole.layout(), values, &soil});
  EXPECT_EQ(resumed.state().hash(), then) << "the snapshot did not change while the run went on";
  run_to(resumed, 3);
  EXPECT_EQ(resumed.state().hash(), whole.state().hash());
  EXPECT_THAT(
      [&] {
        Simulation(scenario, SnapshotView{whole.layout(), values});
      },
      ThrowsMessage<InputError>(HasSubstr("soil")));
}

TEST(SoilGrid, TapeBringsTheSoilBack) {
  const TemporaryFolder folder;
  const Scenario scenario = scenario_of(kDeforming, {kDriven});
  Simulation s(scenario);
  SoilTiles middle;
  {
    SoilTapeWriter tape(folder.path() / "soil.bin", 0.02);
    for (int k = 0; k < 20; ++k) {
      run_to(s, 0.1 * k);
      tape.add(s.time(), s.state().soil());
      if (k == 11) middle = s.state().soil();
    }
    tape.flush();
  }
  for (const bool end : {false, true}) {
    SoilTiles back(0.02, 1000);
    read_soil(folder.path(), end ? 1e9 : 1.1 + 1e-9, s.world().terrain(), back);
    EXPECT_EQ(back.hash(0), end ? s.state().soil().hash(0) : middle.hash(0));
  }
}

TEST(SoilGrid, DrivingForthAndBackTheRutGrowsByLess) {
  Simulation s(load_scenario(
      "soil/ruts", {"terrain={kind=\"flat\",soil={names=[\"mars_regolith\"]}}", "solver.step=0.004"}));
  run_to(s, 19.5);
  const SoilBalance once = soil_balance(s.state().soil());
  EXPECT_GT(position(s).x(), 0.5);
  run_to(s, 38.5);
  const SoilBalance twice = soil_balance(s.state().soil());
  EXPECT_NEAR(position(s).x(), -1.5, 0.25);
  EXPECT_GT(twice.sunk, once.sunk);
  EXPECT_LT(twice.sunk - once.sunk, 0.6 * static_cast<double>(once.sunk));
  EXPECT_EQ(twice.loose + twice.compacted, twice.sunk) << "volume, to the last unit";
}

TEST(SoilGrid, ARoverThatDrivesStraightOnDoesNotSway) {
  // Memory of the rim drove it to 22 degrees a second without damping.
  for (const double spin : {0.8, 1.6, 3.2})
    for (const double cell : {0.02, 0.025}) {
      Simulation s(load_scenario(
          "soil/ruts",
          {fmt::format("terrain.soil.grid={{cell={},compaction=0.3}}", cell), "solver.step=0.002",
           fmt::format("robot.0.profile.0.rows=[[0.0,0.0],[1.5,{}]]", spin)}));
      run_to(s, 3);
      double square = 0, most = 0;
      const Look look(s);
      for (int i = 0; i < 300; ++i) {
        run_to(s, 3 + 0.01 * (i + 1));
        const double rate = look("wz") / kDegree;
        square += rate * rate, most = std::max(most, std::abs(rate));
      }
      EXPECT_LT(std::sqrt(square / 300), 0.5) << "wheels at " << spin << " rad/s, cells of " << cell;
      EXPECT_LT(most, 2) << "wheels at " << spin << " rad/s, cells of " << cell;
    }
}

TEST(SoilGrid, FreeRobotsOnlyLoseEnergy) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-5, 5), turn(-3, 3), tilt(-0.3, 0.3);
  for (int k = 0; k < 6; ++k) {
    Simulation s(scenario_of(
        kDeforming,
        {"terrain={kind=\"sines\",amplitude=0.08,wavelength_x=1.8,wavelength_y=1.5,soil={names=[\"dry_sand\"]"
         "}}",
         fmt::format(
             "robot.start={{position=[{:.3f},{:.3f}],yaw={:.3f},roll={:.3f},pitch={:.3f},clearance=0.1}}",
             place(random), place(random), turn(random), tilt(random), tilt(random)),
         "robot.profile=[{quantity=\"torque\",value=0.0}]"}));
    double most = mechanical_energy(s);
    const double start = most;
    while (s.time() < 2) {
      s.advance();
      most = std::max(most, mechanical_energy(s));
    }
    EXPECT_LT(most, start + 0.05) << k;  // J, of some hundred
  }
}

TEST(SoilGrid, AllocatesNothingWhereTheGroundIsKnown) {
  Simulation s(scenario_of(kDeforming, {kBrakedWheels}));
  run_to(s, 1);
  const AllocationCounter counter;
  for (int i = 0; i < 50; ++i) s.advance();
  EXPECT_EQ(counter.count(), 0);
}

TEST(SoilGrid, ExtremesEndInOneLineOrInNumbers) {
  // Dropped from 2 m.
  Simulation dropped(scenario_of(kDeforming, {"robot.start={clearance=2.0}", kBrakedWheels}));
  run_to(dropped, 3);
  EXPECT_LT(fastest(dropped), 0.1);
  EXPECT_TRUE(std::isfinite(position(dropped).z()));
  // Dragged sideways at 5 m/s.
  Simulation dragged(scenario_of(kDeforming, {"robot.start={speed=5.0,wheels=\"still\"}", kBrakedWheels}));
  WorldRobot robot = dragged.world().robots()[0];
  RobotBlock block(*robot.model, dragged.mutable_state().block(robot));
  block.velocities[0] = 0, block.velocities[1] = 5;
  run_to(dragged, 3);
  EXPECT_TRUE(position(dragged).allFinite());
  // Softer than anything: it sinks in, and the run says so.
  Simulation soft(
      scenario_of(kDeforming, {"terrain.soil.set=[\"frictional_modulus=1000\",\"cohesive_modulus=0\"]"}));
  run_to(soft, 2);
  EXPECT_TRUE(position(soft).allFinite());
  EXPECT_TRUE(std::any_of(soft.events().begin(), soft.events().end(),
                          [](const Event& e) { return e.kind == "buried"; }));
  // Without any stiffness, with cells larger than a wheel, without memory.
  EXPECT_THAT(
      [] { scenario_of(kDeforming, {"terrain.soil.set=[\"frictional_modulus=0\",\"cohesive_modulus=0\"]"}); },
      ThrowsMessage<InputError>(HasSubstr("nothing carries a wheel")));
  EXPECT_THAT([] { scenario_of(kDeforming, {"terrain.soil.grid={cell=0.3}"}); },
              ThrowsMessage<InputError>(HasSubstr("at most 0.026 m")));
  EXPECT_THAT([] { scenario_of(kDeforming, {"solver.method=\"rk4\""}); },
              ThrowsMessage<InputError>(HasSubstr("implicit")));
  Simulation full(scenario_of(kDeforming, {"terrain.soil.grid={memory=1.0,cell=0.005}", kDriven}));
  EXPECT_THAT([&] { run_to(full, 10); }, ThrowsMessage<RunError>(HasSubstr("terrain.soil.grid.memory")));
}

/// Load on wheels and on bodies, upward [N].
struct Borne {
  double wheels = 0, bodies = 0;
};
Borne borne(Simulation& s) {
  examine(s.world(), s.state(), 0, s.workspace());
  Borne out;
  for (const Contact& c : list_contacts(s.world(), *s.world().robots()[0].model, s.workspace().of(0)))
    (c.wheel >= 0 ? out.wheels : out.bodies) += c.force_W.z() * c.touching;
  return out;
}

TEST(SoilGrid, WhereWheelsFindNoHoldItComesToRestOnItsBelly) {
  // Soil so soft that wheels alone would sink out of sight: the belly, many times as large, bears the rest.
  Simulation s(scenario_of(kDeforming, {"terrain.soil.set=[\"frictional_modulus=10000\",\"cohesive_modulus="
                                        "0\",\"damping=2000\",\"unloading_stiffness=1e6\"]",
                                        kBrakedWheels, kGoesOn, "solver.step=0.004"}));
  run_to(s, 4);
  EXPECT_LT(fastest(s), 1e-2);
  const double weight = 9.81 * s.world().robots()[0].model->tree().mass();
  const Borne b = borne(s);
  EXPECT_NEAR(b.wheels + b.bodies, weight, 0.01 * weight);
  EXPECT_GT(b.bodies, 0.1 * weight);
  const SoilBalance volume = soil_balance(s.state().soil());
  EXPECT_EQ(volume.loose + volume.compacted, volume.sunk);
  EXPECT_LT(soil_offset(s.state().soil(), position(s).x(), position(s).y()), -0.005) << "the belly's print";
  const Vec3 before = position(s);
  run_to(s, 6);
  EXPECT_LT((position(s) - before).norm(), 1e-3) << "it stays";
}

TEST(SoilGrid, ABellyThatIsDraggedPloughs) {
  // The same soil, the robot thrown forward with its wheels held: it slows down by far more than its wheels
  // alone would, and leaves the belly's rut.
  const std::string soft =
      "terrain.soil.set=[\"frictional_modulus=10000\",\"cohesive_modulus=0\",\"damping=2000\",\"unloading_"
      "stiffness=1e6\"]";
  Simulation s(scenario_of(kDeforming, {soft, kBrakedWheels, kGoesOn, "solver.step=0.004"}));
  run_to(s, 2);
  const SoilBalance before = soil_balance(s.state().soil());
  const WorldRobot& robot = s.world().robots()[0];
  RobotBlock block(*robot.model, s.mutable_state().block(robot));
  const Vec3 start = position(s);
  block.velocities[0] = 1.5;
  run_to(s, 4);
  const Vec3 way = position(s) - start;
  EXPECT_GT(way.x(), 0.05);
  EXPECT_LT(std::abs(way.y()), 0.02);
  EXPECT_LT(fastest(s), 0.02) << "it lies still again";
  const SoilBalance after = soil_balance(s.state().soil());
  EXPECT_GT(after.sunk, before.sunk);
  EXPECT_EQ(after.loose + after.compacted, after.sunk);
  EXPECT_GT(borne(s).bodies, 20);
}

TEST(SoilGrid, RandomStartsOnRoughGround) {
  // Where it may start anywhere on rough ground: it moves, nothing breaks; median and worst way.
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-8, 8), turn(-3, 3);
  std::vector<double> way;
  for (int k = 0; k < 12; ++k) {
    Simulation s(scenario_of(
        kDeforming,
        {"terrain={kind=\"fbm\",size=[20.0,20.0],cell=0.1,hurst=0.7,sigma=0.03,soil={names=[\"dry_sand\"]}}",
         fmt::format("robot.start={{position=[{:.3f},{:.3f}],yaw={:.3f}}}", place(random), place(random),
                     turn(random)),
         kDriven, "solver.step=0.004"}));
    const Vec3 from = position(s);
    run_to(s, 2.5);
    ASSERT_TRUE(position(s).allFinite()) << k;
    way.push_back((position(s) - from).norm());
    const SoilBalance b = soil_balance(s.state().soil());
    EXPECT_EQ(b.loose + b.compacted, b.sunk) << k;
  }
  std::sort(way.begin(), way.end());
  RecordProperty("way_median_m", std::to_string(way[6]));
  RecordProperty("way_worst_m", std::to_string(way[0]));
  fmt::print("way in 2.5 s: median {:.2f} m, worst {:.2f} m\n", way[6], way[0]);
  EXPECT_GT(way[6], 0.5);
  EXPECT_GT(way[0], 0.2);
}

}  // namespace
}  // namespace scree::testing
