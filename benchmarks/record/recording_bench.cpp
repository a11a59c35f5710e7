/// What writing a run's log and states costs: whole runs with and without, in turn.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/scenario.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// From the start of the run to its last byte [s].
double wall_of(const Scenario& scenario, const fs::path& folder, const std::string& format) {
  fs::remove_all(folder);
  const auto begun = std::chrono::steady_clock::now();
  if (format.empty()) {
    run(scenario, {});
  } else {
    RunWriter writer(folder, {.signals = scenario.record.signals,
                              .format = format,
                              .period = scenario.record.period,
                              .state_period = scenario.record.state_period});
    Sink* sinks[] = {&writer};
    run(scenario, sinks);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

/// Wall time of `bench/skid4` for 38 s with all signals over that without a log: the median of pairs, and the
/// least of one over the least of the other.
void recording(benchmark::State& state, const std::string& format) {
  const Scenario scenario = load_scenario(SCREE_ROOT "/scenarios/bench/skid4.toml", {"duration=38.0"});
  const fs::path folder = fs::temp_directory_path() / ("scree_recording_" + std::to_string(::getpid()));
  std::vector<double> ratios;
  double bare_least = 1e300, least = 1e300;
  for (auto _ : state) {
    const double bare = wall_of(scenario, folder, ""), recorded = wall_of(scenario, folder, format);
    bare_least = std::min(bare_least, bare), least = std::min(least, recorded);
    ratios.push_back(recorded / bare);
  }
  fs::remove_all(folder);
  std::sort(ratios.begin(), ratios.end());
  state.counters["median_ratio"] = ratios[ratios.size() / 2];
  state.counters["least_ratio"] = least / bare_least;
}
BENCHMARK_CAPTURE(recording, csv, std::string("csv"))->Iterations(60)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(recording, npy, std::string("npy"))->Iterations(60)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scree
