#include "scree/soil/soil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {
namespace {

struct NamedNumber {
  const char* key;
  double SoilNumbers::*field;
};

constexpr std::array kNumbers{NamedNumber{"cohesion", &SoilNumbers::cohesion},
                              NamedNumber{"friction_angle", &SoilNumbers::friction_angle},
                              NamedNumber{"density", &SoilNumbers::density},
                              NamedNumber{"cohesive_modulus", &SoilNumbers::cohesive_modulus},
                              NamedNumber{"frictional_modulus", &SoilNumbers::frictional_modulus},
                              NamedNumber{"sinkage_exponent", &SoilNumbers::sinkage_exponent},
                              NamedNumber{"slip_sinkage", &SoilNumbers::slip_sinkage},
                              NamedNumber{"diameter_exponent", &SoilNumbers::diameter_exponent},
                              NamedNumber{"shear_modulus", &SoilNumbers::shear_modulus},
                              NamedNumber{"shear_modulus_angle", &SoilNumbers::shear_modulus_angle},
                              NamedNumber{"side_shear_modulus", &SoilNumbers::side_shear_modulus},
                              NamedNumber{"side_shear_modulus_angle", &SoilNumbers::side_shear_modulus_angle},
                              NamedNumber{"peak_offset", &SoilNumbers::peak_offset},
                              NamedNumber{"peak_slip", &SoilNumbers::peak_slip},
                              NamedNumber{"exit_ratio", &SoilNumbers::exit_ratio}};

void describe_spread(Section& s, Soil& x) {
  Section spread = s.child("spread", "Published spread of single parameters: [lowest, highest]");
  if (s.documenting()) return;
  for (const std::string& key : spread.keys()) {
    Vec2 ends(0, 0);
    std::string number = key;
    const bool degrees = key.ends_with("_deg");
    if (degrees) number.resize(key.size() - 4);
    spread.vector(key, ends, {.unit = "-", .doc = "lowest and highest"});
    if (soil_number(x, number) == nullptr) spread.fail(key, "the soil has no such number");
    if (!(ends[0] <= ends[1])) spread.fail(key, "give the lowest value first");
    if (degrees) ends *= kDegree;
    x.spread.push_back({number, ends[0], ends[1]});
  }
  spread.finish();
}

/// No soil with friction has less [rad]; one without has none.
constexpr double kLeastFriction = 1.5 * kDegree;

void check_soil(const Section& s, const Soil& x) {
  if (s.documenting()) return;
  const auto fail = [&](const char* key, const std::string& message) { s.fail(key, message); };
  if (x.cohesive_modulus == 0 && x.frictional_modulus == 0)
    fail("frictional_modulus",
         "cohesive_modulus and frictional_modulus are both zero: nothing carries a wheel");
  if (x.cohesion == 0 && x.friction_angle == 0)
    fail("friction_angle", "cohesion and friction_angle are both zero: nothing can be sheared");
  if (x.friction_angle > 0 && x.friction_angle < kLeastFriction)
    fail("friction_angle", fmt::format("{:.3g} deg is less than any soil has: given in radians? use "
                                       "friction_angle, without _deg",
                                       x.friction_angle / kDegree));
  if (x.sinkage_exponent + x.slip_sinkage <= 0)
    fail("slip_sinkage", fmt::format("sinkage exponent at full slip is {:g}: it must stay above zero",
                                     x.sinkage_exponent + x.slip_sinkage));
  if (x.pressure != PressureKind::diameter && x.diameter_exponent != 0)
    fail("diameter_exponent", "only pressure = \"diameter\" takes it");
  if (x.pressure == PressureKind::diameter && x.cohesive_modulus != 0)
    fail("cohesive_modulus", "pressure = \"diameter\" takes frictional_modulus alone");
}

}  // namespace

double* soil_number(SoilNumbers& soil, std::string_view key) {
  for (const NamedNumber& n : kNumbers) {
    if (key == n.key) return &(soil.*n.field);
  }
  return nullptr;
}

const std::vector<std::string>& soil_number_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> out;
    for (const NamedNumber& n : kNumbers) out.emplace_back(n.key);
    return out;
  }();
  return keys;
}

void describe(Section& s, ClosedFormSettings& x) {
  s.number("pull_offset", x.pull_offset,
           {.unit = "-", .doc = "c_P1 of Ding 2011 Eq. 16", .range = between(-1, 5)});
  s.number("pull_slip", x.pull_slip,
           {.unit = "-", .doc = "c_P2 of Ding 2011 Eq. 16", .range = between(-5, 5)});
  s.number("pull_load", x.pull_load,
           {.unit = "-", .doc = "c_P3 of Ding 2011 Eq. 16", .range = between(-5, 5)});
  s.number("moment_load", x.moment_load,
           {.unit = "-", .doc = "c_M of Ding 2011 Eq. 16", .range = between(-5, 5)});
}

