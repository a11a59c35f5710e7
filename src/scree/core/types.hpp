#pragma once
/// The vocabulary of the program: vectors, rotations, spatial vectors, and how frames are named.
///
/// Frames: W world (x, y horizontal, z up), B robot base, L a link, K wheel, C contact.
/// `p_WB` is the position of B's origin in W; `R_WB` turns B's components into W's;
/// `v_WB_B` is the velocity of B in W, expressed in B (no third letter: expressed in the first).
/// Spatial vectors are [linear; angular]: motion (v, w) of the frame's origin, wrench (force, moment).
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "scree/core/maths.hpp"

namespace scree {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kDegree = kPi / 180.0;

/// The matrix of a cross product: skew(a) b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// A frame in its parent: p_AB and R_AB.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();
  Vec3 operator*(const Vec3& p_B) const { return R * p_B + p; }
  Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// Turn by an angle [rad] about a unit axis, by the right hand (Rodrigues); Eigen's asks the C library for
/// sines, whose last bit depends on the processor.
inline Mat3 rotation_about(const Vec3& axis, double angle) {
  const maths::SineCosine a = maths::sine_cosine(angle);
  return a.cosine * Mat3::Identity() + a.sine * skew(axis) + (1 - a.cosine) * axis * axis.transpose();
}

/// Roll, pitch, yaw [rad]: yaw about z, then pitch about the new y, then roll about the new x.
/// Pitch is nose-up positive, so it turns about -y (REP-103 turns about +y, nose-down).
inline Mat3 rotation_from_rpy(double roll, double pitch, double yaw) {
  return rotation_about(Vec3::UnitZ(), yaw) * rotation_about(Vec3::UnitY(), -pitch) *
         rotation_about(Vec3::UnitX(), roll);
}

/// The shortest turn that takes one direction to another (neither zero, not necessarily unit). Of nearly
/// opposite ones any turn that does so.
inline Mat3 rotation_between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  const double cosine = a.dot(b);
  if (cosine > -0.999) {
    const Mat3 s = skew(a.cross(b));
    return Mat3::Identity() + s + s * s / (1 + cosine);
  }
  // By way of a third direction, across both but for a little.
  Vec3 across = Vec3::UnitX();
  if (std::abs(a.x()) > 0.6) across = Vec3::UnitY();
  across = (across - across.dot(a) * a).normalized();
  const Mat3 half = 2 * across * across.transpose() - Mat3::Identity();  // half a turn: a to nearly b
  return rotation_between(half * a, b) * half;
}

struct RollPitchYaw {
  double roll, pitch, yaw;
};
inline RollPitchYaw rpy_from_rotation(const Mat3& R) {
  const double rise = std::clamp(R(2, 0), -1.0, 1.0);
  Lanes angles;
  maths::atan2s(Lanes{R(2, 1), rise, R(1, 0), 0},
                Lanes{R(2, 2), std::sqrt((1 - rise) * (1 + rise)), R(0, 0), 1}, angles);
  return {angles[0], angles[1], angles[2]};
}

}  // namespace scree
