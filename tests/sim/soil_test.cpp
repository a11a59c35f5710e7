/// Robots on soft ground: [terrain.soil] acts through wheels of contact kind "soil".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "scenarios.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/step.hpp"
#include "support/count_allocations.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree::testing {
namespace {

const char* kSoft = R"(
format = 1
duration = 10.0
[terrain]
kind = "flat"
soil = { names = ["toyoura"] }
[[robot]]
model = "rocker"
set = ['wheel.contact={ kind = "soil", mount = "rigid" }']
)";

std::string contact(const std::string& model, const std::string& mount) {
  return fmt::format("robot.set=['wheel.contact={{ kind = \"soil\", model = \"{}\", mount = \"{}\" }}']",
                     model, mount);
}
std::string robot(const std::string& model) { return fmt::format("robot.model=\"{}\"", model); }
const std::string kBraked = "robot.profile=[{quantity=\"brake\",value=200.0}]";

TEST(Soil, StandingWheelsCarryTheWeight) {
  for (const char* mount : {"rigid", "suspension"})
    for (const char* model : {"rocker", "vivi"}) {
      Simulation s(scenario_of(kSoft, {contact("stress_integral", mount), robot(model), kBraked}));
      run_to(s, 6);
      const Look look(s);
      double sum = 0;
      for (const auto& wheel : s.world().robots()[0].model->wheels())
        sum += look("wheel." + wheel.settings.name + ".normal");
      const double weight = 9.81 * s.world().robots()[0].model->tree().mass();
      EXPECT_NEAR(sum, weight, 1e-5 * weight) << model << ' ' << mount;
      EXPECT_LT(fastest(s), 1e-5) << model << ' ' << mount;
    }
}

TEST(Soil, ParkedOnASlopeStaysParked) {
  for (const char* mount : {"rigid", "suspension"})
    for (const char* start : {"robot.start={pitch_deg=10}", "robot.start={yaw_deg=180,pitch_deg=-10}",
                              "robot.start={yaw_deg=90,roll_deg=-10}"}) {
      Simulation s(scenario_of(kSoft, {"terrain.slope_deg=10", "duration=30.0", start, kBraked,
                                       contact("stress_integral", mount)}));
      run_to(s, 8);
      const Vec3 before = position(s);
      run_to(s, 30);
      EXPECT_LT((position(s) - before).norm(), 1e-6) << mount << ' ' << start;
      EXPECT_LT(before.norm(), 1) << "it slid while settling";
    }
}

TEST(Soil, SteeperThanTheSoilHoldsItSlides) {
  Simulation s(scenario_of(kSoft, {"terrain.slope_deg=35", "robot.start={pitch_deg=35}", kBraked,
                                   "terrain.soil.set=[\"friction_angle_deg=12\"]"}));
  run_to(s, 6);
  EXPECT_LT(position(s).x(), -1);
}

/// Without a drive nothing grows: whatever it is dropped on, at whatever attitude and speed. Of the 33 J of
/// the fall soil gives back what it holds as a spring: wheels land with up to 1100, 600, 400 and 340 N at
/// once on about 6e5 N/m each, F^2/2k = 1.5 J together.
TEST(Soil, EnergyNeverGrowsWithoutADrive) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string start = fmt::format(
        "robot.start={{position=[{},{}],clearance=0.1,yaw_deg={},roll_deg={},pitch_deg={},speed={}}}",
        unit(random), unit(random), 180 * unit(random), 15 * unit(random), 15 * unit(random), unit(random));
    Simulation s(scenario_of(
        kSoft, {start, contact(i % 2 ? "closed_form" : "stress_integral", i % 4 < 2 ? "rigid" : "suspension"),
                "terrain.kind=\"sines\"", "terrain.amplitude=0.06", "terrain.wavelength_x=1.3",
                "terrain.wavelength_y=1.6", "duration=4.0"}));
    const double start_energy = mechanical_energy(s);
    double before = start_energy, most = 0, over = 0;
    while (!s.finished()) {
      s.advance();
      const double now = mechanical_energy(s);
      most = std::max(most, now - before);
      over = std::max(over, now - start_energy);
      before = std::min(before, now);
    }
    EXPECT_LT(over, 1e-3) << start;
    // A suspension gives back what it took; soil does not.
    if (i % 4 < 2) {
      EXPECT_LT(most, 1.5) << start;
    }
    worst = std::max(worst, i % 4 < 2 ? most : 0);
  }
  RecordProperty("worst_gain_J", std::to_string(worst));
}

