/// Cost of one evaluation of the laws of a wheel on soil.
#include <benchmark/benchmark.h>

#include "scree/ground/closed_form.hpp"

namespace scree {
namespace {

constexpr int kStates = 256;

/// Walks over sinkages and slips, so that nothing can be kept between evaluations.
template <class Law, class Call>
void evaluate_soil(benchmark::State& state, const Law& law, const Call& call) {
  int i = 0;
  double sum = 0;
  for (auto _ : state) {
    const double share = static_cast<double>(i++ % kStates) / kStates;
    sum += call(law, 0.005 + 0.03 * share, SoilSlip{0.8 * share, 0});
  }
  benchmark::DoNotOptimize(sum);
}

Soil bench_soil() { return load_soil("toyoura"); }
const SoilWheel kBenchWheel{.radius = 0.1, .width = 0.1, .lug_height = 0.01};

void soil_closed_form(benchmark::State& state) {
  evaluate_soil(state, ClosedForm(bench_soil(), kBenchWheel),
                [](const auto& law, double z, const SoilSlip& s) { return law.forces(z, s).drawbar; });
}
void soil_stress_integral(benchmark::State& state) {
  evaluate_soil(state, StressIntegral(bench_soil(), kBenchWheel), [](const auto& law, double z, SoilSlip s) {
    s.side = 0.2;
    return law.forces(z, s).drawbar;
  });
}
void soil_stress_integral_slopes(benchmark::State& state) {
  evaluate_soil(state, StressIntegral(bench_soil(), kBenchWheel), [](const auto& law, double z, SoilSlip s) {
    s.side = 0.2;
    return law.forces_with_slopes(z, s).drawbar.slope[1];
  });
}
void soil_sinkage(benchmark::State& state) {
  evaluate_soil(state, StressIntegral(bench_soil(), kBenchWheel),
                [](const auto& law, double z, const SoilSlip& s) { return law.sinkage(4000 * z, s).depth; });
}
BENCHMARK(soil_closed_form);
BENCHMARK(soil_stress_integral);
BENCHMARK(soil_stress_integral_slopes);
BENCHMARK(soil_sinkage);

}  // namespace
}  // namespace scree
