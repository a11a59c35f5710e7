#pragma once
/// How near a robot is to tipping over: support polygon, energy margin (NESM), stability moments.
/// All are exact for the points given, and meant for any robot: wheels, track ends, feet.
#include <span>
#include <vector>

#include "scree/core/types.hpp"

namespace scree {

/// Edges of the convex hull of support points, projected along gravity. `order` lists the places of the
/// hull's corners counter-clockwise seen against gravity. Two points, or points on a line, give a hull of
/// two corners, whose two edges run there and back; one point gives one corner and no edge.
struct SupportPolygon {
  std::vector<int> order;  ///< room for every point; first `count` are valid
  std::vector<Vec2> flat;  ///< the points as gravity sees them
  int count = 0;
  int edges() const { return count < 2 ? 0 : count; }
  int from(int edge) const { return order[edge]; }
  int to(int edge) const { return order[(edge + 1) % count]; }
};
/// `down` is the direction of gravity, any length > 0. Does not allocate once `out` has seen as many points.
void support_polygon(std::span<const Vec3> points, const Vec3& down, SupportPolygon& out);

/// An edge of the polygon, about which the robot would tip over; a, b counter-clockwise.
struct TipAxis {
  /// `up`: unit, against gravity.
  TipAxis(const Vec3& from, const Vec3& to, const Vec3& up);
  Vec3 a, way;  ///< one end, and the way to the other [m]
  Vec3 axis;    ///< its direction, unit
  Vec3 up;      ///< unit
};

/// Horizontal distance of the centre of mass inside an edge of the polygon [m]; negative outside.
double support_distance(const TipAxis& edge, const Vec3& centre);

/// Normalized energy stability margin of one edge [m] (Nagatani 2016 Sec. 50.5, after Hirose; conventions,
/// "NESM"): the height by which the centre of mass must rise to pass over the axis a-b,
///     U = rho cos psi - (height of the centre of mass above the axis, along gravity),
/// rho its distance from the axis, psi the axis' tilt from the horizontal. Negative when the centre of mass
/// is outside the edge already: then minus the height it has fallen from the top.
double energy_margin(const TipAxis& edge, const Vec3& centre);

/// Moment about the axis a-b of forces at points [N m], positive when they hold the robot up against tipping
/// over this edge (conventions, "Stability moment"). Zero when every wheel off the axis is unloaded.
double stability_moment(const TipAxis& edge, std::span<const Vec3> points, std::span<const Vec3> forces);

}  // namespace scree
