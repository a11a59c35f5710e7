#pragma once
/// The stage `touch` of the step: wheels and hull meet the ground, and what they feel becomes loads on links
/// and rotors of the mechanism.
#include "scree/sim/world.hpp"

namespace scree {

/// How a stage weighs new values; dt = 0: the forces of this instant.
struct StageStep {
  double dt = 0;
  double theta = 0.5, theta_slip = 0.5;
  int load_passes = 1;
};

/// Adds the wrenches (and, for dt > 0, the apparent inertias) of all contacts to the mechanism's loads.
/// Needs update_kinematics; fills scratch.wheels and scratch.hull.
void touch(const World& world, const RobotModel& model, const RobotBlock& block, const StageStep& step,
           RobotScratch& scratch);

/// After the solve: the contacts' own states over the step.
void finish_touch(const RobotModel& model, const StageStep& step, RobotScratch& scratch, RobotBlock& block);

/// Rates of the contacts' own states, for explicit integrators; `rates` is a block like `block`.
void touch_rates(const RobotModel& model, const RobotScratch& scratch, const RobotBlock& block,
                 RobotBlock& rates);

}  // namespace scree
