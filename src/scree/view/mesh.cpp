#include "scree/view/mesh.hpp"

namespace scree::view {

Surface& Mesh::surface(const Material& material) {
  for (Surface& s : surfaces)
    if (s.material.name == material.name) return s;
  surfaces.push_back({material, {}, {}});
  return surfaces.back();
}

Box Mesh::bounds() const {
  Box box;
  for (const Surface& s : surfaces)
    for (const Vertex& v : s.vertices) box.add(v.p.cast<double>());
  return box;
}

std::size_t Mesh::triangles() const {
  std::size_t count = 0;
  for (const Surface& s : surfaces) count += s.indices.size() / 3;
  return count;
}

void Mesh::add(const Mesh& other, const Pose& pose) {
  const Eigen::Matrix3f R = pose.R.cast<float>();
  const Eigen::Vector3f p = pose.p.cast<float>();
  for (const Surface& from : other.surfaces) {
    Surface& to = surface(from.material);
    const auto base = static_cast<std::uint32_t>(to.vertices.size());
    for (const Vertex& v : from.vertices) to.vertices.push_back({R * v.p + p, R * v.n, v.uv});
    for (std::uint32_t i : from.indices) to.indices.push_back(base + i);
  }
}

void add_triangle(Surface& surface, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  surface.indices.insert(surface.indices.end(), {a, b, c});
}

std::uint32_t add_vertex(Surface& surface, const Vec3& p, const Vec3& n, const Vec2& uv) {
  surface.vertices.push_back({p.cast<float>(), n.cast<float>(), uv.cast<float>()});
  return static_cast<std::uint32_t>(surface.vertices.size() - 1);
}

}  // namespace scree::view
