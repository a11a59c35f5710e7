#include "scree/sense/sensors.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"

namespace scree {

void describe(Section& s, SensorSettings& x) {
  s.number("rate", x.rate,
           {"Hz", "Own sample rate, held between; 0 = whenever the controller samples", between(0, 1e6)});
  s.number("noise", x.noise, {"quantity's", "Standard deviation per sample", not_negative()});
  s.number("bias", x.bias, {"quantity's", "Constant offset", finite()});
  s.number("delay", x.delay, {"s", "Age of the value that is read", not_negative()});
  s.number("resolution", x.resolution, {"quantity's", "Quantum; 0 = none", not_negative()});
}

void describe(Section& s, SensorSuiteSettings& x) {
  auto one = [&](const char* key, SensorSettings& settings, const char* doc) {
    Section child = s.child(key, doc);
    describe(child, settings);
    child.finish();
  };
  one("encoder", x.encoder, "Wheel spin [rad/s] and angle [rad]");
  one("suspension", x.suspension, "Suspension displacement [m]");
  one("accelerometer", x.accelerometer, "Specific force of the base [m/s^2]");
  one("gyro", x.gyro, "Angular velocity of the base [rad/s]");
  one("attitude", x.attitude, "Roll, pitch, yaw [rad]");
  one("speed", x.speed, "Velocity of the base in its own axes [m/s]");
  one("wheel_force", x.wheel_force, "Normal, traction and lateral force of each wheel [N]");
  one("contact_angle", x.contact_angle, "Contact angle of each wheel [rad]");
  one("battery", x.battery, "Voltage [V] and current [A]");
}

void check(const SensorSettings& x, const std::string& who) {
  if (!(x.rate >= 0)) input_error("sensor '{}': rate {} Hz must be >= 0", who, x.rate);
  if (!(x.noise >= 0)) input_error("sensor '{}': noise {} must be >= 0", who, x.noise);
  if (!(x.delay >= 0 && x.delay <= 60))
    input_error("sensor '{}': delay {} s is outside [0, 60]", who, x.delay);
  if (!(x.resolution >= 0)) input_error("sensor '{}': resolution {} must be >= 0", who, x.resolution);
  if (!std::isfinite(x.bias)) input_error("sensor '{}': bias {} must be finite", who, x.bias);
}

namespace {

bool perfect(const SensorSettings& x) {
  return x.rate == 0 && x.noise == 0 && x.bias == 0 && x.delay == 0 && x.resolution == 0;
}

}  // namespace

Channel::Channel(const SensorSettings& settings, double period, std::uint64_t seed, std::uint64_t trial,
                 const std::string& purpose)
    : settings_(settings), random_(seed, trial, purpose) {
  const double between = settings.rate > 0 ? std::min(period, 1 / settings.rate) : period;
  if (settings.delay > 0) ring_.resize(static_cast<std::size_t>(settings.delay / between) + 3);
}

/// The truth of `delay` ago, in a line between the samples kept; before the first sample, that one.
double Channel::delayed(double time, double truth) {
  if (ring_.empty()) return truth;
  const std::size_t size = ring_.size();
  if (count_ == size) head_ = (head_ + 1) % size, --count_;
  ring_[(head_ + count_++) % size] = {time, truth};
  const double then = time - settings_.delay;
  Stamp before = ring_[head_];
  if (then <= before.time) return before.value;
  for (std::size_t i = 1; i < count_; ++i) {
    const Stamp after = ring_[(head_ + i) % size];
    if (then <= after.time)
      return before.value + (after.value - before.value) * (then - before.time) / (after.time - before.time);
    before = after;
  }
  return before.value;
}

double Channel::measure(double time, double truth) {
  const double value = delayed(time, truth);
  if (settings_.rate > 0) {
    // A sample due within a billionth of its period counts as due: clocks add up in floating point.
    const double period = 1 / settings_.rate;
    if (!first_ && time < next_ - 1e-9 * period) return held_;
    next_ = first_ ? time + period : next_ + period * std::floor((time - next_) / period + 1 + 1e-9);
  }
  first_ = false;
  held_ = value + settings_.bias;
  if (settings_.noise > 0) held_ += settings_.noise * random_.normal();
  if (settings_.resolution > 0) held_ = settings_.resolution * std::round(held_ / settings_.resolution);
  return held_;
}

SensorSuite::SensorSuite(const SensorSuiteSettings& x, std::size_t wheels, double period, std::uint64_t seed,
                         std::uint64_t trial, std::string_view robot)
    : wheels_(wheels) {
  const std::pair<const char*, const SensorSettings*> all[] = {{"encoder", &x.encoder},
                                                               {"suspension", &x.suspension},
                                                               {"accelerometer", &x.accelerometer},
                                                               {"gyro", &x.gyro},
                                                               {"attitude", &x.attitude},
                                                               {"speed", &x.speed},
                                                               {"wheel_force", &x.wheel_force},
                                                               {"contact_angle", &x.contact_angle},
                                                               {"battery", &x.battery}};
  for (const auto& [name, settings] : all) {
    check(*settings, name);
    perfect_ = perfect_ && perfect(*settings);
  }
  readings_.wheels = wheels_;
  if (perfect_) return;
  auto add = [&](const SensorSettings& s, int count, const std::string& name) {
    for (int i = 0; i < count; ++i)
      channels_.emplace_back(s, period, seed, trial, fmt::format("sensor.{}.{}.{}", robot, name, i));
  };
  // The order is that of sample().
  add(x.accelerometer, 3, "accelerometer"), add(x.gyro, 3, "gyro"), add(x.attitude, 3, "attitude");
  add(x.speed, 3, "speed"), add(x.battery, 2, "battery");
  for (std::size_t i = 0; i < wheels; ++i) {
    add(x.encoder, 2, fmt::format("encoder{}", i)), add(x.suspension, 1, fmt::format("suspension{}", i));
    add(x.wheel_force, 3, fmt::format("force{}", i)), add(x.contact_angle, 1, fmt::format("angle{}", i));
  }
}

void SensorSuite::copy_perfect(const RobotTruth& t) {
  Readings& r = readings_;
  r.time = t.time;
  r.specific_force = t.a_WB_B - t.X_WB.R.transpose() * t.gravity_W;
  r.gyro = t.w_WB_B;
  const RollPitchYaw rpy = rpy_from_rotation(t.X_WB.R);
  r.roll = rpy.roll, r.pitch = rpy.pitch, r.yaw = rpy.yaw;
  r.velocity = t.v_WB_B;
  r.p_BM = t.p_BM;
  r.battery = t.battery;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const WheelTruth& w = t.wheels[i];
    WheelReading& o = wheels_[i];
    o.spin = w.spin, o.angle = w.angle, o.suspension = w.suspension;
    o.normal = w.normal, o.traction = w.traction, o.lateral = w.lateral;
    o.contact_angle = w.contact_angle, o.contact_tilt = w.contact_tilt;
  }
}

