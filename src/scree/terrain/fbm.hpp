#pragma once
/// Fractional Brownian ground: rough at every scale, said by two numbers (Yokokohji 2002, Sec. 3).
#include <cstdint>

#include "scree/terrain/height_field.hpp"

namespace scree {

struct FbmSettings {
  double hurst = 0.33;    ///< H: 0 rugged ... 1 smooth
  double sigma = 0.0035;  ///< square root of the spectral level at 1 cycle/m [m^(1-H)]; gravel in the paper
  double period = 1;      ///< ground is cut from a map this many times as long: 1 is a tile that repeats
  bool gaussian = true;   ///< coefficients of random size and phase; false: random phase only
  std::uint64_t seed = 0;
};

/// Ground by spectral synthesis (Yokokohji 2002, Eqs. 5-6).
///
/// Differs (errata 001-5..8): sigma^2 is the one-quadrant spectral level at 1 cycle/m, so that synthesis and
/// identification agree: E|z_jk|^2 = N^4 sigma^2 / [4 L^2 (u_j^2 + v_k^2)^(H+1)], u_j = j/L with wrap,
/// z_00 = 0, Hermitian, Z = 1/N^2 sum z exp(...); on a rectangle N^4 -> (nx ny)^2 and L^2 -> Lx Ly. A
/// coefficient depends on the seed and its wave numbers alone: a finer cell adds detail to the same ground.
///
/// The period is cells x cells, so that the last row and column repeat the first; it is larger when `period`
/// says so, or when the number of cells has a prime factor above 13.
HeightField make_fbm(const GridGeometry& geometry, const FbmSettings& settings, int threads = 1);

/// Root mean square height that the synthesis has on average, summed over its coefficients [m].
double fbm_expected_rms(const FbmSettings& settings, int nx, int ny, double cell_x, double cell_y);
/// Its limit for a square of length L in ever smaller cells: sigma L^H sqrt(zeta(H+1) beta(H+1)) [m].
double fbm_limit_rms(double hurst, double sigma, double length);

}  // namespace scree
