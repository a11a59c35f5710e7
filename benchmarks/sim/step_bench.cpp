/// Whole steps and whole scenarios. Every label ends with the hash of the final state: a faster step that
/// computes something else is not faster.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "repeated.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/clock.hpp"
#include "scree/core/hash.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/step.hpp"

namespace scree {
namespace {

Scenario bench_scenario(const std::vector<std::string>& overrides = {}) {
  return load_scenario(SCREE_ROOT "/scenarios/bench/skid4.toml", overrides);
}

void time_steps(benchmark::State& state, const Scenario& scenario) {
  const World& world = *scenario.world;
  State now = initial_state(scenario);
  SimWorkspace workspace(world);
  const double dt = world.solver().step;
  for (int i = 0; i < 1000; ++i) step(world, now, dt, workspace);
  const State start = now;
  int done = 0;
  for (auto _ : state) {
    if (++done > 15000) {  // stay on the terrain
      now = start;
      done = 0;
    }
    step(world, now, dt, workspace);
  }
  State end = start;
  for (int i = 0; i < 1000; ++i) step(world, end, dt, workspace);
  state.SetLabel("state " + hash_text(end.hash()));
}

void step_skid4(benchmark::State& state) { time_steps(state, bench_scenario()); }
BENCHMARK(step_skid4)->MinTime(0.05)->Apply(repeated);

/// Wheels with a mass of their own, on prismatic joints and stiff tyres.
void step_skid4_full(benchmark::State& state) {
  time_steps(state, load_scenario(SCREE_ROOT "/scenarios/bench/skid4-full.toml"));
}
BENCHMARK(step_skid4_full)->MinTime(0.05)->Apply(repeated);

/// VIVI with motors, shaft friction and battery at full voltage.
void step_vivi(benchmark::State& state) { time_steps(state, bench_scenario({"robot.model=\"vivi\""})); }
BENCHMARK(step_vivi)->MinTime(0.05)->Apply(repeated);

void step_hexa(benchmark::State& state) { time_steps(state, bench_scenario({"robot.model=\"hexa\""})); }
BENCHMARK(step_hexa)->MinTime(0.05)->Apply(repeated);

/// skid4 on wheels of 5 disks of 60 sectors, rigidly mounted.
void step_skid4_sectors(benchmark::State& state) {
  time_steps(state, bench_scenario(
                        {"robot.set=[\"wheel.contact={kind=\\\"sectors\\\",stiffness=19000.0,damping=500.0,"
                         "slip_stiffness=1500.0,cornering_stiffness=1500.0}\"]"}));
}
BENCHMARK(step_skid4_sectors)->MinTime(0.05)->Apply(repeated);

/// Four wheels that sink into sand, each with the stresses under its rim and their derivatives.
void step_rocker_soil(benchmark::State& state) {
  time_steps(state, load_scenario(SCREE_ROOT "/scenarios/soil/sand.toml"));
}
BENCHMARK(step_rocker_soil)->MinTime(0.05)->Apply(repeated);

/// The argument is the side of the grid in cells: the cost must not depend on it.
void step_terrain_size(benchmark::State& state) {
  time_steps(state, bench_scenario({fmt::format("terrain.cells=[{0},{0}]", state.range(0)),
                                    fmt::format("terrain.size=[{0},{0}]", 0.09765625 * state.range(0))}));
}
BENCHMARK(step_terrain_size)->Arg(512)->Arg(2048)->Arg(8192);

/// One step of a world with many robots, per robot.
void step_many_robots(benchmark::State& state) {
  const Scenario one = bench_scenario();
  auto world =
      std::make_shared<World>(one.world->gravity(), one.world->shared_terrain(), one.world->solver());
  Scenario many = one;
  many.starts.clear();
  for (int i = 0; i < state.range(0); ++i) {
    world->add(fmt::format("r{}", i), one.world->robots()[0].model);
    StartSettings start = one.starts[0];
    start.position = Vec2(-20 + 0.03 * i, -20 + 0.037 * i);
    many.starts.push_back(start);
  }
  many.world = world;
  State now = initial_state(many);
  SimWorkspace workspace(*world);
  for (int i = 0; i < 50; ++i) step(*world, now, 1e-3, workspace);
  const State start = now;
  int done = 0;
  for (auto _ : state) {
    if (++done > 3000) {
      now = start;
      done = 0;
    }
    step(*world, now, 1e-3, workspace);
  }
  state.counters["per_robot"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(step_many_robots)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

/// The whole comparison scenario, 20 s, at the step given in microseconds; real_time is simulated / CPU time.
void scenario_skid4(benchmark::State& state) {
  const Scenario scenario = bench_scenario({fmt::format("solver.step={}", 1e-6 * state.range(0))});
  RunSummary summary;
  for (auto _ : state) summary = run(scenario, {});
  state.counters["real_time"] =
      benchmark::Counter(summary.simulated_s, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["end_x"] = summary.numbers[0].second;
  state.SetLabel("state " + hash_text(summary.state_hash));
}
BENCHMARK(scenario_skid4)->Arg(100)->Arg(1000)->Arg(5000)->Arg(10000)->Unit(benchmark::kMillisecond);

/// Every shipped scenario with all that belongs to it (control, sensors, events, no log), its first four
/// seconds or its whole run: what a step costs on the grounds that people use (`step` [s], the processor time
/// that `real_time_factor` counts), and what it takes to place the robots before the first one (`start` [s]).
void shipped_scenario(benchmark::State& state, const std::filesystem::path& file) {
  const Scenario scenario = load_scenario(file, {"duration=4.0"});
  RunSummary summary;
  double steps = 0, stepping = 0, all = 0;
  for (auto _ : state) {
    const double begun = thread_cpu_seconds();
    summary = run(scenario, {});
    all += thread_cpu_seconds() - begun;
    stepping += summary.cpu_s, steps += static_cast<double>(summary.steps);
  }
  state.counters["step"] = stepping / steps;
  state.counters["start"] = (all - stepping) / static_cast<double>(state.iterations());
  state.SetLabel("state " + hash_text(summary.state_hash));
}

const bool registered = [] {
  for (const auto& [name, file] : data_files("scenarios")) {
    benchmark::RegisterBenchmark(("shipped/" + name).c_str(), shipped_scenario, file)
        ->MinTime(0.05)
        ->Unit(benchmark::kMillisecond)
        ->Apply(repeated);
  }
  return true;
}();

}  // namespace
}  // namespace scree
