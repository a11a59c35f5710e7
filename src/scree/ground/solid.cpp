#include "scree/ground/solid.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/ground/convex.hpp"

namespace scree {
namespace {

constexpr std::size_t kMostNormals = 24;  // of a body that is taken by its faces; beyond, by its box
constexpr double kSame = 1e-6;            // of directions and of lengths in metres

void add_direction(std::vector<Vec3>& known, const Vec3& direction) {
  const double length = direction.norm();
  if (!(length > kSame)) return;
  const Vec3 unit = direction / length;
  for (const Vec3& k : known)
    if (k.cross(unit).norm() < kSame) return;
  known.push_back(unit);
}

void add_corner(std::vector<Vec3>& known, const Vec3& corner) {
  for (const Vec3& k : known)
    if ((k - corner).norm() < kSame) return;
  known.push_back(corner);
}

struct Span {
  double low = 1e300, high = -1e300;
};
Span span_along(const Vec3& axis, std::span<const Vec3> corners) {
  Span out;
  for (const Vec3& p : corners) {
    const double at = axis.dot(p);
    out.low = std::min(out.low, at), out.high = std::max(out.high, at);
  }
  return out;
}

Solid solid_from(std::vector<Vec3> corners, const std::vector<Vec3>& normals, std::vector<Vec3> edges) {
  Solid out;
  for (const Vec3& n : normals) {
    const Span s = span_along(n, corners);
    out.slabs.push_back({n, s.low, s.high});
  }
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& p : corners) low = low.cwiseMin(p), high = high.cwiseMax(p);
  out.centre = 0.5 * (low + high);
  for (const Vec3& p : corners) out.radius = std::max(out.radius, (p - out.centre).norm());
  out.corners = std::move(corners);
  out.edges = std::move(edges);
  return out;
}

Solid box_solid(const std::vector<Vec3>& corners) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& p : corners) low = low.cwiseMin(p), high = high.cwiseMax(p);
  std::vector<Vec3> box;
  for (int i = 0; i < 8; ++i)
    box.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
  const std::vector<Vec3> axes{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  return solid_from(box, axes, axes);
}

/// The shortest way apart found so far, in the axes of the first solid.
struct Shortest {
  double depth = 1e300;
  Vec3 normal = Vec3::UnitX();
  /// False: they are apart along this axis.
  bool consider(const Vec3& axis, const Span& a, const Span& b) {
    const double ahead = a.high - b.low, behind = b.high - a.low;
    if (!(ahead > 0 && behind > 0)) return false;
    if (std::min(ahead, behind) < depth) {
      depth = std::min(ahead, behind);
      normal = ahead < behind ? axis : Vec3(-axis);
    }
    return true;
  }
};

bool is_inside(const Vec3& p, const Solid& solid) {
  return std::all_of(solid.slabs.begin(), solid.slabs.end(), [&](const Solid::Slab& s) {
    const double at = s.normal.dot(p);
    return at > s.low && at < s.high;
  });
}

/// Mean of the corners that lie farthest along an axis.
Vec3 farthest(const Vec3& axis, std::span<const Vec3> corners) {
  const double high = span_along(axis, corners).high;
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (const Vec3& p : corners)
    if (axis.dot(p) > high - kSame) sum += p, ++count;
  return sum / count;
}

/// Moved into one slab after the other.
Vec3 nearest(Vec3 p, const Solid& solid) {
  for (const Solid::Slab& s : solid.slabs) {
    const double at = s.normal.dot(p);
    p += (std::clamp(at, s.low, s.high) - at) * s.normal;
  }
  return p;
}

