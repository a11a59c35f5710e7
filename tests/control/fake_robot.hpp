#pragma once
/// A VIVI-like robot for controllers, standing on level ground, without a simulation.
#include <vector>

#include "scree/control/controller.hpp"

namespace scree::testing {

struct FakeRobot {
  RobotInfo info;
  std::vector<WheelReading> wheels;
  Readings readings;
  std::vector<DriveCommand> commands;

  explicit FakeRobot(double height = 0.22) {
    info.name = "fake";
    info.mass = 45;
    info.gravity = 9.81;
    info.inertia_B = Vec3(1.0, 2.1, 2.6).asDiagonal();
    const char* names[] = {"front_left", "front_right", "rear_left", "rear_right"};
    for (int i = 0; i < 4; ++i) {
      const Vec3 p(i < 2 ? 0.3 : -0.3, i % 2 == 0 ? 0.25 : -0.25, 0.12 - height);
      info.wheels.push_back({names[i], p, 0.12, i});
      info.drives.push_back({names[i], "dc", 60, 0});
      WheelReading w;
      w.normal = 45 * 9.81 / 4, w.in_contact = true, w.friction = 1.14;
      w.p_BC = p - Vec3(0, 0, 0.12);
      wheels.push_back(w);
    }
    readings.wheels = wheels;
    commands.resize(4);
  }
  /// Makes a controller from the text of its table.
  MadeController make(const std::string& text) {
    const Document d = Document::from_text(text, "control.toml");
    Section s = d.root();
    return make_controller(s, info);
  }
  /// Sum of the rim forces of an axle (0 rear, 1 front) [N].
  double axle_force(int axle) const {
    return axle == 1 ? (commands[0].value + commands[1].value) / 0.12
                     : (commands[2].value + commands[3].value) / 0.12;
  }
};

}  // namespace scree::testing
