#pragma once
/// One step of the world. Everything else in the program exists to prepare it or to show what came of it.
#include "scree/sim/touch.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// Advances one robot by dt under its commands; the state's time is left. Robots may be advanced at the same
/// time by several threads: each touches its own block, scratch and report only.
void step_robot(const World& world, State& state, int robot, double dt, SimWorkspace& workspace);

/// The same for a block of numbers that need not be in the state, from `time` on: a step that is tried.
void step_block(const World& world, int robot, double time, double dt, double* block,
                SimWorkspace& workspace);

/// Advances every robot by dt under the commands and pushes in the workspace (robots that meet are pushed by
/// Encounters::meet before).
/// Throws RunError when numbers go bad, naming time, robot, and the quantity.
void step(const World& world, State& state, double dt, SimWorkspace& workspace);

/// Forces and accelerations of this instant, without moving: fills the robot's scratch (for signals and
/// events). The state is not changed.
void examine(const World& world, const State& state, int robot, SimWorkspace& workspace);
void examine_block(const World& world, int robot, double time, const double* block, SimWorkspace& workspace);

}  // namespace scree
