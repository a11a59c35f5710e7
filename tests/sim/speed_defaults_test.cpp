/// The default law of the controller `speed` suits every robot that ships.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "sim/scenarios.hpp"

namespace scree {
namespace {

using testing::scenario_of;

struct Settled {
  std::string outcome;
  double worst = 0;  ///< greatest deviation from the desired speed, as a share of it, after `from`
  double most = 0;   ///< greatest speed at any time [m/s]
};

Settled drive(const Scenario& scenario, double speed, double from) {
  Simulation s(scenario);
  const SignalCatalog catalog = s.signals();
  const int place = catalog.find("speed");
  std::vector<char> wanted(catalog.size());
  wanted[place] = 1;
  s.choose_signals(wanted);
  std::vector<double> values(catalog.size());
  Settled out;
  while (!s.finished()) {
    s.advance();
    s.observe(values);
    out.most = std::max(out.most, std::abs(values[place]));
    if (s.time() >= from) out.worst = std::max(out.worst, std::abs(values[place] / speed - 1));
  }
  out.outcome = s.outcome();
  return out;
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  for (const auto& [name, file] : data_files("models", "robot.toml")) names.push_back(name);
  return names;
}

std::vector<std::string> overrides(const std::string& model, double speed) {
  return {"robot.model=" + model, "robot.control={kind=\"speed\",speed=" + std::to_string(speed) + "}"};
}

TEST(SpeedDefaults, EveryRobotSettlesOnLevelGround) {
  ASSERT_GE(shipped_models().size(), 4u);
  for (const std::string& model : shipped_models())
    for (const double speed : {0.3, 1.0, 2.0}) {
      const Scenario scenario =
          scenario_of("duration = 6\n[terrain]\nkind = \"flat\"\n[[robot]]\n", overrides(model, speed));
      const Settled got = drive(scenario, speed, 3);
      EXPECT_EQ(got.outcome, "finished") << model << " at " << speed << " m/s";
      EXPECT_LE(got.worst, 0.05) << model << " at " << speed << " m/s";
      EXPECT_LE(got.most, 1.25 * speed) << model << " at " << speed << " m/s overshoots";
    }
}

TEST(SpeedDefaults, EveryRobotSettlesOnTheHillsOfTheDemo) {
  for (const std::string& model : shipped_models())
    for (const double speed : {0.3, 1.0, 2.0}) {
      const Scenario scenario = load_scenario(source_tree("/scenarios/demo.toml"), overrides(model, speed));
      const Settled got = drive(scenario, speed, 4);
      EXPECT_EQ(got.outcome, "finished") << model << " at " << speed << " m/s";
      EXPECT_LE(got.worst, 0.05) << model << " at " << speed << " m/s";
    }
}

/// Down to 100 Hz, where the proportional gain of 100 1/s would be ten a sample.
TEST(SpeedDefaults, SlowClocksGetASlowLaw) {
  for (const char* rate : {"100", "300", "10000"})
    for (const std::string& model : shipped_models()) {
      auto changes = overrides(model, 1.0);
      changes.push_back(std::string("robot.control.rate=") + rate);
      const Settled got =
          drive(scenario_of("duration = 12\n[terrain]\nkind = \"flat\"\n[[robot]]\n", changes), 1.0, 9);
      EXPECT_EQ(got.outcome, "finished") << model << " at " << rate << " Hz";
      EXPECT_LE(got.worst, 0.05) << model << " at " << rate << " Hz";
    }
}

}  // namespace
}  // namespace scree
