#pragma once
/// How near a robot is to tipping over: support polygon, energy margin (NESM), stability moments.
/// All are exact for the points given, and meant for any robot: wheels, track ends, feet.
#include <span>
#include <vector>

#include "scree/core/lanes.hpp"
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

/// An edge of the polygon, about which the robot would tip over: of one (T = double), or four edges side by
/// side (T = Lanes).
template <class T>
struct TipAxis {
  /// Ends counter-clockwise [m]; `up`: unit, against gravity.
  TipAxis(const V3<T>& from, const V3<T>& to, const V3<T>& upward)
      : a(from), way(to - from), up(upward), inward(cross(up, way)) {
    using namespace lane;
    axis = unit(way, sqrt(dot(way, way)));
    inward = unit(inward, sqrt(dot(inward, inward)));
  }
  V3<T> a, way;  ///< one end, and the way to the other [m]
  V3<T> up;      ///< unit
  V3<T> inward;  ///< horizontal, across the edge, unit (zero where the edge is vertical or a point)
  V3<T> axis{};  ///< direction of the edge, unit (zero where it is a point)

 private:
  static V3<T> unit(const V3<T>& v, const T& length) {
    using namespace lane;
    return select(length > T{}, 1.0 / length, T{}) * v;
  }
};

/// Horizontal distance of the centre of mass inside an edge of the polygon [m]; negative outside.
template <class T>
T support_distance(const TipAxis<T>& edge, const V3<T>& centre) {
  return dot(centre - edge.a, edge.inward);
}

/// Normalized energy stability margin of one edge [m] (Nagatani 2016 Sec. 50.5, after Hirose; conventions,
/// "NESM"): the height by which the centre of mass must rise to pass over the axis a-b,
///     U = rho cos psi - (height of the centre of mass above the axis, along gravity),
/// rho its distance from the axis, psi the axis' tilt from the horizontal. Negative when the centre of mass
/// is outside the edge already: then minus the height it has fallen from the top.
template <class T>
T energy_margin(const TipAxis<T>& edge, const V3<T>& centre) {
  using namespace lane;
  const V3<T> arm = centre - edge.a, radius = arm - dot(arm, edge.axis) * edge.axis;
  const T climb = dot(edge.axis, edge.up), tilt = sqrt(max(T{}, 1.0 - climb * climb));
  const T rise = sqrt(dot(radius, radius)) * tilt - dot(radius, edge.up);
  return select(dot(edge.inward, radius) >= T{}, rise, -rise);
}

/// Forces at points, together: their sum [N] and their moment about the origin [N m].
struct ForceSum {
  ForceSum(std::span<const Vec3> points, std::span<const Vec3> forces);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

/// Moment of forces about the axis a-b [N m], positive when they hold the robot up against tipping over this
/// edge (conventions, "Stability moment"). Zero when every wheel off the axis is unloaded.
template <class T>
T stability_moment(const TipAxis<T>& edge, const V3<T>& force, const V3<T>& moment) {
  return dot(edge.axis, moment - cross(edge.a, force));
}

}  // namespace scree
