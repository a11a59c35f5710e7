/// Cameras: where they stand, what they see, and that pixels agree with the graphics card's matrices.
#include "scree/view/camera.hpp"

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

Subject robot_at(double x, double y, double yaw, double pitch = 0) {
  Subject s;
  s.base = {rotation_from_rpy(0, pitch, yaw), Vec3(x, y, 0.3)};
  s.center = s.base.p;
  s.size = 1;
  s.wheels.push_back({"front_left", {Mat3::Identity(), Vec3(x + 0.3, y + 0.25, 0.12)}, 0.12});
  s.wheels.push_back({"rear_right", {Mat3::Identity(), Vec3(x - 0.3, y - 0.25, 0.12)}, 0.12});
  return s;
}

Camera camera_named(const std::string& name) {
  for (const CameraSettings& c : standard_cameras())
    if (c.name == name) return Camera(c);
  throw std::logic_error(name);
}

TEST(Viewpoint, ProjectionAgreesWithTheClipMatrix) {
  Viewpoint v;
  v.eye = Vec3(103, -52, 7);
  v.target = Vec3(100, -50, 6.5);
  const Mat4f m = v.clip_from_relative(16.0 / 9, 0.1);
  for (const Vec3& p : {Vec3(100, -50, 6.5), Vec3(99, -50.5, 7.1), Vec3(101, -49.8, 6.3)}) {
    const Vec3f rel = (p - v.eye).cast<float>();
    const Vec4f clip = m * Vec4f(rel.x(), rel.y(), rel.z(), 1);
    const auto pixel = v.project(p, 1280, 720);
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x(), (clip.x() / clip.w() * 0.5 + 0.5) * 1280, 1e-2);
    EXPECT_NEAR(pixel->y(), (0.5 - clip.y() / clip.w() * 0.5) * 720, 1e-2);
  }
  EXPECT_NEAR((*v.project(v.target, 1280, 720) - Vec2(640, 360)).norm(), 0, 1e-9);
  EXPECT_FALSE(v.project(v.eye + (v.eye - v.target), 1280, 720));  // behind the eye
}

TEST(Viewpoint, DirectionLeadsBackToThePointThatWasProjected) {
  Viewpoint v;
  v.eye = Vec3(103, -52, 7);
  v.target = Vec3(100, -50, 6.5);
  for (const Vec3& p : {Vec3(100, -50, 6.5), Vec3(99, -50.5, 7.1), Vec3(101, -49.8, 6.3)}) {
    const Vec3 along = v.direction(*v.project(p, 1280, 720), 1280, 720);
    EXPECT_LT(along.normalized().cross((p - v.eye).normalized()).norm(), 1e-12);
    EXPECT_GT(along.dot(p - v.eye), 0);
  }
}

TEST(Camera, AimsAtAPointAndLetsGoOfTheRobot) {
  Camera camera = camera_named("orbit");
  Subject subject;
  subject.center = Vec3(5, 6, 1);
  EXPECT_EQ(camera.look(subject, 0).target, subject.center);
  camera.aim(Vec3(1, 2, 3));
  EXPECT_EQ(camera.look(subject, 1).target, Vec3(1, 2, 3));
  EXPECT_FALSE(camera.follows());
  Camera chase = camera_named("chase");
  chase.aim(Vec3(1, 2, 3));
  EXPECT_TRUE(chase.follows());
}

TEST(Camera, ChaseStaysBehindAndSwingsWithoutOvershoot) {
  Camera camera = camera_named("chase");
  Viewpoint v = camera.look(robot_at(0, 0, 0), 0);
  EXPECT_LT(v.eye.x(), -1.5);
  EXPECT_NEAR(v.eye.y(), 0, 1e-9);
  // The robot turns on the spot by 90 degrees: the eye follows over `smoothing`.
  double last = 0;
  for (double t = 0.02; t < 4; t += 0.02) {
    v = camera.look(robot_at(0, 0, kPi / 2), t);
    const double angle = std::atan2(-v.eye.y(), -v.eye.x());
    EXPECT_GE(angle, last - 1e-9);
    EXPECT_LE(angle, kPi / 2 + 1e-9);
    last = angle;
  }
  EXPECT_NEAR(last, kPi / 2, 1e-3);
  // Going back in time starts anew behind the robot.
  v = camera.look(robot_at(5, 0, kPi), 1.0);
  EXPECT_GT(v.eye.x(), 6);
}

TEST(Camera, OnboardMovesWithEveryMotionOfTheBody) {
  Camera camera(CameraSettings{
      .name = "eye", .kind = "onboard", .position = Vec3(0.2, 0, 0.3), .target = Vec3(2, 0, 0)});
  const Subject level = robot_at(1, 2, 0.4), nose_up = robot_at(1, 2, 0.4, 0.3);
  EXPECT_TRUE(camera.look(level, 0).eye.isApprox(level.base * Vec3(0.2, 0, 0.3)));
  EXPECT_GT((camera.look(nose_up, 0).target - camera.look(nose_up, 0).eye).normalized().z(),
            (camera.look(level, 0).target - camera.look(level, 0).eye).normalized().z());
}

TEST(Camera, FreeOrbitLetsGoOfTheRobotWhenMoved) {
  Camera camera = camera_named("orbit");
  EXPECT_TRUE(camera.look(robot_at(3, 1, 0), 0).target.isApprox(Vec3(3, 1, 0.3)));
  camera.look(robot_at(3, 1, 0), 0);
  camera.pan(0.1, 0);
  EXPECT_FALSE(camera.follows());
  const Vec3 target = camera.look(robot_at(3, 1, 0), 0).target;
  EXPECT_TRUE(camera.look(robot_at(50, 9, 0), 1).target.isApprox(target));
  camera.reset();
  EXPECT_TRUE(camera.look(robot_at(50, 9, 0), 2).target.isApprox(Vec3(50, 9, 0.3)));
  const double before = (camera.look(robot_at(0, 0, 0), 3).eye - Vec3(0, 0, 0.3)).norm();
  camera.zoom(0.5);
  EXPECT_NEAR((camera.look(robot_at(0, 0, 0), 3).eye - Vec3(0, 0, 0.3)).norm(), before / 2, 1e-9);
}

TEST(Camera, TopLooksStraightDownAndWheelStandsBesideItsWheel) {
  Viewpoint v = camera_named("top").look(robot_at(2, 3, 1), 0);
  EXPECT_NEAR((v.eye - v.target).normalized().z(), 1, 1e-12);
  EXPECT_TRUE(v.axes().allFinite());
  CameraSettings settings{.name = "w", .kind = "wheel", .wheel = "rear_right"};
  settings.azimuth = -70 * kDegree;
  v = Camera(settings).look(robot_at(0, 0, 0), 0);
  EXPECT_NEAR(v.target.x(), -0.3, 1e-9);
  EXPECT_LT(v.eye.y(), -0.25);  // outside, on the wheel's own side
}

TEST(Camera, NeverStandsInsideTheGround) {
  Viewpoint v;
  v.eye = Vec3(0, 0, 1);
  Camera::keep_above(
      v, [](double, double) { return 5.0; }, 0.2);
  EXPECT_EQ(v.eye.z(), 5.2);
}

TEST(Camera, UnknownKindNamesTheNearest) {
  try {
    Camera camera(CameraSettings{.name = "a", .kind = "chace"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("chase"), std::string::npos);
  }
}

}  // namespace
}  // namespace scree::view
