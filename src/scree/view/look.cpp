#include "scree/view/look.hpp"

#include <cmath>
#include <map>

#include "scree/config/section.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/view/mesh_file.hpp"
#include "scree/view/primitives.hpp"

namespace scree::view {
namespace {

constexpr int kTrackPhases = 8;

struct PartSettings {
  std::string on;
  std::filesystem::path mesh;
  Vec3 position = Vec3::Zero();
  double roll = 0, pitch = 0, yaw = 0;
  double scale = 1;
};

void describe(Section& s, PartSettings& x) {
  s.text("on", x.on,
         {.doc = "Link, or wheel.NAME, that carries the mesh; patterns match several", .required = true});
  s.file("mesh", x.mesh, {.doc = "Wavefront OBJ, STL or Collada, relative to this file", .required = true});
  s.vector("position", x.position, {.unit = "m", .doc = "Origin of the mesh in the link or wheel"});
  s.angle("roll", x.roll, {.unit = "rad", .doc = "Turn about x"});
  s.angle("pitch", x.pitch, {.unit = "rad", .doc = "Nose-up turn"});
  s.angle("yaw", x.yaw, {.unit = "rad", .doc = "Turn about z"});
  s.number("scale", x.scale,
           {.unit = "-", .doc = "Size of one unit of the mesh in metres", .range = positive()});
}

/// A box with panels and a darker belly, and tubes to what it carries.
Mesh made_link(const RobotShape::Link& link, const Color& color, bool is_base) {
  Mesh mesh;
  const Material paint{.name = "paint", .color = color, .roughness = 0.42f};
  const Material belly{.name = "belly", .color = rgb(0x33363b), .roughness = 0.6f, .metallic = 0.3f};
  const Material arm{.name = "arm", .color = rgb(0x8b9097), .roughness = 0.4f, .metallic = 0.8f};
  const Material glass{.name = "glass", .color = rgb(0x16202b), .roughness = 0.12f, .metallic = 0.2f};
  const Vec3& s = link.size;
  if (s.minCoeff() > 0) {
    const double bevel = 0.09 * s.minCoeff();
    Pose at;
    at.p = link.center + Vec3(0, 0, 0.12 * s.z());
    add_box(mesh, at, Vec3(s.x(), s.y(), 0.76 * s.z()), bevel, paint);
    at.p = link.center - Vec3(0, 0, 0.3 * s.z());
    add_box(mesh, at, Vec3(0.92 * s.x(), 0.86 * s.y(), 0.4 * s.z()), bevel, belly);
    if (is_base) {  // a lid, and a window that shows which end is the front
      at.p = link.center + Vec3(-0.08 * s.x(), 0, 0.52 * s.z());
      add_box(mesh, at, Vec3(0.56 * s.x(), 0.7 * s.y(), 0.08 * s.z()), 0.03 * s.z(), belly);
      at.p = link.center + Vec3(0.5 * s.x(), 0, 0.2 * s.z());
      add_box(mesh, at, Vec3(0.03 * s.x(), 0.62 * s.y(), 0.3 * s.z()), 0.02 * s.z(), glass);
    }
  }
  const Vec3 root = s.minCoeff() > 0 ? link.center : Vec3::Zero();
  double reach = s.maxCoeff();
  for (const Vec3& p : link.attachments) reach = std::max(reach, (p - root).norm());
  for (const Vec3& p : link.attachments) {
    if ((p - root).norm() < 1e-3) continue;
    const Vec3 line[] = {root, p};
    add_tube(mesh, {}, line, 0.045 * reach, 12, arm);
    Pose at;
    at.p = p;
    add_sphere(mesh, at, 0.06 * reach, 14, arm);
  }
  return mesh;
}

}  // namespace

Vec3 equivalent_box(double mass, const Vec3& inertia) {
  const double sum = inertia.sum();
  Vec3 size;
  for (int k = 0; k < 3; ++k) size[k] = std::sqrt(std::max(6 * (sum - 2 * inertia[k]) / mass, 1e-6));
  return size;
}

RobotLook::RobotLook(const RobotShape& shape, std::vector<std::string>& warnings) : shape_(shape) {
  const std::filesystem::path file = shape.folder / "look.toml";
  if (!shape.folder.empty() && std::filesystem::exists(file)) read_file(file, warnings);
  add_visuals(warnings);
  make_missing();
  add_legs();
  measure();
}

void RobotLook::add_visuals(std::vector<std::string>& warnings) {
  for (const RobotShape::Visual& v : shape_.visuals) {
    const Material material{.name = "visual", .color = v.colour, .roughness = 0.5f};
    Mesh mesh;
    if (v.shape == "box") {
      add_box(mesh, {}, v.size, 0.04 * v.size.minCoeff(), material);
    } else if (v.shape == "sphere") {
      add_sphere(mesh, {}, v.size.x(), 24, material);
    } else if (v.shape == "cylinder") {  // ours turns about y, a URDF's about z
      Pose upright;
      upright.R = rotation_about(Vec3::UnitX(), kPi / 2);
      add_cylinder(mesh, upright, v.size.x(), v.size.z(), 0.05 * std::min(v.size.x(), v.size.z()), 32,
                   material);
    } else {
      try {
        mesh = read_mesh(v.mesh, warnings);
      } catch (const InputError& error) {
        warnings.push_back(std::string(error.what()) + ": drawn from the robot's own geometry instead");
        continue;
      }
      for (Surface& surface : mesh.surfaces) {
        if (v.coloured) surface.material.color = v.colour;
        for (Vertex& p : surface.vertices) p.p = p.p.cwiseProduct(v.size.cast<float>());
      }
    }
    const auto made = std::make_shared<const Mesh>(std::move(mesh));
    const auto attach = [&](On on, std::size_t index, const std::string& name, const Pose& frame = {}) {
      if (name == v.on) parts_.push_back({on, static_cast<int>(index), made, frame * v.pose, 1});
    };
    for (std::size_t i = 0; i < shape_.links.size(); ++i) attach(On::link, i, shape_.links[i].name);
    for (const RobotShape::Fixed& f : shape_.fixed)
      attach(On::link, static_cast<std::size_t>(f.link), f.name, f.pose);
    for (std::size_t i = 0; i < shape_.wheels.size(); ++i)
      attach(On::wheel, i, "wheel." + shape_.wheels[i].name);
  }
}

void RobotLook::read_file(const std::filesystem::path& file, std::vector<std::string>& warnings) {
  const Document document = Document::from_file(file);
  Section root = document.root();
  std::map<std::string, std::shared_ptr<const Mesh>> loaded;
  root.each("part", "A mesh on a link or wheel", [&](Section& section) {
    PartSettings part;
    describe(section, part);
    section.finish();
    auto& mesh = loaded[part.mesh.string()];
    if (!mesh) try {
        mesh = std::make_shared<Mesh>(read_mesh(part.mesh, warnings));
      } catch (const InputError& error) {
        warnings.push_back(std::string(error.what()) + ": drawn from the robot's own geometry instead");
        return;
      }
    bool used = false;
    const auto attach = [&](On on, std::size_t index, const std::string& name, const Pose& frame = {}) {
      if (!matches_pattern(name, part.on)) return;
      parts_.push_back({on, static_cast<int>(index), mesh,
                        frame * Pose{rotation_from_rpy(part.roll, part.pitch, part.yaw), part.position},
                        part.scale});
      used = true;
    };
    for (std::size_t i = 0; i < shape_.links.size(); ++i) attach(On::link, i, shape_.links[i].name);
    for (const RobotShape::Fixed& f : shape_.fixed)
      attach(On::link, static_cast<std::size_t>(f.link), f.name, f.pose);
    for (std::size_t i = 0; i < shape_.wheels.size(); ++i)
      attach(On::wheel, i, "wheel." + shape_.wheels[i].name);
    if (!used)
      warnings.push_back(fmt::format("{}: no link or wheel of robot '{}' is called '{}'", section.where(),
                                     shape_.name, part.on));
  });
  root.finish();
}

void RobotLook::make_missing() {
  const auto covered = [&](On on, std::size_t i) {
    for (const Part& p : parts_)
      if (p.on == on && p.index == static_cast<int>(i)) return true;
    return false;
  };
  for (std::size_t i = 0; i < shape_.links.size(); ++i) {
    if (covered(On::link, i)) continue;
    Mesh mesh = made_link(shape_.links[i], shape_.color, i == 0);
    if (mesh.triangles() > 0)
      parts_.push_back({On::link, static_cast<int>(i), std::make_shared<Mesh>(std::move(mesh)), {}, 1});
  }
  for (std::size_t i = 0; i < shape_.wheels.size(); ++i)
    if (!covered(On::wheel, i))
      parts_.push_back({On::wheel,
                        static_cast<int>(i),
                        std::make_shared<Mesh>(wheel_mesh(shape_.wheels[i].shape)),
                        {},
                        1});
  for (const RobotShape::Wheel& w : shape_.wheels)
    struts_.push_back(w.strut_top.isZero()
                          ? nullptr
                          : std::make_shared<Mesh>(strut_mesh(1.6 * w.shape.radius, 0.22 * w.shape.radius)));
  for (const RobotShape::Track& t : shape_.tracks) {
    tracks_.emplace_back();
    for (int k = 0; k < kTrackPhases; ++k)
      tracks_.back().push_back(
          std::make_shared<Mesh>(track_mesh(t.shape, track_period(t.shape) * k / kTrackPhases)));
  }
}

/// Of all that is drawn on a link, in its axes.
Box RobotLook::extent_of(int link) const {
  Box box;
  for (const Part& p : parts_) {
    if (p.on != On::link || p.index != link) continue;
    const Box b = p.mesh->bounds();
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner(k & 1 ? b.high.x() : b.low.x(), k & 2 ? b.high.y() : b.low.y(),
                        k & 4 ? b.high.z() : b.low.z());
      box.add(p.offset * (p.scale * corner));
    }
  }
  return box;
}

