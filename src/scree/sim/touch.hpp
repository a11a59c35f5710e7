#pragma once
/// The stage `touch` of the step: the robot's contact groups meet the ground, and what they feel becomes
/// loads on links and rotors of the mechanism.
#include "scree/sim/world.hpp"

namespace scree {

/// Adds the wrenches (and, for dt > 0, the apparent inertias) of all contacts to the mechanism's loads.
/// Needs update_kinematics; fills the groups' scratch. Returns what events want to know.
TouchReport touch(const World& world, const RobotModel& model, const RobotBlock& block, const StageStep& step,
                  RobotScratch& scratch);

/// Adds what acts from outside besides the ground.
void add_push(const OutsidePush& push, Workspace& mechanism);

/// Where the links of a robot are and how they move, into its scratch.
void place_links(const World& world, const State& state, int robot, SimWorkspace& workspace);

/// After the solve: the contacts' own states over the step.
void finish_touch(const RobotModel& model, const StageStep& step, RobotScratch& scratch, RobotBlock& block);

/// After all robots have stepped: what they leave in soil that deforms, robot by robot.
void press_soil(const World& world, State& state, SimWorkspace& workspace);

/// Rates of the contacts' own states, for explicit integrators; `rates` is a block like `block`.
void touch_rates(const RobotModel& model, const RobotScratch& scratch, const RobotBlock& block,
                 RobotBlock& rates);
/// And what is left of these states at the end of an explicit step.
void settle_touch(const RobotModel& model, const RobotScratch& scratch, RobotBlock& block);

/// Fills scratch.contacts, the flat list that everyone else reads, from the last touch.
std::span<const Contact> list_contacts(const World& world, const RobotModel& model, RobotScratch& scratch);
/// Of it what is read at every sample (ContactGroup::list_wheels).
std::span<const Contact> list_wheels(const World& world, const RobotModel& model, RobotScratch& scratch);

/// How far the lowest body of a robot is below the ground, straight up [m]; negative: clear. Its links are
/// where the workspace has them.
double sunk(const World& world, const RobotModel& model, const Workspace& mechanism);

}  // namespace scree
