#pragma once
/// Wheels gathered into a rear and a front axle, as the planar controllers see a robot.
#include <vector>

#include "scree/control/controller.hpp"

namespace scree {

struct Axle {
  std::vector<int> wheels;  ///< places in Readings::wheels
  double radius = 0;        ///< mean [m]
  double torque_limit = 0;  ///< sum over its drives [N m]
  int driven = 0;           ///< wheels with a drive
};
/// [0] rear: wheels behind the centre of mass; [1] front. Throws InputError when one would be empty or
/// without a drive; `who` is the controller.
std::array<Axle, 2> split_axles(const RobotInfo& robot, double torque_limit, const std::string& who);

/// What an axle's wheels read, together.
struct AxleReading {
  Vec2 p = Vec2::Zero();  ///< mean contact point from the centre of mass, in the world's pitch plane [m]
  double tangent = 0;     ///< mean, uphill positive [rad]
  double normal = 0;      ///< sum [N]
  double friction = 0;    ///< load-weighted peak friction coefficient [-]
  int touching = 0;       ///< wheels on the ground
};
AxleReading read_axle(const Axle& axle, const Readings& readings, const Vec3& p_BM);

/// Gives every driven wheel of an axle the same torque, `force` [N] in all at the rim.
void command_axle(const Axle& axle, const RobotInfo& robot, double force, std::span<DriveCommand> commands);

}  // namespace scree
