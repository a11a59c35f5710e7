#include "scree/drive/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {

static const std::vector<std::string> kDriveKinds = {"torque", "governor", "servo", "kinematic", "dc"};

void describe(Section& s, LugreSettings& x) {
  s.number("coulomb", x.coulomb, {"N m", "Sliding friction at high speed; 0 = no friction", not_negative()});
  s.number("breakaway", x.breakaway, {"N m", "Static friction; 0 = as coulomb", not_negative()});
  s.number("stribeck_speed", x.stribeck_speed,
           {"rad/s", "Speed over which friction falls from static to sliding", positive()});
  s.number("stiffness", x.stiffness, {"N m/rad", "Stiffness of the bristles", positive()});
  s.number("damping", x.damping, {"N m s/rad", "Damping of the bristles", not_negative()});
  s.number("viscous", x.viscous, {"N m s/rad", "Viscous friction", not_negative()});
  s.number("sign_sharpness", x.sign_sharpness,
           {"s/rad", "Sharpness of the smooth sign, at least 1000 / stribeck_speed; 0 = 1e5 / stribeck_speed",
            not_negative()});
}

void describe(Section& s, MotorSettings& x) {
  s.number("torque_constant", x.torque_constant,
           {"N m/A", "Torque per current, also back-EMF per speed", not_negative()});
  s.number("speed_constant", x.speed_constant,
           {"rad/(s V)", "Checked against the torque constant; 0 = not given", not_negative()});
  s.number("resistance", x.resistance, {"ohm", "Of the armature with brushes", not_negative()});
  s.number("inductance", x.inductance,
           {"H", "Of the armature; 0 = the current follows the voltage at once", not_negative()});
  s.number("rotor_inertia", x.rotor_inertia, {"kg m^2", "At the motor shaft", not_negative()});
  s.number("nominal_voltage", x.nominal_voltage,
           {"V", "Voltage of the data sheet's values; 0 = not given", not_negative()});
  s.number("no_load_current", x.no_load_current,
           {"A", "At nominal voltage, checked against friction; 0 = not given", not_negative()});
  s.number("continuous_current", x.continuous_current,
           {"A", "Reported, not enforced; 0 = not given", not_negative()});
  s.number("peak_current", x.peak_current, {"A", "Limit that the chopper keeps; 0 = none", not_negative()});
  s.number("current_loop_time", x.current_loop_time,
           {"s", "Time constant of the current loop, with an inductance", positive()});
  s.table("friction", x.friction, "Shaft friction, continuous LuGre model");
}

void describe(Section& s, BrakeSettings& x) {
  s.number("torque", x.torque, {"N m", "Greatest braking torque at the joint; 0 = no brake", not_negative()});
  s.number("deflection", x.deflection, {"rad", "Elastic wind-up at the greatest torque", positive()});
  s.number("damping_time", x.damping_time, {"s", "Damping of the wind-up over its stiffness", positive()});
}

void describe(Section& s, DriveSettings& x) {
  std::filesystem::path file;
  s.file("file", file, {"", "Data sheet (a file of drives/) whose values come first"});
  if (!file.empty() && !s.documenting()) {
    const std::string name = x.name;
    x = read_drive_file(file);
    x.name = name;
  }
  s.text("name", x.name, {"", "Name of the drive, usually that of its wheel or joint"});
  s.choice("kind", x.kind, kDriveKinds,
           {"",
            "Ideal torque source, ideal source that holds a speed, one that holds a position, a joint that "
            "follows its command exactly whatever it takes, or brushed DC motor"});
  s.number("limit", x.limit, {"N m", "Greatest joint torque of an ideal source; 0 = none", not_negative()});
  s.number("speed", x.speed, {"rad/s", "Joint speed that a governor holds unless commanded", finite()});
  s.number("position", x.position, {"rad", "Joint position that a servo holds unless commanded", finite()});
  s.number("gain", x.gain, {"N m s/rad", "Torque per speed error of speed commands", not_negative()});
  s.number("stiffness", x.stiffness,
           {"N m/rad", "Torque per angle error of position commands", not_negative()});
  s.number("frequency", x.frequency,
           {"Hz", "Natural frequency of the position loop, instead of stiffness and gain; 0 = not given",
            not_negative()});
  s.number("damping_ratio", x.damping_ratio, {"-", "Of that loop; 1 = critical", positive()});
  s.number("speed_limit", x.speed_limit,
           {"rad/s", "Greatest speed that a position command asks for; 0 = none", not_negative()});
  s.number("acceleration_limit", x.acceleration_limit,
           {"rad/s^2", "Of a kinematic drive; 0 = none", not_negative()});
  s.number(
      "armature", x.armature,
      {"kg m^2", "Inertia that the drive adds to its joint, beside that of a motor's rotor", not_negative()});
  s.number("corner_speed", x.corner_speed,
           {"rad/s", "Up to here the full limit is available", not_negative()});
  s.number("top_speed", x.top_speed,
           {"rad/s", "Here the motoring torque has fallen to zero; 0 = no cap", not_negative()});
  s.number("gear_ratio", x.gear_ratio, {"-", "Motor turns per joint turn (dc)", positive()});
  s.number("gear_efficiency", x.gear_efficiency,
           {"-", "Share of power that passes the gear, either way (dc)", {.low = 0.1, .high = 1}});
  s.number(
      "gear_blend", x.gear_blend,
      {"rad/s", "Motor speed over which the flow of power through the gear changes direction", positive()});
  s.table("motor", x.motor, "Brushed DC motor (kind dc)");
  s.table("brake", x.brake, "Brake on the joint");
}

