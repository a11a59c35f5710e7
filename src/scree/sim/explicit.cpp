#include "scree/sim/explicit.hpp"

#include <algorithm>

#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/integrate.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/drives.hpp"
#include "scree/sim/prescribe.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

/// Time derivative of a robot's whole block at `values`.
TouchReport block_rates(const World& world, const RobotModel& model, std::span<const DriveCommand> commands,
                        const OutsidePush& push, double time, double* values, RobotScratch& s,
                        std::vector<double>& out) {
  RobotBlock at(model, values), rate(model, out.data());
  Workspace& mechanism = s.mechanism;
  update_kinematics(model.tree(), at.positions, at.velocities, mechanism);
  clear_loads(mechanism);
  add_push(push, mechanism);
  add_joint_forces(model.tree(), 0, 1, mechanism);
  rates(model.train(), commands, driven_motion(model, at, s), at.drives, s.drive, rate.drives);
  load_driven(model, 0, s);
  prescribe_motions(model, at, time, 0, s);
  const TouchReport report = touch(world, model, at, {0, 1, 1, 3}, s);
  solve(model.tree(), {world.gravity(), 0}, mechanism, s.acceleration);
  position_rates(model.tree(), at.positions, at.velocities, rate.positions);
  velocity_rates(model.tree(), mechanism, s.acceleration, rate.velocities);
  touch_rates(model, s, at, rate);
  return report;
}

void add(std::span<const double> base, double h, std::span<const double> slope, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = base[i] + h * slope[i];
}

}  // namespace

TouchReport explicit_step(const World& world, const WorldRobot& robot, std::span<const DriveCommand> commands,
                          const OutsidePush& push, double time, double dt, double* values, RobotScratch& s) {
  const RobotModel& model = *robot.model;
  const std::span<double> y(values, model.layout().size);
  RobotBlock block(model, values);
  prescribe_drives(model, commands, block, 0, dt, s);
  auto& k1 = s.stage[0];
  TouchReport report = block_rates(world, model, commands, push, time, values, s, k1);
  if (world.solver().method == StepMethod::euler) {
    axpy(dt, k1, y);
  } else {
    auto &k2 = s.stage[1], &k3 = s.stage[2], &k4 = s.stage[3], &at = s.stage[4];
    add(y, 0.5 * dt, k1, at);
    block_rates(world, model, commands, push, time + 0.5 * dt, at.data(), s, k2);
    add(y, 0.5 * dt, k2, at);
    block_rates(world, model, commands, push, time + 0.5 * dt, at.data(), s, k3);
    add(y, dt, k3, at);
    report = block_rates(world, model, commands, push, time + dt, at.data(), s, k4);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += dt / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  }
  normalise_base(model.tree(), block.positions);
  finish_prescribed(model, time + dt, s, block);
  settle_touch(model, s, block);
  return report;
}

}  // namespace scree
