#pragma once
/// What a user says about drives: plain structs with defaults, read and documented by describe().
#include <filesystem>
#include <string>
#include <vector>

#include "scree/config/section.hpp"

namespace scree {

/// Continuous LuGre friction of a shaft (Morrot 2011 Eq. 14). All values at the motor shaft.
struct LugreSettings {
  double coulomb = 0;           ///< T_c [N m], sliding friction at high speed; 0 = no friction at all
  double breakaway = 0;         ///< T_s [N m], static friction, >= coulomb; 0 = equal to coulomb
  double stribeck_speed = 5.0;  ///< v_s [rad/s], where sliding friction has fallen towards T_c
  double stiffness = 500.0;     ///< sigma_0 [N m/rad] of the bristles
  double damping = 0.5;         ///< sigma_1 [N m s/rad] of the bristles
  double viscous = 0;           ///< sigma_2 [N m s/rad]
  double sign_sharpness = 0;    ///< k_v [s/rad] of the smooth sign, >= 1000 / v_s; 0 = 1e5 / v_s
};

/// Brushed DC motor as a data sheet gives it.
struct MotorSettings {
  double torque_constant = 0;       ///< [N m/A], > 0; also the back-EMF constant [V s/rad]
  double speed_constant = 0;        ///< [rad/(s V)], checked against the torque constant; 0 = not given
  double resistance = 0;            ///< of the armature with brushes [ohm], > 0
  double inductance = 0;            ///< [H]; 0 = the current follows the voltage at once
  double rotor_inertia = 0;         ///< [kg m^2] at the motor shaft
  double nominal_voltage = 0;       ///< [V], only for the checks; 0 = not given
  double no_load_current = 0;       ///< [A] at nominal voltage, checked against friction; 0 = not given
  double continuous_current = 0;    ///< [A], reported, not enforced; 0 = not given
  double peak_current = 0;          ///< [A], limit that the chopper keeps; 0 = none
  double current_loop_time = 1e-3;  ///< [s] of the current loop, used only with an inductance
  LugreSettings friction;
};

/// A brake that acts on the joint itself, past the gear.
struct BrakeSettings {
  double torque = 0;           ///< greatest braking torque [N m]; 0 = no brake
  double deflection = 1e-3;    ///< elastic wind-up at the greatest torque [rad]
  double damping_time = 2e-3;  ///< damping of the wind-up, as a share of its stiffness [s]
};

/// One drive: it turns one joint (a wheel's spin, a steering or a flipper joint). On a prismatic joint angles
/// are lengths and torques forces.
struct DriveSettings {
  std::string name;             ///< of the drive, usually that of its wheel or joint
  std::string kind = "torque";  ///< torque | governor | servo | kinematic | dc
  double limit = 0;             ///< greatest joint torque [N m]; 0 = none (torque, governor, servo)
  double speed = 0;             ///< speed that a governor holds when nothing else is commanded [rad/s]
  double position = 0;          ///< that a servo holds when nothing else is commanded [rad]
  double gain = 0;              ///< torque per speed error of speed commands [N m s/rad]
  double stiffness = 0;         ///< torque per angle error of position commands [N m/rad]
  double frequency = 0;      ///< instead of stiffness and gain: natural frequency of the position loop [Hz]
  double damping_ratio = 1;  ///< of that loop [-]
  double speed_limit = 0;    ///< greatest speed that a position command asks for [rad/s]; 0 = none
  double acceleration_limit = 0;  ///< of a kinematic drive [rad/s^2]; 0 = none
  double armature = 0;            ///< inertia of its own that the joint feels, beside a motor's [kg m^2]
  double corner_speed = 0;        ///< up to here the full limit is available [rad/s]
  double top_speed = 0;           ///< here the motoring torque has fallen to zero [rad/s]; 0 = no such cap
  double gear_ratio = 1;          ///< motor turns per joint turn (dc)
  double gear_efficiency = 1;     ///< share of the power that passes the gear, either way (dc)
  double gear_blend = 5.0;        ///< motor speed over which the flow of power changes direction [rad/s] (dc)
  MotorSettings motor;
  BrakeSettings brake;
};

/// One battery behind the ideal choppers of all motors.
struct BatterySettings {
  double voltage = 0;              ///< open circuit, full [V]; 0 = no battery (an unlimited source)
  double voltage_empty = 0;        ///< open circuit, empty [V]; 0 = as full
  double internal_resistance = 0;  ///< [ohm]
  double current_limit = 0;        ///< on the battery side of the choppers [A]; 0 = none
  double charge_limit = 0;         ///< greatest current back into the battery [A]; 0 = as current_limit
  bool regeneration = true;        ///< false: what motors give back is burnt in a resistor
  double capacity = 0;             ///< charge when full [A s]; the file gives capacity_ah in A h
  double state_of_charge = 1;      ///< at the start [-]
};

struct DriveTrainSettings {
  std::vector<DriveSettings> drives;
  BatterySettings battery;
};

void describe(Section& s, LugreSettings& x);
void describe(Section& s, MotorSettings& x);
void describe(Section& s, BrakeSettings& x);
/// Reads a drive; the key `file` names a data sheet whose values come first, the table's own keys win.
void describe(Section& s, DriveSettings& x);
void describe(Section& s, BatterySettings& x);
/// Only the keys that a data sheet in `drives/` may hold.
DriveSettings read_drive_file(const std::filesystem::path& file);

/// Throw InputError when values are missing or contradict each other. `who` names the object.
void check(const LugreSettings& x, const std::string& who);
void check(const MotorSettings& x, const std::string& who);
void check(const DriveSettings& x);
void check(const BatterySettings& x);

/// Inertia that the joint feels of the drive [kg m^2]: its armature and ratio^2 J of the motor's rotor. The
/// mechanism adds it to the joint's own. The gear's losses are taken on the torque that enters the gear
/// before this inertia.
double reflected_inertia(const DriveSettings& x);

/// Stiffness and gain of a position loop that is given by its frequency, on a coordinate that moves `inertia`
/// (armature not counted) [kg m^2]:  stiffness = I (2 pi f)^2,  gain = 2 zeta I 2 pi f.
DriveSettings with_gains(DriveSettings x, double inertia);

}  // namespace scree
