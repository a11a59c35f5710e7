/// `noise`: random ground of one scale, smooth below it.
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/synthesis.hpp"

namespace scree {
namespace {

struct NoiseSettings {
  double rms = 0.02;    ///< root mean square height [m]
  double length = 0.5;  ///< correlation length [m]
  double period = 1;
  std::uint64_t seed = 0;
  Extent extent{.size = {10, 10}, .cells = {200, 200}};
  GridOptions options{.name = "noise"};
};

void describe(Section& s, NoiseSettings& x) {
  s.number("rms", x.rms, {.unit = "m", .doc = "Root mean square height", .range = not_negative()});
  s.number("length", x.length,
           {.unit = "m", .doc = "Correlation length: the size of humps", .range = positive()});
  s.number("period", x.period,
           {.unit = "-",
            .doc = "Cut from a map this many times as long; 1: a tile that repeats",
            .range = between(1, 64)});
  describe_seed(s, x.seed);
  describe(s, x.extent);
  describe(s, x.options);
}

}  // namespace

/// A Gaussian field with autocorrelation rms^2 exp(-(r/length)^2), whose spectral density (its Fourier
/// transform) is rms^2 pi length^2 exp(-(pi length)^2 (u^2 + v^2)); a coefficient holds density / (lx ly).
TerrainPtr make_noise(Section& s, const MakeContext& context) {
  NoiseSettings x;
  x.seed = context.seed;
  if (!s.documenting() && s.has("cell")) x.extent.cells.setZero();
  describe(s, x);
  if (s.documenting()) return nullptr;
  const auto law = [&x](double u, double v, double lx, double ly) {
    const double k2 = kPi * kPi * x.length * x.length * (u * u + v * v);
    return x.rms * x.length * std::sqrt(kPi / (lx * ly)) * maths::exp(-0.5 * k2);
  };
  HeightField field =
      synthesise(geometry_of(x.extent, "noise"), {x.period, true, x.seed, "noise", context.threads}, law);
  return std::make_unique<Grid>(std::move(field), x.options);
}

}  // namespace scree
