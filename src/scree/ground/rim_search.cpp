#include "scree/ground/rim_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scree/core/lanes.hpp"
#include "scree/ground/rim_drift.hpp"
#include "scree/terrain/height_table.hpp"

namespace scree {
namespace {

constexpr double kRimEnd = 0.9999;    // of the radius: the rim ends where it still has a tangent
constexpr double kClear = 0.5;        // of the radius: clearance beyond which nothing is looked for
constexpr double kDeepest = 3;        // of the radius: ground further above the hub than this is not reached
constexpr double kRounding = 1e-11;   // m: of bounds
constexpr double kLevelPiece = 1e-9;  // dh/du this small is a top
constexpr int kPieceSteps = 40;       // of a bracketed root inside a cell; it ends much earlier
constexpr int kBendHalves = 4;        // of a piece that bends up in one part and down in another
constexpr int kLedgeLooks = 8;        // along a piece whose ends do not bear,
constexpr int kLedgeSections = 24;    // and then beside the best of them: golden
constexpr double kOnLine =
    1e-6;                      // of a cell: a plane this near a line of samples cuts the cells on both sides
constexpr int kMostRows = 64;  // that are read for their slopes
constexpr int kGroup = RimMemo::kColumns;
static_assert(kGroup == HeightTable::kTileCells);  // a group's heights are those of whole tiles

/// A profile point of a cell: its own coordinates (0 ... 1), place in the wheel's plane, and slopes of u and
/// t along the coordinate that was followed.
struct ProfilePoint {
  double p = 0, q = 0, u = 0, t = 0, du = 0, dt = 0;
};

/// Where the profile enters or leaves a cell, in its own coordinates. Without values at first.
struct Crossing {
  double p, q;
};

/// A part of the profile in one cell, between two points of it.
struct Piece {
  ProfilePoint x[2];
  bool end[2];    ///< a crossing of an edge, where the next cell goes on
  bool follow_p;  ///< by p, else by q

  /// dh from x[0] towards x[1], per coordinate followed.
  double rise(const ProfilePoint& y, double rim) const {
    const double ahead = (follow_p ? x[1].p - x[0].p : x[1].q - x[0].q) >= 0 ? 1 : -1;
    return (y.dt - y.du * y.u / rim) * ahead;
  }
  double at(int i) const { return follow_p ? x[i].p : x[i].q; }
  /// From x[0] to a point between the two, and on from there.
  std::pair<Piece, Piece> parted(const ProfilePoint& middle) const {
    return {{{x[0], middle}, {end[0], false}, follow_p}, {{middle, x[1]}, {false, end[1]}, follow_p}};
  }
};

/// A cell's bilinear functions: value at (0, 0), along p, along q, and the twist.
struct Bilinear {
  double c, p, q, pq;
  double at(double x, double y) const { return c + p * x + q * y + pq * x * y; }
};

class CellSearch {
 public:
  CellSearch(const GridView& grid, const RimPlane& w, RimMemo* memo);
  RimContact run();

 private:
  float sample(int m, int k) const {
    return grid_.z[std::clamp(m, 0, count_m_ - 1) * stride_m_ + std::clamp(k, 0, count_k_ - 1) * stride_k_];
  }
  double z(int m, int k) const { return edged_ ? sample(m, k) : grid_.z[m * stride_m_ + k * stride_k_]; }
  HeightRange heights(int m0, int m1, int k0, int k1) const {
    return by_x_ ? grid_.heights->of_cells(m0, m1, k0, k1) : grid_.heights->of_cells(k0, k1, m0, m1);
  }
  double rim(double u) const { return std::sqrt(std::max(r2_ - u * u, 0.0)); }
  double displacement(const ProfilePoint& x) const { return x.t + rim(x.u); }
  bool beyond_wall(const ProfilePoint& x) const { return x.t > wheel_.wall_line(x.u); }
  bool on_rim(const ProfilePoint& x) const { return std::abs(x.u) <= end_; }
  /// World gradient from that per cell along m and k.
  Vec2 slopes(double along_m, double along_k) const {
    return {(by_x_ ? along_m : along_k) * grid_.per_x, (by_x_ ? along_k : along_m) * grid_.per_y};
  }
  Vec2 slopes_at(const ProfilePoint& x) const {
    return slopes(cell_z_.p + cell_z_.pq * x.q, cell_z_.q + cell_z_.pq * x.p);
  }
  bool bears(const ProfilePoint& x) const {
    if (cell_bears_) return true;
    const Vec2 at = slopes_at(x);
    return wheel_.bears(at.x(), at.y());
  }
  double rise(const Piece& piece, const ProfilePoint& x) const {
    return piece.rise(x, std::max(rim(x.u), 1e-3 * wheel_.radius));
  }
  Vec3 tangent(double u) const { return rim(u) / wheel_.radius * wheel_.n + u / wheel_.radius * wheel_.b; }

