#include "scree/view/camera.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {

Mat3 Viewpoint::axes() const {
  const Vec3 back = (eye - target).normalized();
  Vec3 right = up.cross(back);
  if (right.norm() < 1e-9) right = Vec3::UnitY().cross(back);
  right.normalize();
  Mat3 axes;
  axes << right, back.cross(right), back;
  return axes;
}

Mat4f Viewpoint::clip_from_relative(double aspect, double near) const {
  const double f = 1 / std::tan(fov / 2);
  // Depth runs from -1 at the near plane towards +1 at infinity.
  Eigen::Matrix4d projection = Eigen::Matrix4d::Zero();
  projection(0, 0) = f / aspect;
  projection(1, 1) = f;
  projection(2, 2) = -1;
  projection(2, 3) = -2 * near;
  projection(3, 2) = -1;
  Eigen::Matrix4d turn = Eigen::Matrix4d::Identity();
  turn.topLeftCorner<3, 3>() = axes().transpose();
  return (projection * turn).cast<float>();
}

std::optional<Vec2> Viewpoint::project(const Vec3& point, int width, int height) const {
  const Vec3 p = axes().transpose() * (point - eye);
  if (!(p.z() < -1e-6)) return std::nullopt;
  const double f = 0.5 * height / std::tan(fov / 2);
  return Vec2(0.5 * width + f * p.x() / -p.z(), 0.5 * height - f * p.y() / -p.z());
}

Vec3 Viewpoint::direction(const Vec2& pixel, int width, int height) const {
  const double f = 0.5 * height / std::tan(fov / 2);
  return axes() * Vec3(pixel.x() - 0.5 * width, 0.5 * height - pixel.y(), -f);
}

double near_plane(const Viewpoint& view) {
  return std::clamp(0.04 * (view.eye - view.target).norm(), 0.005, 1.0);
}

std::vector<std::string> camera_kinds() { return {"orbit", "chase", "onboard", "top", "wheel", "fixed"}; }

std::vector<CameraSettings> standard_cameras() {
  std::vector<CameraSettings> list(5);
  const char* names[] = {"orbit", "chase", "onboard", "top", "wheel"};
  for (int i = 0; i < 5; ++i) list[i].name = list[i].kind = names[i];
  list[1].azimuth = 0;
  list[1].elevation = 20 * kDegree;
  list[2].position = Vec3(0, 0, 0);
  list[2].fov = 70 * kDegree;
  list[4].azimuth = -70 * kDegree;
  list[4].elevation = 8 * kDegree;
  return list;
}

Camera::Camera(CameraSettings settings) : settings_(std::move(settings)) {
  const std::vector<std::string> kinds = camera_kinds();
  const auto it = std::find(kinds.begin(), kinds.end(), settings_.kind);
  if (it == kinds.end())
    input_error("camera '{}': kind '{}' is not known{}", settings_.name, settings_.kind,
                name_hint(settings_.kind, kinds));
  kind_ = static_cast<CameraKind>(it - kinds.begin());
  reset();
}

void Camera::reset() {
  azimuth_ = settings_.azimuth;
  elevation_ = settings_.elevation;
  zoom_ = 1;
  follows_ = true;
  last_time_.reset();
}

void Camera::turn(double azimuth, double elevation) {
  azimuth_ += azimuth;
  elevation_ = std::clamp(elevation_ + elevation, -20 * kDegree, 89 * kDegree);
}

void Camera::zoom(double factor) { zoom_ = std::clamp(zoom_ * factor, 0.02, 50.0); }

void Camera::pan(double right, double up) {
  if (kind_ != CameraKind::orbit) return;
  follows_ = false;
  const double c = std::cos(azimuth_), s = std::sin(azimuth_);
  // Seen from the eye, right is at right angles to the azimuth, and "up" moves away from the eye.
  target_ += last_distance_ * (right * Vec3(-s, c, 0) - up * Vec3(c, s, 0));
}

void Camera::aim(const Vec3& point) {
  if (kind_ != CameraKind::orbit) return;
  follows_ = false;
  target_ = point;
}

