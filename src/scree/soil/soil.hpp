#pragma once
/// What one soil is: the parameters that the laws of soft ground take, with their source.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/section.hpp"

namespace scree {

/// How pressure grows with sinkage z under a wheel of width b and diameter D.
enum class PressureKind {
  bekker,    ///< (k_c/b + k_phi) z^n
  reece,     ///< (c k_c + rho g b k_phi) (z/b)^n, moduli without unit
  diameter,  ///< k_phi D^m z^n: Meirion-Griffith and Spenko 2011, wheels below about half a metre
};

/// Corrections of the closed form (Ding 2011 Eq. 16); all zero: the plain integral of straight stresses.
struct ClosedFormSettings {
  double pull_offset = 0;  ///< c_P1 [-]
  double pull_slip = 0;    ///< c_P2 [-]
  double pull_load = 0;    ///< c_P3 [-]
  double moment_load = 0;  ///< c_M [-]
  bool operator==(const ClosedFormSettings&) const = default;
};

/// The numbers of a soil, all that the laws take; letters of the papers beside each.
struct SoilNumbers {
  double cohesion = 0;           ///< c [Pa]
  double friction_angle = 0.52;  ///< phi [rad]
  double density = 1600;         ///< rho [kg/m^3]
  PressureKind pressure = PressureKind::bekker;
  double cohesive_modulus = 0;          ///< k_c [N/m^(n+1)]; reece: k'_c [-]
  double frictional_modulus = 1e6;      ///< k_phi [N/m^(n+2)]; reece: [-]; diameter: [N/m^(n+m+2)]
  double sinkage_exponent = 1;          ///< n, or n0 of N = n0 + n1 |s| [-]
  double slip_sinkage = 0;              ///< n1 [-]
  double diameter_exponent = 0;         ///< m of `diameter` [-]
  double shear_modulus = 0.02;          ///< k_x [m]
  double shear_modulus_angle = 0;       ///< d k_x / d|beta| [m/rad]
  double side_shear_modulus = 0.02;     ///< k_y [m]
  double side_shear_modulus_angle = 0;  ///< d k_y / d|beta| [m/rad]
  double peak_offset = 0.4;             ///< a0 of theta_m = (a0 + a1 s) theta_1 [-]
  double peak_slip = 0.15;              ///< a1 [-]
  double exit_ratio = 0;                ///< lambda of theta_2 = -acos(1 - lambda z/r) [-]
  double unloading_stiffness = 1e8;     ///< of the pressure when the wheel rises [Pa/m]
  double damping = 2e4;                 ///< of the pressure when the wheel sinks [Pa s/m]
  ClosedFormSettings closed_form;
  bool operator==(const SoilNumbers&) const = default;
};

/// Published spread of one number, in SI units.
struct SoilSpread {
  std::string key;
  double low, high;
  bool operator==(const SoilSpread&) const = default;
};

/// A soil with its name and where its numbers come from.
struct Soil : SoilNumbers {
  std::string name;    ///< the file's name; not a key
  std::string doc;     ///< one line
  std::string source;  ///< where the numbers were published
  std::string range;   ///< what they were measured on, and where they hold
  std::vector<SoilSpread> spread;
  bool operator==(const Soil&) const = default;
};
void describe(Section& section, Soil& soil);

/// Pressure p = modulus (z / length)^N [Pa] of one soil under one wheel.
struct PressureLaw {
  double modulus;  ///< Pa
  double length;   ///< m
};
struct PressurePlate {
  double width;     ///< b [m]
  double diameter;  ///< D [m]
  double gravity;   ///< m/s^2
};
PressureLaw pressure_law(const SoilNumbers& soil, const PressurePlate& plate);

/// Numbers of a soil by the key of its file ("cohesion", "friction_angle"), in SI units: for fits, random
/// fields and spreads. Null when there is no such number.
double* soil_number(SoilNumbers& soil, std::string_view key);
const std::vector<std::string>& soil_number_keys();

/// A soil by the name of a file in soils/ or by the path of a TOML file, with `key=value` changes laid over
/// it. Throws InputError naming the soil, the key, the rule, and the nearest name.
Soil load_soil(const std::string& name, const std::vector<std::string>& changes = {});

}  // namespace scree
