/// Ding 2011 Table 2: a rover at constant speed over flat ground, a slope and random ground, times real time
/// on one core (theirs without display: 1). The argument is the step [us].
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "repeated.hpp"
#include "scree/core/hash.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

Scenario rover_scenario(const std::string& ground, const std::string& law, double step) {
  const std::string terrain = ground == "flat" ? "kind = \"flat\""
                              : ground == "slope"
                                  ? "kind = \"flat\"\nslope_deg = 8.0"
                                  : "kind = \"noise\"\nrms = 0.06\nlength = 1.5\nperiod = 2.4\nsize = "
                                    "[60, 20]\ncell = 0.05";
  const std::string text = fmt::format(
      "format = 1\nduration = 1000.0\nseed = 2\n[world]\ngravity = [0.0, 0.0, -3.71]\n[solver]\nstep = "
      "{}\n[terrain]\n{}\n"
      "soil = {{ names = [\"mars_sand\"] }}\n[[robot]]\nmodel = \"mars6\"\nset = ['wheel.contact={{ kind = "
      "\"soil\", model = "
      "\"{}\", mount = \"rigid\", lug_height = 0.006 }}']\nstart = {{ position = [-20.0, 0.0], pitch_deg = "
      "{}, clearance = 0.0 "
      "}}\n[[robot.profile]]\nquantity = \"speed\"\nvalue = 1.6\n",
      step, terrain, law, ground == "slope" ? 8.0 : 0.0);
  return load_scenario(Document::from_text(text, "rover bench"), SCREE_ROOT "/scenarios/bench.toml");
}

void drive(benchmark::State& state, const char* ground, const char* law) {
  const double step = 1e-6 * static_cast<double>(state.range(0));
  const Scenario scenario = rover_scenario(ground, law, step);
  Simulation simulation(scenario);
  while (simulation.time() < 3) simulation.advance();
  for (auto _ : state) simulation.advance();
  state.counters["x_real_time"] = benchmark::Counter(step, benchmark::Counter::kIsIterationInvariantRate);
  Simulation again(scenario);
  while (again.time() < 5) again.advance();
  const Vec3 p = Eigen::Map<const Vec3>(again.state().block(scenario.world->robots()[0]));
  state.SetLabel(fmt::format("x {:.4f} m at 5 s, state {}", p.x(), hash_text(again.state().hash())));
}

#define ROVER(name, ground, law)                                    \
  void name(benchmark::State& state) { drive(state, ground, law); } \
  BENCHMARK(name)->Arg(1000)->Arg(2000)->Arg(4000)->MinTime(0.05)->Apply(repeated)

ROVER(rover_flat_closed_form, "flat", "closed_form");
ROVER(rover_slope_closed_form, "slope", "closed_form");
ROVER(rover_random_closed_form, "random", "closed_form");
ROVER(rover_flat_stress_integral, "flat", "stress_integral");
ROVER(rover_slope_stress_integral, "slope", "stress_integral");
ROVER(rover_random_stress_integral, "random", "stress_integral");

}  // namespace
}  // namespace scree
