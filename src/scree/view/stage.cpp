#include "scree/view/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/view/soil_paint.hpp"

namespace scree::view {

Stage::Stage(const Scenario& scenario, std::vector<std::string>& warnings)
    : scenario_(scenario),
      settings_(read_view_settings(*scenario.document)),
      bridge_(scenario),
      ground_(scenario.world->terrain()) {
  for (const WorldRobot& robot : scenario.world->robots()) looks_.emplace_back(robot_shape(robot), warnings);
  const std::vector<CameraSettings> list = all_cameras(settings_);
  for (const CameraSettings& camera : list) cameras_.emplace_back(camera);
  const std::string wanted = !settings_.camera.empty()   ? settings_.camera
                             : settings_.cameras.empty() ? "chase"
                                                         : settings_.cameras[0].name;
  first_camera_ = view::find_camera(list, wanted);
  base_.terrain = &scenario.world->terrain();
  if (const SoilGridSettings* grid = scenario.world->soil_grid()) {
    ground_.show(SoilTiles(grid->cell, grid->memory));
    base_.terrain = &ground_;
  }
  apply(settings_, base_, warnings);
  paint_soil(scenario, base_.ground);
  paint_ruts(scenario, ground_, base_.ground);
  warn_without_soil(base_.ground, warnings);
  trails_.resize(looks_.size());
  for (const RobotLook& look : looks_) ruts_.emplace_back(look.shape().wheels.size());
}

std::vector<std::string> Stage::camera_names() const {
  std::vector<std::string> names;
  for (const Camera& camera : cameras_) names.push_back(camera.settings().name);
  return names;
}

std::vector<Rectangle> Stage::show_soil(const Recording& recording, double time) {
  const SoilTiles* soil = recording.soil(time);
  if (soil == nullptr || base_.terrain != &ground_) return {};
  return ground_.show(*soil);
}

std::size_t Stage::find_camera(const std::string& name) const {
  const std::vector<std::string> names = camera_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) input_error("camera '{}' is not known{}", name, name_hint(name, names));
  return static_cast<std::size_t>(it - names.begin());
}

Moment Stage::moment_at(const Recording& recording, double time) {
  const auto [frame, part] = recording.find(time);
  if (const SoilTiles* soil = recording.soil(time)) bridge_.set_soil(*soil);
  Moment now = bridge_.moment(recording.state(frame));
  if (part > 1e-9 && frame + 1 < recording.size())
    now = blend(now, bridge_.moment(recording.state(frame + 1)), part);
  return now;
}

void Stage::clear_trails() {
  for (Trail& t : trails_) t.clear();
  for (auto& wheels : ruts_)
    for (Trail& rut : wheels) rut.clear();
  trail_frames_ = 0;
}

void Stage::extend_trails(const Recording& recording) {
  if (recording.size() < trail_frames_) clear_trails();
  for (; trail_frames_ < recording.size(); ++trail_frames_) {
    const Moment m = bridge_.moment(recording.state(trail_frames_));
    for (std::size_t r = 0; r < looks_.size(); ++r) {
      for (std::size_t w = 0; w < ruts_[r].size(); ++w) {
        const WheelMoment& wheel = m.robots[r].wheels[w];
        if (!(wheel.sinkage > 0) || base_.terrain == &ground_) continue;  // ruts are in the ground itself
        Trail& rut = ruts_[r][w];
        // A little above the ground, where it can be seen.
        Vec3 p = wheel.contact;
        p.z() = base_.terrain->height(p.x(), p.y()) + 0.02 * wheel.radius;
        if (!rut.empty() && (rut.back().position - p).norm() < 0.05 * wheel.radius) continue;
        rut.push_back({m.time, p, wheel.pose.R});
      }
      Trail& trail = trails_[r];
      const Vec3& p = m.robots[r].center_of_mass;
      // A robot that stands adds nothing to its path.
      if (!trail.empty() && (trail.back().position - p).norm() < 0.002 * looks_[r].size()) continue;
      trail.push_back({m.time, p, m.robots[r].links[0].R});
    }
  }
}

