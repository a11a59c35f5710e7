#include "scree/view/obj.hpp"

#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

#include <cmath>
#include <fstream>
#include <map>
#include <tuple>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {
namespace {

Material from_mtl(const tinyobj::material_t& m, const std::filesystem::path& folder,
                  std::vector<std::string>& warnings) {
  Material material;
  material.name = m.name;
  material.color = Color(m.diffuse[0], m.diffuse[1], m.diffuse[2]).cwiseMax(0.f).cwiseMin(1.f);
  if (m.roughness > 0)
    material.roughness = std::clamp(m.roughness, 0.05f, 1.f);
  else if (m.shininess > 0)  // Blinn-Phong exponent to roughness: alpha² = 2/(n + 2)
    material.roughness = std::clamp(std::pow(2.f / (m.shininess + 2.f), 0.25f), 0.05f, 1.f);
  material.metallic = std::clamp(m.metallic, 0.f, 1.f);
  material.glow = std::max({m.emission[0], m.emission[1], m.emission[2]});
  if (!m.diffuse_texname.empty()) {
    std::string name = m.diffuse_texname;
    std::replace(name.begin(), name.end(), '\\', '/');
    material.texture = folder / name;
    if (!std::filesystem::exists(material.texture)) {
      warnings.push_back(fmt::format("texture '{}' of material '{}' not found: drawn in its colour",
                                     material.texture.string(), m.name));
      material.texture.clear();
    }
  }
  return material;
}

/// Normals of faces that share a position and meet at less than 45 degrees, each weighted with its angle
/// there (so that it does not matter how a polygon was cut into triangles).
void smooth_normals(Surface& surface) {
  using Key = std::tuple<float, float, float>;
  std::map<Key, std::vector<Vec3>> faces_at;
  const auto corner = [&](std::size_t t, int k) {
    return Vec3(surface.vertices[t + k % 3].p.cast<double>());
  };
  // The face's unit normal times the angle at its corner k.
  const auto weighted_normal = [&](std::size_t t, int k) -> Vec3 {
    const Vec3 a = corner(t, k), b = corner(t, k + 1) - a, c = corner(t, k + 2) - a, n = b.cross(c);
    return n.norm() > 0 ? Vec3(n.normalized() * std::atan2(n.norm(), b.dot(c))) : Vec3(Vec3::Zero());
  };
  const auto key = [](const Eigen::Vector3f& p) { return Key(p.x(), p.y(), p.z()); };
  for (std::size_t t = 0; t + 2 < surface.vertices.size(); t += 3)
    for (int k = 0; k < 3; ++k) faces_at[key(surface.vertices[t + k].p)].push_back(weighted_normal(t, k));
  for (std::size_t t = 0; t + 2 < surface.vertices.size(); t += 3) {
    const Vec3 direction = weighted_normal(t, 0).normalized();
    for (int k = 0; k < 3; ++k) {
      Vec3 sum = Vec3::Zero();
      for (const Vec3& n : faces_at[key(surface.vertices[t + k].p)])
        if (n.dot(direction) > 0.707 * n.norm()) sum += n;
      surface.vertices[t + k].n = (sum.norm() > 0 ? sum.normalized() : Vec3(Vec3::UnitZ())).cast<float>();
    }
  }
}

/// Copies one triangle; tells whether the file gave normals for it.
bool add_face(Surface& to, const tinyobj::attrib_t& attrib, const tinyobj::index_t* corner,
              const std::filesystem::path& file) {
  bool has_normals = true;
  const auto inside = [](int index, std::size_t floats, int size) {
    return index >= 0 && static_cast<std::size_t>(index + 1) * size <= floats;
  };
  for (int k = 0; k < 3; ++k) {
    const auto& [v, n, t] = corner[k];
    if (!inside(v, attrib.vertices.size(), 3))
      input_error("mesh '{}' is malformed: a face names vertex {} of {}", file.string(), v + 1,
                  attrib.vertices.size() / 3);
    Vertex out{Eigen::Vector3f(&attrib.vertices[3 * v]), Eigen::Vector3f::Zero()};
    if (!out.p.allFinite())
      input_error("mesh '{}' is malformed: vertex {} is not a number", file.string(), v + 1);
    if (inside(n, attrib.normals.size(), 3))
      out.n = Eigen::Vector3f(&attrib.normals[3 * n]);
    else
      has_normals = false;
    if (inside(t, attrib.texcoords.size(), 2)) out.uv = Eigen::Vector2f(&attrib.texcoords[2 * t]);
    to.indices.push_back(static_cast<std::uint32_t>(to.vertices.size()));
    to.vertices.push_back(out);
  }
  return has_normals;
}

/// Shares equal vertices: a third of the memory and of the work.
void weld(Surface& surface) {
  using Key = std::array<float, 8>;
  std::map<Key, std::uint32_t> known;
  std::vector<Vertex> vertices;
  for (std::uint32_t& index : surface.indices) {
    const Vertex& v = surface.vertices[index];
    const Key key{v.p.x(), v.p.y(), v.p.z(), v.n.x(), v.n.y(), v.n.z(), v.uv.x(), v.uv.y()};
    const auto [it, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(vertices.size()));
    if (is_new) vertices.push_back(v);
    index = it->second;
  }
  surface.vertices = std::move(vertices);
}

}  // namespace

