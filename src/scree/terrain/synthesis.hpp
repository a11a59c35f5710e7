#pragma once
/// Random ground from a spectrum: Gaussian (or random-phase) Fourier coefficients, transformed back.
#include <cstdint>
#include <functional>
#include <string>

#include "scree/terrain/height_field.hpp"

namespace scree {

struct SynthesisSettings {
  double period = 1;     ///< ground is cut from a map this many times as long: 1 is a tile that repeats
  bool gaussian = true;  ///< coefficients of random size and phase; false: random phase only
  std::uint64_t seed = 0;
  std::string purpose;  ///< names the random streams
  int threads = 1;
};

/// sqrt(E|z|^2) / (nx ny) [m] of the coefficient at (u, v) [cycles/m] on a map of length lx, ly [m].
using AmplitudeLaw = std::function<double(double u, double v, double lx, double ly)>;

/// Z = 1/(nx ny) sum z exp(2 pi i (...)) with z_00 = 0 and Hermitian z (Yokokohji 2002, Eq. 5).
///
/// A coefficient depends on the seed and its wave numbers alone: a finer cell adds detail to the same ground.
/// The period is the number of cells, so that the last row and column repeat the first; it is longer when
/// `period` says so, or when the number of cells has a prime factor above 13. One field of memory.
HeightField synthesise(const GridGeometry& geometry, const SynthesisSettings& settings,
                       const AmplitudeLaw& law);

}  // namespace scree
