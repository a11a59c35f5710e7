/// From a scenario to pictures and films without a display, and back from the folder of a run.
#include "scree/view/film.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"
#include "scree/view/painter.hpp"
#include "scree/view/source.hpp"
#include "view/small_scenario.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::HasSubstr;

FilmSettings small_film(const std::filesystem::path& out) {
  FilmSettings s;
  s.out = out;
  s.width = 240, s.height = 136;
  s.fine = false;
  return s;
}

TEST(Film, SoilsHaveColoursOfTheirOwn) {
  Folder folder;
  const auto file = small_scenario(folder);
  std::vector<std::string> warnings;
  Stage plain(load_scenario(file), warnings);
  EXPECT_FALSE(plain.ground().soil_color);
  Stage stage(
      load_scenario(file, {"terrain.soil={names=[\"sand\",\"clay\"],kind=\"function\",expression=\"x>0\"}"}),
      warnings);
  ASSERT_TRUE(stage.ground().soil_color);
  EXPECT_GT((stage.ground().soil_color(1, 0) - stage.ground().soil_color(-1, 0)).norm(), 0.2);
  EXPECT_EQ(stage.ground().soil_color(1, 0), stage.ground().soil_color(5, 3));
}

TEST(Film, StillShowsTheRobotWhereItStands) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 30, 0.5, {}, warnings);
  EXPECT_TRUE(warnings.empty());
  const auto context = make_offscreen_context();
  Stage stage(scenario, warnings);
  Painter painter({.width = 240, .height = 136, .software = true, .fine = false});
  painter.hud = {.panel = false, .legend = false};
  for (const std::string& name : stage.camera_names()) {
    painter.camera = stage.find_camera(name);
    painter.draw(stage, recording, 0.4, {});
    const Image with = painter.picture();
    // The robot's paint is orange on grey ground: its pixels lie around its projected centre.
    const auto orange = [](const std::uint8_t* p) {
      return p[0] > 90 && p[0] > 1.5 * p[2] && p[0] > 1.15 * p[1];
    };
    const auto [count, middle] = find_pixels(with, orange);
    const Moment moment = stage.moment_at(recording, 0.4);
    const auto at = painter.viewpoint().project(moment.robots[0].links[0].p, 240, 136);
    if (name == "onboard" || name == "wheel") continue;  // may look past the body
    ASSERT_TRUE(at) << name;
    EXPECT_GT(count, 40) << name;
    EXPECT_NEAR((middle - *at).norm(), 0, 14) << name;
  }
}

TEST(Film, VideoHasTheFramesOfItsTime) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  FilmSettings settings = small_film(folder / "a.mp4");
  settings.width = 160, settings.height = 90;
  settings.fps = 10;
  settings.to = 0.6;
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, settings.fps, settings.to, {}, warnings);
  double last = 0;
  settings.progress = [&](double done) { last = done; };
  const FilmResult result = film(scenario, recording, settings);
  EXPECT_EQ(result.frames, 6);
  EXPECT_EQ(last, 1.0);
  EXPECT_TRUE(std::filesystem::file_size(folder / "a.mp4") > 1000);
}

TEST(Film, ReplayedRunLooksLikeTheSimulatedOne) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  RunWriter writer(folder / "run", {.signals = {"*"}, .period = 0, .state_period = 0.02});
  Sink* const sinks[] = {&writer};
  run(scenario, sinks);
  const Source source = open_source(folder / "run", {});
  ASSERT_TRUE(source.recording);
  std::vector<std::string> warnings;
  const Recording simulated = simulate(scenario, 50, -1, {}, warnings);
  EXPECT_NEAR(source.recording->end(), simulated.end(), 1e-9);
  FilmSettings settings = small_film(folder / "a.png");
  settings.at = 0.8;
  film(scenario, simulated, settings);
  settings.out = folder / "b.png";
  film(source.scenario, *source.recording, settings);
  const Image a = read_image(folder / "a.png"), b = read_image(folder / "b.png");
  // The title differs ("run" for the scenario's name) and nothing else.
  EXPECT_LT(perceptual_difference(a, b), 0.003);
}

TEST(Film, DrawingChangesNoResult) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  const RunSummary plain = run(scenario, {});
  std::vector<std::string> warnings;
  const Recording filmed = simulate(scenario, 60, -1, {}, warnings);
  const auto last = filmed.state(filmed.size() - 1);
  State state(*scenario.world);
  std::copy(last.begin(), last.end(), state.all().begin());
  EXPECT_EQ(state.hash(), plain.state_hash);
}

TEST(Film, MissingMeshIsNamedAndReplaced) {
  Folder folder;
  const auto file = small_scenario(folder);
  std::ofstream(folder / "look.toml")
      << "[[part]]\non = \"chassis\"\nmesh = \"gone.obj\"\n[[part]]\non = \"tail\"\nmesh = \"box.obj\"\n";
  std::ofstream(folder / "box.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const Scenario scenario = load_scenario(file);
  std::vector<std::string> warnings;
  Stage stage(scenario, warnings);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], HasSubstr("gone.obj"));
  EXPECT_THAT(warnings[1], HasSubstr("tail"));
}

TEST(Film, SaysWhatIsWrong) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 30, 0.1, {}, warnings);
  const auto refusal = [&](auto change) -> std::string {
    FilmSettings s = small_film(folder / "a.png");
    change(s);
    try {
      film(scenario, recording, s);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal([](FilmSettings& s) { s.out = "a.doc"; }), HasSubstr(".png"));
  EXPECT_THAT(refusal([](FilmSettings& s) { s.at = 99; }), HasSubstr("ends at"));
  EXPECT_THAT(refusal([](FilmSettings& s) { s.camera = "chaise"; }), HasSubstr("chase"));
  EXPECT_THAT(refusal([](FilmSettings& s) { s.shading = "hight"; }), HasSubstr("height"));
  EXPECT_THROW(parse_size("1280"), InputError);
  EXPECT_THROW(parse_size("1280x-5"), InputError);
  EXPECT_EQ(parse_size("640x360"), std::make_pair(640, 360));
  EXPECT_THROW(open_source(folder / "nothing", {}), InputError);
}

}  // namespace
}  // namespace scree::view
