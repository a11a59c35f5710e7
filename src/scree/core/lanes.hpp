#pragma once
/// Four doubles that are computed side by side: one wheel (or point) a lane.
/// A law written as a template on its scalar serves `double` and `Lanes` alike; it says `using namespace
/// lane` where it needs the functions, which would clash with everybody's `min` and `abs` outside.
///
/// Vector types of GCC and clang, so that the same text serves every machine: wide registers where there are
/// some, narrower ones (or single doubles) where there are none, and the same bits everywhere.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace scree::lane {

inline constexpr int kLanes = 4;

using Lanes = double __attribute__((vector_size(32)));
/// Comparison result: every lane all ones (true) or zero.
using Mask = std::int64_t __attribute__((vector_size(32)));

inline Lanes lanes(double x) { return Lanes{x, x, x, x}; }
inline Lanes load(const double* p) {
  Lanes x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
inline void store(double* p, Lanes x) { std::memcpy(p, &x, sizeof x); }

/// By the sign of the mask, which is all that the processor's own selection looks at.
inline Lanes select(Mask m, Lanes yes, Lanes no) { return m < 0 ? yes : no; }
inline double select(bool m, double yes, double no) { return m ? yes : no; }

#ifdef __AVX__  // the compiler does not find these beside a zero
inline Lanes min(Lanes a, Lanes b) { return __builtin_ia32_minpd256(a, b); }
inline Lanes max(Lanes a, Lanes b) { return __builtin_ia32_maxpd256(a, b); }
#else
inline Lanes min(Lanes a, Lanes b) { return a < b ? a : b; }
inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }
#endif
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline Lanes abs(Lanes a) {
  const Mask sign_off = Mask{} + INT64_MAX;
  return reinterpret_cast<Lanes>(reinterpret_cast<Mask>(a) & sign_off);
}
inline double abs(double a) { return std::abs(a); }
/// |magnitude| with the sign of `sign` (zero counts as positive).
inline Lanes with_sign(Lanes magnitude, Lanes sign) { return sign < 0.0 ? -magnitude : magnitude; }
inline double with_sign(double magnitude, double sign) { return sign < 0.0 ? -magnitude : magnitude; }

