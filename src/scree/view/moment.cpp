#include "scree/view/moment.hpp"

namespace scree::view {
namespace {

Pose blend(const Pose& a, const Pose& b, double part) {
  const Quat q = Quat(a.R).slerp(part, Quat(b.R));
  return {q.toRotationMatrix(), (1 - part) * a.p + part * b.p};
}

}  // namespace

Moment blend(const Moment& a, const Moment& b, double part) {
  Moment m = part < 0.5 ? a : b;
  m.time = (1 - part) * a.time + part * b.time;
  for (std::size_t r = 0; r < m.robots.size(); ++r) {
    const RobotMoment &ra = a.robots[r], &rb = b.robots[r];
    RobotMoment& to = m.robots[r];
    for (std::size_t i = 0; i < to.links.size(); ++i) to.links[i] = blend(ra.links[i], rb.links[i], part);
    for (std::size_t i = 0; i < to.wheels.size(); ++i) {
      WheelMoment& w = to.wheels[i];
      w.pose = blend(ra.wheels[i].pose, rb.wheels[i].pose, part);
      w.force = (1 - part) * ra.wheels[i].force + part * rb.wheels[i].force;
      w.travel = (1 - part) * ra.wheels[i].travel + part * rb.wheels[i].travel;
    }
    to.center_of_mass = (1 - part) * ra.center_of_mass + part * rb.center_of_mass;
    to.velocity = (1 - part) * ra.velocity + part * rb.velocity;
  }
  return m;
}

}  // namespace scree::view
