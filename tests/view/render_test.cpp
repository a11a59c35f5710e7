/// Pictures checked by their content: things where they are projected, shadows where the sun puts them,
/// signs in their colours, the ground in each of its paintings, words that can be read.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "scree/core/errors.hpp"
#include "scree/view/hud.hpp"
#include "scree/view/overlays.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

const Material kMagenta{.name = "magenta", .color = rgb(0xff00ff), .roughness = 0.9f, .glow = 0.6f};
bool is_magenta(const std::uint8_t* p) {
  return p[0] > 120 && p[2] > 120 && p[1] < 0.6 * std::min(p[0], p[2]);
}

std::shared_ptr<Mesh> cube(double size, const Material& material) {
  auto mesh = std::make_shared<Mesh>();
  add_box(*mesh, {}, Vec3::Constant(size), 0.01 * size, material);
  return mesh;
}

Viewpoint from_south_west(double distance = 5) {
  Viewpoint v;
  v.eye = Vec3(-distance, -distance, 0.8 * distance);
  return v;
}

TEST(Render, ThingsAppearWhereTheyAreProjected) {
  Studio studio;
  const WaveGround ground;
  Scene scene;
  scene.terrain = &ground;
  const Viewpoint view = from_south_west();
  for (const Vec3& p : {Vec3(0, 0, 1), Vec3(1.2, -0.5, 0.8), Vec3(-0.8, 1.0, 1.3)}) {
    scene.instances.assign(1, {.mesh = cube(0.3, kMagenta), .pose = {Mat3::Identity(), p}});
    const auto [count, middle] = find_pixels(studio.shoot(scene, view), is_magenta);
    EXPECT_GT(count, 60);
    // The middle of a cube's silhouette is its centre up to perspective: under 1.5 px at this size.
    EXPECT_NEAR((middle - *view.project(p, 240, 160)).norm(), 0, 1.5);
  }
}

TEST(Render, FarFromTheOriginNothingShakes) {
  Studio studio;
  const FlatGround ground;
  const auto shoot = [&](const Vec3& origin) {
    Scene scene;
    scene.terrain = &ground;
    scene.focus = origin;
    scene.instances.push_back(
        {.mesh = cube(0.4, kMagenta), .pose = {Mat3::Identity(), origin + Vec3(0, 0, 0.5)}});
    Viewpoint v = from_south_west();
    v.eye += origin;
    v.target += origin;
    return find_pixels(studio.shoot(scene, v), is_magenta);
  };
  const auto [near_count, near_middle] = shoot(Vec3::Zero());
  // Five hundred kilometres away a single-precision metre would be 3 cm wide.
  const auto [far_count, far_middle] = shoot(Vec3(500000, 4200000, 0));
  EXPECT_NEAR(far_count, near_count, 0.02 * near_count);
  EXPECT_NEAR((far_middle - near_middle).norm(), 0, 0.3);
}

TEST(Render, ShadowFallsAwayFromTheSun) {
  Studio studio;
  const FlatGround ground;
  Scene scene;
  scene.terrain = &ground;
  scene.environment.to_sun = Vec3(1, 0, 1);  // 45 degrees, from +x: shadows fall towards -x
  scene.focus_radius = 1.5;
  scene.instances.push_back({.mesh = cube(0.5, kMagenta), .pose = {Mat3::Identity(), Vec3(0, 0, 1.5)}});
  Viewpoint view;
  view.eye = Vec3(-0.75, 0.001, 9);
  view.target = Vec3(-0.75, 0, 0);
  view.up = Vec3::UnitX();
  const Image image = studio.shoot(scene, view);
  const double shadow = mean_luma(image, *view.project(Vec3(-1.5, 0, 0), 240, 160), 2);
  const double mirrored = mean_luma(image, *view.project(Vec3(-1.5, 1.5, 0), 240, 160), 2);
  EXPECT_LT(shadow, 0.75 * mirrored);
  scene.instances[0].casts_shadow = false;
  const Image without = studio.shoot(scene, view);
  EXPECT_GT(mean_luma(without, *view.project(Vec3(-1.5, 0, 0), 240, 160), 2), 0.9 * mirrored);
}