  struct Trace {
    double low, high;  ///< row at column 0
  };
  Trace trace(double low, double high) const;
  HeightRange group_heights(int m0, RimMemo::Group& kept) const;
  void read_columns(int m0, RimMemo::Group& kept) const;
  struct Span {
    double from, to;  ///< along the wheel [m]
  };
  Span group_span(int m0, const HeightRange& range, const Trace& beside) const;
  Lanes column_bounds(int m, const RimMemo::Group& kept, int i) const;
  bool can_beat(double bound) const { return bound > best_.h - kRounding; }
  /// Of two that are equal the one in the first cell: it does not matter in what order cells are visited.
  bool is_better(double h) const {
    return h > best_.h || (best_.found && h == best_.h && (m_ < best_m_ || (m_ == best_m_ && k_ < best_k_)));
  }
  void visit_group(int index);
  void visit_columns(int m0, const Trace& beside, RimMemo::Group& kept);
  void follow(int m0, const HeightRange& range, double widest, RimMemo::Group& kept) const;
  double steepest_across(int m0, const RimMemo::Group& kept) const;
  double most(double u0, double u1, double highest) const;
  void reached(double h) { column_reach_ = std::max(column_reach_, h); }
  void visit_column(int m, int k0, int k1);
  void visit_cell(int m, int k, const double (&zs)[4], const double (&F)[4]);
  bool whole_cell_bears() const;
  void visit_piece(const Crossing& from, const Crossing& to);
  void visit_part(const Piece& piece);
  bool is_walled(const Piece& piece) const;
  void visit_cut(Piece piece);
  void visit_steep(Piece piece);
  void visit_ground(const Piece& piece);
  void climb(const Piece& piece, int halves = kBendHalves);
  double bend(const Piece& piece, int end) const;
  double highest(const Piece& piece) const;
  ProfilePoint most_bearing(const Piece& piece) const;
  template <class Inside>
  bool keep(Piece& piece, const Inside& inside) const;
  ProfilePoint at(double x, bool follow_p) const;
  template <class Inside>
  ProfilePoint border(ProfilePoint in, ProfilePoint out, bool follow_p, const Inside& inside) const;
  void consider(const ProfilePoint& x, bool end);
  void consider_tip(const ProfilePoint& x);
  void take(const ProfilePoint& x, bool end);
  Vec2 slopes_in(int m, int k, double p, double q) const;
  Vec2 slopes_beyond(int m, int k, double p, double q) const;
  void finish();

  const GridView& grid_;
  RimPlane wheel_;
  RimMemo* memo_;
  double r2_, end_, lowest_u_;
  double lowest_z_, highest_z_;  // ground that is looked at [m]
  // The grid seen along the profile: m is the index along which the plane's trace mostly runs.
  bool by_x_, edged_ = false;
  int count_m_, count_k_;
  std::ptrdiff_t stride_m_, stride_k_;
  Bilinear F_, U_, T_;          // of (m, k) and, in `pq`, of the height above the datum
  double reach_m0_, reach_m1_;  // index range of the rim

