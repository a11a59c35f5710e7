#pragma once
/// A robot put together: mechanism, wheels, hull and drives, and where each keeps its state.
/// Built and validated once; constant and shared by threads and by robots of the same kind.
#include <memory>
#include <span>
#include <vector>

#include "scree/drive/train.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/solid.hpp"
#include "scree/mechanism/tree.hpp"
#include "scree/robot/mounts.hpp"
#include "scree/robot/settings.hpp"

namespace scree {

struct RobotWheel {
  WheelSettings settings;
  int link = 0, rotor = 0;
  int contact = 0;  ///< place in the flat list of contacts
  const ContactKind* kind = nullptr;
  int drive = -1;         ///< in the drive train, -1: not driven
  bool suspended = true;  ///< it hangs on a suspension of its own
  Vec3 hub;               ///< link axes [m]
  Mat3 axes;              ///< columns n, a, b in link axes
};

/// A joint that moves as it is told: by a function of time, or by the commands to a kinematic drive.
struct PrescribedJoint {
  int joint = 0;
  int drive = -1;  ///< kinematic drive, -1: the motion tells
  Motion motion;
};

/// A part of the robot as other robots meet it.
struct RobotSolid {
  int link = 0;
  int wheel = -1;  ///< -1: a body
  Solid solid;     ///< link axes; a wheel's with its suspension as at rest
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
  std::span<const RobotSolid> solids() const { return solids_; }
  const RobotLayout& layout() const { return layout_; }
  /// Where each drive of the train sits.
  std::span<const DriveMount> mounts() const { return mounts_; }
  /// Whether drive i turns rotor i and there are no others: then the driven coordinates lie side by side.
  bool drives_rotors() const { return drives_rotors_; }
  std::span<const PrescribedJoint> prescribed() const { return prescribed_; }
  /// Centre of a wheel in its link's axes with its suspension as at rest, all wheels alike under `weight`
  /// [N].
  Vec3 resting_hub(int wheel, double weight) const {
    const RobotWheel& w = wheels_[wheel];
    if (!w.suspended) return w.hub;
    const double share = weight / static_cast<double>(wheels_.size());
    const double rest = share / w.settings.suspension.stiffness;
    return w.hub + rest * w.axes.col(2);
  }
  /// Farthest point of wheels and hull from the base's origin [m].
  double reach() const { return reach_; }

 private:
  void build_wheels();
  void add_hubs(std::vector<ContactElement>& bodies) const;
  void build_contacts();
  void build_solids(std::span<const ContactElement> bodies);
  void build_layout();

  RobotSettings settings_;
  std::vector<NamedDrive> named_;
  Tree tree_;
  std::vector<DriveMount> mounts_;
  DriveTrain train_;
  std::vector<PrescribedJoint> prescribed_;
  std::vector<RobotWheel> wheels_;
  ContactGroups contacts_;
  std::vector<RobotSolid> solids_;
  RobotLayout layout_;
  double reach_ = 0;
  bool drives_rotors_ = false;
};

}  // namespace scree
