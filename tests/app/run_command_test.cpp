/// scree run as a user meets it.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "scree/record/run_folder.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using scree::command;

namespace {

namespace fs = std::filesystem;
using scree::testing::ProgramResult;
using scree::testing::run_program;
using scree::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kScenario = R"(format = 1
duration = 0.5
[terrain]
kind = "sines"
[[robot]]
model = "ROBOT"
[robot.start]
clearance = 0.02
[record]
period = 0.01
)";

/// Forty kilograms on four suspended wheels.
constexpr const char* kRobot = R"(format = 1
[chassis]
mass = 40
inertia = [0.7, 1.3, 1.7]
l1 = 0.3
l2 = 0.3
w1 = 0.2
w2 = 0.2
h_base = 0.1
h_top = 0.1
[wheel]
radius = 0.12
width = 0.08
spin_inertia = 0.0108
tyre = { kind = "constant", friction = 0.8 }
[wheel.suspension]
stiffness = 8000
damping = 300
[[wheels]]
name = "front_left"
position = [0.25, 0.25, -0.12]
[[wheels]]
name = "front_right"
position = [0.25, -0.25, -0.12]
[[wheels]]
name = "rear_left"
position = [-0.25, 0.25, -0.12]
[[wheels]]
name = "rear_right"
position = [-0.25, -0.25, -0.12]
)";

class RunCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text = kScenario;
    text.replace(text.find("ROBOT"), 5, folder_.write("robot.toml", kRobot).string());
    scenario_ = folder_.write("s.toml", text).string();
  }
  ProgramResult run(const std::string& arguments) const {
    return run_program(command() + " run " + arguments + " 2>&1");
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  void expect_refused(const std::string& arguments, int status, const std::string& text) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.status, status) << result.output;
    EXPECT_THAT(result.output, StartsWith("scree: error: "));
    EXPECT_THAT(result.output, HasSubstr(text));
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
  /// The value of a key of a JSON text, up to the end of its line.
  static std::string value_of(const std::string& json, const std::string& key) {
    const auto begin = json.find("\"" + key + "\": ");
    if (begin == std::string::npos) return "";
    const auto from = begin + key.size() + 4;
    return json.substr(from, json.find_first_of(",\n", from) - from);
  }

  TemporaryFolder folder_;
  std::string scenario_;
};

TEST_F(RunCommand, WritesAWholeFolderAndReportsIt) {
  const auto result = run(scenario_ + " --out " + at("run"));
  ASSERT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("finished: 0.5 s simulated"));
  const auto folder = scree::RunFolder::open(at("run"));
  EXPECT_TRUE(folder.complete);
  EXPECT_EQ(folder.times().size(), 51u);
  EXPECT_NEAR(folder.times().back(), 0.5, 1e-9);
  EXPECT_GT(folder.states.times.size(), 20u);
  EXPECT_EQ(value_of(folder.summary, "outcome"), "\"finished\"");
}

TEST_F(RunCommand, JsonIsTheSummaryAndNothingElse) {
  const auto result = run(scenario_ + " --json");
  ASSERT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, StartsWith("{\n"));
  for (const char* key : {"simulated_s", "cpu_s", "real_time_factor", "steps", "events", "state_hash"}) {
    EXPECT_NE(value_of(result.output, key), "") << key;
  }
  EXPECT_EQ(value_of(result.output, "simulated_s").substr(0, 3), "0.5");
}

TEST_F(RunCommand, GoesOnFromAnEarlierRunWithTheSameBits) {
  const auto whole = run(scenario_ + " --json --out " + at("run"));
  ASSERT_EQ(whole.status, 0) << whole.output;
  for (const char* time : {"0", "0.1", "0.333", "0.49"}) {
    const auto rest = run("--from " + at("run") + " --at " + time + " --json --force --out " + at("rest"));
    ASSERT_EQ(rest.status, 0) << rest.output;
    EXPECT_EQ(value_of(rest.output, "state_hash"), value_of(whole.output, "state_hash")) << time;
    const auto folder = scree::RunFolder::open(at("rest"));
    EXPECT_NEAR(folder.times().front(), std::floor(std::stod(time) / 0.02 + 1e-9) * 0.02, 1e-9) << time;
    EXPECT_NEAR(folder.times().back(), 0.5, 1e-9);
  }
  // Longer than the run was, and another goal from here on.
  const auto longer = run("--from " + at("run") + " --set duration=0.8 --json");
  EXPECT_EQ(longer.status, 0) << longer.output;
  EXPECT_EQ(value_of(longer.output, "state_hash"),
            value_of(run(scenario_ + " --set duration=0.8 --json").output, "state_hash"));
}

TEST_F(RunCommand, RefusesToGoOnFromWhatDoesNotFit) {
  ASSERT_EQ(run(scenario_ + " --quiet --out " + at("run")).status, 0);
  const std::string from = "--from " + at("run");
  expect_refused(from + " --at 0.2 --set robot.0.model=hexa", 2, "the state belongs to something else");
  expect_refused(from, 2, "--set duration=");
  expect_refused(from + " --at -1", 2, "the first state is at 0 s");
  expect_refused(scenario_ + " " + from, 2, "leave");
  expect_refused("--at 1 " + scenario_, 2, "--at needs --from");
  expect_refused("--from " + at("nowhere"), 2, "nowhere");
  expect_refused("", 2, "name a SCENARIO");
}

