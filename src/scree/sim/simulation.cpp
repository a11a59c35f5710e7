#include "scree/sim/simulation.hpp"
#include "scree/sim/touch.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/step.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

constexpr double kSameInstant = 1e-6;         // of a step: two instants that are meant to be one
constexpr std::size_t kRobotsPerThread = 16;  // fewer are done before another thread is awake

int useful_threads(int wanted, std::size_t robots) {
  if (wanted > 0) return std::min(wanted, static_cast<int>(robots));
  const int most = static_cast<int>(robots / kRobotsPerThread);
  return std::clamp(machine_threads(), 1, std::max(most, 1));
}

}  // namespace

Simulation::Simulation(const Scenario& scenario, int threads)
    : scenario_(std::make_shared<const Scenario>(scenario)),
      state_(initial_state(scenario)),
      pilots_(make_pilots(scenario)),
      workspace_(*scenario.world),
      observer_(*scenario.world, SimWorkspace::Scratch::shared),
      watch_(*scenario.world, scenario.events),
      trip_(*scenario.world, state_),
      gauge_(*scenario.world),
      crew_(std::make_unique<Crew>(useful_threads(threads, scenario.world->robots().size()))) {
  if (world().solver().tolerance > 0)
    for (const WorldRobot& robot : world().robots()) careful_.emplace_back(*robot.model);
  if (world().robots_touch() && world().robots().size() > 1)
    encounters_ = std::make_unique<Encounters>(world(), state_, workspace_);
  events_.reserve(64);
  Memory count;
  memory(count);
  snapshot_size_ = count.count();
}

Simulation::Simulation(const Scenario& scenario, const SnapshotView& from, int threads)
    : Simulation(scenario, threads) {
  check_layout(layout(), from.layout);
  if (from.values.size() != snapshot_size_)
    input_error("the state has {} numbers, the scenario {}", from.values.size(), snapshot_size_);
  Memory restored = Memory::restore(from.values);
  memory(restored);
  if (state_.soil().active()) {
    if (from.soil == nullptr)
      input_error("the state has no soil (soil.bin), and the scenario's soil deforms");
    state_.soil() = *from.soil;
  }
}

void Simulation::memory(Memory& m) {
  m(state_.all());
  m(grid_), m(steps_), m(decided_);
  for (auto& commands : workspace_.commands)
    for (DriveCommand& c : commands) m(c.mode), m(c.value), m(c.brake);
  for (Pilot& pilot : pilots_) pilot.memory(m);
  watch_.memory(m);
  trip_.memory(m);
  for (CarefulStep& step : careful_) step.memory(m);
  gauge_.memory(m);
}

void Simulation::save(std::span<double> out) const {
  Memory saved = Memory::save(out);
  const_cast<Simulation*>(this)->memory(saved);  // saving only reads
}

std::string Simulation::layout() const {
  std::string text = world_layout(world());
  for (std::size_t i = 0; i < pilots_.size(); ++i)
    for (const auto& line : split(pilots_[i].layout(), '\n'))
      if (!line.empty()) text += fmt::format("robot '{}': {}\n", world().robots()[i].name, line);
  text += careful_.empty() ? "steps, measured\n" : "steps, divided (solver.tolerance)\n";
  return text + watch_.layout(world());
}

SignalCatalog Simulation::signals() const {
  SignalCatalog catalog = signal_catalog(world());
  TripMeter::name_signals(world(), catalog);
  for (std::size_t i = 0; i < careful_.size(); ++i) {
    const std::string prefix = careful_.size() > 1 ? world().robots()[i].name + "." : "";
    catalog.add({prefix + "step.shortest", "s", "shortest piece into which the last step was divided"});
    catalog.add({prefix + "step.error", "m", "largest error of a piece of the last step"});
  }
  for (std::size_t i = 0; i < pilots_.size(); ++i) {
    const std::string prefix = pilots_.size() > 1 ? world().robots()[i].name + "." : "";
    for (const ControlSignal& s : pilots_[i].signals()) catalog.add({prefix + s.name, s.unit, s.doc});
  }
  return catalog;
}

void Simulation::choose_signals(std::span<const char> wanted) { efforts_ = efforts_for(world(), wanted); }

