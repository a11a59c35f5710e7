#pragma once
/// One moment of a run as it is drawn: where everything is, what touches, which forces act. The bridge from
/// the simulator fills it; everything else in this room only reads it.
#include <string>
#include <vector>

#include "scree/core/types.hpp"

namespace scree::view {

struct WheelMoment {
  Pose pose;            ///< X_WK, spin included
  double radius = 0.1;  ///< m
  bool touches = false;
  Vec3 contact = Vec3::Zero();  ///< m, world
  Vec3 force = Vec3::Zero();    ///< N, world, on the robot
  double travel = 0;            ///< m, suspension compressed from free; 0 without suspension
  double travel_limit = 0;      ///< m, 0 without suspension
  double slip = 0;              ///< -
  double width = 0;             ///< m
  double sinkage = 0;           ///< m, in soft soil; 0 on rigid ground
};

struct RobotMoment {
  std::vector<Pose> links;             ///< X_WL, in the order of RobotShape::links
  std::vector<WheelMoment> wheels;     ///< in the order of RobotShape::wheels
  std::vector<double> track_travel;    ///< m, in the order of RobotShape::tracks
  Vec3 center_of_mass = Vec3::Zero();  ///< m, world
  Vec3 velocity = Vec3::Zero();        ///< m/s, world, of the base
  double weight = 1;                   ///< N, scale of the force arrows
  /// Corners of the support polygon in order around it [m, world], and for the axis from corner i to i + 1
  /// the stability moment as a part of its value at rest on level ground.
  std::vector<Vec3> support;
  std::vector<double> stability;
};

struct Moment {
  double time = 0;  ///< s
  std::vector<RobotMoment> robots;
};

/// Between two moments, part in [0, 1]: positions linearly, orientations on the shortest arc. What touches
/// is taken from the nearer one.
Moment blend(const Moment& a, const Moment& b, double part);

}  // namespace scree::view
