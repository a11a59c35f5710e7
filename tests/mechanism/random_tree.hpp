#pragma once
/// Trees, states and loads drawn at random, for comparing one method with another.
#include <string>

#include "scree/core/random.hpp"
#include "scree/mechanism/dynamics.hpp"

namespace scree::test {

inline const Vec3 kSkewGravity(0.4, -0.3, -9.81);

inline Vec3 random_vector(RandomStream& random) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  return {x, y, z};
}

inline Mat3 random_rotation(RandomStream& random) {
  const Vec3 v = random_vector(random);
  return Quat(random.normal(), v.x(), v.y(), v.z()).normalized().toRotationMatrix();
}

/// The inertia of a cloud of five points: physical by construction.
inline Mat3 random_inertia(RandomStream& random, double mass) {
  Mat3 I = Mat3::Zero();
  for (int i = 0; i < 5; ++i) {
    const Mat3 s = skew(0.3 * random_vector(random));
    I += mass / 5 * s * s.transpose();
  }
  return 0.5 * (I + I.transpose());
}

/// `count` links under a base, joint types mixed (fixed ones too), a rotor on every second link.
inline TreeSettings random_tree(RandomStream& random, int count, bool fixed_base) {
  TreeSettings s;
  s.name = "random";
  s.fixed_base = fixed_base;
  if (fixed_base) s.X_WB = {random_rotation(random), random_vector(random)};
  for (int i = 0; i <= count; ++i) {
    const double mass = random.uniform(0.5, 5);
    s.links.push_back(
        {"link" + std::to_string(i), mass, 0.3 * random_vector(random), random_inertia(random, mass)});
    if (i % 2 == 0) {
      s.rotors.push_back({"rotor" + std::to_string(i), s.links.back().name, random_vector(random),
                          random.uniform(0.01, 0.1), false});
    }
    if (i == 0) continue;
    JointSettings joint;
    joint.name = "joint" + std::to_string(i);
    const auto kind = random.below(5);
    joint.type = kind == 0 ? JointType::fixed : kind < 3 ? JointType::revolute : JointType::prismatic;
    joint.parent = "link" + std::to_string(random.below(i));
    joint.child = s.links.back().name;
    joint.X_PJ = {random_rotation(random), 0.5 * random_vector(random)};
    joint.axis = random_vector(random);
    if (random.below(2) == 0) joint.armature = random.uniform(0, 0.2);
    s.joints.push_back(joint);
  }
  return s;
}

inline std::span<double> flat(VecX& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

struct RandomState {
  std::vector<double> x, v;
};

inline RandomState random_state(RandomStream& random, const Tree& tree) {
  RandomState state{tree.home(), std::vector<double>(tree.velocity_count())};
  for (double& x : state.x) x += 0.7 * random.normal();
  for (double& v : state.v) v = random.normal();
  return state;
}

/// Loads of every kind; `apparent` scales the implicit ones, which are not symmetric.
inline void random_loads(RandomStream& random, double apparent, Workspace& ws) {
  clear_loads(ws);
  for (LinkLoad& load : ws.link_load) {
    for (int i = 0; i < 6; ++i) load.wrench[i] = random.normal();
    for (int i = 0; i < 36; ++i) load.apparent.data()[i] = apparent * 0.05 * random.normal();
    for (int i = 0; i < 6; ++i) load.apparent(i, i) += apparent * random.uniform();
  }
  for (JointLoad& load : ws.joint_load) load = {random.normal(), apparent * random.uniform()};
  for (RotorLoad& load : ws.rotor_load) {
    load.torque = random.normal();
    load.apparent = apparent * random.uniform(0, 0.1);
    for (int i = 0; i < 6; ++i) {
      load.column[i] = apparent * 0.02 * random.normal();
      load.row[i] = apparent * 0.02 * random.normal();
    }
  }
}

}  // namespace scree::test
