#include "scree/sim/step.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/flat.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/integrate.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/drives.hpp"
#include "scree/sim/explicit.hpp"
#include "scree/sim/prescribe.hpp"

namespace scree {
namespace {

constexpr double kLargestRate = 1e7;  // m/s², rad/s²: beyond, the run has diverged

[[noreturn]] void diverged(const WorldRobot& robot, double time, const std::string& quantity, double value) {
  run_error("diverged at t = {:.6f} s: robot '{}', {} is {}; try a smaller solver.step", time, robot.name,
            quantity, value);
}

/// Says which number is too large.
[[gnu::cold, gnu::noinline]] void name_number(const WorldRobot& robot, const RobotScratch& s, double time) {
  static const char* base[] = {"base acceleration x", "base acceleration y", "base acceleration z",
                               "roll acceleration",   "pitch acceleration",  "yaw acceleration"};
  const Tree& tree = robot.model->tree();
  for (int i = 0; i < tree.velocity_count(); ++i) {
    const double a = s.acceleration[i];
    if (std::abs(a) < kLargestRate / tree.velocity_count()) continue;
    if (i < tree.joint_velocity()) diverged(robot, time, base[i], a);
    if (i < tree.rotor_velocity()) {
      diverged(robot, time, "acceleration of joint '" + tree.joints()[i - tree.joint_velocity()].name + "'",
               a);
    }
    diverged(robot, time,
             "spin acceleration of wheel '" + tree.rotors()[i - tree.rotor_velocity()].name + "'", a);
  }
}

void check_numbers(const WorldRobot& robot, const RobotScratch& s, double time) {
  const double* a = s.acceleration.data();
  const std::size_t count = s.acceleration.size();
  Lanes sums{};
  double total = 0;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) sums += lane::abs(lane::load(a + i));
  for (; i < count; ++i) total += std::abs(a[i]);
  if (lane::sum(sums) + total < kLargestRate) return;
  name_number(robot, s, time);
}

/// Drift, touch, kick, drift: stable at steps far beyond the stiff rates of suspension, slip, brake and
/// motor, whose answer to the new velocities is part of the solve. Second order where the motion is smooth.
/// Flat: its parts are short, and calling them would take a tenth of the step.
SCREE_FLAT TouchReport implicit_step(const World& world, const WorldRobot& robot,
                                     std::span<const DriveCommand> commands, const OutsidePush& push,
                                     double time, double dt, double* values, RobotScratch& s) {
  const RobotModel& model = *robot.model;
  const Tree& tree = model.tree();
  const SolverSettings& solver = world.solver();
  RobotBlock block(model, values);
  const StageStep stage{dt, solver.theta, solver.theta_slip, 1};
  const StepSize size{dt, solver.theta_slip};

  drift(tree, block.positions, block.velocities, 0.5 * dt);
  update_kinematics(tree, block.positions, block.velocities, s.mechanism);
  clear_loads(s.mechanism);
  add_push(push, s.mechanism);
  add_joint_forces(tree, dt, solver.theta, s.mechanism);
  const JointMotion driven = driven_motion(model, block, s);
  begin(model.train(), commands, driven, size, block.drives, s.drive);
  load_driven(model, size.theta * size.dt, s);
  const bool prescribed = !model.prescribed().empty();
  if (prescribed) {
    prescribe_motions(model, block, time, dt, s);
    prescribe_drives(model, commands, block, 0.5 * dt, dt, s);
  }
  const TouchReport report = touch(world, model, block, stage, s);
  solve(tree, {world.gravity(), dt}, s.mechanism, s.acceleration);
  kick(tree, s.mechanism, s.acceleration, dt, block.velocities);
  finish_touch(model, stage, s, block);
  tell_kinematic_drives(model, s);
  finish(model.train(), commands, driven.speeds, driven_speeds(model, block, s), size, block.drives, s.drive);
  drift(tree, block.positions, block.velocities, 0.5 * dt);
  if (prescribed) finish_prescribed(model, time + dt, s, block);
  return report;
}

}  // namespace

void step_block(const World& world, int i, double time, double dt, double* block, SimWorkspace& workspace) {
  const WorldRobot& robot = world.robots()[i];
  RobotScratch& s = workspace.of(i);
  TouchReport& report = workspace.report[i];
  if (world.solver().method == StepMethod::implicit) {
    report = implicit_step(world, robot, workspace.commands[i], workspace.push[i], time, dt, block, s);
  } else {
    report = explicit_step(world, robot, workspace.commands[i], workspace.push[i], time, dt, block, s);
  }
  check_numbers(robot, s, time);
}

void step_robot(const World& world, State& state, int i, double dt, SimWorkspace& workspace) {
  workspace.of(i).soil = &state.soil();
  step_block(world, i, state.time(), dt, state.block(world.robots()[i]), workspace);
}

void step(const World& world, State& state, double dt, SimWorkspace& workspace) {
  for (std::size_t i = 0; i < world.robots().size(); ++i)
    step_robot(world, state, static_cast<int>(i), dt, workspace);
  press_soil(world, state, workspace);
  state.set_time(state.time() + dt);
}

void examine_block(const World& world, int index, double time, const double* values,
                   SimWorkspace& workspace) {
  const RobotModel& model = *world.robots()[index].model;
  RobotScratch& s = workspace.of(index);
  RobotBlock block(model, const_cast<double*>(values));  // read only
  update_kinematics(model.tree(), block.positions, block.velocities, s.mechanism);
  clear_loads(s.mechanism);
  add_push(workspace.push[index], s.mechanism);
  add_joint_forces(model.tree(), 0, 1, s.mechanism);
  drive(model, workspace.commands[index], block, {0, 1}, s);
  prescribe_motions(model, block, time, 0, s);
  recall_drives(model, block, s);
  static_cast<TouchReport&>(workspace.report[index]) = touch(world, model, block, {0, 1, 1, 3}, s);
  solve(model.tree(), {world.gravity(), 0}, s.mechanism, s.acceleration);
  tell_kinematic_drives(model, s);
}

void examine(const World& world, const State& state, int index, SimWorkspace& workspace) {
  workspace.of(index).soil = &state.soil();
  examine_block(world, index, state.time(), state.block(world.robots()[index]), workspace);
}

}  // namespace scree
