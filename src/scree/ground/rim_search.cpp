#include "scree/ground/rim_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "scree/core/lanes.hpp"
#include "scree/ground/rim_drift.hpp"
#include "scree/ground/rim_four.hpp"
#include "scree/terrain/height_table.hpp"
#include "scree/terrain/slope_table.hpp"

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int kGroup = RimMemo::kColumns;
static_assert(kGroup == HeightTable::kTileCells);  // a group's heights are those of whole tiles
constexpr double kKeptHigh = 1.5;   // of the radius: what is kept is of no ground higher above the hub,
constexpr double kKeptWide = 4;     // nor as far ahead or behind, of no wheel
constexpr double kKeptLean = 0.5;   // that is pitched more (n_z), and says nothing
constexpr double kLeastReach = -1;  // of ground that asks for less than this, of the radius
constexpr double kOnBorder = 1e-6;  // of a row, for rounding
constexpr double kUnknown = -1;     // slope that nobody asked for yet
constexpr int kMostKept = RimMemo::kMost;

class RimSearch {
 public:
  RimSearch(const GridView& grid, const RimPlane& wheel, RimMemo* memo);
  RimContact run();

 private:
  struct Tiles {
    double rows[2];  ///< of the trace
    int low, high;
  };
  Tiles tiles_of(int group) const;
  HeightRange heights_of(int group, const Tiles& tiles) const;
  double steepest(int group, int low, int high) const;
  bool is_kept() const;
  void survey();
  void survey_on();
  double slope();
  void look_near();
  double widest() const;
  bool can_follow() const;

  void look_anew();
  double most(int group) const;
  bool look_on();
  RimDrift drift();
  bool visit_hot(std::span<const int> hot, double* bound);
  void keep(const double* reach);

  bool has(int i) const { return static_cast<unsigned>(i) < static_cast<unsigned>(count_); }
  void add_column(int m, double* reach);
  void visit_cells();
  RimContact contact() const;

  const RimFrame f_;
  RimMemo* memo_;
  RimBest best_;
  int first_, last_;     // groups of columns that the rim can meet
  int from_, count_;     // columns: of these groups, or of all that are kept
  RimFrame::Rows wide_;  // of all ground that is looked at
  // Of the ground that there is:
  HeightRange range_{0, 0};  // over all columns [m]
  double highest_ = 0;       // over those that the rim can meet [m]
  RimFrame::Rows beside_{0, 0};
  double u_first_ = 0, u_step_ = 0,
         u_half_ = 0;  // along the wheel: column i is at u_first + u_step i -+ u_half
  // Cells that are still to be visited, and whose reach they are part of.
  RimFour::Cells cells_;
  double* reach_[kLanes];
};

/// Not so far out that an index overflows.
int group_of(double m) {
  constexpr double kFar = 1e8;
  return static_cast<int>(std::floor(std::clamp(m, -kFar, kFar) * (1.0 / kGroup)));
}

RimSearch::RimSearch(const GridView& grid, const RimPlane& w, RimMemo* memo)
    : f_(grid, w),
      memo_(memo),
      best_{-kRimClear * w.radius},
      first_(group_of(f_.reach_from)),
      last_(group_of(f_.reach_to)),
      from_(first_ * kGroup),
      count_((last_ - first_ + 1) * kGroup),
      wide_(f_.rows(f_.lowest_z, f_.highest_z)) {
  cells_.count = 0;
  if (count_ > kMostKept) memo_ = nullptr;
}

RimContact RimSearch::run() {
  if (!(memo_ && is_kept() && look_on())) look_anew();
  if (memo_) memo_->best = best_.m, memo_->beside = best_.p < 0.5 ? best_.m - 1 : best_.m + 1;
  return contact();
}

/// Tiles of rows of a group's columns that the wheel's plane may cut.
RimSearch::Tiles RimSearch::tiles_of(int group) const {
  const double a = f_.tilt * (group * kGroup), b = f_.tilt * (group * kGroup + kGroup - 1);
  const double rows[2] = {wide_.low + std::min(a, b), wide_.high + std::max(a, b)};
  const auto tile = [this](double row) {
    return std::clamp(static_cast<int>(row), 0, f_.count_k - 2) / kGroup;
  };
  return {{rows[0], rows[1]}, tile(rows[0]), tile(rows[1])};
}

