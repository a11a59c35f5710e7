#pragma once
/// What of a grid is near a wheel, and how the wheel has moved over what was kept of it: the same for one
/// wheel and for four side by side.
#include "scree/ground/rim_drift.hpp"
#include "scree/ground/rim_search.hpp"

namespace scree {

inline constexpr int kRimGroup = RimMemo::kColumns;
inline constexpr double kKeptLean = 0.5;  ///< what is kept is of no wheel that is pitched more (n_z)

/// Where the wheel's plane can cut ground between two heights: in rows `beside`, and along the wheel column i
/// of those that are looked at is at u_first + u_step i -+ u_half.
template <class Plane>
struct RimNear {
  using T = typename Plane::Number;
  using Frame = RimFrameOf<Plane>;
  typename Frame::Rows beside;
  T u_first, u_step, u_half;

  RimNear() = default;
  RimNear(const Frame& f, T from, T lowest, T highest) {
    using namespace lane;
    const T low = max(lowest, f.lowest_z), high = min(highest, f.highest_z);
    const typename Frame::Linear& U = f.U;
    beside = f.rows(low, high);
    u_step = U.m + U.k * f.tilt;
    u_first = U.c + 0.5 * U.m + u_step * from + U.k * (0.5 * (beside.low + beside.high)) +
              U.z * (0.5 * (low + high) - f.grid.datum);
    u_half = 0.5 * (abs(U.m) + abs(U.k) * (beside.high - beside.low) + abs(U.z) * (high - low));
  }
  RimNear(const RimNear<RimPlanes>& four, int i)
      : beside(four.beside.lane(i)),
        u_first(four.u_first[i]),
        u_step(four.u_step[i]),
        u_half(four.u_half[i]) {}
  /// How far from the hub columns are [m].
  T widest(T count) const {
    using namespace lane;
    return max(abs(u_first), abs(u_first + u_step * (count - 1.0))) + u_half;
  }
};

/// Whether ground and wheel are such that what is kept can be followed: all ground was looked at.
template <class Plane, class T>
auto can_follow(const Plane& w, T highest) {
  using namespace lane;
  const T pitched = abs(w.n[2]), most_pitched = constant<T>(kKeptLean);
  return (highest < w.centre[2] + kRimDeepest * w.radius) & (pitched < most_pitched);
}

/// How a wheel has moved since it stood at `from`, with ground of this height and slope.
template <class Plane, class T>
RimDriftOf<Plane> drift_of(const RimFrameOf<Plane>& f, const Plane& from, T lowest, T highest, T slope,
                           T widest) {
  using namespace lane;
  const Plane& w = f.wheel;
  const T pitched = widest * abs(w.n[2]);
  const T low = (max(lowest, f.lowest_z) - w.centre[2] - pitched) * f.per_b,
          high = (highest - w.centre[2] + pitched) * f.per_b;
  return {from, w, {f.by_x ? 1 : 0, slope, f.step_k, low, high, widest}};
}

/// By how many rows a trace has moved, down (negative) and up: most in the first or the last column.
template <class T>
struct RowsMoved {
  T down, up;
  RowsMoved(T low, T high, T turned, T from, T count) {
    using namespace lane;
    const T a = turned * from, b = turned * (from + count - 1.0);
    down = min(low, high) + min(a, b), up = max(low, high) + max(a, b);
  }
};

/// Groups of columns, as whole numbers, not so far out that an index overflows.
template <class T>
T group_of(T m) {
  using namespace lane;
  constexpr double kFar = 1e8;
  return floor(clamp(m, constant<T>(-kFar), constant<T>(kFar)) * (1.0 / kRimGroup));
}

}  // namespace scree
