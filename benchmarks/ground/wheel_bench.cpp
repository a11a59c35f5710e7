/// Contact search and tyre, four wheels at a time.
#include <benchmark/benchmark.h>

#include "scree/config/section.hpp"
#include "scree/core/hash.hpp"
#include "scree/ground/wheel.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

using namespace lane;

V3<Lanes> spread(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }

std::unique_ptr<const Terrain> sines_grid() {
  const Document document = Document::from_text(
      "kind = \"function\"\nexpression = \"0.15*sin(2*pi*x/4)*cos(2*pi*y/6)\"\nsampled = true\n"
      "size = [50, 50]\ncells = [512, 512]\n");
  Section section = document.root();
  return make_terrain(section, {});
}

/// Argument: slices. The terrain's slope bound is used as in the step.
void contact_search(benchmark::State& state) {
  const auto terrain = sines_grid();
  const SliceTable table(static_cast<int>(state.range(0)));
  double x = -20;
  Lanes h{}, guess{};
  for (auto _ : state) {
    x = x > 20 ? -20 : x + 0.001;
    WheelPlanes w{spread({x, 0.3, terrain->height(x, 0.3) + 0.11}), spread(Vec3::UnitX()),
                  spread(Vec3::UnitZ()), lanes(0.12), Lanes{}};
    w.centre.x += Lanes{0, 0.5, 0, 0.5};
    w.centre.y += Lanes{0, 0, 0.5, 0.5};
    w.guess = guess;
    const auto c = search_slices(*terrain, table, w, terrain->slope_bound({x - 1, x + 1, -1, 1}), 1);
    guess = c.h;
    h += c.h;
  }
  benchmark::DoNotOptimize(h);
}
BENCHMARK(contact_search)->Arg(20)->Arg(2000);

void tyre_friction(benchmark::State& state) {
  const Tyre tyre(TyreSettings{});
  Lanes kappa{0.01, 0.05, -0.03, 0.2}, total{};
  for (auto _ : state) {
    kappa += 1e-9;
    total += tyre.friction(kappa, lanes(0.05), lanes(110)).mu_x;
  }
  benchmark::DoNotOptimize(total);
  state.SetLabel("four wheels, sum " + hash_text(hash_bytes(&total, 8)).substr(0, 4));
}
BENCHMARK(tyre_friction);

}  // namespace
}  // namespace scree
