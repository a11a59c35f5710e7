#include "scree/robot/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/robot/bodies.hpp"

namespace scree {
namespace {

/// Columns: forward, axle, along the suspension; in the axes of the link that carries the wheel.
Mat3 wheel_axes(const WheelSettings& x) {
  return rotation_about(Vec3::UnitZ(), x.yaw) * rotation_about(Vec3::UnitX(), x.camber);
}

/// Inertia tensor from moments and products, I_xy = integral of x y dm: off the diagonal stands minus that.
Mat3 inertia_tensor(const Vec3& moments, const Vec3& products) {
  Mat3 inertia = moments.asDiagonal();
  inertia(0, 1) = inertia(1, 0) = -products[0];
  inertia(0, 2) = inertia(2, 0) = -products[1];
  inertia(1, 2) = inertia(2, 1) = -products[2];
  return inertia;
}

TreeSettings tree_settings(const RobotSettings& x, std::span<const NamedDrive> drives) {
  TreeSettings tree;
  tree.name = x.name;
  tree.held_base = x.base == "fixed";
  const ChassisSettings& c = x.chassis;
  tree.links.push_back({.name = "chassis",
                        .mass = c.mass,
                        .p_LC = Vec3::Zero(),
                        .inertia_C = inertia_tensor(c.inertia, c.products)});
  for (const auto& link : x.links) {
    tree.links.push_back({.name = link.name,
                          .mass = link.mass,
                          .p_LC = link.com,
                          .inertia_C = inertia_tensor(link.inertia, link.products)});
    JointSettings joint;
    joint.name = link.name;
    joint.type = link.joint == "fixed"      ? JointType::fixed
                 : link.joint == "revolute" ? JointType::revolute
                                            : JointType::prismatic;
    joint.parent = link.parent;
    joint.child = link.name;
    joint.X_PJ = {link.rotation, link.position};
    joint.axis = link.axis;
    joint.spring_stiffness = link.stiffness;
    joint.spring_rest = link.rest;
    joint.damping = link.damping;
    joint.lower = link.lower;
    joint.upper = link.upper;
    joint.prescribed = link.motion.active();
    for (const auto& d : drives)
      joint.prescribed = joint.prescribed || (d.on == link.name && d.drive.kind == "kinematic");
    tree.joints.push_back(joint);
  }
  for (const auto& coupling : x.couplings) {
    tree.couplings.push_back({.name = coupling.a + "=" + coupling.b,
                              .joint_a = coupling.a,
                              .joint_b = coupling.b,
                              .ratio = coupling.ratio,
                              .offset = coupling.offset});
  }
  for (const auto& wheel : x.wheels) {
    const Mat3 axes = wheel_axes(wheel);
    // The chassis' inertia is that of the whole robot; further links are given without their wheels.
    tree.rotors.push_back({.name = wheel.name,
                           .link = wheel.link,
                           .axis = axes.col(1),
                           .spin_inertia = wheel.spin_inertia,
                           .in_link_inertia = wheel.link == "chassis"});
  }
  return tree;
}

DriveTrainSettings train_settings(const RobotSettings& x, std::span<const DriveMount> mounts) {
  DriveTrainSettings train;
  train.battery = x.battery;
  for (const auto& mount : mounts) train.drives.push_back(mount.drive);
  return train;
}

std::vector<PrescribedJoint> prescribed_joints(const RobotSettings& x, const Tree& tree,
                                               std::span<const DriveMount> mounts) {
  std::vector<PrescribedJoint> out;
  for (const auto& link : x.links) {
    if (!link.motion.active()) continue;
    out.push_back({tree.joint_index(link.name), -1,
                   Motion(link.motion, fmt::format("robot '{}': motion of '{}'", x.name, link.name))});
  }
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    if (mounts[i].drive.kind == "kinematic")
      out.push_back({mounts[i].at.index, static_cast<int>(i), Motion()});
  }
  return out;
}

/// Distance from the base's origin that a chain of links can span to this link's origin [m].
double chain_length(const RobotSettings& x, const std::string& name) {
  for (const auto& link : x.links) {
    if (link.name != name) continue;
    const double slide = link.joint == "prismatic" ? std::min(std::abs(link.upper), 1.0) : 0.0;
    return link.position.norm() + slide + chain_length(x, link.parent);
  }
  return 0;
}

bool mounted_on_rotors(std::span<const DriveMount> mounts, const Tree& tree) {
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Coordinate& at = mounts[i].at;
    if (at.kind != Coordinate::Kind::rotor || at.index != static_cast<int>(i)) return false;
  }
  return static_cast<int>(mounts.size()) == tree.rotor_count();
}

const RobotSettings& checked(const RobotSettings& x) {
  if (x.wheels.empty() && x.base != "fixed") {
    input_error("robot '{}': no wheels; give [[wheels]], or base = \"fixed\"", x.name);
  }
  for (std::size_t i = 0; i < x.wheels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (x.wheels[i].name == x.wheels[k].name) {
        input_error("robot '{}': two wheels are called '{}'; give each its own name", x.name,
                    x.wheels[i].name);
      }
    }
  }
  return x;
}

}  // namespace

