#pragma once
/// How low a bilinear grid stays, seen along any direction: exact in a rectangle, not to whole cells.
#include "scree/core/types.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// The least of d.P over all ground P of a rectangle [m]; minus infinity where the rectangle leaves the grid.
/// With d pointing down (d_z <= 0) whatever is inside the ground there lies as far along d: a point of the
/// rectangle whose d.p is less is above the ground.
///
/// Within a part of a cell with sides along the grid the surface is a mean of that part's corners, weighted
/// by place, so the least is at one of them: at a sample inside the rectangle, where an edge of the rectangle
/// crosses a line of samples, or at a corner of the rectangle.
double least_along(const GridView& grid, const Rectangle& area, const Vec3& d);

}  // namespace scree
