#pragma once
/// A mechanism that steps by itself, for tests: the three integrators in their plainest form.
#include <functional>

#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/integrate.hpp"

namespace scree::test {

struct Stepper {
  Tree tree;
  Workspace ws;
  std::vector<double> x, v, a;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double theta = 0.5;
  /// Adds further loads; dt is 0 for explicit integrators.
  std::function<void(Stepper&, double dt)> load = [](Stepper&, double) {};

  explicit Stepper(const TreeSettings& settings)
      : tree(settings), ws(tree), x(tree.home()), v(tree.velocity_count(), 0.0), a(v) {
    refresh();
  }

  double& q(int joint) { return x[tree.joint_position() + joint]; }
  double& rate(int joint) { return v[tree.joint_velocity() + joint]; }
  double& spin(int rotor) { return v[tree.rotor_velocity() + rotor]; }
  double& acceleration(int joint) { return a[tree.joint_velocity() + joint]; }
  void refresh() { update_kinematics(tree, x, v, ws); }

  /// Accelerations at the present state.
  void accelerate(double dt = 0) {
    refresh();
    clear_loads(ws);
    add_joint_forces(tree, dt, theta, ws);
    load(*this, dt);
    solve(tree, {.gravity = gravity, .dt = dt}, ws, a);
  }

  void dkd(double dt) {
    drift(tree, x, v, dt / 2);
    accelerate(dt);
    kick(tree, ws, a, dt, v);
    drift(tree, x, v, dt / 2);
  }

  void euler(double dt) {
    std::vector<double> dx(x.size()), dv(v.size());
    rates(dx, dv);
    axpy(dt, dx, x);
    axpy(dt, dv, v);
    normalise_base(tree, x);
  }

  void rk4(double dt) {
    const std::vector<double> x0 = x, v0 = v;
    std::vector<double> x1 = x, v1 = v, dx(x.size()), dv(v.size());
    const double weight[4] = {dt / 6, dt / 3, dt / 3, dt / 6}, ahead[4] = {dt / 2, dt / 2, dt, 0};
    for (int stage = 0; stage < 4; ++stage) {
      rates(dx, dv);
      axpy(weight[stage], dx, x1);
      axpy(weight[stage], dv, v1);
      x = x0, v = v0;
      axpy(ahead[stage], dx, x);
      axpy(ahead[stage], dv, v);
    }
    x = x1, v = v1;
    normalise_base(tree, x);
  }

  double energy() {
    refresh();
    return kinetic_energy(tree, ws) + potential_energy(tree, gravity, ws);
  }

 private:
  void rates(std::vector<double>& dx, std::vector<double>& dv) {
    accelerate();
    position_rates(tree, x, v, dx);
    velocity_rates(tree, ws, a, dv);
  }
};

inline JointSettings joint(const std::string& name, JointType type, const std::string& parent,
                           const std::string& child, const Vec3& place, const Vec3& axis) {
  JointSettings j;
  j.name = name;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.X_PJ.p = place;
  j.axis = axis;
  return j;
}

/// Complete elliptic integral of the first kind, parameter m = k², by the arithmetic-geometric mean.
inline double elliptic_k(double m) {
  double a = 1, b = std::sqrt(1 - m);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return kPi / (2 * a);
}

}  // namespace scree::test