void Simulation::observe(std::span<double> values) {
  std::size_t own = 0;
  for (const Pilot& pilot : pilots_) own += pilot.signal_count();
  own += 2 * careful_.size();
  const std::size_t way = TripMeter::kSignals * trip_.trips().size();
  trip_.values(world(), state_, values.subspan(values.size() - own - way, way));
  for (std::size_t i = 0; i < pilots_.size(); ++i)
    std::copy(workspace_.commands[i].begin(), workspace_.commands[i].end(), observer_.commands[i].begin());
  // The forces between robots are those of the last step.
  if (encounters_)
    for (std::size_t i = 0; i < pilots_.size(); ++i)
      if (workspace_.push[i].any || observer_.push[i].any) observer_.push[i] = workspace_.push[i];
  scree::observe(world(), state_, observer_, values.first(values.size() - own - way), efforts_);
  for (const CarefulStep& step : careful_) {
    values[values.size() - own] = step.shortest(), values[values.size() - own + 1] = step.error();
    own -= 2;
  }
  for (const Pilot& pilot : pilots_) {
    pilot.values(values.subspan(values.size() - own, pilot.signal_count()));
    own -= pilot.signal_count();
  }
}

void Simulation::decide() {
  crew_->each(static_cast<int>(pilots_.size()), [&](int i) {
    const std::size_t place = static_cast<std::size_t>(i);
    pilots_[place].decide(world(), state_, workspace_.of(i), workspace_.commands[place]);
  });
  decided_ = true;
}

/// Before the first step there is none that sensors could read.
void Simulation::look_at_start() {
  for (std::size_t i = 0; i < pilots_.size(); ++i)
    if (pilots_[i].looks()) examine(world(), state_, static_cast<int>(i), workspace_);
  decide();
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

/// In the observer's scratch, so that the run does not know of it.
void Simulation::measure_step(double size) {
  const bool due = gauge_.due();
  const bool landing = !due && gauge_.landing(world(), state_, size);
  if (!due && !landing) return;
  for (std::size_t i = 0; i < pilots_.size(); ++i)
    std::copy(workspace_.commands[i].begin(), workspace_.commands[i].end(), observer_.commands[i].begin());
  if (due) {
    gauge_.measure(world(), state_, size, observer_);
  } else {
    gauge_.measure_landing(world(), state_, size, observer_);
  }
}

/// The hand's force joins what other robots push, at where its link is now.
void Simulation::lay_on_hand() {
  const auto robot = static_cast<std::size_t>(hand_.robot);
  if (robot >= world().robots().size()) return;
  const Tree& tree = world().robots()[robot].model->tree();
  if (static_cast<std::size_t>(hand_.link) >= tree.links().size()) return;
  OutsidePush& push = workspace_.push[robot];
  place_links(world(), state_, hand_.robot, workspace_);
  const Pose& X = workspace_.of(hand_.robot).mechanism.link[static_cast<std::size_t>(hand_.link)].X_WL;
  Vec6 wrench;
  wrench << hand_.force_W, (X * hand_.point_L).cross(hand_.force_W);
  push.link[static_cast<std::size_t>(hand_.link)] += wrench;
  push.any = true;
  hand_on_ = hand_.robot;
}

void Simulation::advance() {
  if (finished_) return;
  if (!decided_) look_at_start();
  if (before_step_) before_step_();
  const double target = next_instant();
  watch_.before_step(world(), state_, workspace_);
  decided_ = false;
  const double size = target - state_.time();
  if (hand_on_ >= 0) workspace_.push[static_cast<std::size_t>(hand_on_)].clear(), hand_on_ = -1;
  if (encounters_) encounters_->meet(world(), state_, size, workspace_);
  if (hand_.link >= 0) lay_on_hand();
  if (careful_.empty()) measure_step(size);
  crew_->each(static_cast<int>(pilots_.size()), [&](int i) {
    const auto place = static_cast<std::size_t>(i);
    pilots_[place].hold(state_.time() + 0.5 * size, workspace_.commands[place]);
    if (careful_.empty()) {
      step_robot(world(), state_, i, size, workspace_);
    } else {
      careful_[place].advance(world(), state_, i, size, workspace_);
    }
  });
  press_soil(world(), state_, workspace_);
  if (careful_.empty() && !pilots_.empty())
    gauge_.note(*world().robots()[0].model, workspace_.report[0], workspace_.of(0).acceleration, size);
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
  if (!finished_ || outcome_ == "finished") decide();
}

}  // namespace scree
