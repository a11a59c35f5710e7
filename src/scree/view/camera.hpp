#pragma once
/// Where the picture is taken from. A `Camera` is a recipe (chase, on-board, ...), a `Viewpoint` its place
/// now.
#include <optional>
#include <string>
#include <vector>

#include "scree/core/types.hpp"
#include "scree/view/gl.hpp"

namespace scree::view {

struct Viewpoint {
  Vec3 eye = Vec3(-4, -4, 3);  ///< m, world
  Vec3 target = Vec3::Zero();  ///< m, world
  Vec3 up = Vec3::UnitZ();
  double fov = 45 * kDegree;  ///< rad, vertical

  /// Axes of the camera in the world: columns right, up, backward.
  Mat3 axes() const;
  /// Turns eye-relative world coordinates into clip coordinates; the far plane is at infinity.
  Mat4f clip_from_relative(double aspect, double near) const;
  /// Position on a picture of the given size [px from the top left]; nothing behind the eye.
  std::optional<Vec2> project(const Vec3& point, int width, int height) const;
  /// What is seen there: the direction from the eye through a place on the picture, of any length.
  Vec3 direction(const Vec2& pixel, int width, int height) const;
};

/// Distance of the near plane that suits a viewpoint: close to a wheel it must not cut the wheel [m].
double near_plane(const Viewpoint& view);

enum class CameraKind { orbit, chase, onboard, top, wheel, fixed };

/// A camera as a scenario declares it.
struct CameraSettings {
  std::string name = "orbit";
  std::string kind = "orbit";    ///< orbit, chase, onboard, top, wheel, fixed
  std::string robot = {};        ///< which robot it follows; empty: the first
  std::string wheel = {};        ///< for kind = wheel; empty: the first
  Vec3 position = Vec3::Zero();  ///< m: onboard: in the robot's base; fixed: in the world
  Vec3 target = Vec3(1, 0, 0);   ///< m: the point it looks at, in the same frame
  double distance = 0;           ///< m: orbit, chase, top, wheel; 0: from the robot's size
  double azimuth =
      215 * kDegree;  ///< rad: of the eye seen from the target (orbit); from straight behind (chase)
  double elevation = 25 * kDegree;  ///< rad above the horizon
  double fov = 45 * kDegree;        ///< rad, vertical
  double smoothing = 0.35;          ///< s: how slowly a chase camera swings behind the robot
};
std::vector<std::string> camera_kinds();

/// What a camera may look at: one robot now.
struct Subject {
  Pose base;                   ///< X_WB
  Vec3 center = Vec3::Zero();  ///< m, world: middle of what is seen of it
  double size = 1.0;           ///< m, its greatest extent
  struct Wheel {
    std::string name;
    Pose pose;
    double radius;
  };
  std::vector<Wheel> wheels;
};

class Camera {
 public:
  explicit Camera(CameraSettings settings);
  const CameraSettings& settings() const { return settings_; }
  CameraKind kind() const { return kind_; }

  /// The viewpoint at a time. Chase cameras swing after the robot with `smoothing`, computed from the times
  /// they are asked for: going back in time starts anew behind the robot.
  Viewpoint look(const Subject& subject, double time);
  /// Lifts an eye that would be inside the ground.
  template <class Height>
  static void keep_above(Viewpoint& view, const Height& height, double clearance);

  /// Orders of mouse, keys and joystick; they act on orbit, chase, top and wheel cameras.
  void turn(double azimuth, double elevation);
  void zoom(double factor);
  /// Moves an orbit camera's target in the plane of the screen [part of the distance] and lets go of the
  /// robot.
  void pan(double right, double up);
  /// Makes an orbit camera look at a point of the world and lets go of the robot.
  void aim(const Vec3& point);
  /// Orbit cameras: stay with the robot, or with a fixed point of the world.
  void follow(bool on) { follows_ = on; }
  bool follows() const { return follows_; }
  void reset();

 private:
  double distance_for(const Subject& subject) const;
  Viewpoint orbit(const Subject& subject);
  Viewpoint chase(const Subject& subject, double time);
  Viewpoint onboard(const Subject& subject) const;
  Viewpoint top(const Subject& subject) const;
  Viewpoint wheel(const Subject& subject) const;

  CameraSettings settings_;
  CameraKind kind_;
  double azimuth_, elevation_, zoom_ = 1;
  bool follows_ = true;
  Vec3 target_ = Vec3::Zero();
  std::optional<double> last_time_;
  double swing_ = 0;  ///< rad, smoothed heading
  Vec3 smooth_center_ = Vec3::Zero();
  double last_distance_ = 1;
};

template <class Height>
void Camera::keep_above(Viewpoint& view, const Height& height, double clearance) {
  const double floor = height(view.eye.x(), view.eye.y()) + clearance;
  if (view.eye.z() < floor) view.eye.z() = floor;
}

/// The cameras every scenario has: orbit, chase, onboard, top, wheel.
std::vector<CameraSettings> standard_cameras();

}  // namespace scree::view