  double tilt_, per_q_, per_b_, per_2r_;  // rows of the trace per column, 1 / -F_.q, 1 / b_z, 1 / 2R
  Trace wide_;                            // of all ground that is looked at
  RimDrift drift_;                        // since the search before
  bool follows_ = false;                  // what was kept of that
  // The cell at hand.
  int m_ = 0, k_ = 0;
  Bilinear cell_F_{}, cell_z_{};
  bool cell_bears_ = false;
  double cell_most_ = 0;     // bounds its h
  double column_reach_ = 0;  // and this all of its column, so far
  // The best so far.
  RimContact best_;
  int best_m_ = 0, best_k_ = 0;
  ProfilePoint best_at_;
  bool best_end_ = false;
};

CellSearch::CellSearch(const GridView& grid, const RimPlane& w, RimMemo* memo)
    : grid_(grid), wheel_(w), memo_(memo), r2_(w.radius * w.radius), end_(kRimEnd * w.radius) {
  by_x_ = std::abs(w.a.y()) >= std::abs(w.a.x());
  const int major = by_x_ ? 0 : 1, minor = 1 - major;
  const double step[2] = {1 / grid.per_x, 1 / grid.per_y}, origin[2] = {grid.x_min, grid.y_min};
  const int counts[2] = {grid.nx, grid.ny};
  const std::ptrdiff_t strides[2] = {1, grid.nx};
  count_m_ = counts[major], count_k_ = counts[minor];
  stride_m_ = strides[major], stride_k_ = strides[minor];
  const Vec3 from(origin[0] - w.centre.x(), origin[1] - w.centre.y(), grid.datum - w.centre.z());
  const auto along = [&](const Vec3& d) {
    return Bilinear{d.dot(from), d[major] * step[major], d[minor] * step[minor], d.z()};
  };
  F_ = along(w.a), U_ = along(w.n), T_ = along(w.b);
  lowest_u_ = -w.radius * w.n.z() / std::sqrt(w.n.z() * w.n.z() + w.b.z() * w.b.z());
  best_.h = -kClear * w.radius;
  best_.highest = -std::numeric_limits<double>::infinity();

  // Where the rim can be: u up to the radius, t from the clearance looked at to the wall.
  const double high = std::min(w.standing, kDeepest * w.radius), low = -(1 + kClear) * w.radius;
  const double centre = w.centre[major] - origin[major];
  const double ways[2] = {w.b[major] * low, w.b[major] * high};
  const double half = std::abs(w.n[major]) * w.radius;
  lowest_z_ = w.centre.z() - kDeepest * w.radius, highest_z_ = w.centre.z() + kDeepest * w.radius;
  per_q_ = -1 / F_.q, tilt_ = per_q_ * F_.p, per_b_ = 1 / w.b.z(), per_2r_ = 0.5 / w.radius;
  wide_ = trace(lowest_z_, highest_z_);
  reach_m0_ = (centre - half + std::min(ways[0], ways[1])) / step[major];
  reach_m1_ = (centre + half + std::max(ways[0], ways[1])) / step[major];
  if (!memo_) return;
  follows_ = memo_->searches > 0 && memo_->wheel.radius == w.radius;
  if (follows_) drift_ = RimDrift(memo_->wheel, w, minor);
  ++memo_->searches;
}

/// Groups of columns from the rim's lowest point outward, or from where the last contact was: the best is
/// found early and lets the rest be skipped.
RimContact CellSearch::run() {
  // Not so far out that an index overflows.
  const double far = 1e8;
  const auto group_of = [far](double m) {
    return static_cast<int>(std::floor(std::clamp(m, -far, far) * (1.0 / kGroup)));
  };
  const int first = group_of(reach_m0_), last = group_of(reach_m1_);
  const Vec3 lowest = wheel_.centre + lowest_u_ * wheel_.n - rim(lowest_u_) * wheel_.b;
  const double at =
      by_x_ ? (lowest.x() - grid_.x_min) * grid_.per_x : (lowest.y() - grid_.y_min) * grid_.per_y;
  int left = std::clamp(follows_ ? memo_->best_group : group_of(at), first, last), right = left;
  visit_group(left);
  while (left > first || right < last) {
    if (right < last) visit_group(++right);
    if (left > first) visit_group(--left);
  }
  if (memo_) memo_->wheel = wheel_, memo_->best_group = best_.found ? group_of(best_m_) : group_of(at);
  if (best_.found) finish();
  return best_;
}

/// What ground no higher than `highest` [m], at u0 ... u1 along the wheel, can reach at most: put where the
/// rim is lowest; t = (z - c_z - u n_z)/b_z is exact in the wheel's plane, and the rim itself is no lower
/// than a parabola's R - u^2 / 2R, which needs no root.
double CellSearch::most(double u0, double u1, double highest) const {
  if (u0 > end_ || u1 < -end_) return -std::numeric_limits<double>::infinity();
  const double u = std::clamp(std::clamp(lowest_u_, u0, u1), -end_, end_);
  return (highest - wheel_.centre.z() - u * wheel_.n.z()) * per_b_ + wheel_.radius - u * u * per_2r_;
}

/// Rows where the wheel's plane can cut ground between two heights: beside low ... high + tilt_ m for column
/// m.
CellSearch::Trace CellSearch::trace(double low, double high) const {
  const double at_low = per_q_ * F_.pq * (low - grid_.datum), at_high = per_q_ * F_.pq * (high - grid_.datum);
  return {per_q_ * F_.c + std::min(at_low, at_high) + std::min(tilt_, 0.0) - kOnLine,
          per_q_ * F_.c + std::max(at_low, at_high) + std::max(tilt_, 0.0) + kOnLine};
}

/// Heights of all cells of a group that the wheel's plane may cut.
HeightRange CellSearch::group_heights(int m0, RimMemo::Group& kept) const {
  const double a = tilt_ * m0, b = tilt_ * (m0 + kGroup - 1);
  const auto tile = [this](double row) {
    return std::clamp(static_cast<int>(row), 0, count_k_ - 2) / kGroup;
  };
  const int tiles[2] = {tile(wide_.low + std::min(a, b)), tile(wide_.high + std::max(a, b))};
  if (tiles[0] != kept.tiles[0] || tiles[1] != kept.tiles[1]) {
    kept.tiles[0] = tiles[0], kept.tiles[1] = tiles[1];
    kept.range = heights(m0, m0 + kGroup - 1, tiles[0] * kGroup, tiles[1] * kGroup);
    kept.slope = -1, kept.searched = 0;  // nothing is known
  }
  return {std::max(kept.range.low, lowest_z_), std::min(kept.range.high, highest_z_)};
}

/// How high and how low each column is in the rows beside the trace.
void CellSearch::read_columns(int m0, RimMemo::Group& kept) const {
  float low = 0, high = 0;
  for (int i = 0; i <= kGroup; ++i) {
    // Samples that column i and the one before it share.
    const int before = std::max(i - 1, 0), here = std::min(i, kGroup - 1);
    const int k0 = std::min(kept.k0[before], kept.k0[here]),
              k1 = std::max(kept.k1[before], kept.k1[here]) + 1;
    float least = std::numeric_limits<float>::infinity(), most = -least;
    if (edged_) {
      for (int k = k0; k <= k1; ++k) {
        const float z = sample(m0 + i, k);
        least = std::min(least, z), most = std::max(most, z);
      }
    } else {
      const float* z = grid_.z + (m0 + i) * stride_m_ + k0 * stride_k_;
      for (int k = k0; k <= k1; ++k, z += stride_k_) least = std::min(least, *z), most = std::max(most, *z);
    }
    if (i > 0) kept.low[i - 1] = std::min(low, least), kept.high[i - 1] = std::max(high, most);
    low = least, high = most;
  }
}

/// The cells of a group of columns that the wheel's plane can cut, if one can beat the best.
void CellSearch::visit_group(int index) {
  RimMemo::Group once;
  RimMemo::Group& kept = memo_ ? memo_->group[static_cast<std::size_t>(index) % RimMemo::kGroups] : once;
  const int m0 = index * kGroup;
  if (!(kept.of == grid_.z && kept.index == index && kept.by_x == by_x_)) {
    kept.of = grid_.z, kept.index = index, kept.by_x = by_x_;
    kept.tiles[0] = kept.tiles[1] = -1;
    kept.k0[0] = std::numeric_limits<std::int32_t>::min();  // no columns yet
  }
  const HeightRange range = group_heights(m0, kept);
  best_.highest = std::max(best_.highest, range.high);
  if (range.high < range.low) return;
  const Trace beside = trace(range.low, range.high);
  const Span u = group_span(m0, range, beside);
  if (!can_beat(most(u.from, u.to, range.high))) return;
  if (memo_) {
    follow(m0, range, std::max(-u.from, u.to), kept);
    if (!can_beat(kept.most + kept.drift)) return;
  }
  visit_columns(m0, beside, kept);
}

/// What the columns of a group can reach by now, after the way since the search before.
void CellSearch::follow(int m0, const HeightRange& range, double widest, RimMemo::Group& kept) const {
  const bool known = follows_ && kept.searched + 1 == memo_->searches;
  kept.searched = memo_->searches;
  if (known) {
    // As far up as RimDrift goes.
    const double high =
        wheel_.centre.z() + wheel_.radius * (RimDrift::kReach * wheel_.b.z() - std::abs(wheel_.n.z()));
    if (kept.slope < 0) kept.slope = steepest_across(m0, kept);
    kept.drift +=
        range.high < high ? drift_.most(widest, kept.slope) : std::numeric_limits<double>::infinity();
    if (kept.drift < std::numeric_limits<double>::infinity()) return;
  }
  kept.drift = 0, kept.most = std::numeric_limits<double>::infinity();
  std::fill_n(kept.reach, kGroup, kept.most);
}

/// Between any two samples of the group's tiles that follow each other across the trace.
double CellSearch::steepest_across(int m0, const RimMemo::Group& kept) const {
  const double per = by_x_ ? grid_.per_y : grid_.per_x;
  const int k0 = kept.tiles[0] * kGroup, k1 = std::min(kept.tiles[1] * kGroup + kGroup, count_k_ - 1);
  if (k1 - k0 > kMostRows) return (kept.range.high - kept.range.low) * per;
  float most = 0;
  for (int i = 0; i <= kGroup; ++i) {
    const float* z = grid_.z + std::clamp(m0 + i, 0, count_m_ - 1) * stride_m_ + k0 * stride_k_;
    for (int k = k0; k < k1; ++k, z += stride_k_) most = std::max(most, std::abs(z[stride_k_] - z[0]));
  }
  return most * per;
}

/// The most promising column first, as long as one can beat the best.
void CellSearch::visit_columns(int m0, const Trace& beside, RimMemo::Group& kept) {
  std::int32_t k0[kGroup], k1[kGroup];
  for (int i = 0; i < kGroup; ++i)
    k0[i] = static_cast<std::int32_t>(std::floor(beside.low + tilt_ * (m0 + i)));
  for (int i = 0; i < kGroup; ++i)
    k1[i] = static_cast<std::int32_t>(std::floor(beside.high + tilt_ * (m0 + i)));
  std::int32_t other = 0;
  for (int i = 0; i < kGroup; ++i) other |= (k0[i] ^ kept.k0[i]) | (k1[i] ^ kept.k1[i]);
  edged_ = m0 < 0 || m0 + kGroup >= count_m_ || std::min(k0[0], k0[kGroup - 1]) < 0 ||
           std::max(k1[0], k1[kGroup - 1]) + 2 > count_k_;
  if (other != 0) {
    std::copy_n(k0, kGroup, kept.k0), std::copy_n(k1, kGroup, kept.k1);
    read_columns(m0, kept);
  }
  double bound[kGroup], reach[kGroup];
  for (int i = 0; i < kGroup; i += kLanes) {
    Lanes here = column_bounds(m0 + i, kept, i);
    if (memo_) here = lane::min(here, lane::load(kept.reach + i) + kept.drift);
    lane::store(bound + i, here), lane::store(reach + i, here);
  }
  for (;;) {
    int next = 0;
    for (int i = 1; i < kGroup; ++i)
      if (bound[i] > bound[next]) next = i;
    if (!can_beat(bound[next])) break;
    column_reach_ = -std::numeric_limits<double>::infinity();
    visit_column(m0 + next, k0[next], k1[next]);
    bound[next] = -std::numeric_limits<double>::infinity(),
    reach[next] = std::min(reach[next], column_reach_);
  }
  if (!memo_) return;
  kept.drift = 0, kept.most = *std::max_element(reach, reach + kGroup);
  std::copy_n(reach, kGroup, kept.reach);
}

/// Where along the wheel a group can be.
CellSearch::Span CellSearch::group_span(int m0, const HeightRange& range, const Trace& beside) const {
  const double m = m0 + 0.5 * kGroup, wide = std::abs(tilt_) * (0.5 * kGroup);
  const double k = 0.5 * (beside.low + beside.high + 1) + tilt_ * m,
               rows = 0.5 * (beside.high - beside.low) + wide + 1;
  const double middle = U_.c + U_.p * m + U_.q * k + U_.pq * (0.5 * (range.low + range.high) - grid_.datum);
  const double half = (0.5 * kGroup) * std::abs(U_.p) + rows * std::abs(U_.q) +
                      std::abs(U_.pq) * (0.5 * (range.high - range.low));
  return {middle - half, middle + half};
}

/// What four columns can reach at most.
Lanes CellSearch::column_bounds(int m, const RimMemo::Group& kept, int i) const {
  using namespace lane;
  const auto widen = [](const auto* x) {
    return Lanes{static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2]),
                 static_cast<double>(x[3])};
  };
  const Lanes low = widen(kept.low + i), high = widen(kept.high + i);
  const Lanes k0 = widen(kept.k0 + i), k1 = widen(kept.k1 + i) + 1.0;
  const Lanes at = Lanes{0.5, 1.5, 2.5, 3.5} + static_cast<double>(m);
  const Lanes middle = U_.c + U_.p * at + (0.5 * U_.q) * (k0 + k1) + (0.5 * U_.pq) * (high + low);
  const Lanes half = 0.5 * (std::abs(U_.p) + std::abs(U_.q) * (k1 - k0) + std::abs(U_.pq) * (high - low));
  const Lanes from = middle - half, to = middle + half, end = lanes(end_);
  const Lanes u = clamp(clamp(lanes(lowest_u_), from, to), -end, end);
  const Lanes reach = ((grid_.datum - wheel_.centre.z()) + high - u * wheel_.n.z()) * per_b_ + wheel_.radius -
                      u * u * per_2r_;
  return select((from > end) | (to < -end), lanes(-std::numeric_limits<double>::infinity()), reach);
}

