/// The window itself, on a display without a screen: keys, a virtual gamepad, pause, replay, filming,
/// quitting.
#include "scree/view/window.hpp"

#include <SDL.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"
#include "view/small_scenario.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::HasSubstr;

/// A display of software: Xvfb where it is installed, else SDL's own display without a screen.
class Display {
 public:
  Display() {
    if (std::system("command -v Xvfb >/dev/null 2>&1") != 0) {
      setenv("SDL_VIDEODRIVER", "offscreen", 1);
      return;
    }
    int ends[2];
    if (pipe(ends) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      close(ends[0]);
      const std::string number = std::to_string(ends[1]);
      if (!freopen("/dev/null", "w", stderr)) _exit(126);
      execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "640x480x24", "-nolisten", "tcp",
             "-noreset", nullptr);
      _exit(127);
    }
    close(ends[1]);
    // The server writes its number and the end of the line in two pieces, and dies if nobody reads both.
    std::string number;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
    close(ends[0]);
    setenv("DISPLAY", (":" + number).c_str(), 1);
    setenv("SDL_VIDEODRIVER", "x11", 1);
  }
  ~Display() {
    if (child_ > 0) {
      kill(child_, SIGTERM);
      waitpid(child_, nullptr, 0);
    }
  }

 private:
  pid_t child_ = -1;
};

void press(const char* key, bool down = true) {
  SDL_Event e{};
  e.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  e.key.keysym.scancode = SDL_GetScancodeFromName(key);
  e.key.keysym.sym = SDL_GetKeyFromScancode(e.key.keysym.scancode);
  e.key.state = down ? SDL_PRESSED : SDL_RELEASED;
  SDL_PushEvent(&e);
}

WindowOptions small_window(const std::filesystem::path& scenario) {
  WindowOptions o;
  o.path = scenario;
  o.window.width = 240, o.window.height = 136;
  o.window.vsync = false;
  o.out = scenario.parent_path();
  return o;
}

/// Keeps the graphics driver in memory after its window: what it leaks is then known as its own
/// (tests/sanitizers.supp) and not as something of an unknown module.
void keep_libraries_loaded() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        if (info->dlpi_name && *info->dlpi_name)
          dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
      },
      nullptr);
}

/// Turns until `done` holds; false when it does not within 100 s, which is long enough for a slow machine
/// under sanitizers: only a window that hangs takes that long.
template <class Done>
bool turn_until(Window& window, const Done& done) {
  keep_libraries_loaded();
  const double start = wall_clock();
  while (wall_clock() - start < 100) {
    if (!window.turn()) return done();
    if (done()) return true;
  }
  return false;
}

TEST(Window, RunsToItsEndWithTheStateOfAPlainRun) {
  Display display;
  Folder folder;
  const auto file = small_scenario(folder, 0.5);
  const RunSummary plain = run(load_scenario(file), {});
  WindowOptions options = small_window(file);
  options.speed = 4;
  Window window(options);
  ASSERT_TRUE(turn_until(window, [&] { return window.replaying(); }));
  const LiveStatus status = window.live()->status();
  EXPECT_TRUE(status.finished);
  EXPECT_EQ(status.state_hash, plain.state_hash);
  EXPECT_GT(status.deadlines, 50u);
  EXPECT_GT(window.frame_rate(), 0);
  EXPECT_NEAR(window.recording().end(), 0.5, 1e-9);
}

