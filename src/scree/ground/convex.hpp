#pragma once
/// Convex bodies: the faces of the convex hull of points, and of a box.
#include <span>
#include <vector>

#include "scree/ground/hull.hpp"

namespace scree {

/// The six faces of an upright box between two corners.
std::vector<HullFace> box_faces(const Vec3& low, const Vec3& high);

/// Three of a triangle, else four.
std::vector<Vec3> corners_of(const HullFace& face);

/// Most points that convex_faces() takes: it tries every plane through three of them.
inline constexpr std::size_t kMostCorners = 200;

/// Faces of the convex hull of points. Parallelograms stay whole; every other face becomes the triangles
/// between its edges and its middle, so that a symmetric body has symmetric faces. Empty where the points lie
/// in a plane (to 1e-6 of their extent).
std::vector<HullFace> convex_faces(std::span<const Vec3> points);

}  // namespace scree
