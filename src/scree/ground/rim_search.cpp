#include "scree/ground/rim_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/ground/rim_drift.hpp"
#include "scree/ground/rim_four.hpp"
#include "scree/terrain/height_table.hpp"

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int kGroup = RimMemo::kColumns;
static_assert(kGroup == HeightTable::kTileCells);  // a group's heights are those of whole tiles
constexpr double kSteepRows = 3;                   // either side of the trace, whose slopes are known
constexpr double kKeptHigh = 1.5;                  // of the radius: what is kept is of no ground above this,
constexpr double kKeptLean = 0.5;                  // and of no wheel that is pitched more (n_z);
constexpr double kLeastReach = -1;                 // nor below this, of the radius
constexpr int kMostKept = RimMemo::kColumns * RimMemo::kGroups;

class RimSearch {
 public:
  RimSearch(const GridView& grid, const RimPlane& wheel, RimMemo* memo);
  RimContact run();

 private:
  int columns() const { return (last_ - first_ + 1) * kGroup; }
  int column(int i) const { return first_ * kGroup + i; }
  void look_near();
  struct Tiles {
    int low, high;
  };
  Tiles tiles_of(int group) const;
  HeightRange heights_of(int group) const;
  bool is_kept() const;
  double moved_since(const RimMemo::Trace& kept) const;
  void survey();
  double steepest_across() const;

  void look_anew();
  double most(int group, const HeightRange& range) const;
  bool look_on();
  RimDrift drift() const;
  bool visit_hot(const int* hot, int count, const int (&start)[2], double* bound);
  void keep(const double* reach);

  void add_column(int m, double* reach);
  void add_cell(int m, int k, double* reach);
  void visit_cells();
  RimContact contact() const;

