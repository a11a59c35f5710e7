#include "scree/sim/careful.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/sim/step.hpp"

namespace scree {
namespace {

constexpr double kSpeedTime = 0.01;  // s: what a difference of speeds is worth
constexpr double kLonger =
    1.0 / 8;  // of the tolerance: an error this small lets the next piece be twice as long

/// One step of a robot's block; infinitely wrong where its numbers go bad.
bool try_step(const World& world, int robot, double time, double dt, double* block, SimWorkspace& workspace) {
  try {
    step_block(world, robot, time, dt, block, workspace);
    return true;
  } catch (const GroundError&) {
    throw;
  } catch (const RunError&) {
    return false;
  }
}

/// What a contact that began after the last look of a step has not yet done [m]: no stage of whole or halves
/// saw it, so they agree; the accelerations at the end and at that look do not. `since`: time between them.
double unseen_contact(const World& world, int robot, double time, double since, const double* block,
                      std::vector<double>& seen, SimWorkspace& workspace) {
  const RobotModel& model = *world.robots()[static_cast<std::size_t>(robot)].model;
  const TouchReport before = workspace.report[static_cast<std::size_t>(robot)];
  if (before.touching == static_cast<int>(model.wheels().size()) && before.body) return 0;
  RobotScratch& s = workspace.of(robot);
  std::copy(s.acceleration.begin(), s.acceleration.end(), seen.begin());
  examine_block(world, robot, time, block, workspace);
  const TouchReport& after = workspace.report[static_cast<std::size_t>(robot)];
  if (after.touching == before.touching && after.body == before.body) return 0;
  double most = 0;
  for (int i = 0; i < model.tree().rotor_velocity(); ++i)
    most = std::max(most, (i < 3 ? 1 : model.reach()) * std::abs(s.acceleration[i] - seen[i]));
  return 0.5 * most * since * kSpeedTime;
}

}  // namespace

double state_distance(const RobotModel& model, const double* a, const double* b) {
  const Tree& tree = model.tree();
  const double *x = a + model.layout().positions, *y = b + model.layout().positions;
  const double *v = a + model.layout().velocities, *w = b + model.layout().velocities;
  const double reach = model.reach();
  double way = 0, speed = 0;
  if (!tree.fixed_base()) {
    const double dp = (Eigen::Map<const Vec3>(x) - Eigen::Map<const Vec3>(y)).norm();
    // Twice the sine of half the angle between the two.
    const double even = std::abs(x[3] * y[3] + x[4] * y[4] + x[5] * y[5] + x[6] * y[6]);
    const double turn = 2 * std::sqrt(std::max((1 - even) * (1 + even), 0.0));
    const double dv = (Eigen::Map<const Vec3>(v) - Eigen::Map<const Vec3>(w)).norm();
    const double dw = (Eigen::Map<const Vec3>(v + 3) - Eigen::Map<const Vec3>(w + 3)).norm();
    way = dp + reach * turn, speed = dv + reach * dw;
  }
  for (const RobotWheel& wheel : model.wheels()) {
    if (wheel.rotor < 0) continue;  // it spins as a joint does
    const int at = tree.rotor_velocity() + wheel.rotor;
    speed = std::max(speed, wheel.settings.radius * std::abs(v[at] - w[at]));
  }
  for (int j = 0; j < tree.joint_count(); ++j) {
    const double arm = tree.joints()[j].type == JointType::prismatic ? 1 : reach;
    way = std::max(way, arm * std::abs(x[tree.joint_position() + j] - y[tree.joint_position() + j]));
    speed = std::max(speed, arm * std::abs(v[tree.joint_velocity() + j] - w[tree.joint_velocity() + j]));
  }
  // A sum, not a maximum: it keeps what is no number.
  return std::isfinite(way + speed) ? std::max(way, kSpeedTime * speed)
                                    : std::numeric_limits<double>::infinity();
}

CarefulStep::CarefulStep(const RobotModel& model)
    : start_(static_cast<std::size_t>(model.layout().size)),
      whole_(start_.size()),
      seen_(static_cast<std::size_t>(model.tree().velocity_count())) {}

void CarefulStep::advance(const World& world, State& state, int robot, double dt, SimWorkspace& workspace) {
  const WorldRobot& it = world.robots()[static_cast<std::size_t>(robot)];
  const double tolerance = world.solver().tolerance, begin = state.time();
  double* const now = state.block(it);
  workspace.of(robot).soil = &state.soil();
  constexpr int kParts = 1 << kMostHalvings;
  shortest_ = dt, error_ = 0;
  for (int done = 0; done < kParts;) {
    const int part = kParts >> halvings_;
    const double size = dt * part / kParts, time = begin + dt * done / kParts;
    std::copy_n(now, start_.size(), start_.begin());
    bool sound = try_step(world, robot, time, size, now, workspace);
    std::copy_n(now, start_.size(), whole_.begin());
    std::copy_n(start_.begin(), start_.size(), now);
    sound = sound && try_step(world, robot, time, 0.5 * size, now, workspace) &&
            try_step(world, robot, time + 0.5 * size, 0.5 * size, now, workspace);
    double error = std::numeric_limits<double>::infinity();
    if (sound) {
      error = std::max(state_distance(*it.model, whole_.data(), now),
                       unseen_contact(world, robot, time + size, 0.25 * size, now, seen_, workspace));
    }
    if (error > tolerance && halvings_ < kMostHalvings) {
      std::copy_n(start_.begin(), start_.size(), now);
      ++halvings_;
      continue;
    }
    if (!sound) step_block(world, robot, time, 0.5 * size, now, workspace);  // says what went bad
    done += part;
    shortest_ = std::min(shortest_, 0.5 * size), error_ = std::max(error_, error);
    // Twice as long again only where the longer piece fits the grid of such pieces.
    if (error < kLonger * tolerance && halvings_ > 0 && done % (2 * part) == 0) --halvings_;
  }
}

StepGauge::StepGauge(const World& world) : every_(world.solver().step < kLongStep ? kRarely : kOften) {
  std::size_t most = 0;
  for (const WorldRobot& robot : world.robots())
    most = std::max(most, static_cast<std::size_t>(robot.model->layout().size));
  whole_.resize(most), halves_.resize(most);
}

double StepGauge::error_of(const World& world, const State& state, int robot, double dt,
                           SimWorkspace& workspace) {
  const WorldRobot& it = world.robots()[static_cast<std::size_t>(robot)];
  workspace.of(robot).soil = &state.soil();
  std::copy_n(state.block(it), it.model->layout().size, whole_.begin());
  std::copy_n(state.block(it), it.model->layout().size, halves_.begin());
  const bool sound = try_step(world, robot, state.time(), dt, whole_.data(), workspace) &&
                     try_step(world, robot, state.time(), 0.5 * dt, halves_.data(), workspace) &&
                     try_step(world, robot, state.time() + 0.5 * dt, 0.5 * dt, halves_.data(), workspace);
  // Where it is not, the run itself will say so.
  return sound ? state_distance(*it.model, whole_.data(), halves_.data()) : 0;
}

void StepGauge::measure(const World& world, const State& state, double dt, SimWorkspace& workspace) {
  if (world.robots().empty()) return;
  const int robot = static_cast<int>(measured_ % world.robots().size());
  const double error = error_of(world, state, robot, dt, workspace);
  ++measured_;
  sum_ += error, most_ = std::max(most_, error), largest_ = std::max(largest_, error);
}

bool StepGauge::landing(const World& world, const State& state, double dt) {
  if (touching_ > 0 || !(gap_ < 1e3)) return false;
  const WorldRobot& it = world.robots()[0];
  const double* v = state.block(it) + it.model->layout().velocities;
  const double speed = std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]);
  return gap_ < 2 * dt * speed && landings_++ % kLandings == 0;
}

