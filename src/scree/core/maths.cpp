#include "scree/core/maths.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scree/core/lanes.hpp"

#if defined(__FMA__) && !defined(SCREE_FUSED)
#error \
    "compile with -mno-fma: GCC takes a * b + c together in places, even with -ffp-contract=off, and the bits differ"
#endif

namespace scree::maths {
namespace {

using lane::polynomial;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPiHigh = 3.141592653589793, kPiLow = 1.2246467991473532e-16;          // pi
constexpr double kHalfPiHigh = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17;  // pi / 2
constexpr double kLn2High = 0.6931471803691238, kLn2Low = 1.9082149292705877e-10;  // 32 bits, and the rest

/// The nearest whole number, |x| < 2^51.
template <class T>
T nearest(T x) {
  return (x + 0x1.8p52) - 0x1.8p52;
}

/// A number as the sum of two doubles, the second far smaller.
template <class T>
struct SumOf {
  T high, low;
};
using Sum = SumOf<double>;
/// a + b without error.
template <class T>
SumOf<T> add(T a, T b) {
  const T s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// a b without error (Dekker 1971): both are split into halves of 26 bits.
Sum multiply(double a, double b) {
  const auto split = [](double x) {
    const double c = 134217729.0 * x, high = c - (c - x);
    return Sum{high, x - high};
  };
  const Sum x = split(a), y = split(b);
  const double p = a * b;
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

/// The angle less the nearest multiple of pi/2, and that multiple modulo 4.
struct Reduced {
  Sum angle;
  int quarter;
};

/// pi/2 in pieces of 33 bits: multiples up to 2^20 of the first three are exact (Cody and Waite 1980).
constexpr double kQuarter[4] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
                                8.4784276603689e-32};
constexpr double kFewQuarters = 1e6;  // rad: below 2^20 pi/2

Reduced reduce_small(double x) {
  const double n = nearest(x * (1 / kHalfPiHigh));
  const double first = x - n * kQuarter[0];
  const Sum second = add(first, -n * kQuarter[1]);
  const Sum third = add(second.high, -n * kQuarter[2]);
  const double rest = (second.low + third.low) - n * kQuarter[3];
  return {add(third.high, rest), static_cast<int>(static_cast<std::int64_t>(n) & 3)};
}

/// 2 / pi behind the point, 64 bits a word.
constexpr std::uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
    0xa9e391615ee61b08, 0x6599855f14a06840};

/// 64 bits of 2/pi from bit `first` on (1: the first behind the point).
std::uint64_t two_over_pi(int first) {
  const auto word = [](int i) { return i < 0 ? 0 : kTwoOverPi[i]; };
  const int bit = first - 1, at = bit >= 0 ? bit / 64 : (bit - 63) / 64, shift = bit - 64 * at;
  return shift == 0 ? word(at) : word(at) << shift | word(at + 1) >> (64 - shift);
}

/// x = m 2^e with a whole m of 53 bits. Bits of 2/pi that make multiples of four with it are left out; 192
/// bits behind them are more than x can use up (Payne and Hanek 1983).
Reduced reduce_large(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(std::abs(x));
  const std::uint64_t m = (bits & 0xfffffffffffffULL) | 0x10000000000000ULL;
  const int e = static_cast<int>(bits >> 52) - 1075, first = e - 1;
  using Wide = unsigned __int128;
  // m times the window, modulo 2^192: two bits of quarters, then the fraction.
  const Wide low = static_cast<Wide>(m) * two_over_pi(first + 128);
  const Wide middle = static_cast<Wide>(m) * two_over_pi(first + 64) + static_cast<std::uint64_t>(low >> 64);
  const std::uint64_t high = m * two_over_pi(first) + static_cast<std::uint64_t>(middle >> 64);
  int quarter = static_cast<int>(high >> 62);
  // The fraction in units of 2^-126, to the nearest quarter: in [-1/2, 1/2).
  __int128 fraction =
      static_cast<__int128>((static_cast<Wide>(high) << 64 | static_cast<std::uint64_t>(middle)) << 2 >> 2);
  const __int128 one = static_cast<__int128>(1) << 126;
  if (fraction >= one / 2) fraction -= one, ++quarter;
  const double part = static_cast<double>(fraction);
  const double scale = 0x1p-126;
  const Sum f{part * scale, static_cast<double>(fraction - static_cast<__int128>(part)) * scale};
  const Sum product = multiply(f.high, kHalfPiHigh);
  Sum angle = add(product.high, product.low + (f.high * kHalfPiLow + f.low * kHalfPiHigh));
  if (x < 0) angle = {-angle.high, -angle.low}, quarter = -quarter;
  return {angle, quarter & 3};
}

/// Taylor series; |x| <= pi/4. What is left out is below 1e-19 of the result.
constexpr std::array kSine{-0.16666666666666666,   0.008333333333333333,   -0.0001984126984126984,
                           2.7557319223985893e-06, -2.505210838544172e-08, 1.6059043836821613e-10,
                           -7.647163731819816e-13, 2.8114572543455206e-15};
constexpr std::array kCosine{0.041666666666666664,   -0.001388888888888889, 2.48015873015873e-05,
                             -2.755731922398589e-07, 2.08767569878681e-09,  -1.1470745597729725e-11,
                             4.779477332387385e-14};

/// Of high + low.
template <class T>
T sine_of(const T& high, const T& low) {
  const T s = high * high;
  return high + (high * s * polynomial(kSine, s) + low * (1.0 - 0.5 * s));
}
template <class T>
T cosine_of(const T& high, const T& low) {
  const T s = high * high, half = 0.5 * s, about = 1.0 - half;
  return about + (((1.0 - about) - half) + (s * s * polynomial(kCosine, s) - high * low));
}

/// e^r - 1 - r for |r| <= ln 2 / 2, by Taylor's series.
constexpr std::array kExponential{0.5,
                                  0.16666666666666666,
                                  0.041666666666666664,
                                  0.008333333333333333,
                                  0.001388888888888889,
                                  0.0001984126984126984,
                                  2.48015873015873e-05,
                                  2.7557319223985893e-06,
                                  2.755731922398589e-07,
                                  2.505210838544172e-08,
                                  2.08767569878681e-09,
                                  1.6059043836821613e-10,
                                  1.1470745597729725e-11};
template <class T>
T beyond_line(T r) {
  return r * r * polynomial(kExponential, r);
}
/// e^(x + low - n ln 2), n the nearest whole number.
template <class T>
T near_one(T x, T low, T n) {
  const SumOf<T> r = add<T>(x - n * kLn2High, low - n * kLn2Low);
  return 1.0 + (r.high + (beyond_line(r.high) + r.low * (1.0 + r.high)));
}

/// x 2^n, right also where the result is subnormal.
double scaled(double x, int n) {
  const auto power = [](int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); };
  if (n > 1023) return x * power(1023) * power(n - 1023 > 1023 ? 1023 : n - 1023);
  if (n >= -1021) return x * power(n);
  return n < -1100 ? x * 0x1p-1000 * 0x1p-1000 : x * power(n + 60) * 0x1p-60;
}

/// e^(x + low), |low| far below |x|.
double exponential(double x, double low) {
  if (!(x < 710)) return x > 0 ? x + kInfinity : x;  // infinity, or NaN
  if (x < -746) return 0;
  const double n = nearest(x * 1.4426950408889634);
  return scaled(near_one(x, low, n), static_cast<int>(n));
}

/// 2 atanh(s)/s - 2 in powers of s^2; |s| <= 0.172.
constexpr std::array kLogarithm{0.6666666666666666,  0.4,
                                0.2857142857142857,  0.2222222222222222,
                                0.18181818181818182, 0.15384615384615385,
                                0.13333333333333333, 0.11764705882352941,
                                0.10526315789473684, 0.09523809523809523,
                                0.08695652173913043, 0.08};

/// n ln 2 + ln(1 + f), -0.3 < f < 0.42, with 1 + f off by `error` of itself.
double logarithm(double n, double f, double error) {
  const double s = f / (2 + f), s2 = s * s, half = 0.5 * f * f;
  const double rest = s * (half + s2 * polynomial(kLogarithm, s2)) + (n * kLn2Low + error);
  const Sum sum = add(n * kLn2High, f);
  return sum.high + (sum.low + (rest - half));
}

struct Mantissa {
  double exponent, value;  ///< x = value 2^exponent, sqrt(1/2) <= value < sqrt(2)
};
Mantissa mantissa(double x) {
  int n = 0;
  double m = std::frexp(x, &n);
  if (m < 0.70710678118654752) m *= 2, --n;
  return {static_cast<double>(n), m};
}

}  // namespace