TEST(Render, HillsShadeTheGroundBehindThem) {
  Studio studio;
  WaveGround ground;
  ground.height_scale = 1.0;
  Scene scene;
  scene.terrain = &ground;
  scene.environment.to_sun = Vec3(0, -1, 0.25);
  scene.focus_radius = 3;
  Viewpoint view;
  view.eye = Vec3(kPi / 0.8 / 2, 0.01, 14);
  view.target = Vec3(kPi / 0.8 / 2, 0, 0);
  view.up = Vec3::UnitX();
  const Image image = studio.shoot(scene, view);
  // Crest at y = 0, trough at y = pi/0.8: the slope behind the crest (+y) lies in shadow, the one before it
  // in light.
  const double x = kPi / 0.8 / 2, y = kPi / 0.8 / 2;
  const double dark = mean_luma(image, *view.project(Vec3(x, y, ground.height(x, y)), 240, 160), 3);
  const double light = mean_luma(image, *view.project(Vec3(x, -y, ground.height(x, -y)), 240, 160), 3);
  EXPECT_LT(dark, 0.7 * light);
}

/// A jump to ground that was not seen before: while its tiles are made nothing is darker than in the end.
TEST(Render, AJumpLeavesNoDarkShadows) {
  RenderSettings settings = Studio::small();
  settings.tile_budget = 12, settings.quad_pixels = 24, settings.shadow_step = 16;
  Studio studio(240, 160, settings);
  WaveGround ground;
  ground.height_scale = 0.8, ground.wave = 1.9;
  Scene scene;
  scene.terrain = &ground;
  scene.environment.to_sun = Vec3(0.6, 0.2, 0.5);
  const auto shoot = [&](const Vec3& place) {
    scene.focus = place;
    Viewpoint view = from_south_west();
    view.eye += place, view.target += place;
    return studio.shoot(scene, view);
  };
  for (int k = 0; k < 16; ++k) shoot(Vec3::Zero());
  std::vector<Image> pictures;
  for (int k = 0; k < 40; ++k) pictures.push_back(shoot(Vec3(83, -47, 0)));
  const Image& settled = pictures.back();
  int worst = 0;
  for (const Image& picture : pictures) {
    int darker = 0;
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x)
        darker += luma(picture.at(x, y)) < 0.65 * luma(settled.at(x, y));
    worst = std::max(worst, darker);
  }
  EXPECT_LT(worst, 0.02 * settled.width * settled.height);
}

TEST(Render, PathIsDrawnAsLineOrVectors) {
  Studio studio(320, 200);
  const FlatGround ground;
  Trail trail;
  for (int i = 0; i <= 100; ++i) trail.push_back({0.1 * i, Vec3(-2 + 0.04 * i, 0, 0.3), Mat3::Identity()});
  Viewpoint view;
  view.eye = Vec3(0, -4, 2);
  const auto shoot = [&](PathStyle style, double until) {
    Scene scene;
    scene.terrain = &ground;
    add_path(scene, trail, style, until, 1.0, rgb(0xff00ff));
    return studio.shoot(scene, view);
  };
  const auto [whole, middle] = find_pixels(shoot(PathStyle::line, 99), is_magenta);
  const auto [half, half_middle] = find_pixels(shoot(PathStyle::line, 5), is_magenta);
  EXPECT_GT(whole, 120);
  EXPECT_NEAR(half, 0.5 * whole, 0.1 * whole);
  EXPECT_NEAR((middle - *view.project(Vec3(0, 0, 0.3), 320, 200)).norm(), 0, 3);
  const auto blue = [](const std::uint8_t* p) { return p[2] > 150 && p[2] > 1.5 * p[0]; };
  const auto red = [](const std::uint8_t* p) { return p[0] > 110 && p[0] > 2 * p[1] && p[0] > 1.9 * p[2]; };
  const Image z = shoot(PathStyle::z_vectors, 99), xyz = shoot(PathStyle::xyz_vectors, 99),
              none = shoot(PathStyle::none, 99);
  EXPECT_GT(find_pixels(z, blue).first, 100 + find_pixels(none, blue).first);
  EXPECT_LT(find_pixels(z, red).first, 20);
  EXPECT_GT(find_pixels(xyz, red).first, 60);
}

TEST(Render, LinesBehindTheEyeAreNotDrawn) {
  Studio studio;
  Scene scene;
  scene.lines.push_back({{Vec3(0, -20, 1), Vec3(0, -10, 1)}, rgb(0xff00ff)});
  Viewpoint view;
  view.eye = Vec3(0, -6, 1);
  EXPECT_EQ(find_pixels(studio.shoot(scene, view), is_magenta).first, 0);
  scene.lines[0].points = {Vec3(0, -20, 0.9),
                           Vec3(0, 10, 0.9)};  // through the eye's plane: only the front part
  const auto [count, middle] = find_pixels(studio.shoot(scene, view), is_magenta);
  EXPECT_GT(count, 20);
  EXPECT_GT(middle.y(), 80);
}

