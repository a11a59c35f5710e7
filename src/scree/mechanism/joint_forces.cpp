#include "scree/mechanism/dynamics.hpp"

namespace scree {
namespace {

struct StopForce {
  double force = 0, stiffness = 0, damping = 0;
};

/// A limit stop: a spring and damper beyond the limit that never pulls. `depth` > 0 beyond, force >= 0 back.
StopForce stop_force(const JointSettings& s, double depth, double depth_rate) {
  if (!(depth > 0)) return {};
  const double force = s.limit_stiffness * depth + s.limit_damping * depth_rate;
  if (!(force > 0)) return {};
  return {force, s.limit_stiffness, s.limit_damping};
}

}  // namespace

void add_joint_forces(const Tree& tree, double dt, double theta, Workspace& ws) {
  const auto joints = tree.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointSettings& s = joints[j].settings;
    const double q = ws.q[j], rate = ws.rate[j];
    const StopForce low = stop_force(s, s.lower - q, -rate), high = stop_force(s, q - s.upper, rate);
    const double stiffness = s.spring_stiffness + low.stiffness + high.stiffness;
    const double damping = s.damping + low.damping + high.damping;
    JointLoad& load = ws.joint_load[j];
    load.force += -s.spring_stiffness * (q - s.spring_rest) - s.damping * rate + low.force - high.force;
    load.apparent += theta * dt * damping + 0.25 * dt * dt * stiffness;
  }
}

}  // namespace scree
