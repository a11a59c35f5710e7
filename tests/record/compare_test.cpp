#include "scree/record/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/temporary_folder.hpp"

namespace scree {
namespace {

/// A made-up run: reaches 10 m/s in 4 s by a line, then holds it to 8 s at a constant 400 W.
RunFolder made_up() {
  RunFolder run;
  run.path = "runs/made_up";
  run.summary = "{\"simulated_s\": 8.0, \"outcome\": \"rolled_over\"}";
  run.complete = true;
  std::vector<double> t, v, volts, amps, front, rear, slip;
  const std::vector<double> zero(801), ahead(801, 2.3), behind(801, 1.7), base(801, 2.0),
      turned(801, kPi / 2);
  for (int i = 0; i <= 800; ++i) {
    const double time = 0.01 * i;
    t.push_back(time);
    v.push_back(std::min(10.0, 2.5 * time));
    volts.push_back(40), amps.push_back(time < 4 ? 20 : 10);
    front.push_back(time > 6 && time <= 7 ? 0 : 100);
    rear.push_back(120);
    slip.push_back(time < 4 ? 0.2 : -0.1);
  }
  run.columns = {{"time", "s", t},
                 {"speed", "m/s", v},
                 {"battery.voltage", "V", volts},
                 {"battery.current", "A", amps},
                 {"x", "m", zero},
                 {"y", "m", base},
                 {"yaw", "rad", turned},
                 {"wheel.a_1.normal", "N", rear},
                 {"wheel.a_1.slip", "-", slip},
                 {"wheel.a_1.centre_x", "m", zero},
                 {"wheel.a_1.centre_y", "m", behind},
                 {"wheel.a_2.normal", "N", front},
                 {"wheel.a_2.slip", "-", slip},
                 {"wheel.a_2.centre_x", "m", zero},
                 {"wheel.a_2.centre_y", "m", ahead}};
  return run;
}

TEST(Compare, FiguresOfAKnownRun) {
  const std::vector<RunFolder> runs = {made_up()};
  const RunFigures f = compare_runs(runs, {.speed = 10})[0];
  EXPECT_EQ(f.run, "made_up");
  EXPECT_EQ(f.outcome, "rolled_over");
  EXPECT_NEAR(f.time_to_speed, 3.96, 1e-9);                     // 99 % of 10 m/s
  EXPECT_NEAR(f.share_within, (8 - 3.8) / 8, 0.01 / 8 + 1e-9);  // from 9.5 m/s on, to a sample
  EXPECT_NEAR(f.energy, 4 * 800 + 4 * 400, 3);
  EXPECT_NEAR(f.peak_power, 800, 1e-9);
  EXPECT_NEAR(f.distance, 20 + 40, 1e-9);
  EXPECT_NEAR(f.least_normal, 0, 1e-12);
  EXPECT_NEAR(f.airborne, 1.0 / 8, 0.01 / 8 + 1e-9);
  ASSERT_EQ(f.axles.size(), 2u);
  EXPECT_EQ(f.axles[0].name, "front") << "by where the wheels stand, not by their names";
  EXPECT_EQ(f.axles[1].name, "rear");
  EXPECT_NEAR(f.axles[1].largest_slip, 0.2, 1e-12);
  EXPECT_NEAR(f.axles[1].mean_slip, 0.15, 1e-3);
}

TEST(Compare, ShortRunsAreMeasuredAgainstThePlannedTime) {
  RunFolder full = made_up(), cut = made_up();
  for (LogColumn& c : cut.columns) c.values.resize(501);
  const std::vector<RunFolder> runs = {full, cut};
  const auto rows = compare_runs(runs, {.speed = 10});
  EXPECT_NEAR(rows[1].share_within, (5 - 3.8) / 8, 0.01) << "a run that ended early did not hold the speed";
}

TEST(Compare, AxlesAreCountedFromTheFrontByPosition) {
  RunFolder run = made_up();
  const std::vector<double> middle(801, 2.02), normal(801, 5.0), zero(801);
  for (const char* name : {"c", "d"}) {
    run.columns.push_back({std::string("wheel.") + name + ".normal", "N", normal});
    run.columns.push_back({std::string("wheel.") + name + ".centre_x", "m", zero});
    run.columns.push_back({std::string("wheel.") + name + ".centre_y", "m", middle});
  }
  const std::vector<RunFolder> runs = {run};
  const RunFigures f = compare_runs(runs, {.speed = 10})[0];
  ASSERT_EQ(f.axles.size(), 3u);
  EXPECT_EQ(f.axles[1].name, "middle");
  EXPECT_EQ(f.axles[2].name, "rear");
}

TEST(Compare, TheDesiredSpeedIsThatOfTheScenarioUnlessGiven) {
  const testing::TemporaryFolder folder;
  RunFolder run = made_up();
  run.path = folder.path();
  folder.write("scenario.toml", "[[robot]]\n[robot.control]\nkind = \"speed\"\nspeed = 5\n");
  const std::vector<RunFolder> runs = {run, made_up()};
  const auto rows = compare_runs(runs, {});
  EXPECT_EQ(rows[0].speed, 5);
  EXPECT_NEAR(rows[0].time_to_speed, 1.98, 1e-9);
  EXPECT_EQ(rows[1].speed, 0) << "nothing is known";
  EXPECT_NE(comparison_json(rows).find("\"speed\": null"), std::string::npos);
}

TEST(Compare, TableAndJsonNameEveryRun) {
  const std::vector<RunFolder> runs = {made_up()};
  const auto rows = compare_runs(runs, {.speed = 12});
  EXPECT_NE(comparison_table(rows).find("never"), std::string::npos);
  EXPECT_NE(comparison_table(rows).find("made_up"), std::string::npos);
  EXPECT_NE(comparison_json(rows).find("\"time_to_speed_s\": null"), std::string::npos);
  EXPECT_EQ(comparison_figure(runs, "t").panels.size(), 4u);
}

}  // namespace
}  // namespace scree
