#include "scree/mechanism/balance.hpp"

#include <algorithm>

namespace scree {

double kinetic_energy(const Tree& tree, const Workspace& ws) {
  double energy = 0;
  for (int i = 0; i < tree.link_count(); ++i) {
    const Link& link = tree.links()[i];
    const Vec6& V = ws.link[i].V_WL_L;
    energy += 0.5 * V.dot(link.inertia6 * V);
    for (const int r : link.rotors) {
      // The link's inertia holds the rotor turning with it, 1/2 I (w.s)²; the whole is 1/2 I (w.s + spin)².
      const Rotor& rotor = tree.rotors()[r];
      energy += rotor.inertia * ws.spin[r] * (rotor.axis.dot(V.tail<3>()) + 0.5 * ws.spin[r]);
    }
  }
  for (int j = 0; j < tree.joint_count(); ++j) {
    energy += 0.5 * tree.joints()[j].settings.armature * ws.rate[j] * ws.rate[j];
  }
  return energy;
}

double potential_energy(const Tree& tree, const Vec3& gravity, const Workspace& ws) {
  double energy = -tree.mass() * gravity.dot(centre_of_mass(tree, ws));
  for (int j = 0; j < tree.joint_count(); ++j) {
    const JointSettings& s = tree.joints()[j].settings;
    const double stretch = ws.q[j] - s.spring_rest;
    const double beyond = std::max({0.0, s.lower - ws.q[j], ws.q[j] - s.upper});
    energy += 0.5 * s.spring_stiffness * stretch * stretch + 0.5 * s.limit_stiffness * beyond * beyond;
  }
  return energy;
}

Momentum momentum(const Tree& tree, const Workspace& ws, const Vec3& p_WP) {
  Momentum total{Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < tree.link_count(); ++i) {
    const Link& link = tree.links()[i];
    const Pose& X = ws.link[i].X_WL;
    Vec6 h = link.inertia6 * ws.link[i].V_WL_L;
    for (const int r : link.rotors) {
      h.tail<3>() += tree.rotors()[r].inertia * ws.spin[r] * tree.rotors()[r].axis;
    }
    const Vec3 linear = X.R * h.head<3>();
    total.linear += linear;
    total.angular += X.R * h.tail<3>() + (X.p - p_WP).cross(linear);
  }
  return total;
}

Vec3 centre_of_mass(const Tree& tree, const Workspace& ws) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < tree.link_count(); ++i) {
    sum += ws.link[i].X_WL.R * tree.links()[i].m_p_LC + tree.links()[i].mass * ws.link[i].X_WL.p;
  }
  return tree.mass() > 0 ? Vec3(sum / tree.mass()) : ws.link[0].X_WL.p;
}

Mat3 inertia_about_centre(const Tree& tree, const Workspace& ws) {
  const Vec3 centre = centre_of_mass(tree, ws);
  Mat3 sum = Mat3::Zero();
  for (int i = 0; i < tree.link_count(); ++i) {
    const Link& link = tree.links()[i];
    const Pose& X = ws.link[i].X_WL;
    const Mat3 own = skew(link.p_LC), arm = skew(X * link.p_LC - centre);
    const Mat3 about_own = link.inertia_L - link.mass * own * own.transpose();
    sum += X.R * about_own * X.R.transpose() + link.mass * arm * arm.transpose();
  }
  return sum;
}

Vec3 centre_of_mass_velocity(const Tree& tree, const Workspace& ws) {
  return tree.mass() > 0 ? Vec3(momentum(tree, ws).linear / tree.mass()) : Vec3::Zero();
}

}  // namespace scree