TEST_F(RunCommand, SameScenarioGivesTheSameBitsAlsoFromItsOwnFolder) {
  const auto first = run(scenario_ + " --json --out " + at("run"));
  const auto second = run(scenario_ + " --json");
  const auto third = run(at("run/scenario.toml") + " --json");
  EXPECT_NE(value_of(first.output, "state_hash"), "");
  EXPECT_EQ(value_of(first.output, "state_hash"), value_of(second.output, "state_hash"));
  EXPECT_EQ(value_of(first.output, "state_hash"), value_of(third.output, "state_hash"));
  const auto other = run(scenario_ + " --json --set robot.start.yaw_deg=3");
  EXPECT_NE(value_of(first.output, "state_hash"), value_of(other.output, "state_hash"));
}

TEST_F(RunCommand, FilesAreNamedFromTheScenarioAndFoundAgainFromItsRunFolder) {
  std::string text = kScenario;
  text.replace(text.find("ROBOT"), 5, "./robot.toml");
  folder_.write("relative.toml", text);
  const auto in = [&](const std::string& where, const std::string& arguments) {
    return run_program("cd " + where + " && " + command() + " run " + arguments + " --json 2>&1");
  };
  const auto first = in(folder_.path().string(), "relative.toml --out run");
  ASSERT_EQ(first.status, 0) << first.output;
  const auto again = in("/", at("run/scenario.toml"));
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_EQ(value_of(first.output, "state_hash"), value_of(again.output, "state_hash"));
  // A name on the command line is meant as the shell sees it.
  const auto given = in(folder_.path().string(), "run/scenario.toml --set robot.model=./robot.toml");
  EXPECT_EQ(given.status, 0) << given.output;
}

TEST_F(RunCommand, OverridesReachTheRunAndItsFolder) {
  const auto result =
      run("--set duration=0.2 --set record.signals='[\"*speed*\"]' " + scenario_ + " -q --out " + at("run"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, "") << "quiet";
  EXPECT_EQ(scree::RunFolder::open(at("run")).times().size(), 21u);
  EXPECT_THAT(folder_.read("run/scenario.toml"), HasSubstr("duration = 0.2"));
}

TEST_F(RunCommand, BadInputIsOneLineStatusTwoAndLeavesNoFolder) {
  const std::string out = " --out " + at("run");
  expect_refused(at("none.toml") + out, 2, "none.toml: cannot be read: No such file");
  expect_refused(scenario_ + out + " --set solver.stepp=1", 2,
                 "solver.stepp: unknown key; did you mean 'step'?");
  expect_refused(scenario_ + out + " --set solver.step=0", 2, "solver.step: 0 s is outside");
  expect_refused(scenario_ + out + " --set solver.step=nan", 2, "solver.step: nan s is outside");
  expect_refused(scenario_ + out + " --set duration=long", 2, "duration: expected a number [s]");
  expect_refused(scenario_ + out + " --set nonsense", 2, "write key=value");
  expect_refused(scenario_ + out + " --set robot.model=no_such_robot", 2, "no_such_robot");
  expect_refused(scenario_ + out + " --set terrain.kind=flatt", 2, "did you mean 'flat'?");
  expect_refused(scenario_ + out + " --set 'record.signals=[\"sped\"]'", 2, "did you mean 'speed'?");
  EXPECT_FALSE(fs::exists(at("run")));
  expect_refused(scenario_ + " --out /proc/run", 2, "/proc/run: the folder cannot be made");
  expect_refused(scenario_ + " --out " + scenario_, 2, "is a file; the run needs a folder");
}

TEST_F(RunCommand, AFullDiskEndsTheRunWithStatusOneAndKeepsTheLog) {
  // ulimit counts in blocks of 512 or 1024 bytes, by shell.
  const auto result =
      run_program("ulimit -f 200; " + command() + " run " + scenario_ +
                  " --set duration=20 --set record.period=0.001 --out " + at("run") + " 2>&1");
  scree::testing::expect_one_line_error(result, 1, "cannot be written: File too large");
  const auto folder = scree::RunFolder::open(at("run"));
  EXPECT_GT(folder.times().size(), 10u);
  EXPECT_EQ(value_of(folder.summary, "outcome"), "\"failed\"");
}

TEST_F(RunCommand, CtrlCEndsTheRunCleanlyWithWhatWasComputed) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string out = at("run");
    const std::string program = command();
    ::execl(program.c_str(), program.c_str(), "run", scenario_.c_str(), "-q", "--set", "duration=1e7",
            "--set", "record.period=1", "--out", out.c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 200 && !fs::exists(at("run/log.csv")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const auto folder = scree::RunFolder::open(at("run"));
  EXPECT_EQ(value_of(folder.summary, "outcome"), "\"interrupted\"");
  EXPECT_GT(folder.times().size(), 1u);
}

}  // namespace
