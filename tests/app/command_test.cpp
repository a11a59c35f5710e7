/// The command line as a user meets it: exit status, one line on standard error, JSON.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using scree::command;

namespace {

using scree::testing::expect_one_line_error;
using scree::testing::ProgramResult;
using scree::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Output and errors together; for errors only, close the output in `arguments`.
ProgramResult scree_with(const std::string& arguments) {
  return scree::testing::run_program(command() + " " + arguments + " 2>&1");
}

TEST(Command, VersionAndHelpSucceed) {
  EXPECT_EQ(scree_with("--version").status, 0);
  EXPECT_THAT(scree_with("--version").output, StartsWith("scree "));
  const auto help = scree_with("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, HasSubstr("Exit status"));
}

/// Names under "Subcommands:" of a help text.
std::vector<std::string> subcommands_in(const std::string& help) {
  std::vector<std::string> names;
  const auto begin = help.find("Subcommands:\n");
  if (begin == std::string::npos) return names;
  const auto end = std::min(help.find("\n\n", begin), help.size());  // an example may follow
  for (std::size_t at = help.find("\n  ", begin); at < end; at = help.find("\n  ", at + 3)) {
    if (help[at + 3] != ' ') names.push_back(help.substr(at + 3, help.find(' ', at + 3) - at - 3));
  }
  return names;
}

/// Checks `command` or, where it has parts (terrain make), each of them; returns how many.
int check_help(const std::string& command) {
  const auto help = scree_with(command + " --help");
  EXPECT_EQ(help.status, 0) << command;
  int count = 0;
  for (const auto& part : subcommands_in(help.output)) count += check_help(command + " " + part);
  if (count > 0) return count;
  EXPECT_THAT(help.output, HasSubstr("Example:\n  scree " + command)) << command;
  EXPECT_THAT(help.output, HasSubstr("--json")) << command;
  return 1;
}

TEST(Command, EverySubcommandHasHelpWithAnExampleAndJson) {
  int count = 0;
  for (const auto& name : subcommands_in(scree_with("--help").output)) count += check_help(name);
  EXPECT_GE(count, 3);
}

TEST(Command, BadArgumentsAreOneLineAndStatusTwo) {
  expect_one_line_error(scree_with(""), 2, "subcommand is required");
  expect_one_line_error(scree_with("plto"), 2, "no command 'plto'; did you mean 'plot'?");
  expect_one_line_error(scree_with("plot"), 2, "RUN is required");
  expect_one_line_error(scree_with("list --jsn"), 2, "--jsn");
  expect_one_line_error(scree_with("list modls"), 2, "did you mean 'models'?");
  expect_one_line_error(scree_with("plot /nowhere/run"), 2, "/nowhere/run: no such run folder");
}

TEST(Command, AFullOutputIsStatusOne) {
  const auto result = scree::testing::run_program(command() + " list 2>&1 > /dev/full");
  expect_one_line_error(result, 1, "cannot be written");
}

TEST(ListCommand, PrintsTopicsAndJson) {
  EXPECT_THAT(scree_with("list terrains").output, HasSubstr("flat"));
  const auto json = scree_with("list --json").output;
  EXPECT_THAT(json, StartsWith("{\"version\": "));
  EXPECT_THAT(json, HasSubstr("\n  \"models\": ["));
  EXPECT_THAT(json, HasSubstr("{\"name\": \"flat\", \"doc\": "));
  EXPECT_THAT(scree_with("list keys").output, HasSubstr("terrain.slope"));
}

TEST(PlotCommand, DrawsARunFolder) {
  if (!scree::testing::have_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  folder.write("log.csv", "time [s],speed [m/s],pitch [rad]\n0,1,0\n1,2,0.1\n2,2.5,0.2\n");
  const std::string run = folder.path().string();
  auto result = scree_with("plot --signals speed,pitch " + run);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_GT(std::filesystem::file_size(folder.path() / "plot.png"), 1000u);
  result = scree_with("plot " + run + " " + run + " -s speed --json -o " + run + "/two.svg");
  EXPECT_THAT(result.output,
              HasSubstr(", \"file\": \"" + run + "/two.svg\", \"panels\": [\"speed [m/s]\"]}\n"));
  expect_one_line_error(scree_with("plot " + run + " -s sped"), 2, "did you mean 'speed'?");
  expect_one_line_error(scree_with("plot " + run + " -o x.bmp"), 2, ".png, .svg or .pdf");
}

}  // namespace
