#pragma once
/// Elementary functions of four numbers at once, with their slopes, for any argument: bits from IEEE 754's
/// basic operations alone. Where lanes have no function of their own, or an argument is far out, the numbers
/// go one by one through core/maths.hpp; a lane's answer never depends on its neighbours.
#include <cmath>
#include <limits>

#include "scree/core/elementary.hpp"
#include "scree/core/lanes.hpp"
#include "scree/core/maths.hpp"

namespace scree::formula {

using lane::lanes;
using lane::select;

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kLn2 = 0.69314718055994531, kLn10 = 2.3025850929940457;

/// A function's value and its derivative by its argument.
template <class T>
struct Bent {
  T value, slope;
};

template <class F>
inline Lanes one_by_one(Lanes x, const F& f) {
  return Lanes{f(x[0]), f(x[1]), f(x[2]), f(x[3])};
}
template <class F>
inline Lanes one_by_one(Lanes x, Lanes y, const F& f) {
  return Lanes{f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2]), f(x[3], y[3])};
}

/// The same for lanes in `far` only.
template <class F>
[[gnu::noinline, gnu::cold]] void replace(const Mask& far, const Lanes& x, Lanes& value, const F& f) {
  for (int k = 0; k < kLanes; ++k)
    if (far[k]) value[k] = f(x[k]);
}

/// Sine and cosine, to two units in the last place: the angle less multiples of pi/2, which is taken in
/// pieces of 33 bits (Cody and Waite 1980), then Taylor series on |r| <= pi/4.
inline lane::SineCosine<Lanes> sine_cosine(Lanes x) {
  using namespace lane::elementary;
  const Lanes shifted = x * 0.63661977236758138 + kShift;
  const Lanes n = shifted - kShift;
  const Lanes r = ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11) - n * 2.0222662487111665e-21;
  static constexpr std::array kSine{-1.6666666666666666e-01, 8.3333333333333332e-03,  -1.9841269841269841e-04,
                                    2.7557319223985893e-06,  -2.5052108385441719e-08, 1.6059043836821613e-10,
                                    -7.6471637318198164e-13};
  static constexpr std::array kCosine{
      4.1666666666666664e-02, -1.3888888888888889e-03, 2.4801587301587302e-05, -2.7557319223985888e-07,
      2.0876756987868099e-09, -1.1470745597729725e-11, 4.7794773323873853e-14};
  const Lanes s = r * r;
  const Lanes sine = r + r * s * lane::polynomial(kSine, s);
  const Lanes cosine = 1.0 - (0.5 * s - s * s * lane::polynomial(kCosine, s));
  const Mask quarter = bits_of(shifted);
  const Mask odd = (quarter & 1) != 0;
  const Lanes a = select(odd, cosine, sine), b = select(odd, sine, cosine);
  lane::SineCosine<Lanes> out{select((quarter & 2) != 0, -a, a), select(((quarter + 1) & 2) != 0, -b, b)};
  const Mask far = ~(lane::abs(x) < 1e6);
  if (lane::any(far)) [[unlikely]] {
    replace(far, x, out.sine, [](double v) { return maths::sin(v); });
    replace(far, x, out.cosine, [](double v) { return maths::cos(v); });
  }
  return out;
}

inline Lanes exponential_of(Lanes x) {
  Lanes e = lane::exponential(x);
  const Mask far = ~(lane::abs(x) < 700.0);
  if (lane::any(far)) [[unlikely]]
    replace(far, x, e, [](double v) { return maths::exp(v); });
  return e;
}

inline Lanes logarithm_of(Lanes x) {
  Lanes l = lane::logarithm(x);
  const Mask far = ~((x > 1e-300) & (x < 1e300));
  if (lane::any(far)) [[unlikely]]
    replace(far, x, l, [](double v) { return maths::log(v); });
  return l;
}

inline double sinh_of(double x) {
  const double a = std::abs(x);
  if (a > 700) {
    const double e = maths::exp(0.5 * a);
    return std::copysign(0.5 * e * e, x);
  }
  const double e = maths::expm1(a);
  return std::copysign(0.5 * (e + e / (e + 1)), x);
}
inline double cosh_of(double x) {
  const double a = std::abs(x), e = maths::exp(a > 700 ? 0.5 * a : a);
  return a > 700 ? 0.5 * e * e : 0.5 * (e + 1 / e);
}
inline double tanh_of(double x) {
  const double a = std::abs(x);
  if (a > 20) return std::copysign(1.0, x);
  const double e = maths::expm1(2 * a);
  return std::copysign(e / (e + 2), x);
}
inline double asinh_of(double x) {
  const double a = std::abs(x);
  return std::copysign(a > 1e8 ? maths::log(a) + kLn2 : maths::log1p(a + a * a / (1 + std::sqrt(1 + a * a))),
                       x);
}
inline double acosh_of(double x) {
  if (x > 1e8) return maths::log(x) + kLn2;
  const double t = x - 1;
  return t < 0 ? std::numeric_limits<double>::quiet_NaN() : maths::log1p(t + std::sqrt(2 * t + t * t));
}
inline double atanh_of(double x) {
  const double a = std::abs(x);
  return std::copysign(0.5 * maths::log1p(2 * a / (1 - a)), x);
}