double Camera::distance_for(const Subject& subject) const {
  double base = settings_.distance;
  if (!(base > 0)) {
    switch (kind_) {
      case CameraKind::chase:
        base = 2.4 * subject.size;
        break;
      case CameraKind::top:
        base = 5.0 * subject.size;
        break;
      case CameraKind::wheel:
        base = 0.8 * subject.size;
        break;
      default:
        base = 3.0 * subject.size;
    }
  }
  return base * zoom_;
}

namespace {

Vec3 around(double azimuth, double elevation) {
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
          std::sin(elevation)};
}

double heading(const Mat3& R) { return std::atan2(R(1, 0), R(0, 0)); }

double wrapped(double angle) { return std::remainder(angle, 2 * kPi); }

}  // namespace

Viewpoint Camera::orbit(const Subject& subject) {
  if (follows_) target_ = subject.center;
  return {target_ + distance_for(subject) * around(azimuth_, elevation_), target_, Vec3::UnitZ(),
          settings_.fov};
}

Viewpoint Camera::chase(const Subject& subject, double time) {
  const double now = heading(subject.base.R), dt = last_time_ ? time - *last_time_ : -1;
  if (dt < 0 || dt > 2.0 || !(settings_.smoothing > 0)) {
    swing_ = now;
    smooth_center_ = subject.center;
  } else {
    const double part = 1 - std::exp(-dt / settings_.smoothing);
    swing_ += part * wrapped(now - swing_);
    // Only the height is smoothed strongly: the robot shakes in the picture, not the world.
    const double quick = 1 - std::exp(-dt / (0.25 * settings_.smoothing));
    smooth_center_.head<2>() = subject.center.head<2>();
    smooth_center_.z() += quick * (subject.center.z() - smooth_center_.z());
  }
  last_time_ = time;
  const double azimuth = swing_ + kPi + azimuth_;
  const Vec3 target = smooth_center_;
  return {target + distance_for(subject) * around(azimuth, elevation_), target, Vec3::UnitZ(), settings_.fov};
}

Viewpoint Camera::onboard(const Subject& subject) const {
  Vec3 position = settings_.position, target = settings_.target;
  if (position.isZero()) {  // a mast behind the middle, looking ahead over the front
    position = Vec3(-0.15 * subject.size, 0, 0.55 * subject.size);
    target = Vec3(1.2 * subject.size, 0, 0.05 * subject.size);
  }
  return {subject.base * position, subject.base * target, subject.base.R.col(2), settings_.fov};
}

Viewpoint Camera::top(const Subject& subject) const {
  return {subject.center + distance_for(subject) * Vec3::UnitZ(), subject.center, Vec3::UnitX(),
          settings_.fov};
}

Viewpoint Camera::wheel(const Subject& subject) const {
  if (subject.wheels.empty())
    return {subject.center - 2 * subject.size * subject.base.R.col(0), subject.center};
  const Subject::Wheel* chosen = &subject.wheels.front();
  for (const auto& w : subject.wheels)
    if (w.name == settings_.wheel) chosen = &w;
  const double side =
      chosen->pose.p.dot(subject.base.R.col(1)) >= subject.center.dot(subject.base.R.col(1)) ? 1 : -1;
  const double distance = (settings_.distance > 0 ? settings_.distance : 6.0 * chosen->radius) * zoom_;
  const Vec3 target = chosen->pose.p - Vec3(0, 0, 0.25 * chosen->radius);
  // The azimuth is measured from straight ahead of the robot, outwards.
  return {target + distance * around(heading(subject.base.R) - side * azimuth_, elevation_), target,
          Vec3::UnitZ(), settings_.fov};
}

Viewpoint Camera::look(const Subject& subject, double time) {
  last_distance_ = distance_for(subject);
  switch (kind_) {
    case CameraKind::orbit:
      return orbit(subject);
    case CameraKind::chase:
      return chase(subject, time);
    case CameraKind::onboard:
      return onboard(subject);
    case CameraKind::top:
      return top(subject);
    case CameraKind::wheel:
      return wheel(subject);
    case CameraKind::fixed:
      break;
  }
  return {settings_.position, settings_.target, Vec3::UnitZ(), settings_.fov};
}

}  // namespace scree::view
