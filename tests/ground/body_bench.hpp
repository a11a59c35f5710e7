#pragma once
/// One body on one link, against the ground, without a robot.
#include <memory>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/convex.hpp"
#include "support/terrain.hpp"

namespace scree::testing {

/// One body on one link, touched where it stands.
struct BodyBench {
  /// `contact`: as in a model file, `kind = ...` and the kind's own keys.
  explicit BodyBench(std::vector<HullFace> faces, HullSettings hull = {}, const std::string& contact = "") {
    ContactElement e;
    const Document document = Document::from_text(contact);
    Section section = document.root();
    describe_contact(section, e.contact, false);
    e.faces = std::move(faces);
    e.hull = hull;
    SeenPlaces seen;
    group = contact_kind(e.contact.kind).make(std::span(&e, 1), seen);
    scratch = group->scratch();
    memory.assign(static_cast<std::size_t>(group->memory()), 0.0);
    contacts.resize(static_cast<std::size_t>(group->contacts()));
  }
  /// Wrench about the link's origin, world axes.
  Vec6 at(const Terrain& terrain, const Pose& X, const Vec6& V = Vec6::Zero(), double dt = 0) {
    link = {X, V};
    load.apparent.setZero();
    load.wrench.setZero();
    GroundView ground;
    ground.terrain = &terrain;
    const double reach = 1;
    ground.slope_bound =
        terrain.slope_bound({X.p.x() - reach, X.p.x() + reach, X.p.y() - reach, X.p.y() + reach});
    const ContactMotion motion{std::span(&link, 1), {}};
    const StageStep step{dt, 0.5, 0.5, 1};
    report = {};
    Touch touch{ground, motion, step, {std::span(&load, 1), {}}, {}, report};
    group->touch(touch, memory.data(), *scratch);
    group->list(ground, motion, *scratch, contacts);
    sunk = group->sunk(ground, motion);
    Vec6 world;
    world << X.R * load.wrench.head<3>(), X.R * load.wrench.tail<3>();
    return world;
  }
  /// The apparent inertia at rest by differences: theta dt (dF/dV + dt/2 dF/dq), column by column.
  Mat6 measured_apparent(const Terrain& terrain, const Pose& X, double dt) {
    const double speed = 1e-4, way = 1e-7;
    at(terrain, X, Vec6::Zero(), dt);
    const Vec6 rest = load.wrench;
    Mat6 out;
    for (int i = 0; i < 6; ++i) {
      at(terrain, X, speed * Vec6::Unit(i), dt);
      const Vec6 by_speed = (rest - load.wrench) / speed;
      const Vec3 axis = Vec3::Unit(i % 3);
      const Pose moved =
          i < 3 ? Pose{X.R, X.p + X.R * (way * axis)} : Pose{X.R * rotation_about(axis, way), X.p};
      at(terrain, moved, Vec6::Zero(), dt);
      out.col(i) = 0.5 * dt * (by_speed + 0.5 * dt * (rest - load.wrench) / way);
    }
    return out;
  }
  std::unique_ptr<ContactGroup> group;
  std::unique_ptr<ContactScratch> scratch;
  std::vector<double> memory;
  std::vector<Contact> contacts;
  LinkMotion link;
  LinkLoad load;
  TouchReport report;
  double sunk = 0;
};

inline const Vec3 kHalf(0.3, 0.2, 0.1);
inline std::vector<HullFace> box() { return box_faces(-kHalf, kHalf); }
inline Pose standing(double z, double roll = 0, double pitch = 0, double yaw = 0, double x = 0,
                     double y = 0) {
  return {rotation_from_rpy(roll, pitch, yaw), Vec3(x, y, z)};
}

}  // namespace scree::testing