/// x^n for a whole n, |n| <= 64, by squares.
template <class T>
inline T whole_power_of(T x, int n) {
  T power = lane::constant<T>(1.0);
  for (unsigned left = static_cast<unsigned>(n < 0 ? -n : n); left != 0; left >>= 1) {
    if (left & 1) power = power * x;
    x = x * x;
  }
  return n < 0 ? 1.0 / power : power;
}

// Values and slopes. At a corner the slope is one side's: that of abs(0) is 1, that of min and max where both
// are equal is the second's; sign and rint have none.

inline Bent<Lanes> sine(Lanes x) {
  const auto [s, c] = sine_cosine(x);
  return {s, c};
}
inline Bent<Lanes> cosine(Lanes x) {
  const auto [s, c] = sine_cosine(x);
  return {c, -s};
}
inline Bent<Lanes> tangent(Lanes x) {
  const auto [s, c] = sine_cosine(x);
  const Lanes t = s / c;
  return {t, 1.0 + t * t};
}
inline Bent<Lanes> arc_sine(Lanes x) {
  return {one_by_one(x, [](double v) { return maths::asin(v); }), 1.0 / lane::sqrt((1.0 - x) * (1.0 + x))};
}
inline Bent<Lanes> arc_cosine(Lanes x) {
  return {one_by_one(x, [](double v) { return maths::acos(v); }), -1.0 / lane::sqrt((1.0 - x) * (1.0 + x))};
}
inline Bent<Lanes> arc_tangent(Lanes x) { return {lane::arc_tangent(x), 1.0 / (1.0 + x * x)}; }
inline Bent<Lanes> hyperbolic_sine(Lanes x) { return {one_by_one(x, sinh_of), one_by_one(x, cosh_of)}; }
inline Bent<Lanes> hyperbolic_cosine(Lanes x) { return {one_by_one(x, cosh_of), one_by_one(x, sinh_of)}; }
inline Bent<Lanes> hyperbolic_tangent(Lanes x) {
  const Lanes t = one_by_one(x, tanh_of);
  return {t, (1.0 - t) * (1.0 + t)};
}
inline Bent<Lanes> area_sine(Lanes x) { return {one_by_one(x, asinh_of), 1.0 / lane::sqrt(1.0 + x * x)}; }
inline Bent<Lanes> area_cosine(Lanes x) {
  return {one_by_one(x, acosh_of), 1.0 / lane::sqrt((x - 1.0) * (x + 1.0))};
}
inline Bent<Lanes> area_tangent(Lanes x) { return {one_by_one(x, atanh_of), 1.0 / ((1.0 - x) * (1.0 + x))}; }
inline Bent<Lanes> exponential(Lanes x) {
  const Lanes e = exponential_of(x);
  return {e, e};
}
/// With the logarithm of the base.
inline Bent<Lanes> logarithm(Lanes x, double base) {
  const Lanes l = logarithm_of(x);
  return {base == 1 ? l : l / base, 1.0 / (base * x)};
}
inline Bent<Lanes> square_root(Lanes x) {
  const Lanes r = lane::sqrt(x);
  return {r, 0.5 / r};
}
inline Bent<Lanes> magnitude(Lanes x) {
  return {select(x < 0.0, -x, x), select(x < 0.0, lanes(-1.0), lanes(1.0))};
}
inline Bent<Lanes> whole_power(Lanes x, double n) {
  const int m = static_cast<int>(n);
  if (m == 2) return {x * x, 2.0 * x};
  return {whole_power_of(x, m), n * whole_power_of(x, m - 1)};
}
inline Bent<Lanes> constant_power(Lanes x, double p) {
  return {one_by_one(x, [p](double v) { return maths::pow(v, p); }),
          p * one_by_one(x, [p](double v) { return maths::pow(v, p - 1); })};
}

/// A function of two numbers and its derivatives by each.
template <class T>
struct Bent2 {
  T value, by_a, by_b;
};
inline Bent2<Lanes> power(Lanes a, Lanes b) {
  const Lanes v = one_by_one(a, b, maths::pow);
  return {v, b * one_by_one(a, b - 1.0, maths::pow), select(a == 0.0, Lanes{}, v * logarithm_of(a))};
}
inline Bent2<Lanes> arc_tangent_2(Lanes y, Lanes x) {
  const Lanes square = x * x + y * y;
  return {one_by_one(y, x, maths::atan2), x / square, -y / square};
}

}  // namespace scree::formula
