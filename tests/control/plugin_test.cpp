/// Plug-ins built against the installed package: the example works, bad ones are told apart.
#include "scree/control/plugin.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "control/fake_robot.hpp"
#include "scree/core/errors.hpp"
#include "support/paths.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using testing::FakeRobot;

/// Installs the package and builds the plug-ins, into a folder that the programs of all tests of this file
/// share: one after the other, and the first does the work.
class Plugin : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::path(build_tree()) / "tests" / "plugins";
    fs::create_directories(folder_);
    const int lock = ::open((folder_ / "lock").c_str(), O_CREAT | O_RDWR, 0600);
    ::flock(lock, LOCK_EX);
    fs::remove(folder_ / "log");
    const std::string log = " >> " + (folder_ / "log").string() + " 2>&1";
    auto shell = [&](const std::string& command) {
      built_ = built_ && std::system((command + log).c_str()) == 0;
    };
    shell("cmake --install " + build_tree() + " --prefix " + (folder_ / "installed").string());
    shell("cmake -G Ninja -S " + source_tree("/tests/control/plugins -B ") + (folder_ / "build").string() +
          " -DCMAKE_BUILD_TYPE=Debug -DEXAMPLE=" + source_tree("/examples/plugin -DCMAKE_PREFIX_PATH=") +
          (folder_ / "installed").string());
    shell("cmake --build " + (folder_ / "build").string());
    ::close(lock);
  }
  void SetUp() override {
    if (built_) return;
    std::ifstream log(folder_ / "log");
    FAIL() << std::string(std::istreambuf_iterator<char>(log), {});
  }

  static std::string library(const std::string& name) {
    const std::string file = "lib" + name + ".so";
    for (const auto& e : fs::recursive_directory_iterator(folder_ / "build"))
      if (e.path().filename() == file) return e.path().string();
    return file;
  }
  static MadeController make(FakeRobot& f, const std::string& file, const std::string& parameters = "") {
    return f.make("kind = \"plugin\"\nplugin = \"" + file + "\"\nparameters = { " + parameters + " }");
  }
  static std::string message(const std::function<void()>& f) {
    try {
      f();
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  }
  static inline fs::path folder_;
  static inline bool built_ = true;
};

TEST_F(Plugin, ExampleDrivesAndReportsItsSignal) {
  FakeRobot f;
  auto made = make(f, library("creep"), "speed = 0.6, gain = 10");
  checked_update(*made.controller, "creep", f.readings, f.commands, f.info);
  EXPECT_NEAR(f.commands[3].value, 6, 1e-12);
  ASSERT_EQ(made.controller->signals().size(), 1u);
  f.readings.roll = 0.5;
  checked_update(*made.controller, "creep", f.readings, f.commands, f.info);
  double leaning = 0;
  made.controller->values({&leaning, 1});
  EXPECT_EQ(leaning, 1);
  EXPECT_EQ(f.commands[3].value, 0);
}

TEST_F(Plugin, MisspeltParametersAreRefusedWithTheNearestName) {
  FakeRobot f;
  EXPECT_NE(message([&] {
              make(f, library("creep"), "sped = 0.6");
            }).find("has no parameter 'sped'; did you mean 'speed'?"),
            std::string::npos);
}

TEST_F(Plugin, ABareNameIsTheFileBesideTheScenario) {
  FakeRobot f;
  const fs::path before = fs::current_path();
  fs::current_path(fs::path(library("creep")).parent_path());
  std::ofstream("control.toml") << "kind = \"plugin\"\nplugin = \"libcreep.so\"\n";
  EXPECT_EQ(message([&] {
              const Document d = Document::from_file("control.toml");
              Section s = d.root();
              make_controller(s, f.info);
            }),
            "");
  fs::current_path(before);
}

TEST_F(Plugin, OneThatThrowsOrReturnsNanEndsTheRun) {
  FakeRobot f;
  for (auto [mood, part] : {std::pair{"mood = 1", "not today"}, {"mood = 2", "front_left"}}) {
    auto made = make(f, library("moody"), mood);
    const std::string m =
        message([&] { checked_update(*made.controller, "plugin", f.readings, f.commands, f.info); });
    EXPECT_NE(m.find(part), std::string::npos) << m;
  }
  EXPECT_NE(message([&] { make(f, library("moody"), "mood = -1"); }).find("refuses: mood must be"),
            std::string::npos);
}

TEST_F(Plugin, WhatOneRemembersIsSavedAndRestored) {
  FakeRobot f;
  auto first = make(f, library("moody"), "mood = 6"), second = make(f, library("moody"), "mood = 6");
  const auto sample = [&](MadeController& made) {
    checked_update(*made.controller, "plugin", f.readings, f.commands, f.info);
    return f.commands[0].value;
  };
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(sample(first), i);
  Memory count;
  first.controller->memory(count);
  std::vector<double> kept(count.count());
  Memory save = Memory::save(kept);
  first.controller->memory(save);
  EXPECT_EQ(sample(second), 1);
  Memory restore = Memory::restore(kept);
  second.controller->memory(restore);
  EXPECT_EQ(sample(second), 4);
}

TEST_F(Plugin, OneThatThrowsWhatIsNoExceptionIsRefused) {
  FakeRobot f;
  EXPECT_NE(message([&] { make(f, library("moody"), "mood = 3"); }).find("not a std::exception"),
            std::string::npos);
}

TEST_F(Plugin, OneWithoutFunctionsIsRefused) {
  FakeRobot f;
  const std::string m = message([&] { make(f, library("hollow")); });
  EXPECT_NE(m.find("lacks the functions"), std::string::npos) << m;
}

TEST_F(Plugin, OneThatThrowsWhenAskedForItsSignalsIsNamed) {
  FakeRobot f;
  auto made = make(f, library("moody"), "mood = 5");
  double value = 0;
  const std::string m = message([&] { checked_values(*made.controller, "plugin", "rover", {&value, 1}); });
  EXPECT_NE(m.find("controller 'plugin' of robot 'rover'"), std::string::npos) << m;
  EXPECT_NE(m.find("ask me later"), std::string::npos) << m;
}

TEST_F(Plugin, OtherVersionsAndOtherLibrariesAreRefused) {
  FakeRobot f;
  auto say = [&](const std::string& name) { return message([&] { make(f, library(name)); }); };
  const std::string own = "interface 999, this program has " + std::to_string(kPluginInterface);
  EXPECT_NE(say("stale").find(own), std::string::npos) << say("stale");
  EXPECT_NE(say("other").find("other headers"), std::string::npos) << say("other");
  EXPECT_NE(say("nothing").find("no controller plug-in"), std::string::npos) << say("nothing");
  EXPECT_NE(say("missing").find("does not exist"), std::string::npos) << say("missing");
  const fs::path text = folder_ / "text.so";
  std::ofstream(text) << "this is no library";
  EXPECT_NE(message([&] { make(f, text.string()); }).find("cannot be loaded"), std::string::npos);
}

}  // namespace
}  // namespace scree
