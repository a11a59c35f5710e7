#include "scree/sim/prescribe.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

double wanted_rate(const DriveSettings& x, const DriveCommand& c, double position, double dt) {
  using Mode = DriveCommand::Mode;
  if (c.mode == Mode::speed) return c.value;
  if (c.mode != Mode::position) return 0;
  const double way = c.value - position, a = x.acceleration_limit;
  double most = std::abs(way) / dt;
  if (a > 0) most = std::min(most, a * (std::sqrt(0.25 * dt * dt + 2 * std::abs(way) / a) - 0.5 * dt));
  return std::copysign(most, way);
}

}  // namespace

KinematicStep follow(const DriveSettings& x, const DriveCommand& c, double position, double rate, double dt) {
  double wanted = wanted_rate(x, c, position, dt);
  if (x.speed_limit > 0) wanted = std::clamp(wanted, -x.speed_limit, x.speed_limit);
  if (x.acceleration_limit > 0) {
    const double change = x.acceleration_limit * dt;
    wanted = std::clamp(wanted, rate - change, rate + change);
  }
  return {wanted, position + wanted * dt};
}

void prescribe_motions(const RobotModel& model, const RobotBlock& block, double time, double dt,
                       RobotScratch& s) {
  for (const PrescribedJoint& p : model.prescribed()) {
    if (p.drive >= 0) continue;
    const double rate = block.velocities[model.tree().joint_velocity() + p.joint];
    s.mechanism.given[p.joint] =
        dt > 0 ? (p.motion(time + dt).rate - rate) / dt : p.motion(time).acceleration;
  }
}

void prescribe_drives(const RobotModel& model, std::span<const DriveCommand> commands,
                      const RobotBlock& block, double since, double dt, RobotScratch& s) {
  for (const PrescribedJoint& p : model.prescribed()) {
    if (p.drive < 0) continue;
    const double rate = block.velocities[model.tree().joint_velocity() + p.joint];
    const double from = block.positions[model.tree().joint_position() + p.joint] - since * rate;
    const KinematicStep to = follow(model.mounts()[p.drive].drive, commands[p.drive], from, rate, dt);
    s.mechanism.given[p.joint] = (to.rate - rate) / dt;
    s.goal[p.joint] = to.position;
  }
}

void recall_drives(const RobotModel& model, const RobotBlock& block, RobotScratch& s) {
  for (const PrescribedJoint& p : model.prescribed()) {
    if (p.drive >= 0) s.mechanism.given[p.joint] = block.drives[model.train().drives()[p.drive].at];
  }
}

void finish_prescribed(const RobotModel& model, double time, RobotScratch& s, RobotBlock& block) {
  const int positions = model.tree().joint_position(), rates = model.tree().joint_velocity();
  for (const PrescribedJoint& p : model.prescribed()) {
    if (p.drive < 0) {
      const MotionNow now = p.motion(time);
      block.positions[positions + p.joint] = now.position;
      block.velocities[rates + p.joint] = now.rate;
    } else {
      block.positions[positions + p.joint] = s.goal[p.joint];
      block.drives[model.train().drives()[p.drive].at] = s.mechanism.given[p.joint];
    }
  }
}

void start_prescribed(const RobotModel& model, double time, RobotBlock& block) {
  for (const PrescribedJoint& p : model.prescribed()) {
    if (p.drive >= 0) continue;
    const MotionNow now = p.motion(time);
    block.positions[model.tree().joint_position() + p.joint] = now.position;
    block.velocities[model.tree().joint_velocity() + p.joint] = now.rate;
  }
}

}  // namespace scree