/// A spring whose upper end is in the air, because wheels were put elsewhere than the meshes are made for,
/// stands on a leg of its link.
void RobotLook::add_legs() {
  const Material steel{.name = "leg", .color = rgb(0x8b9097), .roughness = 0.4f, .metallic = 0.8f};
  std::vector<Box> drawn;  // before any leg
  for (std::size_t i = 0; i < shape_.links.size(); ++i) drawn.push_back(extent_of(static_cast<int>(i)));
  for (const RobotShape::Wheel& w : shape_.wheels) {
    const Box& box = drawn[static_cast<std::size_t>(w.link)];
    if (w.strut_top.isZero() || box.empty()) continue;
    const Vec3 inside = box.center() + 0.8 * (w.strut_top - box.center())
                                                 .cwiseMax(0.5 * (box.low - box.high))
                                                 .cwiseMin(0.5 * (box.high - box.low));
    const Vec3 nearest = w.strut_top.cwiseMax(box.low).cwiseMin(box.high);
    if ((nearest - w.strut_top).norm() < w.shape.radius) continue;
    Mesh mesh;
    const Vec3 line[] = {w.strut_top, inside};
    add_tube(mesh, {}, line, 0.18 * w.shape.radius, 12, steel);
    Pose end;
    end.p = w.strut_top;
    add_sphere(mesh, end, 0.26 * w.shape.radius, 14, steel);
    parts_.push_back({On::link, w.link, std::make_shared<Mesh>(std::move(mesh)), {}, 1});
  }
}

