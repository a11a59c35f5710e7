#pragma once
/// Robots from and to URDF. A robot file with `urdf = "rover.urdf"` takes links, joints, inertias, couplings
/// (mimic) and visuals from there, and says itself what URDF cannot: which links are wheels, tyres, soil
/// contact, drives, sensors, springs.
///
/// Conventions. Joints are called like the link that they carry. The root link becomes the chassis, whose
/// frame is moved to its centre of mass; a root without inertia that only carries one link by a fixed joint
/// is passed over. A wheel's link, on a continuous (or revolute) joint, becomes a rotor: its mass and its
/// inertia across the axle stay with the link that carries it, its inertia about the axle is the spin's. It
/// must be axisymmetric. Joint friction, effort and speed limits, transmissions and sensors of the URDF are
/// not taken over.
#include <filesystem>
#include <string>

#include "scree/robot/settings.hpp"

namespace scree {

/// Fills chassis, links, couplings, wheels' places, hull bodies and visuals of settings that were read from
/// the companion file `where`. Throws InputError with the URDF's name, the link or joint, and what is wrong.
void import_urdf(const std::filesystem::path& file, RobotSettings& settings);

struct UrdfText {
  std::string urdf;       ///< the robot
  std::string companion;  ///< the robot file that goes with it
};
/// A robot file as URDF with its companion; `text` is the robot file as read, `name` that of the URDF without
/// ending. Reading the two back gives the same dynamics. Throws InputError where a link is too light for its
/// wheels.
UrdfText export_urdf(const RobotSettings& settings, const std::string& text, const std::string& name);

}  // namespace scree
