/// scree settle, fidelity and urdf as a user meets them, and robots that cannot start.
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

scree::testing::ProgramResult rover(const std::string& arguments) {
  return scree::testing::run_program(scree::command() + " " + arguments + " 2>&1");
}

void expect_refusal(const std::string& arguments, const std::string& text) {
  scree::testing::expect_one_line_error(rover(arguments), 2, text);
}

TEST(SettleCommand, StandsAtAPlaceAlongAPathAndEverywhere) {
  const auto one = rover("settle rover/mars6 --at -2,1,30");
  EXPECT_EQ(one.status, 0) << one.output;
  EXPECT_THAT(one.output, HasSubstr("left_bogie"));
  EXPECT_THAT(rover("settle rover/mars6 --json").output, HasSubstr("\"contact_angle_rad\": "));
  const scree::testing::TemporaryFolder folder;
  const std::string csv = (folder.path() / "map.csv").string(), png = (folder.path() / "map.png").string();
  const auto map =
      rover("settle rover/el-dorado --area=-1,1,-1,1 --step 0.25 --csv " + csv + " --picture " + png);
  EXPECT_EQ(map.status, 0) << map.output;
  EXPECT_THAT(map.output, HasSubstr("81 places"));
  EXPECT_THAT(folder.read("map.png"), StartsWith("\x89PNG"));
  const std::string path = folder.write("path.csv", "x,y\n0,0\n0.1,0\n0.2,0.01\n0.3,0.03\n").string();
  const auto along = rover("settle rover/el-dorado --path " + path + " --csv " + csv);
  EXPECT_EQ(along.status, 0) << along.output;
  EXPECT_THAT(along.output, HasSubstr("dead reckoning"));
  EXPECT_EQ(rover("settle rover/el-dorado --set 'terrain={kind=\"flat\",slope_deg=60.0}'").status, 1)
      << "tips over";
}

TEST(SettleCommand, RefusesNonsense) {
  expect_refusal("settle rover/mars6 --joint steer_front_lef=3", "steer_front_left");
  expect_refusal("settle rover/mars6 --joint left_rocker=3", "found by settling");
  expect_refusal("settle rover/mars6 --joint steer_front_left", "NAME=DEGREES");
  expect_refusal("settle rover/mars6 --joint steer_front_left=200", "limits");
  expect_refusal("settle rover/mars6 --robot rover7", "no such robot");
  expect_refusal("settle rover/mars6 --area=1,0,0,1", "area");
  expect_refusal("settle rover/mars6 --path /nowhere.csv", "/nowhere.csv");
  expect_refusal(
      "settle rover/mars6 --map --set "
      "'terrain={kind=\"fbm\",hurst=0.9,sigma=0.001,size=[1,1],cells=[32,32]}' "
      "--set 'robot.start={position=[0.0,0.0]}'",
      "does not fit");
}

TEST(FidelityCommand, ComparesLevels) {
  const auto table = rover("fidelity rover/el-dorado_sand --set duration=1.0 --levels slices,closed_form");
  EXPECT_EQ(table.status, 0) << table.output;
  EXPECT_THAT(table.output, HasSubstr("closed_form"));
  EXPECT_THAT(rover("fidelity rover/el-dorado_sand --set duration=0.5 --levels sectors --json").output,
              HasSubstr("\"mean_slip\": "));
  expect_refusal("fidelity rover/el-dorado_sand --levels stress", "stress_integral");
  expect_refusal("fidelity rover/el-dorado --levels closed_form", "needs a soil");
}

TEST(UrdfCommand, WritesARobotThatRuns) {
  const scree::testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "rover.urdf").string();
  const auto written = rover("urdf mars6 -o " + file);
  EXPECT_EQ(written.status, 0) << written.output;
  expect_refusal("urdf mars6 -o " + file, "--force");
  expect_refusal("urdf mars7", "mars6");
  const auto run = rover("run rover/mars6_dunes --set duration=0.5 --set 'robot.model=\"" + file + "\"' -o " +
                         (folder.path() / "run").string());
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST(BadRovers, AreRefusedWithOneLine) {
  const scree::testing::TemporaryFolder folder;
  const auto model = [&](const std::string& name, const std::string& change) {
    return "run rover/mars6 --set duration=0.1 -o " + (folder.path() / name).string() +
           " --set 'robot.set=[" + change + "]'";
  };
  // Couplings: a loop, and a joint that two of them place.
  expect_refusal(
      model("a",
            R"("coupling=[{a=\"left_rocker\",b=\"right_rocker\"},{a=\"right_rocker\",b=\"left_rocker\"}]")"),
      "ties");
  expect_refusal(
      model("b",
            R"("coupling=[{a=\"left_rocker\",b=\"right_rocker\"},{a=\"left_rocker\",b=\"left_bogie\"}]")"),
      "both place");
  // A coupling that puts a joint beyond its stop.
  expect_refusal(model("c", R"("coupling.0.offset=0.9")"), "outside its limits");
  expect_refusal(model("d", R"("link.1.name=\"right_rocker\"")"), "right_rocker");
  expect_refusal(model("e", R"("wheels.1.name=\"front_left\"")"), "front_left");
  // A rover that does not fit the terrain.
  expect_refusal("run rover/mars6 --set duration=0.1 -o " + (folder.path() / "f").string() +
                     " --set 'terrain={kind=\"fbm\",hurst=0.9,sigma=0.001,size=[1,1],cells=[32,32]}' --set "
                     "'robot.start={position=[0.0,0.0]}'",
                 "outside the terrain");
}

}  // namespace