/// What cameras frame: the geometry's extent and the base's meshes (a mast counts half).
void RobotLook::measure() {
  Box box = shape_.extent;
  const double top = box.empty() ? 0 : box.high.z();
  const Box base = extent_of(0);
  if (!base.empty()) box.add(base.low), box.add(base.high);
  if (box.empty()) box.add(Vec3::Constant(0.5)), box.add(Vec3::Constant(-0.5));
  box.high.z() = std::max(top, 0.5 * (top + box.high.z()));
  center_ = box.center();
  size_ = box.size().maxCoeff();
}

Vec3 RobotLook::center(const RobotMoment& robot) const {
  return robot.links.empty() ? robot.center_of_mass : robot.links.front() * center_;
}

const std::shared_ptr<const Mesh>& RobotLook::track_at(std::size_t track, double travel) const {
  const double period = track_period(shape_.tracks[track].shape),
               part = travel / period - std::floor(travel / period);
  return tracks_[track][static_cast<std::size_t>(part * kTrackPhases) % kTrackPhases];
}

void RobotLook::add_to(Scene& scene, const RobotMoment& robot, float opacity) const {
  Instance instance;
  instance.opacity = opacity;
  for (const Part& p : parts_) {
    const Pose& carrier = p.on == On::link ? robot.links[p.index] : robot.wheels[p.index].pose;
    instance.mesh = p.mesh;
    instance.pose = carrier * p.offset;
    instance.scale = Vec3::Constant(p.scale);
    scene.instances.push_back(instance);
  }
  for (std::size_t i = 0; i < struts_.size(); ++i) {
    if (!struts_[i]) continue;
    const RobotShape::Wheel& w = shape_.wheels[i];
    const Vec3 top = robot.links[w.link] * w.strut_top;
    const Vec3 inward = (w.left ? -1.0 : 1.0) * robot.links[w.link].R.col(1);
    const Vec3 bottom = robot.wheels[i].pose.p + 0.75 * w.shape.width * inward;
    instance.mesh = struts_[i];
    instance.pose = {rotation_z_to(top - bottom), bottom};
    instance.scale = Vec3(1, 1, (top - bottom).norm() / (1.6 * w.shape.radius));
    scene.instances.push_back(instance);
  }
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    instance.mesh = track_at(i, i < robot.track_travel.size() ? robot.track_travel[i] : 0);
    instance.pose = robot.links[shape_.tracks[i].link] * shape_.tracks[i].pose;
    instance.scale = Vec3::Ones();
    scene.instances.push_back(instance);
  }
}

}  // namespace scree::view
