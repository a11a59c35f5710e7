#include "scree/sim/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/balance.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"

namespace scree {
namespace {

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& kind : event_kinds()) names.push_back(kind.first);
  return names;
}

/// Of a kind in event_kinds().
int place_of(const std::string& kind) {
  const auto names = kind_names();
  return static_cast<int>(std::find(names.begin(), names.end(), kind) - names.begin());
}

Vec3 base_position(const State& state, const WorldRobot& robot) {
  return Eigen::Map<const Vec3>(state.block(robot) + robot.model->layout().positions);
}

/// z component of the body's z axis: the cosine of the tilt.
double upright(const State& state, const WorldRobot& robot) {
  const double* q = state.block(robot) + robot.model->layout().positions + 3;  // w, x, y, z
  return 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& event_kinds() {
  static const std::vector<std::pair<std::string, std::string>> kinds = {
      {"rolled_over", "the body's z axis is tilted by more than `angle`"},
      {"left_terrain", "the base is outside the terrain"},
      {"stuck", "moved less than `distance` within `time`"},
      {"goal", "the base is within `radius` of `position`, or inside `area`"},
      {"left_area", "the base is outside `area`"},
      {"landed", "first wheel on the ground after all were in the air; located inside the step"},
      {"lift_off", "last wheel left the ground"},
      {"hull_contact", "the hull touches the ground"},
      {"robot_contact", "touches another robot"},
      {"unstable", "the energy stability margin (NESM) is below `margin`"},
      {"buried", "a wheel is deeper in soft soil than its radius"}};
  return kinds;
}

void describe(Section& s, EventSettings& x) {
  s.choice(
      "kind", x.kind, kind_names(),
      {.doc = "what to watch for; rolled_over, left_terrain and buried are always watched and end the run "
              "unless an event here says otherwise",
       .required = true});
  s.text("robot", x.robot, {.doc = "name of the robot; empty: every robot"});
  s.boolean("ends_run", x.ends_run, {.doc = "the run ends when it happens"});
  s.angle("angle", x.angle, {.doc = "tilt that counts as rolled over", .range = between(0.1, kPi)});
  s.number("time", x.time, {.unit = "s", .doc = "stuck: for so long", .range = positive()});
  s.number("distance", x.distance, {.unit = "m", .doc = "stuck: moved less than this", .range = positive()});
  s.vector("position", x.position, {.unit = "m", .doc = "goal"});
  s.number("radius", x.radius, {.unit = "m", .doc = "goal: near enough", .range = positive()});
  s.numbers("area", x.area,
            {.unit = "m",
             .doc = "goal (instead of position and radius) and left_area: x from, x to, y from, y to"});
  s.number("margin", x.margin, {.unit = "m", .doc = "unstable: NESM below this"});
  if (s.documenting()) return;
  if (s.has("area")) {
    if (x.kind != "goal" && x.kind != "left_area")
      s.fail("area", fmt::format("an event '{}' has no area; goal and left_area have one", x.kind));
    if (x.area.size() != 4) s.fail("area", "needs 4 numbers: x from, x to, y from, y to");
    if (!(x.area[0] < x.area[1] && x.area[2] < x.area[3]))
      s.fail("area", fmt::format("[{}] is empty: from must be below to, along x and along y",
                                 fmt::join(x.area, ", ")));
    for (const char* other : {"position", "radius"})
      if (s.has(other)) s.fail(other, "the goal has an area; give either that or position and radius");
  } else if (x.kind == "left_area") {
    s.fail("area", "is missing: left_area needs x from, x to, y from, y to");
  }
}

std::string event_text(const EventSettings& x) {
  std::string text = fmt::format("{{kind = {}, ends_run = {}", json_text(x.kind), x.ends_run);
  if (!x.robot.empty()) text += fmt::format(", robot = {}", json_text(x.robot));
  const auto number = [&text](const char* key, double value) {
    text += fmt::format(", {} = {}", key, number_text(value));
  };
  if (x.kind == "rolled_over") number("angle", x.angle);
  if (x.kind == "stuck") number("time", x.time), number("distance", x.distance);
  if (x.kind == "unstable") number("margin", x.margin);
  if (!x.area.empty()) {
    text += ", area = [";
    for (std::size_t i = 0; i < x.area.size(); ++i) text += (i ? ", " : "") + number_text(x.area[i]);
    text += "]";
  } else if (x.kind == "goal") {
    text += fmt::format(", position = [{}, {}]", number_text(x.position.x()), number_text(x.position.y()));
    number("radius", x.radius);
  }
  return text + "}";
}

EventWatch::EventWatch(const World& world, std::vector<EventSettings> settings) {
  for (const char* always : {"left_terrain", "rolled_over", "buried"}) {
    if (std::string_view(always) == "buried" && world.soils() == nullptr) continue;
    const bool given =
        std::any_of(settings.begin(), settings.end(), [&](const auto& s) { return s.kind == always; });
    EventSettings standard;
    standard.kind = always;
    standard.ends_run = true;
    if (!given) settings.insert(settings.begin(), standard);
  }
  std::vector<std::string> names;
  for (const auto& robot : world.robots()) names.push_back(robot.name);
  for (const auto& s : settings) {
    if (!s.robot.empty() && std::find(names.begin(), names.end(), s.robot) == names.end()) {
      input_error("event '{}': no robot '{}'{}", s.kind, s.robot, name_hint(s.robot, names));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!s.robot.empty() && names[i] != s.robot) continue;
      // A fixed base stands as it was put.
      if (s.robot.empty() && s.kind == "rolled_over" && world.robots()[i].model->tree().held_base()) continue;
      Watch watch;
      watch.settings = s;
      watch.kind = static_cast<Kind>(place_of(s.kind));
      watch.robot = static_cast<int>(i);
      watch.cosine = maths::cos(s.angle);
      watch.active = watch.kind == Kind::lift_off || watch.kind == Kind::landed;  // neither at the very start
      watch.from = Vec2(1e300, 1e300);
      watches_.push_back(watch);
      if (watch.kind == Kind::landed) keeps_snapshots_ = true;
      if (watch.kind == Kind::unstable) watches_balance_ = true;
    }
  }
  if (!keeps_snapshots_) return;
  snapshots_.assign(2, State(world));
  trial_ = std::make_unique<SimWorkspace>(world, SimWorkspace::Scratch::shared);
}