  const RimFrame f_;
  RimMemo* memo_;
  RimBest best_;
  int first_, last_;       // groups of columns
  RimFrame::Rows wide_;    // of all ground that is looked at
  HeightRange all_{0, 0};  // of the tiles of all groups [m]
  // Of the ground that there is:
  RimFrame::Rows beside_{0, 0};
  double u_first_ = 0, u_step_ = 0,
         u_half_ = 0;  // along the wheel, in the first column, from one to the next, either side
  bool edged_ = false;
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
      wide_(f_.rows(f_.lowest_z, f_.highest_z)) {
  cells_.count = 0;
  if (last_ - first_ >= RimMemo::kGroups) memo_ = nullptr;
}

RimContact RimSearch::run() {
  if (!(memo_ && is_kept() && look_on())) look_anew();
  if (memo_) {
    memo_->best = best_.found ? best_.m : static_cast<int>(0.5 * (f_.reach_from + f_.reach_to));
    memo_->beside = best_.p < 0.5 ? memo_->best - 1 : memo_->best + 1;
  }
  return contact();
}

/// Tiles of rows of a group's columns that the wheel's plane may cut.
RimSearch::Tiles RimSearch::tiles_of(int group) const {
  const double a = f_.tilt * (group * kGroup), b = f_.tilt * (group * kGroup + kGroup - 1);
  const auto tile = [this](double row) {
    return std::clamp(static_cast<int>(row), 0, f_.count_k - 2) / kGroup;
  };
  return {tile(wide_.low + std::min(a, b)), tile(wide_.high + std::max(a, b))};
}

HeightRange RimSearch::heights_of(int group) const {
  const Tiles tiles = tiles_of(group);
  const int m0 = group * kGroup, m1 = m0 + kGroup - 1, k0 = tiles.low * kGroup, k1 = tiles.high * kGroup;
  return f_.by_x ? f_.grid.heights->of_cells(m0, m1, k0, k1) : f_.grid.heights->of_cells(k0, k1, m0, m1);
}

/// Whether what is kept is of these columns.
bool RimSearch::is_kept() const {
  const RimMemo& kept = *memo_;
  return kept.of == f_.grid.z && kept.by_x == f_.by_x && kept.first == first_ && kept.last == last_ &&
         kept.wheel.radius == f_.wheel.radius;
}

/// How many rows the trace has moved since, in any of the columns: most in the first or the last.
double RimSearch::moved_since(const RimMemo::Trace& kept) const {
  const double low = wide_.low - kept.low, high = wide_.high - kept.high, turned = f_.tilt - kept.tilt;
  const double a = turned * column(0), b = turned * column(columns() - 1);
  return std::max(std::max(std::abs(low + a), std::abs(low + b)),
                  std::max(std::abs(high + a), std::abs(high + b)));
}

/// Heights of the tiles that the wheel's plane may cut, and how far rows may move until there are others.
void RimSearch::survey() {
  const auto gap = [](double row) {
    const double tiles = row * (1.0 / kGroup);
    return std::abs(tiles - std::floor(tiles + 0.5)) * kGroup;
  };
  double margin = kGroup;
  all_ = {infinity, -infinity};
  for (int group = first_; group <= last_; ++group) {
    const HeightRange here = heights_of(group);
    all_ = {std::min(all_.low, here.low), std::max(all_.high, here.high)};
    const double a = f_.tilt * (group * kGroup), b = f_.tilt * (group * kGroup + kGroup - 1);
    margin = std::min(margin, std::min(gap(wide_.low + std::min(a, b)), gap(wide_.high + std::max(a, b))));
  }
  if (memo_)
    memo_->range = all_, memo_->tiles = {wide_.low, wide_.high, f_.tilt}, memo_->margin = margin - 1e-6;
}

/// Between any two samples that follow each other across the trace, a few rows around it.
double RimSearch::steepest_across() const {
  float most = 0;
  for (int i = 0; i <= columns(); ++i) {
    const int m = column(i);
    const double row = f_.tilt * m, beside = std::abs(f_.tilt) + kSteepRows + 2;  // and of the column before
    const int k0 = static_cast<int>(std::clamp(wide_.low + row - beside, 0.0, f_.count_k - 1.0)),
              k1 = static_cast<int>(std::clamp(wide_.high + row + beside, 0.0, f_.count_k - 1.0));
    const float* z = f_.grid.z + std::clamp(m, 0, f_.count_m - 1) * f_.stride_m + k0 * f_.stride_k;
    for (int k = k0; k < k1; ++k, z += f_.stride_k) most = std::max(most, std::abs(z[f_.stride_k] - z[0]));
  }
  return most * (f_.by_x ? f_.grid.per_y : f_.grid.per_x);
}

/// Where the wheel's plane can cut ground of such heights.
void RimSearch::look_near() {
  const double low = std::max(all_.low, f_.lowest_z), high = std::min(all_.high, f_.highest_z);
  const RimFrame::Linear& U = f_.U;
  beside_ = f_.rows(low, high);
  u_step_ = U.m + U.k * f_.tilt;
  u_first_ = U.c + 0.5 * U.m + u_step_ * column(0) + U.k * (0.5 * (beside_.low + beside_.high)) +
             U.z * (0.5 * (low + high) - f_.grid.datum);
  u_half_ =
      0.5 * (std::abs(U.m) + std::abs(U.k) * (beside_.high - beside_.low) + std::abs(U.z) * (high - low));
  const double a = f_.tilt * column(0), b = f_.tilt * (column(0) + columns());
  edged_ = column(0) < 0 || column(0) + columns() >= f_.count_m || beside_.low + std::min(a, b) < 0 ||
           beside_.high + std::max(a, b) + 2 > f_.count_k;
}

/// Groups of columns from the rim's lowest point outward, or from where the last contact was: the best is
/// found early and lets the rest be skipped.
void RimSearch::look_anew() {
  survey();
  look_near();
  double once[kMostKept];
  double* const reach = memo_ ? memo_->reach : once;
  const auto visit = [&](int group) {
    const int i = group - first_;
    const double bound = most(group, heights_of(group));
    double* const to = reach + (memo_ ? i * kGroup : 0);
    const bool near = best_.can_beat(bound);
    std::fill_n(to, kGroup, near ? -infinity : bound);
    if (!near) return;
    for (int k = 0; k < kGroup; ++k) add_column(group * kGroup + k, to + k);
  };
  if (std::max(all_.low, f_.lowest_z) <= std::min(all_.high, f_.highest_z)) {
    const double lowest = (f_.lowest_u - u_first_) / u_step_ + column(0);
    int left = std::clamp(group_of(lowest), first_, last_), right = left;
    visit(left);
    visit_cells();
    while (left > first_ || right < last_) {
      if (right < last_) visit(++right);
      if (left > first_) visit(--left);
    }
    visit_cells();
  } else if (memo_) {
    std::fill_n(reach, columns(), infinity);
  }
  if (!memo_) return;
  memo_->of = f_.grid.z, memo_->by_x = f_.by_x, memo_->first = first_, memo_->last = last_;
  memo_->slope = -1;
  keep(reach);
}

/// What a group of columns can reach at most: its highest sample put where the rim is lowest; t = (z - c_z -
/// u n_z)/b_z is exact in the wheel's plane.
double RimSearch::most(int group, const HeightRange& range) const {
  const double middle = u_first_ + u_step_ * ((group - first_) * kGroup + 0.5 * (kGroup - 1)),
               half = u_half_ + std::abs(u_step_) * (0.5 * (kGroup - 1));
  const double u = std::clamp(f_.lowest_u, middle - half, middle + half);
  return (range.high - f_.wheel.centre.z() - u * f_.wheel.n.z()) * f_.per_b +
         RimHull::at(u, f_.wheel.radius).height;
}

RimDrift RimSearch::drift() const {
  const RimPlane& w = f_.wheel;
  const double end = u_first_ + u_step_ * (columns() - 1);
  const double widest = std::max(std::abs(u_first_), std::abs(end)) + u_half_,
               pitched = widest * std::abs(w.n.z());
  const double low = (std::max(all_.low, f_.lowest_z) - w.centre.z() - pitched) * f_.per_b,
               high = (all_.high - w.centre.z() + pitched) * f_.per_b;
  RimDrift out(
      memo_->wheel, w,
      {f_.by_x ? 1 : 0, memo_->slope, 1 / (f_.by_x ? f_.grid.per_y : f_.grid.per_x), low, high, widest});
  out.known = out.known && all_.high < w.centre.z() + kKeptHigh * w.radius && std::abs(w.n.z()) < kKeptLean &&
              widest < 2 * w.radius;
  return out;
}

/// From what was kept; false: that does not help.
bool RimSearch::look_on() {
  if (moved_since(memo_->tiles) < memo_->margin) {
    all_ = memo_->range;
  } else {
    survey();
  }
  look_near();
  if (memo_->slope < 0 || !(moved_since(memo_->slopes) < kSteepRows)) {
    memo_->slope = steepest_across();
    memo_->slopes = {wide_.low, wide_.high, f_.tilt};
  }
  const RimDrift d = drift();
  if (!d.known) return false;
  const int start[2] = {memo_->best - column(0), memo_->beside - column(0)};
  double of_start[2] = {-infinity, -infinity};
  for (int i : {0, 1})
    if (start[i] >= 0 && start[i] < columns()) add_column(column(start[i]), of_start + i);
  visit_cells();

  using namespace lane;
  double bound[kMostKept];
  int hot[kMostKept / kLanes], count = 0;
  const double* fall = d.along > 0 ? memo_->fall_high : memo_->fall_low;
  const double edge = d.turn > 0 ? memo_->u_half : -memo_->u_half;
  const double step = d.turn * memo_->u_step;
  Lanes moved = (d.rise + d.turn * (memo_->u_first + edge)) + step * Lanes{0, 1, 2, 3};
  const Lanes on = lanes(kLanes * step), along = lanes(d.along), best = lanes(best_.h - RimBest::kRounding);
  for (int i = 0; i < columns(); i += kLanes, moved += on) {
    const Lanes here = load(memo_->reach + i) + (moved + along * load(fall + i));
    store(bound + i, here);
    if (any(here > best)) hot[count++] = i;
  }
  if (!visit_hot(hot, count, start, bound)) return true;
  for (int i : {0, 1})
    if (start[i] >= 0 && start[i] < columns()) bound[start[i]] = of_start[i];
  keep(bound);
  return true;
}

/// Columns that may beat the best, of fours in which there are some. Whether any was looked at.
bool RimSearch::visit_hot(const int* hot, int count, const int (&start)[2], double* bound) {
  bool looked = false;
  for (int four = 0; four < count; ++four) {
    for (int i = hot[four]; i < hot[four] + kLanes; ++i) {
      if (i == start[0] || i == start[1] || !best_.can_beat(bound[i])) continue;
      bound[i] = -infinity;
      add_column(column(i), bound + i);
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
  for (int i = 0; i < columns(); i += kLanes) {
    const Lanes u = u_first_ + u_step_ * (static_cast<double>(i) + Lanes{0, 1, 2, 3});
    store(to.reach + i, max(load(reach + i), least));
    store(to.fall_low + i, RimHull::at(u - half, radius).fall);
    store(to.fall_high + i, RimHull::at(u + half, radius).fall);
  }
}

void RimSearch::add_column(int m, double* reach) {
  const double row = f_.tilt * m;
  const int last = static_cast<int>(std::floor(beside_.high + row));
  for (int k = static_cast<int>(std::floor(beside_.low + row)); k <= last; ++k) add_cell(m, k, reach);
}

void RimSearch::add_cell(int m, int k, double* reach) {
  const int i = cells_.count;
  cells_.m[i] = m, cells_.k[i] = k, reach_[i] = reach;
  if (++cells_.count == kLanes) visit_cells();
}

void RimSearch::visit_cells() {
  if (cells_.count == 0) return;
  for (int i = cells_.count; i < kLanes; ++i) cells_.m[i] = cells_.m[0], cells_.k[i] = cells_.k[0];
  const Lanes reach = RimFour(f_, best_, edged_).visit(cells_);
  for (int i = 0; i < cells_.count; ++i) *reach_[i] = std::max(*reach_[i], reach[i]);
  cells_.count = 0;
}

RimContact RimSearch::contact() const {
  RimContact out;
  out.found = best_.found, out.h = best_.h;
  out.highest = std::min(all_.high, f_.highest_z);
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