TEST(Window, KeysPauseStepSwitchAndQuit) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 60));
  options.paused = true;
  Window window(options);
  window.turn();
  EXPECT_TRUE(window.paused());
  const double start = window.live()->status().time;
  press("N");  // one step
  ASSERT_TRUE(turn_until(window, [&] { return window.live()->status().time > start; }));
  EXPECT_NEAR(window.live()->status().time - start, 1e-3, 1e-9);
  const std::size_t camera = window.painter().camera;
  press("C");
  press("P");
  press("F");
  press("I");
  press("S");
  press("=");
  const GroundShading shading = window.stage().ground().shading;
  window.turn();
  EXPECT_NE(window.painter().camera, camera);
  EXPECT_EQ(window.painter().overlays.path, PathStyle::z_vectors);
  EXPECT_TRUE(window.painter().overlays.forces);
  EXPECT_TRUE(window.painter().inset.has_value());
  EXPECT_NE(window.stage().ground().shading, shading);
  EXPECT_EQ(window.speed(), 2);
  for (const OrderInfo& o : orders())  // every overlay and panel on: no GL error
    if (o.order >= Order::contacts && o.order <= Order::labels) window.obey(o.order);
  window.obey(Order::help);
  EXPECT_NO_THROW(window.turn());
  window.obey(Order::help);
  press("Space");
  ASSERT_TRUE(turn_until(window, [&] { return window.live()->status().time > start + 0.05; }));
  press("Escape");
  EXPECT_FALSE(window.turn());
}

void click(int button_event, int x, int y) {
  SDL_Event e{};
  e.type = static_cast<Uint32>(button_event);
  e.button.button = SDL_BUTTON_LEFT;
  e.button.clicks = 1;
  e.button.x = x, e.button.y = y;
  SDL_PushEvent(&e);
}

void move_mouse(int x, int y) {
  SDL_Event e{};
  e.type = SDL_MOUSEMOTION;
  e.motion.state = SDL_BUTTON_LMASK;
  e.motion.x = x, e.motion.y = y;
  SDL_PushEvent(&e);
}

/// Nothing lies over the picture of a small window.
void hide_panels(Window& window) {
  window.painter().hud = HudChoice{.panel = false, .legend = false};
  window.turn(), window.turn();
}

Vec2 on_screen(Window& window, const Vec3& p) { return *window.painter().viewpoint().project(p, 240, 136); }

TEST(Window, EscapeClosesWhatLiesOverThePictureFirst) {
  Display display;
  Folder folder;
  Window window(small_window(small_scenario(folder, 60)));
  window.turn();
  window.obey(Order::help);
  window.turn();
  press("Escape");
  EXPECT_TRUE(window.turn());
  EXPECT_FALSE(window.painter().hud.help);
  press("Escape");
  EXPECT_FALSE(window.turn());
}

TEST(Window, RestartReadsTheFileAgainAndKeepsTheOldWhereItIsBad) {
  Display display;
  Folder folder;
  const auto file = small_scenario(folder, 60);
  Window window(small_window(file));
  window.turn();
  small_scenario(folder, 7);
  window.obey(Order::restart);
  EXPECT_EQ(window.stage().scenario().duration, 7);
  std::ofstream(file) << "format = 1\nnonsense = 2\n";
  window.obey(Order::restart);
  EXPECT_EQ(window.stage().scenario().duration, 7);
  ASSERT_FALSE(window.messages().empty());
  EXPECT_NE(window.messages().back().find(file.filename().string()), std::string::npos)
      << window.messages().back();
  ASSERT_TRUE(turn_until(window, [&] { return window.live()->status().time > 0.02; }));
}

TEST(Window, AHandPushesTheRobotAndIsToldAsAnEvent) {
  Display display;
  Folder folder;
  Window window(small_window(small_scenario(folder, 60)));
  ASSERT_TRUE(turn_until(window, [&] { return window.live()->status().time > 0.05; }));
  hide_panels(window);
  const Vec3 start = window.painter().moment().robots[0].center_of_mass;
  const Vec2 at = on_screen(window, start);
  SDL_SetModState(KMOD_CTRL);
  click(SDL_MOUSEBUTTONDOWN, static_cast<int>(at.x()), static_cast<int>(at.y()));
  window.turn();
  EXPECT_EQ(window.picked().robot, 0);
  move_mouse(static_cast<int>(at.x()) + 60, static_cast<int>(at.y()));
  const double begun = window.live()->status().time;
  ASSERT_TRUE(turn_until(window, [&] { return window.live()->status().time > begun + 0.4; }));
  click(SDL_MOUSEBUTTONUP, static_cast<int>(at.x()) + 60, static_cast<int>(at.y()));
  SDL_SetModState(KMOD_NONE);
  ASSERT_TRUE(turn_until(window, [&] { return !window.recording().events.empty(); }));
  EXPECT_EQ(window.recording().events.back().kind, "pushed");
  const Vec3 way = window.painter().moment().robots[0].center_of_mass - start;
  const Vec3 right = window.painter().viewpoint().axes().col(0);
  EXPECT_GT(way.dot(right), 0.02) << "to the right on the picture";
}

