#pragma once
/// Puts a robot onto the ground.
#include "scree/sim/scenario.hpp"

namespace scree {

/// Sets pose, velocities and wheel spins of one robot from its start settings. Throws InputError when it
/// would start outside the terrain.
void place(const World& world, int robot, const StartSettings& start, State& state, SimWorkspace& workspace);

}  // namespace scree
