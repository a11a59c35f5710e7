/// The experiments of Morrot 2011 Sec. 5 as they ship, and the stability demonstration.
#include <gtest/gtest.h>

#include <cmath>

#include "scree/sim/run.hpp"
#include "scree/study/vivi_map.hpp"
#include "support/paths.hpp"

namespace scree {
namespace {

const std::string kRoot = source_tree("/scenarios/");

/// Energy out of the battery, time to 9.9 m/s, path.
struct Figures {
  RunSummary summary;
  double energy = 0, time_to_speed = -1, path = 0;
};

class Meter : public Sink {
 public:
  explicit Meter(Figures& out) : out_(out) {}
  void begin(const RunInfo& info) override {
    speed_ = info.signals->find("speed");
    volts_ = info.signals->find("battery.voltage"), amps_ = info.signals->find("battery.current");
  }
  void sample(const Sample& s) override {
    const double power = s.values[volts_] * s.values[amps_];
    if (last_ >= 0) out_.energy += 0.5 * (power + power_) * (s.time - last_);
    if (out_.time_to_speed < 0 && s.values[speed_] >= 9.9) out_.time_to_speed = s.time;
    last_ = s.time, power_ = power;
  }

 private:
  Figures& out_;
  int speed_ = 0, volts_ = 0, amps_ = 0;
  double last_ = -1, power_ = 0;
};

Figures figures(const std::string& scenario, const std::vector<std::string>& overrides) {
  Figures out;
  Meter meter(out);
  Sink* sinks[] = {&meter};
  out.summary = run(load_scenario(kRoot + scenario, overrides), sinks);
  for (const auto& [name, value] : out.summary.numbers)
    if (name == "path_m") out.path = value;
  return out;
}

const std::vector<std::string> kCoarse = {"solver.step=1e-3", "robot.control.rate=1000"};

TEST(Vivi, OnTheRampTheProportionalControllerRollsOverAndCdtaDoesNot) {
  EXPECT_EQ(figures("vivi/ramp_speed.toml", kCoarse).summary.outcome, "rolled_over");
  EXPECT_EQ(figures("vivi/ramp_cdta.toml", kCoarse).summary.outcome, "finished");
}

TEST(Vivi, TheTwoScenariosDifferByTheControllerOnly) {
  for (const std::string ground : {"ramp", "sines"}) {
    const std::string a = load_scenario(kRoot + "vivi/" + ground + "_speed.toml").text;
    std::string b =
        load_scenario(kRoot + "vivi/" + ground + "_cdta.toml", {"robot.control.kind=\"speed\""}).text;
    auto without_doc = [](std::string text) {
      const auto at = text.find("doc = ");
      return text.erase(at, text.find('\n', at) - at);
    };
    EXPECT_EQ(without_doc(a), without_doc(b));
  }
}

TEST(Vivi, OverSinesCdtaNeedsLessEnergyPerMetre) {
  const Figures p = figures("vivi/sines_speed.toml", kCoarse), c = figures("vivi/sines_cdta.toml", kCoarse);
  EXPECT_LT(c.energy / c.path, p.energy / p.path);
}

TEST(Vivi, TheTableIsTheSameAtSixtyFiveAndHundredMicroseconds) {
  for (const char* scenario : {"vivi/ramp_speed.toml", "vivi/ramp_cdta.toml"}) {
    const Figures a = figures(scenario, {"solver.step=65e-6"}), b = figures(scenario, {"solver.step=1e-4"});
    EXPECT_EQ(a.summary.outcome, b.summary.outcome);
    EXPECT_NEAR(a.time_to_speed, b.time_to_speed, 0.01 * b.time_to_speed);
    EXPECT_NEAR(a.energy, b.energy, 0.01 * b.energy);
    EXPECT_NEAR(a.summary.simulated_s, b.summary.simulated_s, 0.01 * b.summary.simulated_s);
  }
}

TEST(Stability, GuardedTurnStaysUprightAndGetsFartherThanHalvedTorques) {
  const char* scenario = "stability/turn_guarded.toml";
  const Figures guarded = figures(scenario, {});
  const Figures free = figures(scenario, {"robot.control.protect=false"});
  const Figures halved = figures(scenario, {"robot.control.protect=false", "robot.control.share=0.5"});
  EXPECT_EQ(guarded.summary.outcome, "finished");
  EXPECT_EQ(free.summary.outcome, "rolled_over");
  EXPECT_GT(guarded.path, 1.5 * halved.path);
  auto unstable = [](const Figures& f) {
    for (const Event& e : f.summary.events)
      if (e.kind == "unstable") return true;
    return false;
  };
  EXPECT_TRUE(unstable(free)) << "the centre of mass leaves the support polygon before it lies on its side";
}

TEST(Vivi, LookingAtARunDoesNotChangeIt) {
  const Scenario s = load_scenario(kRoot + "vivi/ramp_cdta.toml",
                                   {"solver.step=1e-3", "robot.control.rate=1000", "duration=2"});
  Figures out;
  Meter meter(out);
  Sink* sinks[] = {&meter};
  EXPECT_EQ(run(s, sinks).state_hash, run(s, {}).state_hash);
}

/// Feeds made-up loads to the witness.
std::string cause(const std::function<std::pair<double, double>(double)>& loads) {
  SignalCatalog catalog;
  for (const char* name : {"pitch", "wheel.front_left.normal", "wheel.rear_left.normal"})
    catalog.add({name, "N", ""});
  RollOverWitness witness(400);
  RunInfo info;
  info.signals = &catalog;
  witness.begin(info);
  for (int i = 0; i <= 1000; ++i) {
    const auto [front, rear] = loads(0.001 * i);
    const double values[] = {0, front, rear};
    witness.sample({0.001 * i, values, {}});
  }
  return witness.cause();
}

TEST(RollOverWitness, TellsTheCauses) {
  EXPECT_EQ(cause([](double t) {
              return std::pair{t < 0.5 ? 200.0 : 0.0, t < 0.5 ? 200.0 : 400.0};
            }),
            "traction");
  EXPECT_EQ(cause([](double t) {
              return std::pair{t < 0.5 ? 200.0 : 0.0, t < 0.55 ? 200.0 : 0.0};
            }),
            "flight");
  EXPECT_EQ(cause([](double t) {
              return std::pair{t < 0.5 ? (t > 0.48 ? 2500.0 : 200.0) : 0.0, t < 0.55 ? 200.0 : 0.0};
            }),
            "impact");
}

}  // namespace
}  // namespace scree
