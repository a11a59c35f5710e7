#pragma once
/// The innermost loop of the program: heights and gradients of four points on a regular grid, side by side.
///
/// No branch, no virtual call, no allocation: indices are computed in vector registers, clamped to the grid,
/// and each point costs two (bilinear) or three (smooth) unaligned loads. Kept apart from Grid so that a
/// search which knows that it stands on a grid can have it inlined.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "scree/core/lanes.hpp"

namespace scree {

class HeightTable;
class SlopeTable;

/// Four points' answers.
struct LanesPoint {
  Lanes z, slope_x, slope_y;
};

struct GridView {
  const float* z = nullptr;  ///< samples (bilinear) or spline coefficients (smooth), x fastest
  int nx = 0, ny = 0;
  double x_min = 0, y_min = 0;
  double per_x = 1, per_y = 1;  ///< samples per metre
  double datum = 0;
  const HeightTable* heights = nullptr;  ///< of the samples,
  const SlopeTable* slopes = nullptr;    ///< and between them

  /// Bilinear patch (Morrot 2011, Eqs. 3-5): aux = (x - x_min) / step, i = floor(aux), 0-based.
  /// Differs (errata 000-1..5): i is held in [0, nx - 2], so that x = x_max does not read beyond the grid;
  /// outside, the nearest edge answers and the gradient outward is zero.
  LanesPoint bilinear(Lanes x, Lanes y) const;

  /// C1 biquadratic B-spline through the same samples; `z` holds its coefficients (spline.hpp).
  LanesPoint smooth(Lanes x, Lanes y) const;

  /// Four neighbouring samples of a row, without the datum; and two pairs of neighbours.
  Lanes four_samples(std::ptrdiff_t at) const { return to_lanes(quad(at)); }
  Lanes two_pairs(std::ptrdiff_t one, std::ptrdiff_t other) const {
    return to_lanes(std::bit_cast<Float4>(std::array{pair(one), pair(other)}));
  }

