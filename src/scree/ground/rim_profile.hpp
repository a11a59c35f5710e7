#pragma once
/// The profile of one cell in a wheel's plane, or of four cells side by side (T: double or Lanes), in the
/// plane of one wheel or of one each.
///
/// F is bilinear in the cell's own coordinates p and q (0 ... 1), so the profile F = 0 is a hyperbola q(p),
/// or p(q): it is followed by the coordinate in which it is longer.
#include "scree/core/lanes.hpp"
#include "scree/ground/rim_frame.hpp"

namespace scree {

/// A cell's bilinear function: value at (0, 0), along p, along q, and the twist.
template <class T>
struct Bilinear {
  T c, p, q, pq;
  T at(T x, T y) const { return c + p * x + q * y + pq * x * y; }
  Bilinear<double> lane(int i) const { return {c[i], p[i], q[i], pq[i]}; }
  Bilinear<Lanes> four_times() const {
    return {lane::lanes(c), lane::lanes(p), lane::lanes(q), lane::lanes(pq)};
  }
  /// From the corners (0, 0), (1, 0), (0, 1), (1, 1).
  static Bilinear of(const T (&z)[4]) { return {z[0], z[1] - z[0], z[2] - z[0], z[3] - z[2] - z[1] + z[0]}; }
};

/// A profile point: place in the cell and in the wheel's plane, and slopes of u and t along the coordinate
/// that was followed.
template <class T>
struct ProfilePoint {
  T p, q, u, t, du, dt;
  ProfilePoint<double> lane(int i) const { return {p[i], q[i], u[i], t[i], du[i], dt[i]}; }
};

template <class T>
struct CellProfile {
  using Flag = decltype(T{} < T{});

  T m, k;  ///< column and row
  Bilinear<T> F, z;

  CellProfile<double> lane(int i) const { return {m[i], k[i], F.lane(i), z.lane(i)}; }
  /// One cell four times, for four points of it.
  CellProfile<Lanes> four_times() const {
    return {lane::lanes(m), lane::lanes(k), F.four_times(), z.four_times()};
  }
  /// dF across the coordinate followed.
  T below(T x, Flag follow_p) const { return lane::select(follow_p, F.q, F.p) + F.pq * x; }
  /// At p = x where p is followed, else at q = x.
  template <class Plane>
  ProfilePoint<T> at(const RimFrameOf<Plane>& frame, T x, Flag follow_p) const {
    using namespace lane;
    const T one = constant<T>(1.0), along = select(follow_p, F.p, F.q);
    T below = this->below(x, follow_p);
    below = select(below != T{}, below, constant<T>(1e-300));
    const T y = clamp(-(F.c + along * x) / below, T{}, one);
    const T dy = -(along + F.pq * y) / below;
    ProfilePoint<T> out;
    out.p = select(follow_p, x, y), out.q = select(follow_p, y, x);
    const T dp = select(follow_p, one, dy), dq = select(follow_p, dy, one);
    const T height = z.at(out.p, out.q);
    const T dz = (z.p + z.pq * out.q) * dp + (z.q + z.pq * out.p) * dq;
    const auto &U = frame.U, &V = frame.T;
    out.u = U.c + U.m * (m + out.p) + U.k * (k + out.q) + U.z * height;
    out.t = V.c + V.m * (m + out.p) + V.k * (k + out.q) + V.z * height;
    out.du = U.m * dp + U.k * dq + U.z * dz;
    out.dt = V.m * dp + V.k * dq + V.z * dz;
    return out;
  }

  /// Whether all of the cell bears: by the steepest that it is anywhere along either axis.
  template <class Plane>
  Flag bears(const RimFrameOf<Plane>& frame) const {
    using namespace lane;
    const T along_m = max(abs(z.p), abs(z.p + z.pq)), along_k = max(abs(z.q), abs(z.q + z.pq));
    const T most_m = along_m * frame.per_step_m, most_k = along_k * frame.per_step_k;
    const T facing = frame.wheel.b[2] - most_m * frame.b_m - most_k * frame.b_k;
    return (facing > T{}) &
           (facing * facing >= kLeastBearing * kLeastBearing * (1.0 + (most_m * most_m + most_k * most_k)));
  }
};

/// dh along the coordinate followed, times which way is ahead; the rim's height there may be no less than the
/// thousandth of the radius.
template <class T>
T rise_of(const ProfilePoint<T>& x, T rim, T ahead, T radius) {
  return (x.dt - x.du * x.u / lane::max(rim, 1e-3 * radius)) * ahead;
}

}  // namespace scree