/// Ground that climbs to the left, and the same that climbs to the right. They land as they drive: at the
/// first touch of a wheel that neither rolls nor slips, rounding decides which side of zero its slip lies,
/// where the laws have a corner.
TEST(Soil, LeftIsTheMirrorOfRight) {
  for (const char* model : {"skid4", "rocker"}) {
    const auto end = [&](double side) {
      Simulation s(scenario_of(
          kSoft,
          {"duration=5.0", robot(model), "robot.control={kind=\"speed\",speed=0.4}", "terrain.slope_deg=6",
           "robot.start={clearance=0.01,speed=0.3}", fmt::format("terrain.uphill_deg={}", 90 * side)}));
      run_to(s, 5);
      return position(s);
    };
    const Vec3 left = end(1), right = end(-1);
    EXPECT_NEAR(left.x(), right.x(), 1e-7) << model;
    EXPECT_NEAR(left.y(), -right.y(), 1e-7) << model;
    EXPECT_GT(std::abs(left.y()), 1e-3) << "it slid down a little";
  }
}

TEST(Soil, EverySoilUnderEveryModelIsDrivenWithoutAFault) {
  for (const auto& [name, file] : data_files("soils")) {
    for (const char* model : {"vivi", "skid4", "her", "hexa", "rocker"}) {
      Simulation s(scenario_of(
          kSoft,
          {fmt::format("terrain.soil.names=[\"{}\"]", name), robot(model),
           contact("stress_integral", "suspension"), "terrain.kind=\"sines\"", "terrain.amplitude=0.05",
           "terrain.wavelength_x=1.7", "terrain.wavelength_y=2.1", "duration=1.0",
           "robot.control={kind=\"speed\",speed=0.5}", "robot.start={clearance=0.05}"}));
      ASSERT_NO_THROW(run_to(s, 1)) << name << ' ' << model;
      EXPECT_LT(fastest(s), 40) << name << ' ' << model;
      EXPECT_LT(std::abs(position(s).z()), 1.5) << name << ' ' << model;
    }
  }
}

/// Steps, rocks and walls under wheels that sink.
TEST(Soil, RoughGroundThrowsNobody) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const char* ground :
       {"terrain={kind=\"step\",height=0.1,start=1.0,soil={names=[\"dry_sand\"]}}",
        "terrain={kind=\"step\",height=0.4,start=1.0,soil={names=[\"heavy_clay\"]}}",
        "terrain={kind=\"sines\",amplitude=0.15,wavelength_x=0.7,wavelength_y=0.8,soil={names="
        "[\"sandy_loam\"]}}"}) {
    for (int i = 0; i < 4; ++i) {
      Simulation s(scenario_of(
          kSoft, {ground, robot(i % 2 ? "rocker" : "vivi"), contact("stress_integral", "suspension"),
                  "robot.control={kind=\"speed\",speed=1.0}", "duration=4.0",
                  fmt::format("robot.start={{position=[{},{}],yaw_deg={},clearance=0.02}}",
                              0.1 * unit(random), unit(random), 30 * unit(random))}));
      double highest = 0;
      while (!s.finished()) {
        s.advance();
        highest = std::max(highest, position(s).z());
      }
      EXPECT_LT(highest, 1.2) << ground << " start " << i;
    }
  }
}

/// The scenarios that ship: they run to their end, wheels sink and carry, the robot makes its way.
TEST(Soil, ScenariosThatShipRunToTheirEnd) {
  int found = 0;
  for (const auto& [name, file] : data_files("scenarios")) {
    if (!name.starts_with("soil/")) continue;
    ++found;
    const Scenario scenario = load_scenario(file);
    EXPECT_TRUE(scenario.notes.empty()) << name;
    Simulation s(scenario);
    const double from = position(s).x();
    double deepest = 0, farthest = 0;  // some drive back again
    int samples = 0, carried = 0;
    while (!s.finished()) {
      s.advance();
      if (s.steps() % 500 != 0) continue;
      farthest = std::max(farthest, position(s).x() - from);
      const Look look(s);
      for (const auto& wheel : s.world().robots()[0].model->wheels()) {
        deepest = std::max(deepest, look("wheel." + wheel.settings.name + ".sinkage"));
        carried += look("wheel." + wheel.settings.name + ".normal") > 0 ? 1 : 0;
        ++samples;
      }
    }
    EXPECT_EQ(s.outcome(), "finished") << name;
    EXPECT_GT(farthest, 1) << name;
    EXPECT_GT(deepest, 1e-3) << name;
    EXPECT_LT(deepest, 0.06) << name;
    EXPECT_GT(carried, samples * 9 / 10) << name;
  }
  EXPECT_GE(found, 4);
}

