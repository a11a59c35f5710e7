#pragma once
/// What stands in a wheel's way: ground that its suspension cannot lift it onto (rim_search.hpp), felt by
/// four feelers from the wheel's centre, level and along the two lines above which ground is a wall.
///
/// With C the centre of the wheel as it stood, R its radius, f the ground's height and
/// Q(s) = C + s d, 0 <= s <= R, along the feelers d = +-n and d = (+-n - kWallRise b)/|..|:
///
///     depth = max over all feelers and s of  min(R - s,  f(Q_x, Q_y) - Q_z),   at least 0
///
/// A point of a feeler is as deep in a wall as it lies inside the rim and below the ground, whichever is
/// less. A wall square to the travel that begins s0 before the centre is R - s0 deep, to within its own
/// slope: it is met by the level feelers; faces that lean back are met by those below. Heights alone enter,
/// of ground that has one everywhere, so
/// - the depth is a continuous function of the wheel's place and attitude wherever the ground is continuous
///   (both terms are, and so is the maximum): what rises past the line of walls starts with depth 0, and a
///   spring on the depth has no jumps;
/// - grids and functions are the same to it, and leaning wheels need no law of their own.
/// The way out is the level normal of the face where the feeler enters the ground.
#include <limits>

#include "scree/ground/rim_search.hpp"

namespace scree {

struct RimWall {
  double depth = 0;     ///< how far a wall reaches into the rim [m]
  double u = 0, t = 0;  ///< where, along n and b from the hub [m]
  double x = 0, y = 0;  ///< level direction out of it, unit, world axes; zero where its face is not steep
};

/// No wall is met where all ground near the wheel is lower than this [m]; of one wheel, of four.
double lowest_feeler(const RimPlane& wheel);
Lanes lowest_feelers(const RimPlanes& wheels);

/// `feature`: size of the ground's finest feature [m], two looks on each; 0: unknown. `slope_bound`: no slope
/// near the wheel is larger; it spares looks where there is no wall and changes no answer.
RimWall find_wall(const Terrain& terrain, const RimPlane& wheel, double feature,
                  double slope_bound = std::numeric_limits<double>::infinity());

}  // namespace scree