SineCosine sine_cosine(double x) {
  if (!(std::abs(x) < kInfinity)) return {kNan, kNan};
  if (x == 0) return {x, 1};
  Reduced r{{x, 0}, 0};
  if (std::abs(x) > 0.78539816339744831) r = std::abs(x) < kFewQuarters ? reduce_small(x) : reduce_large(x);
  const double s = sine_of(r.angle.high, r.angle.low), c = cosine_of(r.angle.high, r.angle.low);
  switch (r.quarter) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

LaneSineCosine sine_cosines(const Lanes& x) {
  if (lane::all(lane::abs(x) <= 0.78539816339744831)) {
    const Lanes none{};
    return {lane::select(x == 0.0, x, sine_of(x, none)), cosine_of(x, none)};
  }
  LaneSineCosine out{};
  for (int k = 0; k < kLanes; ++k) {
    const SineCosine one = sine_cosine(x[k]);
    out.sine[k] = one.sine, out.cosine[k] = one.cosine;
  }
  return out;
}

double sin(double x) { return sine_cosine(x).sine; }
double cos(double x) { return sine_cosine(x).cosine; }
double tan(double x) {
  const SineCosine a = sine_cosine(x);
  return a.sine / a.cosine;
}

double atan(double x) { return x == 0 ? x : lane::arc_tangent(x); }

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return kNan;
  const double a = std::abs(x), b = std::abs(y);
  double angle;  // of (|x|, |y|), low part apart
  double low = 0;
  if (b == 0) {
    angle = 0;
  } else if (a == kInfinity && b == kInfinity) {
    angle = 0.5 * kHalfPiHigh;
  } else if (b <= a) {
    angle = atan(b / a);
  } else {
    const double t = atan(a / b);
    angle = kHalfPiHigh - t, low = kHalfPiLow;
  }
  if (std::signbit(x)) {
    const double turned = kPiHigh - angle;
    angle = turned + (((kPiHigh - turned) - angle) + (kPiLow - low));
  } else {
    angle += low;
  }
  return std::copysign(angle, y);
}