void CellSearch::visit_column(int m, int k0, int k1) {
  const double here = F_.c + F_.p * m, next = here + F_.p;
  double zs[4], F[4];  // (m, k), (m + 1, k), (m, k + 1), (m + 1, k + 1)
  zs[2] = z(m, k0), zs[3] = z(m + 1, k0);
  F[2] = here + F_.q * k0 + F_.pq * zs[2], F[3] = next + F_.q * k0 + F_.pq * zs[3];
  for (int k = k0; k <= k1; ++k) {
    zs[0] = zs[2], zs[1] = zs[3], F[0] = F[2], F[1] = F[3];
    zs[2] = z(m, k + 1), zs[3] = z(m + 1, k + 1);
    F[2] = here + F_.q * (k + 1) + F_.pq * zs[2], F[3] = next + F_.q * (k + 1) + F_.pq * zs[3];
    const bool all_up = F[0] > 0 && F[1] > 0 && F[2] > 0 && F[3] > 0;
    const bool all_down = F[0] < 0 && F[1] < 0 && F[2] < 0 && F[3] < 0;
    if (!all_up && !all_down) visit_cell(m, k, zs, F);
  }
}

void CellSearch::visit_cell(int m, int k, const double (&zs)[4], const double (&F)[4]) {
  const double highest = std::max(std::max(zs[0], zs[1]), std::max(zs[2], zs[3]));
  const double lowest = std::min(std::min(zs[0], zs[1]), std::min(zs[2], zs[3]));
  const double middle = U_.c + U_.p * (m + 0.5) + U_.q * (k + 0.5) + U_.pq * 0.5 * (highest + lowest);
  const double half = 0.5 * (std::abs(U_.p) + std::abs(U_.q) + std::abs(U_.pq) * (highest - lowest));
  cell_most_ = most(middle - half, middle + half, grid_.datum + highest);
  if (!can_beat(cell_most_)) return reached(cell_most_);

  m_ = m, k_ = k;
  cell_F_ = {F[0], F[1] - F[0], F[2] - F[0], F[3] - F[2] - F[1] + F[0]};
  cell_z_ = {zs[0], zs[1] - zs[0], zs[2] - zs[0], zs[3] - zs[2] - zs[1] + zs[0]};
  cell_bears_ = whole_cell_bears();
  if (!cell_bears_) reached(cell_most_);  // what does not bear now may later
  // Where the profile crosses the cell's edges; a corner that lies on it belongs to the upper side.
  Crossing ends[4];
  int count = 0;
  const auto crossed = [](double a, double b) { return (a >= 0) != (b >= 0); };
  if (crossed(F[0], F[2])) ends[count++] = {0, F[0] / (F[0] - F[2])};
  if (crossed(F[1], F[3])) ends[count++] = {1, F[1] / (F[1] - F[3])};
  if (crossed(F[0], F[1])) ends[count++] = {F[0] / (F[0] - F[1]), 0};
  if (crossed(F[2], F[3])) ends[count++] = {F[2] / (F[2] - F[3]), 1};
  if (count < 2) return;
  if (count == 2) {
    const bool ahead = ends[0].p < ends[1].p;
    return visit_piece(ends[ahead ? 0 : 1], ends[ahead ? 1 : 0]);
  }
  // Of a saddle the two branches lie on either side of the asymptote: neighbours along p belong together.
  std::sort(ends, ends + count, [](const Crossing& a, const Crossing& b) { return a.p < b.p; });
  visit_piece(ends[0], ends[1]);
  if (count == 4) visit_piece(ends[2], ends[3]);
}