TEST(Render, ForcesContactsAndSupportShow) {
  Studio studio(320, 200);
  const FlatGround ground;
  RobotMoment robot;
  robot.weight = 400;
  robot.links.push_back({Mat3::Identity(), Vec3(0, 0, 0.3)});
  robot.center_of_mass = Vec3(0, 0, 0.3);
  for (const Vec3& p : {Vec3(0.5, 0.5, 0), Vec3(-0.5, 0.5, 0), Vec3(-0.5, -0.5, 0), Vec3(0.5, -0.5, 0)}) {
    WheelMoment w;
    w.pose.p = p + Vec3(0, 0, 0.1);
    w.touches = true;
    w.contact = p;
    w.force = Vec3(30, 0, 100);
    w.travel = 0.02, w.travel_limit = 0.05;
    robot.wheels.push_back(w);
    robot.support.push_back(p);
    robot.stability.push_back(1.0);
  }
  const Viewpoint view = from_south_west(2.2);
  const auto shoot = [&](auto add) {
    Scene scene;
    scene.terrain = &ground;
    add(scene);
    return studio.shoot(scene, view);
  };
  const auto green = [](const std::uint8_t* p) {
    return p[1] > 130 && p[1] > 1.4 * p[0] && p[1] > 1.3 * p[2];
  };
  const auto yellow = [](const std::uint8_t* p) { return p[0] > 200 && p[1] > 180 && p[2] < 120; };
  const auto nothing = shoot([](Scene&) {});
  EXPECT_EQ(find_pixels(nothing, green).first, 0);
  EXPECT_GT(find_pixels(shoot([&](Scene& s) { add_forces(s, robot, 1); }), green).first, 80);
  EXPECT_GT(find_pixels(shoot([&](Scene& s) { add_contacts(s, robot, 1); }), yellow).first, 8);
  EXPECT_GT(find_pixels(shoot([&](Scene& s) { add_support(s, robot); }), green).first, 200);
}

