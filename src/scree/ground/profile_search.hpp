#pragma once
/// Where a wheel touches ground that is one profile (terrain.hpp, PlacedProfile): piece by piece, in closed
/// form on straight ones. What is ground and what is a wall is said by the law of rim_search.hpp.
///
/// With s along the profile from the hub c, e level across it and z(s) the ground, a point of the wheel's
/// plane is P = c + s d + q e + (z - c_z) up with a.(P - c) = 0, so q = -(a_d s + a_z (z - c_z)) / a_e: one
/// point for every s, however steep the ground is and however the wheel leans, and its place in the plane,
///
///     u = u_s s + u_z (z - c_z),   t = t_s s + t_z (z - c_z),
///
/// is the profile itself, sheared. So a straight piece is a straight line in the wheel's plane, along which
/// h = t + sqrt(r² - u²) has one top, where the rim touches it; what the line of walls leaves of
/// it is one stretch, and the top or the end next to it is its contact. The S of an edge is parted where it
/// ends to bear and where its bend changes sides: a crest has one top, and a foot is looked at closely.
/// Nothing is missed between, and nothing is looked for beside what a piece's highest point could reach.
#include <optional>

#include "scree/ground/rim_search.hpp"
#include "scree/terrain/profile.hpp"

namespace scree {

/// Nothing where the wheel runs along the profile rather than across it, leans too far, or ground beyond its
/// reach is in sight: then looks find the contact.
std::optional<RimContact> search_profile(const Terrain& terrain, const PlacedProfile& ground,
                                         const RimPlane& wheel);

}  // namespace scree
