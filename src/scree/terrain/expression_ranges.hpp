#pragma once
/// Interval arithmetic on four ranges at once: what an expression and its slopes can be over a rectangle.
///
/// Every result holds all values that the operation takes over its operands' ranges, those that rounding and
/// the functions' own errors lead to included (`widened`). A range is `bad` where a number may not exist
/// somewhere in it (root of a negative number, division by zero, overflow): then nothing is known of what is
/// computed from it. Rates (derivatives) are ranges too; an infinite rate says that the value may jump.
#include <algorithm>

#include "scree/terrain/expression_lanes.hpp"

namespace scree::formula {

struct Range {
  Lanes lo, hi;  // without values at first: places are many
  Mask bad;
};

inline Range range(double k) { return {lanes(k), lanes(k), Mask{}}; }
inline Range anything() { return {lanes(-kInf), lanes(kInf), Mask{}}; }
inline Mask is_finite(const Range& r) { return (lane::abs(r.lo) < kInf) & (lane::abs(r.hi) < kInf); }

/// Errors of the functions: arithmetic is right to half a unit, functions to four, powers to as many as their
/// logarithm is large (below 710).
inline constexpr double kArithmetic = 0x1p-52, kFunction = 4e-15, kPower = 5e-13, kLeast = 1e-300;

inline Range widened(Range r, double share) {
  r.lo = r.lo - (lane::abs(r.lo) * share + kLeast);
  r.hi = r.hi + (lane::abs(r.hi) * share + kLeast);
  return r;
}
/// Ends that are no numbers, and infinite ones that finite operands led to, are bad.
inline Range checked(Range r, Mask finite_before) {
  const Mask lost = ~(r.lo <= r.hi);
  r.bad = r.bad | lost | (finite_before & ~is_finite(r));
  r.lo = select(lost, lanes(-kInf), r.lo);
  r.hi = select(lost, lanes(kInf), r.hi);
  return r;
}
inline Range select(Mask m, const Range& yes, const Range& no) {
  return {lane::select(m, yes.lo, no.lo), lane::select(m, yes.hi, no.hi), (m & yes.bad) | (~m & no.bad)};
}
/// Both together.
inline Range hull(const Range& a, const Range& b) {
  return {lane::min(a.lo, b.lo), lane::max(a.hi, b.hi), a.bad | b.bad};
}

inline Range operator-(const Range& a) { return {-a.hi, -a.lo, a.bad}; }
inline Range operator+(const Range& a, const Range& b) {
  return checked(widened({a.lo + b.lo, a.hi + b.hi, a.bad | b.bad}, kArithmetic),
                 is_finite(a) & is_finite(b));
}
inline Range operator-(const Range& a, const Range& b) { return a + -b; }
inline Range operator*(const Range& a, const Range& b) {
  // Nothing times anything is nothing: ends stand for numbers beyond any bound, not for infinity.
  const auto times = [](Lanes p, Lanes q) {
    const Lanes v = p * q;
    return lane::select(v == v, v, Lanes{});
  };
  const Lanes p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo), s = times(a.hi, b.hi);
  return checked(widened({lane::min(lane::min(p, q), lane::min(r, s)),
                          lane::max(lane::max(p, q), lane::max(r, s)), a.bad | b.bad},
                         kArithmetic),
                 is_finite(a) & is_finite(b));
}
inline Range operator*(double k, const Range& a) {
  if (k == 0) return {Lanes{}, Lanes{}, a.bad};
  const Lanes p = k * a.lo, q = k * a.hi;
  return checked(widened({k < 0 ? q : p, k < 0 ? p : q, a.bad}, kArithmetic), is_finite(a));
}
inline Range operator+(const Range& a, double k) {
  return checked(widened({a.lo + k, a.hi + k, a.bad}, kArithmetic), is_finite(a));
}
inline Range operator/(const Range& a, const Range& b) {
  const Mask zero = (b.lo <= 0.0) & (b.hi >= 0.0);
  const Lanes one = lanes(1.0), lo = lane::select(zero, one, b.lo), hi = lane::select(zero, one, b.hi);
  const Lanes p = a.lo / lo, q = a.lo / hi, r = a.hi / lo, s = a.hi / hi;
  Range out = checked(widened({lane::min(lane::min(p, q), lane::min(r, s)),
                               lane::max(lane::max(p, q), lane::max(r, s)), a.bad | b.bad},
                              kArithmetic),
                      is_finite(a) & is_finite(b));
  out.bad = out.bad | zero | ~((p == p) & (q == q) & (r == r) & (s == s));
  return select(out.bad, Range{lanes(-kInf), lanes(kInf), out.bad}, out);
}
/// 1 / r of a range that holds no negative number but for rounding.
inline Range inverse_of_positive(const Range& r) {
  return widened({1.0 / r.hi, lane::select(r.lo > 0.0, 1.0 / r.lo, lanes(kInf)), Mask{}}, kArithmetic);
}
inline Range square(const Range& r) {
  const Lanes a = lane::abs(r.lo), b = lane::abs(r.hi), low = lane::min(a, b), high = lane::max(a, b);
  const Mask across = (r.lo <= 0.0) & (r.hi >= 0.0);
  return checked(widened({lane::select(across, Lanes{}, low * low), high * high, r.bad}, kArithmetic),
                 is_finite(r));
}
inline Range root(const Range& r) {
  const Lanes low = lane::max(r.lo, Lanes{}), high = lane::max(r.hi, Lanes{});
  return widened({lane::sqrt(low), lane::sqrt(high), r.bad}, kArithmetic);
}

