#include "scree/sense/suite.hpp"

#include <algorithm>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {

SensorSuite::SensorSuite(std::span<const SensorSettings> settings, const SensorRobot& robot, double period,
                         std::uint64_t seed, std::uint64_t trial)
    : shown_(settings.size()),
      wheels_(robot.wheels.size()),
      axes_(robot.wheels.size()),
      next_(settings.empty() ? std::numeric_limits<double>::infinity() : 0) {
  for (const SensorSettings& s : settings) {
    SensorPlan plan(s, robot);
    bool first = true;
    for (const Sensor& other : sensors_) {
      if (other.plan().settings.name == plan.settings.name)
        input_error("robot '{}': two sensors are called '{}'; give each its own name", robot.name,
                    plan.settings.name);
      first = first && other.plan().kind != plan.kind;
    }
    first_.push_back(first && plan.kind->show);
    needs_links_ = needs_links_ || plan.kind->on == SensorKind::On::link;
    needs_outer_links_ = needs_outer_links_ || plan.site.link > 0;
    sensors_.emplace_back(std::move(plan), period, seed, trial, robot.name);
  }
  readings_.wheels = wheels_;
  readings_.sensors = shown_;
}

void SensorSuite::update(const RobotTruth& truth) {
  if (truth.time < next_) return;
  next_ = std::numeric_limits<double>::infinity();
  for (Sensor& sensor : sensors_) {
    if (truth.time >= sensor.next()) sensor.update(truth);
    next_ = std::min(next_, sensor.next());
  }
}

void SensorSuite::copy_truth(const RobotTruth& t) {
  Readings& r = readings_;
  r.time = t.time;
  r.specific_force = t.a_WB_B - t.X_WB.R.transpose() * t.gravity_W;
  r.gyro = t.w_WB_B;
  const RollPitchYaw rpy = rpy_from_rotation(t.X_WB.R);
  r.roll = rpy.roll, r.pitch = rpy.pitch, r.yaw = rpy.yaw;
  r.velocity = t.v_WB_B;
  r.position = t.X_WB.p, r.heading = rpy.yaw;
  r.p_BM = t.p_BM;
  r.joints = t.joints;
  r.battery = t.battery;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const WheelTruth& w = t.wheels[i];
    WheelReading& o = wheels_[i];
    o.spin = w.spin, o.angle = w.angle, o.suspension = w.suspension;
    o.normal = w.normal, o.traction = w.traction, o.lateral = w.lateral;
    o.contact_angle = w.contact_angle, o.contact_tilt = w.contact_tilt;
  }
}

const Readings& SensorSuite::read(const RobotTruth& t, bool places) {
  copy_truth(t);
  Readings& r = readings_;
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    const SensorPlan& plan = sensors_[k].plan();
    shown_[k] = sensors_[k].reading();
    if (!first_[k]) continue;
    const std::size_t each = plan.kind->channels.size();
    for (std::size_t i = 0; i < plan.site.items.size(); ++i)
      plan.kind->show(shown_[k].values.data() + i * each, plan.site.items[i], r, wheels_);
  }
  for (WheelReading& w : wheels_) w.in_contact = w.normal > 0;
  if (places) place_contacts(t);
  return r;
}

/// Where the wheels touch, from what was read of them.
void SensorSuite::place_contacts(const RobotTruth& t) {
  for (std::size_t first = 0; first < wheels_.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, wheels_.size() - first);
    Lanes angles{};
    for (std::size_t k = 0; k < count; ++k) angles[k] = wheels_[first + k].contact_angle;
    const maths::LaneSineCosine at = maths::sine_cosines(angles);
    for (std::size_t k = 0; k < count; ++k) {
      const WheelTruth& w = t.wheels[first + k];
      WheelReading& o = wheels_[first + k];
      WheelAxes& kept = axes_[first + k];
      // Ahead and up of the wheel in its own plane, made anew where its link has turned; the suspension moves
      // the centre along its own direction.
      if (w.axis_B != kept.axis_B || w.up_B != kept.up_B) {
        kept = {w.axis_B, w.up_B};
        o.ahead_B = w.axis_B.cross(w.up_B).normalized(), o.up_B = o.ahead_B.cross(w.axis_B);
      }
      const Vec3 centre = w.p_BK + (o.suspension - w.suspension) * w.up_B;
      o.p_BC = centre + w.radius * (at.sine[k] * o.ahead_B - at.cosine[k] * o.up_B);
      if (w.normal > 1e-6) o.friction = w.peak / w.normal;  // else keep the last one
    }
  }
}

void SensorSuite::memory(Memory& m) {
  next_ = sensors_.empty() ? next_ : std::numeric_limits<double>::infinity();
  for (Sensor& sensor : sensors_) {
    sensor.memory(m);
    next_ = std::min(next_, sensor.next());
  }
  for (WheelReading& w : wheels_) m(w.friction);
}

}  // namespace scree
