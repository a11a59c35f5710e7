/// The whole rover mars6 on soil that deforms: 2 cm cells, bulldozing. Counters: simulated over CPU time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "repeated.hpp"
#include "scree/core/clock.hpp"
#include "scree/core/hash.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/step.hpp"

namespace scree {
namespace {

void roll_ruts(benchmark::State& state, const std::vector<std::string>& overrides, double seconds) {
  const Scenario scenario = load_scenario(SCREE_ROOT "/scenarios/soil/ruts.toml", overrides);
  std::uint64_t hash = 0;
  double cpu = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation s(scenario);
    while (s.time() < 3) s.advance();  // it drives now
    state.ResumeTiming();
    const double begin = thread_cpu_seconds();
    while (s.time() < 3 + seconds) s.advance();
    cpu += thread_cpu_seconds() - begin;
    hash = s.state().hash();
  }
  state.counters["real_time"] = seconds * static_cast<double>(state.iterations()) / cpu;
  state.SetLabel("state " + hash_text(hash));
}

/// 1 ms and 2 ms.
void soil_grid_mars6(benchmark::State& state) {
  roll_ruts(state, {fmt::format("solver.step={}", 1e-3 * static_cast<double>(state.range(0)))}, 2);
}
BENCHMARK(soil_grid_mars6)->Arg(1)->Arg(2)->Iterations(1)->Unit(benchmark::kMillisecond)->Apply(repeated);

/// The same sines on grids of 30 m and 300 m.
void soil_grid_terrain(benchmark::State& state) {
  roll_ruts(state,
            {fmt::format(
                "terrain={{kind=\"function\",expression=\"0.03*sin(2*pi*x/4)*cos(2*pi*y/5)\",sampled=true,"
                "size=[{0}.0,{0}.0],cells=[{1},{1}],soil={{names=[\"mars_regolith\"],grid={{cell=0.02}}}}}}",
                state.range(0), 10 * state.range(0))},
            1);
}
BENCHMARK(soil_grid_terrain)
    ->Arg(30)
    ->Arg(300)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->Apply(repeated);

/// One and ten rovers, a wavelength of the ground apart: the same ground for each.
void soil_grid_rovers(benchmark::State& state) {
  std::string robots = "robot=[";
  for (int i = 0; i < state.range(0); ++i)
    robots += fmt::format(
        "{}{{name=\"r{}\",model=\"mars6\",set=['wheel.contact={{ kind = \"soil_grid\", lug_height = 0.006 "
        "}}'],"
        "start={{position=[0.0,{}.0]}},profile=[{{quantity=\"speed\",drives=[\"front_left\",\"middle_left\","
        "\"rear_left\",\"front_right\",\"middle_right\",\"rear_right\"],value=1.6}}]}}",
        i ? "," : "", i, 5 * i);
  roll_ruts(state, {robots + "]"}, 0.5);
}
BENCHMARK(soil_grid_rovers)->Arg(1)->Arg(10)->Iterations(1)->Unit(benchmark::kMillisecond)->Apply(repeated);

}  // namespace
}  // namespace scree