/// A function that only rises.
template <class F>
inline Range rising(const Range& r, const F& f) {
  return checked(widened({f(r.lo), f(r.hi), r.bad}, kFunction), is_finite(r));
}
/// `r` held within where a function is defined; what was outside is bad.
inline Range within(Range r, double lo, double hi) {
  r.bad = r.bad | ~((r.lo >= lo) & (r.hi <= hi));
  r.lo = lane::clamp(r.lo, lanes(lo), lanes(hi));
  r.hi = lane::clamp(r.hi, lanes(lo), lanes(hi));
  return r;
}

/// Is there a whole k with lo <= k + at <= hi? Yes in doubt; |lo|, |hi| < 2^20.
inline Mask holds_whole(Lanes lo, Lanes hi, double at) {
  using lane::elementary::kShift;
  const auto below = [](Lanes t) {
    const Lanes n = (t + kShift) - kShift;
    return lane::select(n > t, n - 1.0, n);
  };
  constexpr double kDoubt = 1e-9;
  return below(hi - at + kDoubt) > below(lo - at - kDoubt);
}

struct SineCosineRange {
  Range sine, cosine;
};
inline SineCosineRange sine_cosine(const Range& r) {
  constexpr double kPerTurn = 0.15915494309189535;
  const Mask wide = ~((r.hi - r.lo < 6.2831) & (lane::abs(r.lo) < 1e6) & (lane::abs(r.hi) < 1e6));
  const Lanes lo = lane::select(wide, Lanes{}, r.lo), hi = lane::select(wide, Lanes{}, r.hi);
  const auto [s0, c0] = sine_cosine(lo);
  const auto [s1, c1] = sine_cosine(hi);
  const Lanes from = lo * kPerTurn, to = hi * kPerTurn;
  const auto bounded = [&](Lanes a, Lanes b, double crest, double trough) {
    Range out{lane::min(a, b), lane::max(a, b), r.bad};
    out.lo = lane::select(wide | holds_whole(from, to, trough), lanes(-1.0), out.lo - kFunction);
    out.hi = lane::select(wide | holds_whole(from, to, crest), lanes(1.0), out.hi + kFunction);
    return out;
  };
  return {bounded(s0, s1, 0.25, 0.75), bounded(c0, c1, 0, 0.5)};
}

