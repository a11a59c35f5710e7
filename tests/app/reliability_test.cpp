/// What docs/reliability.md promises, tried on the program itself.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "scree/core/random.hpp"
#include "scree/record/run_folder.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

#ifdef SCREE_HAVE_COMMAND
namespace scree {
namespace {

namespace fs = std::filesystem;
using scree::testing::ProgramResult;
using scree::testing::run_program;
using scree::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class Reliability : public ::testing::Test {
 protected:
  void SetUp() override { scenario_ = folder_.write("s.toml", text("kind = \"sines\"")); }
  static std::string text(const std::string& terrain) {
    return "format = 1\nduration = 0.5\n[terrain]\n" + terrain +
           "\n[[robot]]\nmodel = \"skid4\"\n[robot.start]\nclearance = 0.02\n[record]\nperiod = 0.01\n";
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  ProgramResult scree(const std::string& arguments, const std::string& before = "") const {
    return run_program("cd '" + folder_.path().string() + "'; " + before + " '" + command() + "' " +
                       arguments + " 2>&1");
  }
  /// Starts a run that lasts until it is ended.
  pid_t start(const std::string& out, const std::string& period = "record.period=0.001") const {
    const pid_t child = ::fork();
    if (child == 0) {
      const std::string program = command();
      ::execl(program.c_str(), program.c_str(), "run", scenario_.c_str(), "-q", "--set", "duration=1e6",
              "--set", period.c_str(), "--out", out.c_str(), nullptr);
      ::_exit(127);
    }
    return child;
  }
  static int end(pid_t child, int signal) {
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  void wait_for(const std::string& file) const {
    for (int i = 0; i < 500 && !fs::exists(at(file)); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  static void expect_one_line(const ProgramResult& r, int status, const std::string& part) {
    EXPECT_EQ(r.status, status) << r.output;
    EXPECT_THAT(r.output, HasSubstr(part));
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  }
  TemporaryFolder folder_;
  std::string scenario_;
};

TEST_F(Reliability, TwoRunsDoNotShareAFolder) {
  const pid_t first = start(at("run"));
  wait_for("run/log.csv");
  expect_one_line(scree("run s.toml -q --out run --force"), 2, "another run is writing there");
  EXPECT_EQ(end(first, SIGKILL), 128 + SIGKILL);
  const ProgramResult after = scree("run s.toml -q --out run --force");
  if (after.status != 0) {  // a command without --force writes over an old run unasked
    const ProgramResult plain = scree("run s.toml -q --out run");
    EXPECT_EQ(plain.status, 0) << "a killed run leaves no lock: " << plain.output;
  }
  EXPECT_TRUE(RunFolder::open(at("run")).complete);
}

TEST_F(Reliability, KilledAtAHundredRandomMomentsTheFolderReads) {
  RandomStream random(9, 0, "kill");
  int with_log = 0;
  for (int k = 0; k < 100; ++k) {
    const std::string name = "run" + std::to_string(k);
    const pid_t child = start(at(name));
    // Some until the log has its first lines, however slow the machine; the others at any moment before.
    for (int i = 0; k % 10 == 0 && i < 500 &&
                    !(fs::exists(at(name + "/log.csv")) && fs::file_size(at(name + "/log.csv")) > 0);
         ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(120000)));
    end(child, SIGKILL);
    if (!fs::exists(at(name + "/log.csv")) || fs::file_size(at(name + "/log.csv")) == 0) continue;
    ++with_log;
    EXPECT_NO_THROW({
      const RunFolder run = RunFolder::open(at(name));
      EXPECT_FALSE(run.complete);
    }) << name;
    fs::remove_all(at(name));
  }
  EXPECT_GT(with_log, 5) << "killed too early to say anything";
}

TEST_F(Reliability, SignalsEndARunWithItsSummary) {
  for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
    const std::string name = "run" + std::to_string(signal);
    const pid_t child = start(at(name));
    wait_for(name + "/log.csv");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(end(child, signal), 1);
    EXPECT_THAT(RunFolder::open(at(name)).summary, HasSubstr("\"outcome\": \"interrupted\"")) << signal;
  }
}

TEST_F(Reliability, AFullDiskLeavesAShortLogAndATrueSummary) {
  const ProgramResult r =
      scree("run s.toml --set duration=20 --set record.period=0.001 --out run", "ulimit -f 200;");
  expect_one_line(r, 1, "cannot be written");
  const RunFolder run = RunFolder::open(at("run"));
  EXPECT_GT(run.times().size(), 10u);
  EXPECT_THAT(run.summary, AllOf(HasSubstr("\"outcome\": \"failed\""), Not(HasSubstr("\"simulated_s\": 0,")),
                                 Not(HasSubstr("\"steps\": 0,"))));
}

TEST_F(Reliability, TooLittleMemoryIsOneLine) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer does not start under a limit";
#endif
  std::vector<std::string> all{"run s.toml -q", "terrain info fbm --set 'cells=[4000,4000]'", "plot nothing"};
#ifdef SCREE_HAVE_VIEW
  all.push_back("render s.toml --at 0.1 -o picture.png");
#endif
  for (const char* limit : {"ulimit -v 1000000;", "ulimit -v 400000;", "ulimit -v 250000;"}) {
    for (const std::string& what : all) {
      const ProgramResult r = scree(what, limit);
      EXPECT_THAT(r.status, AnyOf(0, 1, 2)) << limit << what << ": " << r.output;
      if (r.status != 0) {
        EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
      }
    }
  }
}

TEST_F(Reliability, LocalesMissingHomeAndUnicodeChangeNothing) {
  const auto hash = [](const ProgramResult& r) {
    const auto found = r.output.find("state_hash");
    return found == std::string::npos ? r.output : r.output.substr(found, 40);
  };
  const std::string plain = hash(scree("run s.toml --json"));
  EXPECT_THAT(plain, HasSubstr("state_hash"));
  EXPECT_EQ(hash(scree("run s.toml --json", "LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8")), plain);
  EXPECT_EQ(hash(scree("run s.toml --json", "env -u HOME")), plain);
  EXPECT_EQ(hash(scree("run s.toml --json", "env -i")), plain);
  fs::create_directories(folder_.path() / "Geröll 石 'x'");
  fs::copy(folder_.path() / "s.toml", folder_.path() / "Geröll 石 'x'" / "lauf ä.toml");
  const ProgramResult r = scree("run \"Geröll 石 'x'/lauf ä.toml\" --json --out \"Geröll 石 'x'/lauf\"");
  EXPECT_EQ(hash(r), plain);
  EXPECT_TRUE(RunFolder::open(folder_.path() / "Geröll 石 'x'" / "lauf").complete);
}

TEST_F(Reliability, GroundThatIsNoNumberEndsTheRunWithPlaceAndTime) {
  folder_.write("pole.toml", text("kind = \"function\"\nexpression = \"1/(x-x)\""));
  expect_one_line(scree("run pole.toml -q"), 1, "at the start (t = 0 s): the ground at x = ");
  // Level, and no number from x = 0.6 on; the robot rolls there.
  folder_.write("edge.toml", text("kind = \"function\"\nexpression = \"x < 0.6 ? 0 : 0/0\""));
  const ProgramResult r = scree("run edge.toml -q --set duration=3 --set robot.start.speed=1 --out run");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_THAT(r.output,
              AllOf(HasSubstr("t = 0."), HasSubstr("the ground at x = 0.6"), HasSubstr("not finite")));
  EXPECT_THAT(RunFolder::open(at("run")).summary, HasSubstr("\"outcome\": \"bad_ground\""));
  folder_.write("slip.toml",
                text("kind = \"flat\"\n[terrain.friction]\nkind = \"function\"\nexpression = \"-5\""));
  EXPECT_THAT(scree("run slip.toml -q").output, AllOf(HasSubstr("gives -5"), HasSubstr("outside [0, 10]")));
  expect_one_line(scree("terrain make function --set expression=1/x --area -1 1 -1 1 --cell 0.5 -o a.txt"), 2,
                  "is not a finite number");
  EXPECT_FALSE(fs::exists(at("a.txt")));
}

TEST_F(Reliability, MoreStepsThanCouldEverRunAreRefused) {
  expect_one_line(scree("run s.toml --set solver.step=1e-300"), 2, "solver.step");
  expect_one_line(scree("run s.toml --set duration=1e300"), 2, "more than could ever run");
  expect_one_line(scree("run s.toml --set record.period=1e-300"), 2, "record.period");
  expect_one_line(scree("run s.toml --set robot.control.kind=speed --set robot.control.rate=1e9"), 2, "rate");
}

TEST_F(Reliability, NonsenseOnTheCommandLineIsRefused) {
  for (const auto& [arguments, part] : {std::pair{"terrain make fbm --cell nan -o a.txt", "--cell"},
                                        {"terrain make fbm --cell 0 -o a.txt", "must be a number above zero"},
                                        {"terrain make fbm --seed -1 -o a.txt", "must not be negative"},
                                        {"run s.toml --out ''", "is empty"},
                                        {"compare a --speed nan", "--speed"},
                                        {"render s.toml --at nan -o a.png", "not a finite number"},
                                        {"terrain info flat --area 0 nan 0 1", "not a finite number"}}) {
    const ProgramResult r = scree(arguments);
    EXPECT_EQ(r.status, 2) << arguments << ": " << r.output;
    EXPECT_THAT(r.output, HasSubstr(part)) << arguments;
    EXPECT_LT(r.output.size(), 200u) << arguments;
  }
}

TEST_F(Reliability, ErrorsInTheRobotsChangesNameTheScenario) {
  folder_.write("set.toml",
                "format = 1\nduration = 0.1\n[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = \"skid4\"\n"
                "set = [\"wheel.radius=-1\"]\n");
  const ProgramResult r = scree("run set.toml");
  expect_one_line(r, 2, "set.toml: robot.set");
  EXPECT_THAT(r.output, Not(HasSubstr("command line")));
}

TEST_F(Reliability, KeysOfAnyDepthAreRefusedNotFatal) {
  std::string deep = "a";
  for (int k = 0; k < 300000; ++k) deep += ".a";
  folder_.write("deep.toml", "format = 1\n" + deep + " = 1\n");
  expect_one_line(scree("run deep.toml"), 2, "deep.toml:2: a key of more than 20 parts");
  folder_.write("head.toml", "[" + deep + "]\n");
  expect_one_line(scree("run head.toml"), 2, "head.toml:1: a key");
  folder_.write("inline.toml", "x = {" + deep + " = 1}\n");
  expect_one_line(scree("run inline.toml"), 2, "inline.toml:1: a key");
}

TEST_F(Reliability, NothingIsLeftBehindByAnInterruptedExport) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string program = command(), out = at("big.txt");
    ::execl(program.c_str(), program.c_str(), "terrain", "make", "fbm", "--set", "size=[100,100]", "--set",
            "cells=[3000,3000]", "-o", out.c_str(), nullptr);
    ::_exit(127);
  }
  const auto parts = [&] {
    int count = 0;
    for (const auto& e : fs::directory_iterator(folder_.path()))
      count += e.path().string().find(".part") != std::string::npos;
    return count;
  };
  for (int i = 0; i < 1500 && parts() == 0 && !fs::exists(at("big.txt")); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  end(child, SIGTERM);
  EXPECT_EQ(parts(), 0);
}

}  // namespace
}  // namespace scree
#endif