/// Corners of each inside the other, weighed by how deep. Where there are none, edge against edge, a place in
/// both: by turns into the one and into the other.
Vec3 middle(const Solid& a, const Solid& b, std::span<const Vec3> b_corners, const Pose& X_AB,
            const Vec3& normal) {
  const Pose X_BA = X_AB.inverse();
  const double front = span_along(normal, a.corners).high, back = span_along(normal, b_corners).low;
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  const auto weigh = [&](const Vec3& p, double depth) {
    if (depth > 0) sum += depth * p, weight += depth;
  };
  for (std::size_t i = 0; i < b_corners.size(); ++i)
    if (is_inside(b_corners[i], a)) weigh(b_corners[i], front - normal.dot(b_corners[i]));
  for (const Vec3& p : a.corners)
    if (is_inside(X_BA * p, b)) weigh(p, normal.dot(p) - back);
  if (weight > 0) return sum / weight;
  const Vec3 start = 0.5 * (farthest(normal, a.corners) + farthest(-normal, b_corners));
  Vec3 first = start, second = start;
  for (int i = 0; i < 12; ++i) {
    first = X_AB * nearest(X_BA * nearest(first, a), b);
    second = nearest(X_AB * nearest(X_BA * second, b), a);
  }
  return 0.5 * (first + second);
}

}  // namespace

Solid solid_of(std::span<const HullFace> faces) {
  std::vector<Vec3> corners, normals, edges;
  for (const HullFace& f : faces) {
    for (const Vec3& p : corners_of(f)) add_corner(corners, p);
    add_direction(normals, f.u.cross(f.v));
    add_direction(edges, f.u);
    add_direction(edges, f.v);
    if (f.triangle) add_direction(edges, f.v - f.u);
  }
  if (normals.size() > kMostNormals) return box_solid(corners);
  return solid_from(std::move(corners), normals, std::move(edges));
}

Solid wheel_solid(const Vec3& hub, const Vec3& axle, double radius, double width) {
  const Vec3 a = axle.normalized(), u = a.unitOrthogonal(), v = a.cross(u);
  const double half = kPi / kWheelSides, out = radius / std::sqrt(maths::cos(half));
  std::vector<Vec3> corners, normals, edges;
  for (int i = 0; i < kWheelSides; ++i) {
    const double angle = 2 * half * i;
    const Vec3 rim = hub + out * (maths::cos(angle) * u + maths::sin(angle) * v);
    corners.push_back(rim + 0.5 * width * a);
    corners.push_back(rim - 0.5 * width * a);
    add_direction(normals, maths::cos(angle + half) * u + maths::sin(angle + half) * v);
    add_direction(edges, -maths::sin(angle + half) * u + maths::cos(angle + half) * v);
  }
  add_direction(normals, a);
  add_direction(edges, a);
  return solid_from(std::move(corners), normals, std::move(edges));
}

bool overlaps(const Solid& a, const Pose& X_WA, const Solid& b, const Pose& X_WB, SolidScratch& scratch,
              Overlap& out) {
  const Pose X_AB = X_WA.inverse() * X_WB;
  const Vec3 between = X_AB * b.centre - a.centre;
  if (between.squaredNorm() > (a.radius + b.radius) * (a.radius + b.radius)) return false;
  scratch.corners.clear(), scratch.edges.clear();
  for (const Vec3& p : b.corners) scratch.corners.push_back(X_AB * p);
  const std::span<const Vec3> b_corners = scratch.corners;
  Shortest shortest;
  for (const Solid::Slab& s : a.slabs)
    if (!shortest.consider(s.normal, {s.low, s.high}, span_along(s.normal, b_corners))) return false;
  for (const Solid::Slab& s : b.slabs) {
    const Vec3 n = X_AB.R * s.normal;
    const double shift = n.dot(X_AB.p);
    if (!shortest.consider(n, span_along(n, a.corners), {s.low + shift, s.high + shift})) return false;
  }
  for (const Vec3& e : b.edges) scratch.edges.push_back(X_AB.R * e);
  for (const Vec3& e : a.edges) {
    for (const Vec3& f : scratch.edges) {
      const Vec3 cross = e.cross(f);
      const double length = cross.norm();
      if (length < 1e-3) continue;  // parallel: a face's normal says it
      const Vec3 axis = cross / length;
      if (!shortest.consider(axis, span_along(axis, a.corners), span_along(axis, b_corners))) return false;
    }
  }
  out.depth = shortest.depth;
  out.normal = X_WA.R * shortest.normal;
  out.point = X_WA * middle(a, b, b_corners, X_AB, shortest.normal);
  return true;
}

}  // namespace scree
