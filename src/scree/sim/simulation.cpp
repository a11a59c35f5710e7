#include "scree/sim/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "scree/sim/step.hpp"

namespace scree {
namespace {

constexpr double kSameInstant = 1e-6;  // of a step: two instants that are meant to be one

}  // namespace

Simulation::Simulation(const Scenario& scenario)
    : scenario_(std::make_shared<const Scenario>(scenario)),
      state_(initial_state(scenario)),
      pilots_(make_pilots(scenario)),
      workspace_(*scenario.world),
      observer_(*scenario.world, SimWorkspace::Scratch::shared),
      watch_(*scenario.world, scenario.events),
      trip_(*scenario.world, state_) {
  events_.reserve(64);
  for (std::size_t i = 0; i < pilots_.size(); ++i) {
    if (pilots_[i].has_controller()) examine(world(), state_, static_cast<int>(i), workspace_);
  }
}

SignalCatalog Simulation::signals() const {
  SignalCatalog catalog = signal_catalog(world());
  TripMeter::name_signals(world(), catalog);
  for (std::size_t i = 0; i < pilots_.size(); ++i) {
    const std::string prefix = pilots_.size() > 1 ? world().robots()[i].name + ".control." : "control.";
    for (const ControlSignal& s : pilots_[i].signals()) catalog.add({prefix + s.name, s.unit, s.doc});
  }
  return catalog;
}

void Simulation::choose_signals(std::span<const char> wanted) { efforts_ = efforts_for(world(), wanted); }

void Simulation::observe(std::span<double> values) {
  std::size_t own = 0;
  for (const Pilot& pilot : pilots_) own += pilot.signal_count();
  const std::size_t way = TripMeter::kSignals * trip_.trips().size();
  trip_.values(world(), state_, values.subspan(values.size() - own - way, way));
  for (std::size_t i = 0; i < pilots_.size(); ++i)
    std::copy(workspace_.commands[i].begin(), workspace_.commands[i].end(), observer_.commands[i].begin());
  scree::observe(world(), state_, observer_, values.first(values.size() - own - way), efforts_);
  for (const Pilot& pilot : pilots_) {
    pilot.values(values.subspan(values.size() - own, pilot.signal_count()));
    own -= pilot.signal_count();
  }
}

void Simulation::decide() {
  for (std::size_t i = 0; i < pilots_.size(); ++i) {
    pilots_[i].decide(world(), state_, workspace_.of(static_cast<int>(i)), workspace_.commands[i]);
  }
}

/// The end of the coming step: the next point of the step's grid, or a sample that falls before it.
double Simulation::next_instant() const {
  const double dt = world().solver().step;
  const double grid = static_cast<double>(grid_ + 1) * dt;
  double target = std::min(grid, scenario_->duration);
  for (const auto& pilot : pilots_) {
    const double at = pilot.next(state_.time());
    if (at < target - kSameInstant * dt) target = at;
  }
  return target;
}

void Simulation::advance() {
  if (finished_) return;
  decide();
  if (after_decision_) after_decision_();
  const double target = next_instant();
  watch_.before_step(world(), state_, workspace_);
  step(world(), state_, target - state_.time(), workspace_);
  state_.set_time(target);
  trip_.update(world(), state_);
  const double dt = world().solver().step;
  if (target >= static_cast<double>(grid_ + 1) * dt - kSameInstant * dt) ++grid_;
  ++steps_;
  const std::size_t known = events_.size();
  watch_.after_step(world(), state_, workspace_, events_);
  for (std::size_t i = known; i < events_.size(); ++i) {
    if (!events_[i].ends_run || finished_) continue;
    finished_ = true;
    outcome_ = events_[i].kind;
  }
  if (!finished_ && state_.time() >= scenario_->duration * (1 - 1e-12)) {
    finished_ = true;
    outcome_ = "finished";
  }
}

}  // namespace scree