/// By the steepest that it is anywhere along either axis.
bool CellSearch::whole_cell_bears() const {
  const Bilinear& z = cell_z_;
  const Vec2 most =
      slopes(std::max(std::abs(z.p), std::abs(z.p + z.pq)), std::max(std::abs(z.q), std::abs(z.q + z.pq)));
  const double steep = most.squaredNorm();
  const double facing = wheel_.b.z() - most.x() * std::abs(wheel_.b.x()) - most.y() * std::abs(wheel_.b.y());
  return facing > 0 && facing * facing >= kLeastBearing * kLeastBearing * (1 + steep);
}

/// The profile at p (or q) = x, with slopes along it.
ProfilePoint CellSearch::at(double x, bool follow_p) const {
  const Bilinear &F = cell_F_, &Z = cell_z_;
  ProfilePoint out;
  double dp = 1, dq = 1;
  if (follow_p) {
    const double below = F.q + F.pq * x;
    out.p = x;
    out.q = std::clamp(-(F.c + F.p * x) / (below != 0 ? below : 1e-300), 0.0, 1.0);
    dq = -(F.p + F.pq * out.q) / (below != 0 ? below : 1e-300);
  } else {
    const double below = F.p + F.pq * x;
    out.q = x;
    out.p = std::clamp(-(F.c + F.q * x) / (below != 0 ? below : 1e-300), 0.0, 1.0);
    dp = -(F.q + F.pq * out.p) / (below != 0 ? below : 1e-300);
  }
  const double height = Z.at(out.p, out.q);
  const double dz = (Z.p + Z.pq * out.q) * dp + (Z.q + Z.pq * out.p) * dq;
  out.u = U_.c + U_.p * (m_ + out.p) + U_.q * (k_ + out.q) + U_.pq * height;
  out.t = T_.c + T_.p * (m_ + out.p) + T_.q * (k_ + out.q) + T_.pq * height;
  out.du = U_.p * dp + U_.q * dq + U_.pq * dz;
  out.dt = T_.p * dp + T_.q * dq + T_.pq * dz;
  return out;
}

