#include "scree/mechanism/tree.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/tree_checks.hpp"

namespace scree {

void lump_link(const LinkSettings& other, const Pose& X_LO, LinkSettings& link) {
  const double mass = link.mass + other.mass;
  const Vec3 p_other = X_LO * other.p_LC;
  const Vec3 p_LC = mass > 0 ? Vec3((link.mass * link.p_LC + other.mass * p_other) / mass) : link.p_LC;
  // Both inertias about the common centre of mass (Steiner).
  const auto moved = [&p_LC](double m, const Vec3& p) {
    const Mat3 s = skew(p - p_LC);
    return Mat3(m * s * s.transpose());
  };
  link.inertia_C += moved(link.mass, link.p_LC) + X_LO.R * other.inertia_C * X_LO.R.transpose() +
                    moved(other.mass, p_other);
  link.mass = mass;
  link.p_LC = p_LC;
}

void lump_wheel(const WheelMass& wheel, LinkSettings& link) {
  const Vec3 axis = wheel.axis.normalized();
  LinkSettings piece;
  piece.mass = wheel.mass;
  piece.p_LC = wheel.p_LK;
  piece.inertia_C = wheel.transverse_inertia * (Mat3::Identity() - axis * axis.transpose());
  lump_link(piece, Pose{}, link);
}

/// Turns settings into the tree in the order: place links, merge what is fixed, add rotors, couplings.
struct Tree::Builder {
  Tree& tree;
  const TreeSettings& settings;
  std::vector<LinkSettings> merged{};  ///< per moving link: itself and what is fixed to it
  std::vector<Mat3> rotor_inertia{};   ///< per moving link: sum of rotors' spin inertias