inline Lanes sqrt(Lanes a) {
#ifdef __AVX__
  return __builtin_ia32_sqrtpd256(a);  // the compiler does not find this by itself
#else
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
inline double sqrt(double a) { return std::sqrt(a); }

/// The nearest whole number, of numbers below 2^51: what is added and taken away again takes the rest along.
inline Lanes nearest(Lanes a) {
  constexpr double kWhole = 6755399441055744.0;
  return (a + kWhole) - kWhole;
}
/// The next whole number down, of numbers below 2^51.
inline Lanes floor(Lanes a) {
  const Lanes whole = nearest(a);
  return whole > a ? whole - 1.0 : whole;
}
inline double floor(double a) { return std::floor(a); }

/// Sum of the lanes in a fixed order.
inline double sum(Lanes a) { return (a[0] + a[1]) + (a[2] + a[3]); }
/// The sums of four rows at once, same order of additions as sum(). Shuffles stay within halves where they
/// can: those cost least.
inline Lanes sums(Lanes a, Lanes b, Lanes c, Lanes d) {
  const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}
/// Lane k of a, b, c, d becomes row k.
struct LaneRows {
  Lanes row[4];
};
inline LaneRows transpose(Lanes a, Lanes b, Lanes c, Lanes d) {
  const Lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);  // a0 b0 a2 b2
  const Lanes ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);   // a1 b1 a3 b3
  const Lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return {{__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5),
           __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
           __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7),
           __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)}};
}
/// Bit k: lane k.
#ifdef __AVX__
inline int sign_bits(Mask m) { return __builtin_ia32_movmskpd256(reinterpret_cast<Lanes>(m)); }
inline bool any(Mask m) { return sign_bits(m) != 0; }
inline bool all(Mask m) { return sign_bits(m) == 15; }
#else
inline int sign_bits(Mask m) { return static_cast<int>((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8)); }
inline bool any(Mask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
inline bool all(Mask m) { return (m[0] & m[1] & m[2] & m[3]) != 0; }
#endif
inline bool any(bool m) { return m; }

/// Lanes whose bits are set, in their order, at the front; behind them anything.
inline Lanes to_front(Lanes a, int bits) {
#ifdef __AVX2__
  using Int8 = std::int32_t __attribute__((vector_size(32)));
  static constexpr Int8 kHalves[16] = {
      // of the lanes, by bits
      {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
      {4, 5, 0, 1, 2, 3, 6, 7}, {0, 1, 4, 5, 2, 3, 6, 7}, {2, 3, 4, 5, 0, 1, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7},
      {6, 7, 0, 1, 2, 3, 4, 5}, {0, 1, 6, 7, 2, 3, 4, 5}, {2, 3, 6, 7, 0, 1, 4, 5}, {0, 1, 2, 3, 6, 7, 4, 5},
      {4, 5, 6, 7, 0, 1, 2, 3}, {0, 1, 4, 5, 6, 7, 2, 3}, {2, 3, 4, 5, 6, 7, 0, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
  return reinterpret_cast<Lanes>(__builtin_ia32_permvarsi256(reinterpret_cast<Int8>(a), kHalves[bits]));
#else
  Lanes out = a;
  for (int k = 0, to = 0; k < kLanes; ++k)
    if (bits >> k & 1) out[to++] = a[k];
  return out;
#endif
}

/// A constant as T: `constant<Lanes>(2.0)`.
template <class T>
inline T constant(double x) {
  if constexpr (std::is_same_v<T, Lanes>) {
    return lanes(x);
  } else {
    return T{} + x;
  }
}

template <class T>
inline T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

/// c[0] + c[1] x + .. by halves (Estrin's scheme): as many operations as Horner's, but few of them wait for
/// one another.
template <class T, std::size_t n>
inline T polynomial(const std::array<double, n>& c, T x) {
  constexpr std::size_t pairs = (n + 1) / 2;
  T sum[pairs];
  for (std::size_t i = 0; i < pairs; ++i)
    sum[i] = 2 * i + 1 < n ? c[2 * i + 1] * x + c[2 * i] : constant<T>(c[2 * i]);
  for (std::size_t left = pairs; left > 1; left = (left + 1) / 2) {
    x = x * x;
    for (std::size_t i = 0; 2 * i < left; ++i)
      sum[i] = 2 * i + 1 < left ? sum[2 * i + 1] * x + sum[2 * i] : sum[2 * i];
  }
  return sum[0];
}

/// Arc tangent, to 4e-16 absolute over all reals: one reduction to |x| <= tan(pi/8), about 0, pi/4 or pi/2,
/// then the polynomial through Chebyshev nodes there.
template <class T>
inline T arc_tangent(T x) {
  const T t = abs(x), one = constant<T>(1.0);
  const auto turned = t > constant<T>(0.41421356237309503);
  const auto inverted = t > constant<T>(2.4142135623730951);
  const T above = select(inverted, -one, select(turned, t - one, t));
  const T below = select(inverted, t, select(turned, t + one, one));
  const T base = select(inverted, constant<T>(1.5707963267948966),
                        select(turned, constant<T>(0.78539816339744831), T{}));
  const T z = above / below;
  static constexpr std::array kSeries{0.3333333333333333,   -0.1999999999999552,  0.14285714284666456,
                                      -0.1111111101524943,  0.09090904577842225,  -0.07692183184282383,
                                      0.0666451135520762,   -0.05858148112085185, 0.050854455478168435,
                                      -0.03923153724516447, 0.019176738872388188};
  const T s = z * z;
  return with_sign(base + (z - z * s * polynomial(kSeries, s)), x);
}

template <class T>
struct SineCosine {
  T sine, cosine;
};

/// Sine and cosine for |x| <= pi, to 1e-14: reduced to |x| <= pi/4 by quadrants, then Taylor series.
template <class T>
inline SineCosine<T> sine_cosine(T x) {
  const T t = abs(x);
  // quadrant 0: [0, pi/4), 1: [pi/4, 3 pi/4), 2: [3 pi/4, pi]
  const auto one = t >= constant<T>(0.78539816339744831);
  const auto two = t >= constant<T>(2.3561944901923448);
  const T y =
      t - select(two, constant<T>(3.1415926535897931), select(one, constant<T>(1.5707963267948966), T{}));
  static constexpr std::array kSine{-1.6666666666666666e-01, 8.3333333333333332e-03,  -1.9841269841269841e-04,
                                    2.7557319223985893e-06,  -2.5052108385441719e-08, 1.6059043836821613e-10,
                                    -7.6471637318198164e-13};
  static constexpr std::array kCosine{-0.5,
                                      4.1666666666666664e-02,
                                      -1.3888888888888889e-03,
                                      2.4801587301587302e-05,
                                      -2.7557319223985888e-07,
                                      2.0876756987868099e-09,
                                      -1.1470745597729725e-11,
                                      4.7794773323873853e-14};
  const T s = y * y;
  const T sy = y + y * s * polynomial(kSine, s);
  const T cy = 1.0 + s * polynomial(kCosine, s);
  const T sine = select(two, -sy, select(one, cy, sy));
  const T cosine = select(two, -cy, select(one, -sy, cy));
  return {with_sign(sine, x), cosine};
}

/// A vector whose components are scalars or lanes.
template <class T>
struct V3 {
  T x{}, y{}, z{};
};
template <class T>
inline V3<T> operator+(const V3<T>& a, const V3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline V3<T> operator-(const V3<T>& a, const V3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline V3<T> operator*(const T& s, const V3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
inline T dot(const V3<T>& a, const V3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
inline V3<T> cross(const V3<T>& a, const V3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// One lane of four vectors, from any vector with x(), y(), z().
template <class Vector>
inline void set_lane(V3<Lanes>& to, int lane, const Vector& v) {
  to.x[lane] = v.x();
  to.y[lane] = v.y();
  to.z[lane] = v.z();
}

}  // namespace scree::lane

namespace scree {
using lane::kLanes;
using lane::Lanes;
using lane::Mask;
using lane::V3;
}  // namespace scree