/// Where the profile leaves what is `inside`, between a point that is and one that is not.
template <class Inside>
ProfilePoint CellSearch::border(ProfilePoint in, ProfilePoint out, bool follow_p,
                                const Inside& inside) const {
  for (int i = 0; i < 40; ++i) {
    const ProfilePoint middle = at(follow_p ? 0.5 * (in.p + out.p) : 0.5 * (in.q + out.q), follow_p);
    (inside(middle) ? in : out) = middle;
  }
  return in;
}

/// What of a piece is `inside`, if an end of it is.
template <class Inside>
bool CellSearch::keep(Piece& piece, const Inside& inside) const {
  ProfilePoint(&x)[2] = piece.x;
  const bool in[2] = {inside(x[0]), inside(x[1])};
  for (int i : {0, 1}) {
    if (in[1 - i] && !in[i]) x[i] = border(x[1 - i], x[i], piece.follow_p, inside), piece.end[i] = false;
  }
  return in[0] || in[1];
}

/// Along a piece p and q, and with them u and t, are alpha + beta x + gamma/(x - pole) of the coordinate x
/// that is followed: each bends to one side throughout, so that its slope passes zero once at most.
void CellSearch::visit_piece(const Crossing& from, const Crossing& to) {
  const bool follow_p = std::abs(to.p - from.p) >= std::abs(to.q - from.q);
  const Piece piece{{at(follow_p ? from.p : from.q, follow_p), at(follow_p ? to.p : to.q, follow_p)},
                    {true, true},
                    follow_p};
  const ProfilePoint(&x)[2] = piece.x;
  if (!(x[0].du * x[1].du < 0)) return visit_part(piece);
  const double sign = x[0].du;
  const auto [first, rest] =
      piece.parted(border(x[0], x[1], follow_p, [sign](const ProfilePoint& y) { return y.du * sign > 0; }));
  visit_part(first);
  visit_part(rest);
}

/// A piece along which u goes one way. Most lie on the rim and below the line of walls.
void CellSearch::visit_part(const Piece& piece) {
  if (!on_rim(piece.x[0]) || !on_rim(piece.x[1]) || is_walled(piece)) return visit_cut(piece);
  cell_bears_ ? visit_ground(piece) : visit_steep(piece);
}

/// Whether some of a piece may lie beyond the line of walls.
bool CellSearch::is_walled(const Piece& piece) const {
  const ProfilePoint(&x)[2] = piece.x;
  return beyond_wall(x[0]) || beyond_wall(x[1]) ||
         highest(piece) > wheel_.wall_line(std::max(std::abs(x[0].u), std::abs(x[1].u)));
}

/// What of a piece lies on the rim and below the line of walls.
void CellSearch::visit_cut(Piece piece) {
  const ProfilePoint(&x)[2] = piece.x;
  const bool follow_p = piece.follow_p;
  const auto visit_parts = [this, &piece](const ProfilePoint& middle) {
    const auto [first, rest] = piece.parted(middle);
    visit_part(first);
    visit_part(rest);
  };
  const auto same_side = [side = x[0].u](const ProfilePoint& y) { return y.u * side > 0; };
  if (!on_rim(x[0]) && !on_rim(x[1])) {  // all of the rim, or nothing
    if (!same_side(x[1])) visit_parts(border(x[0], x[1], follow_p, same_side));
    return;
  }
  keep(piece, [this](const ProfilePoint& y) { return on_rim(y); });
  // Between two ends beyond the line of walls the ground may dip below it, and rise above it between two
  // others.
  const bool beyond = beyond_wall(x[0]);
  const bool walled = is_walled(piece);
  if (walled) reached(cell_most_);  // what is a wall now may be ground later
  if (beyond == beyond_wall(x[1]) && walled) {
    if (x[0].u * x[1].u < 0) {
      ProfilePoint middle = border(x[0], x[1], follow_p, same_side);
      middle.u = 0;
      return visit_parts(middle);
    }
    const double rise = x[0].u + x[1].u > 0 ? kWallRise : -kWallRise;
    const double ahead = (piece.at(1) - piece.at(0)) * (beyond ? -1 : 1);
    const auto towards = [=](const ProfilePoint& y) { return (y.dt + rise * y.du) * ahead > 0; };
    if (towards(x[0]) && !towards(x[1])) {
      const ProfilePoint turn = border(x[0], x[1], follow_p, towards);
      if (beyond_wall(turn) != beyond) return visit_parts(turn);
    }
    if (beyond) return;
  }
  keep(piece, [this](const ProfilePoint& y) { return !beyond_wall(y); });
  cell_bears_ ? visit_ground(piece) : visit_steep(piece);
}

