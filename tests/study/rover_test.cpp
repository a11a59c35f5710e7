// The experiments with rovers: against the published law and statics written down once more, and the
// comparison of fidelities over one drive.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/study/fidelity.hpp"
#include "scree/study/rover_trials.hpp"
#include "scree/study/settle_map.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

TEST(RoverTrial, WheelsPullWhatTheSlopeAsksFor) {
  // Newton along and across the slope, whatever the law: 35 kg.
  for (const double degrees : {0.0, 6.0, 12.0}) {
    const RoverTrial t =
        run_rover_trial({.soil = "toyoura_slope", .slope = degrees * kDegree, .duration = 10});
    EXPECT_EQ(t.outcome, "finished");
    EXPECT_NEAR(t.pull, 35 * 9.81 * std::sin(degrees * kDegree), 0.3) << degrees;
    double load = 0;
    for (const RoverTrialWheel& w : t.wheels) load += w.load;
    EXPECT_NEAR(load, 35 * 9.81 * std::cos(degrees * kDegree), 0.5) << degrees;
    EXPECT_LT(t.unrest, 0.02) << degrees;
  }
}

TEST(RoverTrial, AHitchPullsAsASlopeDoes) {
  // The same force along the ground at the same height asks for the same slip, but for the weight off the
  // ground.
  const double force = 40, slope = std::asin(force / (35 * 9.81));
  const RoverTrial hill = run_rover_trial({.slope = slope, .duration = 10});
  const RoverTrial hitch = run_rover_trial({.pull = force, .hitch = 0.2286 - 0.30, .duration = 10});
  EXPECT_NEAR(hill.pull, force, 0.3);
  EXPECT_NEAR(hitch.pull, force, 0.3);
  EXPECT_NEAR(hill.slip, hitch.slip, 0.005);
}

TEST(RoverTrial, LessGravityLessSinkage) {
  double last = 1;
  for (const double g : {9.81, 3.71, 1.62}) {
    const RoverTrial t =
        run_rover_trial({.soil = "toyoura_slope", .slope = 0.1, .gravity = g, .duration = 10});
    EXPECT_LT(t.sinkage, last) << g;
    last = t.sinkage;
  }
}

TEST(Fidelity, LevelsDriveTheSameScenario) {
  FidelitySettings s{.scenario = "rover/el-dorado_sand", .overrides = {"duration=3.0"}};
  const auto runs = compare_fidelity(s);
  ASSERT_EQ(runs.size(), 4u);
  for (const FidelityRun& r : runs) {
    EXPECT_EQ(r.outcome, "finished") << r.level;
    // The command is a ramp of 1.5 s to 0.1 m/s: 0.225 m without slip.
    EXPECT_NEAR(maths::hypot(r.x.back() - r.x[0], r.y.back() - r.y[0]), 0.225, 0.05) << r.level;
    EXPECT_GT(r.cpu, 0) << r.level;
    EXPECT_GT(r.energy, 0) << r.level;
    const bool soil = r.level == "closed_form" || r.level == "stress_integral";
    EXPECT_EQ(r.mean_sinkage > 1e-3, soil) << r.level << " " << r.mean_sinkage;
  }
  EXPECT_EQ(runs.back().beside, 0);
  EXPECT_GT(runs[0].beside, 0);
  EXPECT_LT(runs[2].beside, runs[0].beside + 0.1);
  // Sand takes more work than hard ground.
  EXPECT_GT(runs[3].energy, runs[0].energy);
  s.levels = {"slice"};
  EXPECT_NE(testing::message_of([&] { compare_fidelity(s); }).find("slices"), std::string::npos);
}

TEST(SettleMap, IsTheSameOnAnyNumberOfThreads) {
  const Scenario scenario = load_scenario("rover/el-dorado");
  SettleMapSettings s{.area = {-1, 1, -1, 1}, .step = 0.2, .yaw = 0.3};
  const SettleMap one = settle_map(*scenario.world, 0, s);
  s.threads = 3;
  const SettleMap three = settle_map(*scenario.world, 0, s);
  ASSERT_EQ(one.cells.size(), 121u);
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    EXPECT_EQ(one.cells[i].z, three.cells[i].z);
    EXPECT_EQ(one.cells[i].energy_margin, three.cells[i].energy_margin);
  }
  const testing::TemporaryFolder folder;
  write_settle_csv(one, folder.path() / "map.csv");
  const std::string csv = folder.read("map.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 122);
  s.step = 1e-5;
  EXPECT_NE(testing::message_of([&] { settle_map(*scenario.world, 0, s); }).find("longer step"),
            std::string::npos);
}

}  // namespace
}  // namespace scree