/// How high they are.
HeightRange RimSearch::heights_of(int group, const Tiles& tiles) const {
  const int m0 = group * kGroup, m1 = m0 + kGroup - 1, k0 = tiles.low * kGroup, k1 = tiles.high * kGroup;
  return f_.by_x ? f_.grid.heights->of_cells(m0, m1, k0, k1) : f_.grid.heights->of_cells(k0, k1, m0, m1);
}

/// In these tiles, and a cell beyond them.
double RimSearch::steepest(int group, int low, int high) const {
  const double m0 = group * kGroup - 0.5, m1 = m0 + kGroup + 1, k0 = low * kGroup - 1.5,
               k1 = high * kGroup + kGroup + 1.5;
  const auto [x0, x1, y0, y1] = f_.by_x ? Rectangle{m0, m1, k0, k1} : Rectangle{k0, k1, m0, m1};
  const double step_x = 1 / f_.grid.per_x, step_y = 1 / f_.grid.per_y;
  return f_.grid.slopes->bound({f_.grid.x_min + x0 * step_x, f_.grid.x_min + x1 * step_x,
                                f_.grid.y_min + y0 * step_y, f_.grid.y_min + y1 * step_y});
}

/// Whether all columns that the rim can meet are kept.
bool RimSearch::is_kept() const {
  const RimMemo& kept = *memo_;
  return kept.of == f_.grid.z && kept.by_x == f_.by_x && kept.from <= from_ &&
         kept.from + kept.count >= from_ + count_ && kept.wheel.radius == f_.wheel.radius;
}

/// Heights of the tiles that the wheel's plane may cut, and how far rows may move until there are others.
void RimSearch::survey() {
  double down = kGroup, up = kGroup;
  range_ = {infinity, -infinity}, highest_ = -infinity;
  RimMemo::Tiles once;
  for (int group = from_ / kGroup, i = 0; i * kGroup < count_; ++group, ++i) {
    const Tiles tiles = tiles_of(group);
    RimMemo::Tiles& kept = memo_ ? memo_->tiles[i] : once;
    if (!memo_ || tiles.low != kept.low || tiles.high != kept.high)
      kept = {tiles.low, tiles.high, heights_of(group, tiles), kUnknown};
    range_ = {std::min(range_.low, kept.range.low), std::max(range_.high, kept.range.high)};
    if (group >= first_ && group <= last_) highest_ = std::max(highest_, kept.range.high);
    for (const double row : tiles.rows) {
      const double into = row - kGroup * std::floor(row * (1.0 / kGroup));
      down = std::min(down, into), up = std::min(up, kGroup - into);
    }
  }
  if (!memo_) return;
  memo_->first = first_, memo_->last = last_;
  memo_->low = wide_.low, memo_->high = wide_.high, memo_->tilt = f_.tilt;
  memo_->down = down - kOnBorder, memo_->up = up - kOnBorder;
  memo_->range = range_, memo_->highest = highest_, memo_->slope = kUnknown;
}

/// Slopes of what was surveyed.
double RimSearch::slope() {
  if (memo_->slope != kUnknown) return memo_->slope;
  double most = 0;
  for (int group = from_ / kGroup, i = 0; i * kGroup < count_; ++group, ++i) {
    RimMemo::Tiles& kept = memo_->tiles[i];
    if (kept.slope == kUnknown) kept.slope = steepest(group, kept.low, kept.high);
    most = std::max(most, kept.slope);
  }
  return memo_->slope = most;
}

/// The same where tiles may still be those that were kept, and how steep the ground is there.
void RimSearch::survey_on() {
  RimMemo& kept = *memo_;
  // How many rows the trace has moved: most in the first or the last column.
  const double low = wide_.low - kept.low, high = wide_.high - kept.high, turned = f_.tilt - kept.tilt;
  const double a = turned * from_, b = turned * (from_ + count_ - 1);
  const double down = std::min(low, high) + std::min(a, b), up = std::max(low, high) + std::max(a, b);
  if (kept.first == first_ && kept.last == last_ && -down < kept.down && up < kept.up) {
    range_ = kept.range, highest_ = kept.highest;
  } else {
    survey();
  }
}

