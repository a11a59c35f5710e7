#include "scree/sim/simulation.hpp"

#include <cmath>

#include "scree/sim/step.hpp"

namespace scree {

Simulation::Simulation(const Scenario& scenario)
    : scenario_(std::make_shared<const Scenario>(scenario)),
      state_(initial_state(scenario)),
      workspace_(*scenario.world),
      watch_(*scenario.world, scenario.events) {
  events_.reserve(64);
}

void Simulation::advance() {
  if (finished_) return;
  const double dt = world().solver().step;
  const double target = std::min(static_cast<double>(grid_ + 1) * dt, scenario_->duration);
  watch_.before_step(world(), state_, workspace_);
  step(world(), state_, target - state_.time(), workspace_);
  state_.set_time(target);
  ++grid_;
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
