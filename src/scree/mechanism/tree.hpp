#pragma once
/// The mechanism: a base and a tree of links joined by fixed, revolute and prismatic joints, with rotors.
///
/// Settings are what a model file says; `Tree` is what the dynamics run on: validated once, constant, shared
/// by threads. Fixed joints disappear (their links become part of the link that carries them), the moving
/// links are numbered parents first, link 0 is the base, and joint j moves link j + 1.
///
/// Positions:  base p_WB (3), quaternion of R_WB (w, x, y, z), joint positions, rotor angles.
/// Velocities: base v_WB in world axes (3), w_WB_B in base axes (3), joint rates, rotor spin rates.
/// A fixed base has neither the first seven positions nor the first six velocities.
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/types.hpp"

namespace scree {

enum class JointType { fixed, revolute, prismatic };

/// A rigid piece. A link that carries rotors is given without them, see RotorSettings.
struct LinkSettings {
  std::string name;
  double mass = 0;                ///< [kg]; 0 is allowed where the motion stays well posed
  Vec3 p_LC = Vec3::Zero();       ///< centre of mass in link axes [m]
  Mat3 inertia_C = Mat3::Zero();  ///< about the centre of mass, link axes [kg m²]
};

/// A joint; the child's frame coincides with the joint frame J when the position is zero.
/// Position: angle about the axis [rad] (revolute) or displacement along it [m] (prismatic); units below
/// follow: force is N m or N.
struct JointSettings {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent, child;                                ///< names of links
  Pose X_PJ;                                                ///< joint frame in the parent
  Vec3 axis = Vec3::UnitZ();                                ///< in the joint frame; any length but zero
  double spring_stiffness = 0;                              ///< pulls towards spring_rest [force/position]
  double spring_rest = 0;                                   ///< position at which the spring is relaxed
  double damping = 0;                                       ///< [force/rate]
  double lower = -std::numeric_limits<double>::infinity();  ///< limits, held by a one-sided spring and damper
  double upper = std::numeric_limits<double>::infinity();
  double limit_stiffness = 1e4;  ///< beyond a limit [force/position]
  double limit_damping = 20;     ///< beyond a limit; the stop never pulls [force/rate]
  double armature = 0;           ///< inertia that the joint alone sees: motor behind a gear [kg m² or kg]
  bool prescribed = false;       ///< its acceleration is given, not found; the solve finds its force
};

/// An axisymmetric wheel, massless in translation, whose only coordinate is its spin about an axis fixed in
/// the link. Mass and transverse inertia of a real wheel belong to the link (lump_wheel).
struct RotorSettings {
  std::string name;
  std::string link;              ///< the link that carries it
  Vec3 axis = Vec3::UnitY();     ///< spin axis in link axes; positive spin rolls forward about +y
  double spin_inertia = 0;       ///< about the axis [kg m²], > 0
  bool in_link_inertia = false;  ///< the link's inertia was given with this rotor in it (a whole robot's)
};

/// q_a = ratio q_b + offset, between two joints (or rotors).
struct CouplingSettings {
  std::string name;
  std::string joint_a, joint_b;
  double ratio = 1;
  double offset = 0;  ///< [rad or m]
};

struct TreeSettings {
  std::string name = "robot";  ///< for messages
  bool fixed_base = false;     ///< the base link does not move
  Pose X_WB;                   ///< where a fixed base stands
  /// The base does not accelerate but has its coordinates: where it stands is in the state, not in the tree.
  bool held_base = false;
  std::vector<LinkSettings> links;
  std::vector<JointSettings> joints;
  std::vector<RotorSettings> rotors;
  std::vector<CouplingSettings> couplings;
};

/// Adds a wheel's mass and its inertia across the axis to the link that carries it; the spin inertia stays
/// with the rotor. `p_LK` is the wheel's centre in link axes.
struct WheelMass {
  double mass = 0;                ///< [kg]
  double transverse_inertia = 0;  ///< about a diameter through the wheel's centre [kg m²]
  Vec3 p_LK = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
};
void lump_wheel(const WheelMass& wheel, LinkSettings& link);

/// Adds the rigid piece `other`, placed at X_LO in the link's frame.
void lump_link(const LinkSettings& other, const Pose& X_LO, LinkSettings& link);

/// A moving link with all that is fixed to it.
struct Link {
  std::string name;  ///< of the settings' link that moves
  double mass;       ///< [kg]
  Vec3 p_LC;         ///< centre of mass
  Vec3 m_p_LC;       ///< mass times p_LC
  Mat3 inertia_L;    ///< about the link's origin, rotors with it (turning with the link)
  Mat6 inertia6;     ///< [m 1, -m [c]; m [c], inertia_L], on (linear; angular)
  /// Second derivatives of the gyroscopic wrench (w x (w x m c); w x I w) by w, columns xx, xy, xz, yy, yz,
  /// zz.
  Mat6 gyroscopic;
  std::vector<int> rotors;  ///< those that it carries
};

struct Joint {
  std::string name;
  JointType type;         ///< revolute or prismatic
  int parent;             ///< link; the joint moves link (own index + 1)
  Vec3 axis;              ///< unit, in child axes (and joint axes: it does not turn)
  Vec3 p_PJ;              ///< joint origin in the parent
  Vec3 axis_P;            ///< unit axis in parent axes
  Mat3 R0, R_cos, R_sin;  ///< R_PL(q) = R0 + cos q R_cos + sin q R_sin (prismatic: R0)
  double inertia_scale;   ///< size of the inertia that it moves: what is zero beside it
  JointSettings settings;
};

struct Rotor {
  std::string name;
  int link;
  Vec3 axis;                           ///< unit, link axes
  double inertia;                      ///< [kg m²]
  Vec6 momentum;                       ///< (0; inertia axis): per unit of spin
  Eigen::Matrix<double, 6, 3> turned;  ///< (0; e_k x inertia axis): moment per unit of spin and of turning
};

struct Coupling {
  std::string name;
  int a, b;  ///< indices among the joint and rotor coordinates (joints first)
  double ratio, offset;
};

/// A named link's frame in the moving link that it is part of.
struct LinkFrame {
  int link;
  Pose X_LF;
};

class Tree {
 public:
  /// Throws InputError on anything that cannot move as a mechanism.
  explicit Tree(const TreeSettings& settings);