RobotModel::RobotModel(const RobotSettings& settings)
    : settings_(checked(settings)),
      named_(resolve_drives(settings_)),
      tree_(tree_settings(settings_, named_)),
      mounts_(mount_drives(named_, tree_)),
      train_(train_settings(settings_, mounts_)),
      prescribed_(prescribed_joints(settings_, tree_, mounts_)) {
  drives_rotors_ = mounted_on_rotors(mounts_, tree_);
  build_wheels();
  build_contacts();
  build_layout();
}

void RobotModel::build_wheels() {
  for (const auto& w : settings_.wheels) {
    RobotWheel wheel;
    wheel.settings = w;
    wheel.kind = &contact_kind(w.contact.kind);
    const LinkFrame frame = tree_.frame(w.link);
    const Vec3 origin = w.link == "chassis" ? settings_.chassis.box_centre() : Vec3(Vec3::Zero());
    wheel.link = frame.link;
    wheel.rotor = tree_.rotor_index(w.name);
    wheel.suspended = is_suspended(w.contact.kind);
    wheel.hub = frame.X_LF * Vec3(origin + w.position);
    wheel.axes = frame.X_LF.R * wheel_axes(w);
    for (std::size_t i = 0; i < named_.size(); ++i)
      if (named_[i].on == w.name) wheel.drive = static_cast<int>(i);
    reach_ = std::max(reach_, chain_length(settings_, w.link) + wheel.hub.norm() + w.radius + 0.5 * w.width);
    wheels_.push_back(wheel);
  }
}

/// The outer ends of the axles, link by link.
void RobotModel::add_hubs(std::vector<ContactElement>& bodies) const {
  for (std::size_t link = 0; link < tree_.links().size(); ++link) {
    ContactElement e;
    e.name = tree_.links()[link].name;
    e.link = static_cast<int>(link);
    e.contact = settings_.hull.choice;
    e.hull = settings_.hull.contact;
    for (const RobotWheel& wheel : wheels_) {
      if (wheel.link != e.link) continue;
      const Vec3 axle = wheel.axes.col(1);
      const double side = axle.dot(wheel.hub) >= 0 ? 1 : -1;
      e.points.push_back(wheel.hub + side * 0.5 * wheel.settings.width * axle);
    }
    if (!e.points.empty()) bodies.push_back(std::move(e));
  }
}

void RobotModel::build_contacts() {
  std::vector<ContactElement> elements;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const RobotWheel& wheel = wheels_[i];
    ContactElement& e = elements.emplace_back();
    e.name = wheel.settings.name;
    e.wheel = static_cast<int>(i);
    e.link = wheel.link;
    e.rotor = wheel.rotor;
    e.contact = wheel.settings.contact;
    e.hub = wheel.hub;
    e.axes = wheel.axes;
    e.radius = wheel.settings.radius;
    e.width = wheel.settings.width;
    e.spin_inertia = wheel.settings.spin_inertia;
    if (wheel.drive >= 0) e.spin_inertia += reflected_inertia(named_[wheel.drive].drive);
    e.suspension = wheel.settings.suspension;
    e.tyre = wheel.settings.tyre;
  }
  std::vector<ContactElement> bodies = body_elements(settings_, tree_);
  if (settings_.hull.hubs) add_hubs(bodies);
  for (const ContactElement& e : bodies) {
    const double chain = e.link == 0 ? 0 : chain_length(settings_, tree_.links()[e.link].name);
    const auto include = [&](const Vec3& p) { reach_ = std::max(reach_, chain + p.norm()); };
    for (const Vec3& p : e.points) include(p);
    for (const HullFace& f : e.faces) {
      include(f.corner), include(f.corner + f.u), include(f.corner + f.v);
      if (!f.triangle) include(f.corner + f.u + f.v);
    }
  }
  build_solids(bodies);
  elements.insert(elements.end(), bodies.begin(), bodies.end());
  contacts_ = make_contact_groups(elements);
  for (std::size_t i = 0; i < wheels_.size(); ++i) wheels_[i].contact = contacts_.of_wheel[i];
}

void RobotModel::build_solids(std::span<const ContactElement> bodies) {
  for (const ContactElement& e : bodies)
    if (!e.faces.empty()) solids_.push_back({e.link, -1, solid_of(e.faces)});
  constexpr double kGravity = 9.81;  // m/s²: a millimetre of suspension more or less elsewhere
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const RobotWheel& w = wheels_[i];
    const Vec3 hub = resting_hub(static_cast<int>(i), kGravity * tree_.mass());
    solids_.push_back(
        {w.link, static_cast<int>(i), wheel_solid(hub, w.axes.col(1), w.settings.radius, w.settings.width)});
  }
}

void RobotModel::build_layout() {
  layout_.positions = 0;
  layout_.velocities = layout_.positions + tree_.position_count();
  layout_.contacts = layout_.velocities + tree_.velocity_count();
  layout_.drives = layout_.contacts + contacts_.memory;
  layout_.size = layout_.drives + static_cast<int>(train_.state_size());
}

}  // namespace scree
