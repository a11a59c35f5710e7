#pragma once
/// A scenario in motion: the loop sense - decide - drive - touch - move, one step at a time.
/// `run()` drives it to its end; the window drives it in real time.
#include <functional>
#include <vector>

#include "scree/sim/events.hpp"
#include "scree/sim/observe.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/sim/trip.hpp"

namespace scree {

class Simulation {
 public:
  explicit Simulation(const Scenario& scenario);

  const Scenario& scenario() const { return *scenario_; }
  const World& world() const { return *scenario_->world; }
  const State& state() const { return state_; }
  State& mutable_state() { return state_; }
  SimWorkspace& workspace() { return workspace_; }
  const SimWorkspace& workspace() const { return workspace_; }
  double time() const { return state_.time(); }
  std::uint64_t steps() const { return steps_; }
  /// Events since the start.
  const std::vector<Event>& events() const { return events_; }
  /// The run is over: its duration has passed, or an event ended it.
  bool finished() const { return finished_; }
  /// "finished", or the kind of the event that ended the run.
  const std::string& outcome() const { return outcome_; }

  /// One step of the solver (shorter where a controller samples in between).
  void advance();

  std::span<Pilot> pilots() { return pilots_; }
  /// Called after every decision, before its step: a person who takes over changes workspace().commands here.
  void after_decision(std::function<void()> hook) { after_decision_ = std::move(hook); }

  /// How far the robots have come.
  const TripMeter& trip() const { return trip_; }

  /// All signals of the world, of the way made, and of the controllers ("control." and their own name).
  SignalCatalog signals() const;
  /// Chooses which of them observe() computes, in the order of signals(); all before the first call.
  void choose_signals(std::span<const char> wanted);
  /// Their values now, into a span of that size. Uses a workspace of its own: what controllers read next does
  /// not depend on whether anybody looked.
  void observe(std::span<double> values);

 private:
  void decide();
  double next_instant() const;

  std::shared_ptr<const Scenario> scenario_;
  State state_;
  std::vector<Pilot> pilots_;
  std::function<void()> after_decision_;
  SimWorkspace workspace_, observer_;
  EventWatch watch_;
  TripMeter trip_;
  std::vector<Effort> efforts_;  ///< what observe() computes, per robot; empty = all
  std::vector<Event> events_;
  std::uint64_t grid_ = 0;   ///< whole steps done
  std::uint64_t steps_ = 0;  ///< steps done, split ones counted each
  bool finished_ = false;
  std::string outcome_ = "running";
};

}  // namespace scree
