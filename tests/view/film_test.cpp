/// From a scenario to pictures and films without a display, and back from the folder of a run.
#include "scree/view/film.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"
#include "scree/view/painter.hpp"
#include "scree/view/soil_paint.hpp"
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
  s.detail = Detail::low;
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

TEST(Film, WheelsInSoilLeaveTheirRuts) {
  Folder folder;
  const auto file = small_scenario(folder, 2.0);
  const auto lines = [&](const std::vector<std::string>& changes) {
    const Scenario scenario = load_scenario(file, changes);
    std::vector<std::string> warnings;
    const Recording recording = simulate(scenario, 30, 2, {}, warnings);
    Stage stage(scenario, warnings);
    stage.extend_trails(recording);
    return stage.compose(stage.moment_at(recording, 2), {}, 2, &recording).lines.size();
  };
  const std::size_t rigid = lines({});
  EXPECT_GE(lines({"terrain.soil={names=[\"lete_sand\"]}", "robot.set=['wheel.contact={kind=\"soil\"}']"}),
            rigid + 8)
      << "two edges a wheel";
}

TEST(Film, StillShowsTheRobotWhereItStands) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 30, 0.5, {}, warnings);
  EXPECT_TRUE(warnings.empty());
  const auto context = make_offscreen_context();
  Stage stage(scenario, warnings);
  Painter painter({.width = 240, .height = 136, .software = true, .detail = Detail::low});
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

TEST(Film, PlotsWithoutNamesShowSpeedAndLoads) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 30, 0.3, {}, warnings);
  const auto context = make_offscreen_context();
  Stage stage(scenario, warnings);
  Painter painter({.width = 320, .height = 180, .software = true, .detail = Detail::low});
  const auto draw = [&](bool plots, std::vector<std::string> names) {
    painter.hud = {.panel = false, .plots = plots, .legend = false};
    painter.plots = std::move(names);
    painter.draw(stage, recording, 0.3, {});
    return painter.picture();
  };
  const Image without = draw(false, {}), usual = draw(true, {});
  EXPECT_NE(usual.pixels, without.pixels);
  EXPECT_EQ(usual.pixels, draw(true, {"speed", "wheel.*.normal"}).pixels);
  EXPECT_NE(usual.pixels, draw(true, {"pitch"}).pixels);
}

TEST(Film, UnknownPlotsAreRefusedAndTooManyAreTold) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 10, 0.2, {}, warnings);
  FilmSettings s = small_film(folder / "plots.png");
  s.plots = {"sped"};
  try {
    film(scenario, recording, s);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--plot sped"));
    EXPECT_THAT(error.what(), HasSubstr("speed"));
  }
  s.plots = {"wheel.*"};
  EXPECT_THAT(film(scenario, recording, s).warnings, ::testing::Contains(HasSubstr("the first 8 are drawn")));
  s.plots = {"speed", "wheel.*.spin"};
  EXPECT_TRUE(film(scenario, recording, s).warnings.empty());
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

/// Leaves the working folder as it was, whatever a test does.
struct ElsewhereFor {
  std::filesystem::path before = std::filesystem::current_path();
  explicit ElsewhereFor(const std::filesystem::path& there) { std::filesystem::current_path(there); }
  ~ElsewhereFor() { std::filesystem::current_path(before); }
};

TEST(Film, RunFolderIsReplayedFromAnywhereWithItsModelMeshAndTexture) {
  Folder folder;
  namespace fs = std::filesystem;
  fs::create_directories(folder / "own/robots/meshes");
  fs::create_directories(folder / "elsewhere");
  small_scenario(folder, 0.2);
  fs::rename(folder / "robot.toml", folder / "own/robots/robot.toml");
  std::ofstream(folder / "own/robots/look.toml") << "[[part]]\non = \"chassis\"\nmesh = \"meshes/box.obj\"\n";
  std::ofstream(folder / "own/robots/meshes/box.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  write_png(folder / "own/ground.png", Image(4, 4, 3));
  std::ofstream(folder / "own/s.toml") << "duration = 0.2\n[terrain]\nkind = \"flat\"\n"
                                       << "[[robot]]\nmodel = \"robots/robot.toml\"\n"
                                       << "[view]\ntexture = \"ground.png\"\n";
  {
    const ElsewhereFor own(folder / "own");  // the scenario named without a folder
    RunWriter writer("../run", {.signals = {"*"}, .period = 0, .state_period = 0.02});
    Sink* const sinks[] = {&writer};
    run(load_scenario("s.toml"), sinks);
  }
  const ElsewhereFor other(folder / "elsewhere");
  const Source source = open_source("../run", {});
  EXPECT_TRUE(
      fs::equivalent(source.scenario.world->robots()[0].model->settings().folder, folder / "own/robots"));
  std::vector<std::string> warnings;
  Stage stage(source.scenario, warnings);
  EXPECT_THAT(warnings, ::testing::IsEmpty());
  EXPECT_TRUE(stage.ground().texture);
  EXPECT_EQ(run(load_scenario("../run/scenario.toml"), {}).state_hash,
            run(load_scenario(folder / "own/s.toml"), {}).state_hash);
}

TEST(Film, GroundIsPaintedByFrictionAndBySoil) {
  Folder folder;
  const auto file = small_scenario(folder, 0.1);
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto ground_of = [&](const std::string& more) {
    std::ofstream(folder / "soils.toml") << text << more;
    std::vector<std::string> warnings;
    Stage stage(load_scenario(folder / "soils.toml"), warnings);
    EXPECT_THAT(warnings, ::testing::IsEmpty());
    return stage.ground();
  };
  EXPECT_FALSE(ground_of("").soil_color);
  const std::string ice =
      "[[terrain.friction.polygon]]\nvalue = 0.1\ncorners = [[0, -9], [9, -9], [9, 9], [0, 9]]\n";
  const GroundLook slippery = ground_of(ice);
  ASSERT_TRUE(slippery.soil_color);
  EXPECT_EQ(slippery.soil_color(-1, 0), friction_color(1));
  EXPECT_EQ(slippery.soil_color(1, 0), friction_color(0.1));
  EXPECT_EQ(slippery.soil_legend.size(), 4u);
  const std::string soils =
      "[terrain.soil]\nnames = [\"sand\", \"clay\"]\nkind = \"function\"\nexpression = \"y > 0\"\n";
  const GroundLook two = ground_of(soils);
  EXPECT_EQ(two.soil_color(0, -1), soil_color(0));
  EXPECT_EQ(two.soil_color(0, 1), soil_color(1));
  EXPECT_EQ(two.soil_legend[1].first, "clay");
  // Ice on sand is bluer than sand, and still not the colour of ice on clay.
  const GroundLook both = ground_of(ice + soils);
  EXPECT_GT(both.soil_color(1, -1).z(), two.soil_color(1, -1).z());
  EXPECT_NE(both.soil_color(1, -1), both.soil_color(1, 1));
  EXPECT_EQ(both.soil_color(-1, -1), soil_color(0));
}

TEST(Film, PaintingBySoilWithoutAMapIsSaid) {
  Folder folder;
  const Scenario scenario = load_scenario(small_scenario(folder, 0.1));
  std::vector<std::string> warnings;
  const Recording recording = simulate(scenario, 30, 0.05, {}, warnings);
  FilmSettings settings = small_film(folder / "a.png");
  EXPECT_THAT(film(scenario, recording, settings).warnings, ::testing::IsEmpty());
  settings.shading = "soil";
  EXPECT_THAT(film(scenario, recording, settings).warnings,
              ::testing::ElementsAre(HasSubstr("[terrain.friction]")));
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
