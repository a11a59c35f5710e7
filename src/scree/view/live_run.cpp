#include "scree/view/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/sim/observe.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::view {
namespace {

/// Deadlines are met once in this much simulated time, so that sleeping costs little beside the steps.
constexpr double kDeadlinePeriod = 2e-3;

}  // namespace

LiveRun::LiveRun(const Scenario& scenario, const LiveSettings& settings)
    : scenario_(scenario), settings_(settings), speed_(settings.speed) {
  const SignalCatalog catalog = signal_catalog(*scenario.world);
  signals_.assign(catalog.all().begin(), catalog.all().end());
  state_size_ = static_cast<std::size_t>(scenario.world->state_size());
  status_.paused = settings.paused;
  thread_ = std::thread([this] { work(); });
}

LiveRun::~LiveRun() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveRun::pause(bool on) {
  const std::lock_guard lock(mutex_);
  status_.paused = on;
  new_pace_ = true;
  changed_.notify_all();
}

void LiveRun::step_once() {
  const std::lock_guard lock(mutex_);
  status_.paused = true;
  ++single_steps_;
  changed_.notify_all();
}

void LiveRun::set_speed(double speed) {
  if (!(speed > 0)) input_error("speed {} must be above 0", speed);
  const std::lock_guard lock(mutex_);
  speed_ = speed;
  new_pace_ = true;
  changed_.notify_all();
}

void LiveRun::drive(const DriveInput& input) {
  const std::lock_guard lock(mutex_);
  input_ = input;
}

void LiveRun::push(const Simulation::Hand& hand) {
  const std::lock_guard lock(mutex_);
  hand_ = hand;
}

/// A hand that has gone is told once.
void LiveRun::apply_hand(Simulation& simulation) {
  const std::lock_guard lock(mutex_);
  simulation.push(hand_);
  if (hand_.link >= 0) {
    hand_most_ = std::max(hand_most_, hand_.force_W.norm());
  } else if (hand_most_ > 0) {
    const WorldRobot& robot = simulation.world().robots()[static_cast<std::size_t>(hand_.robot)];
    events_.push_back({simulation.time(), robot.name, "pushed",
                       fmt::format("{} was pushed with up to {:.3g} N", robot.name, hand_most_)});
    hand_most_ = 0;
  }
}

LiveStatus LiveRun::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void LiveRun::drain(Recording& recording) {
  std::vector<Frame> frames;
  std::vector<Event> events;
  {
    const std::lock_guard lock(mutex_);
    frames.swap(frames_);
    events.swap(events_);
  }
  for (const Frame& f : frames) {
    recording.add(f.time, f.state, f.values);
    if (f.soil) recording.add_soil(f.time, *f.soil);
  }
  recording.events.insert(recording.events.end(), events.begin(), events.end());
}

void LiveRun::sample(const Simulation& simulation) {
  Frame frame{simulation.time(),
              {simulation.state().all().begin(), simulation.state().all().end()},
              std::vector<double>(signals_.size())};
  if (simulation.state().soil().active()) frame.soil = simulation.state().soil();
  observer_->commands = simulation.workspace().commands;
  observe(simulation.world(), simulation.state(), *observer_, frame.values);
  const std::lock_guard lock(mutex_);
  frames_.push_back(std::move(frame));
  status_.time = simulation.time();
}

/// While a person drives, the commands of one robot are theirs; the moment they let go, its drives idle.
void LiveRun::apply_drive(Simulation& simulation) {
  DriveInput input;
  {
    const std::lock_guard lock(mutex_);
    input = input_;
  }
  if (!input.active && !took_over_) return;
  const std::size_t index = static_cast<std::size_t>(settings_.driven_robot);
  if (index >= simulation.world().robots().size()) return;
  const WorldRobot& robot = simulation.world().robots()[index];
  const RobotModel& model = *robot.model;
  const double* v =
      simulation.state().block(robot) + model.layout().velocities + model.tree().rotor_velocity();
  spins_.clear();
  for (const RobotWheel& wheel : model.wheels()) spins_.push_back(v[wheel.rotor]);
  teleoperate(simulation.pilots()[index].info(), spins_, input, simulation.workspace().commands[index]);
  took_over_ = input.active;
}

void LiveRun::report(const Pacer& pacer, double time) {
  const double now = wall_clock();
  const std::lock_guard lock(mutex_);
  if (now - measured_wall_ >= 0.5) {
    if (measured_wall_ > 0) status_.real_time_factor = (time - measured_time_) / (now - measured_wall_);
    measured_wall_ = now;
    measured_time_ = time;
    status_.median_error = pacer.error_quantile(0.5);
    status_.late_error = pacer.error_quantile(0.99);
  }
  status_.drift = pacer.drift();
  status_.missed = pacer.missed();
  status_.deadlines = pacer.deadlines();
  status_.moved = pacer.moved();
}

/// Returns when the next step is wanted (or the run is to stop); restarts the pace where it changed.
void LiveRun::wait_while_paused(Pacer& pacer, const Simulation& simulation) {
  std::unique_lock lock(mutex_);
  if (status_.paused && single_steps_ == 0 && !stop_) {
    lock.unlock();
    sample(simulation);  // what is seen while paused is the very state
    lock.lock();
    changed_.wait(lock, [&] { return stop_ || !status_.paused || single_steps_ > 0; });
    new_pace_ = true;
    measured_wall_ = 0;
  }
  if (new_pace_) pacer.start(simulation.time(), speed_);
  new_pace_ = false;
}

void LiveRun::work() {
  Pacer pacer;
  std::unique_ptr<Simulation> simulation;
  std::string error;
  try {
    if (settings_.core >= 0) pin_thread(settings_.core);
    wake_at_once();
    simulation = std::make_unique<Simulation>(scenario_);
    simulation->before_step([&] {
      apply_drive(*simulation);
      apply_hand(*simulation);
    });
    observer_ = std::make_unique<SimWorkspace>(simulation->world());
    sample(*simulation);
    double next_sample = settings_.sample_period, next_deadline = 0;
    std::size_t told = 0;
    while (!simulation->finished()) {
      wait_while_paused(pacer, *simulation);
      bool single = false;
      {
        const std::lock_guard lock(mutex_);
        if (stop_) return;
        if (single_steps_ > 0) single = true, --single_steps_;
      }
      simulation->advance();
      if (told < simulation->events().size()) {
        const std::lock_guard lock(mutex_);
        for (; told < simulation->events().size(); ++told) events_.push_back(simulation->events()[told]);
      }
      const double time = simulation->time();
      if (single || time >= next_sample) {
        sample(*simulation);
        while (next_sample <= time) next_sample += settings_.sample_period;
      }
      if (!single && time + 1e-9 >= next_deadline) {
        if (std::isfinite(speed_)) pacer.wait(time);
        report(pacer, time);
        next_deadline = time + kDeadlinePeriod;
      }
    }
    sample(*simulation);
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  const std::lock_guard lock(mutex_);
  status_.finished = true;
  status_.error = error;
  status_.median_error = pacer.error_quantile(0.5);
  status_.late_error = pacer.error_quantile(0.99);
  if (simulation) {
    status_.time = simulation->time();
    status_.outcome = error.empty() ? simulation->outcome() : "diverged";
    status_.state_hash = simulation->state().hash();
  }
}

}  // namespace scree::view
