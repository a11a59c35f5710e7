#include "scree/control/stability.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Two horizontal unit vectors that form a right-handed frame with up.
struct Horizon {
  Vec3 x, y, up;
};
Horizon horizon(const Vec3& down) {
  const Vec3 up = -down.normalized();
  const Vec3 other = std::abs(up.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  const Vec3 x = (other - other.dot(up) * up).normalized();
  return {x, up.cross(x), up};
}

}  // namespace

namespace {

/// Twice the area of a triangle of flat points, counter-clockwise positive.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  return u.x() * v.y() - u.y() * v.x();
}

/// Whether a point comes before another: by x, then y, then place.
bool before(const Vec2* flat, int a, int b) {
  const Vec2 &p = flat[a], &q = flat[b];
  return p.x() != q.x() ? p.x() < q.x() : p.y() != q.y() ? p.y() < q.y() : a < b;
}

/// Largest distance from a point, squared.
double spread_from(const Vec2* flat, int n, int first) {
  double spread = 0;
  for (int i = 0; i < n; ++i) spread = std::max(spread, (flat[i] - flat[first]).squaredNorm());
  return spread;
}

/// All points were corners, and in the same order they still are: the usual case, told by left turns at every
/// corner and in the fan from the first, which the chain would find again.
bool still_convex(int n, SupportPolygon& out) {
  if (n < 3 || out.count != n || static_cast<int>(out.order.size()) != 2 * n + 1) return false;
  const Vec2* flat = out.flat.data();
  int* order = out.order.data();
  int first = 0;
  for (int k = 1; k < n; ++k)
    if (before(flat, order[k], order[first])) first = k;
  std::rotate(order, order + first, order + n);
  const double eps = 1e-12 * spread_from(flat, n, order[0]);
  const Vec2 start = flat[order[0]];
  Vec2 here = start, next = flat[order[1]];
  for (int k = 0; k < n; ++k) {
    const Vec2 after = flat[order[k + 2 < n ? k + 2 : k + 2 - n]];
    if (!(turn(here, next, after) > eps)) return false;
    if (k > 0 && k + 1 < n && !(turn(start, here, next) > eps)) return false;
    here = next, next = after;
  }
  return true;
}

}  // namespace

/// Andrew's monotone chain. Points on an edge (within 1e-12 of the spread) are no corners.
void support_polygon(std::span<const Vec3> points, const Vec3& down, SupportPolygon& out) {
  const Horizon h = horizon(down);
  const int n = static_cast<int>(points.size());
  out.flat.resize(n);
  for (int i = 0; i < n; ++i) out.flat[i] = Vec2(points[i].dot(h.x), points[i].dot(h.y));
  if (still_convex(n, out)) return;
  out.order.resize(2 * n + 1);
  out.count = 0;
  if (n == 0) return;
  const Vec2* flat = out.flat.data();
  // Sorted places go to the upper half of the buffer, the hull grows in the lower half. There are few.
  int* sorted = out.order.data() + n + 1;
  for (int i = 0; i < n; ++i) {
    int at = i;
    for (; at > 0 && before(flat, i, sorted[at - 1]); --at) sorted[at] = sorted[at - 1];
    sorted[at] = i;
  }
  const double eps = 1e-12 * spread_from(flat, n, sorted[0]);
  const auto left = [&](int a, int b, int c) { return turn(flat[a], flat[b], flat[c]) > eps; };
  const auto same = [&](int a, int b) { return (flat[a] - flat[b]).squaredNorm() <= eps; };
  std::vector<int>& hull = out.order;
  int k = 0, lower = 1;
  for (int pass = 0; pass < 2; ++pass) {
    for (int s = 0; s < n; ++s) {
      const int i = pass == 0 ? sorted[s] : sorted[n - 1 - s];
      if (k > 0 && same(hull[k - 1], i)) continue;
      while (k > lower && !left(hull[k - 2], hull[k - 1], i)) --k;
      // The chain of the way back would overwrite the sorted places only past n + 1 corners, which a hull
      // of n points does not have.
      hull[k++] = i;
    }
    lower = k;
  }
  out.count = k > 1 && same(hull[k - 1], hull[0]) ? k - 1 : k;
}

ForceSum::ForceSum(std::span<const Vec3> points, std::span<const Vec3> forces) {
  for (std::size_t i = 0; i < points.size(); ++i) force += forces[i], moment += points[i].cross(forces[i]);
}

}  // namespace scree