void atan2s(const Lanes& y, const Lanes& x, Lanes& out) {
  using namespace lane;
  const Lanes a = abs(x), b = abs(y);
  const Mask flat = b == 0.0, first = b <= a;
  const Lanes t = arc_tangent(select(flat, Lanes{}, select(first, b, a) / select(first, a, b)));
  const Lanes angle = select(flat, Lanes{}, select(first, t, kHalfPiHigh - t));
  const Lanes low = select(flat | first, Lanes{}, lanes(kHalfPiLow));
  const Lanes turned = kPiHigh - angle;
  const Mask signs = Mask{} + INT64_MIN;
  const Mask behind = (reinterpret_cast<Mask>(x) & signs) != 0;
  const Lanes size = select(behind, turned + (((kPiHigh - turned) - angle) + (kPiLow - low)), angle + low);
  out = reinterpret_cast<Lanes>(reinterpret_cast<Mask>(size) | (reinterpret_cast<Mask>(y) & signs));
}

double asin(double x) { return std::abs(x) <= 1 ? atan2(x, std::sqrt((1 - x) * (1 + x))) : kNan; }
double acos(double x) { return std::abs(x) <= 1 ? atan2(std::sqrt((1 - x) * (1 + x)), x) : kNan; }

double exp(double x) { return exponential(x, 0); }

void exps(const Lanes& x, Lanes& power) {
  if (lane::all(lane::abs(x) < 700.0)) {
    const Lanes n = nearest(x * 1.4426950408889634);
    // n + 1.5 x 2^52 has n in its low bits: moved up they are the exponent of 2^n, but for its offset.
    const Mask exponent = (reinterpret_cast<Mask>(n + 0x1.8p52) + 1023) << 52;
    power = near_one(x, Lanes{}, n) * reinterpret_cast<Lanes>(exponent);
  } else {
    for (int k = 0; k < kLanes; ++k) power[k] = exp(x[k]);
  }
}

double expm1(double x) {
  if (std::abs(x) < 0.34) return x == 0 ? x : x + beyond_line(x);
  return exp(x) - 1;
}

double log(double x) {
  if (!(x > 0)) return x == 0 ? -kInfinity : kNan;
  if (!(x < kInfinity)) return x;
  const Mantissa m = mantissa(x);
  return logarithm(m.exponent, m.value - 1, 0);
}

double log1p(double x) {
  if (!(x > -1)) return x == -1 ? -kInfinity : kNan;
  if (x > -0.29 && x < 0.41) return x == 0 ? x : logarithm(0, x, 0);
  if (!(x < kInfinity)) return x;
  const Sum sum = add(1.0, x);
  const Mantissa m = mantissa(sum.high);
  return logarithm(m.exponent, m.value - 1, sum.low / sum.high);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  const bool whole = std::floor(y) == y;  // infinities are whole and even
  const bool odd = whole && std::abs(y) < kInfinity && std::fmod(y, 2) != 0;
  if (x < 0 && !whole && x > -kInfinity) return kNan;
  const double a = std::abs(x), sign = odd && std::signbit(x) ? -1.0 : 1.0;
  if (a == 1) return sign;
  if (a == 0 || a == kInfinity) return sign * ((a == 0) == (y > 0) ? 0.0 : kInfinity);
  if (std::abs(y) == kInfinity) return (a > 1) == (y > 0) ? kInfinity : 0;
  if (whole && std::abs(y) <= 4) {  // as one would write it
    const double p = std::abs(y) == 1   ? a
                     : std::abs(y) == 2 ? a * a
                     : std::abs(y) == 3 ? a * a * a
                                        : (a * a) * (a * a);
    return sign * (y > 0 ? p : 1 / p);
  }
  const double l = log(a), p = y * l;
  if (!(std::abs(p) < 800)) return sign * (p > 0 ? kInfinity : 0.0);
  return sign * exponential(p, multiply(y, l).low);
}

double hypot(double x, double y) {
  const double a = std::abs(x), b = std::abs(y), large = a > b ? a : b;
  if (a == kInfinity || b == kInfinity) return kInfinity;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (large == 0) return 0;
  if (large > 1e150 || large < 1e-140) {
    const double scale = large > 1 ? 0x1p-600 : 0x1p600;
    return std::sqrt((a * scale) * (a * scale) + (b * scale) * (b * scale)) / scale;
  }
  return std::sqrt(a * a + b * b);
}

}  // namespace scree::maths