inline Bent<Range> sine(const Range& r) {
  const auto [s, c] = sine_cosine(r);
  return {s, c};
}
inline Bent<Range> cosine(const Range& r) {
  const auto [s, c] = sine_cosine(r);
  return {c, -s};
}
inline Bent<Range> tangent(const Range& r) {
  constexpr double kPerHalfTurn = 0.3183098861837907;
  const Mask wide = ~((r.hi - r.lo < 3.1415) & (lane::abs(r.lo) < 1e6) & (lane::abs(r.hi) < 1e6));
  const Mask pole = wide | holds_whole(lane::select(wide, Lanes{}, r.lo * kPerHalfTurn),
                                       lane::select(wide, Lanes{}, r.hi * kPerHalfTurn), 0.5);
  Range held = r;
  held.bad = held.bad | pole;
  held.lo = lane::select(pole, Lanes{}, held.lo), held.hi = lane::select(pole, Lanes{}, held.hi);
  const Range t = rising(held, [](Lanes v) { return tangent(v).value; });
  return {t, select(pole, anything(), square(t) + 1.0)};
}
/// 1 / sqrt((1 - x)(1 + x)) of a range within [-1, 1].
inline Range slope_of_arc(const Range& r) { return inverse_of_positive(root(range(1) - square(r))); }
inline Bent<Range> arc_sine(const Range& r) {
  const Range in = within(r, -1, 1);
  return {rising(in, [](Lanes v) { return arc_sine(v).value; }), slope_of_arc(in)};
}
inline Bent<Range> arc_cosine(const Range& r) {
  const Range in = within(r, -1, 1);
  return {-rising(in, [](Lanes v) { return -arc_cosine(v).value; }), -slope_of_arc(in)};
}
inline Bent<Range> arc_tangent(const Range& r) {
  return {rising(r, [](Lanes v) { return lane::arc_tangent(v); }), inverse_of_positive(square(r) + 1.0)};
}
inline Range cosh_range(const Range& r) {
  const Lanes a = one_by_one(r.lo, cosh_of), b = one_by_one(r.hi, cosh_of);
  const Mask across = (r.lo <= 0.0) & (r.hi >= 0.0);
  return checked(
      widened({lane::select(across, lanes(1.0), lane::min(a, b)), lane::max(a, b), r.bad}, kFunction),
      is_finite(r));
}
inline Range sinh_range(const Range& r) {
  return rising(r, [](Lanes v) { return one_by_one(v, sinh_of); });
}
inline Bent<Range> hyperbolic_sine(const Range& r) { return {sinh_range(r), cosh_range(r)}; }
inline Bent<Range> hyperbolic_cosine(const Range& r) { return {cosh_range(r), sinh_range(r)}; }
inline Bent<Range> hyperbolic_tangent(const Range& r) {
  const Range t = rising(r, [](Lanes v) { return one_by_one(v, tanh_of); });
  return {t, range(1) - square(t)};
}
inline Bent<Range> area_sine(const Range& r) {
  return {rising(r, [](Lanes v) { return one_by_one(v, asinh_of); }),
          inverse_of_positive(root(square(r) + 1.0))};
}
inline Bent<Range> area_cosine(const Range& r) {
  const Range in = within(r, 1, kInf);
  return {rising(in, [](Lanes v) { return one_by_one(v, acosh_of); }),
          inverse_of_positive(root(square(in) + -1.0))};
}
inline Bent<Range> area_tangent(const Range& r) {
  const Range in = within(r, -1, 1);
  return {rising(in, [](Lanes v) { return one_by_one(v, atanh_of); }),
          inverse_of_positive(range(1) - square(in))};
}
inline Bent<Range> exponential(const Range& r) {
  const Range e = rising(r, exponential_of);
  return {e, e};
}
inline Bent<Range> logarithm(const Range& r, double base) {
  Range in = r;
  in.bad = in.bad | ~(r.lo > 0.0);
  in.lo = lane::max(in.lo, Lanes{}), in.hi = lane::max(in.hi, Lanes{});
  return {rising(in, [base](Lanes v) { return logarithm_of(v) / base; }), inverse_of_positive(base * in)};
}
inline Bent<Range> square_root(const Range& r) {
  const Range v = root(within(r, 0, kInf));
  return {v, 0.5 * inverse_of_positive(v)};
}
/// The slope of |0| is 1, whatever side the range lies on.
inline Bent<Range> magnitude(const Range& r) {
  const Mask plus = r.lo >= 0.0, minus = r.hi < 0.0;
  const Lanes a = lane::abs(r.lo), b = lane::abs(r.hi);
  return {
      {lane::select((r.lo <= 0.0) & (r.hi >= 0.0), Lanes{}, lane::min(a, b)), lane::max(a, b), r.bad},
      {lane::select(plus, lanes(1.0), lanes(-1.0)), lane::select(minus, lanes(-1.0), lanes(1.0)), Mask{}}};
}
/// r^n for a whole n: even powers have their least at zero, negative ones none there.
inline Range whole_power_range(const Range& r, int n) {
  const Lanes a = whole_power_of(r.lo, n), b = whole_power_of(r.hi, n);
  Range out{lane::min(a, b), lane::max(a, b), r.bad};
  const Mask zero = (r.lo <= 0.0) & (r.hi >= 0.0);
  if (n >= 0 && n % 2 == 0) {
    out.lo = lane::select(zero, lanes(n == 0 ? 1.0 : 0.0), out.lo);
  } else if (n < 0) {
    out.bad = out.bad | zero;
    out.lo = lane::select(zero, lanes(-kInf), out.lo), out.hi = lane::select(zero, lanes(kInf), out.hi);
  }
  return checked(widened(out, kPower), is_finite(r));
}
inline Bent<Range> whole_power(const Range& r, double n) {
  const int m = static_cast<int>(n);
  return {whole_power_range(r, m), n * whole_power_range(r, m - 1)};
}
/// x^p, p not whole: for x >= 0 only.
inline Bent<Range> constant_power(const Range& r, double p) {
  const Range in = within(r, 0, kInf);
  const auto between = [&in](double q) {
    const auto f = [q](double v) { return maths::pow(v, q); };
    const Lanes a = one_by_one(in.lo, f), b = one_by_one(in.hi, f);
    return widened({lane::min(a, b), lane::max(a, b), in.bad}, kPower);
  };
  return {checked(between(p), is_finite(in)), p * between(p - 1)};
}

