/// Steps that know their error: division to a tolerance, and the warning about steps that are too long.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "scenarios.hpp"
#include "scree/config/data_path.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/careful.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/step.hpp"

namespace scree::testing {
namespace {

using ::testing::HasSubstr;

/// Dropped without friction, damping or drive: nothing takes energy away.
const char* kDrop = R"(
format = 1
duration = 60.0
[world]
friction = 0.0
[terrain]
kind = "flat"
[[robot]]
model = "vivi"
set = ["drive.kind=\"torque\"", "battery.voltage=0", "wheel.suspension.damping=0.0"]
start = { clearance = 0.1, pitch_deg = 2.0, roll_deg = 1.0 }
[[event]]
kind = "hull_contact"
ends_run = true
)";

TEST(StateDistance, IsTheWayOfTheFarthestPoint) {
  const Simulation s(scenario_of(kDrop));
  const WorldRobot& robot = s.world().robots()[0];
  const RobotModel& model = *robot.model;
  std::vector<double> a(s.state().block(robot), s.state().block(robot) + model.layout().size), b = a;
  EXPECT_EQ(state_distance(model, a.data(), b.data()), 0);
  const int x = model.layout().positions, v = model.layout().velocities;
  b[x] += 3e-3, b[x + 2] -= 4e-3;
  EXPECT_NEAR(state_distance(model, a.data(), b.data()), 5e-3, 1e-12);
  b = a;
  // Turned by a small angle about any axis, and read with either sign of the quaternion.
  const Quat turned = Quat(a[x + 3], a[x + 4], a[x + 5], a[x + 6]) *
                      Quat(Eigen::AngleAxisd(0.01, Vec3(1, 2, -2).normalized()));
  for (const double sign : {1.0, -1.0}) {
    b[x + 3] = sign * turned.w(), b[x + 4] = sign * turned.x();
    b[x + 5] = sign * turned.y(), b[x + 6] = sign * turned.z();
    EXPECT_NEAR(state_distance(model, a.data(), b.data()), 0.01 * model.reach(), 1e-6);
  }
  b = a;
  b[v + 1] += 0.5;
  EXPECT_NEAR(state_distance(model, a.data(), b.data()), 5e-3, 1e-12) << "speed counts for 10 ms";
  b[v + 1] = std::nan("");
  EXPECT_TRUE(std::isinf(state_distance(model, a.data(), b.data())));
}

TEST(CarefulStep, EndsNearerTheTruthTheSmallerItsTolerance) {
  // A robot drives over sines and lands on them from 5 cm: smooth stretches and impacts.
  const auto end = [](double step, double tolerance) {
    Scenario scenario =
        scenario_of(kSmooth, {fmt::format("solver.step={}", step), "duration=2.0",
                              fmt::format("solver.tolerance={}", tolerance), "robot.0.start.clearance=0.05"});
    Simulation s(scenario);
    run_to(s, 2);
    return position(s);
  };
  const Vec3 truth = end(2e-5, 0);
  double last = (end(5e-3, 0) - truth).norm();
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const double error = (end(5e-3, tolerance) - truth).norm();
    EXPECT_LT(error, 0.5 * last) << tolerance;
    last = error;
  }
  EXPECT_LT(last, 2e-5);
}

TEST(CarefulStep, UndampedDropsKeepTheirEnergyAtAnyStep) {
  std::mt19937 random(5);
  for (const double step : {1e-3, 5e-3, 2e-2}) {
    const double height = std::uniform_real_distribution(0.02, 0.5)(random);
    const double tilt = std::uniform_real_distribution(-3.0, 3.0)(random);
    Simulation s(
        scenario_of(kDrop, {fmt::format("solver.step={}", step), "solver.tolerance=1e-6", "duration=10.0",
                            fmt::format("robot.0.start={{clearance={},roll_deg={}}}", height, tilt)}));
    const double before = mechanical_energy(s);
    double most = 0;
    while (!s.finished()) {
      s.advance();
      most = std::max(most, mechanical_energy(s));
    }
    const double weight = 9.81 * s.world().robots()[0].model->tree().mass();
    EXPECT_LT(most - before, 0.01 * weight * height) << step << ' ' << height << ' ' << tilt;
  }
}