Scene Stage::compose(const Moment& moment, const OverlayChoice& overlays, double until,
                     const Recording* recording) {
  Scene scene = base_;
  for (std::size_t r = 0; r < looks_.size(); ++r) {
    const RobotMoment& robot = moment.robots[r];
    const double size = looks_[r].size();
    looks_[r].add_to(scene, robot);
    add_path(scene, trails_[r], overlays.path, until, size, robot_color(r));
    if (overlays.path != PathStyle::none)
      for (std::size_t w = 0; w < ruts_[r].size(); ++w)
        add_rut(scene, ruts_[r][w], robot.wheels[w].width, until);
    if (overlays.forces) add_forces(scene, robot, size);
    if (overlays.contacts) add_contacts(scene, robot, size);
    if (overlays.support) add_support(scene, robot);
    if (overlays.labels || looks_.size() > 1)
      scene.labels.push_back(
          {looks_[r].center(robot) + Vec3(0, 0, 0.6 * size), looks_[r].shape().name, robot_color(r)});
  }
  if (overlays.ghosts && recording && recording->size() > 1) {
    constexpr int kGhosts = 8;
    for (int k = 0; k < kGhosts; ++k) {
      const Moment then = moment_at(
          *recording, recording->start() + (recording->end() - recording->start()) * k / (kGhosts - 1));
      for (std::size_t r = 0; r < looks_.size(); ++r) looks_[r].add_to(scene, then.robots[r], 0.35f);
    }
  }
  scene.focus = looks_[0].center(moment.robots[0]);
  scene.focus_radius = looks_[0].size();
  return scene;
}

std::size_t Stage::robot_of(const std::string& name) const {
  for (std::size_t r = 0; r < looks_.size(); ++r)
    if (looks_[r].shape().name == name) return r;
  if (!name.empty()) {
    std::vector<std::string> names;
    for (const RobotLook& look : looks_) names.push_back(look.shape().name);
    input_error("camera: robot '{}' is not in this scenario{}", name, name_hint(name, names));
  }
  return 0;
}

Subject Stage::subject(const Moment& moment, const Camera& camera) const {
  const std::size_t r = robot_of(camera.settings().robot);
  const RobotMoment& robot = moment.robots[r];
  Subject s;
  s.base = robot.links[0];
  s.center = looks_[r].center(robot);
  s.size = looks_[r].size();
  for (std::size_t i = 0; i < robot.wheels.size(); ++i)
    s.wheels.push_back({looks_[r].shape().wheels[i].name, robot.wheels[i].pose, robot.wheels[i].radius});
  return s;
}

Viewpoint Stage::viewpoint(std::size_t camera, const Moment& moment) {
  Camera& c = cameras_[camera];
  const Subject s = subject(moment, c);
  Viewpoint view = c.look(s, moment.time);
  if (c.kind() != CameraKind::onboard)
    Camera::keep_above(
        view, [&](double x, double y) { return base_.terrain->height(x, y); }, 0.08 * s.size);
  return view;
}

void Stage::fill(HudState& state, const Recording& recording, std::size_t frame) const {
  const std::string prefix = looks_.size() > 1 ? looks_[0].shape().name + "." : "";
  const auto add = [&](const char* name, const char* signal, double factor, const char* unit, int digits) {
    const double value = recording.value(frame, recording.signal(prefix + signal));
    if (!std::isfinite(value)) return;
    const double ten = std::pow(10.0, digits), shown = std::round(factor * value * ten) / ten;
    state.readings.push_back({name, fmt::format("{:.{}f} {}", shown == 0 ? 0.0 : shown, digits, unit)});
  };
  add("speed", "speed", 1, "m/s", 2);
  add("heading", "yaw", 1 / kDegree, "deg", 1);
  add("pitch", "pitch", 1 / kDegree, "deg", 1);
  add("roll", "roll", 1 / kDegree, "deg", 1);
  add("height", "z", 1, "m", 2);
  add("battery", "battery.voltage", 1, "V", 1);
  add("current", "battery.current", 1, "A", 1);
  const double charge = recording.value(frame, recording.signal(prefix + "battery.charge"));
  state.battery = std::isfinite(charge) ? charge : -1;
}

