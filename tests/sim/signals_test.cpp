/// Signals: what is asked for is computed, and only that; the way made and the energy drawn add up.
#include <gmock/gmock.h>

#include <cmath>

#include "scree/sim/run.hpp"
#include "sim/scenarios.hpp"

namespace scree {
namespace {

using testing::scenario_of;

constexpr const char* kGround =
    "duration = 3\n[terrain]\nkind = \"sines\"\namplitude = 0.1\n[[robot]]\nmodel = \"vivi\"\n"
    "start = { yaw_deg = 90, clearance = 0.02 }\n[robot.control]\nkind = \"speed\"\nspeed = 1.5\n";

/// Keeps the rows of the signals it asks for.
class Rows : public Sink {
 public:
  explicit Rows(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
  std::vector<std::string> wanted_signals() const override { return patterns_; }
  void begin(const RunInfo& info) override { catalog = *info.signals; }
  void sample(const Sample& s) override { rows.emplace_back(s.values.begin(), s.values.end()); }
  double at(std::size_t row, const std::string& name) const { return rows[row][catalog.find(name)]; }
  SignalCatalog catalog;
  std::vector<std::vector<double>> rows;

 private:
  std::vector<std::string> patterns_;
};

Rows rows_of(const std::vector<std::string>& patterns) {
  Rows rows(patterns);
  Sink* sinks[] = {&rows};
  run(scenario_of(kGround), sinks);
  return rows;
}

TEST(Signals, ThoseAskedForAreTheSameWhateverElseIsAskedFor) {
  const Rows all = rows_of({"*"});
  const std::vector<std::vector<std::string>> choices = {{"speed", "energy.*"},
                                                         {"wheel.*.normal", "az"},
                                                         {"stability.index"},
                                                         {"distance", "course.*"},
                                                         {"control.*"}};
  for (const auto& patterns : choices) {
    const Rows some = rows_of(patterns);
    ASSERT_EQ(some.rows.size(), all.rows.size());
    std::size_t checked = 0;
    for (const int place : all.catalog.match(patterns)) {
      ++checked;
      for (std::size_t i = 0; i < all.rows.size(); ++i) ASSERT_EQ(some.rows[i][place], all.rows[i][place]);
    }
    EXPECT_GT(checked, 0u);
    const int other = all.catalog.find(patterns[0] == "stability.index" ? "x" : "stability.index");
    EXPECT_TRUE(std::isnan(some.rows[5][other])) << "nobody asked for it";
  }
}

/// Reads states every so often.
class States : public Sink {
 public:
  explicit States(double period) : period_(period) {}
  bool wants_state(double time) const override {
    return period_ > 0 && std::abs(std::remainder(time, period_)) < 1e-6;
  }
  void sample(const Sample& s) override { (s.state.empty() ? without : with).push_back(s.time); }
  std::vector<double> with, without;

 private:
  double period_;
};

TEST(Signals, TheStateIsSavedOnlyWhenASinkReadsIt) {
  States never(0), seldom(0.5);
  Sink* one[] = {&never};
  run(scenario_of(kGround), one);
  EXPECT_TRUE(never.with.empty());
  EXPECT_EQ(never.without.size(), 301u);
  Sink* both[] = {&never, &seldom};
  run(scenario_of(kGround), both);
  EXPECT_EQ(seldom.with.size(), 7u);  // 0, 0.5, ... 3
  EXPECT_EQ(seldom.without.size(), 294u);
  EXPECT_EQ(never.with.size(), 7u) << "what one asks for all are given";
}

TEST(Signals, EffortIsNoMoreThanTheSignalsNeed) {
  const Scenario scenario = scenario_of(kGround);
  const SignalCatalog catalog = signal_catalog(*scenario.world);
  const auto effort = [&](const std::string& name) {
    std::vector<char> wanted(catalog.size());
    wanted[catalog.find(name)] = 1;
    return efforts_for(*scenario.world, wanted)[0];
  };
  EXPECT_EQ(effort("x"), Effort::motion);
  EXPECT_EQ(effort("energy.drawn"), Effort::motion);
  EXPECT_EQ(effort("ax"), Effort::forces);
  EXPECT_EQ(effort("wheel.front_left.slip"), Effort::forces);
  EXPECT_EQ(effort("battery.current"), Effort::forces);
  EXPECT_EQ(effort("stability.nesm"), Effort::stability);
  EXPECT_EQ(efforts_for(*scenario.world, std::vector<char>(catalog.size()))[0], Effort::none);
}

/// Chords of 10 ms are shorter than those of 1 ms, by (turn of the velocity within 10 ms)^2 / 24.
TEST(Signals, DistanceIsTheLengthOfThePathAndThatOfTheSummary) {
  Rows rows({"x", "y", "z", "distance"});
  Sink* sinks[] = {&rows};
  const RunSummary summary = run(scenario_of(kGround), sinks);
  double chords = 0;
  const auto p = [&](std::size_t i) { return Vec3(rows.at(i, "x"), rows.at(i, "y"), rows.at(i, "z")); };
  for (std::size_t i = 1; i < rows.rows.size(); ++i) chords += (p(i) - p(i - 1)).norm();
  const double distance = rows.at(rows.rows.size() - 1, "distance");
  EXPECT_NEAR(distance, chords, 1e-3 * chords);
  EXPECT_GE(distance, chords * (1 - 1e-12));
  for (const auto& [name, value] : summary.numbers) EXPECT_TRUE(name != "path_m" || value == distance);
}

TEST(Signals, CourseIsTakenFromTheStart) {
  const Rows rows = rows_of({"x", "y", "yaw", "course.*"});
  const std::size_t last = rows.rows.size() - 1;
  // It began at the origin towards +y.
  EXPECT_NEAR(rows.at(last, "course.along"), rows.at(last, "y"), 1e-12);
  EXPECT_NEAR(rows.at(last, "course.offset"), -rows.at(last, "x"), 1e-12);
  EXPECT_NEAR(rows.at(last, "course.heading"), rows.at(last, "yaw") - kPi / 2, 1e-9);
  EXPECT_GT(rows.at(last, "course.along"), 2);
}

/// What is drawn is the integral of the power at the battery's cell and goes into work, heat and, within a
/// few joules, what bristles and coils hold.
TEST(Signals, EnergyIsTheIntegralOfPowerAndClosesItsBooks) {
  const Rows rows = rows_of({"energy.*", "battery.*"});
  double integral = 0;
  for (std::size_t i = 1; i < rows.rows.size(); ++i) {
    const auto power = [&](std::size_t k) {
      const double amps = rows.at(k, "battery.current");
      return amps * (rows.at(k, "battery.voltage") + 0.04 * amps);  // with what its own resistance takes
    };
    integral += 0.5 * (power(i) + power(i - 1)) * 0.01;
  }
  const std::size_t last = rows.rows.size() - 1;
  const double drawn = rows.at(last, "energy.drawn");
  EXPECT_GT(drawn, 50);
  EXPECT_NEAR(drawn, integral, 0.05 * drawn) << "rows are 10 ms apart";
  EXPECT_NEAR(drawn, rows.at(last, "energy.work") + rows.at(last, "energy.lost"), 0.002 * drawn + 0.5);
  EXPECT_EQ(rows.at(0, "energy.drawn"), 0);
}

}  // namespace
}  // namespace scree
