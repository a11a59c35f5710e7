#pragma once
/// Where a wheel touches ground that is no grid: looks along the line in which its plane cuts the ground, as
/// close as the ground's finest feature asks for, and every peak between two looks climbed to its top. What
/// is ground and what is a wall is said by the law of rim_search.hpp.
///
/// Points are found on the ground first and in the wheel's plane then (they move along the axle's horizontal
/// direction until they lie in it), so that a contact always lies on the ground, however steep it is ahead.
/// From the rim's lowest point outward, groups of looks are left out where the ground's height_range(), put
/// where the rim is lowest, cannot beat the best so far.
///
/// Where the rim's lowest point stands on level ground and nothing near is higher, that is the contact,
/// without looks. Where a wheel leans over an edge beside it, the profile winds and may fall into parts:
/// there looks go down along the suspension at places along the wheel, from the highest ground to the first
/// that bears, between which the ground may be higher than the best by its height_range(). Stretches that go
/// on from place to place are searched between them; where ground may rise unseen even so the gap is halved,
/// and in the last halves stretches that end are followed to their ends. What may be missed is ground that
/// the plane cuts over less than a thirty-second of the finest feature.
#include "scree/ground/rim_search.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// `feature`: size of the ground's finest feature [m]; four looks fall on it. 0: unknown.
/// `slope_bound`: no slope near the wheel is larger (infinity: unknown).
RimContact search_looks_along(const Terrain& terrain, const RimPlane& wheel, double feature,
                              double slope_bound);

}  // namespace scree
