#include "scree/record/plot.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "scree/record/gnuplot_internal.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using scree::testing::message_of;
using scree::testing::TemporaryFolder;
using ::testing::HasSubstr;

RunFolder make_run(const std::string& name, double shift) {
  RunFolder run;
  run.path = "runs/" + name;
  run.columns = {{"time", "s", {}},
                 {"speed", "m/s", {}},
                 {"wheel.left.normal", "N", {}},
                 {"wheel.right.normal", "N", {}}};
  for (int i = 0; i < 500; ++i) {
    const double t = 0.01 * i;
    run.columns[0].values.push_back(t);
    run.columns[1].values.push_back(std::sin(t + shift));
    run.columns[2].values.push_back(100 + 10 * std::cos(3 * t));
    run.columns[3].values.push_back(i % 50 == 0 ? NAN : 120 + shift * t);
  }
  return run;
}

TEST(TimeSeries, SignalsWithTheSameLastNameAndUnitShareAPanel) {
  const std::vector<RunFolder> runs = {make_run("a", 0)};
  const Figure figure = time_series(runs);
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.title, "a");
  EXPECT_EQ(figure.panels[0].y_label, "speed [m/s]");
  EXPECT_EQ(figure.panels[1].y_label, "normal [N]");
  ASSERT_EQ(figure.panels[1].curves.size(), 2u);
  EXPECT_EQ(figure.panels[1].curves[0].label, "wheel.left.normal");
}

TEST(TimeSeries, AUnitHasOnePanelAndNumbersWithoutAUnitOneEachName) {
  RunFolder run = make_run("a", 0);
  for (const char* name : {"vx", "wheel.a.slip", "wheel.b.slip", "charge"})
    run.columns.push_back({name, std::string(name) == "vx" ? "m/s" : "-", run.times()});
  const std::vector<RunFolder> runs = {run};
  const Figure figure = time_series(runs, {.signals = {"*"}, .title = ""});
  std::vector<std::string> labels;
  for (const Panel& panel : figure.panels) labels.push_back(panel.y_label);
  EXPECT_THAT(labels, ::testing::ElementsAre("speed, vx [m/s]", "normal [N]", "slip [-]", "charge [-]"));
  EXPECT_EQ(figure.panels[0].curves.size(), 2u);
}

TEST(TimeSeries, FromToAndLimitsAreHeeded) {
  const std::vector<RunFolder> runs = {make_run("a", 0)};
  PlotSettings settings;
  settings.signals = {"speed"};
  settings.from = 1, settings.to = 2;
  settings.y_limits = {-3, 4};
  const Figure figure = time_series(runs, settings);
  EXPECT_EQ(figure.panels[0].curves[0].x.front(), 1);
  EXPECT_NEAR(figure.panels[0].curves[0].x.back(), 2, 1e-9);
  EXPECT_THAT(figure.panels[0].y_range, ::testing::ElementsAre(-3, 4));
  settings.from = 99, settings.to = 100;
  EXPECT_THAT(message_of([&] { time_series(runs, settings); }), HasSubstr("the run goes from 0 s to 4.99 s"));
}

TEST(TimeSeries, OneSpikeDoesNotFlattenTheRest) {
  RunFolder run = make_run("a", 0);
  run.columns[1].values[250] = 1000;
  const std::vector<RunFolder> runs = {run};
  PlotSettings settings;
  settings.signals = {"speed"};
  const Figure figure = time_series(runs, settings);
  ASSERT_EQ(figure.panels[0].y_range.size(), 2u);
  EXPECT_LT(figure.panels[0].y_range[1], 2);
  EXPECT_GE(figure.panels[0].y_range[1], 1);
  EXPECT_THAT(figure.panels[0].title, HasSubstr("to 1000"));
  settings.whole = true;
  EXPECT_TRUE(time_series(runs, settings).panels[0].y_range.empty());
  run.columns[1].values[250] = 2;
  const std::vector<RunFolder> tame = {run};
  settings.whole = false;
  EXPECT_TRUE(time_series(tame, settings).panels[0].y_range.empty()) << "nothing is hidden without need";
}

TEST(TimeSeries, SeveralRunsLieOverEachOther) {
  const std::vector<RunFolder> runs = {make_run("a", 0), make_run("b", 1)};
  const Figure figure = time_series(runs, {.signals = {"speed"}, .title = ""});
  ASSERT_EQ(figure.panels.size(), 1u);
  ASSERT_EQ(figure.panels[0].curves.size(), 2u);
  EXPECT_EQ(figure.panels[0].curves[1].label, "b: speed");
}

TEST(TimeSeries, UnknownSignalsAndTooManyPanelsAreRefused) {
  const std::vector<RunFolder> runs = {make_run("a", 0)};
  EXPECT_THAT(message_of([&] { time_series(runs, {.signals = {"sped"}, .title = ""}); }),
              HasSubstr("did you mean 'speed'"));
  RunFolder wide = make_run("wide", 0);
  for (int i = 0; i < 20; ++i)
    wide.columns.push_back({"s" + std::to_string(i), "m^" + std::to_string(i), wide.times()});
  const std::vector<RunFolder> many = {wide};
  EXPECT_THAT(message_of([&] { time_series(many, {.signals = {"s*"}, .title = ""}); }),
              HasSubstr("--signals"));
}

TEST(Thinned, KeepsExtremesAndOrder) {
  Curve curve;
  for (int i = 0; i < 100000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54321 ? 7.0 : std::sin(0.001 * i));
  }
  const Curve thin = thinned(curve, 100);
  EXPECT_EQ(thin.x.size(), 200u);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
  EXPECT_THAT(thin.y, ::testing::Contains(7.0));
  EXPECT_EQ(thinned(curve, 60000).x.size(), curve.x.size()) << "short enough already";
}

