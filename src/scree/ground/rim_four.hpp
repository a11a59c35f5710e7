#pragma once
/// Four cells side by side: what each asks of a rim, where nothing out of the ordinary happens in it. That is
/// a cell that bears throughout, of which the wheel's plane cuts one piece from one side to the next, on the
/// rim and below the line of walls. Others, and tops inside a piece that may be the best, are left to
/// RimCell, whose laws these are.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>
#include <limits>

#include "scree/ground/rim_cell.hpp"

namespace scree {

class RimFour {
 public:
  RimFour(const RimFrame& frame, RimBest& best) : f_(frame), best_(best) {}

  struct Cells {
    int m[kLanes], k[kLanes];
    int count;  ///< the others repeat the first
  };
  /// No ground of each asks for more than this [m], with RimHull for the rim; minus infinity where the
  /// wheel's plane does not cut it. `best` is replaced by what is better.
  Lanes visit(const Cells& cells) const;

  struct Corners {
    Lanes z[4];  ///< (m, k), (m + 1, k), (m, k + 1), (m + 1, k + 1)
  };
  template <class Frame>
  static Corners corners(const Frame& frame, const Cells& cells);

 private:
  /// Two samples that follow each other in memory, of each cell.
  struct Pairs {
    Lanes first, second;
  };
  using Int4 = std::int32_t __attribute__((vector_size(16)));
  static Int4 four(const int (&x)[kLanes]) {
    Int4 out;
    std::memcpy(&out, x, sizeof out);
    return out;
  }
  static Lanes widened(const int (&x)[kLanes]);
  static Pairs pairs(const float* z, Int4 index);
  /// What is better among the ends of pieces; `top`: the higher end, where it counts.
  void consider(const Cells& cells, const ProfilePoint<Lanes> (&x)[2], const Lanes (&h)[2], Lanes top) const;