void describe(Section& s, Soil& x) {
  s.text("doc", x.doc, {.unit = "-", .doc = "One line about the soil"});
  s.text("source", x.source, {.unit = "-", .doc = "Where the numbers were published"});
  s.text("range", x.range, {.unit = "-", .doc = "What they were measured on, and where they hold"});
  s.number("cohesion", x.cohesion, {.unit = "Pa", .doc = "c", .range = not_negative()});
  s.angle("friction_angle", x.friction_angle,
          {.unit = "rad", .doc = "phi, internal friction", .range = {.low = 0, .high = 1.4}});
  s.number("density", x.density, {.unit = "kg/m^3", .doc = "Bulk density", .range = between(10, 5000)});
  const std::vector<std::string> kinds{"bekker", "reece", "diameter"};
  std::string kind = kinds[static_cast<std::size_t>(x.pressure)];
  s.choice("pressure", kind, kinds,
           {.unit = "-",
            .doc = "Pressure over sinkage z: (k_c/b + k_phi) z^n, (c k_c + rho g b k_phi)(z/b)^n, "
                   "or k_phi D^m z^n for small wheels"});
  x.pressure = static_cast<PressureKind>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
  s.number("cohesive_modulus", x.cohesive_modulus,
           {.unit = "N/m^(n+1)", .doc = "k_c; reece: without unit", .range = not_negative()});
  s.number("frictional_modulus", x.frictional_modulus,
           {.unit = "N/m^(n+2)",
            .doc = "k_phi; reece: without unit; diameter: N/m^(n+m+2)",
            .range = not_negative()});
  s.number("sinkage_exponent", x.sinkage_exponent,
           {.unit = "-",
            .doc = "n, or n0 of N = n0 + n1 |slip|",
            .range = {.low = 0, .high = 4, .open_low = true}});
  s.number("slip_sinkage", x.slip_sinkage, {.unit = "-", .doc = "n1", .range = between(-2, 4)});
  s.number("diameter_exponent", x.diameter_exponent,
           {.unit = "-", .doc = "m of pressure = \"diameter\"", .range = between(-3, 3)});
  s.number("shear_modulus", x.shear_modulus,
           {.unit = "m",
            .doc = "k_x, shear displacement at 63 % of the strength",
            .range = {.low = 1e-5, .high = 1}});
  s.number("shear_modulus_angle", x.shear_modulus_angle,
           {.unit = "m/rad", .doc = "Growth of k_x with the slip angle", .range = between(0, 1)});
  s.number("side_shear_modulus", x.side_shear_modulus,
           {.unit = "m", .doc = "k_y", .range = {.low = 1e-5, .high = 1}});
  s.number("side_shear_modulus_angle", x.side_shear_modulus_angle,
           {.unit = "m/rad", .doc = "Growth of k_y with the slip angle", .range = between(0, 1)});
  s.number("peak_offset", x.peak_offset,
           {.unit = "-",
            .doc = "a0 of theta_m = (a0 + a1 slip) theta_1, the angle of greatest stress",
            .range = between(0, 1)});
  s.number("peak_slip", x.peak_slip, {.unit = "-", .doc = "a1", .range = between(-1, 1)});
  s.number("exit_ratio", x.exit_ratio,
           {.unit = "-",
            .doc = "lambda of the exit angle -acos(1 - lambda z/r); 0: leaves at the bottom",
            .range = between(0, 1.2)});
  s.number(
      "unloading_stiffness", x.unloading_stiffness,
      {.unit = "Pa/m", .doc = "Fall of the pressure when a wheel rises in its rut", .range = positive()});
  s.number(
      "damping", x.damping,
      {.unit = "Pa s/m", .doc = "Growth of the pressure with the speed of sinking", .range = not_negative()});
  s.table("closed_form", x.closed_form, "Corrections of the closed form");
  describe_spread(s, x);
  check_soil(s, x);
}

PressureLaw pressure_law(const SoilNumbers& soil, const PressurePlate& plate) {
  switch (soil.pressure) {
    case PressureKind::reece:
      return {soil.cohesion * soil.cohesive_modulus +
                  soil.density * plate.gravity * plate.width * soil.frictional_modulus,
              plate.width};
    case PressureKind::diameter:
      return {soil.frictional_modulus * maths::pow(plate.diameter, soil.diameter_exponent), 1};
    case PressureKind::bekker:
      break;
  }
  return {soil.cohesive_modulus / plate.width + soil.frictional_modulus, 1};
}

Soil load_soil(const std::string& name, const std::vector<std::string>& changes) {
  Document document = Document::from_file(is_path_name(name) ? std::filesystem::path(name)
                                                             : find_data("soils/" + name + ".toml"));
  for (const std::string& change : changes) document.set(change);
  try {
    Soil soil = read<Soil>(document.root());
    soil.name = entry_label(name);
    return soil;
  } catch (const InputError& error) {
    input_error("soil '{}': {}", entry_label(name), error.what());
  }
}

}  // namespace scree