void Stage::fill_picked(HudState& state, const Recording& recording, std::size_t frame,
                        const Picked& picked) const {
  constexpr std::size_t kMostNumbers = 16;
  if (picked.robot < 0 || picked.robot >= static_cast<int>(looks_.size())) return;
  const RobotShape& shape = looks_[static_cast<std::size_t>(picked.robot)].shape();
  std::string prefix = looks_.size() > 1 ? shape.name + "." : "";
  state.picked = shape.name;
  if (picked.wheel >= 0) {
    const RobotModel& model = *scenario_.world->robots()[static_cast<std::size_t>(picked.robot)].model;
    const std::string& name = model.wheels()[static_cast<std::size_t>(picked.wheel)].settings.name;
    prefix += "wheel." + name + ".";
    state.picked += ": " + name;
  }
  for (std::size_t i = 0; i < recording.signals().size() && state.picked_readings.size() < kMostNumbers;
       ++i) {
    const Signal& signal = recording.signals()[i];
    if (!signal.name.starts_with(prefix)) continue;
    const std::string name = signal.name.substr(prefix.size());
    if (name.find('.') != std::string::npos) continue;  // of its parts
    const double value = recording.value(frame, static_cast<int>(i));
    if (std::isfinite(value))
      state.picked_readings.push_back(
          {name, fmt::format("{:.4g} {}", value, signal.unit == "-" ? "" : signal.unit)});
  }
}

double Stage::force_scale(const Moment& moment) const {
  return view::force_scale(moment.robots.front(), looks_.front().size());
}

void Stage::check_plots(const Recording& recording, const std::vector<std::string>& names,
                        std::vector<std::string>& warnings) {
  std::vector<std::string> known;
  for (const Signal& signal : recording.signals()) known.push_back(signal.name);
  for (const std::string& name : names)
    if (std::none_of(known.begin(), known.end(), [&](const auto& k) { return matches_pattern(k, name); }))
      input_error("--plot {}: the run has no such signal{}; `scree list signals SCENARIO` names all", name,
                  name_hint(name, known));
  const auto wanted = std::count_if(known.begin(), known.end(), [&](const auto& k) {
    return std::any_of(names.begin(), names.end(), [&](const auto& n) { return matches_pattern(k, n); });
  });
  if (wanted > static_cast<std::ptrdiff_t>(kMostCurves))
    warnings.push_back(fmt::format("--plot: {} signals match, the first {} are drawn", wanted, kMostCurves));
}

std::vector<Curve> Stage::curves(const Recording& recording, const std::vector<std::string>& names,
                                 double time) {
  std::vector<Curve> curves;
  const std::size_t last = recording.find(time).first, first = recording.find(time - 20).first;
  for (std::size_t s = 0; s < recording.signals().size(); ++s) {
    const Signal& signal = recording.signals()[s];
    if (std::none_of(names.begin(), names.end(),
                     [&](const auto& n) { return matches_pattern(signal.name, n); }))
      continue;
    Curve curve{signal.name, signal.unit, {}, {}};
    for (std::size_t i = first; !recording.empty() && i <= last; ++i) {
      curve.times.push_back(static_cast<float>(recording.time(i)));
      curve.values.push_back(static_cast<float>(recording.value(i, static_cast<int>(s))));
    }
    curves.push_back(std::move(curve));
    if (curves.size() == kMostCurves) break;
  }
  return curves;
}

}  // namespace scree::view
