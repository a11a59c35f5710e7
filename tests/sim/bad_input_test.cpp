/// Every kind of bad scenario is refused with one line that says what, where, and what to do.
#include <gtest/gtest.h>

#include "scenarios.hpp"
#include "scree/core/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree::testing {
namespace {

std::string message_of(const std::vector<std::string>& overrides, const char* text = kSines) {
  try {
    const Scenario scenario = scenario_of(text, overrides);
    initial_state(scenario);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_mentions(const std::string& message, const std::vector<std::string>& words) {
  for (const auto& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' is not in: " << message;
  }
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(BadScenario, UnknownKeyNamesTheNearest) {
  expect_mentions(message_of({"duraton=3.0"}), {"duraton", "duration"});
  expect_mentions(message_of({"solver.stepp=1e-3"}), {"solver", "stepp", "step"});
  expect_mentions(message_of({"robot.start.clearence=0.1"}), {"clearence", "clearance"});
}

TEST(BadScenario, WrongTypeAndRange) {
  expect_mentions(message_of({"duration=\"long\""}), {"duration"});
  expect_mentions(message_of({"solver.step=0"}), {"step", "0"});
  expect_mentions(message_of({"solver.step=nan"}), {"step"});
  expect_mentions(message_of({"solver.slices=2"}), {"slices"});
  expect_mentions(message_of({"solver.method=\"magic\""}), {"magic", "implicit"});
  expect_mentions(message_of({"robot.start.yaw=90.0"}), {"yaw", "yaw_deg"});
}

TEST(BadScenario, RobotOutsideTheTerrain) {
  expect_mentions(
      message_of({"terrain={kind=\"function\",expression=\"0*x\",sampled=true,size=[4,4],cells=[4,4]}"}),
      {"skid4", "outside the terrain"});
}

TEST(BadScenario, MissingParts) {
  expect_mentions(message_of({"robot.model=\"vivy\""}), {"vivy", "vivi"});
  expect_mentions(message_of({"robot.model=\"nowhere/robot.toml\""}), {"nowhere/robot.toml"});
  expect_mentions(message_of({}, "format = 1\n[[robot]]\nmodel = \"vivi\"\n"), {"terrain"});
  expect_mentions(message_of({}, "format = 1\n[terrain]\nkind = \"flat\"\n"), {"robot"});
  expect_mentions(message_of({}, "format = 2\n"), {"format"});
}

TEST(BadScenario, TerrainThatCannotBe) {
  expect_mentions(message_of({"terrain={kind=\"hills\"}"}), {"hills"});
  expect_mentions(message_of({"terrain={kind=\"function\",expression=\"sin(x\"}"}), {"sin(x"});
  expect_mentions(message_of({"terrain={kind=\"grid\",file=\"no_such.txt\"}"}), {"no_such.txt"});
}

TEST(BadScenario, ControllersEventsAndProfiles) {
  expect_mentions(message_of({"robot.control={kind=\"cdat\"}"}), {"cdat", "cdta"});
  expect_mentions(message_of({"event=[{kind=\"rolled\"}]"}), {"rolled"});
  expect_mentions(message_of({"robot.profile=[{quantity=\"torque\",drives=[\"fornt_left\"]}]"}),
                  {"fornt_left"});
}

TEST(BadScenario, TwoRobotsOfOneName) {
  expect_mentions(message_of({},
                             "format = 1\n[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = "
                             "\"vivi\"\n[[robot]]\nmodel = \"vivi\"\n"),
                  {"vivi", "name"});
}

TEST(BadScenario, AnEventOfAnUnknownRobotIsRefusedBeforeTheRun) {
  EXPECT_THROW(Simulation(scenario_of(kSines, {"event=[{kind=\"goal\",robot=\"skid5\"}]"})), InputError);
}

TEST(BadScenario, FilesInTheChangesToARobotAreLookedForBesideTheScenario) {
  const TemporaryFolder folder;
  const std::string scenario =
      "[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = \"skid4\"\nset = [\"drive.file='motors/mine.toml'\"]\n";
  folder.write("s.toml", scenario);
  EXPECT_THROW(load_scenario(folder.path() / "s.toml"), InputError);
  std::filesystem::create_directories(folder.path() / "motors");
  folder.write("motors/mine.toml", "kind = \"torque\"\nlimit = 7.0\n");
  const Scenario found = load_scenario(folder.path() / "s.toml");
  // The copy in a run folder finds the same file.
  folder.write("run.toml", found.document->text());
  std::filesystem::create_directories(folder.path() / "elsewhere");
  std::filesystem::rename(folder.path() / "run.toml", folder.path() / "elsewhere/run.toml");
  EXPECT_NO_THROW(load_scenario(folder.path() / "elsewhere/run.toml"));
}

}  // namespace
}  // namespace scree::testing
