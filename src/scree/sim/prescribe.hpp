#pragma once
/// Joints that move as they are told: by a function of time, or by the commands to a kinematic drive.
#include <span>

#include "scree/drive/command.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// What a kinematic drive asks of its joint over the next dt.
struct KinematicStep {
  double rate = 0;      ///< over the step [rad/s or m/s]
  double position = 0;  ///< at its end
};
/// Follows a command within the drive's speed and acceleration limits; without limits it is where it is told
/// to be at the end of the step. Towards a position it is never faster than it can stop in time: with the
/// limit a, the largest rate v for which v dt + (v - a dt) dt + ... stays within the way left.
KinematicStep follow(const DriveSettings& drive, const DriveCommand& command, double position, double rate,
                     double dt);

/// Sets the accelerations of joints with a motion for a solve: over the step of dt from `time`, or with dt =
/// 0 those of this instant.
void prescribe_motions(const RobotModel& model, const RobotBlock& block, double time, double dt,
                       RobotScratch& scratch);
/// Sets the accelerations that the commands to kinematic drives ask for over a step of dt, which began
/// `since` before the block's positions were reached.
void prescribe_drives(const RobotModel& model, std::span<const DriveCommand> commands,
                      const RobotBlock& block, double since, double dt, RobotScratch& scratch);
/// For looking at an instant: kinematic drives accelerate as over the last step.
void recall_drives(const RobotModel& model, const RobotBlock& block, RobotScratch& scratch);

/// Puts the prescribed joints where they are to be at the end of the step.
void finish_prescribed(const RobotModel& model, double time, RobotScratch& scratch, RobotBlock& block);

/// Positions and rates at the start.
void start_prescribed(const RobotModel& model, double time, RobotBlock& block);

}  // namespace scree
