#include "scree/view/primitives.hpp"

#include <array>
#include <cmath>

namespace scree::view {

Mat3 rotation_z_to(const Vec3& direction) { return rotation_between(Vec3::UnitZ(), direction); }

void add_box(Mesh& mesh, const Pose& pose, const Vec3& size, double bevel, const Material& material) {
  Surface& s = mesh.surface(material);
  const Vec3 half = 0.5 * size;
  const double b = std::min(bevel, 0.49 * size.minCoeff());
  // Each corner has one vertex per adjacent face, on that face, drawn in by the bevel along the other two.
  std::array<std::array<std::uint32_t, 3>, 8> v;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 p = sign.cwiseProduct(half - Vec3::Constant(b));
      p[axis] = sign[axis] * half[axis];
      v[corner][axis] = add_vertex(s, pose * p, pose.R * (sign[axis] * Vec3::Unit(axis)),
                                   Vec2(p[(axis + 1) % 3], p[(axis + 2) % 3]));
    }
  }
  const auto outward = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const Eigen::Vector3f &a = s.vertices[i].p, &c = s.vertices[j].p, &d = s.vertices[k].p;
    const Eigen::Vector3f n = s.vertices[i].n + s.vertices[j].n + s.vertices[k].n;
    if ((c - a).cross(d - a).dot(n) >= 0)
      add_triangle(s, i, j, k);
    else
      add_triangle(s, i, k, j);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int a1 = 1 << ((axis + 1) % 3), a2 = 1 << ((axis + 2) % 3), a0 = 1 << axis;
    for (int side = 0; side < 2; ++side) {  // faces
      const int c = side ? a0 : 0;
      outward(v[c][axis], v[c | a1][axis], v[c | a1 | a2][axis]);
      outward(v[c][axis], v[c | a1 | a2][axis], v[c | a2][axis]);
    }
    for (int k = 0; k < 4; ++k) {  // edges along `axis`, between the faces of the other two axes
      const int c = ((k & 1) ? a1 : 0) | ((k & 2) ? a2 : 0);
      const int f1 = (axis + 1) % 3, f2 = (axis + 2) % 3;
      outward(v[c][f1], v[c | a0][f1], v[c | a0][f2]);
      outward(v[c][f1], v[c | a0][f2], v[c][f2]);
    }
  }
  for (const auto& corner : v) outward(corner[0], corner[1], corner[2]);
}

namespace {

/// The convex outline moved inwards by `distance`: corners on the bisectors.
std::vector<Vec2> inset(std::span<const Vec2> outline, double distance) {
  const std::size_t n = outline.size();
  std::vector<Vec2> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 before = (outline[i] - outline[(i + n - 1) % n]).normalized();
    const Vec2 after = (outline[(i + 1) % n] - outline[i]).normalized();
    const Vec2 n1(-before.y(), before.x()), n2(-after.y(), after.x());
    const Vec2 bisector = (n1 + n2).normalized();
    result[i] = outline[i] + bisector * (distance / std::max(0.3, bisector.dot(n1)));
  }
  return result;
}

}  // namespace

