#include "scree/ground/convex.hpp"

#include <algorithm>

#include "scree/core/maths.hpp"

namespace scree {
namespace {

constexpr double kSamePlane = 1e-6;  // of the extent

/// A face of the hull: the points on it, in order around `normal`.
struct HullPolygon {
  Vec3 normal;
  double offset;
  std::vector<int> corners;
};

/// The corners of a polygon among points that lie in its plane, counter-clockwise seen from outside; points
/// inside the polygon or on its edges are left out.
std::vector<int> corners_around(std::span<const Vec3> points, std::vector<int> in_plane, const Vec3& normal,
                                double small) {
  Vec3 middle = Vec3::Zero();
  for (int i : in_plane) middle += points[i] / static_cast<double>(in_plane.size());
  Vec3 x = points[in_plane[0]] - middle;
  for (int i : in_plane)
    if ((points[i] - middle).norm() > x.norm()) x = points[i] - middle;
  const Vec3 y = normal.cross(x);
  const auto angle = [&](int i) {
    const Vec3 d = points[i] - middle;
    return maths::atan2(y.dot(d), x.dot(d));
  };
  std::sort(in_plane.begin(), in_plane.end(), [&](int a, int b) { return angle(a) < angle(b); });
  std::vector<int> out;
  const std::size_t n = in_plane.size();
  for (std::size_t k = 0; k < n; ++k) {
    // A corner has all others on its left as seen from its neighbour before.
    const Vec3& at = points[in_plane[k]];
    bool corner = true;
    for (std::size_t a = 0; corner && a < n; ++a) {
      for (std::size_t b = a + 1; corner && b < n; ++b) {
        if (a == k || b == k) continue;
        const Vec3 u = points[in_plane[b]] - points[in_plane[a]], d = at - points[in_plane[a]];
        const double s = u.dot(d) / u.squaredNorm();
        if (s > 0 && s < 1 && (d - s * u).norm() < small) corner = false;
      }
    }
    if (corner) out.push_back(in_plane[k]);
  }
  return out;
}

void add_faces(std::span<const Vec3> points, const HullPolygon& face, std::vector<HullFace>& out) {
  const auto corner = [&](std::size_t k) -> const Vec3& {
    return points[face.corners[k % face.corners.size()]];
  };
  const std::size_t n = face.corners.size();
  const double size = (corner(2) - corner(0)).norm();
  if (n == 3) {
    out.push_back({corner(0), corner(1) - corner(0), corner(2) - corner(0), true});
  } else if (n == 4 && (corner(0) + corner(2) - corner(1) - corner(3)).norm() < kSamePlane * size) {
    out.push_back({corner(0), corner(1) - corner(0), corner(3) - corner(0), false});
  } else {
    Vec3 middle = Vec3::Zero();
    for (std::size_t k = 0; k < n; ++k) middle += corner(k) / static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k)
      out.push_back({middle, corner(k) - middle, corner(k + 1) - middle, true});
  }
}

}  // namespace

std::vector<Vec3> corners_of(const HullFace& f) {
  std::vector<Vec3> out{f.corner, f.corner + f.u, f.corner + f.v};
  if (!f.triangle) out.push_back(f.corner + f.u + f.v);
  return out;
}

std::vector<HullFace> box_faces(const Vec3& low, const Vec3& high) {
  const Vec3 d = high - low;
  const Vec3 x(d.x(), 0, 0), y(0, d.y(), 0), z(0, 0, d.z());
  return {{low, y, x}, {low + z, x, y}, {low, x, z}, {low + y, z, x}, {low, z, y}, {low + x, y, z}};
}

std::vector<HullFace> convex_faces(std::span<const Vec3> points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double small = kSamePlane * (high - low).norm();
  const int n = static_cast<int>(points.size());
  std::vector<HullPolygon> faces;
  const auto known = [&](int i, int j, int k) {
    return std::any_of(faces.begin(), faces.end(), [&](const HullPolygon& f) {
      return std::abs(f.normal.dot(points[i]) - f.offset) < small &&
             std::abs(f.normal.dot(points[j]) - f.offset) < small &&
             std::abs(f.normal.dot(points[k]) - f.offset) < small;
    });
  };
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        Vec3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        if (!(normal.norm() > small * small)) continue;
        normal.normalize();
        const double offset = normal.dot(points[i]);
        bool above = false, below = false;
        std::vector<int> in_plane;
        for (int m = 0; m < n && !(above && below); ++m) {
          const double d = normal.dot(points[m]) - offset;
          above = above || d > small, below = below || d < -small;
          if (std::abs(d) <= small) in_plane.push_back(m);
        }
        if (above == below || known(i, j, k)) continue;  // inside, or all in one plane
        const double side = above ? -1 : 1;
        faces.push_back(
            {side * normal, side * offset, corners_around(points, in_plane, side * normal, small)});
      }
    }
  }
  std::vector<HullFace> out;
  for (const HullPolygon& face : faces)
    if (face.corners.size() >= 3) add_faces(points, face, out);
  return out;
}

}  // namespace scree
