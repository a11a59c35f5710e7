#pragma once
/// A scenario in motion: the loop drive - touch - move - sense - decide, one step at a time.
/// `run()` drives it to its end; the window drives it in real time.
#include <functional>
#include <memory>
#include <vector>

#include "scree/core/crew.hpp"
#include "scree/sim/careful.hpp"
#include "scree/sim/encounters.hpp"
#include "scree/sim/events.hpp"
#include "scree/sim/observe.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/sim/snapshot.hpp"
#include "scree/sim/trip.hpp"

namespace scree {

class Simulation {
 public:
  /// `threads`: robots step side by side on so many, with the same bits; 0: as many as help.
  explicit Simulation(const Scenario& scenario, int threads = 1);
  /// From where another run of the scenario was. Throws InputError that says what differs when the snapshot
  /// is of another world or version.
  Simulation(const Scenario& scenario, const SnapshotView& from, int threads = 1);

  const Scenario& scenario() const { return *scenario_; }
  const World& world() const { return *scenario_->world; }
  const State& state() const { return state_; }
  State& mutable_state() { return state_; }
  SimWorkspace& workspace() { return workspace_; }
  const SimWorkspace& workspace() const { return workspace_; }
  double time() const { return state_.time(); }
  std::uint64_t steps() const { return steps_; }
  int threads() const { return crew_->size(); }
  /// Events since the start.
  const std::vector<Event>& events() const { return events_; }
  /// The run is over: its duration has passed, or an event ended it.
  bool finished() const { return finished_; }
  /// "finished", or the kind of the event that ended the run.
  const std::string& outcome() const { return outcome_; }

  /// One step of the solver (shorter where a controller samples in between), and what is sensed and decided
  /// at its end.
  void advance();

  std::span<Pilot> pilots() { return pilots_; }
  /// Called before every step, after the decision for it: a person who takes over changes
  /// workspace().commands here.
  void before_step(std::function<void()> hook) { before_step_ = std::move(hook); }

  /// A person's hand on a robot, held until it is changed; without a link (-1) it is gone. Not part of a
  /// snapshot.
  struct Hand {
    int robot = 0, link = -1;
    Vec3 point_L = Vec3::Zero();  ///< where it pushes, link axes [m]
    Vec3 force_W = Vec3::Zero();  ///< world axes [N]
  };
  void push(const Hand& hand) { hand_ = hand; }

  /// One line where the errors of fixed steps add up to more than a run bears (careful.hpp); else empty.
  std::string step_warning() const { return gauge_.warning(world().solver().step); }
  const StepGauge& gauge() const { return gauge_; }
  /// One line where robots that start inside each other pass through one another; else empty.
  std::string encounter_note() const { return encounters_ ? encounters_->note() : ""; }

  /// How far the robots have come.
  const TripMeter& trip() const { return trip_; }

  /// All that a resume needs, as doubles: first the world's state, then what sensors, controllers, commands,
  /// event watches and trip meter remember. The size never changes during a run.
  std::size_t snapshot_size() const { return snapshot_size_; }
  void save(std::span<double> out) const;
  /// What the numbers of a snapshot belong to, a line each: equal for runs that can continue each other.
  std::string layout() const;

  /// All signals of the world, of the way made, and of controllers and sensors.
  SignalCatalog signals() const;
  /// Chooses which of them observe() computes, in the order of signals(); all before the first call.
  void choose_signals(std::span<const char> wanted);
  /// Their values now, into a span of that size. Uses a workspace of its own: what controllers read next does
  /// not depend on whether anybody looked.
  void observe(std::span<double> values);

 private:
  void memory(Memory& m);
  void decide();
  void look_at_start();
  void measure_step(double size);
  void lay_on_hand();
  double next_instant() const;

  std::shared_ptr<const Scenario> scenario_;
  State state_;
  std::vector<Pilot> pilots_;
  std::function<void()> before_step_;
  SimWorkspace workspace_, observer_;
  EventWatch watch_;
  TripMeter trip_;
  std::vector<CarefulStep> careful_;  ///< per robot, with solver.tolerance; else empty
  StepGauge gauge_;
  std::unique_ptr<Encounters> encounters_;  ///< null: robots pass through each other
  Hand hand_;
  int hand_on_ = -1;  ///< robot that it pushed in the last step; -1: none
  std::unique_ptr<Crew> crew_;
  std::vector<Effort> efforts_;  ///< what observe() computes, per robot; empty = all
  std::vector<Event> events_;
  std::uint64_t grid_ = 0;   ///< whole steps done
  std::uint64_t steps_ = 0;  ///< steps done, split ones counted each
  bool decided_ = false;     ///< the commands are those for the coming step
  bool finished_ = false;
  std::string outcome_ = "running";
  std::size_t snapshot_size_ = 0;
};

}  // namespace scree
