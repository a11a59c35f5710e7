/// scree wheel as a user meets it.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

scree::testing::ProgramResult wheel(const std::string& arguments) {
  return scree::testing::run_program(scree::command() + " wheel " + arguments + " 2>&1");
}

void expect_refused(const std::string& arguments, const std::string& text) {
  scree::testing::expect_one_line_error(wheel(arguments), 2, text);
}

TEST(WheelCommand, SweepsAsTableCsvAndJson) {
  const auto table =
      wheel("--soil toyoura --radius 0.1 --width 0.1 --load 65 --slip 0:0.8:0.05 --slip-angle 0,10,20,30");
  EXPECT_EQ(table.status, 0) << table.output;
  EXPECT_EQ(std::count(table.output.begin(), table.output.end(), '\n'), 3 + 17 * 4);
  const auto json = wheel("--soil toyoura --load 65 --slip 0.2 --json --set soil.cohesion=800");
  EXPECT_EQ(json.status, 0);
  EXPECT_THAT(json.output, StartsWith("{\"model\": \"stress_integral\", \"soil\": \"toyoura\""));
  EXPECT_THAT(wheel("--slip 0.2 --csv -").output, StartsWith("load [N],slip [-]"));
  EXPECT_EQ(wheel("--model pac2002 --tyre pacejka_205_60r15 --load 4000").status, 0);
}

TEST(WheelCommand, DynamicBedAgreesAndIsRefusedWhereItMakesNoSense) {
  const auto slips = wheel("--dynamic --slip 0,0.3 --load 65");
  EXPECT_EQ(slips.status, 0) << slips.output;
  EXPECT_THAT(slips.output, HasSubstr("farthest from the steady law"));
  const auto pulled = wheel("--dynamic --drawbar 5 --load 65 --json");
  EXPECT_EQ(pulled.status, 0) << pulled.output;
  EXPECT_THAT(pulled.output, HasSubstr("\"drawbar_N\": "));
  expect_refused("--drawbar 5", "--dynamic");
  expect_refused("--dynamic --model pac2002 --tyre pacejka_205_60r15 --load 4000", "--dynamic");
  expect_refused("--dynamic --bed-speed nan", "bed-speed");
}

TEST(WheelCommand, FitsWhatItMeasured) {
  const scree::testing::TemporaryFolder folder;
  const std::string csv = (folder.path() / "m.csv").string(), toml = (folder.path() / "mine.toml").string();
  ASSERT_EQ(wheel("--soil toyoura --slip 0.05:0.6:0.05 --csv " + csv).status, 0);
  const auto fit =
      wheel("--soil toyoura --set soil.friction_angle_deg=30 --set soil.shear_modulus=0.02 --fit " + csv +
            " --parameters friction_angle,shear_modulus -o " + toml);
  EXPECT_EQ(fit.status, 0) << fit.output;
  EXPECT_THAT(fit.output, HasSubstr("correlation"));
  EXPECT_THAT(folder.read("mine.toml"), HasSubstr("shear_modulus = 0.0104"));
  EXPECT_EQ(wheel("--soil " + toml).status, 0);
}

TEST(WheelCommand, BadInputIsOneLine) {
  expect_refused("--soil toyora", "toyoura");
  expect_refused("--set soil.frictional_modulus=-3", "frictional_modulus");
  expect_refused("--set soil.friction_angle=30", "friction_angle_deg");
  expect_refused("--set cohesion=3", "soil.KEY");
  expect_refused("--slip 1.5", "[-1, 1]");
  expect_refused("--slip-angle 95", "(-90, 90)");
  expect_refused("--load -3", "load");
  expect_refused("--radius -1", "radius");
  expect_refused("--model bekker", "not known");
  expect_refused("--model pac2002", ".tir");
  expect_refused("--model pac2002 --tyre " + std::string("nowhere/x.tir"), "x.tir");
  expect_refused("--fit /nowhere.csv", "/nowhere.csv");
  expect_refused("--diagram a.png --load 1,2", "--load");
  expect_refused("--plot a.bmp --slip 0", ".png");
}

TEST(WheelCommand, ABuriedWheelIsSaidNotLost) {
  const auto result = wheel("--load 1e5 --slip 0.1");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("buried"));
  EXPECT_EQ(result.output.find("nan"), std::string::npos);
}

}  // namespace
