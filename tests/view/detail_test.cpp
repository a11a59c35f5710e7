/// Low detail: chosen where the processor draws, cheaper, and still the same scene; the work of a picture is
/// counted and does not grow with the terrain.
#include "scree/view/detail.hpp"

#include <gmock/gmock.h>

#include "scree/core/errors.hpp"
#include "scree/view/drawing_stats.hpp"
#include "scree/view/frame_uniforms.hpp"
#include "scree/view/primitives.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::HasSubstr;

Scene box_on(const Terrain& ground, const Vec3& at) {
  Scene scene;
  scene.terrain = &ground;
  Mesh mesh;
  add_box(mesh, {}, Vec3(0.8, 0.6, 0.5), 0.02, {.color = Color(0.8f, 0.3f, 0.1f)});
  Pose pose;
  pose.p = at;
  scene.instances.push_back({.mesh = std::make_shared<Mesh>(mesh), .pose = pose});
  scene.focus = at;
  scene.focus_radius = 0.6;
  return scene;
}

Viewpoint behind(const Vec3& at) {
  Viewpoint view;
  view.eye = at + Vec3(-4, -1, 2);
  view.target = at;
  return view;
}

TEST(Detail, IsLowOnlyWhereTheProcessorDraws) {
  EXPECT_EQ(resolve(Detail::automatic, true), Detail::low);
  EXPECT_EQ(resolve(Detail::automatic, false), Detail::high);
  EXPECT_EQ(resolve(Detail::high, true), Detail::high);
  EXPECT_EQ(resolve(Detail::low, false), Detail::low);
  EXPECT_EQ(detail_named("auto"), Detail::automatic);
  try {
    detail_named("hihg");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'high'"));
  }
}

