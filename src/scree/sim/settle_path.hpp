#pragma once
/// Kinematics along a path (Ding 2011 Table 1): inverse, from the path to joints and motors; forward, dead
/// reckoning from joints, motors, roll and pitch back to the path.
#include <vector>

#include "scree/sim/settle.hpp"

namespace scree {

struct PathPoint {
  double x = 0, y = 0, yaw = 0;  ///< of the base [m, rad]
};

/// One pose of a drive without slip.
struct PathPose {
  Settled stand;
  std::vector<double> spin_angle;  ///< of every wheel relative to its link, from the first pose on [rad]
};

/// Stands the robot at every point, its steered wheels (on joints about z with a drive) turned to where they
/// roll, every wheel turned by the way that its hub made along the ground.
std::vector<PathPose> settle_path(Settler& settler, std::span<const PathPoint> path);

/// Position and yaw from what a rover measures: roll, pitch, joint and wheel angles of `poses` (nothing else
/// of them is read), from `start` on. Between two poses the hubs move by radius times the turn of their
/// wheel, in the wheel's plane: least squares over all wheels for the shift of the base and its change of
/// yaw.
std::vector<PathPoint> dead_reckon(const RobotModel& model, std::span<const PathPose> poses,
                                   const PathPoint& start);

}  // namespace scree