 private:
  using Int4 = std::int32_t __attribute__((vector_size(16)));
  using Float4 = float __attribute__((vector_size(16)));
  using Float8 = float __attribute__((vector_size(32)));

#ifdef __AVX2__
  // The compiler splits these two conversions into halves; the machine does each in one instruction.
  static Lanes to_lanes(Float4 v) { return _mm256_cvtps_pd(v); }
  static Lanes to_lanes(Int4 v) { return _mm256_cvtepi32_pd(std::bit_cast<__m128i>(v)); }
#else
  static Lanes to_lanes(Float4 v) { return __builtin_convertvector(v, Lanes); }
  static Lanes to_lanes(Int4 v) { return __builtin_convertvector(v, Lanes); }
#endif
  static Int4 truncate(Lanes v) { return __builtin_convertvector(v, Int4); }
  /// Two neighbouring samples as the bits of one double: one 8-byte load.
  double pair(std::ptrdiff_t at) const {
    double bits;
    std::memcpy(&bits, z + at, 8);
    return bits;
  }
  Float4 quad(std::ptrdiff_t at) const {
    Float4 v;
    std::memcpy(&v, z + at, 16);
    return v;
  }
};

inline LanesPoint GridView::bilinear(Lanes x, Lanes y) const {
  using namespace lane;
  const Lanes u = (x - x_min) * per_x, v = (y - y_min) * per_y;
  const Lanes uc = clamp(u, lanes(0), lanes(nx - 1)), vc = clamp(v, lanes(0), lanes(ny - 1));
  const Int4 i = truncate(min(uc, lanes(nx - 2))), j = truncate(min(vc, lanes(ny - 2)));
  const Lanes fx = uc - to_lanes(i), fy = vc - to_lanes(j);
  const Int4 at = j * nx + i;

  // Each row pair lies side by side in memory: load both as one double, then part even from odd.
  const Lanes low{pair(at[0]), pair(at[1]), pair(at[2]), pair(at[3])};
  const std::ptrdiff_t row = nx;
  const Lanes high{pair(at[0] + row), pair(at[1] + row), pair(at[2] + row), pair(at[3] + row)};
  const Float8 l = std::bit_cast<Float8>(low), h = std::bit_cast<Float8>(high);
  const Lanes z00 = to_lanes(__builtin_shufflevector(l, l, 0, 2, 4, 6));
  const Lanes z10 = to_lanes(__builtin_shufflevector(l, l, 1, 3, 5, 7));
  const Lanes z01 = to_lanes(__builtin_shufflevector(h, h, 0, 2, 4, 6));
  const Lanes z11 = to_lanes(__builtin_shufflevector(h, h, 1, 3, 5, 7));

  const Lanes low_dx = z10 - z00, high_dx = z11 - z01;
  const Lanes z1 = z00 + fx * low_dx;   // Eq. 3
  const Lanes z2 = z01 + fx * high_dx;  // Eq. 4
  const Lanes dy = z2 - z1;
  LanesPoint p;
  p.z = datum + (z1 + fy * dy);  // Eq. 5
  p.slope_x = select(u == uc, (low_dx + fy * (high_dx - low_dx)) * per_x, lanes(0));
  p.slope_y = select(v == vc, dy * per_y, lanes(0));
  return p;
}

inline LanesPoint GridView::smooth(Lanes x, Lanes y) const {
  using namespace lane;
  const Lanes u = (x - x_min) * per_x, v = (y - y_min) * per_y;
  const Lanes uc = clamp(u, lanes(0), lanes(nx - 1)), vc = clamp(v, lanes(0), lanes(ny - 1));
  // The piece of a quadratic B-spline is centred on its sample: i = round(u), kept one inside the edge.
  const Int4 i = truncate(clamp(uc + 0.5, lanes(1), lanes(nx - 2)));
  const Int4 j = truncate(clamp(vc + 0.5, lanes(1), lanes(ny - 2)));
  const Lanes tx = uc - to_lanes(i), ty = vc - to_lanes(j);

  // Weights of the three coefficients and their derivatives; in the outermost half cell the surface goes on
  // along its tangent (second derivative zero at the edge).
  const auto weights = [](Lanes t, Lanes w[3], Lanes d[3]) {
    const Lanes c = clamp(t, lanes(-0.5), lanes(0.5)), beyond = t - c;
    d[0] = c - 0.5, d[1] = -2.0 * c, d[2] = c + 0.5;
    w[0] = 0.5 * d[0] * d[0] + beyond * d[0];
    w[1] = 0.75 - c * c + beyond * d[1];
    w[2] = 0.5 * d[2] * d[2] + beyond * d[2];
  };
  Lanes wx[3], dx[3], wy[3], dy[3];
  weights(tx, wx, dx);
  weights(ty, wy, dy);

  const Int4 at = (j - 1) * nx + (i - 1);
  Lanes height = lanes(0), slope_x = lanes(0), slope_y = lanes(0);
  for (int r = 0; r < 3; ++r) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * nx;
    const Float4 a = quad(at[0] + row), b = quad(at[1] + row), c = quad(at[2] + row), d = quad(at[3] + row);
    const Float4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Float4 ab2 = __builtin_shufflevector(a, b, 2, 6, 2, 6),
                 cd2 = __builtin_shufflevector(c, d, 2, 6, 2, 6);
    const Lanes c0 = to_lanes(__builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    const Lanes c1 = to_lanes(__builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    const Lanes c2 = to_lanes(__builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
    const Lanes along = wx[0] * c0 + wx[1] * c1 + wx[2] * c2;
    height += wy[r] * along;
    slope_x += wy[r] * (dx[0] * c0 + dx[1] * c1 + dx[2] * c2);
    slope_y += dy[r] * along;
  }
  LanesPoint p;
  p.z = datum + height;
  p.slope_x = select(u == uc, slope_x * per_x, lanes(0));
  p.slope_y = select(v == vc, slope_y * per_y, lanes(0));
  return p;
}

}  // namespace scree
