#pragma once
/// What a controller reads.
#include <span>

#include "scree/core/types.hpp"
#include "scree/sense/truth.hpp"

namespace scree {

struct WheelReading {
  double spin = 0, angle = 0;                    ///< [rad/s], [rad]
  double suspension = 0;                         ///< [m]
  double normal = 0, traction = 0, lateral = 0;  ///< [N]
  double contact_angle = 0;                      ///< [rad]
  double contact_tilt = 0;                       ///< of the ground across the wheel, left up [rad]
  bool in_contact = false;                       ///< from the normal force
  Vec3 p_BC =
      Vec3::Zero();  ///< contact point in B [m]: from suspension and contact angle, at the known radius
  Vec3 ahead_B = Vec3::UnitX(), up_B = Vec3::UnitZ();  ///< of the wheel's plane as its link stands
  double friction = 0;  ///< peak friction coefficient D/N that the ground offers [-] (perfect estimate)
};

/// What one sensor of the robot's list shows now.
struct SensorReading {
  std::span<const double> values;  ///< in the order of its channels
  double time = 0;                 ///< when these were measured [s]
  bool lost = false;               ///< its last sample dropped out
};

/// All that a controller may know. The named quantities come from the first sensor of their kind in the
/// robot's list; of a kind that the list lacks, they are the truth. The spans are valid until the next
/// sample.
struct Readings {
  double time = 0;                      ///< [s]
  Vec3 specific_force = Vec3::Zero();   ///< of the base's origin, in B [m/s^2]
  Vec3 gyro = Vec3::Zero();             ///< in B [rad/s]
  double roll = 0, pitch = 0, yaw = 0;  ///< [rad], pitch nose-up positive
  Vec3 velocity = Vec3::Zero();         ///< of the base's origin, in B [m/s]
  Vec3 position = Vec3::Zero();         ///< of the base's origin, in W [m]
  double heading = 0;                   ///< yaw, as a compass tells it [rad]
  Vec3 p_BM = Vec3::Zero();             ///< centre of mass of the whole robot as its joints stand, in B [m]
  std::span<const WheelReading> wheels;
  std::span<const JointTruth> joints;  ///< positions and rates, in the order of the model
  BatteryTruth battery;
  std::span<const SensorReading> sensors;  ///< the robot's list, in the order of RobotInfo::sensors
};

}  // namespace scree
