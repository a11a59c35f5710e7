#pragma once
/// Scenarios as text for the tests of sim/.
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/simulation.hpp"
#include "support/paths.hpp"

namespace scree::testing {

inline Scenario scenario_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Document document = Document::from_text(text, "test.toml", source_tree("/scenarios"));
  for (const auto& o : overrides) document.set(o);
  return load_scenario(std::move(document), source_tree("/scenarios/test.toml"));
}

/// Steps to `time` (or the end).
inline void run_to(Simulation& simulation, double time) {
  while (!simulation.finished() && simulation.time() < time - 1e-9) simulation.advance();
}

/// Values of all signals now, and one of them by name.
class Look {
 public:
  explicit Look(Simulation& s) : catalog_(signal_catalog(s.world())), values_(catalog_.size()) {
    observe(s.world(), s.state(), s.workspace(), values_);
  }
  double operator()(const std::string& name) const { return values_[catalog_.find(name)]; }

 private:
  SignalCatalog catalog_;
  std::vector<double> values_;
};

/// Largest |velocity| of base and wheels [m/s, rad/s].
inline double fastest(const Simulation& s, int robot = 0) {
  const WorldRobot& r = s.world().robots()[robot];
  const double* v = s.state().block(r) + r.model->layout().velocities;
  double most = 0;
  for (int i = 0; i < r.model->tree().velocity_count(); ++i) most = std::max(most, std::abs(v[i]));
  return most;
}

inline Vec3 position(const Simulation& s, int robot = 0) {
  const WorldRobot& r = s.world().robots()[robot];
  return Eigen::Map<const Vec3>(s.state().block(r) + r.model->layout().positions);
}

/// Kinetic energy of a robot and that of its height [J]; springs of wheels and contacts are not in it.
inline double mechanical_energy(const Simulation& s, int robot = 0) {
  const WorldRobot& r = s.world().robots()[robot];
  const Tree& tree = r.model->tree();
  Workspace w(tree);
  const RobotBlock block(*r.model, const_cast<double*>(s.state().block(r)));
  update_kinematics(tree, block.positions, block.velocities, w);
  return kinetic_energy(tree, w) + potential_energy(tree, s.world().gravity(), w);
}

inline const char* kParked = R"(
format = 1
duration = 70.0
[terrain]
kind = "flat"
slope_deg = 20.0
[[robot]]
model = "vivi"
[[robot.profile]]
quantity = "brake"
value = 60.0
)";

/// Gentle sines, no lift-off, slip of one sign, tyres on the rising branch: everything smooth.
inline const char* kSmooth = R"(
format = 1
duration = 0.4
[terrain]
kind = "sines"
amplitude = 0.02
wavelength_x = 3.0
wavelength_y = 4.0
[[robot]]
model = "skid4"
set = ["drive.kind=\"torque\""]
start = { position = [0.3, 0.4], clearance = -0.012, speed = 1.5 }
[[robot.profile]]
quantity = "torque"
value = 3.0
)";

inline const char* kSines = R"(
format = 1
duration = 10.0
[terrain]
kind = "sines"
amplitude = 0.15
wavelength_x = 4.0
wavelength_y = 6.0
[[robot]]
model = "skid4"
start = { position = [-20.0, 0.7], clearance = 0.05 }
)";

}  // namespace scree::testing