/// Where the wheel's plane can cut the ground.
void RimSearch::look_near() {
  const double low = std::max(range_.low, f_.lowest_z), high = std::min(range_.high, f_.highest_z);
  const RimFrame::Linear& U = f_.U;
  beside_ = f_.rows(low, high);
  u_step_ = U.m + U.k * f_.tilt;
  u_first_ = U.c + 0.5 * U.m + u_step_ * from_ + U.k * (0.5 * (beside_.low + beside_.high)) +
             U.z * (0.5 * (low + high) - f_.grid.datum);
  u_half_ =
      0.5 * (std::abs(U.m) + std::abs(U.k) * (beside_.high - beside_.low) + std::abs(U.z) * (high - low));
}

/// Groups of columns from the rim's lowest point outward: the best is found early and lets the rest be
/// skipped.
void RimSearch::look_anew() {
  from_ = first_ * kGroup, count_ = (last_ - first_ + 1) * kGroup;
  if (memo_) {
    for (int i = 0; i * kGroup < count_; ++i) memo_->tiles[i].low = -1;  // none
  }
  survey();
  look_near();
  double once[kMostKept];
  double* const reach = memo_ ? memo_->reach : once;
  const auto visit = [&](int group) {
    const double bound = most(group);
    double* const to = reach + (memo_ ? (group - first_) * kGroup : 0);
    const bool near = best_.can_beat(bound);
    std::fill_n(to, kGroup, near ? -infinity : bound);
    if (!near) return;
    for (int i = 0; i < kGroup; ++i) add_column(group * kGroup + i, to + i);
  };
  if (std::max(range_.low, f_.lowest_z) <= std::min(range_.high, f_.highest_z)) {
    int left = std::clamp(group_of((f_.lowest_u - u_first_) / u_step_ + from_), first_, last_), right = left;
    visit(left);
    visit_cells();
    while (left > first_ || right < last_) {
      if (right < last_) visit(++right);
      if (left > first_) visit(--left);
    }
    visit_cells();
  } else if (memo_) {
    std::fill_n(reach, count_, infinity);
  }
  if (!memo_) return;
  memo_->of = nullptr;
  if (!can_follow()) return;  // nobody would look at it
  memo_->of = f_.grid.z, memo_->by_x = f_.by_x, memo_->from = from_, memo_->count = count_;
  keep(reach);
}

/// What a group of columns can reach at most: its highest sample put where the rim is lowest; t = (z - c_z -
/// u n_z)/b_z is exact in the wheel's plane.
double RimSearch::most(int group) const {
  const double middle = u_first_ + u_step_ * ((group - first_) * kGroup + 0.5 * (kGroup - 1)),
               half = u_half_ + std::abs(u_step_) * (0.5 * (kGroup - 1));
  const double u = std::clamp(f_.lowest_u, middle - half, middle + half);
  const double high =
      memo_ ? memo_->tiles[group - first_].range.high : heights_of(group, tiles_of(group)).high;
  return (high - f_.wheel.centre.z() - u * f_.wheel.n.z()) * f_.per_b +
         RimHull::at(u, f_.wheel.radius).height;
}

/// How far from the hub columns are [m].
double RimSearch::widest() const {
  return std::max(std::abs(u_first_), std::abs(u_first_ + u_step_ * (count_ - 1))) + u_half_;
}

/// Whether ground and wheel are such that what is kept can be followed.
bool RimSearch::can_follow() const {
  const RimPlane& w = f_.wheel;
  return range_.high < w.centre.z() + kKeptHigh * w.radius && std::abs(w.n.z()) < kKeptLean &&
         widest() < kKeptWide * w.radius;
}

RimDrift RimSearch::drift() {
  const RimPlane& w = f_.wheel;
  const double widest = this->widest(), pitched = widest * std::abs(w.n.z());
  const double low = (std::max(range_.low, f_.lowest_z) - w.centre.z() - pitched) * f_.per_b,
               high = (range_.high - w.centre.z() + pitched) * f_.per_b;
  return {memo_->wheel, w, {f_.by_x ? 1 : 0, slope(), f_.step_k, low, high, widest}};
}

