/// Sweeps: a trial is a pure function of plan, cell and number.
#include "scree/study/sweep.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <mutex>
#include <stdexcept>

#include "scree/sim/run.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

TEST(Trials, EachRunsOnceOnAnyNumberOfThreads) {
  for (const int jobs : {1, 2, 7}) {
    std::vector<int> calls(50);
    double last = 0;
    run_trials(50, [&](std::size_t i) { ++calls[i]; },
               {.jobs = jobs, .progress = [&](double d) { last = d; }});
    EXPECT_THAT(calls, ::testing::Each(1));
    EXPECT_EQ(last, 1);
  }
}

TEST(Trials, TheFailureOfTheLowestNumberIsTold) {
  for (const int jobs : {1, 4}) {
    const auto fail = [](std::size_t i) {
      if (i == 3 || i == 4) throw std::runtime_error("trial " + std::to_string(i));
    };
    try {
      run_trials(8, fail, {.jobs = jobs});
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_TRUE(std::string(e.what()) == "trial 3" || jobs > 1) << e.what();
    }
  }
}

TEST(Trials, NoneBeginsAfterAStop) {
  std::atomic<bool> stop{false};
  int calls = 0;
  run_trials(10, [&](std::size_t) { stop = ++calls == 4; }, {.jobs = 1, .stop = &stop});
  EXPECT_EQ(calls, 4);
}

TEST(SweepAxis, TakesRangesAndLists) {
  EXPECT_THAT(parse_axis("a.b=0.5:2:4").values, ElementsAre("0.5", "1", "1.5", "2"));
  EXPECT_EQ(parse_axis("a.b=0.5:2:4").key, "a.b");
  EXPECT_THAT(parse_axis("model=vivi, her").values, ElementsAre("vivi", "her"));
  EXPECT_THAT(parse_axis("x=[1,2],[3,4]").values, ElementsAre("[1,2]", "[3,4]"));
  EXPECT_THAT(parse_axis("v=7").values, ElementsAre("7"));
  for (const char* bad : {"x", "=1", "x=1:2:1", "x=1:b:3", "x=1:2:2.5", "x=1,,2", "x="})
    EXPECT_TRUE(message_of([&] { parse_axis(bad); }).find("--vary") != std::string::npos) << bad;
}

TEST(Measures, StatisticsOfAKnownSignal) {
  SignalCatalog catalog;
  catalog.add({"a.x", "m", ""});
  catalog.add({"b.x", "m", ""});
  RunInfo info;
  info.signals = &catalog;
  std::vector<Measure> all;
  for (const std::string& s : statistics()) all.push_back({"a.x", s});
  all.push_back({"*.x", "last"});
  MeasureSink sink(all);
  sink.begin(info);
  for (const double v : {1.0, -5.0, 4.0, 2.0}) {
    const double values[] = {v, 10 * v};
    sink.sample({0, values, {}});
  }
  std::vector<double> got;
  for (const auto& r : sink.results()) got.push_back(r.value);
  EXPECT_THAT(got, ElementsAre(-5, 4, 5, 0.5, std::sqrt(46 / 4.0), 1, 2, 2, 20));
  EXPECT_EQ(sink.results().back().name, "b.x:last");
  EXPECT_THAT(message_of([] { parse_measure("speed:meen"); }), HasSubstr("did you mean 'mean'?"));
}

class Sweep : public ::testing::Test {
 protected:
  SweepPlan plan() const {
    SweepPlan plan;
    plan.scenario =
        folder_.write("hill.toml",
                      "format = 1\nduration = 0.4\nseed = 5\n[terrain]\nkind = \"fbm\"\nsize = [8, 8]\n"
                      "cell = 0.25\nsigma = 0.02\n[[robot]]\nmodel = \"skid4\"\n");
    plan.axes = {parse_axis("robot.model=skid4,vivi"), parse_axis("robot.start.yaw_deg=0:30:3")};
    plan.trials = 2;
    plan.measures = {parse_measure("pitch:absmax"), parse_measure("speed:last")};
    return plan;
  }
  testing::TemporaryFolder folder_;
};

TEST_F(Sweep, RowsComeInOrderAndTheSameOnAnyNumberOfThreads) {
  const SweepPlan p = plan();
  ASSERT_EQ(p.cells(), 6u);
  EXPECT_THAT(p.values_of(4), ElementsAre("vivi", "15"));
  const auto one = run_sweep(p, {.jobs = 1}), four = run_sweep(p, {.jobs = 4});
  ASSERT_EQ(one.size(), 12u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].cell, i / 2);
    EXPECT_EQ(one[i].trial, static_cast<int>(i % 2));
    EXPECT_EQ(one[i].seed, 5 + i % 2);
    EXPECT_EQ(one[i].state_hash, four[i].state_hash);
    EXPECT_EQ(one[i].outcome, "finished") << one[i].error;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(one[i].state_hash, one[j].state_hash) << "another ground or robot";
  }
  EXPECT_EQ(sweep_csv(p, one), sweep_csv(p, four));
}

TEST_F(Sweep, ATrialIsTheRunThatAUserWouldMake) {
  const SweepPlan p = plan();
  const SweepRow row = run_sweep_trial(p, 5, 1);
  const RunSummary summary =
      run(load_scenario(p.scenario, {"robot.model=vivi", "robot.start.yaw_deg=30", "seed=6"}), {});
  EXPECT_EQ(row.state_hash, summary.state_hash);
}

TEST_F(Sweep, BadKeysAreRefusedAtOnceAndBadValuesInTheirRow) {
  SweepPlan p = plan();
  p.axes = {parse_axis("robot.sart.yaw_deg=0:30:2")};
  EXPECT_THAT(message_of([&] { run_sweep(p); }), HasSubstr("start"));
  p.axes = {parse_axis("duration=0.1,-1,0.2")};
  p.trials = 1;
  const auto rows = run_sweep(p, {.jobs = 2});
  EXPECT_EQ(rows[0].outcome, "finished");
  EXPECT_EQ(rows[1].outcome, "refused");
  EXPECT_THAT(rows[1].error, HasSubstr("duration"));
  EXPECT_EQ(rows[2].outcome, "finished");
  p.measures = {parse_measure("sped:mean")};
  EXPECT_THAT(message_of([&] { run_sweep(p); }), HasSubstr("did you mean 'speed'?"));
}

TEST_F(Sweep, TableAndFigureHaveEveryCell) {
  SweepPlan p = plan();
  const auto rows = run_sweep(p, {.jobs = 2});
  const std::string csv = sweep_csv(p, rows);
  EXPECT_THAT(
      csv, ::testing::StartsWith("robot.model,robot.start.yaw_deg,trial,seed,outcome,error,simulated [s]"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  EXPECT_THAT(csv, HasSubstr("pitch:absmax [rad]"));
  const auto figure = sweep_figure(p, rows);
  ASSERT_TRUE(figure.has_value());
  EXPECT_EQ(figure->panels[0].x_label, "robot.start.yaw_deg") << "the first axis of numbers";
  EXPECT_EQ(figure->panels[0].y_label, "finished [share]");
  ASSERT_EQ(figure->panels[0].curves.size(), 2u);
  EXPECT_EQ(figure->panels[0].curves[1].label, "robot.model = vivi");
  EXPECT_THAT(figure->panels[0].curves[1].x, ElementsAre(0, 15, 30));
  p.axes = {parse_axis("robot.model=skid4,vivi")};
  EXPECT_FALSE(sweep_figure(p, {}).has_value());
}

}  // namespace
}  // namespace scree