  const RimFrame& f_;
  RimBest& best_;
};

inline Lanes RimFour::widened(const int (&x)[kLanes]) {
#ifdef __AVX2__
  return _mm256_cvtepi32_pd(reinterpret_cast<__m128i>(four(x)));
#else
  return __builtin_convertvector(four(x), Lanes);
#endif
}

inline RimFour::Pairs RimFour::pairs(const float* z, Int4 index) {
  using Float4 = float __attribute__((vector_size(16)));
  using Float8 = float __attribute__((vector_size(32)));
  double bits[kLanes];  // one load of eight bytes each
  for (int i = 0; i < kLanes; ++i) std::memcpy(bits + i, z + index[i], sizeof(double));
  const Lanes both{bits[0], bits[1], bits[2], bits[3]};
  const Float8 x = reinterpret_cast<Float8>(both);
  const Float4 even = __builtin_shufflevector(x, x, 0, 2, 4, 6),
               odd = __builtin_shufflevector(x, x, 1, 3, 5, 7);
#ifdef __AVX2__
  return {_mm256_cvtps_pd(even), _mm256_cvtps_pd(odd)};  // which the compiler would do by halves
#else
  return {__builtin_convertvector(even, Lanes), __builtin_convertvector(odd, Lanes)};
#endif
}

template <class Frame>
[[gnu::always_inline]] inline RimFour::Corners RimFour::corners(const Frame& f, const Cells& c) {
  Corners out;
  const Int4 m = four(c.m), k = four(c.k);
  const Int4 beyond = m | k | (f.count_m - 2 - m) | (f.count_k - 2 - k);  // negative: beside the grid
  if ((beyond[0] | beyond[1] | beyond[2] | beyond[3]) < 0) {
    for (int i = 0; i < kLanes; ++i) {
      out.z[0][i] = f.sample(c.m[i], c.k[i]), out.z[1][i] = f.sample(c.m[i] + 1, c.k[i]);
      out.z[2][i] = f.sample(c.m[i], c.k[i] + 1), out.z[3][i] = f.sample(c.m[i] + 1, c.k[i] + 1);
    }
    return out;
  }
  const Int4 index = m * static_cast<int>(f.stride_m) + k * static_cast<int>(f.stride_k);
  const Pairs here = pairs(f.grid.z, index), next = pairs(f.grid.z + f.grid.nx, index);
  out.z[0] = here.first, out.z[3] = next.second;
  out.z[1] = f.by_x ? here.second : next.first;
  out.z[2] = f.by_x ? next.first : here.second;
  return out;
}

inline Lanes RimFour::visit(const Cells& cells) const {
  using namespace lane;
  const Lanes zero{}, one = lanes(1), infinity = lanes(std::numeric_limits<double>::infinity());
  const double radius = f_.wheel.radius;
  CellProfile<Lanes> cell;
  cell.m = widened(cells.m), cell.k = widened(cells.k);
  const Corners at = corners(f_, cells);
  const Lanes here = f_.F.c + f_.F.m * cell.m, next = here + f_.F.m;
  const Lanes row = f_.F.k * cell.k, row_on = f_.F.k * (cell.k + 1.0);
  const Lanes F[4] = {here + row + f_.F.z * at.z[0], next + row + f_.F.z * at.z[1],
                      here + row_on + f_.F.z * at.z[2], next + row_on + f_.F.z * at.z[3]};
  const Mask up[4] = {F[0] >= zero, F[1] >= zero, F[2] >= zero, F[3] >= zero};
  const Mask left = up[0] ^ up[2], right = up[1] ^ up[3], low = up[0] ^ up[1], high = up[2] ^ up[3];
  const Mask cut = left | right | low | high;
  // From one side to the next, ahead.
  Lanes from_p = zero, from_q = F[0] / (F[0] - F[2]), to_p = one, to_q = F[1] / (F[1] - F[3]);
  if (any(low | high)) {
    const Lanes p = select(low, F[0] / (F[0] - F[1]), F[2] / (F[2] - F[3])), q = select(low, zero, one);
    from_p = select(left, from_p, p), from_q = select(left, from_q, q);
    to_p = select(right, to_p, p), to_q = select(right, to_q, q);
  }
  const Mask follow_p = abs(to_p - from_p) >= abs(to_q - from_q);
  const Lanes from = select(follow_p, from_p, from_q), to = select(follow_p, to_p, to_q), length = to - from;
  const Lanes ahead = select(length >= zero, one, -one);
  cell.F = Bilinear<Lanes>::of(F), cell.z = Bilinear<Lanes>::of(at.z);
  const ProfilePoint<Lanes> x[2] = {cell.at(f_, from, follow_p), cell.at(f_, to, follow_p)};
  Lanes rim[2], h[2], rise[2];
  for (int i : {0, 1}) {
    rim[i] = sqrt(max(f_.r2 - x[i].u * x[i].u, zero));
    h[i] = x[i].t + rim[i];
    rise[i] = rise_of(x[i], rim[i], ahead, radius);
  }
  // Where t bends down it lies below its tangent, elsewhere below an end.
  const Lanes highest = max(x[0].t, x[1].t) + max(x[0].dt * length, zero);
  const Lanes outer = max(abs(x[0].u), abs(x[1].u));
  const Mask simple = (left | right) & ~(left & right & low & high) & (from_p < to_p) & cell.bears(f_) &
                      (outer <= f_.end) & (x[0].du * x[1].du >= zero) &
                      (highest <= f_.wheel.standing - kWallRise * outer);
  Lanes top = max(h[0], h[1]);  // of the piece
  Mask climbed{};
  consider(cells, x, h, select(simple, top, -infinity));

  // A top between the ends, as RimCell::climb has it.
  const Lanes ground = (x[1].dt - x[0].dt) * ahead, below = ground - (rise[1] - rise[0]);
  const Mask up_first = rise[0] > zero;
  const Mask hidden = (up_first & (below > rise[0]) & (ground > rise[1])) |
                      (~up_first & (ground > -rise[0]) & (below > -rise[1]));
  const Mask hill = (up_first & (rise[1] < zero)) | ((ground > zero) & hidden);
  if (any(hill & simple)) {
    // Where h bends up at both ends there is none, and where it bends down it lies below both tangents.
    const Lanes w[2] = {cell.below(from, follow_p), cell.below(to, follow_p)};
    const Lanes bent = 2.0 / ((w[0] + w[1]) * length);
    Mask bends_up[2];
    for (int i : {0, 1}) {
      const Lanes other = w[1 - i], turn = other * other * bent / w[i];
      const Lanes height = max(rim[i], lanes(1e-3 * radius));
      bends_up[i] = (x[1].dt - x[0].dt) * turn - (x[i].u * ((x[1].du - x[0].du) * turn) +
                                                  x[i].du * x[i].du * f_.r2 / (height * height)) /
                                                     height >
                    zero;
    }
    const Lanes bound = h[0] + rise[0] * (h[1] - h[0] - rise[1] * abs(length)) / (rise[0] - rise[1]);
    const Mask level = ground <= zero, bowl = ~level & bends_up[0] & bends_up[1];
    const Mask cap = (up_first & (rise[1] < zero)) & (level | ~(bends_up[0] | bends_up[1]));
    top = select(hill & ~bowl, select(cap, max(top, bound), infinity), top);
    climbed = simple & hill & ~bowl & (top > best_.h - RimBest::kRounding);
  }
  Lanes reach = select(cut, top, -infinity);
  const Mask beyond = outer > lanes(RimHull::kWidest * radius);
  if (any(beyond)) {
    const Lanes rim_most = select(x[0].u * x[1].u > zero,
                                  max(max(rim[0], rim[1]), lanes(RimHull::kLeast * radius)), lanes(radius));
    reach = select(beyond & cut, highest + rim_most, reach);
  }
  const Mask alone = cut & ~simple;
  if (any(alone | climbed)) {
    for (int i = 0; i < cells.count; ++i) {
      RimCell one_cell(f_, best_);
      if (alone[i]) reach[i] = one_cell.visit(cells.m[i], cells.k[i]);
      if (!climbed[i]) continue;
      const double climbs_to =
          one_cell.climb(cells.m[i], cells.k[i], cell.lane(i), {x[0].lane(i), x[1].lane(i)}, follow_p[i]);
      if (outer[i] <= RimHull::kWidest * radius) reach[i] = climbs_to;
    }
  }
  return reach;
}

inline void RimFour::consider(const Cells& cells, const ProfilePoint<Lanes> (&x)[2], const Lanes (&h)[2],
                              Lanes top) const {
  const double highest = std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
  if (!(highest >= best_.h)) return;
  for (int i = 0; i < cells.count; ++i) {
    if (!(top[i] >= highest)) continue;
    const int e = h[0][i] >= highest ? 0 : 1;
    if (best_.is_better(highest, cells.m[i], cells.k[i]))
      best_ = {highest, true, true, cells.m[i], cells.k[i], x[e].p[i], x[e].q[i], x[e].u[i]};
  }
}

}  // namespace scree
