#pragma once
/// Exponential and logarithm for doubles and lanes, from the same operations everywhere: the bits do not
/// depend on which variant of the mathematical library a machine picks. Within 2e-15 of the true value.
#include <bit>

#include "scree/core/lanes.hpp"

namespace scree::lane {

namespace elementary {

inline std::int64_t bits_of(double x) { return std::bit_cast<std::int64_t>(x); }
inline double from_bits(std::int64_t x) { return std::bit_cast<double>(x); }
inline Mask bits_of(Lanes x) { return std::bit_cast<Mask>(x); }
inline Lanes from_bits(Mask x) { return std::bit_cast<Lanes>(x); }

/// 1.5 x 2^52: added to a small number it leaves the nearest integer in the low bits.
inline constexpr double kShift = 6755399441055744.0;
inline constexpr std::int64_t kShiftBits = 0x4338000000000000;

}  // namespace elementary

/// e^x; arguments are held within [-708, 708], where the result neither vanishes nor overflows.
/// x = k ln 2 + t with |t| <= ln 2 / 2, Taylor series in t.
template <class T>
inline T exponential(T x) {
  using namespace elementary;
  x = clamp(x, constant<T>(-708.0), constant<T>(708.0));
  const T shifted = x * 1.4426950408889634 + kShift;
  const T k = shifted - kShift;
  const T t = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  static constexpr std::array kSeries{1.0,
                                      1.0,
                                      0.5,
                                      1.6666666666666666e-01,
                                      4.1666666666666664e-02,
                                      8.3333333333333332e-03,
                                      1.3888888888888889e-03,
                                      1.9841269841269841e-04,
                                      2.4801587301587302e-05,
                                      2.7557319223985893e-06,
                                      2.7557319223985888e-07,
                                      2.5052108385441720e-08,
                                      2.0876756987868099e-09,
                                      1.6059043836821613e-10};
  return polynomial(kSeries, t) * from_bits((bits_of(shifted) - kShiftBits + 1023) << 52);
}

/// Natural logarithm of a positive normal number; smaller ones are taken as 1e-300.
/// x = 2^e m with m near one, ln m = 2 artanh f with f = (m - 1)/(m + 1).
template <class T>
inline T logarithm(T x) {
  using namespace elementary;
  x = max(x, constant<T>(1e-300));
  // Mantissas from sqrt(1/2) to sqrt(2): the exponent turns over there.
  constexpr std::int64_t kHalfRoot = 0x3fe6a09e667f3bcd;
  const auto whole = bits_of(x) - kHalfRoot;
  const auto exponent = whole >> 52;
  const T m = from_bits(bits_of(x) - (exponent << 52));
  const T e = from_bits(exponent + kShiftBits) - kShift;
  const T f = (m - 1.0) / (m + 1.0);
  const T s = f * f;
  static constexpr std::array kSeries{0.6666666666666666,  0.4,
                                      0.2857142857142857,  0.2222222222222222,
                                      0.18181818181818182, 0.15384615384615385,
                                      0.13333333333333333, 0.11764705882352941,
                                      0.10526315789473684, 0.09523809523809523};
  return e * 6.93147180369123816490e-01 +
         (e * 1.90821492927058770002e-10 + (2.0 * f + f * s * polynomial(kSeries, s)));
}

/// x^n for x >= 0.
template <class T>
inline T power(T x, T n) {
  return exponential(n * logarithm(x));
}

}  // namespace scree::lane