void StepGauge::note(const RobotModel& model, const TouchReport& report, std::span<const double> acceleration,
                     double dt) {
  touching_ = report.touching, gap_ = report.gap;
  if (model.tree().fixed_base()) return;
  const double* a = acceleration.data();
  const auto size = [](const double* v) { return std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]); };
  if (!(dt * (size(a) + model.reach() * size(a + 3)) > kJolt)) return;
  const double jolt =
      dt * (Eigen::Map<const Vec3>(a).norm() + model.reach() * Eigen::Map<const Vec3>(a + 3).norm());
  if (jolt > kJolt) largest_ = std::max(largest_, 0.25 * kSpeedTime * jolt);
}

void StepGauge::measure_landing(const World& world, const State& state, double dt, SimWorkspace& workspace) {
  largest_ = std::max(largest_, error_of(world, state, 0, dt, workspace));
}

std::string StepGauge::warning(double dt) const {
  const double each_second = mean_error() / dt;
  // One impact that happened to be measured says little of the many steps that were not: not on its own.
  const double rest = measured_ > 0 ? (sum_ - most_) / static_cast<double>(measured_) / dt : 0;
  const bool many = measured_ >= kFewest && rest > kBearable;
  if (!many && !(largest_ > kBearableOnce)) return "";
  // Errors of a second-order step fall by four where it is halved.
  const double too_much = std::max(each_second / kBearable, largest_ / kBearableOnce);
  return fmt::format(
      "a step of {:.3g} ms is too long here: single steps are off by {:.2g} mm in the mean of {} measured "
      "and "
      "{:.2g} mm at worst, which adds up to {:.2g} mm a second; try solver.step={:.1g} or "
      "solver.tolerance=1e-5",
      1e3 * dt, 1e3 * mean_error(), measured_, 1e3 * largest_, 1e3 * each_second,
      dt / std::sqrt(10 * too_much));
}

}  // namespace scree
