#pragma once
/// The stage `drive` of the step: drives turn commands into torque on their joints and rotors.
#include "scree/sim/world.hpp"

namespace scree {

/// Speeds and angles of the driven coordinates, into the scratch.
inline void read_driven(const RobotModel& model, const RobotBlock& block, RobotScratch& s) {
  const auto mounts = model.mounts();
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    s.speed_before[i] = block.velocities[mounts[i].at.velocity];
    s.angle[i] = block.positions[mounts[i].at.position];
  }
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
  read_driven(model, block, s);
  begin(model.train(), commands, {s.speed_before, s.angle}, size, block.drives, s.drive);
  load_driven(model, size.theta * size.dt, s);
}

/// The torque of a kinematic drive is what the solve found.
inline void tell_kinematic_drives(const RobotModel& model, RobotScratch& s) {
  for (const PrescribedJoint& p : model.prescribed())
    if (p.drive >= 0) set_torque(model.train(), p.drive, s.mechanism.joint_force[p.joint], s.drive);
}

}  // namespace scree
