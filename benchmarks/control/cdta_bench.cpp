#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "scree/control/cdta_solver.hpp"
#include "scree/core/random.hpp"

namespace {

using namespace scree;

/// Problems along a rough track; prints the sum of the tractions as a check.
void BM_CdtaSolve(benchmark::State& bench) {
  RandomStream r(1, 0, "bench");
  std::vector<CdtaProblem> problems(256);
  for (CdtaProblem& q : problems) {
    q.mass = 45, q.gravity = 9.81, q.pitch = r.uniform(-0.3, 0.3), q.desired = r.uniform(-12, 12);
    for (int i = 0; i < 2; ++i)
      q.axles[i] = {.p = {i == 0 ? -0.3 : 0.3, -0.22},
                    .tangent = q.pitch + r.uniform(-0.4, 0.4),
                    .friction = 0.97,
                    .force_limit = 500,
                    .normal_least = 22};
  }
  std::size_t k = 0;
  double sum = 0;
  for (auto _ : bench) {
    const CdtaSolution s = solve_cdta(problems[k++ & 255]);
    benchmark::DoNotOptimize(sum += s.traction[0] - s.traction[1]);
  }
}
BENCHMARK(BM_CdtaSolve);

}  // namespace
