#include "scree/terrain/synthesis.hpp"

#include <fmt/core.h>

#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/parallel.hpp"
#include "scree/terrain/spectrum.hpp"

namespace scree {
namespace {

using Complex = std::complex<double>;

/// Wave number of bin k of n, in cycles per period: 0, 1, ..., n/2, ..., -2, -1.
int wrapped(int k, int n) { return k <= n / 2 ? k : k - n; }

struct Map {
  double lx, ly;
  const AmplitudeLaw& law;
  const SynthesisSettings& settings;
};

/// The coefficients of wave number ky = row, for kx = 0 ... nx/2. A stream per row, drawn from kx = 0 up:
/// (kx, ky) gets the same numbers on any map that holds it.
void fill_row(RealSpectrum& spectrum, int row, const Map& map) {
  const int ky = wrapped(row, spectrum.ny());
  const double cells = static_cast<double>(spectrum.nx()) * spectrum.ny();
  RandomStream random(map.settings.seed, 0, fmt::format("{} {}", map.settings.purpose, ky));
  for (int kx = 0; kx <= spectrum.nx() / 2; ++kx) {
    const double a = random.normal(), b = random.normal();
    if (kx == 0 && ky == 0) continue;
    const double size = cells * map.law(kx / map.lx, ky / map.ly, map.lx, map.ly);
    const bool own_mirror = (2 * kx) % spectrum.nx() == 0 && (2 * ky) % spectrum.ny() == 0;
    if (own_mirror) {
      spectrum.set_coefficient(kx, row, map.settings.gaussian ? size * a : std::copysign(size, a));
    } else if (map.settings.gaussian) {
      spectrum.set_coefficient(kx, row, size * std::sqrt(0.5) * Complex(a, b));
    } else {
      spectrum.set_coefficient(kx, row, size * Complex(a, b) / maths::hypot(a, b));
    }
  }
}

/// The columns kx = 0 and nx/2 hold both members of each conjugate pair: the upper half mirrors the lower.
void make_hermitian(RealSpectrum& spectrum) {
  for (const int kx : {0, spectrum.nx() / 2}) {
    if ((2 * kx) % spectrum.nx() != 0) continue;
    for (int ky = 1; 2 * ky < spectrum.ny(); ++ky) {
      spectrum.set_coefficient(kx, spectrum.ny() - ky, std::conj(spectrum.coefficient(kx, ky)));
    }
  }
}

int period_length(int cells, double factor) {
  const int wanted = static_cast<int>(std::ceil(cells * factor));
  return wanted == cells && is_good_length(cells) ? cells : good_length_above(wanted);
}

/// Cuts the geometry's samples out of the map, in place; sample n of a period of n is sample 0 again.
HeightField crop(RealSpectrum spectrum, const GridGeometry& g) {
  const std::size_t stride = spectrum.stride();
  const int nx = spectrum.nx(), ny = spectrum.ny();
  HeightField field;
  field.geometry = g;
  field.z = std::move(spectrum).take();
  float* z = field.z.data();
  if (g.nx > nx) {
    for (int j = 0; j < ny; ++j) z[j * stride + nx] = z[j * stride];
  }
  if (g.ny > ny) std::copy_n(z, g.nx, z + ny * stride);
  for (int j = 1; j < g.ny; ++j) std::copy_n(z + j * stride, g.nx, z + static_cast<std::size_t>(j) * g.nx);
  field.z.resize(g.samples());
  return field;
}

}  // namespace

HeightField synthesise(const GridGeometry& g, const SynthesisSettings& s, const AmplitudeLaw& law) {
  check_geometry(g, s.purpose);
  if (!(s.period >= 1 && s.period <= 64))
    input_error("{}: period {} is outside [1, 64]", s.purpose, s.period);
  if (!(static_cast<double>(g.samples()) * s.period * s.period < 2e9)) {
    input_error("{}: {} x {} samples with period {} are more than a map can hold", s.purpose, g.nx, g.ny,
                s.period);
  }
  const int nx = period_length(g.nx - 1, s.period), ny = period_length(g.ny - 1, s.period);
  RealSpectrum spectrum(nx, ny, 1);
  const Map map{nx * g.step_x, ny * g.step_y, law, s};
  in_parallel(s.threads, ny, [&](int begin, int end) {
    for (int row = begin; row < end; ++row) fill_row(spectrum, row, map);
  });
  make_hermitian(spectrum);
  spectrum.inverse(s.threads);
  return crop(std::move(spectrum), g);
}

}  // namespace scree