void EventWatch::memory(Memory& m) {
  for (Watch& watch : watches_) {
    m(watch.active), m(watch.since);
    for (double& x : watch.from) m(x);
  }
  for (State& snapshot : snapshots_) m(snapshot.all());
}

std::string EventWatch::layout(const World& world) const {
  std::string text;
  for (const Watch& watch : watches_)
    text += fmt::format("event {} of robot '{}'\n", watch.settings.kind, world.robots()[watch.robot].name);
  return text;
}

void EventWatch::before_step(const World&, const State& state, const SimWorkspace&) {
  if (!keeps_snapshots_) return;
  std::swap(snapshots_[0], snapshots_[1]);
  std::copy(state.all().begin(), state.all().end(), snapshots_[1].all().begin());
}

bool EventWatch::holds(const World& world, const State& state, const SimWorkspace& workspace,
                       Watch& watch) const {
  const WorldRobot& robot = world.robots()[watch.robot];
  const RobotReport& report = workspace.report[watch.robot];
  const Vec3 p = base_position(state, robot);
  const auto inside = [&] {
    const std::vector<double>& a = watch.settings.area;
    return p.x() >= a[0] && p.x() <= a[1] && p.y() >= a[2] && p.y() <= a[3];
  };
  switch (watch.kind) {
    case Kind::rolled_over:
      return upright(state, robot) < watch.cosine;
    case Kind::left_terrain:
      return !world.terrain().bounds().contains(p.x(), p.y());
    case Kind::goal:
      if (!watch.settings.area.empty()) return inside();
      return (p.head<2>() - watch.settings.position).norm() < watch.settings.radius;
    case Kind::left_area:
      return !inside();
    case Kind::landed:
      return report.touching > 0;
    case Kind::lift_off:
      return report.touching == 0;
    case Kind::hull_contact:
      return report.body;
    case Kind::robot_contact:
      return report.met;
    case Kind::buried:
      return report.buried > 0;
    case Kind::unstable:
      return report.energy_margin < watch.settings.margin;
    case Kind::stuck:
      break;
  }
  if ((p.head<2>() - watch.from).norm() > watch.settings.distance) {
    watch.from = p.head<2>();
    watch.since = state.time();
  }
  return state.time() - watch.since > watch.settings.time;
}

Event EventWatch::make_event(const World& world, const State& state, const Watch& watch) const {
  const WorldRobot& robot = world.robots()[watch.robot];
  Event event{state.time(),           robot.name, watch.settings.kind, "", base_position(state, robot),
              watch.settings.ends_run};
  event.text = fmt::format("{}: {} at t = {:.3f} s, x = {:.3f} m, y = {:.3f} m", robot.name,
                           watch.settings.kind, event.time, event.position.x(), event.position.y());
  return event;
}

/// Bisects the time at which the clearance passes zero: from the state before the last step but one (in
/// flight), single steps of trial length are exact for the centre of mass.
Event EventWatch::locate_landing(const World& world, const SimWorkspace& workspace, const Watch& watch,
                                 double until) {
  const State& from = snapshots_[0].time() < snapshots_[1].time() ? snapshots_[0] : snapshots_[1];
  double low = 0, high = until - from.time();
  State trial = from;
  trial_->commands = workspace.commands;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    std::copy(from.all().begin(), from.all().end(), trial.all().begin());
    for (std::size_t k = 0; k < world.robots().size(); ++k)
      step_robot(world, trial, static_cast<int>(k), middle, *trial_);  // without prints in the soil
    trial.set_time(trial.time() + middle);
    examine(world, trial, watch.robot, *trial_);
    (trial_->report[watch.robot].gap > 0 ? low : high) = middle;
  }
  return make_event(world, trial, watch);
}

void EventWatch::measure_balance(const World& world, SimWorkspace& workspace) const {
  for (const auto& watch : watches_) {
    if (watch.kind != Kind::unstable) continue;
    const int i = watch.robot;
    list_contacts(world, *world.robots()[i].model, workspace.of(i));
    balance(world, *world.robots()[i].model, workspace.of(i));
    workspace.report[i].energy_margin = workspace.of(i).stability.least_energy_margin();
  }
}

void EventWatch::after_step(const World& world, const State& state, SimWorkspace& workspace,
                            std::vector<Event>& out) {
  if (watches_balance_) measure_balance(world, workspace);
  for (auto& watch : watches_) {
    const bool now = holds(world, state, workspace, watch);
    if (now && !watch.active) {
      if (watch.kind == Kind::landed) {
        out.push_back(locate_landing(world, workspace, watch, state.time()));
      } else {
        out.push_back(make_event(world, state, watch));
      }
    }
    watch.active = now;
  }
}

}  // namespace scree