/// From what was kept; false: that does not help.
bool RimSearch::look_on() {
  from_ = memo_->from, count_ = memo_->count;
  survey_on();
  look_near();
  if (!can_follow()) return false;
  const RimDrift d = drift();
  if (!d.known) return false;
  // Where the highest contact was, everything else is compared with what is there now.
  const int start[2] = {memo_->best - from_, memo_->beside - from_};
  double of_start[2] = {-infinity, -infinity};
  if (has(start[0])) add_column(memo_->best, of_start);
  if (has(start[1])) add_column(memo_->beside, of_start + 1);
  visit_cells();

  using namespace lane;
  // Their own bounds are of no concern.
  double* const reach = memo_->reach;
  const double before[2] = {has(start[0]) ? reach[start[0]] : 0, has(start[1]) ? reach[start[1]] : 0};
  for (const int i : start)
    if (has(i)) reach[i] = -infinity;
  double bound[kMostKept];
  int hot[kMostKept / kLanes], count = 0;
  const double* fall = d.along > 0 ? memo_->fall_high : memo_->fall_low;
  const double edge = d.turn > 0 ? memo_->u_half : -memo_->u_half, step = d.turn * memo_->u_step;
  Lanes moved = (d.rise + d.turn * (memo_->u_first + edge)) + step * Lanes{0, 1, 2, 3};
  const Lanes on = lanes(kLanes * step), along = lanes(d.along), best = lanes(best_.h - RimBest::kRounding);
  for (int i = 0, end = count_; i < end; i += kLanes, moved += on) {
    const Lanes here = load(reach + i) + (moved + along * load(fall + i));
    store(bound + i, here);
    if (any(here > best)) hot[count++] = i;
  }
  const bool looked = visit_hot({hot, static_cast<std::size_t>(count)}, bound);
  for (const int i : {0, 1})
    if (has(start[i])) reach[start[i]] = before[i], bound[start[i]] = of_start[i];
  if (looked) keep(bound);
  return true;
}

/// Columns that may beat the best, of fours in which there are some. Whether any was looked at.
bool RimSearch::visit_hot(std::span<const int> hot, double* bound) {
  bool looked = false;
  for (const int four : hot) {
    for (int i = four; i < four + kLanes; ++i) {
      if (!best_.can_beat(bound[i])) continue;
      bound[i] = -infinity;
      add_column(from_ + i, bound + i);
      looked = true;
    }
  }
  visit_cells();
  return looked;
}

/// How high columns reach with the wheel where it is now.
void RimSearch::keep(const double* reach) {
  using namespace lane;
  RimMemo& to = *memo_;
  to.wheel = f_.wheel;
  to.u_first = u_first_, to.u_step = u_step_, to.u_half = u_half_;
  const double radius = f_.wheel.radius;
  const Lanes least = lanes(kLeastReach * radius), half = lanes(u_half_);
  for (int i = 0; i < count_; i += kLanes) {
    const Lanes u = u_first_ + u_step_ * (static_cast<double>(i) + Lanes{0, 1, 2, 3});
    store(to.reach + i, max(load(reach + i), least));
    store(to.fall_low + i, RimHull::at(u - half, radius).fall);
    store(to.fall_high + i, RimHull::at(u + half, radius).fall);
  }
}

inline void RimSearch::add_column(int m, double* reach) {
  const double row = f_.tilt * m;
  const int last = static_cast<int>(std::floor(beside_.high + row));
  for (int k = static_cast<int>(std::floor(beside_.low + row)); k <= last; ++k) {
    const int i = cells_.count++;
    if (i == 0) std::fill_n(cells_.m, kLanes, m), std::fill_n(cells_.k, kLanes, k);
    cells_.m[i] = m, cells_.k[i] = k, reach_[i] = reach;
    if (i == kLanes - 1) visit_cells();
  }
}

[[gnu::noinline]] void RimSearch::visit_cells() {
  if (cells_.count == 0) return;
  const Lanes reach = RimFour(f_, best_).visit(cells_);
  for (int i = 0; i < cells_.count; ++i) *reach_[i] = std::max(*reach_[i], reach[i]);
  cells_.count = 0;
}

RimContact RimSearch::contact() const {
  RimContact out;
  out.found = best_.found, out.h = best_.h;
  out.highest = std::min(highest_, f_.highest_z);
  if (!best_.found) return out;
  const double p = best_.p, q = best_.q;
  out.sine = best_.u / f_.wheel.radius;
  const Vec2 own = slopes_in(f_, best_.m, best_.k, p, q);
  out.slope_x = own.x(), out.slope_y = own.y();
  if (best_.end)  // the next cell meets it there
    touch_edge(f_.wheel, f_.tangent(best_.u), own, slopes_beyond(f_, best_.m, best_.k, p, q), out);
  return out;
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
  return RimSearch(grid, wheel, memo).run();
}

}  // namespace scree