/// a^b for a > 0: the extremes lie at corners.
inline Range power_range(const Range& a, const Range& b) {
  Range out{lanes(kInf), lanes(-kInf), a.bad | b.bad | ~(a.lo > 0.0)};
  const Lanes from = lane::max(a.lo, lanes(1e-300)), to = lane::max(a.hi, lanes(1e-300));
  for (const Lanes base : {from, to}) {
    for (const Lanes exponent : {b.lo, b.hi}) {
      const Lanes v = one_by_one(base, exponent, maths::pow);
      out.lo = lane::min(out.lo, v), out.hi = lane::max(out.hi, v);
    }
  }
  // a^b passes 1 where b is 0, and where a is 1.
  return checked(widened(out, kPower), is_finite(a) & is_finite(b));
}
inline Bent2<Range> power(const Range& a, const Range& b) {
  const Range v = power_range(a, b), l = logarithm(a, 1).value;
  return {v, b * power_range(a, b + -1.0), select(l.bad, anything(), v * l)};
}
/// Away from the half line x <= 0, y = 0, where the angle jumps, its extremes lie at corners.
inline Bent2<Range> arc_tangent_2(const Range& y, const Range& x) {
  const Mask jump = (x.lo <= 0.0) & (y.lo <= 0.0) & (y.hi >= 0.0);
  Range out{lanes(kInf), lanes(-kInf), x.bad | y.bad};
  for (const Lanes v : {y.lo, y.hi}) {
    for (const Lanes u : {x.lo, x.hi}) {
      const Lanes angle = one_by_one(v, u, maths::atan2);
      out.lo = lane::min(out.lo, angle), out.hi = lane::max(out.hi, angle);
    }
  }
  constexpr double kHalfTurn = 3.1415926535897936;
  out.lo = lane::select(jump, lanes(-kHalfTurn), out.lo),
  out.hi = lane::select(jump, lanes(kHalfTurn), out.hi);
  const Range inverse = inverse_of_positive(square(x) + square(y));
  return {checked(widened(out, kFunction), is_finite(x) & is_finite(y)),
          select(jump, anything(), x * inverse), select(jump, anything(), -(y * inverse))};
}

}  // namespace scree::formula