void describe(Section& s, BatterySettings& x) {
  s.number("voltage", x.voltage, {"V", "Open circuit, full; 0 = an unlimited source", not_negative()});
  s.number("voltage_empty", x.voltage_empty, {"V", "Open circuit, empty; 0 = as full", not_negative()});
  s.number("internal_resistance", x.internal_resistance, {"ohm", "In series with the cells", not_negative()});
  s.number("current_limit", x.current_limit,
           {"A", "On the battery side of the choppers; 0 = none", not_negative()});
  s.number("charge_limit", x.charge_limit,
           {"A", "Greatest current back into the battery; 0 = as current_limit", not_negative()});
  s.boolean("regeneration", x.regeneration, {"", "false: what motors give back is burnt in a resistor"});
  double amp_hours = x.capacity / 3600;
  s.number("capacity_ah", amp_hours, {"A h", "Charge when full; 0 = endless", not_negative()});
  x.capacity = amp_hours * 3600;
  s.number("state_of_charge", x.state_of_charge, {"-", "At the start", between(0, 1)});
}

DriveSettings read_drive_file(const std::filesystem::path& file) {
  const Document document = Document::from_file(file);
  Section root = document.root();
  DriveSettings x;
  describe(root, x);
  root.finish();
  return x;
}

double reflected_inertia(const DriveSettings& x) {
  return x.armature + (x.kind == "dc" ? x.gear_ratio * x.gear_ratio * x.motor.rotor_inertia : 0);
}

DriveSettings with_gains(DriveSettings x, double inertia) {
  if (x.frequency == 0) return x;
  const double moved = inertia + reflected_inertia(x), rate = 2 * kPi * x.frequency;
  x.stiffness = moved * rate * rate;
  x.gain = 2 * x.damping_ratio * moved * rate;
  return x;
}

// --- checks: every comparison is written so that NaN fails ---------------------------------------------

void check(const LugreSettings& x, const std::string& who) {
  if (!(x.coulomb >= 0)) input_error("{}: coulomb friction {} N m must be >= 0", who, x.coulomb);
  if (x.coulomb == 0) return;
  if (!(x.breakaway == 0 || x.breakaway >= x.coulomb))
    input_error("{}: static friction {} N m is below sliding friction {} N m", who, x.breakaway, x.coulomb);
  if (!(x.stribeck_speed > 0)) input_error("{}: stribeck_speed {} rad/s must be > 0", who, x.stribeck_speed);
  if (!(x.stiffness > 0)) input_error("{}: bristle stiffness {} N m/rad must be > 0", who, x.stiffness);
  if (!(x.damping >= 0 && x.viscous >= 0))
    input_error("{}: damping {} and viscous {} must be >= 0", who, x.damping, x.viscous);
  if (!(x.sign_sharpness == 0 || x.sign_sharpness * x.stribeck_speed >= 1000))
    input_error(
        "{}: sign_sharpness {} s/rad must be >= 1000 / stribeck_speed = {}, otherwise friction at low "
        "speed is wrong",
        who, x.sign_sharpness, 1000 / x.stribeck_speed);
}

void check(const MotorSettings& x, const std::string& who) {
  if (!(x.torque_constant > 0))
    input_error("{}: torque_constant {} N m/A must be > 0 (take it from the data sheet)", who,
                x.torque_constant);
  if (!(x.resistance > 0)) input_error("{}: resistance {} ohm must be > 0", who, x.resistance);
  if (!(x.inductance >= 0 && x.rotor_inertia >= 0))
    input_error("{}: inductance {} H and rotor_inertia {} kg m^2 must be >= 0", who, x.inductance,
                x.rotor_inertia);
  if (!(x.current_loop_time > 0))
    input_error("{}: current_loop_time {} s must be > 0", who, x.current_loop_time);
  check(x.friction, who + ": friction");
  // In SI units torque and back-EMF constant are the same number; data sheets round it.
  const double product = x.torque_constant * x.speed_constant;
  if (x.speed_constant != 0 && !(std::abs(product - 1) < 0.05))
    input_error(
        "{}: torque_constant {} N m/A and speed_constant {} rad/(s V) contradict each other: their "
        "product is {:.4g}, must be 1 within 5 % (1 rpm/V = 0.10472 rad/(s V))",
        who, x.torque_constant, x.speed_constant, product);
  if (x.peak_current != 0 && x.continuous_current != 0 && !(x.peak_current >= x.continuous_current))
    input_error("{}: peak_current {} A is below continuous_current {} A", who, x.peak_current,
                x.continuous_current);
  if (x.nominal_voltage == 0) return;
  const double stall = x.nominal_voltage / x.resistance;
  if (!(x.no_load_current < stall))
    input_error("{}: no_load_current {} A is not below the stall current {:.4g} A", who, x.no_load_current,
                stall);
  if (x.no_load_current > 0 && x.friction.coulomb > 0) {
    const double k = x.torque_constant;
    const double speed = (x.nominal_voltage - x.resistance * x.no_load_current) / k;
    const double friction = x.friction.coulomb + x.friction.viscous * speed, torque = k * x.no_load_current;
    if (!(std::abs(friction - torque) < 0.2 * torque))
      input_error(
          "{}: friction at no-load speed ({:.4g} N m) does not fit no_load_current {} A (torque {:.4g} "
          "N m); must agree within 20 %",
          who, friction, x.no_load_current, torque);
  }
}

