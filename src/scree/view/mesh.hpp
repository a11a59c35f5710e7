#pragma once
/// Shapes in memory, before any graphics card: triangles sorted by material.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/core/types.hpp"

namespace scree::view {

using Color = Eigen::Vector3f;  ///< sRGB, each channel in [0, 1], as a person writes it

/// 0xRRGGBB as in any drawing program.
inline Color rgb(std::uint32_t hex) {
  return {((hex >> 16) & 255) / 255.f, ((hex >> 8) & 255) / 255.f, (hex & 255) / 255.f};
}

struct Material {
  std::string name = "plain";
  Color color = Color(0.6f, 0.6f, 0.62f);
  float roughness = 0.6f;              ///< 0 mirror .. 1 chalk
  float metallic = 0.f;                ///< 0 paint, rubber .. 1 bare metal
  float glow = 0.f;                    ///< light of its own, as a multiple of the colour
  std::filesystem::path texture = {};  ///< image that multiplies the colour; empty for none
};

struct Vertex {
  Eigen::Vector3f p, n;
  Eigen::Vector2f uv = Eigen::Vector2f::Zero();
};

/// Triangles of one material.
struct Surface {
  Material material;
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;
};

struct Box {
  Vec3 low = Vec3::Constant(1e30), high = Vec3::Constant(-1e30);
  void add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  bool empty() const { return !(low.x() <= high.x()); }
  Vec3 center() const { return 0.5 * (low + high); }
  Vec3 size() const { return high - low; }
};

struct Mesh {
  std::vector<Surface> surfaces;

  /// The surface of this material (told apart by name), made when it is new.
  Surface& surface(const Material& material);
  Box bounds() const;
  std::size_t triangles() const;
  /// Appends another mesh, moved by `pose`.
  void add(const Mesh& other, const Pose& pose = {});
};

/// Appends one triangle fan or quad: the corners run anticlockwise seen from outside.
void add_triangle(Surface& surface, std::uint32_t a, std::uint32_t b, std::uint32_t c);
std::uint32_t add_vertex(Surface& surface, const Vec3& p, const Vec3& n, const Vec2& uv = Vec2::Zero());

}  // namespace scree::view
