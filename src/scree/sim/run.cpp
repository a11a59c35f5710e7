#include "scree/sim/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "scree/core/clock.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

/// Sends samples to the sinks at the record's period.
class Reporter {
 public:
  Reporter(Simulation& simulation, std::span<Sink* const> sinks)
      : sinks_(sinks),
        catalog_(simulation.signals()),
        values_(catalog_.size()),
        snapshot_(sinks.empty() ? 0 : simulation.snapshot_size()) {
    choose(simulation);
    const Scenario& scenario = simulation.scenario();
    period_ = scenario.record.period;
    const RunInfo info{scenario.name,
                       scenario.text,
                       scenario.duration,
                       simulation.world().solver().step,
                       scenario.seed,
                       simulation.snapshot_size(),
                       simulation.state().all().size(),
                       simulation.layout(),
                       &catalog_};
    for (Sink* sink : sinks_) sink->begin(info);
  }
  void sample_if_due(Simulation& simulation, bool last) {
    if (sinks_.empty()) return;
    if (!last && simulation.time() < static_cast<double>(samples_) * period_ * (1 - 1e-12)) return;
    if (simulation.time() == last_time_) return;
    last_time_ = simulation.time();
    samples_ = static_cast<std::uint64_t>(std::floor(simulation.time() / period_ * (1 + 1e-12))) + 1;
    simulation.observe(values_);
    for (const int place : unwanted_) values_[place] = std::numeric_limits<double>::quiet_NaN();
    const bool keep = std::any_of(sinks_.begin(), sinks_.end(),
                                  [&](const Sink* sink) { return sink->wants_state(simulation.time()); });
    if (keep) simulation.save(snapshot_);
    const std::span<const double> state(snapshot_.data(), keep ? snapshot_.size() : 0);
    const SoilTiles* soil = simulation.state().soil().active() ? &simulation.state().soil() : nullptr;
    for (Sink* sink : sinks_) sink->sample({simulation.time(), values_, state, soil});
  }
  void events(const std::vector<Event>& all) {
    for (; told_ < all.size(); ++told_) {
      for (Sink* sink : sinks_) sink->event(all[told_]);
    }
  }

 private:
  /// What the sinks ask for together.
  void choose(Simulation& simulation) {
    std::vector<std::string> patterns;
    for (Sink* sink : sinks_)
      for (std::string& pattern : sink->wanted_signals()) patterns.push_back(std::move(pattern));
    std::vector<char> wanted(catalog_.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string& name = catalog_.all()[i].name;
      wanted[i] = std::any_of(patterns.begin(), patterns.end(),
                              [&](const std::string& pattern) { return matches_pattern(name, pattern); });
      if (!wanted[i]) unwanted_.push_back(static_cast<int>(i));
    }
    simulation.choose_signals(wanted);
  }

  std::span<Sink* const> sinks_;
  SignalCatalog catalog_;
  std::vector<int> unwanted_;
  std::vector<double> values_, snapshot_;
  double period_ = 0;
  std::uint64_t samples_ = 0;
  double last_time_ = -1;
  std::size_t told_ = 0;
};

void add_numbers(const Simulation& simulation, RunSummary& summary) {
  const auto& robots = simulation.world().robots();
  for (std::size_t i = 0; i < robots.size(); ++i) {
    const std::string prefix = robots.size() > 1 ? robots[i].name + "." : "";
    const double* p = simulation.state().block(robots[i]) + robots[i].model->layout().positions;
    summary.numbers.emplace_back(prefix + "final_x_m", p[0]);
    summary.numbers.emplace_back(prefix + "final_y_m", p[1]);
    summary.numbers.emplace_back(prefix + "final_z_m", p[2]);
    summary.numbers.emplace_back(prefix + "path_m", simulation.trip().trips()[i].distance);
  }
}

}  // namespace

namespace {

/// Ground that is no number under a robot's start is told as such.
Simulation start(const Scenario& scenario, const RunControl& control) {
  try {
    if (control.from) return Simulation(scenario, *control.from, control.threads);
    return Simulation(scenario, control.threads);
  } catch (const GroundError& error) {
    throw GroundError(fmt::format("at the start (t = 0 s): {}", error.what()));
  }
}

}  // namespace

RunSummary run(const Scenario& scenario, std::span<Sink* const> sinks, const RunControl& control) {
  Simulation simulation = start(scenario, control);
  if (control.started) control.started();
  Reporter reporter(simulation, sinks);
  RunSummary summary;
  const double begun = simulation.time();
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = thread_cpu_seconds();
  const auto wall = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  };
  std::uint64_t rounds = 0;
  // Whoever listens may fail (a full disk): the run ends with what it has, and its summary says so.
  const auto report = [&](bool last) {
    try {
      reporter.events(simulation.events());
      reporter.sample_if_due(simulation, last);
      return true;
    } catch (const RunError& error) {
      summary.outcome = "failed";
      summary.error = error.what();
      return false;
    }
  };
  const std::size_t robots = std::max<std::size_t>(1, simulation.world().robots().size());
  const std::uint64_t between_progress = std::max<std::uint64_t>(1, 4096 / robots);
  bool heard = report(false);
  while (heard && !simulation.finished()) {
    try {
      simulation.advance();
    } catch (const GroundError& error) {
      summary.outcome = "bad_ground";
      summary.error =
          fmt::format("t = {:.6f} s, step {}: {}", simulation.time(), simulation.steps() + 1, error.what());
      break;
    } catch (const RunError& error) {
      summary.outcome = "diverged";
      summary.error = fmt::format("step {}: {}", simulation.steps() + 1, error.what());
      break;
    }
    heard = report(simulation.finished());
    ++rounds;
    if (control.stop && control.stop->load(std::memory_order_relaxed)) {
      summary.outcome = "interrupted";
      break;
    }
    if (control.progress && rounds % between_progress == 0) {
      const double cpu = thread_cpu_seconds() - cpu_start;
      control.progress(simulation.time() / scenario.duration,
                       cpu > 0 ? (simulation.time() - begun) / cpu : 0);
    }
  }
  if (summary.outcome.empty()) summary.outcome = simulation.outcome();
  summary.simulated_s = simulation.time() - begun;
  summary.cpu_s = thread_cpu_seconds() - cpu_start;
  summary.wall_s = wall();
  summary.steps = simulation.steps();
  summary.events = simulation.events();
  summary.state_hash = simulation.state().hash();
  add_numbers(simulation, summary);
  if (simulation.gauge().measured() > 0) {
    summary.numbers.emplace_back("step_error_mean_m", simulation.gauge().mean_error());
    summary.numbers.emplace_back("step_error_worst_m", simulation.gauge().largest_error());
  }
  if (std::string note = simulation.encounter_note(); !note.empty())
    summary.warnings.push_back(std::move(note));
  if (std::string warning = simulation.step_warning(); !warning.empty())
    summary.warnings.push_back(std::move(warning));
  for (Sink* sink : sinks) {
    try {
      sink->end(summary);
    } catch (const RunError& error) {
      if (summary.error.empty()) summary.outcome = "failed", summary.error = error.what();
    }
  }
  return summary;
}

}  // namespace scree
