#include "scree/study/vivi_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/run.hpp"
#include "scree/study/trials.hpp"

namespace scree {

std::vector<std::string> RollOverWitness::wanted_signals() const { return {"pitch", "wheel.*.normal"}; }

void RollOverWitness::begin(const RunInfo& info) {
  pitch_ = info.signals->find("pitch");
  const std::vector<std::string> front = {"wheel.front_*.normal"}, rear = {"wheel.rear_*.normal"};
  front_ = info.signals->match(front);
  rear_ = info.signals->match(rear);
}

void RollOverWitness::sample(const Sample& s) {
  Moment m{s.time, 0, 0};
  for (int i : front_) m.front += s.values[i];
  for (int i : rear_) m.rear += s.values[i];
  moments_.push_back(m);
  largest_pitch_ = std::max(largest_pitch_, std::abs(s.values[pitch_]));
}

std::string RollOverWitness::cause() const {
  const double touch = 1e-3 * weight_;
  std::size_t last = 0;
  for (std::size_t i = 0; i < moments_.size(); ++i)
    if (moments_[i].front > touch && moments_[i].rear > touch) last = i;
  std::size_t flown = 0, after = 0;
  double pressed = 0;
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    const Moment& m = moments_[i];
    const double since = m.time - moments_[last].time;
    if (since > -0.15 && since < 0.05) pressed = std::max(pressed, m.front + m.rear);
    if (i <= last) continue;
    ++after;
    flown += m.front <= touch && m.rear <= touch;
  }
  if (pressed > 3 * weight_) return "impact";
  return after > 0 && 2 * flown >= after ? "flight" : "traction";
}

namespace {

/// The chassis box keeps its size; its centre, from which the hubs hang, moves down from the centre of mass.
/// VIVI's box is 0.18 m high and stands 0.13 m above the ground at rest.
std::vector<std::string> overrides_of(const MapCell& c, const std::string& controller) {
  const double base = c.height - 0.13, top = 0.18 - base;
  return {fmt::format("robot.set=[\"chassis.h_base={}\", \"chassis.h_top={}\"]", number_text(base),
                      number_text(top)),
          fmt::format("robot.control.torque_limit={}", number_text(c.torque)),
          fmt::format("terrain.angle_deg={}", number_text(c.angle_deg)),
          fmt::format("terrain.entry_radius={}", number_text(c.radius)),
          fmt::format("robot.control.kind=\"{}\"", controller)};
}

MapOutcome run_cell(const ViviMapSettings& settings, const MapCell& cell, const std::string& controller) {
  std::vector<std::string> overrides = settings.overrides;
  for (std::string& o : overrides_of(cell, controller)) overrides.push_back(std::move(o));
  const Scenario scenario = load_scenario(settings.scenario, overrides);
  const RobotModel& robot = *scenario.world->robots()[0].model;
  RollOverWitness witness(robot.tree().mass() * scenario.world->gravity().norm());
  Sink* sinks[] = {&witness};
  const RunSummary summary = run(scenario, sinks);
  MapOutcome out{summary.outcome, "", summary.simulated_s, witness.largest_pitch()};
  if (out.rolled_over()) out.cause = witness.cause();
  return out;
}

}  // namespace

std::vector<MapCell> vivi_map(const ViviMapSettings& settings, const std::function<void(double)>& progress) {
  std::vector<MapCell> cells;
  for (double radius : settings.radii)
    for (double torque : settings.torques)
      for (double height : settings.heights)
        for (double angle : settings.angles_deg) cells.push_back({height, torque, angle, radius, {}, {}});
  run_trials(cells.size(),
             [&](std::size_t i) {
               cells[i].speed = run_cell(settings, cells[i], "speed");
               cells[i].cdta = run_cell(settings, cells[i], "cdta");
             },
             {.jobs = settings.threads, .progress = progress});
  return cells;
}

std::string map_csv(const std::vector<MapCell>& cells) {
  std::string out =
      "height_m,torque_nm,angle_deg,radius_m,speed_outcome,speed_cause,speed_time_s,speed_pitch_deg,"
      "cdta_outcome,cdta_cause,cdta_time_s,cdta_pitch_deg\n";
  for (const MapCell& c : cells) {
    out += fmt::format("{},{},{},{}", c.height, c.torque, c.angle_deg, c.radius);
    for (const MapOutcome* o : {&c.speed, &c.cdta})
      out += fmt::format(",{},{},{:.3f},{:.1f}", o->outcome, o->cause, o->time, o->largest_pitch / kDegree);
    out += '\n';
  }
  return out;
}

}  // namespace scree
