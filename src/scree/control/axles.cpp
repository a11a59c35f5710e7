#include "scree/control/axles.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {

std::array<Axle, 2> split_axles(const RobotInfo& robot, double torque_limit, const std::string& who) {
  std::array<Axle, 2> axles;
  for (std::size_t i = 0; i < robot.wheels.size(); ++i) {
    const WheelInfo& w = robot.wheels[i];
    Axle& a = axles[w.p_BK.x() < robot.p_BM.x() ? 0 : 1];
    a.wheels.push_back(static_cast<int>(i));
    a.radius += w.radius;
    if (w.drive < 0) continue;
    ++a.driven;
    const double own = robot.drives[w.drive].torque_limit;
    a.torque_limit += torque_limit > 0 ? std::min(torque_limit, own) : own;
  }
  for (int i = 0; i < 2; ++i) {
    Axle& a = axles[i];
    if (a.wheels.empty() || a.driven == 0)
      input_error(
          "controller '{}' of robot '{}' needs driven wheels before and behind the centre of mass; {} "
          "none",
          who, robot.name, i == 0 ? "the rear has" : "the front has");
    a.radius /= static_cast<double>(a.wheels.size());
  }
  return axles;
}

AxleReading read_axle(const Axle& axle, const Readings& r, const Vec3& p_BM) {
  AxleReading out;
  const double c = maths::cos(r.pitch), s = maths::sin(r.pitch);
  double angle = 0, grip = 0;
  Vec2 p = Vec2::Zero();
  for (int i : axle.wheels) {
    const WheelReading& w = r.wheels[i];
    const Vec3 arm = w.p_BC - p_BM;
    p += Vec2(c * arm.x() - s * arm.z(), s * arm.x() + c * arm.z());
    angle += w.contact_angle;
    out.touching += w.in_contact;
    out.normal += w.normal;
    grip += w.friction * std::max(w.normal, 1e-3);
    out.friction += std::max(w.normal, 1e-3);
  }
  const double n = static_cast<double>(axle.wheels.size());
  out.p = p / n;
  out.tangent = r.pitch + angle / n;
  out.friction = grip / out.friction;
  return out;
}

void command_axle(const Axle& axle, const RobotInfo& robot, double force, std::span<DriveCommand> commands) {
  for (int i : axle.wheels) {
    const WheelInfo& w = robot.wheels[i];
    if (w.drive >= 0)
      commands[w.drive].mode = DriveCommand::Mode::torque,
      commands[w.drive].value = force * w.radius / axle.driven;
  }
}

}  // namespace scree
