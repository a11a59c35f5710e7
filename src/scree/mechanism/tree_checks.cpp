#include "scree/mechanism/tree_checks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "scree/core/dense.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/mechanism/dynamics.hpp"

namespace scree {
namespace {

void check_name(const std::string& owner, const char* kind, const std::string& name,
                std::set<std::string>& taken) {
  if (name.empty()) input_error("{}: a {} has no name", owner, kind);
  if (!taken.insert(name).second)
    input_error("{}: {} '{}' is there twice: names must differ", owner, kind, name);
}

void check_at_least_zero(const std::string& object, const char* quantity, double value) {
  if (!(value >= 0) || !std::isfinite(value)) {
    input_error("{}: {} {} must be a finite number, at least 0", object, quantity, value);
  }
}

void check_finite(const std::string& object, const char* quantity, double value) {
  if (!std::isfinite(value)) input_error("{}: {} {} is not a finite number", object, quantity, value);
}

void check_axis(const std::string& object, const Vec3& axis) {
  if (!(axis.norm() > 1e-12) || !axis.allFinite()) {
    input_error("{}: axis ({}, {}, {}) has no direction", object, axis.x(), axis.y(), axis.z());
  }
}

void check_pose(const std::string& object, const Pose& pose) {
  if (!pose.p.allFinite()) input_error("{}: its place is not a finite number", object);
  if (!((pose.R.transpose() * pose.R - Mat3::Identity()).norm() < 1e-9) || !(pose.R.determinant() > 0)) {
    input_error("{}: its orientation is not a rotation matrix", object);
  }
}

void check_joint(const JointSettings& joint, const std::string& owner) {
  const std::string object = fmt::format("{}: joint '{}'", owner, joint.name);
  check_pose(object, joint.X_PJ);
  if (joint.type == JointType::fixed) return;
  check_axis(object, joint.axis);
  check_at_least_zero(object, "spring stiffness", joint.spring_stiffness);
  check_at_least_zero(object, "damping", joint.damping);
  check_at_least_zero(object, "armature", joint.armature);
  check_finite(object, "spring rest position", joint.spring_rest);
  if (!(joint.lower < joint.upper)) {
    input_error("{}: lower limit {} must be below the upper limit {}", object, joint.lower, joint.upper);
  }
  if (std::isfinite(joint.lower) || std::isfinite(joint.upper)) {
    check_at_least_zero(object, "limit damping", joint.limit_damping);
    if (!(joint.limit_stiffness > 0) || !std::isfinite(joint.limit_stiffness)) {
      input_error("{}: limit stiffness {} must be finite and above 0, or the limits do not hold", object,
                  joint.limit_stiffness);
    }
  }
}

/// The coordinate (base direction, joint or rotor) that moves most in a motion.
std::string most_moved(const Tree& tree, const VecX& motion) {
  Eigen::Index at = 0;
  motion.cwiseAbs().maxCoeff(&at);
  const int index = static_cast<int>(at);
  if (index < tree.joint_velocity()) return fmt::format("base '{}'", tree.links()[0].name);
  if (index < tree.rotor_velocity()) {
    return fmt::format("joint '{}'", tree.joints()[index - tree.joint_velocity()].name);
  }
  return fmt::format("rotor '{}'", tree.rotors()[index - tree.rotor_velocity()].name);
}

}  // namespace

void check_link(const LinkSettings& link, const std::string& owner, const std::string& what) {
  const std::string object = fmt::format("{}: link '{}'{}", owner, link.name, what);
  if (!(link.mass >= 0) || !std::isfinite(link.mass)) {
    input_error("{}: mass {} kg must be a finite number, at least 0", object, link.mass);
  }
  if (!link.p_LC.allFinite()) input_error("{}: centre of mass is not a finite number", object);
  const Mat3& I = link.inertia_C;
  if (!I.allFinite()) input_error("{}: inertia holds a number that is not finite", object);
  const double size = I.cwiseAbs().maxCoeff();
  if (!((I - I.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size)) {
    input_error("{}: inertia is not symmetric", object);
  }
  // Moments of a body of mass density >= 0: none negative, none larger than the other two together.
  const Vec3 moment = symmetric_eigen(I).values;
  if (!(moment[0] >= -1e-9 * size)) {
    input_error("{}: principal moment of inertia {:.6g} kg m² is negative", object, moment[0]);
  }
  if (!(moment[2] <= (moment[0] + moment[1]) + 1e-9 * size)) {
    input_error(
        "{}: no body has the principal moments of inertia {:.6g}, {:.6g}, {:.6g} kg m²: the largest may not "
        "exceed the sum of the others",
        object, moment[0], moment[1], moment[2]);
  }
}

void check_fields(const TreeSettings& settings) {
  const std::string& owner = settings.name;
  if (settings.links.empty()) input_error("{}: a mechanism needs at least one link", owner);
  std::set<std::string> links, coordinates, couplings;
  for (const LinkSettings& link : settings.links) {
    check_name(owner, "link", link.name, links);
    check_link(link, owner);
  }
  for (const JointSettings& joint : settings.joints) {
    check_name(owner, "joint", joint.name, coordinates);
    check_joint(joint, owner);
  }
  for (const RotorSettings& rotor : settings.rotors) {
    check_name(owner, "rotor", rotor.name, coordinates);
    const std::string object = fmt::format("{}: rotor '{}'", owner, rotor.name);
    check_axis(object, rotor.axis);
    if (!(rotor.spin_inertia > 0) || !std::isfinite(rotor.spin_inertia)) {
      input_error("{}: spin inertia {} kg m² must be finite and above 0", object, rotor.spin_inertia);
    }
  }
  for (const CouplingSettings& coupling : settings.couplings) {
    check_name(owner, "coupling", coupling.name, couplings);
    const std::string object = fmt::format("{}: coupling '{}'", owner, coupling.name);
    check_finite(object, "ratio", coupling.ratio);
    check_finite(object, "offset", coupling.offset);
  }
  if (settings.fixed_base) check_pose(owner + ": fixed base", settings.X_WB);
}

int check_topology(const TreeSettings& settings) {
  const std::string& owner = settings.name;
  std::vector<std::string> names;
  for (const LinkSettings& link : settings.links) names.push_back(link.name);
  const auto index_of = [&](const std::string& link, const std::string& object) {
    const auto it = std::find(names.begin(), names.end(), link);
    if (it == names.end()) input_error("{}: {}: no link '{}'{}", owner, object, link, name_hint(link, names));
    return static_cast<int>(it - names.begin());
  };
  std::vector<int> parent(names.size(), -1);
  std::vector<std::string> mover(names.size());
  for (const JointSettings& joint : settings.joints) {
    const std::string object = fmt::format("joint '{}'", joint.name);
    const int from = index_of(joint.parent, object), to = index_of(joint.child, object);
    if (!mover[to].empty()) {
      input_error(
          "{}: link '{}' hangs on two joints, '{}' and '{}': a link has one parent; close a loop by a "
          "coupling",
          owner, joint.child, mover[to], joint.name);
    }
    parent[to] = from;
    mover[to] = joint.name;
  }
  for (const RotorSettings& rotor : settings.rotors) {
    index_of(rotor.link, fmt::format("rotor '{}'", rotor.name));
  }
  int base = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (parent[i] >= 0) {
      int at = static_cast<int>(i);
      for (std::size_t steps = 0; at >= 0; at = parent[at]) {
        if (++steps > names.size())
          input_error("{}: link '{}' hangs on a closed chain of joints", owner, names[i]);
      }
    } else if (base < 0) {
      base = static_cast<int>(i);
    } else {
      input_error("{}: links '{}' and '{}' both have no parent: one base, joints to all others", owner,
                  names[base], names[i]);
    }
  }
  return base;
}

/// At poses without symmetry, no motion may be without inertia: the inertia matrix, scaled to a unit
/// diagonal, has no eigenvalue that is zero to within rounding (1e-11: five digits above it, far below any
/// real robot's).
void check_well_posed(const Tree& tree) {
  if (tree.velocity_count() == 0) return;
  Workspace workspace(tree);
  std::vector<double> positions = tree.home();
  const std::vector<double> velocities(tree.velocity_count(), 0.0);
  for (int j = 0; j < tree.joint_count(); ++j) positions[tree.joint_position() + j] += 0.37 + 0.61 * j;
  update_kinematics(tree, positions, velocities, workspace);
  MatX H;
  inertia_matrix(tree, workspace, H);
  const VecX diagonal = H.diagonal();
  const double largest = diagonal.maxCoeff();
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    if (!(diagonal[i] > 1e-15 * largest)) {
      input_error(
          "{}: {} moves nothing that has mass or inertia: give its link some, or the joint an armature",
          tree.name(), most_moved(tree, VecX::Unit(diagonal.size(), i)));
    }
  }
  const VecX scale = diagonal.cwiseSqrt().cwiseInverse();
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * H * scale.asDiagonal());
  if (!(eigen.values[0] > 1e-11)) {
    input_error(
        "{}: {} can move together with others without moving any mass or inertia: give the links "
        "between them some",
        tree.name(), most_moved(tree, eigen.vectors.col(0)));
  }
}

}  // namespace scree
