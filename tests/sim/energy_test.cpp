/// Robots that fall, tumble and bounce without drive: on the nastiest ground, from many random starts, at any
/// step, they never have more energy than they came with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scenarios.hpp"
#include "scree/core/random.hpp"

namespace scree::testing {
namespace {

// SCREE_FALLS in the environment runs more of them.
int falls(int usual) {
  const char* given = std::getenv("SCREE_FALLS");
  return given ? std::atoi(given) : usual;
}

const char* kGrounds[] = {
    R"(terrain={kind="flat"})",
    R"(terrain={kind="step",start=0.0,rise=0.4})",
    R"(terrain={kind="stairs",start=-1.0})",
    R"(terrain={kind="trench",start=0.0})",
    R"(terrain={kind="rocks",cover=0.2,smallest=0.1,largest=0.5,size=[12.0,12.0],cell=0.02,seed=4})",
    R"(terrain={kind="fbm",hurst=0.36,sigma=0.02,size=[8.0,8.0],cells=[400,400],seed=3})",
    R"(terrain={kind="step_field",size=[8.0,8.0]})",
    R"(terrain={kind="sines",amplitude=0.3,wavelength_x=1.0,wavelength_y=1.3})",
};

struct Fall {
  double gain = 0;  ///< most energy of motion and height, above the first [m of the robot's weight]
  std::string warning;
};

Fall fall(const std::string& robot, const std::vector<std::string>& changes) {
  Simulation s(scenario_of(
      "format=1\nduration=1.5\n[[robot]]\n" + robot + "\n[[event]]\nkind=\"rolled_over\"\n", changes));
  const double first = mechanical_energy(s), weight = 9.81 * s.world().robots()[0].model->tree().mass();
  Fall out;
  while (!s.finished()) {
    s.advance();
    out.gain = std::max(out.gain, (mechanical_energy(s) - first) / weight);
  }
  out.warning = s.step_warning();
  return out;
}

constexpr const char* kUndriven = R"(set=["drive.kind=\"torque\"","battery.voltage=0"])";

TEST(Energy, RobotsThrownOntoAnyGroundGainNone) {
  RandomStream random(21, 0, "energy");
  const std::string robots[] = {fmt::format("model=\"vivi\"\n{}", kUndriven),
                                fmt::format("model=\"skid4\"\n{}", kUndriven),
                                fmt::format("model=\"hexa\"\n{}", kUndriven),
                                fmt::format("model=\"her\"\n{}", kUndriven), "model=\"rocker\""};
  double worst = 0;
  for (const char* ground : kGrounds) {
    for (int i = 0; i < falls(12); ++i) {
      const std::string& robot = robots[i % std::size(robots)];
      const double step = 1e-4 * std::pow(50, random.uniform());
      // Half of them anyhow, on their side and back too; half nearly upright.
      const double turn = i % 2 == 0 ? 180 : 20, tilt = i % 2 == 0 ? 80 : 20;
      const std::string start = fmt::format(
          "robot.0.start={{position=[{:.4f},{:.4f}],clearance={:.4f},roll_deg={:.3f},pitch_deg={:.3f},"
          "yaw_deg={:.3f},speed={:.3f}}}",
          random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.02, 0.5),
          random.uniform(-turn, turn), random.uniform(-tilt, tilt), random.uniform(-180, 180),
          random.uniform(0, 2));
      const Fall f = fall(robot, {ground, start, fmt::format("solver.step={:.6f}", step)});
      EXPECT_LT(f.gain, 1e-3) << robot << ' ' << ground << ' ' << start << " at " << step;
      worst = std::max(worst, f.gain);
    }
  }
  RecordProperty("worst_mm", std::to_string(1e3 * worst));
}

/// Without damping: level and tilted, with and without friction, for a minute. What they gain of the height
/// that they fell, unless the run says itself that its step is too long.
TEST(Energy, UndampedDropsGainAtMostAHundredth) {
  RandomStream random(22, 0, "drops");
  double worst = 0;
  int warned = 0;
  const int cases = falls(24);
  for (int i = 0; i < cases; ++i) {
    const char* models[] = {"vivi", "skid4", "hexa", "her"};
    const std::string robot = fmt::format(
        "model=\"{}\"\nset=[\"drive.kind=\\\"torque\\\"\",\"battery.voltage=0\",\"wheel.suspension.damping=0."
        "0\"]",
        models[i % 4]);
    const double step = 5e-4 * std::pow(10, random.uniform()), height = random.uniform(0.02, 0.5);
    const double tilt = i / 4 % 2 == 0 ? 0 : 20;
    const Fall f = fall(
        robot,
        {"terrain={kind=\"flat\"}", "duration=60.0", fmt::format("solver.step={:.6f}", step),
         fmt::format("world.friction={}", i / 8 % 3 == 2 ? 0 : 1),
         fmt::format("robot.0.start={{clearance={:.4f},roll_deg={:.3f},pitch_deg={:.3f},yaw_deg={:.1f}}}",
                     height, random.uniform(-tilt, tilt), random.uniform(-tilt, tilt),
                     random.uniform(-180, 180))});
    warned += !f.warning.empty();
    if (!f.warning.empty()) continue;
    EXPECT_LT(f.gain, 0.01 * height) << robot << " from " << height << " m at " << step;
    worst = std::max(worst, f.gain / height);
  }
  EXPECT_LT(warned, cases / 2);
  RecordProperty("worst_percent", std::to_string(100 * worst));
}

/// A robot that pitches without friction turns its wheels by their rolling resistance alone, to and fro: what
/// the wheels are given, the links bear.
TEST(Energy, RollingResistanceOfAPitchingRobotGivesNone) {
  const std::pair<const char*, double> wheels[] = {
      {"0.0", 0.015}, {"4.0", 0.015}, {"0.0", 0.4}, {"4.0", 0.4}};
  for (const char* model : {"her", "hexa"}) {
    // Also with wheels whose axes are not the link's.
    for (const auto& [camber, resistance] : wheels) {
      const std::string robot = fmt::format(
          "model=\"{}\"\nset=[\"drive.kind=\\\"torque\\\"\",\"battery.voltage=0\","
          "\"wheel.suspension.damping=0.0\",\"wheel.camber_deg={}\",\"wheel.tyre.rolling_resistance={}\"]",
          model, camber, resistance);
      const Fall f = fall(robot, {"terrain={kind=\"flat\"}", "duration=30.0", "solver.step=0.0018",
                                  "world.friction=0", "robot.0.start={clearance=0.097,pitch_deg=9}"});
      EXPECT_LT(f.gain, 1e-3) << model << ' ' << camber << ' ' << resistance;
    }
  }
}

}  // namespace
}  // namespace scree::testing
