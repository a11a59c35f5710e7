#pragma once
/// Where a wheel touches ground that is no grid: looks along the line in which its plane cuts the ground, as
/// close as the ground's finest feature asks for, and every peak between two looks climbed to its top.
///
/// Points are found on the ground first and in the wheel's plane then (they move along the axle's horizontal
/// direction until they lie in it), so that a contact always lies on the ground, however steep it is ahead.
/// Displacement, walls and the touching plane are those of rim_search.hpp.
/// Where a wheel leans over an edge beside it, the profile winds and may fall into parts: there looks go down
/// along the suspension, at every place along the wheel, and the highest ground that is no wall counts.
#include "scree/ground/rim_search.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// `feature`: size of the ground's finest feature [m]; four looks fall on it. 0: unknown.
/// `slope_bound`: no slope near the wheel is larger (infinity: unknown).
RimContact search_looks_along(const Terrain& terrain, const RimPlane& wheel, double feature,
                              double slope_bound);

}  // namespace scree
