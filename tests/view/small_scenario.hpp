#pragma once
/// A scenario of one second that needs no file of the repository: an orange robot that drops and rolls.
#include <fstream>

#include "view/support.hpp"

namespace scree::view {

inline std::filesystem::path small_scenario(const Folder& folder, double duration = 1.0) {
  std::ofstream(folder / "robot.toml") << R"(format = 1
name = "wagon"
[chassis]
mass = 40.0
inertia = [1.0, 2.0, 2.5]
l1 = 0.35
l2 = 0.35
w1 = 0.18
w2 = 0.18
h_base = 0.09
h_top = 0.09
[wheel]
radius = 0.12
width = 0.08
spin_inertia = 0.02
suspension = { stiffness = 8000.0, damping = 350.0, travel = 0.05 }
tyre = { kind = "constant" }
[[wheels]]
name = "front_left"
position = [0.30, 0.25, -0.11]
[[wheels]]
name = "front_right"
position = [0.30, -0.25, -0.11]
[[wheels]]
name = "rear_left"
position = [-0.30, 0.25, -0.11]
[[wheels]]
name = "rear_right"
position = [-0.30, -0.25, -0.11]
[drive]
kind = "torque"
limit = 20.0
brake = { torque = 60.0 }
)";
  const auto file = folder / "small.toml";
  std::ofstream(file) << "format = 1\nduration = " << duration
                      << "\n[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = \""
                      << (folder / "robot.toml").string() << R"("
start = { position = [1.0, 2.0], clearance = 0.02, speed = 0.8, yaw_deg = 30 }
[robot.control]
kind = "speed"
speed = 0.8
[view]
palette = "moon"
plots = ["speed"]
)";
  return file;
}

}  // namespace scree::view