void CellSearch::visit_ground(const Piece& piece) {
  for (int i : {0, 1}) consider(piece.x[i], piece.end[i]);
  climb(piece);
}

/// In a cell that may not bear: a tip, what bears of the piece, or what does between two ends that do not.
void CellSearch::visit_steep(Piece piece) {
  const ProfilePoint(&x)[2] = piece.x;
  if (piece.end[0] && rise(piece, x[0]) < 0) consider_tip(x[0]);
  if (piece.end[1] && rise(piece, x[1]) > 0) consider_tip(x[1]);
  const auto bearing = [this](const ProfilePoint& y) { return bears(y); };
  if (keep(piece, bearing)) return visit_ground(piece);
  const ProfilePoint ledge = most_bearing(piece);
  if (!bears(ledge)) return;
  auto [first, rest] = piece.parted(ledge);
  keep(first, bearing), keep(rest, bearing);
  visit_ground(first);
  visit_ground(rest);
}

/// The place along a piece where the ground faces the suspension most.
ProfilePoint CellSearch::most_bearing(const Piece& piece) const {
  const double from = piece.at(0), step = (piece.at(1) - from) / kLedgeLooks;
  const auto cosine = [this](const ProfilePoint& y) {
    const Vec2 slope = slopes_at(y);
    return Vec3(-slope.x(), -slope.y(), 1).dot(wheel_.b) / std::sqrt(1 + slope.squaredNorm());
  };
  double best = 0, most = -2;
  for (int i = 1; i < kLedgeLooks; ++i) {
    const double x = from + i * step, here = cosine(at(x, piece.follow_p));
    if (here > most) most = here, best = x;
  }
  constexpr double kGolden = 0.6180339887498949;
  double a = best - step, b = best + step;
  for (int i = 0; i < kLedgeSections; ++i) {
    const ProfilePoint left = at(b - kGolden * (b - a), piece.follow_p),
                       right = at(a + kGolden * (b - a), piece.follow_p);
    if (bears(left)) return left;
    if (bears(right)) return right;
    if (cosine(left) > cosine(right)) {
      b = a + kGolden * (b - a);
    } else {
      a = b - kGolden * (b - a);
    }
  }
  return at(0.5 * (a + b), piece.follow_p);
}

/// Second derivative of h along the coordinate followed, at an end. That of u and t is as 1/(x - pole)³.
double CellSearch::bend(const Piece& piece, int end) const {
  const ProfilePoint(&x)[2] = piece.x;
  const Bilinear& F = cell_F_;
  const double w0 = piece.follow_p ? F.q + F.pq * x[0].p : F.p + F.pq * x[0].q,
               w1 = piece.follow_p ? F.q + F.pq * x[1].p : F.p + F.pq * x[1].q, w = end == 0 ? w0 : w1;
  const double here = 2 * w0 * w0 * w1 * w1 / ((w0 + w1) * w * w * w) / (piece.at(1) - piece.at(0));
  const double ddt = (x[1].dt - x[0].dt) * here, ddu = (x[1].du - x[0].du) * here;
  const ProfilePoint& y = x[end];
  const double height = std::max(rim(y.u), 1e-3 * wheel_.radius);
  return ddt - (y.u * ddu + y.du * y.du * r2_ / (height * height)) / height;
}

/// The highest that t can be on a piece: where it bends down, below both of its tangents.
double CellSearch::highest(const Piece& piece) const {
  const ProfilePoint(&x)[2] = piece.x;
  const double length = piece.at(1) - piece.at(0), s0 = x[0].dt * length, s1 = x[1].dt * length;
  const double ends = std::max(x[0].t, x[1].t);
  return s0 > 0 && s1 < 0 ? std::max(ends, x[0].t + s0 * (x[1].t - x[0].t - s1) / (s0 - s1)) : ends;
}

