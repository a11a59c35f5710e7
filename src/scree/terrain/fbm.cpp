#include "scree/terrain/fbm.hpp"

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/synthesis.hpp"

namespace scree {
namespace {

/// E|z_jk|^2 = N^4 sigma^2 / [4 L^2 (u^2 + v^2)^(H+1)]: its root over N^2 (errata 001-5..8).
double amplitude(const FbmSettings& s, double u, double v, double lx, double ly) {
  return s.sigma / (2 * std::sqrt(lx * ly)) * maths::pow(u * u + v * v, -0.5 * (s.hurst + 1));
}

}  // namespace

HeightField make_fbm(const GridGeometry& g, const FbmSettings& s, int threads) {
  if (!(s.hurst > 0 && s.hurst < 1)) input_error("fbm: H = {} is outside (0, 1)", s.hurst);
  if (!(s.sigma >= 0 && std::isfinite(s.sigma))) input_error("fbm: sigma = {} must not be negative", s.sigma);
  return synthesise(g, {s.period, s.gaussian, s.seed, "fbm", threads},
                    [&s](double u, double v, double lx, double ly) { return amplitude(s, u, v, lx, ly); });
}

double fbm_expected_rms(const FbmSettings& s, int nx, int ny, double cell_x, double cell_y) {
  const double lx = nx * cell_x, ly = ny * cell_y;
  const auto wrapped = [](int k, int n) { return k <= n / 2 ? k : k - n; };
  double sum = 0;
  for (int k = 0; k < ny; ++k) {
    for (int j = 0; j < nx; ++j) {
      if (j == 0 && k == 0) continue;
      const double size = amplitude(s, wrapped(j, nx) / lx, wrapped(k, ny) / ly, lx, ly);
      sum += size * size;
    }
  }
  return std::sqrt(sum);
}

/// The lattice sum of (j^2 + k^2)^-p without the origin is 4 zeta(p) beta(p), p = H + 1 (Lorenz, Hardy).
double fbm_limit_rms(double hurst, double sigma, double length) {
  const double p = hurst + 1;
  // zeta: 10^4 terms and the Euler-Maclaurin remainder; beta: alternating, the mean of two partial sums.
  constexpr int n = 10000;
  double zeta = 0, beta = 0, term = 0;
  for (int k = n; k >= 1; --k) zeta += maths::pow(k, -p);
  zeta += maths::pow(n, 1 - p) / (p - 1) - 0.5 * maths::pow(n, -p) + p / 12 * maths::pow(n, -p - 1);
  for (int k = n; k >= 0; --k) {
    term = maths::pow(2 * k + 1, -p);
    beta += k == n ? 0.5 * term : (k % 2 == 0 ? term : -term);
  }
  return sigma * maths::pow(length, hurst) * std::sqrt(zeta * beta);
}

namespace {

struct FbmKind {
  FbmSettings fbm;
  std::string amplitude = "gaussian";
  Extent extent{.size = {1, 1}, .cells = {128, 128}};
  GridOptions options{.name = "fbm"};
};

void describe(Section& s, FbmKind& x) {
  s.number("hurst", x.fbm.hurst,
           {.unit = "-",
            .doc = "H: 0 rugged ... 1 smooth",
            .range = {.low = 0, .high = 1, .open_low = true, .open_high = true}});
  s.number(
      "sigma", x.fbm.sigma,
      {.unit = "m^(1-H)", .doc = "Square root of the spectral level at 1 cycle/m", .range = not_negative()});
  s.number("period", x.fbm.period,
           {.unit = "-",
            .doc = "Cut from a map this many times as long; 1: a tile that repeats",
            .range = between(1, 64)});
  s.choice("amplitude", x.amplitude, {"gaussian", "fixed"},
           {.unit = "-", .doc = "Fourier coefficients of random size and phase, or of random phase only"});
  describe_seed(s, x.fbm.seed);
  describe(s, x.extent);
  describe(s, x.options);
}

}  // namespace

TerrainPtr make_fbm_kind(Section& s, const MakeContext& context) {
  FbmKind x;
  x.fbm.seed = context.seed;
  // A cell or size given by the user replaces the default number of cells.
  if (!s.documenting() && s.has("cell")) x.extent.cells.setZero();
  describe(s, x);
  if (s.documenting()) return nullptr;
  x.fbm.gaussian = x.amplitude == "gaussian";
  return std::make_unique<Grid>(make_fbm(geometry_of(x.extent, "fbm"), x.fbm, context.threads), x.options);
}

}  // namespace scree
