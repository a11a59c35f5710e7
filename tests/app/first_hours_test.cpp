/// What a newcomer tries first: names in place of paths, a second run into the same folder, a cut pipe, help.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using scree::command;
using scree::source_tree;

namespace {

namespace fs = std::filesystem;
using scree::testing::have_program;
using scree::testing::ProgramResult;
using scree::testing::run_program;
using scree::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// In a folder that holds nothing of the program.
class FirstHours : public ::testing::Test {
 protected:
  ProgramResult scree(const std::string& arguments) const {
    return run_program("cd " + folder_.path().string() + " && " + command() + " " + arguments + " 2>&1");
  }
  TemporaryFolder folder_;
};

TEST_F(FirstHours, AScenarioMayBeNamedAsTheListNamesIt) {
  EXPECT_EQ(scree("run demo --set duration=0.05 -q").status, 0);
  EXPECT_EQ(scree("run bench/skid4 --set duration=0.05 -q").status, 0);
  const ProgramResult wrong = scree("run dmeo -q");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.output, HasSubstr("did you mean 'demo'?"));
  EXPECT_THAT(scree("run none.toml").output, HasSubstr("none.toml: cannot be read"));
}

TEST_F(FirstHours, AnEarlierRunIsNotWrittenOverUnasked) {
  const std::string run = "run demo --set duration=0.05 -q --out runs/a";
  ASSERT_EQ(scree(run).status, 0);
  fs::create_directories(folder_.path() / "runs/a-2");
  folder_.write("runs/a-2/log.csv", "time [s]\n");
  const ProgramResult again = scree(run);
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, AllOf(HasSubstr("--force replaces it"), HasSubstr("runs/a-3 is free")));
  EXPECT_EQ(scree(run + " --force").status, 0);
}

TEST_F(FirstHours, ForceLeavesNoLogOfAnotherFormatBehind) {
  const std::string run = "run demo --set duration=0.05 -q --out a";
  ASSERT_EQ(scree(run + " --set record.format=both").status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "a/log.npy"));
  ASSERT_EQ(scree(run + " --force").status, 0);
  EXPECT_FALSE(fs::exists(folder_.path() / "a/log.npy"));
  EXPECT_TRUE(fs::exists(folder_.path() / "a/log.csv"));
}

TEST_F(FirstHours, ACutPipeEndsQuietly) {
  const ProgramResult cut =
      run_program("bash -c 'set -o pipefail; " + command() + " list keys | head -n 1' 2>&1");
  EXPECT_EQ(cut.status, 0);
  EXPECT_THAT(cut.output, StartsWith("keys: "));
  EXPECT_THAT(cut.output, Not(HasSubstr("error")));
}

TEST_F(FirstHours, VersionHasAShortNameToo) { EXPECT_EQ(scree("-V").output, scree("--version").output); }

TEST_F(FirstHours, EveryJsonIsAnObjectThatBeginsWithTheVersion) {
  const std::string version = scree("--version").output;
  const std::string begin =
      "{\"version\": \"" + version.substr(6, version.size() - 7) + "\"";  // "scree 0.1.0\n"
  ASSERT_EQ(scree("run demo --set duration=0.05 -q --out r").status, 0);
  for (const char* arguments :
       {"list --json", "list signals demo --json", "reference --json", "compare r r --json",
        "plot r -o p.svg --json", "check demo --json", "help run --json", "man run --json",
        "completion bash --json", "terrain info bump --json",
        "sweep demo --set duration=0.05 --vary seed=1,2 --json"}) {
    const ProgramResult result = scree(arguments);
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.output;
    EXPECT_THAT(result.output, StartsWith(begin)) << arguments;
    if (have_program("python3")) {
      const ProgramResult read =
          run_program("cd " + folder_.path().string() + " && " + command() + " " + arguments +
                      " | python3 -c 'import json, sys; json.load(sys.stdin)' 2>&1");
      EXPECT_EQ(read.status, 0) << arguments << "\n" << read.output;
    }
  }
  EXPECT_THAT(scree("run demo --set duration=0.05 --json").output, StartsWith("{\n  \"version\": "));
}

