/// Cost of a terrain query, for a row of four points (one per wheel) and a row of 80 (four wheels' slices).
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "scree/core/hash.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/grid.hpp"

namespace scree {
namespace {

/// The sines of scenarios/bench/skid4.toml on n x n samples over 50 m x 50 m.
Grid sines(int n, Interpolation interpolation) {
  HeightField field = make_field(GridGeometry::spanning(n, n, {-25, 25, -25, 25}), "sines");
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double x = field.geometry.x(i), y = field.geometry.y(j);
      field.at(i, j) = static_cast<float>(0.15 * std::sin(2 * kPi * x / 4) * std::cos(2 * kPi * y / 6));
    }
  }
  return Grid(std::move(field), {.interpolation = interpolation});
}

/// `count` points within a wheel's reach of a place that wanders over the map.
void grid_sample(benchmark::State& state, Interpolation interpolation) {
  const int count = static_cast<int>(state.range(0));
  const Grid grid = sines(static_cast<int>(state.range(1)), interpolation);
  const Terrain& terrain = grid;
  constexpr int kPlaces = 1024;
  RandomStream random(1, 0, "bench");
  std::vector<double> x(kPlaces * count), y(x.size()), z(count), sx(count), sy(count);
  for (int k = 0; k < kPlaces; ++k) {
    const double along = -20 + 40.0 * k / kPlaces;
    for (int s = 0; s < count; ++s) {
      x[k * count + s] = along + random.uniform(-0.4, 0.4);
      y[k * count + s] = 0.7 + random.uniform(-0.4, 0.4);
    }
  }
  int k = 0;
  std::uint64_t hash = 0;
  for (auto _ : state) {
    terrain.sample({count, x.data() + k * count, y.data() + k * count, z.data(), sx.data(), sy.data()});
    benchmark::DoNotOptimize(z.data());
    benchmark::ClobberMemory();
    k = (k + 1) % kPlaces;
  }
  for (k = 0; k < kPlaces; ++k) {
    terrain.sample({count, x.data() + k * count, y.data() + k * count, z.data(), sx.data(), sy.data()});
    hash = hash_bytes(z.data(), sizeof(double) * count, hash);
  }
  state.SetLabel("heights " + hash_text(hash));
}
BENCHMARK_CAPTURE(grid_sample, bilinear, Interpolation::bilinear)
    ->Args({1, 512})
    ->Args({4, 512})
    ->Args({80, 512})
    ->Args({4, 8192});
BENCHMARK_CAPTURE(grid_sample, smooth, Interpolation::smooth)
    ->Args({4, 512})
    ->Args({80, 512})
    ->Args({4, 8192});

void grid_slope_bound(benchmark::State& state) {
  const Grid grid = sines(512, Interpolation::bilinear);
  double x = -20;
  for (auto _ : state) {
    benchmark::DoNotOptimize(grid.slope_bound({x - 0.12, x + 0.12, 0.5, 0.9}));
    x = x < 20 ? x + 0.01 : -20;
  }
}
BENCHMARK(grid_slope_bound);

}  // namespace
}  // namespace scree
