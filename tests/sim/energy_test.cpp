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
  double gain = 0;       ///< most energy of motion and height, above the first [m of the robot's weight]
  bool pressed = false;  ///< a wheel leans against a wall from the first: its spring holds more
  std::string warning;
};

Fall fall(const std::string& robot, const std::vector<std::string>& changes) {
  Simulation s(scenario_of(
      "format=1\nduration=1.5\n[[robot]]\n" + robot + "\n[[event]]\nkind=\"rolled_over\"\n", changes));
  const double first = mechanical_energy(s), weight = 9.81 * s.world().robots()[0].model->tree().mass();
  Fall out;
  const Look look(s);
  for (const auto& wheel : s.world().robots()[0].model->wheels())
    out.pressed = out.pressed || look("wheel." + wheel.settings.name + ".normal") > 0;
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
  const std::string robots[] = {
      fmt::format("model=\"vivi\"\n{}", kUndriven),
      "model=\"mars6\"",
      fmt::format("model=\"skid4\"\n{}", kUndriven),
      fmt::format("model=\"skid4-full\"\n{}", kUndriven),
      fmt::format("model=\"hexa\"\n{}", kUndriven),
      "model=\"el-dorado\"",
      fmt::format("model=\"her\"\n{}", kUndriven),
      // Its own bodies are the paper's (axis_columns), whose forces are not those of a potential.
      R"(model="kyoto"
set=["hull.contact={kind=\"columns\"}"])",
      "model=\"rocker\"",
      R"(model="skid4"
set=["wheel.contact={kind=\"sectors\"}","drive.kind=\"torque\"","battery.voltage=0"])",
  };
  double worst = 0;
  std::size_t thrown = 0, pressed = 0;
  for (const char* ground : kGrounds) {
    for (int i = 0; i < falls(12); ++i, ++thrown) {
      const std::string& robot = robots[thrown % std::size(robots)];
      const double step = 1e-4 * std::pow(50, random.uniform());
      // Half of them anyhow, on their side and back too; half nearly upright.
      const bool anyhow = (thrown + thrown / std::size(robots)) % 2 == 0;
      const double turn = anyhow ? 180 : 20, tilt = anyhow ? 80 : 20;
      const std::string start = fmt::format(
          "robot.0.start={{position=[{:.4f},{:.4f}],clearance={:.4f},roll_deg={:.3f},pitch_deg={:.3f},"
          "yaw_deg={:.3f},speed={:.3f}}}",
          random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.02, 0.5),
          random.uniform(-turn, turn), random.uniform(-tilt, tilt), random.uniform(-180, 180),
          random.uniform(0, 2));
      const Fall f = fall(robot, {ground, start, fmt::format("solver.step={:.6f}", step)});
      pressed += f.pressed;
      if (f.pressed) continue;
      EXPECT_LT(f.gain, 1e-3) << robot << ' ' << ground << ' ' << start << " at " << step;
      worst = std::max(worst, f.gain);
    }
  }
  EXPECT_LT(pressed, thrown / 10);
  RecordProperty("worst_mm", std::to_string(1e3 * worst));
}

/// One falls beside the other or onto it, wherever: the energy of both together.
TEST(Energy, RobotsThrownAtEachOtherOverAnyGroundGainNone) {
  RandomStream random(23, 0, "pairs");
  const char* models[] = {"vivi", "skid4", "her", "hexa"};
  double worst = 0;
  int met = 0;
  const int cases = falls(3);
  for (const char* ground : kGrounds) {
    for (int i = 0; i < cases; ++i) {
      const double step = 1e-4 * std::pow(50, random.uniform()), side = random.uniform(-kPi, kPi);
      std::string robots;
      for (int k = 0; k < 2; ++k) {
        const double apart = k == 0 ? 0.0 : random.uniform(0.0, 1.0);
        const double heading = (k == 0 ? side : side + kPi) / kDegree;
        robots += fmt::format(
            "[[robot]]\nname=\"{}\"\nmodel=\"{}\"\n{}\nstart={{position=[{:.4f},{:.4f}],clearance={:.4f},"
            "roll_deg={:.2f},pitch_deg={:.2f},yaw_deg={:.2f},speed={:.3f}}}\n",
            "ab"[k], models[(i + k * (1 + i / 4)) % 4], kUndriven, apart * maths::cos(side),
            apart * maths::sin(side), k == 0 ? random.uniform(0.02, 0.3) : random.uniform(0.02, 1.2),
            random.uniform(-180, 180), random.uniform(-80, 80), heading, random.uniform(0, 2));
      }
      Simulation s(scenario_of("format=1\nduration=1.5\n" + robots + "[[event]]\nkind=\"robot_contact\"\n",
                               {ground, fmt::format("solver.step={:.6f}", step)}));
      const auto energy = [&] { return mechanical_energy(s, 0) + mechanical_energy(s, 1); };
      double weight = 0;
      for (const auto& r : s.world().robots()) weight += 9.81 * r.model->tree().mass();
      const double first = energy();
      double gain = 0;
      while (!s.finished()) {
        s.advance();
        gain = std::max(gain, (energy() - first) / weight);
      }
      met += !s.events().empty();
      EXPECT_LT(gain, 1e-3) << ground << '\n' << robots << " at " << step << ' ' << s.step_warning();
      worst = std::max(worst, gain);
    }
  }
  EXPECT_GT(met, cases);
  RecordProperty("worst_mm", std::to_string(1e3 * worst));
}

/// Throws that once gained metres, by a wheel that jams on its rim as it lands askew, at steps that are too
/// long for it.
TEST(Energy, WheelsThatJamAsTheyLandGainNone) {
  struct Thrown {
    const char *model, *ground, *start;
    double step;
  };
  const Thrown cases[] = {
      {"hexa", kGrounds[0],
       "position=[0.3057,0.9362],clearance=0.4151,roll_deg=-52.040,pitch_deg=36.378,yaw_deg=115.923,speed=1."
       "735",
       0.0024},
      {"hexa", kGrounds[4],
       "position=[0.8252,-0.5626],clearance=0.4735,roll_deg=49.546,pitch_deg=31.652,yaw_deg=-144.510,speed=1."
       "510",
       0.003633},
      {"hexa", kGrounds[4],
       "position=[0.8594,0.3311],clearance=0.4546,roll_deg=74.594,pitch_deg=22.165,yaw_deg=102.532,speed=0."
       "774",
       0.003},
      {"her", kGrounds[0],
       "position=[0.7058,0.9013],clearance=0.0597,roll_deg=48.272,pitch_deg=43.995,yaw_deg=84.322,speed=1."
       "807",
       0.001459},
      {"vivi", kGrounds[2],
       "position=[-0.9531,0.4564],clearance=0.0918,roll_deg=49.971,pitch_deg=14.441,yaw_deg=141.446,speed=1."
       "332",
       0.001064},
  };
  for (const Thrown& c : cases) {
    const std::string robot = fmt::format("model=\"{}\"\n{}", c.model, kUndriven);
    const Fall f = fall(robot, {c.ground, fmt::format("robot.0.start={{{}}}", c.start),
                                fmt::format("solver.step={}", c.step)});
    EXPECT_LT(f.gain, 1e-3) << c.model << ' ' << c.ground << ' ' << c.start;
  }
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
