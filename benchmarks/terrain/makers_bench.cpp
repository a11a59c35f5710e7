/// Cost of making ground, and of ground that is not a grid.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "scree/core/hash.hpp"
#include "scree/terrain/fbm.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/identify.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

void fbm_make(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::uint64_t hash = 0;
  for (auto _ : state) {
    const HeightField f = make_fbm(GridGeometry::spanning(n + 1, n + 1, {0, 1, 0, 1}), {.seed = 1});
    hash = hash_bytes(f.z.data(), f.z.size() * sizeof(float));
  }
  state.SetLabel("heights " + hash_text(hash));
}
BENCHMARK(fbm_make)->Arg(128)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

void fbm_identify(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const HeightField f = make_fbm(GridGeometry::spanning(n + 1, n + 1, {0, 1, 0, 1}), {.seed = 1});
  for (auto _ : state) benchmark::DoNotOptimize(identify_fbm(f).hurst);
}
BENCHMARK(fbm_identify)->Arg(128)->Arg(1024)->Unit(benchmark::kMillisecond);

/// What a grid costs to take over: checks, slope table, spline.
void grid_build(benchmark::State& state, Interpolation interpolation) {
  const HeightField f = make_fbm(GridGeometry::spanning(2049, 2049, {0, 1, 0, 1}), {.seed = 1});
  for (auto _ : state) {
    const Grid grid{HeightField(f), {.interpolation = interpolation}};
    benchmark::DoNotOptimize(grid.slope_bound({}));
  }
}
BENCHMARK_CAPTURE(grid_build, bilinear, Interpolation::bilinear)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(grid_build, smooth, Interpolation::smooth)->Unit(benchmark::kMillisecond);

/// A row of four points on ground that is not a grid.
void exact_sample(benchmark::State& state, const std::string& toml) {
  const Document document = Document::from_text(toml);
  Section root = document.root();
  const TerrainPtr terrain = make_terrain(root);
  double x[4] = {0.1, 0.6, 0.1, 0.6}, y[4] = {0.3, 0.3, 0.8, 0.8}, z[4], sx[4], sy[4];
  for (auto _ : state) {
    x[0] += 1e-4;
    terrain->sample({4, x, y, z, sx, sy});
    benchmark::DoNotOptimize(z);
  }
}
BENCHMARK_CAPTURE(exact_sample, flat, "kind = 'flat'");
BENCHMARK_CAPTURE(exact_sample, sines, "kind = 'sines'");
BENCHMARK_CAPTURE(exact_sample, ramp, "kind = 'ramp'");
BENCHMARK_CAPTURE(exact_sample, step_field, "kind = 'step_field'");
BENCHMARK_CAPTURE(exact_sample, function,
                  "kind = 'function'\nexpression = '0.15 * sin(2 * pi * x / 4) * cos(2 * pi * y / 6)'");
BENCHMARK_CAPTURE(exact_sample, compose,
                  "kind = 'compose'\nbase = { kind = 'flat' }\n[[feature]]\nkind = 'ramp'\nat = [0, "
                  "0]\nfootprint = [4, 2]\n"
                  "margin = 0.1\n[[feature]]\nkind = 'bump'\nat = [9, 9]\nfootprint = [2, 2]\n");

}  // namespace
}  // namespace scree
