#include "scree/sim/place.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/mechanism/integrate.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/prescribe.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

/// Upward part of the robot's z axis below which it does not start on its wheels.
constexpr double kOnWheels = 0.1;

/// A link as it stands, in the base's frame.
Pose in_base(const Workspace& mechanism, int link) {
  return link == 0 ? Pose{} : mechanism.link[0].X_WL.inverse() * mechanism.link[link].X_WL;
}

/// Height at which no body is lower than `clearance` above the ground; `at` has the base on height zero.
double height_on_hull(const World& world, const RobotModel& model, const Pose& at, Workspace& mechanism,
                      double clearance) {
  // The links as they stand, moved along with the base.
  const Pose moved = at * mechanism.link[0].X_WL.inverse();
  for (auto& link : mechanism.link) link.X_WL = moved * link.X_WL;
  return sunk(world, model, mechanism) + clearance;
}

/// Whether a wheel touches with the base at this height.
bool touches_at(const World& world, int index, double height, State& state, SimWorkspace& workspace) {
  const WorldRobot& robot = world.robots()[index];
  RobotBlock(*robot.model, state.block(robot)).positions[2] = height;
  examine(world, state, index, workspace);
  return workspace.report[index].gap < 0;
}

/// Height at which the robot, its suspensions unloaded, falls by `clearance` until the first wheel touches.
/// The search tells how far only nearby, so what bisection looks for is the height of first touch.
/// `on_hull`: no body is in the ground from here on.
double height_on_wheels(const World& world, int index, const StartSettings& start, double on_hull,
                        State& state, SimWorkspace& workspace) {
  const RobotModel& model = *world.robots()[index].model;
  const double reach = model.reach(), ground = world.terrain().height(start.position.x(), start.position.y());
  const auto first_touch = [&](double low, double high) {
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (low + high);
      (touches_at(world, index, middle, state, workspace) ? low : high) = middle;
    }
    return 0.5 * (low + high) + start.clearance;
  };
  const double found = first_touch(ground - 10 * reach, ground + 10 * reach);
  // Beside walls and banks a wheel may touch higher up as well, and a wheel of some kinds that is wholly
  // below the ground does not touch it, so that bisection went on downward: look down from above what was
  // found, in steps that cannot miss a wheel.
  double least = reach;
  for (const auto& wheel : model.wheels()) least = std::min(least, wheel.settings.radius);
  const double from = std::max(found - start.clearance, on_hull - start.clearance), step = 0.5 * least;
  for (double z = from + 2 * reach; z > from + 0.1 * step; z -= step)
    if (touches_at(world, index, z, state, workspace)) return first_touch(z, z + step);
  return found;
}

/// Joints that couplings or motions put beyond their stops, and wheels that are beside the ground.
void check_start(const World& world, const WorldRobot& robot, const RobotBlock& block,
                 const Workspace& mechanism) {
  const Tree& tree = robot.model->tree();
  for (int j = 0; j < tree.joint_count(); ++j) {
    const JointSettings& s = tree.joints()[j].settings;
    const double q = block.positions[tree.joint_position() + j];
    if (q < s.lower - 1e-9 || q > s.upper + 1e-9) {
      input_error(
          "robot '{}': joint '{}' starts at {:.6g}, outside its limits [{:.6g}, {:.6g}]: look at its "
          "coupling, "
          "motion or drive",
          robot.name, s.name, q, s.lower, s.upper);
    }
  }
  const Rectangle area = world.terrain().bounds();
  for (const RobotWheel& w : robot.model->wheels()) {
    const Vec3 hub = mechanism.link[w.link].X_WL * w.hub;
    if (area.contains(hub.x(), hub.y())) continue;
    input_error(
        "robot '{}': wheel '{}' would start at [{:.4g}, {:.4g}], outside the terrain, x in [{}, {}], y in "
        "[{}, {}]",
        robot.name, w.settings.name, hub.x(), hub.y(), area.x_min, area.x_max, area.y_min, area.y_max);
  }
}

}  // namespace

void place(const World& world, int index, const StartSettings& start, State& state, SimWorkspace& workspace) {
  const WorldRobot& robot = world.robots()[index];
  const RobotModel& model = *robot.model;
  const Rectangle area = world.terrain().bounds();
  if (!area.contains(start.position.x(), start.position.y())) {
    input_error("robot '{}': start.position [{}, {}] is outside the terrain, x in [{}, {}], y in [{}, {}]",
                robot.name, start.position.x(), start.position.y(), area.x_min, area.x_max, area.y_min,
                area.y_max);
  }
  RobotBlock block(model, state.block(robot));
  start_prescribed(model, state.time(), block);
  meet_couplings(model.tree(), block.positions, block.velocities);
  Workspace& mechanism = workspace.of(index).mechanism;
  const Mat3 R = rotation_from_rpy(start.roll, start.pitch, start.yaw);
  const Quat q(R);
  block.positions[0] = start.position.x();
  block.positions[1] = start.position.y();
  block.positions[3] = q.w();
  block.positions[4] = q.x();
  block.positions[5] = q.y();
  block.positions[6] = q.z();
  update_kinematics(model.tree(), block.positions, block.velocities, mechanism);
  check_start(world, robot, block, mechanism);
  if (start.given_height) {
    block.positions[2] = start.height;
  } else {
    const Pose at{R, Vec3(start.position.x(), start.position.y(), 0)};
    double z = height_on_hull(world, model, at, mechanism, start.clearance);
    if (R(2, 2) > kOnWheels && !model.wheels().empty()) {
      z = std::max(z, height_on_wheels(world, index, start, z, state, workspace));
    }
    block.positions[2] = z;
  }
  if (model.tree().held_base()) {
    if (start.speed != 0) {
      input_error("robot '{}': start.speed {} m/s, but its base is fixed", robot.name, start.speed);
    }
    return;
  }
  const Vec3 heading(maths::cos(start.yaw), maths::sin(start.yaw), 0);
  const Vec3 v = start.speed * (maths::cos(start.climb) * heading + maths::sin(start.climb) * Vec3::UnitZ());
  for (int i = 0; i < 3; ++i) block.velocities[i] = v[i];
  if (start.wheels == "rolling") {
    const Vec3 v_B = R.transpose() * v;
    for (const auto& wheel : model.wheels()) {
      block.velocities[model.tree().rotor_velocity() + wheel.rotor] =
          v_B.dot(in_base(mechanism, wheel.link).R * wheel.axes.col(0)) / wheel.settings.radius;
    }
  }
}

}  // namespace scree
