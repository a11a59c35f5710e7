#pragma once
/// Convex solids, and how deep two of them lie in each other: what robots are to one another.
///
/// Separating axes (Gottschalk, Lin, Manocha 1996; Ericson, Real-Time Collision Detection, Sec. 5.2.1): two
/// convex polyhedra are apart exactly when they are so along a normal of a face of either, or along the cross
/// product of an edge of each. Of all these axes the one with the least overlap is the shortest way apart;
/// its length is continuous in the motion of both.
#include <span>
#include <vector>

#include "scree/core/types.hpp"
#include "scree/ground/hull.hpp"

namespace scree {

/// A convex polyhedron in the axes of its link. Parallel normals and edges are listed once.
struct Solid {
  /// The solid lies between n.p = low and n.p = high.
  struct Slab {
    Vec3 normal;
    double low, high;
  };
  std::vector<Vec3> corners;
  std::vector<Slab> slabs;
  std::vector<Vec3> edges;  ///< directions
  Vec3 centre = Vec3::Zero();
  double radius = 0;  ///< about the centre
};

/// A body by its faces (convex.hpp); one of many faces by its box, in link axes.
Solid solid_of(std::span<const HullFace> faces);

/// A wheel as a prism of kWheelSides sides whose corners and flats are as far outside and inside of its rim.
inline constexpr int kWheelSides = 16;
Solid wheel_solid(const Vec3& hub, const Vec3& axle, double radius, double width);

struct Overlap {
  double depth = 0;             ///< shortest way apart [m]
  Vec3 normal = Vec3::UnitX();  ///< along which the second leaves the first, world
  Vec3 point = Vec3::Zero();    ///< middle of what both fill, world
};

/// Room for a solid in the axes of another.
struct SolidScratch {
  std::vector<Vec3> corners, edges;
};

/// Whether two solids overlap, and how.
bool overlaps(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, SolidScratch& scratch,
              Overlap& out);

}  // namespace scree
