#pragma once
/// Explicit integrators, for comparison: Euler (the paper's) and classical Runge-Kutta of fourth order.
#include "scree/sim/world.hpp"

namespace scree {

/// Advances one robot's block by dt with the method that the world's solver names ("euler" or "rk4").
/// Returns what the last touch found.
TouchReport explicit_step(const World& world, const WorldRobot& robot, std::span<const DriveCommand> commands,
                          const OutsidePush& push, double time, double dt, double* values,
                          RobotScratch& scratch);

}  // namespace scree
