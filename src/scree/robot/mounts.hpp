#pragma once
/// Where the drives of a robot sit: each on one coordinate, a wheel's spin or a joint.
#include <span>
#include <string>
#include <vector>

#include "scree/mechanism/tree.hpp"
#include "scree/robot/settings.hpp"

namespace scree {

/// A coordinate of the mechanism.
struct Coordinate {
  enum class Kind : unsigned char { joint, rotor };
  Kind kind = Kind::rotor;
  int index = 0;                   ///< among the joints or the rotors
  int position = 0, velocity = 0;  ///< places in the tree's vectors
};

struct DriveMount {
  Coordinate at;
  DriveSettings drive;
  double armature = 0;  ///< inertia that it adds to its coordinate alone [kg m² or kg]
};

/// A drive and the wheel or link that it moves, by name.
struct NamedDrive {
  std::string on;
  DriveSettings drive;
};

/// The drives of a robot file, one a coordinate: those of wheels in the order of the wheels, then those of
/// joints in the order of the links. Throws InputError on a drive on nothing, on a fixed joint or on a
/// prescribed one, on two drives on one coordinate, on two of the same name.
std::vector<NamedDrive> resolve_drives(const RobotSettings& settings);

/// The same on the tree, position loops that are given by frequency with their gains.
std::vector<DriveMount> mount_drives(std::span<const NamedDrive> drives, const Tree& tree);

}  // namespace scree