void add_prism(Mesh& mesh, const Pose& pose, std::span<const Vec2> outline, double width, double bevel,
               const Material& material) {
  Surface& s = mesh.surface(material);
  const std::size_t n = outline.size();
  const std::vector<Vec2> inner = inset(outline, bevel);
  const double half = 0.5 * width;
  const auto point = [&](const Vec2& xz, double y) { return pose * Vec3(xz.x(), y, xz.y()); };
  // Caps at y = -half and +half.
  std::vector<std::uint32_t> cap[2];
  for (int side = 0; side < 2; ++side)
    for (const Vec2& p : inner)
      cap[side].push_back(
          add_vertex(s, point(p, side ? half : -half), pose.R * Vec3(0, side ? 1 : -1, 0), p));
  for (std::size_t i = 1; i + 1 < n; ++i) {
    add_triangle(s, cap[0][0], cap[0][i], cap[0][i + 1]);
    add_triangle(s, cap[1][0], cap[1][i + 1], cap[1][i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const Vec2 along = (outline[j] - outline[i]).normalized();
    const Vec3 normal = pose.R * Vec3(along.y(), 0, -along.x());
    const double y = half - bevel;
    const auto a = add_vertex(s, point(outline[i], -y), normal),
               b = add_vertex(s, point(outline[j], -y), normal);
    const auto c = add_vertex(s, point(outline[j], y), normal),
               d = add_vertex(s, point(outline[i], y), normal);
    add_triangle(s, a, c, b);
    add_triangle(s, a, d, c);
    add_triangle(s, cap[0][i], b, cap[0][j]);  // chamfer at -y
    add_triangle(s, cap[0][i], a, b);
    add_triangle(s, cap[1][i], cap[1][j], c);  // chamfer at +y
    add_triangle(s, cap[1][i], c, d);
  }
}

void add_revolved(Mesh& mesh, const Pose& pose, std::span<const Vec2> profile, int segments,
                  const Material& material, double crease) {
  Surface& s = mesh.surface(material);
  // Profile points are (radius, y). The normal of a stretch is its direction turned to the outside.
  const auto normal_of = [&](std::size_t i) -> Vec2 {
    const Vec2 d = (profile[i + 1] - profile[i]).normalized();
    return {-d.y(), d.x()};  // (radial, y)
  };
  const std::size_t stretches = profile.size() - 1;
  for (std::size_t i = 0; i < stretches; ++i) {
    const Vec2 n = normal_of(i);
    Vec2 n0 = n, n1 = n;
    if (i > 0 && std::acos(std::clamp(n.dot(normal_of(i - 1)), -1.0, 1.0)) < crease)
      n0 = (n + normal_of(i - 1)).normalized();
    if (i + 1 < stretches && std::acos(std::clamp(n.dot(normal_of(i + 1)), -1.0, 1.0)) < crease)
      n1 = (n + normal_of(i + 1)).normalized();
    std::uint32_t before[2] = {0, 0};
    for (int k = 0; k <= segments; ++k) {
      const double angle = 2 * kPi * k / segments, c = std::cos(angle), sn = std::sin(angle);
      std::uint32_t now[2];
      for (int e = 0; e < 2; ++e) {
        const Vec2& q = profile[i + e];
        const Vec2& m = e ? n1 : n0;
        now[e] = add_vertex(s, pose * Vec3(q.x() * c, q.y(), q.x() * sn),
                            pose.R * Vec3(m.x() * c, m.y(), m.x() * sn),
                            Vec2(static_cast<double>(k) / segments, q.y()));
      }
      if (k > 0) {
        add_triangle(s, before[0], now[1], before[1]);
        add_triangle(s, before[0], now[0], now[1]);
      }
      before[0] = now[0];
      before[1] = now[1];
    }
  }
}

void add_tube(Mesh& mesh, const Pose& pose, std::span<const Vec3> points, double radius, int segments,
              const Material& material) {
  Surface& s = mesh.surface(material);
  Vec3 side = (points[1] - points[0]).unitOrthogonal();
  std::vector<std::uint32_t> before, now;
  const auto cap = [&](const Vec3& center, const Vec3& normal, const std::vector<Vec3>& ring, bool flip) {
    const auto c = add_vertex(s, pose * center, pose.R * normal);
    const auto first = static_cast<std::uint32_t>(s.vertices.size());
    for (const Vec3& p : ring) add_vertex(s, pose * p, pose.R * normal);
    for (int k = 0; k < segments; ++k) {
      const std::uint32_t a = first + k, b = first + (k + 1) % segments;
      flip ? add_triangle(s, c, b, a) : add_triangle(s, c, a, b);
    }
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 ahead =
        i + 1 < points.size() ? Vec3(points[i + 1] - points[i]) : Vec3(points[i] - points[i - 1]);
    const Vec3 behind = i > 0 ? Vec3(points[i] - points[i - 1]) : ahead;
    const Vec3 t = (ahead.normalized() + behind.normalized()).normalized();
    side = (side - side.dot(t) * t).normalized();  // carried along without twist
    const Vec3 up = t.cross(side);
    now.clear();
    std::vector<Vec3> ring;
    for (int k = 0; k < segments; ++k) {
      const double a = 2 * kPi * k / segments;
      const Vec3 n = std::cos(a) * side + std::sin(a) * up;
      ring.push_back(points[i] + radius * n);
      now.push_back(add_vertex(s, pose * ring.back(), pose.R * n));
    }
    for (int k = 0; i > 0 && k < segments; ++k) {
      const int j = (k + 1) % segments;
      add_triangle(s, before[k], before[j], now[j]);
      add_triangle(s, before[k], now[j], now[k]);
    }
    if (i == 0) cap(points[i], -t, ring, true);
    if (i + 1 == points.size()) cap(points[i], t, ring, false);
    before = now;
  }
}

void add_sphere(Mesh& mesh, const Pose& pose, double radius, int segments, const Material& material) {
  std::vector<Vec2> profile;
  const int half = segments / 2;
  for (int i = 0; i <= half; ++i) {
    const double a = kPi * i / half;
    profile.emplace_back(radius * std::sin(a), radius * std::cos(a));
  }
  add_revolved(mesh, pose, profile, segments, material, 2.0);
}

void add_cylinder(Mesh& mesh, const Pose& pose, double radius, double width, double bevel, int segments,
                  const Material& material) {
  const double h = 0.5 * width, b = std::min({bevel, 0.4 * radius, 0.4 * width});
  const Vec2 profile[] = {{0, h},           {radius - b, h},  {radius, h - b},
                          {radius, -h + b}, {radius - b, -h}, {0, -h}};
  add_revolved(mesh, pose, profile, segments, material, 0.9);
}

Mesh arrow_mesh() {
  Mesh mesh;
  const Material plain{.name = "arrow"};
  // Revolved about y, then turned so that y becomes z.
  Pose upright;
  upright.R = Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()).toRotationMatrix();
  const Vec2 profile[] = {{0, 1}, {1.0, 0.72}, {0.42, 0.72}, {0.42, 0}, {0, 0}};
  add_revolved(mesh, upright, profile, 16, plain);
  return mesh;
}

Mesh sphere_mesh() {
  Mesh mesh;
  add_sphere(mesh, {}, 1.0, 20, {.name = "ball"});
  return mesh;
}

}  // namespace scree::view
