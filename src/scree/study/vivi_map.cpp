#include "scree/study/vivi_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/study/plan.hpp"

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

/// Witness of a run on the ramp: its largest pitch, and of a roll-over its cause.
class RampWitness : public Witness {
 public:
  explicit RampWitness(double weight) : seen_(weight) {}
  std::vector<std::string> wanted_signals() const override { return seen_.wanted_signals(); }
  void begin(const RunInfo& info) override { seen_.begin(info); }
  void sample(const Sample& sample) override { seen_.sample(sample); }
  void report(TrialRow& row) const override {
    row.numbers = {{"largest_pitch", "rad", seen_.largest_pitch()}};
    if (row.outcome == "rolled_over") row.outcome += ":" + seen_.cause();
  }

 private:
  RollOverWitness seen_;
};

/// The chassis box keeps its size; its centre, from which the hubs hang, moves down from the centre of mass.
/// VIVI's box is 0.18 m high and stands 0.13 m above the ground at rest.
std::vector<std::string> with_height(double height) {
  const double base = height - 0.13, top = 0.18 - base;
  return {fmt::format("robot.set=[\"chassis.h_base={}\", \"chassis.h_top={}\"]", number_text(base),
                      number_text(top))};
}

Factor ramp_factor(const std::string& name, const std::vector<double>& values,
                   const std::function<std::vector<std::string>(double)>& set) {
  Factor factor{name, {}};
  for (const double value : values) factor.levels.push_back({number_text(value), set(value)});
  return factor;
}

std::function<std::vector<std::string>(double)> key_set(const std::string& key) {
  return [key](double value) { return std::vector<std::string>{key + "=" + number_text(value)}; };
}

Plan ramp_plan(const ViviMapSettings& settings) {
  Plan plan;
  plan.scenario = settings.scenario;
  plan.overrides = settings.overrides;
  plan.factors = {ramp_factor("radius", settings.radii, key_set("terrain.entry_radius")),
                  ramp_factor("torque", settings.torques, key_set("robot.control.torque_limit")),
                  ramp_factor("height", settings.heights, with_height),
                  ramp_factor("angle", settings.angles_deg, key_set("terrain.angle_deg")),
                  {"controller",
                   {{"speed", {"robot.control.kind=\"speed\""}}, {"cdta", {"robot.control.kind=\"cdta\""}}}}};
  plan.measures = {parse_measure("pitch:last")};
  plan.witness = [](const Scenario& scenario) {
    const RobotModel& robot = *scenario.world->robots()[0].model;
    return std::make_unique<RampWitness>(robot.tree().mass() * scenario.world->gravity().norm());
  };
  return plan;
}

MapOutcome ramp_outcome(const TrialRow& row) {
  if (row.outcome == "refused") throw InputError(row.error);
  const auto colon = row.outcome.find(':');
  const std::string cause = colon == std::string::npos ? "" : row.outcome.substr(colon + 1);
  return {row.outcome.substr(0, colon), cause, row.simulated_s,
          row.numbers.empty() ? 0 : row.numbers[0].value};
}

}  // namespace

std::vector<MapCell> vivi_map(const ViviMapSettings& settings, const std::function<void(double)>& progress) {
  std::vector<MapCell> cells;
  for (double radius : settings.radii)
    for (double torque : settings.torques)
      for (double height : settings.heights)
        for (double angle : settings.angles_deg) cells.push_back({height, torque, angle, radius, {}, {}});
  const auto rows = run_plan(ramp_plan(settings), {.jobs = settings.threads, .progress = progress});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].speed = ramp_outcome(rows[2 * i]);
    cells[i].cdta = ramp_outcome(rows[2 * i + 1]);
  }
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