TEST_F(FirstHours, SignalsAreListedWithUnitAndMeaning) {
  const std::string out = scree("list signals demo").output;
  for (const char* line :
       {"  distance ", "[m] length of the base's path", "  energy.drawn ", "[J] out of the battery",
        "  course.offset ", "  course.heading ", "  wheel.front_left.normal ", "[N] normal force",
        "  control.desired_acceleration "})
    EXPECT_THAT(out, HasSubstr(line));
  EXPECT_THAT(scree("list signals").output, HasSubstr("of which scenario?"));
  EXPECT_THAT(scree("list signasl demo").output, HasSubstr("did you mean 'signals'?"));
}

TEST_F(FirstHours, CheckTellsGoodFilesFromBadWithoutRunning) {
  folder_.write("bad.toml",
                "format = 1\n[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = \"vivi\"\n[view]\nsahding = 1\n");
  EXPECT_EQ(scree("check demo").status, 0);
  EXPECT_THAT(scree("check demo " + source_tree("/models/her/robot.toml")).output,
              AllOf(HasSubstr("demo: scenario: 20 s"), HasSubstr("robot 'her': 120 kg")));
  const ProgramResult bad = scree("check bad.toml demo");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.output, HasSubstr("demo: scenario")) << "the others are checked all the same";
  EXPECT_THAT(scree("check demo --set record.signals='[\"sped\"]'").output,
              HasSubstr("did you mean 'speed'?"));
}

#ifdef SCREE_HAVE_VIEW
TEST_F(FirstHours, RunAndCheckReadTheViewTableToo) {
  const ProgramResult bad = scree("run demo --set duration=0.05 -q --set 'view={sahding=\"slope\"}'");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.output, HasSubstr("shading"));
  EXPECT_THAT(scree("list keys").output, HasSubstr("view.shading"));
}
#endif

TEST_F(FirstHours, HelpOfACommandIsItsHelp) {
  EXPECT_EQ(scree("help run").output, scree("run --help").output);
  EXPECT_EQ(scree("help terrain make").output, scree("terrain make --help").output);
  EXPECT_THAT(scree("help rnu").output, HasSubstr("did you mean 'run'?"));
}

TEST_F(FirstHours, ManualPagesHaveEveryOptionAndSatisfyMan) {
  const std::string page = scree("man run").output;
  EXPECT_THAT(page,
              AllOf(HasSubstr(".TH SCREE\\-RUN 1"), HasSubstr("\\-\\-force"), HasSubstr(".SH EXAMPLE")));
  ASSERT_EQ(scree("man --out pages").status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "pages/scree-sweep.1"));
  if (!have_program("groff")) return;
  for (const auto& entry : fs::directory_iterator(folder_.path() / "pages")) {
    const ProgramResult checked = run_program("groff -man -Tutf8 -ww -z " + entry.path().string() + " 2>&1");
    EXPECT_EQ(checked.output, "") << entry.path();
  }
}

/// What bash offers for a line, with the program on the path.
std::string offered(const std::string& line) {
  const std::string bin = fs::path(command()).parent_path().string();
  const ProgramResult result =
      run_program("cd / && PATH=" + bin + ":$PATH bash -c 'source <(scree completion bash); COMP_WORDS=(" +
                  line + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scree; echo \"${COMPREPLY[@]}\"' 2>&1");
  return " " + result.output.substr(0, result.output.find('\n')) + " ";
}

TEST_F(FirstHours, BashCompletesCommandsOptionsAndScenarios) {
  if (!have_program("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_THAT(offered("scree s"), HasSubstr(" sweep "));
  EXPECT_THAT(offered("scree run --f"), HasSubstr(" --force "));
  EXPECT_THAT(offered("scree run de"), HasSubstr(" demo "));
  EXPECT_THAT(offered("scree list mo"), HasSubstr(" models "));
  EXPECT_THAT(offered("scree terrain id"), HasSubstr(" identify "));
  if (!have_program("zsh")) return;
  const std::string file = (folder_.path() / "_scree").string();
  EXPECT_EQ(run_program(command() + " completion zsh > " + file + " && zsh -n " + file).status, 0);
}

}  // namespace
