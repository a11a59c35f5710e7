#pragma once
/// Four doubles that are computed side by side: one wheel (or point) a lane.
/// A law written as a template on its scalar serves `double` and `Lanes` alike.
#include <cmath>
#include <cstdint>

namespace scree {

inline constexpr int kLanes = 4;

using Lanes = double __attribute__((vector_size(32)));
/// Comparison result: every lane all ones (true) or zero.
using Mask = std::int64_t __attribute__((vector_size(32)));

inline Lanes lanes(double x) { return Lanes{x, x, x, x}; }
inline Lanes load(const double* p) { return Lanes{p[0], p[1], p[2], p[3]}; }
inline void store(double* p, Lanes x) { p[0] = x[0], p[1] = x[1], p[2] = x[2], p[3] = x[3]; }

inline Lanes select(Mask m, Lanes yes, Lanes no) { return m ? yes : no; }
inline double select(bool m, double yes, double no) { return m ? yes : no; }

inline Lanes min(Lanes a, Lanes b) { return a < b ? a : b; }
inline Lanes max(Lanes a, Lanes b) { return a > b ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline Lanes abs(Lanes a) { return a < 0.0 ? -a : a; }
inline double abs(double a) { return a < 0.0 ? -a : a; }
/// |magnitude| with the sign of `sign` (zero counts as positive).
inline Lanes with_sign(Lanes magnitude, Lanes sign) { return sign < 0.0 ? -magnitude : magnitude; }
inline double with_sign(double magnitude, double sign) { return sign < 0.0 ? -magnitude : magnitude; }

inline Lanes sqrt(Lanes a) {
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
inline double sqrt(double a) { return std::sqrt(a); }

/// Sum of the lanes in a fixed order.
inline double sum(Lanes a) { return (a[0] + a[2]) + (a[1] + a[3]); }
inline bool any(Mask m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }

template <class T>
inline T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

}  // namespace scree
