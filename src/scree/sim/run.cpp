#include "scree/sim/run.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Sends samples to the sinks at the record's period.
class Reporter {
 public:
  Reporter(Simulation& simulation, std::span<Sink* const> sinks)
      : sinks_(sinks), catalog_(simulation.signals()), values_(catalog_.size()) {
    choose(simulation);
    const Scenario& scenario = simulation.scenario();
    period_ = scenario.record.period;
    const RunInfo info{scenario.name,     scenario.text,
                       scenario.duration, simulation.world().solver().step,
                       scenario.seed,     simulation.state().all().size(),
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
    for (Sink* sink : sinks_) sink->sample({simulation.time(), values_, simulation.state().all()});
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
  std::vector<double> values_;
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

RunSummary run(const Scenario& scenario, std::span<Sink* const> sinks, const RunControl& control) {
  Simulation simulation(scenario);
  Reporter reporter(simulation, sinks);
  RunSummary summary;
  const auto wall_start = std::chrono::steady_clock::now();
  const double cpu_start = thread_cpu_seconds();
  const auto wall = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  };
  std::uint64_t rounds = 0;
  reporter.sample_if_due(simulation, false);
  while (!simulation.finished()) {
    try {
      simulation.advance();
    } catch (const RunError& error) {
      summary.outcome = "diverged";
      summary.error = fmt::format("step {}: {}", simulation.steps() + 1, error.what());
      break;
    }
    reporter.events(simulation.events());
    reporter.sample_if_due(simulation, simulation.finished());
    if (++rounds % 64 != 0) continue;
    if (control.stop && control.stop->load()) {
      summary.outcome = "interrupted";
      break;
    }
    if (control.progress && rounds % 4096 == 0) {
      const double cpu = thread_cpu_seconds() - cpu_start;
      control.progress(simulation.time() / scenario.duration, cpu > 0 ? simulation.time() / cpu : 0);
    }
  }
  if (summary.outcome.empty()) summary.outcome = simulation.outcome();
  summary.simulated_s = simulation.time();
  summary.cpu_s = thread_cpu_seconds() - cpu_start;
  summary.wall_s = wall();
  summary.steps = simulation.steps();
  summary.events = simulation.events();
  summary.state_hash = simulation.state().hash();
  add_numbers(simulation, summary);
  for (Sink* sink : sinks) sink->end(summary);
  return summary;
}

}  // namespace scree
