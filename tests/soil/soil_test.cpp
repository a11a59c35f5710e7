#include "scree/soil/soil.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "scree/config/data_path.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::message_of;

std::string soil_refusal(const std::vector<std::string>& changes) {
  return message_of([&] { load_soil("dry_sand", changes); });
}

TEST(Soils, AtLeastTenShipWithSourceAndRange) {
  const auto names = list_data("soils");
  EXPECT_GE(names.size(), 10u);
  for (const std::string& name : names) {
    const Soil soil = load_soil(name);
    EXPECT_EQ(soil.name, name);
    EXPECT_GT(soil.doc.size(), 5u) << name;
    EXPECT_GT(soil.source.size(), 10u) << name;
    EXPECT_GT(soil.range.size(), 2u) << name;
    // Ten millimetres under a plate of 0.1 m: from fresh snow to stiff clay.
    const PressureLaw p = pressure_law(soil, {0.1, 0.2, 9.81});
    const double pressure = p.modulus * std::pow(0.01 / p.length, soil.sinkage_exponent);
    EXPECT_GT(pressure, 50) << name;
    EXPECT_LT(pressure, 5e6) << name;
    for (const SoilSpread& s : soil.spread) {
      Soil copy = soil;
      const double value = *soil_number(copy, s.key);
      EXPECT_GE(value, s.low) << name << ' ' << s.key;
      EXPECT_LE(value, s.high) << name << ' ' << s.key;
    }
  }
}

TEST(Soils, PublishedNumbersOfWongsTable) {
  const Soil lete = load_soil("lete_sand");
  EXPECT_EQ(lete.sinkage_exponent, 0.79);
  EXPECT_EQ(lete.cohesive_modulus, 102e3);
  EXPECT_EQ(lete.frictional_modulus, 5301e3);
  EXPECT_EQ(lete.cohesion, 1300);
  EXPECT_NEAR(lete.friction_angle, 31.1 * kDegree, 1e-15);
}

TEST(Soils, PressureLaws) {
  Soil soil;
  soil.cohesion = 500;
  soil.density = 1500;
  soil.cohesive_modulus = 2000;
  soil.frictional_modulus = 3e5;
  EXPECT_DOUBLE_EQ(pressure_law(soil, {0.1, 0.2, 9.81}).modulus, 2000 / 0.1 + 3e5);
  soil.pressure = PressureKind::reece;
  soil.cohesive_modulus = 20;
  soil.frictional_modulus = 300;
  EXPECT_DOUBLE_EQ(pressure_law(soil, {0.1, 0.2, 1.62}).modulus, 500 * 20 + 1500 * 1.62 * 0.1 * 300);
  EXPECT_DOUBLE_EQ(pressure_law(soil, {0.1, 0.2, 1.62}).length, 0.1);
}

TEST(Soils, ChangesAreLaidOver) {
  EXPECT_EQ(load_soil("toyoura", {"cohesion=800"}).cohesion, 800);
  EXPECT_NEAR(load_soil("toyoura", {"friction_angle_deg=30"}).friction_angle, 30 * kDegree, 1e-15);
}

TEST(Soils, BadInputIsRefusedInOneLineWithAHint) {
  EXPECT_THAT(soil_refusal({"frictional_modulus=-1"}),
              AllOf(HasSubstr("dry_sand"), HasSubstr("frictional_modulus"), HasSubstr("-1")));
  EXPECT_THAT(soil_refusal({"shear_modulus=-0.01"}), HasSubstr("shear_modulus"));
  EXPECT_THAT(soil_refusal({"cohesion=nan"}), HasSubstr("cohesion"));
  EXPECT_THAT(soil_refusal({"cohesoin=3"}), HasSubstr("cohesion"));
  EXPECT_THAT(soil_refusal({"sinkage_exponent=0"}), HasSubstr("sinkage_exponent"));
  EXPECT_THAT(soil_refusal({"slip_sinkage=-1.5"}), HasSubstr("full slip"));
  EXPECT_THAT(soil_refusal({"friction_angle_deg=0.6"}), HasSubstr("given in radians?"));
  EXPECT_THAT(soil_refusal({"cohesive_modulus=0", "frictional_modulus=0"}), HasSubstr("nothing carries"));
  EXPECT_THAT(soil_refusal({"pressure=\"beker\""}), HasSubstr("bekker"));
  EXPECT_THAT(soil_refusal({"diameter_exponent=0.5"}), HasSubstr("diameter"));
  EXPECT_THAT(message_of([] { load_soil("toyora"); }), HasSubstr("toyoura"));
  const testing::TemporaryFolder folder;
  const auto file = folder.write("mine.toml", "friction_angle = 30\n");
  EXPECT_THAT(message_of([&] { load_soil(file.string()); }),
              AllOf(HasSubstr("friction_angle"), HasSubstr("given in degrees? use friction_angle_deg")));
  const auto spread = folder.write("spread.toml", "[spread]\ncohesion = [3, 1]\n");
  EXPECT_THAT(message_of([&] { load_soil(spread.string()); }), HasSubstr("lowest"));
  const auto unknown = folder.write("unknown.toml", "[spread]\ncolour = [1, 3]\n");
  EXPECT_THAT(message_of([&] { load_soil(unknown.string()); }), HasSubstr("no such number"));
}

}  // namespace
}  // namespace scree
