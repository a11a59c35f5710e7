#pragma once
/// Numbers that carry their derivatives: a law written once as a template gives its value with `double` (or
/// `Lanes`) and value and exact derivatives with `Dual`.
///
///     const auto z = Dual<double, 2>::variable(0.02, 0);
///     const auto f = 3.0 * z * z;   // f.value = 1.2e-3, f.slope[0] = 0.12
#include "scree/core/elementary.hpp"

namespace scree::lane {

template <class T, int n>
struct Dual {
  T value{};
  T slope[n]{};

  Dual() = default;
  Dual(T x) : value(x) {}  // NOLINT: constants mix with variables
  static Dual variable(T x, int which) {
    Dual d(x);
    d.slope[which] = constant<T>(1.0);
    return d;
  }
  /// f(value) with the slope of f.
  Dual chain(T f, T df) const {
    Dual out(f);
    for (int i = 0; i < n; ++i) out.slope[i] = df * slope[i];
    return out;
  }
};

template <class T, int n>
inline Dual<T, n> operator-(const Dual<T, n>& a) {
  return a.chain(-a.value, constant<T>(-1.0));
}
template <class T, int n>
inline Dual<T, n> operator+(const Dual<T, n>& a, const Dual<T, n>& b) {
  Dual<T, n> out(a.value + b.value);
  for (int i = 0; i < n; ++i) out.slope[i] = a.slope[i] + b.slope[i];
  return out;
}
template <class T, int n>
inline Dual<T, n> operator-(const Dual<T, n>& a, const Dual<T, n>& b) {
  Dual<T, n> out(a.value - b.value);
  for (int i = 0; i < n; ++i) out.slope[i] = a.slope[i] - b.slope[i];
  return out;
}
template <class T, int n>
inline Dual<T, n> operator*(const Dual<T, n>& a, const Dual<T, n>& b) {
  Dual<T, n> out(a.value * b.value);
  for (int i = 0; i < n; ++i) out.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
  return out;
}
template <class T, int n>
inline Dual<T, n> operator/(const Dual<T, n>& a, const Dual<T, n>& b) {
  const T inverse = 1.0 / b.value, quotient = a.value * inverse;
  Dual<T, n> out(quotient);
  for (int i = 0; i < n; ++i) out.slope[i] = (a.slope[i] - quotient * b.slope[i]) * inverse;
  return out;
}
template <class T, int n>
inline Dual<T, n> operator+(const Dual<T, n>& a, double b) {
  return a + Dual<T, n>(constant<T>(b));
}
template <class T, int n>
inline Dual<T, n> operator+(double a, const Dual<T, n>& b) {
  return b + a;
}
template <class T, int n>
inline Dual<T, n> operator-(const Dual<T, n>& a, double b) {
  return a + (-b);
}
template <class T, int n>
inline Dual<T, n> operator-(double a, const Dual<T, n>& b) {
  return Dual<T, n>(constant<T>(a)) - b;
}
template <class T, int n>
inline Dual<T, n> operator*(const Dual<T, n>& a, double b) {
  return a.chain(a.value * b, constant<T>(b));
}
template <class T, int n>
inline Dual<T, n> operator*(double a, const Dual<T, n>& b) {
  return b * a;
}
template <class T, int n>
inline Dual<T, n> operator/(const Dual<T, n>& a, double b) {
  return a * (1.0 / b);
}
template <class T, int n>
inline Dual<T, n> operator/(double a, const Dual<T, n>& b) {
  return Dual<T, n>(constant<T>(a)) / b;
}
template <class T, int n>
inline Dual<T, n>& operator+=(Dual<T, n>& a, const Dual<T, n>& b) {
  return a = a + b;
}

inline double value_of(double x) { return x; }
inline Lanes value_of(Lanes x) { return x; }
template <class T, int n>
inline T value_of(const Dual<T, n>& x) {
  return x.value;
}

template <class T, int n, class M>
inline Dual<T, n> select(M m, const Dual<T, n>& yes, const Dual<T, n>& no) {
  Dual<T, n> out(select(m, yes.value, no.value));
  for (int i = 0; i < n; ++i) out.slope[i] = select(m, yes.slope[i], no.slope[i]);
  return out;
}
template <class T, int n>
inline Dual<T, n> min(const Dual<T, n>& a, const Dual<T, n>& b) {
  return select(a.value < b.value, a, b);
}
template <class T, int n>
inline Dual<T, n> max(const Dual<T, n>& a, const Dual<T, n>& b) {
  return select(a.value > b.value, a, b);
}
template <class T, int n>
inline Dual<T, n> abs(const Dual<T, n>& a) {
  return select(a.value < T{}, -a, a);
}
template <class T, int n>
inline Dual<T, n> sqrt(const Dual<T, n>& a) {
  const T root = sqrt(a.value);
  return a.chain(root, 0.5 / max(root, constant<T>(1e-150)));
}
template <class T, int n>
inline Dual<T, n> exponential(const Dual<T, n>& a) {
  const T e = exponential(a.value);
  return a.chain(e, e);
}
template <class T, int n>
inline Dual<T, n> logarithm(const Dual<T, n>& a) {
  const T x = max(a.value, constant<T>(1e-300));
  return a.chain(logarithm(x), 1.0 / x);
}
template <class T, int n>
inline Dual<T, n> power(const Dual<T, n>& x, const Dual<T, n>& e) {
  return exponential(e * logarithm(x));
}
template <class T, int n>
inline Dual<T, n> arc_tangent(const Dual<T, n>& a) {
  return a.chain(arc_tangent(a.value), 1.0 / (1.0 + a.value * a.value));
}
template <class T, int n>
inline SineCosine<Dual<T, n>> sine_cosine(const Dual<T, n>& a) {
  const SineCosine<T> sc = sine_cosine(a.value);
  return {a.chain(sc.sine, sc.cosine), a.chain(sc.cosine, -sc.sine)};
}

/// The same number in all four lanes.
inline Lanes spread(double x) { return lanes(x); }
template <int n>
inline Dual<Lanes, n> spread(const Dual<double, n>& x) {
  Dual<Lanes, n> out(lanes(x.value));
  for (int i = 0; i < n; ++i) out.slope[i] = lanes(x.slope[i]);
  return out;
}
template <int n>
inline Dual<double, n> sum(const Dual<Lanes, n>& x) {
  Dual<double, n> out(sum(x.value));
  for (int i = 0; i < n; ++i) out.slope[i] = sum(x.slope[i]);
  return out;
}

}  // namespace scree::lane

namespace scree {
using lane::Dual;
}  // namespace scree