void check(const DriveSettings& x) {
  const std::string who = fmt::format("drive '{}'", x.name);
  if (std::find(kDriveKinds.begin(), kDriveKinds.end(), x.kind) == kDriveKinds.end())
    input_error("{}: kind '{}' is not one of {}{}", who, x.kind, fmt::join(kDriveKinds, ", "),
                name_hint(x.kind, kDriveKinds));
  if (!(x.limit >= 0)) input_error("{}: limit {} N m must be >= 0", who, x.limit);
  if (!(x.gain >= 0 && x.stiffness >= 0))
    input_error("{}: gain {} and stiffness {} must be >= 0", who, x.gain, x.stiffness);
  if (!(x.frequency >= 0 && x.damping_ratio > 0))
    input_error("{}: frequency {} Hz must be >= 0, damping_ratio {} > 0", who, x.frequency, x.damping_ratio);
  if (!(x.speed_limit >= 0 && x.acceleration_limit >= 0 && x.armature >= 0))
    input_error("{}: speed_limit {}, acceleration_limit {} and armature {} must be >= 0", who, x.speed_limit,
                x.acceleration_limit, x.armature);
  if (x.kind == "governor" && !(x.gain > 0))
    input_error("{}: a governor needs gain > 0 (torque per speed error, N m s/rad)", who);
  if (x.kind == "servo" && !(x.stiffness > 0))
    input_error("{}: a servo needs frequency (Hz), or stiffness (N m/rad) and gain (N m s/rad)", who);
  if (x.speed_limit > 0 && x.kind != "kinematic" && !(x.gain > 0))
    input_error("{}: speed_limit needs gain > 0 (torque per speed error, N m s/rad)", who);
  if (!(x.position - x.position == 0)) input_error("{}: position {} rad must be finite", who, x.position);
  if (!(x.speed - x.speed == 0)) input_error("{}: speed {} rad/s must be finite", who, x.speed);
  if (x.top_speed != 0) {
    if (!(x.limit > 0)) input_error("{}: top_speed {} rad/s needs a torque limit", who, x.top_speed);
    if (!(x.corner_speed >= 0 && x.top_speed > x.corner_speed))
      input_error("{}: top_speed {} rad/s must lie above corner_speed {} rad/s", who, x.top_speed,
                  x.corner_speed);
  }
  if (!(x.brake.torque >= 0)) input_error("{}: brake torque {} N m must be >= 0", who, x.brake.torque);
  if (!(x.brake.deflection > 0 && x.brake.damping_time > 0))
    input_error("{}: brake deflection {} rad and damping_time {} s must be > 0", who, x.brake.deflection,
                x.brake.damping_time);
  if (x.kind != "dc") return;
  if (!(x.gear_ratio > 0)) input_error("{}: gear_ratio {} must be > 0", who, x.gear_ratio);
  if (!(x.gear_efficiency >= 0.1 && x.gear_efficiency <= 1))
    input_error("{}: gear_efficiency {} is outside [0.1, 1]{}", who, x.gear_efficiency,
                x.gear_efficiency > 1 ? ": given in percent?" : "");
  if (!(x.gear_blend > 0)) input_error("{}: gear_blend {} rad/s must be > 0", who, x.gear_blend);
  check(x.motor, who + ": motor");
}

void check(const BatterySettings& x) {
  if (!(x.voltage >= 0)) input_error("battery: voltage {} V must be >= 0", x.voltage);
  if (!(x.voltage_empty >= 0 && x.voltage_empty <= x.voltage))
    input_error("battery: voltage_empty {} V must lie between 0 and voltage {} V", x.voltage_empty,
                x.voltage);
  if (!(x.internal_resistance >= 0))
    input_error("battery: internal_resistance {} ohm must be >= 0", x.internal_resistance);
  if (!(x.current_limit >= 0 && x.charge_limit >= 0))
    input_error("battery: current_limit {} A and charge_limit {} A must be >= 0", x.current_limit,
                x.charge_limit);
  if (!(x.capacity >= 0)) input_error("battery: capacity {} A s must be >= 0", x.capacity);
  if (!(x.state_of_charge >= 0 && x.state_of_charge <= 1))
    input_error("battery: state_of_charge {} is outside [0, 1]{}", x.state_of_charge,
                x.state_of_charge > 1 ? ": given in percent?" : "");
}

}  // namespace scree
