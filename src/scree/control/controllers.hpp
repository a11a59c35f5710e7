#pragma once
/// The makers of the built-in controllers, one file each. Used by controllers.cpp only.
#include <memory>

#include "scree/control/controller.hpp"

namespace scree {

std::unique_ptr<Controller> make_torque_controller(Section& s, const RobotInfo& robot);
std::unique_ptr<Controller> make_voltage_controller(Section& s, const RobotInfo& robot);
std::unique_ptr<Controller> make_speed_controller(Section& s, const RobotInfo& robot);
std::unique_ptr<Controller> make_pid_controller(Section& s, const RobotInfo& robot);
std::unique_ptr<Controller> make_cdta_controller(Section& s, const RobotInfo& robot);
std::unique_ptr<Controller> make_stability_controller(Section& s, const RobotInfo& robot);

}  // namespace scree