TEST(Detail, LargeLowPicturesAreDrawnSmallerAndSmallOnesWhole) {
  EXPECT_EQ(smoothing(Detail::low, true, 640, 360).scale, 1);
  const double scale = smoothing(Detail::low, true, 1920, 1080).scale;
  EXPECT_LT(scale, 1);
  EXPECT_GE(scale, 0.5);
  EXPECT_EQ(smoothing(Detail::high, true, 1920, 1080).scale, 2);
  EXPECT_EQ(smoothing(Detail::high, true, 1920, 1080, false).scale, 1.5);
  const auto context = make_offscreen_context();
  const Framebuffer target(301, 203, {.samples = 1, .scale = 0.5});
  EXPECT_EQ(target.width(), 301);
  EXPECT_EQ(target.drawn_width(), 151);
  target.bind();
  glClearColor(0.2f, 0.6f, 0.4f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  target.resolve();
  const Image image = target.read();
  EXPECT_EQ(image.width, 301);
  EXPECT_NEAR(image.at(300, 202)[1], 153, 1);  // stretched to the last pixel
}

/// Work of the third picture, as asked of a graphics card: nothing is made any more.
GlWork work_of(const Terrain& ground, const Vec3& at, Detail detail) {
  Studio studio(1280, 720, render_settings(detail, false));
  glEnable(GL_RASTERIZER_DISCARD);  // counted, not painted: the processor would take seconds
  const Scene scene = box_on(ground, at);
  for (int k = 0; k < 2; ++k) studio.renderer.draw(scene, behind(at), studio.target);
  const GlWork before = gl_work();
  studio.renderer.draw(scene, behind(at), studio.target);
  return gl_work() - before;
}

TEST(Detail, WorkOfAPictureDoesNotGrowWithTheTerrain) {
  // What a plain graphics card draws thirty times a second with ease: 20 million triangles and 15,000 calls.
  constexpr std::uint64_t kTriangles = 600'000, kCalls = 500;
  const GridGround small(1000, 0.1), large(10000, 0.1);
  for (const Detail detail : {Detail::low, Detail::high}) {
    const GlWork on_small = work_of(small, Vec3(50, 50, small.height(50, 50) + 0.4), detail);
    const GlWork on_large = work_of(large, Vec3(500, 500, large.height(500, 500) + 0.4), detail);
    for (const GlWork& work : {on_small, on_large}) {
      EXPECT_LT(work.triangles, kTriangles);
      EXPECT_LT(work.draw_calls, kCalls);
      EXPECT_GT(work.triangles, 10'000u) << "counts nothing";
      EXPECT_LT(work.uploaded, 100'000u) << "something is made anew for every picture";
    }
    RecordProperty(detail == Detail::low ? "low" : "high", std::to_string(on_large.triangles));
    // A hundred times the cells: more ground to see, but not more than its share of levels.
    EXPECT_LT(static_cast<double>(on_large.triangles), 2.0 * static_cast<double>(on_small.triangles));
  }
}

TEST(Detail, LowAsksForMuchLessAndShowsTheSame) {
  const WaveGround ground;
  const Vec3 at(1, 2, ground.height(1, 2) + 0.4);
  Image pictures[2];
  GlWork work[2];
  for (int k = 0; k < 2; ++k) {
    Studio studio(480, 270, render_settings(k ? Detail::low : Detail::high, true));
    const Scene scene = box_on(ground, at);
    const GlWork start = gl_work();
    studio.shoot(scene, behind(at));
    const GlWork before = gl_work();
    pictures[k] = studio.shoot(scene, behind(at));
    work[k] = gl_work() - before;
    // The ground's shadow is kept from the first picture.
    EXPECT_LT(2 * work[k].triangles, (before - start).triangles) << k;
  }
  EXPECT_LT(2.5 * static_cast<double>(work[1].triangles), static_cast<double>(work[0].triangles));
  // The bar of the reference pictures; without its shadow the box lies far beyond it.
  EXPECT_LT(local_difference(pictures[0], pictures[1]), 0.008);
}

TEST(Detail, KeptGroundShadowsAreThoseDrawnAnew) {
  // The box moves by less than a step of the maps: the ground in them is kept, the box's shadow is not.
  const WaveGround ground;
  const Vec3 start(1, 2, ground.height(1, 2) + 0.4), end = start + Vec3(0.04, 0.02, 0);
  const RenderSettings low = render_settings(Detail::low, true);
  Studio kept(320, 180, low), anew(320, 180, low);
  kept.shoot(box_on(ground, start), behind(end));
  const GlWork before = gl_work();
  const Image image = kept.shoot(box_on(ground, end), behind(end));
  const GlWork work = gl_work() - before;
  const GlWork before_anew = gl_work();
  const Image expected = anew.shoot(box_on(ground, end), behind(end));
  EXPECT_LT(work.draw_calls, (gl_work() - before_anew).draw_calls);  // the ground was spared
  EXPECT_EQ(image.pixels, expected.pixels);
}

TEST(Detail, WhatTheNearMapShadesIsLeftOutOfTheFarOneAndNothingElse) {
  // In light space a shadow lies where its caster lies, however low the sun.
  const Vec3 sun = Vec3(0.9, 0.2, 0.3).normalized();
  const SunBox box = sun_box(sun, {Vec3(3, 4, 1), 2.0, 8.0, 512}, Vec3::Zero());
  EXPECT_TRUE(box.shades_alone(Vec3(3, 4, 1), 1.0));
  EXPECT_TRUE(box.shades_alone(Vec3(3, 4, 1) + 5 * sun, 1.0));  // anywhere along the rays
  EXPECT_FALSE(box.shades_alone(Vec3(3, 4, 1), 1.9));           // reaches out of the part that is read
  const Vec3 across = box.axes.col(0);
  EXPECT_TRUE(box.shades_alone(Vec3(3, 4, 1) + 0.6 * across, 1.0));
  EXPECT_FALSE(box.shades_alone(Vec3(3, 4, 1) + 0.7 * across, 1.0));
}

TEST(Detail, SamplesThatReachTheScreenAreCounted) {
  const FlatGround ground;
  Studio studio(200, 100);
  const Vec3 at(0, 0, 0.4);
  for (int k = 0; k < 8; ++k) {
    studio.shoot(box_on(ground, at), behind(at));
    glFinish();
  }
  // Every pixel once by sky or ground, some twice: the box hides little, the rest is drawn front to back.
  EXPECT_GE(studio.renderer.samples_passed(), 200u * 100u);
  EXPECT_LT(studio.renderer.samples_passed(), 2u * 200u * 100u);
}

TEST(Detail, StatisticsKeepMeansMaximaAndQuantiles) {
  DrawingStats stats;
  for (int k = 1; k <= 100; ++k)
    stats.add({{static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(10 * k), 5}, 7, 1e-3 * k});
  EXPECT_EQ(stats.pictures(), 100u);
  EXPECT_NEAR(stats.draw_calls(), 50.5, 1e-12);
  EXPECT_NEAR(stats.triangles(), 505, 1e-12);
  EXPECT_EQ(stats.most_triangles(), 1000u);
  EXPECT_EQ(stats.uploaded(), 5);
  EXPECT_EQ(stats.samples(), 7);
  // Classes of equal ratio: up to 8 % too large.
  EXPECT_GE(stats.processor().quantile(0.5), 0.050);
  EXPECT_LT(stats.processor().quantile(0.5), 0.050 * 1.08);
  EXPECT_GE(stats.processor().quantile(0.99), 0.099);
}

}  // namespace
}  // namespace scree::view