const Readings& SensorSuite::sample(const RobotTruth& t) {
  copy_perfect(t);
  Readings& r = readings_;
  if (!perfect_) {
    std::size_t next = 0;
    auto pass = [&](double& value) { value = channels_[next++].measure(t.time, value); };
    for (Vec3* v : {&r.specific_force, &r.gyro})
      for (int i = 0; i < 3; ++i) pass((*v)[i]);
    pass(r.roll), pass(r.pitch), pass(r.yaw);
    for (int i = 0; i < 3; ++i) pass(r.velocity[i]);
    pass(r.battery.voltage), pass(r.battery.current);
    for (WheelReading& w : wheels_) {
      pass(w.spin), pass(w.angle), pass(w.suspension);
      pass(w.normal), pass(w.traction), pass(w.lateral), pass(w.contact_angle);
    }
  }
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const WheelTruth& w = t.wheels[i];
    WheelReading& o = wheels_[i];
    o.in_contact = o.normal > 0;
    // Ahead and up of the wheel in its own plane; the suspension moves the centre along its own direction.
    o.ahead_B = w.axis_B.cross(w.up_B).normalized(), o.up_B = o.ahead_B.cross(w.axis_B);
    const Vec3 centre = w.p_BK + (o.suspension - w.suspension) * w.up_B;
    o.p_BC =
        centre + w.radius * (maths::sin(o.contact_angle) * o.ahead_B - maths::cos(o.contact_angle) * o.up_B);
    if (w.normal > 1e-6) o.friction = w.peak / w.normal;  // else keep the last one
  }
  return r;
}

}  // namespace scree
