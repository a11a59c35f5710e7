#include "scree/sim/settle_path.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/dense.hpp"
#include "scree/mechanism/kinematics.hpp"

namespace scree {
namespace {

constexpr double kFloorWeight = 0.3;  // against 1 of a wheel

double wrapped(double a) { return a - 2 * kPi * std::round(a / (2 * kPi)); }

/// Joints that steer: about z at home, with a drive that holds a position, and the wheel that they carry.
struct SteeringHead {
  int joint, wheel;
  Vec3 p_BK;  ///< wheel at home
};
std::vector<SteeringHead> steering_heads(const RobotModel& model) {
  const Tree& tree = model.tree();
  Workspace home(tree);
  const std::vector<double> x = tree.home(), v(tree.velocity_count(), 0.0);
  update_kinematics(tree, x, v, home);
  std::vector<SteeringHead> out;
  for (const DriveMount& m : model.mounts()) {
    if (m.at.kind != Coordinate::Kind::joint || m.drive.kind == "torque") continue;
    const Joint& joint = tree.joints()[m.at.index];
    if (joint.type != JointType::revolute) continue;
    if (std::abs((home.link[m.at.index + 1].X_WL.R * joint.axis).z()) < 0.99) continue;
    for (std::size_t i = 0; i < model.wheels().size(); ++i)
      if (model.wheels()[i].link == m.at.index + 1)
        out.push_back(
            {m.at.index, static_cast<int>(i), home.link[m.at.index + 1].X_WL * model.wheels()[i].hub});
  }
  return out;
}

/// Turn of a frame about an axis of its own between two rotations.
double turn_about(const Mat3& before, const Mat3& after, const Vec3& axis) {
  const Mat3 d = before.transpose() * after;
  const Vec3 w(0.5 * (d(2, 1) - d(1, 2)), 0.5 * (d(0, 2) - d(2, 0)), 0.5 * (d(1, 0) - d(0, 1)));
  return w.dot(axis);
}

}  // namespace

std::vector<PathPose> settle_path(Settler& settler, std::span<const PathPoint> path) {
  const RobotModel& model = settler.model();
  const Tree& tree = model.tree();
  const auto heads = steering_heads(model);
  std::vector<PathPose> out;
  std::vector<Mat3> before(model.wheels().size());
  for (std::size_t k = 0; k < path.size(); ++k) {
    const PathPoint &a = path[k > 0 ? k - 1 : 0], &b = path[std::min(k + 1, path.size() - 1)], &at = path[k];
    const double cy = maths::cos(at.yaw), sy = maths::sin(at.yaw);
    const double forward = cy * (b.x - a.x) + sy * (b.y - a.y), left = -sy * (b.x - a.x) + cy * (b.y - a.y);
    const double turn = wrapped(b.yaw - a.yaw);
    for (const SteeringHead& head : heads) {
      double vx = forward - turn * head.p_BK.y(), vy = left + turn * head.p_BK.x();
      if (vx < 0) vx = -vx, vy = -vy;  // wheels roll backwards
      const JointSettings& s = tree.joints()[head.joint].settings;
      const double angle = vx == 0 && vy == 0 ? 0 : maths::atan2(vy, vx);
      settler.set_joint(tree.joints()[head.joint].name, std::clamp(angle, s.lower, s.upper));
    }
    PathPose pose{settler.settle(at.x, at.y, at.yaw, k > 0), {}};
    pose.spin_angle.assign(model.wheels().size(), 0.0);
    for (std::size_t i = 0; i < model.wheels().size(); ++i) {
      const RobotWheel& w = model.wheels()[i];
      const Mat3 R = settler.mechanism().link[w.link].X_WL.R;
      if (k > 0) {
        const Vec3 moved = pose.stand.wheels[i].hub_W - out.back().stand.wheels[i].hub_W;
        const Vec3 ahead = 0.5 * (pose.stand.wheels[i].forward_W + out.back().stand.wheels[i].forward_W);
        // Along the ground: what goes forward counts with what goes up.
        const double along = moved.dot(ahead), across = moved.dot(R * w.axes.col(1));
        const double way =
            std::copysign(std::sqrt(std::max(moved.squaredNorm() - across * across, 0.0)), along);
        pose.spin_angle[i] =
            out.back().spin_angle[i] + way / w.settings.radius - turn_about(before[i], R, w.axes.col(1));
      }
      before[i] = R;
    }
    out.push_back(std::move(pose));
  }
  return out;
}

std::vector<PathPoint> dead_reckon(const RobotModel& model, std::span<const PathPose> poses,
                                   const PathPoint& start) {
  const Tree& tree = model.tree();
  Workspace ws[2] = {Workspace(tree), Workspace(tree)};
  std::vector<double> x = tree.home();
  const std::vector<double> v(tree.velocity_count(), 0.0);
  // The robot as it measures itself: base at the origin, yaw zero.
  const auto stand = [&](const PathPose& p, Workspace& to) {
    const Quat q(rotation_from_rpy(p.stand.roll, p.stand.pitch, 0));
    x[0] = x[1] = x[2] = 0, x[3] = q.w(), x[4] = q.x(), x[5] = q.y(), x[6] = q.z();
    std::copy(p.stand.joints.begin(), p.stand.joints.end(), x.begin() + tree.joint_position());
    update_kinematics(tree, x, v, to);
  };
  std::vector<PathPoint> out;
  if (poses.empty()) return out;
  out.push_back(start);
  stand(poses[0], ws[0]);
  for (std::size_t k = 1; k < poses.size(); ++k) {
    Workspace &was = ws[(k - 1) % 2], &is = ws[k % 2];
    stand(poses[k], is);
    // Unknown, in axes of the former heading: shift of the base and change of yaw.
    Eigen::Vector4d u = Eigen::Vector4d::Zero();
    for (int pass = 0; pass < 6; ++pass) {
      const Mat3 Z = rotation_about(Vec3::UnitZ(), u[3]);
      Eigen::Matrix4d A = 1e-12 * Eigen::Matrix4d::Identity();
      Eigen::Vector4d right = Eigen::Vector4d::Zero();
      for (std::size_t i = 0; i < model.wheels().size(); ++i) {
        const RobotWheel& w = model.wheels()[i];
        const Pose &X0 = was.link[w.link].X_WL, &X1 = is.link[w.link].X_WL;
        const Vec3 give0 = poses[k - 1].stand.wheels[i].touching
                               ? Vec3(poses[k - 1].stand.wheels[i].give * w.axes.col(2))
                               : Vec3(Vec3::Zero());
        const Vec3 give1 = poses[k].stand.wheels[i].touching
                               ? Vec3(poses[k].stand.wheels[i].give * w.axes.col(2))
                               : Vec3(Vec3::Zero());
        const Vec3 arm = Z * (X1 * Vec3(w.hub + give1));
        const Vec3 moved = u.head<3>() + arm - X0 * Vec3(w.hub + give0);
        const Mat3 R1 = Z * X1.R;
        const Vec3 axle = (X0.R * w.axes.col(1) + R1 * w.axes.col(1)).normalized();
        const Vec3 ahead = (X0.R * w.axes.col(0) + R1 * w.axes.col(0)).normalized();
        const double turned =
            poses[k].spin_angle[i] - poses[k - 1].spin_angle[i] + turn_about(X0.R, R1, w.axes.col(1));
        const double roll = w.settings.radius * turned;
        const Vec3 flat = moved - axle.dot(moved) * axle;
        const double way = flat.norm();
        const Vec3 along = way > 1e-9 && pass > 0 ? Vec3(flat / way) : ahead;
        const double sign = along.dot(ahead) < 0 ? -1 : 1;
        const auto equation = [&](const Vec3& d, double lacks) {
          Eigen::Vector4d row;
          row << d, d.dot(Vec3::UnitZ().cross(arm));
          A += row * row.transpose();
          right += lacks * row;
        };
        equation(sign * along, roll - sign * along.dot(moved));
        equation(axle, -axle.dot(moved));
      }
      // Wheels hardly tell how far the base rose: it moves along its own floor.
      const Vec3 floor = (was.link[0].X_WL.R.col(2) + Z * is.link[0].X_WL.R.col(2)).normalized();
      Eigen::Vector4d row;
      row << kFloorWeight * floor, 0;
      A += row * row.transpose();
      right -= kFloorWeight * floor.dot(u.head<3>()) * row;
      u += solve_symmetric(A, right);
    }
    const PathPoint& last = out.back();
    const double c = maths::cos(last.yaw), s = maths::sin(last.yaw);
    out.push_back({last.x + c * u[0] - s * u[1], last.y + s * u[0] + c * u[1], last.yaw + u[3]});
  }
  return out;
}

}  // namespace scree
