#pragma once
/// What is true of a robot at one moment. `sim/` fills it when a sensor or controller samples; only
/// sensors read it.
/// Frames: W world, B robot base, K wheel, C contact.
#include <span>

#include "scree/core/types.hpp"

namespace scree {

struct WheelTruth {
  Vec3 p_BK = Vec3::Zero();     ///< wheel centre in B, suspension as it is [m]
  Vec3 axis_B = Vec3::UnitY();  ///< spin axis in B, forward rolling positive
  Vec3 up_B = Vec3::UnitZ();    ///< along its suspension, upwards, as its link stands
  double radius = 0;            ///< [m]
  double spin = 0;              ///< relative to the link that carries it [rad/s]
  double angle = 0;             ///< [rad]
  double suspension = 0;        ///< displacement, compression positive [m]
  bool in_contact = false;
  double contact_angle = 0;  ///< gamma, positive when the contact lies ahead of the centre [rad]
  double contact_tilt = 0;   ///< of the ground across the wheel, left up positive [rad]
  double normal = 0;         ///< N [N]
  double traction = 0;       ///< Fx [N]
  double lateral = 0;        ///< Fy [N]
  double peak = 0;           ///< D, the most that the tyre could pull at this load [N]
};

/// A link that carries a sensor, in its own axes.
struct LinkTruth {
  Pose X_WL;
  Vec3 v_L = Vec3::Zero();               ///< velocity of the origin [m/s]
  Vec3 w_L = Vec3::Zero();               ///< angular velocity [rad/s]
  Vec3 specific_force_L = Vec3::Zero();  ///< acceleration of the origin less gravity [m/s^2]
  Vec3 alpha_L = Vec3::Zero();           ///< angular acceleration [rad/s^2]
};

struct JointTruth {
  double position = 0, rate = 0;  ///< [rad or m], [rad/s or m/s]
};

struct BatteryTruth {
  double voltage = 0, current = 0;  ///< [V], [A]
  double state_of_charge = 1;       ///< [-]
  double scale = 1;                 ///< share of the wanted currents that it can serve [-]
};

struct RobotTruth {
  double time = 0;                    ///< [s]
  Pose X_WB;                          ///< of the base
  Vec3 v_WB_B = Vec3::Zero();         ///< velocity of the base's origin [m/s]
  Vec3 w_WB_B = Vec3::Zero();         ///< angular velocity [rad/s]
  Vec3 a_WB_B = Vec3::Zero();         ///< acceleration of the base's origin in W, in B's axes [m/s^2]
  Vec3 alpha_WB_B = Vec3::Zero();     ///< angular acceleration [rad/s^2]
  Vec3 gravity_W = {0, 0, -9.80665};  ///< [m/s^2]
  double mass = 0;                    ///< of the whole robot [kg]
  Vec3 p_BM = Vec3::Zero();           ///< centre of mass in B [m]
  Mat3 inertia_B = Mat3::Zero();      ///< about the centre of mass, in B's axes [kg m^2]
  std::span<const WheelTruth> wheels;
  std::span<const JointTruth> joints;
  std::span<const LinkTruth> links;  ///< all of them where a sensor sits on one, the base first; else none
  BatteryTruth battery;
};

}  // namespace scree