/// To a top inside a piece. Where h bends down throughout there is one at most, and where it bends up none;
/// else it is sought in halves.
void CellSearch::climb(const Piece& piece, int halves) {
  const ProfilePoint(&x)[2] = piece.x;
  const bool follow_p = piece.follow_p;
  const double s0 = rise(piece, x[0]), s1 = rise(piece, x[1]);
  const bool hill = s0 > 0 && s1 < 0;
  // h' is t' less that of the rim. Both rise, if t bends up, by so much: enough to hide a hill between the
  // ends?
  const double ground = (x[1].dt - x[0].dt) * (piece.at(1) >= piece.at(0) ? 1 : -1),
               below = ground - (s1 - s0);
  const bool hidden = s0 > 0 ? below > s0 && ground > s1 : ground > -s0 && below > -s1;
  if (!hill && !(ground > 0 && hidden)) return;
  bool up[2] = {false, false};
  if (ground > 0) up[0] = bend(piece, 0) > 0, up[1] = bend(piece, 1) > 0;
  if (up[0] != up[1] && halves > 0) {
    const double nearest = x[0].u * x[1].u > 0 ? std::min(std::abs(x[0].u), std::abs(x[1].u)) : 0.0;
    const double bound = highest(piece) + rim(nearest);
    if (!can_beat(bound)) return reached(bound);
    const auto [first, rest] = piece.parted(at(0.5 * (piece.at(0) + piece.at(1)), follow_p));
    climb(first, halves - 1);
    return climb(rest, halves - 1);
  }
  if (!hill) return;
  double a = piece.at(0), b = piece.at(1);
  const double h0 = displacement(x[0]), h1 = displacement(x[1]);
  if (!up[0] && !up[1]) {  // below both tangents
    const double bound = h0 + s0 * (h1 - h0 - s1 * std::abs(b - a)) / (s0 - s1);
    if (!can_beat(bound)) return reached(bound);
  }
  // The root of a slope that is nearly straight: secants, and by halves where they leave the bracket.
  double last = a, last_s = s0, here = b, here_s = s1;
  ProfilePoint top;
  for (int i = 0; i < kPieceSteps; ++i) {
    double next = here - here_s * (here - last) / (here_s - last_s);
    if (!((next - a) * (next - b) < 0) || i % 5 == 4) next = 0.5 * (a + b);
    top = at(next, follow_p);
    last = here, last_s = here_s;
    here = next, here_s = rise(piece, top);
    (here_s > 0 ? a : b) = next;
    if (std::abs(here_s) < kLevelPiece * std::abs(top.du) || std::abs(b - a) < 1e-12) break;
  }
  const auto bearing = [this](const ProfilePoint& y) { return bears(y); };
  if (bears(top)) return consider(top, false);
  for (int i : {0, 1})
    if (bears(x[i])) consider(border(x[i], top, follow_p, bearing), false);
}

/// A point of the ground.
void CellSearch::consider(const ProfilePoint& x, bool end) {
  const double h = displacement(x);
  reached(h);
  if (is_better(h)) take(x, end);
}

/// An end that the profile rises to, where this cell does not bear: with the next it may be a tip that does.
void CellSearch::consider_tip(const ProfilePoint& x) {
  if (!is_better(displacement(x))) return;
  const std::optional<Vec2> edge =
      plane_on_edge(tangent(x.u), slopes_in(m_, k_, x.p, x.q), slopes_beyond(m_, k_, x.p, x.q));
  if (edge && wheel_.bears(edge->x(), edge->y())) take(x, true);
}

void CellSearch::take(const ProfilePoint& x, bool end) {
  best_.found = true;
  best_.h = displacement(x);
  best_.sine = x.u / wheel_.radius;
  best_m_ = m_, best_k_ = k_, best_at_ = x, best_end_ = end;
}

Vec2 CellSearch::slopes_in(int m, int k, double p, double q) const {
  const double z00 = sample(m, k), z10 = sample(m + 1, k), z01 = sample(m, k + 1), z11 = sample(m + 1, k + 1);
  const double twist = z11 - z10 - z01 + z00;
  return slopes(z10 - z00 + twist * q, z01 - z00 + twist * p);
}

/// Of the cell beyond the edge on which a point of this one lies.
Vec2 CellSearch::slopes_beyond(int m, int k, double p, double q) const {
  const double gaps[4] = {p, 1 - p, q, 1 - q};
  switch (std::min_element(gaps, gaps + 4) - gaps) {
    case 0:
      return slopes_in(m - 1, k, 1, q);
    case 1:
      return slopes_in(m + 1, k, 0, q);
    case 2:
      return slopes_in(m, k - 1, p, 1);
    default:
      return slopes_in(m, k + 1, p, 0);
  }
}

void CellSearch::finish() {
  const double p = best_at_.p, q = best_at_.q;
  const Vec2 own = slopes_in(best_m_, best_k_, p, q);
  best_.slope_x = own.x(), best_.slope_y = own.y();
  if (best_end_)  // the next cell meets it there
    touch_edge(wheel_, tangent(best_at_.u), own, slopes_beyond(best_m_, best_k_, p, q), best_);
}

}  // namespace

std::optional<Vec2> plane_on_edge(const Vec3& t, const Vec2& one, const Vec2& other) {
  const double here = t.z() - one.x() * t.x() - one.y() * t.y();
  const double there = t.z() - other.x() * t.x() - other.y() * t.y();
  if ((here > 0) == (there > 0)) return {};
  return one + here / (here - there) * (other - one);
}

void touch_edge(const RimPlane& w, const Vec3& tangent, const Vec2& one, const Vec2& other, RimContact& c) {
  const std::optional<Vec2> edge = plane_on_edge(tangent, one, other);
  if (edge && w.faces(edge->x(), edge->y())) c.slope_x = edge->x(), c.slope_y = edge->y();
}

RimContact search_cells(const GridView& grid, const RimPlane& wheel, RimMemo* memo) {
  return CellSearch(grid, wheel, memo).run();
}

}  // namespace scree