TEST(CarefulStep, PiecesAreLogged) {
  Simulation s(scenario_of(kDrop, {"solver.step=1e-2", "solver.tolerance=1e-5"}));
  const SignalCatalog catalog = s.signals();
  std::vector<double> values(catalog.size());
  double least = 1, most = 0, worst = 0;
  while (s.time() < 1) {
    s.advance();
    s.observe(values);
    const double piece = values[catalog.find("step.shortest")];
    least = std::min(least, piece), most = std::max(most, piece);
    worst = std::max(worst, values[catalog.find("step.error")]);
  }
  EXPECT_LT(least, 2e-3) << "an impact needs short pieces";
  EXPECT_GE(most, 5e-3) << "free flight does not";
  EXPECT_LE(worst, 1e-5);
  EXPECT_GT(worst, 0);
  EXPECT_ANY_THROW(Simulation(scenario_of(kDrop)).signals().find("step.shortest"));
}

std::vector<std::string> warnings_of(const std::string& text, const std::vector<std::string>& changes) {
  return run(scenario_of(text, changes), {}).warnings;
}

TEST(StepGauge, WarnsOnceWhereStepsAreTooLong) {
  const auto warnings =
      warnings_of(kDrop, {"solver.step=2e-2", "duration=20.0", "robot.0.start={clearance=0.1}"});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("a step of 20 ms is too long"));
  EXPECT_THAT(warnings[0], HasSubstr("solver.tolerance"));
  EXPECT_TRUE(warnings_of(kDrop, {"solver.step=2e-4", "duration=5.0"}).empty());
}

TEST(StepGauge, OneImpactAmongQuietStepsSaysNothingManyDo) {
  const double dt = 5e-3;
  const std::string stiff = R"(robot.0.set=["drive.kind=\"torque\"","wheel.suspension.stiffness=1e6"])";
  const Simulation quiet(scenario_of(kDrop, {stiff, "solver.step=5e-3", "robot.0.start={clearance=5.0}"}));
  const Simulation impact(scenario_of(kDrop, {stiff, "solver.step=5e-3", "robot.0.start={clearance=-0.01}"}));
  SimWorkspace workspace(quiet.world());
  StepGauge one(quiet.world()), many(quiet.world());
  for (int i = 0; i < 30; ++i) {
    one.measure(quiet.world(), quiet.state(), dt, workspace);
    many.measure(i % 2 ? impact.world() : quiet.world(), i % 2 ? impact.state() : quiet.state(), dt,
                 workspace);
  }
  EXPECT_LT(one.mean_error(), 1e-9);
  one.measure(impact.world(), impact.state(), dt, workspace);
  EXPECT_GT(one.mean_error() / dt, StepGauge::kBearable) << "it would make the mean too large";
  EXPECT_LT(one.largest_error(), StepGauge::kBearableOnce);
  EXPECT_EQ(one.warning(dt), "");
  EXPECT_NE(many.warning(dt), "");
}

TEST(StepGauge, AJoltThatNoStepResolvesIsTold) {
  const Simulation s(scenario_of(kDrop));
  const RobotModel& model = *s.world().robots()[0].model;
  for (const bool turns : {false, true}) {
    std::vector<double> acceleration(static_cast<std::size_t>(model.tree().velocity_count()));
    StepGauge gauge(s.world());
    double& a = acceleration[turns ? 4 : 2];
    a = 1.9 / 1e-3 / (turns ? model.reach() : 1);
    gauge.note(model, TouchReport{}, acceleration, 1e-3);
    EXPECT_EQ(gauge.warning(1e-3), "");
    a *= -1.2;  // 2.3 m/s in a millisecond
    gauge.note(model, TouchReport{}, acceleration, 1e-3);
    EXPECT_NE(gauge.warning(1e-3), "");
  }
}

TEST(StepGauge, SaysNothingOfWhatShips) {
  for (const auto& [name, file] : data_files("scenarios")) {
    const RunSummary summary = run(load_scenario(file, {"duration=5.0"}), {});
    for (const auto& warning : summary.warnings) ADD_FAILURE() << name << ": " << warning;
  }
}

TEST(StepGauge, DoesNotChangeTheRun) {
  Simulation watched(scenario_of(kSmooth, {"duration=2.0"}));
  State plain = watched.state();
  SimWorkspace workspace(watched.world());
  for (int i = 0; i < 1000; ++i) {
    watched.advance();
    for (std::size_t k = 0; k < workspace.commands[0].size(); ++k)
      workspace.commands[0][k] = watched.workspace().commands[0][k];
  }
  EXPECT_GT(watched.gauge().measured(), 5u);
  // The same steps without a gauge: commands of this scenario never change.
  const double dt = watched.world().solver().step;
  for (int i = 0; i < 1000; ++i) {
    const double target = (i + 1.0) * dt;
    step(watched.world(), plain, target - plain.time(), workspace);
    plain.set_time(target);
  }
  EXPECT_EQ(plain.hash(), watched.state().hash());
}

}  // namespace
}  // namespace scree::testing
