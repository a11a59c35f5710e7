#include "scree/view/bridge.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/sim/balance.hpp"
#include "scree/sim/step.hpp"

namespace scree::view {
namespace {

double total_mass(const Tree& tree) {
  double mass = 0;
  for (const Link& link : tree.links()) mass += link.mass;
  return mass;
}

/// A colour for each model, the same every time.
Color paint(const std::string& name) {
  static const Color paints[] = {rgb(0xe07b2c), rgb(0x3f7fbf), rgb(0xd9b02a), rgb(0x4f9d69), rgb(0xb8514b)};
  std::size_t sum = 0;
  for (char c : name) sum += static_cast<unsigned char>(c);
  return paints[sum % 5];
}

}  // namespace

RobotShape robot_shape(const WorldRobot& robot) {
  const RobotModel& model = *robot.model;
  const RobotSettings& settings = model.settings();
  RobotShape shape;
  shape.name = robot.name;
  shape.folder = settings.folder;
  shape.color = paint(model.name());
  for (const Link& link : model.tree().links())
    shape.links.push_back({link.name, Vec3::Zero(), Vec3::Zero(), {}});
  for (const RobotLinkSettings& link : settings.links) {
    if (link.joint != "fixed") continue;
    const LinkFrame frame = model.tree().frame(link.name);
    shape.fixed.push_back({link.name, frame.link, frame.X_LF});
  }
  for (const RobotVisualSettings& v : settings.visuals)
    shape.visuals.push_back({v.on, v.shape, v.pose, v.size, v.mesh, v.colour.cast<float>(), v.coloured});
  const ChassisSettings& c = settings.chassis;
  shape.links[0].center = c.box_centre();
  shape.links[0].size = Vec3(c.l1 + c.l2, c.w1 + c.w2, c.h_base + c.h_top);
  for (const Joint& joint : model.tree().joints())
    shape.links[joint.parent].attachments.push_back(joint.p_PJ);

  for (const RobotWheel& wheel : model.wheels()) {
    RobotShape::Wheel w;
    w.name = wheel.settings.name;
    w.link = wheel.link;
    w.shape.radius = wheel.settings.radius;
    w.shape.width = wheel.settings.width;
    w.left = wheel.hub.y() >= 0;
    const Vec3 inward = (w.left ? -0.75 : 0.75) * wheel.settings.width * Vec3::UnitY();
    if (is_suspended(wheel.settings.contact.kind) && wheel.settings.suspension.stiffness > 0 &&
        wheel.link == 0)
      w.strut_top = wheel.hub + inward + 1.25 * wheel.settings.radius * wheel.axes.col(2);
    else
      shape.links[wheel.link].attachments.push_back(wheel.hub + inward);
    shape.extent.add(wheel.hub + Vec3::Constant(wheel.settings.radius));
    shape.extent.add(wheel.hub - Vec3::Constant(wheel.settings.radius));
    shape.wheels.push_back(std::move(w));
  }
  shape.extent.add(shape.links[0].center + 0.5 * shape.links[0].size);
  shape.extent.add(shape.links[0].center - 0.5 * shape.links[0].size);
  return shape;
}

Bridge::Bridge(const Scenario& scenario)
    : world_(scenario.world), state_(*world_), workspace_(*world_, SimWorkspace::Scratch::shared) {}

Moment Bridge::moment(std::span<const double> values) {
  if (values.size() != state_.all().size())
    input_error("a state of {} numbers does not belong to this scenario, whose states have {}", values.size(),
                state_.all().size());
  std::copy(values.begin(), values.end(), state_.all().begin());
  Moment moment;
  moment.time = state_.time();
  for (std::size_t i = 0; i < world_->robots().size(); ++i) moment.robots.push_back(robot_moment(i));
  return moment;
}

RobotMoment Bridge::robot_moment(std::size_t index) {
  const WorldRobot& source = world_->robots()[index];
  const RobotModel& model = *source.model;
  examine(*world_, state_, static_cast<int>(index), workspace_);
  RobotScratch& scratch = workspace_.of(static_cast<int>(index));
  list_contacts(*world_, model, scratch);
  RobotMoment robot;
  double mass = 0;
  robot.center_of_mass = Vec3::Zero();
  for (std::size_t i = 0; i < model.tree().links().size(); ++i) {
    const Pose& X = scratch.mechanism.link[i].X_WL;
    const Link& link = model.tree().links()[i];
    robot.links.push_back(X);
    robot.center_of_mass += link.mass * (X * link.p_LC);
    mass += link.mass;
  }
  if (mass > 0) robot.center_of_mass /= mass;
  robot.velocity = robot.links[0].R * scratch.mechanism.link[0].V_WL_L.head<3>();
  robot.weight = total_mass(model.tree()) * std::max(world_->gravity().norm(), 1e-3);
  for (const RobotWheel& wheel : model.wheels()) {
    const Contact& c = scratch.contacts[wheel.contact];
    const Pose& X = robot.links[wheel.link];
    WheelMoment w;
    w.touches = c.touching;
    w.radius = wheel.settings.radius;
    w.travel = c.travel;
    w.travel_limit = wheel.settings.suspension.stiffness > 0 ? wheel.settings.suspension.travel : 0;
    const double angle = scratch.mechanism.angle[wheel.rotor];
    Mat3 spin = wheel.axes * Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    w.pose = {X.R * spin, X * Vec3(wheel.hub + w.travel * wheel.axes.col(2))};
    w.contact = c.touching ? c.p_W : Vec3(w.pose.p - w.radius * Vec3::UnitZ());
    w.force = c.force_W;
    w.slip = c.slip;
    w.width = wheel.settings.width;
    w.sinkage = wheel.kind->needs_soil && c.touching ? c.depth : 0;
    robot.wheels.push_back(w);
  }
  if (model.wheels().size() < 3 || !(world_->gravity().norm() > 0)) return robot;
  balance(*world_, model, scratch);
  for (const StabilityAxis& axis : scratch.stability.axes()) {
    robot.support.push_back(robot.links[0] * scratch.stability.points()[axis.place]);
    robot.stability.push_back(axis.index);
  }
  return robot;
}

}  // namespace scree::view