  int settings_link(const std::string& name) const {
    for (std::size_t i = 0; i < settings.links.size(); ++i) {
      if (settings.links[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  /// The link with the rotors that its inertia was given with taken out again.
  LinkSettings bare_link(int index) const {
    LinkSettings link = settings.links[index];
    bool changed = false;
    for (const RotorSettings& rotor : settings.rotors) {
      if (rotor.link != link.name || !rotor.in_link_inertia) continue;
      const Vec3 axis = rotor.axis.normalized();
      link.inertia_C -= rotor.spin_inertia * axis * axis.transpose();
      changed = true;
    }
    if (changed) check_link(link, settings.name, " without its rotors' spin inertia");
    return link;
  }

  void add_moving_link(int index) {
    tree.frames_[index] = {static_cast<int>(merged.size()), Pose{}};
    merged.push_back(bare_link(index));
    rotor_inertia.push_back(Mat3::Zero());
  }

  void add_joint(const JointSettings& joint) {
    const LinkFrame& parent = tree.frames_[settings_link(joint.parent)];
    const int child = settings_link(joint.child);
    const Pose X_PJ = parent.X_LF * joint.X_PJ;
    if (joint.type == JointType::fixed) {
      tree.frames_[child] = {parent.link, X_PJ};
      lump_link(bare_link(child), X_PJ, merged[parent.link]);
      return;
    }
    const Vec3 axis = joint.axis.normalized();
    const Mat3 along = axis * axis.transpose(), zero = Mat3::Zero();
    const bool turns = joint.type == JointType::revolute;
    Joint j;
    j.name = joint.name;
    j.type = joint.type;
    j.parent = parent.link;
    j.axis = axis;
    j.p_PJ = X_PJ.p;
    j.axis_P = X_PJ.R * axis;
    // Rodrigues: Rot(axis, q) = a a^T + cos q (1 - a a^T) + sin q [a].
    j.R0 = turns ? Mat3(X_PJ.R * along) : X_PJ.R;
    j.R_cos = turns ? Mat3(X_PJ.R * (Mat3::Identity() - along)) : zero;
    j.R_sin = turns ? Mat3(X_PJ.R * skew(axis)) : zero;
    j.inertia_scale = 0;
    j.settings = joint;
    tree.prescribed_ = tree.prescribed_ || joint.prescribed;
    tree.joints_.push_back(j);
    ++tree.joint_count_;
    add_moving_link(child);
  }

  /// Joints in the order given, each as soon as its parent is placed.
  void place_links(int base) {
    add_moving_link(base);
    std::vector<bool> placed(settings.joints.size(), false);
    for (std::size_t left = settings.joints.size(); left > 0;) {
      for (std::size_t i = 0; i < settings.joints.size(); ++i) {
        const JointSettings& joint = settings.joints[i];
        if (placed[i] || tree.frames_[settings_link(joint.parent)].link < 0) continue;
        add_joint(joint);
        placed[i] = true;
        --left;
      }
    }
  }

  void add_rotors() {
    for (const RotorSettings& rotor : settings.rotors) {
      const LinkFrame& frame = tree.frames_[settings_link(rotor.link)];
      const Vec3 axis = frame.X_LF.R * rotor.axis.normalized();
      Rotor r{rotor.name,         frame.link,   axis,
              rotor.spin_inertia, Vec6::Zero(), Eigen::Matrix<double, 6, 3>::Zero()};
      r.momentum.tail<3>() = r.inertia * axis;
      for (int k = 0; k < 3; ++k) r.turned.block<3, 1>(3, k) = Vec3::Unit(k).cross(r.inertia * axis);
      tree.rotors_.push_back(r);
      ++tree.rotor_count_;
      rotor_inertia[frame.link] += rotor.spin_inertia * axis * axis.transpose();
    }
  }

  void finish_links() {
    for (std::size_t i = 0; i < merged.size(); ++i) {
      const LinkSettings& m = merged[i];
      Link link;
      link.name = m.name;
      link.mass = m.mass;
      link.p_LC = m.p_LC;
      link.m_p_LC = m.mass * m.p_LC;
      const Mat3 c = skew(m.p_LC);
      const Mat3 symmetric = 0.5 * (m.inertia_C + m.inertia_C.transpose());
      link.inertia_L = symmetric + m.mass * c * c.transpose() + rotor_inertia[i];
      link.inertia6.topLeftCorner<3, 3>() = m.mass * Mat3::Identity();
      link.inertia6.topRightCorner<3, 3>() = -m.mass * c;
      link.inertia6.bottomLeftCorner<3, 3>() = m.mass * c;
      link.inertia6.bottomRightCorner<3, 3>() = link.inertia_L;
      for (int k = 0, at = 0; k < 3; ++k) {
        for (int j = k; j < 3; ++j, ++at) {
          const Vec3 ek = Vec3::Unit(k), ej = Vec3::Unit(j);
          link.gyroscopic.col(at).head<3>() =
              ek.cross(ej.cross(link.m_p_LC)) + ej.cross(ek.cross(link.m_p_LC));
          link.gyroscopic.col(at).tail<3>() = ek.cross(link.inertia_L * ej) + ej.cross(link.inertia_L * ek);
        }
      }
      for (int r = 0; r < tree.rotor_count(); ++r) {
        if (tree.rotors_[r].link == static_cast<int>(i)) link.rotors.push_back(r);
      }
      tree.mass_ += m.mass;
      tree.links_.push_back(link);
    }
  }

  int coordinate(const std::string& name, const std::string& coupling) const {
    std::vector<std::string> names;
    for (const Joint& joint : tree.joints_) names.push_back(joint.name);
    for (const Rotor& rotor : tree.rotors_) names.push_back(rotor.name);
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) {
      input_error("{}: coupling '{}': no moving joint or rotor '{}'{}", settings.name, coupling, name,
                  name_hint(name, names));
    }
    return static_cast<int>(it - names.begin());
  }

  void add_couplings() {
    for (const CouplingSettings& c : settings.couplings) {
      const Coupling coupling{c.name, coordinate(c.joint_a, c.name), coordinate(c.joint_b, c.name), c.ratio,
                              c.offset};
      for (const Coupling& other : tree.couplings_) {
        if (other.a == coupling.a) {
          input_error("{}: couplings '{}' and '{}' both place '{}': one of them is enough", settings.name,
                      other.name, c.name, c.joint_a);
        }
      }
      const auto given = [&](int at) {
        return at < tree.joint_count() && tree.joints_[at].settings.prescribed;
      };
      if (given(coupling.a) && given(coupling.b)) {
        input_error("{}: coupling '{}' ties two prescribed joints: prescribe one of them", settings.name,
                    c.name);
      }
      tree.couplings_.push_back(coupling);
      // Following b -> its own b -> ... must come to a free coordinate.
      int at = coupling.b;
      for (bool found = true; found && at != coupling.a;) {
        found = false;
        for (const Coupling& other : tree.couplings_) {
          if (other.a != at) continue;
          at = other.b;
          found = true;
          break;
        }
      }
      if (at == coupling.a) {
        input_error("{}: coupling '{}' ties '{}' to itself", settings.name, c.name, c.joint_a);
      }
    }
  }
};

Tree::Tree(const TreeSettings& settings)
    : name_(settings.name),
      fixed_base_(settings.fixed_base),
      held_base_(settings.held_base && !settings.fixed_base),
      X_WB_(settings.X_WB) {
  check_fields(settings);
  const int base = check_topology(settings);
  for (const LinkSettings& link : settings.links) frame_names_.push_back(link.name);
  frames_.assign(settings.links.size(), {-1, Pose{}});
  Builder builder{*this, settings};
  builder.place_links(base);
  builder.add_rotors();
  builder.finish_links();
  builder.add_couplings();
  check_well_posed(*this);
  // What a joint moves when everything outward of it is stiff: its element of the inertia matrix.
  Workspace workspace(*this);
  update_kinematics(*this, home(), std::vector<double>(velocity_count(), 0.0), workspace);
  MatX H;
  inertia_matrix(*this, workspace, H);
  for (int j = 0; j < joint_count(); ++j) {
    joints_[j].inertia_scale = H(joint_velocity() + j, joint_velocity() + j);
  }
}

LinkFrame Tree::frame(std::string_view link) const {
  const auto it = std::find(frame_names_.begin(), frame_names_.end(), link);
  if (it == frame_names_.end()) {
    input_error("{}: no link '{}'{}", name_, link, name_hint(link, frame_names_));
  }
  return frames_[it - frame_names_.begin()];
}

namespace {
template <class Items>
int index_by_name(const Items& items, std::string_view name, const std::string& owner, const char* kind) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<int>(i);
    names.push_back(items[i].name);
  }
  input_error("{}: no {} '{}'{}", owner, kind, name, name_hint(name, names));
}
}  // namespace

int Tree::joint_index(std::string_view joint) const {
  return index_by_name(joints_, joint, name_, "moving joint");
}

int Tree::rotor_index(std::string_view rotor) const { return index_by_name(rotors_, rotor, name_, "rotor"); }

std::vector<double> Tree::home() const {
  std::vector<double> positions(position_count(), 0.0);
  if (!fixed_base_) positions[3] = 1;
  double* q = positions.data() + joint_position();
  for (int j = 0; j < joint_count(); ++j) {
    const JointSettings& s = joints_[j].settings;
    q[j] = std::clamp(s.spring_stiffness > 0 ? s.spring_rest : 0.0, s.lower, s.upper);
  }
  for (std::size_t pass = 0; pass < couplings_.size(); ++pass) {
    for (const Coupling& c : couplings_) q[c.a] = c.ratio * q[c.b] + c.offset;
  }
  return positions;
}

}  // namespace scree