class DrawFigure : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!scree::testing::have_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  }
  TemporaryFolder folder_;
};

TEST_F(DrawFigure, WritesPngSvgAndPdf) {
  const std::vector<RunFolder> runs = {make_run("it's a_b {x}", 0), make_run("b", 1)};
  const Figure figure = time_series(runs);
  for (const std::string name : {"a 'b'.png", "a.svg", "a.pdf"}) {
    draw_figure(figure, folder_.path() / name);
    EXPECT_GT(fs::file_size(folder_.path() / name), 4000u) << name;
  }
  EXPECT_EQ(folder_.read("a 'b'.png").substr(1, 3), "PNG");
  const std::string svg = folder_.read("a.svg");
  EXPECT_THAT(svg, HasSubstr("speed [m/s]"));
  EXPECT_THAT(svg, HasSubstr("time [s]"));
  EXPECT_THAT(svg, HasSubstr("a_b {x}: speed")) << "names are not taken for markup";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 3) << "nothing else is left";
}

TEST_F(DrawFigure, SaysWhyItFailedAndLeavesNothing) {
  const std::vector<RunFolder> runs = {make_run("a", 0)};
  const Figure figure = time_series(runs);
  EXPECT_THAT(message_of([&] { draw_figure(figure, folder_.path() / "a.jpeg"); }),
              HasSubstr(".png, .svg or .pdf"));
  EXPECT_THAT(message_of([&] { draw_figure({}, folder_.path() / "a.png"); }), HasSubstr("nothing to draw"));
  EXPECT_THAT(message_of([&] { draw_figure(figure, "/nowhere/a.png"); }), HasSubstr("/nowhere is no folder"));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

/// Names as an attacker would choose them, for a shell, for gnuplot's strings and for its blocks of data.
TEST_F(DrawFigure, NoTextIsEverACommand) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  const std::string nasty[] = {"a`touch PWN`.png",
                               "a$(touch PWN).png",
                               "a';system('touch PWN');'.png",
                               "a\";system(\"touch PWN\");\".png",
                               "a\nsystem('touch PWN')\n.png",
                               "END_OF_TEXT\nsystem('touch PWN')\n.png",
                               "|touch PWN;.png",
                               "@touch ; !touch PWN .png",
                               "-e.png",
                               "ümläut {^a} \xff%s.png"};
  for (const std::string& name : nasty) {
    Curve curve{name, {0, 1, 2}, {0, 1, 4}};
    Panel panel{name, name, {curve}};
    panel.title = name;
    panel.notes = {{1, 1, name}};
    draw_figure({.title = name, .panels = {panel}}, name);
    EXPECT_TRUE(fs::remove(name)) << name;
    EXPECT_TRUE(fs::is_empty(folder_.path())) << name << " left " << *fs::directory_iterator(folder_.path());
  }
  fs::current_path(before);
}

TEST_F(DrawFigure, TextsStandInTheFigureAsGiven) {
  const std::string text = "it's `x` \"q\" $(y) \\n {z}_1 END_OF_TEXT";
  Panel panel{text, "y", {{text, {0, 1}, {0, 1}}}};
  panel.notes = {{0.5, 0.5, text}};
  draw_figure({.title = text, .panels = {panel}}, folder_.path() / "a.svg");
  const std::string svg = folder_.read("a.svg");
  // Title, axis, legend, note.
  int found = 0;
  for (auto at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++found;
  EXPECT_GE(found, 4) << svg.substr(0, 4000);
}

TEST_F(DrawFigure, PointsBoxesAndLogarithmicAxes) {
  Panel points{"f", "S", {{"cloud", {1, 10, 100}, {1, 0.1, 0.01}, Mark::points, 0x112233}}};
  points.log_x = points.log_y = true;
  Panel boxes{"x", "y", {{"", {0, 1}, {0, 1}, Mark::boxes, 0xabcdef, 0.5, 0.5}}};
  boxes.x_range = {-1, 2};
  draw_figure({.title = "t", .panels = {points, boxes}, .legend_inside = true}, folder_.path() / "a.svg");
  const std::string svg = folder_.read("a.svg");
  for (const char* mark : {"17,  34,  51", "171, 205, 239", "-1", "cloud"}) EXPECT_THAT(svg, HasSubstr(mark));
}

/// A picture of four colours with a curve over it.
TEST_F(DrawFigure, PicturesHaveAxesAndAScale) {
  Panel panel{"x [m]", "y [m]", {}};
  panel.raster = {
      2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 250, 250, 0}, -1, 1, -1, 1, -3, 5, {0, 0xffffff}, "height [m]"};
  panel.curves.push_back({"way", {-1, 1}, {0.2, 0.2}, Mark::line, 0x000000});
  const Figure figure{.title = "map", .panels = {panel}, .panel_width = 400, .panel_height = 300};
  for (const char* name : {"m.png", "m.svg", "m.pdf"}) {
    draw_figure(figure, folder_.path() / name);
    EXPECT_GT(fs::file_size(folder_.path() / name), 500u) << name;
  }
  const std::string svg = folder_.read("m.svg");
  for (const char* part : {"height [m]", "x [m]", "way", "data:image/png"}) EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 3) << "nothing else is left";
}

TEST_F(DrawFigure, NeedsGnuplotAndSaysSo) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.path().c_str(), 1);
  const std::vector<RunFolder> runs = {make_run("a", 0)};
  EXPECT_THAT(message_of<RunError>([&] { draw_figure(time_series(runs), folder_.path() / "a.png"); }),
              HasSubstr("need the program gnuplot"));
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace scree