TEST(Soil, BuriedIsAnEventThatEndsTheRun) {
  std::vector<std::string> settings{"terrain.soil.names=[\"snow\"]", "world.gravity=[0,0,-60]",
                                    "duration=5.0",
                                    "terrain.soil.set=[\"frictional_modulus=2e3\",\"cohesive_modulus=0\"]",
                                    "robot.set=['wheel.contact={ kind = \"soil\", mount = \"rigid\" "
                                    "}','hull.box=false','hull.hubs=false']"};
  const Scenario scenario = scenario_of(kSoft, settings);
  const RunSummary summary = run(scenario, {});
  EXPECT_EQ(summary.outcome, "buried");
  EXPECT_TRUE(summary.error.empty()) << summary.error;
  settings.push_back("event=[{kind=\"buried\",ends_run=false}]");
  const RunSummary on = run(scenario_of(kSoft, settings), {});
  EXPECT_EQ(on.outcome, "finished");
  EXPECT_TRUE(on.error.empty()) << on.error;
}

TEST(Soil, AStepAllocatesNothing) {
  if (!AllocationCounter::works()) GTEST_SKIP() << "AddressSanitizer brings its own malloc";
  Simulation s(
      scenario_of(kSoft, {"robot.control={kind=\"speed\",speed=0.5}",
                          "terrain.soil={names=[\"toyoura\"],variation={deviation={cohesion=0.3}}}"}));
  run_to(s, 0.5);
  SimWorkspace& w = s.workspace();
  State state = s.state();
  const AllocationCounter counter;
  for (int i = 0; i < 100; ++i) step(s.world(), state, 1e-3, w);
  EXPECT_EQ(counter.count(), 0);
}

TEST(Soil, VariationIsTheSeedsAndChangesTheRun) {
  const auto hash = [](std::uint64_t seed, double deviation) {
    Simulation s(scenario_of(
        kSoft,
        {fmt::format("seed={}", seed), "robot.control={kind=\"speed\",speed=0.5}", "duration=2.0",
         fmt::format("terrain.soil={{names=[\"toyoura\"],variation={{deviation={{frictional_modulus={}}}"
                     "}}}}",
                     deviation)}));
    run_to(s, 2);
    return s.state().hash();
  };
  EXPECT_EQ(hash(1, 0.3), hash(1, 0.3));
  EXPECT_NE(hash(1, 0.3), hash(2, 0.3));
  EXPECT_NE(hash(1, 0.3), hash(1, 0));
  EXPECT_EQ(hash(1, 0), hash(2, 0));
}

TEST(Soil, MapsLayOneSoilBesideAnother) {
  const auto sinkage = [](double x) {
    Simulation s(scenario_of(
        kSoft, {"terrain.soil={names=[\"lete_sand\",\"dry_sand\"],kind=\"function\",expression=\"x>0\"}",
                fmt::format("robot.start={{position=[{},0]}}", x), kBraked}));
    run_to(s, 3);
    return Look(s)("wheel.front_left.sinkage");
  };
  EXPECT_GT(std::abs(sinkage(3) / sinkage(-3) - 1), 0.05);
}

TEST(Soil, ChangesAreLaidOverTheSoils) {
  const auto sinkage = [](const std::string& set) {
    Simulation s(scenario_of(kSoft, {"terrain.soil={names=[\"toyoura\"],set=[" + set + "]}", kBraked}));
    run_to(s, 3);
    return Look(s)("wheel.front_left.sinkage");
  };
  EXPECT_GT(sinkage("\"frictional_modulus=5e5\""), 1.5 * sinkage(""));
  EXPECT_EQ(sinkage("\"toyoura.frictional_modulus=5e5\""), sinkage("\"frictional_modulus=5e5\""));
}

template <class Action>
void expect_refused(Action&& action, const std::string& word) {
  const std::string message = message_of(action);
  EXPECT_NE(message.find(word), std::string::npos) << message;
}

TEST(Soil, FilesOfSoilsLieBesideTheScenario) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "my");
  std::filesystem::copy(find_data("soils/toyoura.toml"), folder.path() / "my" / "dune.toml");
  std::string text = kSoft;
  text.replace(text.find("\"toyoura\""), 9, R"("toyoura", "my/dune.toml")");
  const auto file = folder.write("s.toml", text);
  const std::vector<std::string> patch{
      "terrain.soil.polygon=[{soil=\"dune\",corners=[[-5,0],[5,0],[5,5],[-5,5]]}]",
      "terrain.soil.set=[\"dune.frictional_modulus=5e5\"]", kBraked};
  const auto sinkages = [](const Scenario& scenario) {
    Simulation s(scenario);
    run_to(s, 2);
    const Look look(s);
    return std::pair(look("wheel.front_left.sinkage"), look("wheel.front_right.sinkage"));
  };
  const Scenario scenario = load_scenario(file, patch);
  const auto [left, right] = sinkages(scenario);
  EXPECT_GT(left, 1.5 * right);
  // As written into a run's folder it is read from anywhere.
  EXPECT_EQ(
      sinkages(load_scenario(Document::from_text(scenario.text, "copy", "/nowhere"), "/nowhere/s.toml")),
      std::pair(left, right));
  expect_refused([&] { load_scenario(file, {"terrain.soil.names=[\"x/dune.toml\"]"}); }, "x/dune.toml");
  expect_refused([&] { load_scenario(file, {"terrain.soil.names=[\"toyoura\",\"toyoura\"]"}); }, "twice");
}

