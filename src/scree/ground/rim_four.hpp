#pragma once
/// Four cells side by side, of one wheel or one of each of four: what each asks of a rim, where nothing out
/// of the ordinary happens in it. That is a cell that bears throughout, of which the wheel's plane cuts one
/// piece from one side to the next, on the rim and below the line of walls. Others, and tops of pieces that
/// bend up here and down there, are left to RimCell, whose laws these are.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "scree/ground/rim_cell.hpp"

namespace scree {

/// Columns and rows of four cells.
struct FourCells {
  using Int4 = std::int32_t __attribute__((vector_size(16)));
  Int4 m, k;

  static Int4 whole(Lanes x) {
#ifdef __AVX2__
    return reinterpret_cast<Int4>(_mm256_cvttpd_epi32(x));  // which the compiler would do by halves
#else
    return __builtin_convertvector(x, Int4);
#endif
  }
  static Lanes widened(Int4 x) {
#ifdef __AVX2__
    return _mm256_cvtepi32_pd(reinterpret_cast<__m128i>(x));
#else
    return __builtin_convertvector(x, Lanes);
#endif
  }
};

/// Heights above the datum at the corners (m, k), (m + 1, k), (m, k + 1), (m + 1, k + 1) of four cells.
struct FourCorners {
  Lanes z[4];
  template <class Frame>
  [[gnu::always_inline]] inline FourCorners(const Frame& frame, const FourCells& cells);

 private:
  /// Two samples that follow each other in memory, of each cell.
  struct Pairs {
    Lanes first, second;
  };
  static Pairs pairs(const float* z, FourCells::Int4 index);
};

inline FourCorners::Pairs FourCorners::pairs(const float* z, FourCells::Int4 index) {
  using Float4 = float __attribute__((vector_size(16)));
  using Float8 = float __attribute__((vector_size(32)));
  double bits[kLanes];  // one load of eight bytes each
  for (int i = 0; i < kLanes; ++i) std::memcpy(bits + i, z + index[i], sizeof(double));
  const Lanes both{bits[0], bits[1], bits[2], bits[3]};
  const Float8 x = reinterpret_cast<Float8>(both);
  const Float4 even = __builtin_shufflevector(x, x, 0, 2, 4, 6),
               odd = __builtin_shufflevector(x, x, 1, 3, 5, 7);
#ifdef __AVX2__
  return {_mm256_cvtps_pd(even), _mm256_cvtps_pd(odd)};
#else
  return {__builtin_convertvector(even, Lanes), __builtin_convertvector(odd, Lanes)};
#endif
}

template <class Frame>
inline FourCorners::FourCorners(const Frame& f, const FourCells& c) {
  const FourCells::Int4 m = c.m, k = c.k;
  const FourCells::Int4 beyond =
      m | k | (f.count_m - 2 - m) | (f.count_k - 2 - k);  // negative: beside the grid
  if ((beyond[0] | beyond[1] | beyond[2] | beyond[3]) < 0) {
    for (int i = 0; i < kLanes; ++i) {
      z[0][i] = f.sample(m[i], k[i]), z[1][i] = f.sample(m[i] + 1, k[i]);
      z[2][i] = f.sample(m[i], k[i] + 1), z[3][i] = f.sample(m[i] + 1, k[i] + 1);
    }
    return;
  }
  const FourCells::Int4 index = m * static_cast<int>(f.stride_m) + k * static_cast<int>(f.stride_k);
  const Pairs here = pairs(f.grid.z, index), next = pairs(f.grid.z + f.grid.nx, index);
  z[0] = here.first, z[3] = next.second;
  z[1] = f.by_x ? here.second : next.first;
  z[2] = f.by_x ? next.first : here.second;
}

/// The piece of the profile in each of four cells, from one end to the other, ahead. (Plane: RimPlane for
/// cells of one wheel, RimPlanes for one of each of four.)
template <class Plane>
struct FourPieces {
  using Frame = RimFrameOf<Plane>;