TEST(Render, EveryPaintingOfTheGroundIsItsOwn) {
  Studio studio;
  const WaveGround ground;
  auto checks = std::make_shared<Image>(2, 2, 4);
  const std::uint8_t pixels[] = {255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 255};
  std::copy(std::begin(pixels), std::end(pixels), checks->pixels.begin());
  std::vector<Image> pictures;
  for (int mode = 0; mode < 6; ++mode) {
    Scene scene;
    scene.terrain = &ground;
    scene.ground.shading = static_cast<GroundShading>(mode);
    scene.ground.texture = checks;
    scene.ground.soil_color = [](double x, double) { return x > 0 ? rgb(0x20a020) : rgb(0x6060c0); };
    pictures.push_back(studio.shoot(scene, from_south_west()));
  }
  for (std::size_t a = 0; a < pictures.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GT(perceptual_difference(pictures[a], pictures[b]), 0.004) << a << " " << b;
  // The soil's two halves: green right of the origin's line, blue left of it.
  const Viewpoint view = from_south_west();
  const auto at = [&](double x, double y) {
    const Vec2 p = *view.project(Vec3(x, y, ground.height(x, y)), 240, 160);
    return pictures[5].at(static_cast<int>(p.x()), static_cast<int>(p.y()));
  };
  EXPECT_GT(at(1.5, 0)[1], at(1.5, 0)[2]);
  EXPECT_GT(at(-1.5, 0)[2], at(-1.5, 0)[1]);
}

TEST(Render, FogHidesTheDistance) {
  Studio studio;
  const FlatGround ground;
  const auto contrast = [&](float visibility) {
    Scene scene;
    scene.terrain = &ground;
    scene.environment.visibility = visibility;
    scene.environment.clouds = false;
    scene.instances.push_back({.mesh = cube(8, {.name = "black", .color = rgb(0x000000)}),
                               .pose = {Mat3::Identity(), Vec3(60, 0, 4)}});
    Viewpoint view;
    view.eye = Vec3(0, 0, 4);
    view.target = Vec3(60, 0, 4);
    const Image image = studio.shoot(scene, view);
    return std::abs(mean_luma(image, Vec2(120, 80), 4) - mean_luma(image, Vec2(40, 60), 4));
  };
  EXPECT_LT(contrast(50), 0.2 * contrast(5000));
}

TEST(Render, GhostsLetTheGroundThrough) {
  Studio studio;
  const FlatGround ground;
  Scene scene;
  scene.terrain = &ground;
  scene.instances.push_back(
      {.mesh = cube(0.5, kMagenta), .pose = {Mat3::Identity(), Vec3(0, 0, 0.5)}, .opacity = 0.35f});
  const Viewpoint view = from_south_west();
  const Vec2 at = *view.project(Vec3(0, 0, 0.5), 240, 160);
  const Image ghost = studio.shoot(scene, view);
  scene.instances[0].opacity = 1;
  const Image solid = studio.shoot(scene, view);
  scene.instances.clear();
  const Image empty = studio.shoot(scene, view);
  const auto green = [&](const Image& i) {
    return static_cast<int>(i.at(static_cast<int>(at.x()), static_cast<int>(at.y()))[1]);
  };
  EXPECT_GT(green(ghost), green(solid) + 10);
  EXPECT_LT(green(ghost), green(empty) - 10);
}

TEST(Render, WordsCanBeRead) {
  // The words of the panel are looked for by template: the same text drawn alone on black gives the pattern.
  const auto context = make_offscreen_context();
  Framebuffer target(420, 260, {});
  Hud hud(1.f);
  HudChoice nothing{.panel = false, .legend = false};
  const auto clear = [&](float level) {
    target.bind_resolved();
    glClearColor(level, level, level, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  };
  Viewpoint view;
  view.eye = Vec3(0, -5, 0);
  const auto label = [&](const std::string& text) {
    clear(0);
    hud.draw({}, nothing, target, {{Vec3::Zero(), text, rgb(0xffffff)}}, view);
    return target.read();
  };
  const Image speed = label("speed 1.25 m/s"), again = label("speed 1.25 m/s"),
              other = label("speed 7.25 m/s");
  EXPECT_EQ(speed.pixels, again.pixels);
  const auto ink = find_pixels(speed, [](const std::uint8_t* p) { return p[0] > 128; });
  EXPECT_GT(ink.first, 120);
  EXPECT_NEAR(ink.second.x(), 210, 12);  // centred on its point
  // One digit differs: visible, and only there.
  int changed = 0, left = 420, right = 0;
  for (int y = 0; y < 260; ++y)
    for (int x = 0; x < 420; ++x)
      if (std::abs(speed.at(x, y)[0] - other.at(x, y)[0]) > 100)
        ++changed, left = std::min(left, x), right = std::max(right, x);
  EXPECT_GT(changed, 8);
  EXPECT_LT(right - left, 14);
}

TEST(Hud, EveryPanelDrawsWithoutAnErrorAndWhereItBelongs) {
  const auto context = make_offscreen_context();
  Framebuffer target(800, 500, {});
  Hud hud(1.f);
  RobotMoment robot;
  robot.links.push_back({});
  robot.support = {Vec3(0.5, 0.5, 0), Vec3(-0.5, 0.5, 0), Vec3(-0.5, -0.5, 0), Vec3(0.5, -0.5, 0)};
  robot.stability = {1.0, 0.4, 0.05, 0.9};
  HudState state;
  state.title = "demo", state.camera = "chase", state.time = 3.2, state.duration = 10;
  state.readings = {{"speed", "1.2 m/s"}};
  state.battery = 0.7;
  for (const double time : {1.0, 2.5}) {
    Event event;
    event.time = time;
    event.kind = event.text = time < 2 ? "landed" : "rolled over";
    event.ends_run = time > 2;
    state.events.push_back(event);
  }
  state.messages = {"mesh 'x.obj' not found"};
  state.robot = &robot;
  state.shading = GroundShading::contour;
  state.cameras = {"orbit", "chase"};
  state.help = {{"Space", "pause"}, {"F1", "help"}};
  for (int i = 0; i < 100; ++i) {
    if (i == 0) state.curves.push_back({"speed", "m/s", {}, {}});
    state.curves[0].times.push_back(0.03f * i);
    state.curves[0].values.push_back(std::sin(0.1f * i));
  }
  const auto brightness = [&](const HudChoice& choice, int x0, int y0, int x1, int y1) {
    target.bind_resolved();
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    hud.draw(state, choice, target, {}, {});
    hud.draw(state, choice, target, {}, {});  // auto-sized panels settle in the second frame
    const Image image = target.read();
    int bright = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) bright += luma(image.at(x, y)) > 110;
    return bright;
  };
  const HudChoice none{.panel = false, .legend = false};
  HudChoice c = none;
  c.panel = true;
  EXPECT_GT(brightness(c, 0, 0, 300, 250), 300);
  c = none, c.plots = true;
  EXPECT_GT(brightness(c, 450, 350, 800, 500), 150);
  c = none, c.stability = true;
  EXPECT_GT(brightness(c, 0, 250, 350, 500), 300);
  c = none, c.legend = true;
  EXPECT_GT(brightness(c, 650, 300, 800, 500), 300);
  c = none, c.timeline = true;
  EXPECT_GT(brightness(c, 0, 430, 800, 500), 100);
  c = none, c.help = true;
  EXPECT_GT(brightness(c, 200, 150, 600, 350), 100);
  c = none, c.buttons = true;
  EXPECT_GT(brightness(c, 400, 0, 800, 150), 150);
}

TEST(Hud, EveryWheelIsNamedInTheLegendOfItsPlot) {
  const auto context = make_offscreen_context();
  Framebuffer target(800, 500, {});
  Hud hud(1.f);
  HudState state;
  state.time = 3;
  for (const char* wheel :
       {"front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"})
    state.curves.push_back({std::string("wheel.") + wheel + ".normal", "N", {}, {}});
  const HudChoice plots{.panel = false, .plots = true, .legend = false};
  target.bind_resolved();
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  hud.draw(state, plots, target, {}, {});
  const Image image = target.read();
  // No curve has a value: what has a wheel's colour is its name.
  for (std::size_t k = 0; k < state.curves.size(); ++k) {
    const Color color = robot_color(k);
    int named = 0;
    for (int y = 300; y < 500; ++y)
      for (int x = 400; x < 800; ++x) {
        const std::uint8_t* p = image.at(x, y);
        const float off = std::abs(p[0] - 255 * color[0]) + std::abs(p[1] - 255 * color[1]) +
                          std::abs(p[2] - 255 * color[2]);
        named += off < 110;
      }
    EXPECT_GT(named, 3) << state.curves[k].name;
  }
}

TEST(Framebuffer, RefusesSizesThatCannotBe) {
  const auto context = make_offscreen_context();
  EXPECT_THROW(Framebuffer(0, 10, {}), InputError);
  EXPECT_THROW(Framebuffer(10, 1 << 20, {}), InputError);
}

TEST(Image, LocalDifferenceFindsWhatTheMeanDrowns) {
  Image empty(320, 180), dot(320, 180);
  for (int y = 90; y < 94; ++y)
    for (int x = 200; x < 204; ++x) std::fill_n(dot.at(x, y), 3, 255);
  EXPECT_EQ(local_difference(empty, empty), 0);
  // Sixteen white pixels of 57,600, or of a square of 1,600: white differs in luma alone, a third of the sum.
  EXPECT_NEAR(perceptual_difference(empty, dot), 16.0 / 57600 / 3, 1e-6);
  EXPECT_NEAR(local_difference(empty, dot), 16.0 / 1600 / 3, 1e-5);
  EXPECT_THROW(local_difference(empty, Image(10, 10)), InputError);
}

TEST(Image, UnreadableFilesAreNamed) {
  Folder folder;
  try {
    read_image(folder / "none.png");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("none.png"));
  }
}

