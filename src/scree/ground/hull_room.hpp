#pragma once
/// How far a part of a body may move over a grid before it can touch: a bound that asks for no slope, so that
/// a rock beside what is clear does not spoil it.
///
/// With a unit direction d that does not point up, if all ground in the rectangle beneath the part and m
/// beyond it (grid_below.hpp) lies m or more farther along d than any point of the part, no point of the part
/// meets ground within m of where it was: it has left neither the rectangle nor the half space.
#include "scree/core/types.hpp"
#include "scree/ground/hull.hpp"
#include "scree/terrain/grid_view.hpp"

namespace scree {

/// How far every point of a face may move [m], `most` at most; not above 0: one may be in the ground. Link
/// axes; `normal`: outward, or zero. Faces that look down are parted from the ground along their normal.
double face_room(const GridView& grid, const HullFace& face, const Vec3& normal, const Pose& X, double most);

/// The same of a box with this middle and these half sides, along the axis of the link that is most upright.
double box_room(const GridView& grid, const Vec3& centre, const Vec3& half, const Pose& X, double most);

}  // namespace scree