  const Frame& f;
  CellProfile<Lanes> cell;
  Mask cut;     ///< there is one, or more
  Mask simple;  ///< one, in which nothing out of the ordinary happens: only of these is what follows
  Mask follow_p;
  Lanes from, to, ahead;  ///< along the coordinate that is followed
  ProfilePoint<Lanes> x[2];
  Lanes rim[2], h[2], rise[2];
  Lanes highest;  ///< t is not higher
  Lanes outer;    ///< the larger |u|

  /// `which`: the others are as if they were not cut.
  FourPieces(const Frame& frame, const FourCells& cells, Mask which);

  /// Tops between the ends, as RimCell::climb has it.
  struct Hills {
    Lanes top;    ///< of the piece: no higher than this, if it is not infinite
    Mask capped,  ///< may beat the best, and h bends down throughout
        odd;      ///< may beat the best; else
  };
  Hills hills(Lanes best) const;
  ProfilePoint<Lanes> climb(Mask which) const;
  Lanes displacement(const ProfilePoint<Lanes>& y) const { return y.t + rim_at(y.u); }

 private:
  Lanes rim_at(Lanes u) const { return lane::sqrt(lane::max(f.r2 - u * u, Lanes{})); }
};

template <class Plane>
[[gnu::always_inline]] inline FourPieces<Plane>::FourPieces(const Frame& frame, const FourCells& cells,
                                                            Mask which)
    : f(frame) {
  using namespace lane;
  const Lanes zero{}, one = lanes(1);
  cell.m = FourCells::widened(cells.m), cell.k = FourCells::widened(cells.k);
  const FourCorners at(f, cells);
  const Lanes here = f.F.c + f.F.m * cell.m, next = here + f.F.m;
  const Lanes row = f.F.k * cell.k, row_on = f.F.k * (cell.k + 1.0);
  const Lanes F[4] = {here + row + f.F.z * at.z[0], next + row + f.F.z * at.z[1],
                      here + row_on + f.F.z * at.z[2], next + row_on + f.F.z * at.z[3]};
  const Mask up[4] = {F[0] >= zero, F[1] >= zero, F[2] >= zero, F[3] >= zero};
  const Mask left = up[0] ^ up[2], right = up[1] ^ up[3], low = up[0] ^ up[1], high = up[2] ^ up[3];
  cut = (left | right | low | high) & which;
  Lanes from_p = zero, from_q = F[0] / (F[0] - F[2]), to_p = one, to_q = F[1] / (F[1] - F[3]);
  if (any(low | high)) {
    const Lanes p = select(low, F[0] / (F[0] - F[1]), F[2] / (F[2] - F[3])), q = select(low, zero, one);
    from_p = select(left, from_p, p), from_q = select(left, from_q, q);
    to_p = select(right, to_p, p), to_q = select(right, to_q, q);
  }
  follow_p = abs(to_p - from_p) >= abs(to_q - from_q);
  from = select(follow_p, from_p, from_q), to = select(follow_p, to_p, to_q);
  const Lanes length = to - from;
  ahead = select(length >= zero, one, -one);
  cell.F = Bilinear<Lanes>::of(F), cell.z = Bilinear<Lanes>::of(at.z);
  x[0] = cell.at(f, from, follow_p), x[1] = cell.at(f, to, follow_p);
  for (int i : {0, 1}) {
    rim[i] = rim_at(x[i].u);
    h[i] = x[i].t + rim[i];
    rise[i] = rise_of(x[i], rim[i], ahead, zero + f.wheel.radius);
  }
  // Where t bends down it lies below its tangent, elsewhere below an end.
  highest = max(x[0].t, x[1].t) + max(x[0].dt * length, zero);
  outer = max(abs(x[0].u), abs(x[1].u));
  simple = which & (left | right) & ~(left & right & low & high) & (from_p < to_p) & cell.bears(f) &
           (outer <= f.end) & (x[0].du * x[1].du >= zero) & (highest <= f.wheel.standing - kWallRise * outer);
}

template <class Plane>
[[gnu::always_inline]] inline typename FourPieces<Plane>::Hills FourPieces<Plane>::hills(Lanes best) const {
  using namespace lane;
  const Lanes zero{}, infinity = lanes(std::numeric_limits<double>::infinity());
  Hills out{max(h[0], h[1]), Mask{}, Mask{}};
  const Lanes ground = (x[1].dt - x[0].dt) * ahead, below = ground - (rise[1] - rise[0]);
  const Mask up_first = rise[0] > zero, between = up_first & (rise[1] < zero);
  const Mask hidden = (up_first & (below > rise[0]) & (ground > rise[1])) |
                      (~up_first & (ground > -rise[0]) & (below > -rise[1]));
  const Mask hill = between | ((ground > zero) & hidden);
  if (!any(hill & simple)) return out;
  // Where h bends up at both ends there is none, and where it bends down it lies below both tangents.
  const Lanes length = to - from, w[2] = {cell.below(from, follow_p), cell.below(to, follow_p)};
  const Lanes bent = 2.0 / ((w[0] + w[1]) * length);
  Mask bends_up[2];
  for (int i : {0, 1}) {
    const Lanes other = w[1 - i], turn = other * other * bent / w[i];
    const Lanes height = max(rim[i], zero + 1e-3 * f.wheel.radius);
    bends_up[i] =
        (x[1].dt - x[0].dt) * turn -
            (x[i].u * ((x[1].du - x[0].du) * turn) + x[i].du * x[i].du * f.r2 / (height * height)) / height >
        zero;
  }
  const Lanes bound = h[0] + rise[0] * (h[1] - h[0] - rise[1] * abs(length)) / (rise[0] - rise[1]);
  const Mask level = ground <= zero, bowl = ~level & bends_up[0] & bends_up[1];
  const Mask cap = between & (level | ~(bends_up[0] | bends_up[1]));
  out.top = select(hill & ~bowl, select(cap, max(out.top, bound), infinity), out.top);
  const Lanes beaten = best - RimBest::kRounding;
  const Mask hopeful = simple & hill & ~bowl & (out.top > beaten);
  out.capped = hopeful & cap & (bound > beaten), out.odd = hopeful & ~cap;
  return out;
}

/// The tops of pieces along which h bends down, as RimCell::climb finds them: roots of a slope that is nearly
/// straight, by secants, and by halves where they leave the bracket.
template <class Plane>
[[gnu::noinline]] inline ProfilePoint<Lanes> FourPieces<Plane>::climb(Mask which) const {
  using namespace lane;
  Lanes a = from, b = to, last = a, last_s = rise[0], here = b, here_s = rise[1];
  ProfilePoint<Lanes> top = x[0];
  for (int i = 0; i < kPieceSteps && any(which); ++i) {
    const Lanes middle = 0.5 * (a + b), secant = here - here_s * (here - last) / (here_s - last_s);
    const Mask inside = (secant - a) * (secant - b) < Lanes{};
    last = here, last_s = here_s;
    here = i % 5 == 4 ? middle : select(inside, secant, middle);
    const ProfilePoint<Lanes> y = cell.at(f, here, follow_p);
    here_s = rise_of(y, rim_at(y.u), ahead, Lanes{} + f.wheel.radius);
    const Mask rises = here_s > Lanes{};
    a = select(rises, here, a), b = select(rises, b, here);
    top.p = select(which, y.p, top.p), top.q = select(which, y.q, top.q);
    top.u = select(which, y.u, top.u), top.t = select(which, y.t, top.t);
    which &= ~((abs(here_s) < kLevelPiece * abs(y.du)) | (abs(b - a) < lanes(kNoPiece)));
  }
  return top;
}

template <class Plane>
class RimFour {
 public:
  using Frame = RimFrameOf<Plane>;
  using Best = std::conditional_t<std::is_same_v<Plane, RimPlane>, RimBest, RimBests>;