TEST(Soil, BadInputIsOneClearLine) {
  expect_refused([] { scenario_of(kSoft, {"terrain={kind=\"flat\"}"}); }, "needs a soil");
  expect_refused([] { scenario_of(kSoft, {"terrain.soil.names=[\"toyora\"]"}); }, "toyora");
  expect_refused([] { scenario_of(kSoft, {"terrain.soil.set=[\"cohesion=-1\"]"}); }, "cohesion");
  expect_refused([] { scenario_of(kSoft, {"terrain.soil.set=[\"friction_angle=30\"]"}); }, "deg");
  expect_refused([] { scenario_of(kSoft, {"terrain.soil.variation={deviation={cohesin=0.1}}"}); },
                 "cohesion");
  expect_refused(
      [] { scenario_of(kSoft, {"robot.set=['wheel.contact={ kind = \"soil\", lug_height = 0.2 }']"}); },
      "lug_height");
  expect_refused(
      [] {
        scenario_of(kSoft, {"robot.set=['wheel.contact={ kind = \"soil\" }',"
                            "'wheel.suspension.damping=0']"});
      },
      "damping");
  const Scenario rigid = scenario_of(kSoft, {"robot.set=[]"});
  ASSERT_EQ(rigid.notes.size(), 1u);
  EXPECT_NE(rigid.notes[0].find("no wheel sinks"), std::string::npos);
  EXPECT_TRUE(scenario_of(kSoft).notes.empty());
}

/// Half the step, half the error or less: the implicit step converges on soil too.
TEST(Soil, SmallerStepsConverge) {
  const auto end = [](double dt) {
    Simulation s(scenario_of(kSoft, {fmt::format("solver.step={}", dt), "duration=4.0",
                                     "robot.control={kind=\"speed\",speed=0.5}"}));
    run_to(s, 4);
    return position(s).x();
  };
  const double fine = end(1.25e-4);
  EXPECT_NEAR(end(1e-3), fine, 0.01 * fine);
  EXPECT_LE(std::abs(end(2.5e-4) - fine), std::abs(end(1e-3) - fine) + 1e-5);
}

/// Ground rougher than a patch is long, and rocks: single steps become right with the square of their length,
/// and the end of the drive is that of a finer step.
TEST(Soil, SmallerStepsConvergeOnRoughGround) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const char* ground :
       {"terrain={kind=\"fbm\",hurst=0.36,sigma=0.008,size=[8,8],cells=[1024,1024],soil={"
        "names=[\"dry_sand\"]}}",
        "terrain={kind=\"rocks\",size=[12,12],soil={names=[\"dry_sand\"]}}"}) {
    std::vector<double> apart, fall;
    for (int i = 0; i < 8; ++i) {
      const std::string start = fmt::format("robot.start={{position=[{},{}],yaw_deg={},clearance=0.02}}",
                                            unit(random), unit(random), 180 * unit(random));
      const auto drive = [&](double dt, double& error) {
        Simulation s(scenario_of(kSoft, {ground, start, robot(i % 2 ? "rocker" : "skid4"),
                                         contact("stress_integral", i % 4 < 2 ? "rigid" : "suspension"),
                                         "robot.control={kind=\"pid\",speed=0.3}", "duration=2.0",
                                         fmt::format("solver.step={}", dt)}));
        run_to(s, 2);
        error = s.gauge().mean_error();
        return position(s);
      };
      double coarse_error = 0, fine_error = 0;
      const Vec3 coarse = drive(1e-3, coarse_error), fine = drive(2e-4, fine_error);
      apart.push_back((coarse - fine).norm());
      fall.push_back(coarse_error / fine_error);
    }
    std::sort(apart.begin(), apart.end());
    std::sort(fall.begin(), fall.end());
    EXPECT_LT(apart[4], 2e-3) << ground;
    EXPECT_LT(apart.back(), 10e-3) << ground;
    EXPECT_GT(fall[4], 11) << ground << ": 25 for steps of second order, 5 where every step meets a jump";
  }
}

}  // namespace
}  // namespace scree::testing
