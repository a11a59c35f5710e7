#pragma once
/// Wheels, tracks and springs from their own numbers, so that a robot without mesh files looks right and its
/// wheels touch the ground where the simulator says.
#include "scree/view/mesh.hpp"

namespace scree::view {

enum class WheelStyle { pneumatic, grouser };

struct WheelShape {
  double radius = 0.12;   ///< m, to the tip of the tread
  double width = 0.08;    ///< m
  int lugs = 0;           ///< 0: a number that suits the size
  double lug_height = 0;  ///< m; 0: a height that suits the size
  WheelStyle style = WheelStyle::pneumatic;
  Color rim = rgb(0xc9ccd1);
};

/// A wheel about the y axis, its centre at the origin.
Mesh wheel_mesh(const WheelShape& shape);

struct TrackShape {
  double length = 0.5;                             ///< m, between the pulley axes (front pulley at +length/2)
  double front_radius = 0.08, rear_radius = 0.08;  ///< m, to the outside of the cleats
  double width = 0.08;                             ///< m
  int road_wheels = 3;
};

/// A belt around two pulleys whose axes are parallel to y. The cleats are placed as after the belt moved by
/// `travel` [m]; drawing the mesh of a nearby travel again and again makes the belt run.
Mesh track_mesh(const TrackShape& shape, double travel = 0);
/// Distance after which track_mesh() looks the same again [m].
double track_period(const TrackShape& shape);

/// A coil spring around a damper, from the origin to (0, 0, length) [m]: scaled along z as it works.
Mesh strut_mesh(double length, double radius);

}  // namespace scree::view
