/// Orders of convergence, and the accuracy of the default step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenarios.hpp"

namespace scree::testing {
namespace {

/// A state in steady driving: the start itself, where slip is zero, is not smooth.
const State& underway() {
  static const State state = [] {
    Simulation s(scenario_of(kSmooth, {"solver.step=1e-4"}));
    run_to(s, 0.4);
    State out = s.state();
    out.set_time(0);
    return out;
  }();
  return state;
}

/// Positions and velocities of the base 0.4 s later.
Eigen::VectorXd end_state(const char* method, double step) {
  Simulation s(scenario_of(kSmooth, {fmt::format("solver={{method=\"{}\",step={}}}", method, step)}));
  std::copy(underway().all().begin(), underway().all().end(), s.mutable_state().all().begin());
  run_to(s, 0.4);
  const WorldRobot& r = s.world().robots()[0];
  const double* block = s.state().block(r);
  Eigen::VectorXd x(12);
  for (int i = 0; i < 3; ++i) x[i] = block[i];
  for (int i = 0; i < 3; ++i) x[3 + i] = block[4 + i];
  for (int i = 0; i < 6; ++i) x[6 + i] = block[r.model->layout().velocities + i];
  return x;
}

double error_of(const char* method, double step) {
  static const Eigen::VectorXd exact = end_state("rk4", 1e-4);
  return (end_state(method, step) - exact).norm();
}

/// log2 of the error's ratio when the step is halved.
double order_of(const char* method, double step) {
  return std::log2(error_of(method, step) / error_of(method, step / 2));
}

TEST(Convergence, EulerIsOfFirstOrder) { EXPECT_NEAR(order_of("euler", 2e-4), 1, 0.15); }

TEST(Convergence, TheDefaultStepIsOfSecondOrderAndFarMoreAccurateThanEuler) {
  EXPECT_NEAR(order_of("implicit", 4e-3), 2, 0.15);
  EXPECT_NEAR(order_of("implicit", 2e-3), 2, 0.15);
  EXPECT_LT(error_of("implicit", 1e-3), error_of("euler", 1e-3) / 50);
}

// Below 4 ms the error meets that of the contact search (1e-5 of the radius).
TEST(Convergence, RungeKuttaIsOfFourthOrder) { EXPECT_NEAR(order_of("rk4", 8e-3), 4, 0.3); }

/// A command that rises in the course of a step acts with its mean.
TEST(Convergence, ARampedCommandKeepsTheOrder) {
  const auto end = [](double step) {
    Simulation s(
        scenario_of(kSmooth, {fmt::format("solver.step={}", step), "duration=0.8",
                              "robot.profile=[{quantity=\"torque\",rows=[[0.0,0.0],[0.4,3.0],[0.8,0.5]]}]"}));
    run_to(s, 0.8);
    return position(s).x();
  };
  const double exact = end(5e-5);
  const double coarse = std::abs(end(8e-3) - exact), fine = std::abs(end(4e-3) - exact);
  EXPECT_GT(coarse / fine, 3.2) << coarse << " m and " << fine << " m";
}

/// Time series at every 0.05 s: position, speed, four normal forces.
struct Series {
  std::vector<Vec3> p;
  std::vector<double> speed, normal;
};
Series series(double step, const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {fmt::format("solver.step={}", step)};
  overrides.insert(overrides.end(), more.begin(), more.end());
  Simulation s(scenario_of(kSines, overrides));
  Series out;
  for (int i = 1; i <= 200; ++i) {
    run_to(s, 0.05 * i);
    const Look look(s);
    out.p.push_back(position(s));
    out.speed.push_back(Vec3(look("vx"), look("vy"), look("vz")).norm());
    for (const auto& wheel : s.world().robots()[0].model->wheels()) {
      out.normal.push_back(look("wheel." + wheel.settings.name + ".normal"));
    }
  }
  return out;
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}
double rms_position(const Series& a, const Series& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.p.size(); ++i) sum += (a.p[i] - b.p[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.p.size()));
}
double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

const Series& converged() {
  static const Series reference = series(5e-5);
  return reference;
}
double path_of(const Series& s) {
  double path = 0;
  for (std::size_t i = 1; i < s.p.size(); ++i) path += (s.p[i] - s.p[i - 1]).norm();
  return path;
}

TEST(Accuracy, OneMillisecondReproducesAConvergedRunOnSines) {
  const Series ours = series(1e-3);
  EXPECT_LT(rms_position(ours, converged()) / path_of(converged()), 1e-3);
  EXPECT_LT(rms_difference(ours.speed, converged().speed) / mean(converged().speed), 1e-3);
  EXPECT_LT(rms_difference(ours.normal, converged().normal) / mean(converged().normal), 5e-3);
}

TEST(Accuracy, FiveMillisecondsEndWithinOnePercentOfThePath) {
  for (const double step : {2e-3, 5e-3, 1e-2}) {
    const Series ours = series(step);
    EXPECT_LT((ours.p.back() - converged().p.back()).norm() / path_of(converged()), 0.01) << step;
  }
}

TEST(Accuracy, SmoothCellsComeNearerToTheSinesThanBilinearOnes) {
  // The same sines sampled every 0.1 m: slopes that jump at cell edges cost normal force; a C1 surface does
  // not.
  const std::string grid =
      "terrain={{kind=\"function\",expression=\"0.15*sin(2*pi*x/4)*cos(2*pi*y/6)\",sampled=true,"
      "size=[50,50],cells=[500,500],interpolation=\"{}\"}}";
  const Series bilinear = series(1e-3, {fmt::format(fmt::runtime(grid), "bilinear")});
  const Series smooth = series(1e-3, {fmt::format(fmt::runtime(grid), "smooth")});
  const double off_bilinear = rms_difference(bilinear.normal, converged().normal) / mean(converged().normal);
  const double off_smooth = rms_difference(smooth.normal, converged().normal) / mean(converged().normal);
  RecordProperty("bilinear_percent", std::to_string(100 * off_bilinear));
  RecordProperty("smooth_percent", std::to_string(100 * off_smooth));
  EXPECT_LT(off_smooth, 0.5 * off_bilinear);
}

}  // namespace
}  // namespace scree::testing
