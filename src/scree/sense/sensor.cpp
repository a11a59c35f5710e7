#include "scree/sense/sensor.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

constexpr double kSameTick = 1e-9;  // of a period: clocks add up in floating point

std::vector<std::string> sensor_kind_names() {
  std::vector<std::string> names;
  for (const SensorKind& kind : sensor_kinds()) names.push_back(kind.name);
  return names;
}

const SensorKind& find_sensor_kind(const std::string& name) {
  for (const SensorKind& kind : sensor_kinds())
    if (kind.name == name) return kind;
  input_error("no kind of sensor is called '{}'{}", name, name_hint(name, sensor_kind_names()));
}

void check_numbers(const SensorSettings& x, const std::string& who) {
  if (!(x.rate >= 0 && x.rate <= 1e6)) input_error("{}: rate {} Hz is outside [0, 1e6]", who, x.rate);
  if (!(x.noise >= 0)) input_error("{}: noise {} must be >= 0", who, x.noise);
  if (!(x.delay >= 0 && x.delay <= 60)) input_error("{}: delay {} s is outside [0, 60]", who, x.delay);
  if (!(x.resolution >= 0)) input_error("{}: resolution {} must be >= 0", who, x.resolution);
  if (!(x.dropout >= 0 && x.dropout < 1)) input_error("{}: dropout {} is outside [0, 1)", who, x.dropout);
  if (!std::isfinite(x.bias)) input_error("{}: bias {} must be finite", who, x.bias);
}

/// The places of the names that match one of the patterns, in their own order; of none, all.
std::vector<int> chosen(const std::vector<std::string>& patterns, const std::vector<std::string>& names,
                        const std::string& who, const char* what) {
  std::vector<char> in(names.size(), patterns.empty() ? 1 : 0);
  for (const std::string& pattern : patterns) {
    bool met = false;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (matches_pattern(names[i], pattern)) in[i] = 1, met = true;
    if (!met) input_error("{}: no {} is called '{}'{}", who, what, pattern, name_hint(pattern, names));
  }
  std::vector<int> places;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i]) places.push_back(static_cast<int>(i));
  return places;
}

}  // namespace

void describe(Section& s, SensorSettings& x) {
  s.choice("kind", x.kind, sensor_kind_names(), {.doc = "what it measures", .required = true});
  s.text("name", x.name, {.doc = "of its signals, and for controllers; default: the kind"});
  s.text("link", x.link, {.doc = "that carries it; empty: the base"});
  s.vector("position", x.position, {.unit = "m", .doc = "on the link"});
  s.angle("roll", x.roll, {.doc = "of its axes on the link", .range = between(-kPi, kPi)});
  s.angle("pitch", x.pitch, {.doc = "of its axes, nose up positive", .range = between(-kPi, kPi)});
  s.angle("yaw", x.yaw, {.doc = "of its axes, left positive", .range = between(-kPi, kPi)});
  s.texts("of", x.of, {.doc = "wheels or joints that it is on, names or patterns; default: all"});
  s.number("rate", x.rate,
           {.unit = "Hz",
            .doc = "samples, at ends of steps; 0: when the controller samples, without one every step",
            .range = between(0, 1e6)});
  s.number("delay", x.delay,
           {.unit = "s", .doc = "what is measured now is read so much later", .range = between(0, 60)});
  s.number("noise", x.noise,
           {.unit = "quantity's", .doc = "standard deviation per sample", .range = not_negative()});
  s.number("bias", x.bias, {.unit = "quantity's", .doc = "constant offset", .range = finite()});
  s.number("resolution", x.resolution,
           {.unit = "quantity's", .doc = "quantum; 0: none", .range = not_negative()});
  s.number("dropout", x.dropout,
           {.unit = "-", .doc = "share of samples that are lost", .range = Range{0, 1, false, true}});
}