TEST(Window, MeasuresTwoPointsAndPicksAWheel) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 60));
  options.paused = true;
  Window window(options);
  ASSERT_TRUE(turn_until(window, [&] { return !window.recording().empty(); }));
  hide_panels(window);
  SDL_SetModState(KMOD_SHIFT);
  click(SDL_MOUSEBUTTONDOWN, 100, 110);
  click(SDL_MOUSEBUTTONDOWN, 140, 110);
  window.turn();
  EXPECT_NE(window.messages().back().find("m apart"), std::string::npos) << window.messages().back();
  const Vec2 at = on_screen(window, window.painter().moment().robots[0].wheels[0].pose.p);
  SDL_SetModState(KMOD_CTRL);
  click(SDL_MOUSEBUTTONDOWN, static_cast<int>(at.x()), static_cast<int>(at.y()));
  click(SDL_MOUSEBUTTONUP, static_cast<int>(at.x()), static_cast<int>(at.y()));
  window.turn();
  SDL_SetModState(KMOD_NONE);
  EXPECT_EQ(window.picked().robot, 0);
  EXPECT_GE(window.picked().wheel, 0);
  EXPECT_NO_THROW(window.turn());
}

TEST(Window, DrivingMovesTheRobotAndLettingGoIdles) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 60));
  // The controller wants it to stand; a person takes over.
  options.overrides = {"robot.start.speed=0", "robot.start.yaw_deg=0", "robot.control.speed=0"};
  options.speed = 8;
  Window window(options);
  press("Up");
  const auto x = [&] { return window.stage().moment_at(window.recording(), 1e9).robots[0].links[0].p.x(); };
  ASSERT_TRUE(turn_until(window, [&] { return !window.recording().empty() && x() > 1.3; }));
  EXPECT_TRUE(window.input().drive().active);
  press("Up", false);
  window.turn();
  EXPECT_FALSE(window.input().drive().active);
}

TEST(Window, GamepadDrivesAndItsUnpluggingIsSurvived) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 60));
  options.paused = true;
  Window window(options);
  const int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                               SDL_CONTROLLER_BUTTON_MAX, 0);
  ASSERT_GE(device, 0) << SDL_GetError();
  ASSERT_TRUE(turn_until(window, [&] { return window.input().has_gamepad(); }));
  EXPECT_THAT(window.messages().back(), HasSubstr("connected"));
  SDL_Joystick* stick = SDL_JoystickOpen(device);
  ASSERT_NE(stick, nullptr);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_LEFTY, -32768);  // stick forward
  ASSERT_TRUE(turn_until(window, [&] { return window.input().drive().active; }));
  EXPECT_NEAR(window.input().drive().left, 1, 0.01);
  EXPECT_NEAR(window.input().drive().right, 1, 0.01);
  SDL_JoystickSetVirtualAxis(stick, SDL_CONTROLLER_AXIS_LEFTY, 0);
  SDL_JoystickSetVirtualButton(stick, SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, SDL_PRESSED);
  const std::size_t camera = window.painter().camera;
  ASSERT_TRUE(turn_until(window, [&] { return window.painter().camera != camera; }));
  SDL_JoystickClose(stick);
  SDL_JoystickDetachVirtual(device);
  ASSERT_TRUE(turn_until(window, [&] { return !window.input().has_gamepad(); }));
  EXPECT_THAT(window.messages().back(), HasSubstr("disconnected"));
  EXPECT_FALSE(window.input().drive().active);
  EXPECT_TRUE(window.turn());
}