  const std::string& name() const { return name_; }
  bool fixed_base() const { return fixed_base_; }
  const Pose& fixed_pose() const { return X_WB_; }
  bool held_base() const { return held_base_; }
  /// Whether any joint's acceleration is given.
  bool prescribed() const { return prescribed_; }

  std::span<const Link> links() const { return links_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Rotor> rotors() const { return rotors_; }
  std::span<const Coupling> couplings() const { return couplings_; }
  int link_count() const { return static_cast<int>(links_.size()); }
  int joint_count() const { return joint_count_; }
  int rotor_count() const { return rotor_count_; }

  /// Sizes of the position and velocity vectors and where their parts begin.
  int position_count() const { return joint_position() + joint_count() + rotor_count(); }
  int velocity_count() const { return joint_velocity() + joint_count() + rotor_count(); }
  int joint_position() const { return fixed_base_ ? 0 : 7; }
  int joint_velocity() const { return fixed_base_ ? 0 : 6; }
  int rotor_position() const { return joint_position() + joint_count(); }
  int rotor_velocity() const { return joint_velocity() + joint_count(); }

  /// Lookups by name; unknown names throw InputError with the nearest known one.
  LinkFrame frame(std::string_view link) const;
  int joint_index(std::string_view joint) const;
  int rotor_index(std::string_view rotor) const;

  /// Whole mass [kg].
  double mass() const { return mass_; }

  /// Positions with the base at the origin (identity quaternion), joints at their springs' rest or at 0,
  /// moved into their limits, couplings met.
  std::vector<double> home() const;

 private:
  struct Builder;
  std::string name_;
  bool fixed_base_ = false, held_base_ = false, prescribed_ = false;
  Pose X_WB_;
  double mass_ = 0;
  int joint_count_ = 0, rotor_count_ = 0;  // a vector would have to divide to tell them
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  std::vector<Rotor> rotors_;
  std::vector<Coupling> couplings_;
  std::vector<std::string> frame_names_;
  std::vector<LinkFrame> frames_;
};

}  // namespace scree
