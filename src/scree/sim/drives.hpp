#pragma once
/// The stage `drive` of the step: drives turn commands into torque on their joints and rotors.
#include "scree/sim/world.hpp"

namespace scree {

/// Speeds and angles of the driven coordinates, as the kinematics found them.
inline JointMotion driven_motion(const RobotModel& model, const RobotBlock& block, RobotScratch& s) {
  if (model.drives_rotors()) return {s.mechanism.spin, s.mechanism.angle};
  const auto mounts = model.mounts();
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    s.speed_before[i] = block.velocities[mounts[i].at.velocity];
    s.angle[i] = block.positions[mounts[i].at.position];
  }
  return {s.speed_before, s.angle};
}

/// Their speeds after the kick.
inline std::span<const double> driven_speeds(const RobotModel& model, const RobotBlock& block,
                                             RobotScratch& s) {
  if (model.drives_rotors()) return block.velocities.subspan(model.tree().rotor_velocity());
  const auto mounts = model.mounts();
  for (std::size_t i = 0; i < mounts.size(); ++i) s.speed_after[i] = block.velocities[mounts[i].at.velocity];
  return s.speed_after;
}

/// Adds what the drives give to the loads of their coordinates; `implicit` is theta dt.
inline void load_driven(const RobotModel& model, double implicit, RobotScratch& s) {
  const auto mounts = model.mounts();
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const double torque = s.drive.torque[i], apparent = mounts[i].armature + implicit * s.drive.slope[i];
    const Coordinate& at = mounts[i].at;
    if (at.kind == Coordinate::Kind::rotor) {
      RotorLoad& load = s.mechanism.rotor_load[at.index];
      load.torque += torque;
      load.apparent += apparent;
    } else {
      JointLoad& load = s.mechanism.joint_load[at.index];
      load.force += torque;
      load.apparent += apparent;
    }
  }
}

inline void drive(const RobotModel& model, std::span<const DriveCommand> commands, const RobotBlock& block,
                  StepSize size, RobotScratch& s) {
  begin(model.train(), commands, driven_motion(model, block, s), size, block.drives, s.drive);
  load_driven(model, size.theta * size.dt, s);
}

/// The torque of a kinematic drive is what the solve found.
inline void tell_kinematic_drives(const RobotModel& model, RobotScratch& s) {
  for (const PrescribedJoint& p : model.prescribed())
    if (p.drive >= 0) set_torque(model.train(), p.drive, s.mechanism.joint_force[p.joint], s.drive);
}

}  // namespace scree