TEST(Window, ReplaysBackwardsJumpsAndFilms) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 0.4));
  options.speed = 8;
  Window window(options);
  ASSERT_TRUE(turn_until(window, [&] { return window.replaying(); }));
  press("V");
  window.turn();
  EXPECT_TRUE(window.filming());
  press("Backspace");  // backwards
  ASSERT_TRUE(turn_until(window, [&] { return window.player().time() == 0; }));
  press("End");
  window.turn();
  EXPECT_NEAR(window.player().time(), 0.4, 1e-9);
  press("Home");
  window.turn();
  EXPECT_EQ(window.player().time(), 0);
  press("V");
  window.turn();
  EXPECT_FALSE(window.filming());
  EXPECT_GT(std::filesystem::file_size(folder / "small-1.mp4"), 500u);
  press("F12");
  window.turn();
  EXPECT_TRUE(std::filesystem::exists(folder / "small-1.png"));
  press("R");  // restart: live again
  window.turn();
  EXPECT_FALSE(window.replaying());
}

TEST(Window, AFilmThatCannotBeMadeIsRememberedAndTheRunGoesOn) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 0.2));
  options.film = folder / "gone/film.mp4";
  options.close_at_end = true;
  Window window(options);
  window.run();
  EXPECT_TRUE(window.live()->status().finished);
  ASSERT_EQ(window.film_errors().size(), 1u);
  EXPECT_THAT(window.film_errors().front(), HasSubstr("gone/film.mp4"));
}

TEST(Window, OpensAnotherScenarioAndSurvivesABadOne) {
  Display display;
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder, 60));
  Window window(options);
  window.turn();
  EXPECT_THROW(window.open(folder / "gone.toml", {}), InputError);
  EXPECT_TRUE(window.turn());
  std::filesystem::copy(folder / "small.toml", folder / "other.toml");
  window.open(folder / "other.toml", {"duration=30"});
  ASSERT_TRUE(turn_until(window, [&] {
    return !window.recording().empty() && window.title().find("other") != std::string::npos;
  }));
}

void expect_no_window() {
  Folder folder;
  try {
    Window window(small_window(small_scenario(folder)));
    FAIL();
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), HasSubstr("scree render"));
  }
}

TEST(Window, WithoutADisplaySaysSoAndNamesRender) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  setenv("SDL_VIDEODRIVER", "x11", 1);
  expect_no_window();
}

TEST(Window, ACoreThatIsNotThereIsRefusedBeforeAnythingOpens) {
  Folder folder;
  WindowOptions options = small_window(small_scenario(folder));
  options.core = 100000;
  EXPECT_THROW(Window{options}, InputError);
}

TEST(Window, AReplayThatIsToCloseClosesAtItsEnd) {
  Display display;
  Folder folder;
  RunWriter writer(folder / "run", {.signals = {"*"}, .period = 0, .state_period = 0.02});
  Sink* const sinks[] = {&writer};
  run(load_scenario(small_scenario(folder, 0.3)), sinks);
  WindowOptions options = small_window(folder / "run");
  options.close_at_end = true;
  Window window(options);
  EXPECT_TRUE(window.turn());
  bool open = true;
  ASSERT_TRUE(turn_until(window, [&] { return window.player().time() >= 0.3 - 1e-9; }));
  for (int k = 0; k < 3 && open; ++k) open = window.turn();
  EXPECT_FALSE(open);
}

TEST(Window, AnUnseenDisplayIsNoneUnlessAskedForByName) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  unsetenv("SDL_VIDEODRIVER");
  expect_no_window();
}

/// In a process of its own: Mesa reads the version it is to play once.
TEST(WindowDeathTest, OldOpenGlIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("MESA_GL_VERSION_OVERRIDE", "2.1", 1);
        try {
          make_offscreen_context();
        } catch (const RunError& error) {
          std::fputs(error.what(), stderr);
          std::exit(3);
        }
        std::exit(0);
      },
      ::testing::ExitedWithCode(3), "OpenGL 3.3");
}

}  // namespace
}  // namespace scree::view
