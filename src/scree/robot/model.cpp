#include "scree/robot/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

V3<Lanes> gather(const RobotWheelPack& pack, const std::vector<RobotWheel>& wheels, const auto& vector_of) {
  V3<Lanes> out{};
  for (int lane = 0; lane < kLanes; ++lane) {
    const Vec3 v = vector_of(wheels[pack.wheel[lane]]);
    out.x[lane] = v.x();
    out.y[lane] = v.y();
    out.z[lane] = v.z();
  }
  return out;
}

/// Columns: forward, axle, along the suspension; in the axes of the link that carries the wheel.
Mat3 wheel_axes(const WheelSettings& x) {
  return (Eigen::AngleAxisd(x.yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(x.camber, Vec3::UnitX()))
      .toRotationMatrix();
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
  build_wheels();
  build_packs();
  build_hull();
  build_layout();
}

void RobotModel::build_wheels() {
  for (const auto& w : settings_.wheels) {
    RobotWheel wheel;
    wheel.settings = w;
    const LinkFrame frame = tree_.frame(w.link);
    const Vec3 origin = w.link == "chassis" ? settings_.chassis.box_centre() : Vec3(Vec3::Zero());
    wheel.link = frame.link;
    wheel.rotor = tree_.rotor_index(w.name);
    wheel.hub = frame.X_LF * Vec3(origin + w.position);
    wheel.axes = frame.X_LF.R * wheel_axes(w);
    for (std::size_t i = 0; i < named_.size(); ++i)
      if (named_[i].on == w.name) wheel.drive = static_cast<int>(i);
    reach_ = std::max(reach_, chain_length(settings_, w.link) + wheel.hub.norm() + w.radius + 0.5 * w.width);
    wheels_.push_back(wheel);
  }
}

void RobotModel::build_packs() {
  std::vector<char> placed(wheels_.size(), 0);
  for (std::size_t first = 0; first < wheels_.size(); ++first) {
    if (placed[first]) continue;
    RobotWheelPack out{};
    const TyreSettings& tyre = wheels_[first].settings.tyre;
    for (std::size_t i = first; i < wheels_.size() && out.pack.count < kLanes; ++i) {
      if (placed[i] || !(wheels_[i].settings.tyre == tyre)) continue;
      placed[i] = 1;
      wheels_[i].pack = static_cast<int>(packs_.size());
      wheels_[i].lane = out.pack.count;
      out.wheel[out.pack.count++] = static_cast<int>(i);
    }
    for (int lane = 0; lane < out.pack.count; ++lane) out.pack.active[lane] = -1;
    for (int lane = out.pack.count; lane < kLanes; ++lane) out.wheel[lane] = out.wheel[0];
    for (int lane = 0; lane < kLanes; ++lane) {
      const RobotWheel& w = wheels_[out.wheel[lane]];
      out.link[lane] = w.link;
      out.rotor[lane] = w.rotor;
      out.one_link = out.one_link && w.link == out.link[0];
      const SuspensionSettings& s = w.settings.suspension;
      out.pack.radius[lane] = w.settings.radius;
      out.pack.suspension.stiffness[lane] = s.stiffness;
      out.pack.suspension.damping[lane] = s.damping;
      out.pack.suspension.travel[lane] = s.travel;
      out.pack.suspension.extra[lane] = s.stiffening - 1;
      out.pack.suspension.blend_length[lane] = s.blend * s.travel;
    }
    out.pack.hub = gather(out, wheels_, [](const RobotWheel& w) { return w.hub; });
    out.pack.n = gather(out, wheels_, [](const RobotWheel& w) -> Vec3 { return w.axes.col(0); });
    out.pack.a = gather(out, wheels_, [](const RobotWheel& w) -> Vec3 { return w.axes.col(1); });
    out.pack.b = gather(out, wheels_, [](const RobotWheel& w) -> Vec3 { return w.axes.col(2); });
    tyres_.push_back(std::make_unique<Tyre>(tyre));
    out.pack.tyre = tyres_.back().get();
    packs_.push_back(out);
  }
}

void RobotModel::build_hull() {
  const ChassisSettings& c = settings_.chassis;
  const LinkFrame base = tree_.frame("chassis");
  if (settings_.hull.box) {
    for (const double x : {-c.l1, c.l2}) {
      for (const double y : {-c.w1, c.w2}) {
        for (const double z : {-c.h_base, c.h_top}) hull_.push_back({base.link, base.X_LF * Vec3(x, y, z)});
      }
    }
  }
  for (const auto& p : settings_.hull.points) {
    hull_.push_back({base.link, base.X_LF * Vec3(c.box_centre() + Vec3(p[0], p[1], p[2]))});
  }
  if (settings_.hull.hubs) {
    for (const auto& wheel : wheels_) {
      const Vec3 axle = wheel.axes.col(1);
      const double side = axle.dot(wheel.hub) >= 0 ? 1 : -1;
      hull_.push_back({wheel.link, wheel.hub + side * 0.5 * wheel.settings.width * axle});
    }
  }
  for (const auto& point : hull_) {
    if (point.link == 0) reach_ = std::max(reach_, point.p.norm());
  }
  build_hull_packs();
}

void RobotModel::build_hull_packs() {
  const auto set = [this](std::size_t pack, int lane, const Vec3& p) {
    hull_packs_[pack].p.x[lane] = p.x();
    hull_packs_[pack].p.y[lane] = p.y();
    hull_packs_[pack].p.z[lane] = p.z();
  };
  for (std::size_t i = 0; i < hull_.size(); ++i) {
    const HullPoint& point = hull_[i];
    int wheels = -1, lane = static_cast<int>(i % kLanes);
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& wheel : wheels_) {
      const double distance = (wheel.hub - point.p).norm();
      if (wheel.link != point.link || !(distance < nearest)) continue;
      nearest = distance, wheels = wheel.pack, lane = wheel.lane;
    }
    std::size_t k = 0;
    while (k < hull_packs_.size() && (hull_packs_[k].link != point.link || hull_packs_[k].wheels != wheels ||
                                      hull_packs_[k].active[lane]))
      ++k;
    if (k == hull_packs_.size()) {
      hull_packs_.push_back({point.link, wheels, Mask{}, {}});
      for (int other = 0; other < kLanes; ++other) set(k, other, point.p);
    }
    set(k, lane, point.p);
    hull_packs_[k].active[lane] = -1;
  }
}

void RobotModel::build_layout() {
  layout_.positions = 0;
  layout_.velocities = layout_.positions + tree_.position_count();
  layout_.wheels = layout_.velocities + tree_.velocity_count();
  layout_.hull = layout_.wheels + static_cast<int>(packs_.size()) * kWheelMemory * kLanes;
  layout_.drives = layout_.hull + 3 * static_cast<int>(hull_.size());
  layout_.size = layout_.drives + static_cast<int>(train_.state_size());
}

}  // namespace scree