SensorPlan::SensorPlan(const SensorSettings& given, const SensorRobot& robot)
    : settings(given), kind(&find_sensor_kind(given.kind)) {
  if (settings.name.empty()) settings.name = settings.kind;
  const std::string who = fmt::format("sensor '{}' of robot '{}'", settings.name, robot.name);
  check_numbers(settings, who);
  using On = SensorKind::On;
  const bool posed = !settings.link.empty() || !settings.position.isZero(0) || settings.roll != 0 ||
                     settings.pitch != 0 || settings.yaw != 0;
  if (posed && kind->on != On::link)
    input_error("{}: a sensor of kind '{}' has no place on a link; leave link and pose out", who, kind->name);
  if (!settings.of.empty() && kind->on != On::wheels && kind->on != On::joints)
    input_error("{}: a sensor of kind '{}' is on no wheel or joint; leave `of` out", who, kind->name);
  if (!settings.link.empty()) {
    std::vector<std::string> names;
    const SensorLink* found = nullptr;
    for (const SensorLink& link : robot.links) {
      names.push_back(link.name);
      if (link.name == settings.link) found = &link;
    }
    if (!found)
      input_error("{}: no link is called '{}'{}", who, settings.link, name_hint(settings.link, names));
    site.link = found->link;
    site.X_LS = found->X_LF;
  }
  site.X_LS =
      site.X_LS * Pose{rotation_from_rpy(settings.roll, settings.pitch, settings.yaw), settings.position};
  if (kind->on == On::wheels || kind->on == On::joints) {
    const bool wheels = kind->on == On::wheels;
    const std::vector<std::string>& names = wheels ? robot.wheels : robot.joints;
    site.items = chosen(settings.of, names, who, wheels ? "wheel" : "joint");
    if (site.items.empty()) input_error("{}: the robot has no {}", who, wheels ? "wheel" : "joint");
    for (const int item : site.items)
      for (const SensorChannel& c : kind->channels)
        channels.push_back({names[static_cast<std::size_t>(item)] + "." + c.name, c.unit, c.doc});
  } else {
    site.items = {0};
    channels = kind->channels;
  }
}

Sensor::Sensor(SensorPlan plan, double period, std::uint64_t seed, std::uint64_t trial,
               const std::string& robot)
    : plan_(std::move(plan)),
      period_(plan_.settings.rate > 0 ? 1 / plan_.settings.rate : period),
      random_(seed, trial, fmt::format("sensor.{}.{}", robot, plan_.settings.name)),
      shown_(plan_.channels.size()),
      taken_(plan_.channels.size()) {
  if (plan_.settings.delay > 0)
    queue_.resize((static_cast<std::size_t>(plan_.settings.delay / period_) + 3) * width());
}

void Sensor::measure(const RobotTruth& truth) {
  const SensorSettings& x = plan_.settings;
  const std::size_t each = plan_.kind->channels.size();
  for (std::size_t k = 0; k < plan_.site.items.size(); ++k)
    plan_.kind->read(truth, plan_.site, plan_.site.items[k], taken_.data() + k * each);
  for (double& value : taken_) {
    value += x.bias;
    if (x.noise > 0) value += x.noise * random_.normal();
    if (x.resolution > 0) value = x.resolution * std::round(value / x.resolution);
  }
  // The first sample always arrives: there is nothing to hold before it.
  const bool lost = x.dropout > 0 && random_.uniform() < x.dropout && any_;
  if (!any_ || (!lost && queue_.empty())) shown_ = taken_, shown_time_ = truth.time;
  lost_ = lost, any_ = true;
  if (queue_.empty() || lost) return;
  const int slots = static_cast<int>(queue_.size() / width());
  if (count_ == slots) head_ = (head_ + 1) % slots, --count_;
  double* entry = queue_.data() + static_cast<std::size_t>((head_ + count_++) % slots) * width();
  entry[0] = truth.time + x.delay, entry[1] = truth.time;
  std::copy(taken_.begin(), taken_.end(), entry + 2);
}

void Sensor::arrive(double time) {
  const int slots = static_cast<int>(queue_.size() / width());
  while (count_ > 0) {
    const double* entry = queue_.data() + static_cast<std::size_t>(head_) * width();
    if (entry[0] > time + kSameTick * period_) return;
    shown_time_ = entry[1];
    std::copy(entry + 2, entry + width(), shown_.begin());
    head_ = (head_ + 1) % slots, --count_;
  }
}

void Sensor::set_next() {
  next_ = (static_cast<double>(ticks_) - kSameTick) * period_;
  if (count_ > 0)
    next_ = std::min(next_, queue_[static_cast<std::size_t>(head_) * width()] - kSameTick * period_);
}

void Sensor::update(const RobotTruth& truth) {
  if (truth.time >= (static_cast<double>(ticks_) - kSameTick) * period_) {
    measure(truth);
    ticks_ = static_cast<std::uint64_t>(std::floor(truth.time / period_ + kSameTick)) + 1;
  }
  arrive(truth.time);
  set_next();
}

void Sensor::memory(Memory& m) {
  random_.memory(m);
  m(ticks_), m(shown_), m(shown_time_), m(lost_), m(any_), m(queue_), m(head_), m(count_);
  set_next();
}

}  // namespace scree