namespace {

/// The loader counts exponents in an int without asking how long they are: a number of more than four digits
/// after its e is refused before it sees it, here and in the materials that the file names.
void check_exponents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    for (std::size_t k = line.find_first_of("eE"); k != std::string::npos;
         k = line.find_first_of("eE", k + 1)) {
      const std::size_t first = line.find_first_not_of("+-", k + 1);
      if (first == std::string::npos) break;
      const std::size_t digits = std::min(line.find_first_not_of("0123456789", first), line.size()) - first;
      if (digits > 4)
        input_error("mesh '{}' is malformed: line {}: an exponent of {} digits", file.string(), number,
                    digits);
    }
    if (file.extension() != ".mtl" && line.starts_with("mtllib ")) {
      const auto materials = file.parent_path() / trim(line.substr(7));
      std::error_code status;
      if (materials.extension() == ".mtl" && std::filesystem::is_regular_file(materials, status))
        check_exponents(materials);
    }
  }
}

}  // namespace

Mesh read_obj(const std::filesystem::path& file, std::vector<std::string>& warnings) {
  if (!std::filesystem::is_regular_file(file)) input_error("mesh '{}' not found", file.string());
  check_exponents(file);
  tinyobj::ObjReaderConfig config;
  config.triangulate = true;
  config.vertex_color = false;
  config.mtl_search_path = file.parent_path().string();
  tinyobj::ObjReader reader;
  if (!reader.ParseFromFile(file.string(), config))
    input_error("mesh '{}' is malformed: {}", file.string(), trim(reader.Error()));
  if (!reader.Warning().empty())
    warnings.push_back(
        fmt::format("mesh '{}': {}", file.string(), trim(split(reader.Warning(), '\n').front())));

  std::vector<Material> materials;
  for (const auto& m : reader.GetMaterials()) materials.push_back(from_mtl(m, file.parent_path(), warnings));
  Mesh mesh;
  std::map<std::string, bool> complete;
  for (const auto& shape : reader.GetShapes())
    for (std::size_t face = 0; 3 * face + 2 < shape.mesh.indices.size(); ++face) {
      const int m = shape.mesh.material_ids.size() > face ? shape.mesh.material_ids[face] : -1;
      const Material& material = m >= 0 && m < static_cast<int>(materials.size()) ? materials[m] : Material{};
      Surface& to = mesh.surface(material);
      const bool normals = add_face(to, reader.GetAttrib(), &shape.mesh.indices[3 * face], file);
      complete.try_emplace(material.name, true).first->second &= normals;
    }
  if (mesh.triangles() == 0) input_error("mesh '{}' is malformed: no triangle in it", file.string());
  for (Surface& s : mesh.surfaces) {
    if (!complete[s.material.name]) smooth_normals(s);
    weld(s);
  }
  return mesh;
}

void write_obj(const std::filesystem::path& file, const Mesh& mesh, const std::string& comment) {
  std::ofstream obj(file), mtl(std::filesystem::path(file).replace_extension(".mtl"));
  // Rounded to the printed decimals first, so that -0.00000 never appears.
  const auto r = [](float x) { return std::round(x * 1e5) / 1e5 + 0.0; };
  obj << fmt::format("# {}\nmtllib {}\n", comment,
                     std::filesystem::path(file).replace_extension(".mtl").filename().string());
  mtl << fmt::format("# {}\n", comment);
  std::uint32_t base = 1;
  for (const Surface& s : mesh.surfaces) {
    const Material& m = s.material;
    mtl << fmt::format(
        "newmtl {}\nKd {:.4f} {:.4f} {:.4f}\nKs {:.3f} {:.3f} {:.3f}\nNs {:.1f}\nPr {:.3f}\nPm {:.3f}\n",
        m.name, m.color.x(), m.color.y(), m.color.z(), 0.04, 0.04, 0.04, 2 / std::pow(m.roughness, 4) - 2,
        m.roughness, m.metallic);
    if (m.glow > 0) mtl << fmt::format("Ke {0:.3f} {0:.3f} {0:.3f}\n", m.glow);
    if (!m.texture.empty()) mtl << fmt::format("map_Kd {}\n", m.texture.filename().string());
    mtl << '\n';
    obj << fmt::format("g {0}\nusemtl {0}\n", m.name);
    for (const Vertex& v : s.vertices)
      obj << fmt::format("v {:.5f} {:.5f} {:.5f}\n", r(v.p.x()), r(v.p.y()), r(v.p.z()));
    for (const Vertex& v : s.vertices)
      obj << fmt::format("vn {:.3f} {:.3f} {:.3f}\n", r(v.n.x()), r(v.n.y()), r(v.n.z()));
    for (std::size_t t = 0; t + 2 < s.indices.size(); t += 3) {
      const std::uint32_t a = base + s.indices[t], b = base + s.indices[t + 1], c = base + s.indices[t + 2];
      obj << fmt::format("f {0}//{0} {1}//{1} {2}//{2}\n", a, b, c);
    }
    base += static_cast<std::uint32_t>(s.vertices.size());
  }
  obj.flush();
  mtl.flush();
  if (!obj || !mtl)
    run_error("mesh '{}' cannot be written: is the folder there, and the disk not full?", file.string());
}

}  // namespace scree::view