  RimFour(const Frame& frame, Best& best) : f_(frame), best_(best) {}

  /// No ground of each cell asks for more than this [m], with RimHull for the rim; minus infinity where the
  /// wheel's plane does not cut it, or it is not of `which`. `best` is replaced by what is better.
  [[gnu::noinline]] Lanes visit(const FourCells& cells, Mask which) const;

 private:
  static Lanes bests(const RimBest& best) { return lane::lanes(best.h); }
  static Lanes bests(const RimBests& best) { return best.h; }
  /// Points that ask for `h`, minus infinity where there is none.
  void consider(const CellProfile<Lanes>& cell, const ProfilePoint<Lanes>& x, Lanes h, bool end) const;
  /// What RimCell says of cell i.
  template <class Look>
  double look(int i, const Look& look) const;

  const Frame& f_;
  Best& best_;
};

template <class Plane>
Lanes RimFour<Plane>::visit(const FourCells& cells, Mask which) const {
  using namespace lane;
  const Lanes zero{}, radius = zero + f_.wheel.radius;
  const Lanes nothing = lanes(-std::numeric_limits<double>::infinity());
  const FourPieces<Plane> piece(f_, cells, which);
  const auto& x = piece.x;
  const auto& h = piece.h;
  const Mask second = h[1] > h[0];
  const ProfilePoint<Lanes> end{select(second, x[1].p, x[0].p),
                                select(second, x[1].q, x[0].q),
                                select(second, x[1].u, x[0].u),
                                zero,
                                zero,
                                zero};
  consider(piece.cell, end, select(piece.simple, max(h[0], h[1]), nothing), true);

  const auto hills = piece.hills(bests(best_));
  Lanes reach = select(piece.cut, hills.top, nothing);
  const Mask beyond = piece.outer > RimHull::kWidest * radius;
  if (any(beyond)) {
    const Lanes rim_most = select(x[0].u * x[1].u > zero,
                                  max(max(piece.rim[0], piece.rim[1]), RimHull::kLeast * radius), radius);
    reach = select(beyond & piece.cut, piece.highest + rim_most, reach);
  }
  if (any(hills.capped)) {
    const ProfilePoint<Lanes> top = piece.climb(hills.capped);
    const Lanes height = piece.displacement(top);
    consider(piece.cell, top, select(hills.capped, height, nothing), false);
    reach = select(hills.capped & ~beyond, max(max(h[0], h[1]), height), reach);
  }
  const Mask alone = piece.cut & ~piece.simple;
  if (any(alone | hills.odd)) {
    for (int i = 0; i < kLanes; ++i) {
      const int m = cells.m[i], k = cells.k[i];
      if (alone[i]) reach[i] = look(i, [&](RimCell& cell) { return cell.visit(m, k); });
      if (!hills.odd[i]) continue;
      const double climbs_to = look(i, [&](RimCell& cell) {
        return cell.climb(m, k, piece.cell.lane(i), {x[0].lane(i), x[1].lane(i)}, piece.follow_p[i]);
      });
      if (!beyond[i]) reach[i] = climbs_to;
    }
  }
  return reach;
}

template <class Plane>
[[gnu::always_inline]] inline void RimFour<Plane>::consider(const CellProfile<Lanes>& cell,
                                                            const ProfilePoint<Lanes>& x, Lanes h,
                                                            bool end) const {
  using namespace lane;
  if constexpr (std::is_same_v<Plane, RimPlane>) {
    const double highest = std::max(std::max(h[0], h[1]), std::max(h[2], h[3]));
    if (!(highest >= best_.h)) return;
    for (int i = 0; i < kLanes; ++i) {
      const int m = static_cast<int>(cell.m[i]), k = static_cast<int>(cell.k[i]);
      if (h[i] >= highest && best_.is_better(highest, m, k))
        best_ = {highest, true, end, m, k, x.p[i], x.q[i], x.u[i]};
    }
  } else {
    const Mask better = best_.is_better(h, cell.m, cell.k);
    best_.h = select(better, h, best_.h), best_.found |= better;
    best_.end = end ? best_.end | better : best_.end & ~better;
    best_.m = select(better, cell.m, best_.m), best_.k = select(better, cell.k, best_.k);
    best_.p = select(better, x.p, best_.p), best_.q = select(better, x.q, best_.q);
    best_.u = select(better, x.u, best_.u);
  }
}

template <class Plane>
template <class Look>
double RimFour<Plane>::look(int i, const Look& look) const {
  if constexpr (std::is_same_v<Plane, RimPlane>) {
    RimCell cell(f_, best_);
    return look(cell);
  } else {
    const RimPlane plane = f_.wheel.lane(i);
    const RimFrame frame(f_, i, plane);
    RimBest best = best_.lane(i);
    RimCell cell(frame, best);
    const double reach = look(cell);
    best_.put(i, best);
    return reach;
  }
}

}  // namespace scree
