#pragma once
/// A robot put together: mechanism, wheels, hull and drives, and where each keeps its state.
/// Built and validated once; constant and shared by threads and by robots of the same kind.
#include <memory>
#include <span>
#include <vector>

#include "scree/drive/train.hpp"
#include "scree/ground/contact.hpp"
#include "scree/mechanism/tree.hpp"
#include "scree/robot/settings.hpp"

namespace scree {

struct RobotWheel {
  WheelSettings settings;
  int link = 0, rotor = 0;
  int contact = 0;  ///< place in the flat list of contacts
  int drive = -1;   ///< in the drive train, -1: not driven
  Vec3 hub;         ///< link axes [m]
  Mat3 axes;        ///< columns n, a, b in link axes
};

struct HullPoint {
  int link = 0;
  Vec3 p = Vec3::Zero();  ///< link axes [m]
};

/// Places in the robot's block of doubles.
struct RobotLayout {
  int positions = 0, velocities = 0, contacts = 0, drives = 0, size = 0;
};

class RobotModel {
 public:
  explicit RobotModel(const RobotSettings& settings);
  RobotModel(const RobotModel&) = delete;

  const RobotSettings& settings() const { return settings_; }
  const std::string& name() const { return settings_.name; }
  const Tree& tree() const { return tree_; }
  const DriveTrain& train() const { return train_; }
  std::span<const RobotWheel> wheels() const { return wheels_; }
  const ContactGroups& contacts() const { return contacts_; }
  /// Points of its surface: what must not start below the ground.
  std::span<const HullPoint> hull() const { return hull_; }
  const RobotLayout& layout() const { return layout_; }
  /// Rotor of each drive.
  std::span<const int> drive_rotor() const { return drive_rotor_; }
  /// Inertia that a drive adds to its rotor alone [kg m²].
  double armature() const { return armature_; }
  /// Farthest point of wheels and hull from the base's origin [m].
  double reach() const { return reach_; }

 private:
  void build_wheels();
  void build_hull();
  void build_contacts();
  void build_layout();

  RobotSettings settings_;
  Tree tree_;
  DriveTrain train_;
  std::vector<RobotWheel> wheels_;
  std::vector<HullPoint> hull_;
  ContactGroups contacts_;
  std::vector<int> drive_rotor_;
  RobotLayout layout_;
  double armature_ = 0, reach_ = 0;
};

}  // namespace scree