TEST(Image, DataChunksOfNoBytesArePassedOver) {
  Folder folder;
  Image image(5, 3);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<std::uint8_t>(7 * i);
  write_png(folder / "plain.png", image);
  std::ifstream in(folder / "plain.png", std::ios::binary);
  std::string png{std::istreambuf_iterator<char>(in), {}};
  using namespace std::string_literals;
  const std::string empty = "\0\0\0\0IDAT\x35\xaf\x06\x1e"s;
  png.insert(png.find("IDAT") - 4, empty + empty);
  png.insert(png.find("IEND") - 4, empty);
  std::ofstream(folder / "empty.png", std::ios::binary) << png;
  EXPECT_EQ(read_image(folder / "empty.png").pixels, read_image(folder / "plain.png").pixels);
  std::ofstream(folder / "nothing.png", std::ios::binary) << png.substr(0, png.find("IDAT") - 4) + empty;
  EXPECT_THROW(read_image(folder / "nothing.png"), InputError);
  std::ofstream(folder / "cut.png", std::ios::binary) << png.substr(0, png.find("IDAT") + 4);
  EXPECT_THROW(read_image(folder / "cut.png"), InputError);
}

TEST(Gl, AnErrorIsFoundAndNamed) {
  const auto context = make_offscreen_context();
  glEnable(0xffff);
  EXPECT_THROW(check_gl("testing"), RunError);
  EXPECT_NO_THROW(check_gl("testing"));
}

}  // namespace
}  // namespace scree::view
