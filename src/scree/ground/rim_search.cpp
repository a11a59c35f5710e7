#include "scree/ground/rim_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "scree/core/lanes.hpp"
#include "scree/ground/rim_contacts.hpp"
#include "scree/ground/rim_near.hpp"
#include "scree/terrain/height_table.hpp"
#include "scree/terrain/slope_table.hpp"

namespace scree {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
static_assert(kRimGroup == HeightTable::kTileCells);  // a group's heights are those of whole tiles
constexpr double kLeastReach = -1;                    // of ground that asks for less than this, of the radius
constexpr double kOnBorder = 1e-6;                    // of a row, for rounding
constexpr double kUnknown = -1;                       // slope that nobody asked for yet
constexpr int kMostKept = RimMemo::kMost;

/// What the searches of four wheels kept, side by side, and how the wheels have moved since.
struct RimsKept {
  Lanes first, last;  ///< groups of columns that the rims can meet now
  Mask known{};       ///< what is kept can be followed, by `near` and `drift`
  RimNear<RimPlanes> near;
  RimDriftOf<RimPlanes> drift;
  Lanes start[2];     ///< columns of the highest contact, and on its nearer side,
  Mask has_start[2];  ///< where they are kept
  Lanes met{};        ///< m, of all ground that the rim can meet

  /// `wanted`: bits of the wheels that are meant.
  RimsKept(const RimFrameOf<RimPlanes>& f, int wanted, const RimMemo* memo)
      : first(group_of(f.reach_from)), last(group_of(f.reach_to)) {
    Mask kept{};
    int some = -1;
    for (int k = 0; k < kLanes; ++k) {
      if ((wanted >> k & 1) != 0 && memo[k].of == f.grid.z && memo[k].by_x == f.by_x) kept[k] = -1, some = k;
    }
    if (some < 0) return;
    const RimMemo* of[kLanes];  // idle lanes repeat one
    for (int k = 0; k < kLanes; ++k) of[k] = memo + (kept[k] != 0 ? k : some);
    follow(f, of);
    known &= kept;
  }

 private:
  static_assert(sizeof(RimMemo::Place) == 4 * sizeof(Lanes));
  static lane::LaneRows row_of(const RimMemo* (&of)[kLanes], int i) {
    const auto row = [&](int k) {
      return lane::load(reinterpret_cast<const double*>(&of[k]->place) + i * kLanes);
    };
    return lane::transpose(row(0), row(1), row(2), row(3));
  }
  void follow(const RimFrameOf<RimPlanes>& f, const RimMemo* (&of)[kLanes]) {
    const auto [columns] = row_of(of, 0);
    const auto [rows] = row_of(of, 1);
    const auto [limits] = row_of(of, 2);
    const auto [best] = row_of(of, 3);
    const Lanes from = columns[2], count = columns[3];
    const RimFrameOf<RimPlanes>::Rows wide = f.rows(f.lowest_z, f.highest_z);
    const RowsMoved<Lanes> moved(wide.low - rows[0], wide.high - rows[1], f.tilt - rows[2], from, count);
    const Lanes lowest = limits[2], highest = limits[3], slope = rows[3];
    near = {f, from, lowest, highest};
    const Lanes widest = near.widest(count);
    const RimPlane* planes[kLanes] = {&of[0]->wheel, &of[1]->wheel, &of[2]->wheel, &of[3]->wheel};
    const RimPlanes before = side_by_side(planes);
    drift = drift_of(f, before, lowest, highest, slope, widest);
    // Columns and tiles that the rims can meet are kept, and can be followed.
    known = (columns[0] == first) & (columns[1] == last) & (from <= kRimGroup * first) &
            (from + count >= kRimGroup * (last + 1.0)) & (slope != lane::lanes(kUnknown)) &
            (-moved.down < limits[0]) & (moved.up < limits[1]) & can_follow(f.wheel, highest) & drift.known &
            (before.radius == f.wheel.radius);
    met = best[2];
    for (int i : {0, 1}) {
      start[i] = best[i];
      has_start[i] = (start[i] >= from) & (start[i] < from + count);
    }
  }
};

/// How much the rim falls at the higher or the lower ends of columns that are kept.
const double* falls_of(RimMemo& memo, bool higher) {
  using namespace lane;
  double* const fall = memo.fall[higher];
  if (memo.has_fall[higher]) return fall;
  const double first = memo.u_first + (higher ? memo.u_half : -memo.u_half), radius = memo.wheel.radius;
  const int count = static_cast<int>(memo.place.count);
  for (int i = 0; i < count; i += kLanes) {
    const Lanes u = first + memo.u_step * (static_cast<double>(i) + Lanes{0, 1, 2, 3});
    store(fall + i, RimHull::at(u, radius).fall);
  }
  memo.has_fall[higher] = true;
  return fall;
}

/// Columns that may be higher than the best, of those that are kept.
struct RimRivals {
  double of_start[2] = {-infinity, -infinity};  ///< reach of the columns where the best was
  int count = 0, four[kMostKept / kLanes];      ///< fours in which there are some
  double bound[kMostKept];                      ///< no column reaches higher now

  /// After the motion `d`, if the best of the columns where it was is now `best`.
  void find(RimMemo& memo, const RimDrift& d, double best) {
    using namespace lane;
    const double *const reach = memo.reach, *const slope = memo.slope;
    const double* const fall = falls_of(memo, d.along > 0);
    const double edge = d.turn > 0 ? memo.u_half : -memo.u_half, step = d.turn * memo.u_step;
    Lanes moved = (d.rise + d.turn * (memo.u_first + edge)) + step * Lanes{0, 1, 2, 3};
    const Lanes on = lanes(kLanes * step), along = lanes(d.along), steep = lanes(d.steep),
                beaten = lanes(best - RimBest::kRounding);
    const int end = static_cast<int>(memo.place.count);
    static_assert(kRimGroup == 2 * kLanes);
    for (int i = 0; i < end; i += kRimGroup) {
      Lanes here[2];
      for (int j : {0, 1}) {
        const int at = i + kLanes * j;
        here[j] = load(reach + at) + (moved + along * load(fall + at) + steep * load(slope + at));
        moved += on;
        store(bound + at, here[j]);
      }
      if (any((here[0] > beaten) | (here[1] > beaten))) add(memo, i, beaten);
    }
  }

 private:
  [[gnu::noinline]] void add(const RimMemo& memo, int group, Lanes beaten) {
    for (const double m : memo.place.start) {  // these have been looked at
      const double i = m - memo.place.from;
      if (i >= group && i < group + kRimGroup) bound[static_cast<int>(i)] = -infinity;
    }
    for (int i = group; i < group + kRimGroup; i += kLanes)
      if (lane::any(lane::load(bound + i) > beaten)) four[count++] = i;
  }
};

/// The search of one wheel.
class RimSearch {
 public:
  /// `first`, `last`: groups of columns that the rim can meet.
  RimSearch(const RimFrame& frame, int first, int last, RimMemo* memo)
      : f_(frame),
        memo_(memo),
        best_{-kRimClear * frame.wheel.radius},
        first_(first),
        last_(last),
        from_(first_ * kRimGroup),
        count_((last_ - first_ + 1) * kRimGroup) {
    if (count_ > kMostKept) memo_ = nullptr;
  }
  void run();
  /// The same where what is kept can be followed and where the highest contact was has been looked at: what
  /// else may be higher.
  void go_on(const RimNear<RimPlane>& near, const RimBest& best, RimRivals& rivals);
  /// What it found, and how high ground is that the rim can meet [m].
  const RimBest& best() const { return best_; }
  double highest() const { return std::min(highest_, f_.highest_z); }

 private:
  struct Tiles {
    double rows[2];  ///< of the trace
    int low, high;
  };
  Tiles tiles_of(int group) const;
  HeightRange heights_of(int group, const Tiles& tiles) const;
  double steepest(int group, int low, int high) const;
  bool is_kept() const;
  void take_columns() {
    from_ = static_cast<int>(memo_->place.from), count_ = static_cast<int>(memo_->place.count);
  }
  void survey();
  void survey_on();
  double slope();
  void look_near() { near_ = {f_, static_cast<double>(from_), range_.low, range_.high}; }
  bool follows() const { return can_follow(f_.wheel, range_.high); }

  void look_anew();
  double most(int group) const;
  bool look_on();
  void follow(const RimDrift& d);
  void look_at(RimRivals& rivals);
  void keep(const double* reach);
  void keep_slopes();
  double steepest_along(int m, const RimMemo::Rows& rows) const;

  void add_column(int m, double* reach);
  void visit_cells();

  const RimFrame& f_;
  RimMemo* memo_;
  RimBest best_;
  int first_, last_;  // groups of columns that the rim can meet
  int from_, count_;  // columns: of these groups, or of all that are kept
  // Of the ground that there is:
  HeightRange range_{0, 0};  // over all columns [m]
  double highest_ = 0;       // over those that the rim can meet [m]
  RimFrame::Rows wide_;      // of all ground that is looked at
  RimNear<RimPlane> near_;
  // Cells that are still to be visited, and whose reach they are part of.
  int cell_m_[kLanes], cell_k_[kLanes], cells_ = 0;
  double* reach_[kLanes];
};

void RimSearch::run() {
  wide_ = f_.rows(f_.lowest_z, f_.highest_z);
  if (!(memo_ && is_kept() && look_on())) look_anew();
  if (memo_) memo_->remember(best_.m, best_.p);
}

void RimSearch::go_on(const RimNear<RimPlane>& near, const RimBest& best, RimRivals& rivals) {
  take_columns();
  near_ = near, best_ = best;
  look_at(rivals);
}

/// Tiles of rows of a group's columns that the wheel's plane may cut.
RimSearch::Tiles RimSearch::tiles_of(int group) const {
  const double a = f_.tilt * (group * kRimGroup), b = f_.tilt * (group * kRimGroup + kRimGroup - 1);
  const double rows[2] = {wide_.low + std::min(a, b), wide_.high + std::max(a, b)};
  const auto tile = [this](double row) {
    return std::clamp(static_cast<int>(row), 0, f_.count_k - 2) / kRimGroup;
  };
  return {{rows[0], rows[1]}, tile(rows[0]), tile(rows[1])};
}

/// How high they are.
HeightRange RimSearch::heights_of(int group, const Tiles& tiles) const {
  const int m0 = group * kRimGroup, m1 = m0 + kRimGroup - 1, k0 = tiles.low * kRimGroup,
            k1 = tiles.high * kRimGroup;
  return f_.by_x ? f_.grid.heights->of_cells(m0, m1, k0, k1) : f_.grid.heights->of_cells(k0, k1, m0, m1);
}

/// In these tiles, and a cell beyond them.
double RimSearch::steepest(int group, int low, int high) const {
  const double m0 = group * kRimGroup - 0.5, m1 = m0 + kRimGroup + 1, k0 = low * kRimGroup - 1.5,
               k1 = high * kRimGroup + kRimGroup + 1.5;
  const auto [x0, x1, y0, y1] = f_.by_x ? Rectangle{m0, m1, k0, k1} : Rectangle{k0, k1, m0, m1};
  const double step_x = 1 / f_.grid.per_x, step_y = 1 / f_.grid.per_y;
  return f_.grid.slopes->bound({f_.grid.x_min + x0 * step_x, f_.grid.x_min + x1 * step_x,
                                f_.grid.y_min + y0 * step_y, f_.grid.y_min + y1 * step_y});
}

/// Whether all columns that the rim can meet are kept.
bool RimSearch::is_kept() const {
  const RimMemo::Place& kept = memo_->place;
  return memo_->of == f_.grid.z && memo_->by_x == f_.by_x && kept.from <= from_ &&
         kept.from + kept.count >= from_ + count_ && memo_->wheel.radius == f_.wheel.radius;
}

/// Heights of the tiles that the wheel's plane may cut, and how far rows may move until there are others.
void RimSearch::survey() {
  const int last_tile = (f_.count_k - 2) / kRimGroup;
  double down = kRimGroup, up = kRimGroup;
  range_ = {infinity, -infinity}, highest_ = -infinity;
  RimMemo::Tiles once;
  for (int group = from_ / kRimGroup, i = 0; i * kRimGroup < count_; ++group, ++i) {
    const Tiles tiles = tiles_of(group);
    RimMemo::Tiles& kept = memo_ ? memo_->tiles[i] : once;
    if (!memo_ || tiles.low != kept.low || tiles.high != kept.high)
      kept = {tiles.low, tiles.high, heights_of(group, tiles), kUnknown};
    range_ = {std::min(range_.low, kept.range.low), std::max(range_.high, kept.range.high)};
    if (group >= first_ && group <= last_) highest_ = std::max(highest_, kept.range.high);
    // Beyond its first and last rows the grid goes on as it is there.
    if (tiles.low > 0) down = std::min(down, tiles.rows[0] - tiles.low * kRimGroup);
    if (tiles.high < last_tile) up = std::min(up, (tiles.high + 1) * kRimGroup - tiles.rows[1]);
  }
  if (!memo_) return;
  RimMemo::Place& to = memo_->place;
  to.first = first_, to.last = last_;
  to.low = wide_.low, to.high = wide_.high, to.tilt = f_.tilt, to.slope = kUnknown;
  to.down = down - kOnBorder, to.up = up - kOnBorder;
  to.lowest = range_.low, to.highest = range_.high, to.met = highest_;
}

/// Slopes of what was surveyed.
double RimSearch::slope() {
  if (memo_->place.slope != kUnknown) return memo_->place.slope;
  double most = 0;
  for (int group = from_ / kRimGroup, i = 0; i * kRimGroup < count_; ++group, ++i) {
    RimMemo::Tiles& kept = memo_->tiles[i];
    if (kept.slope == kUnknown) kept.slope = steepest(group, kept.low, kept.high);
    most = std::max(most, kept.slope);
  }
  return memo_->place.slope = most;
}

/// The same where tiles may still be those that were kept.
void RimSearch::survey_on() {
  const RimMemo::Place& kept = memo_->place;
  const RowsMoved<double> moved(wide_.low - kept.low, wide_.high - kept.high, f_.tilt - kept.tilt, from_,
                                count_);
  if (kept.first == first_ && kept.last == last_ && -moved.down < kept.down && moved.up < kept.up) {
    range_ = {kept.lowest, kept.highest}, highest_ = kept.met;
  } else {
    survey();
  }
}

/// Groups of columns from the rim's lowest point outward: the best is found early and lets the rest be
/// skipped.
void RimSearch::look_anew() {
  from_ = first_ * kRimGroup, count_ = (last_ - first_ + 1) * kRimGroup;
  if (memo_) {
    for (int i = 0; i * kRimGroup < count_; ++i) memo_->tiles[i].low = -1, memo_->rows[i] = {1, 0};  // none
  }
  survey();
  look_near();
  double once[kMostKept];
  double* const reach = memo_ ? memo_->reach : once;
  const auto visit = [&](int group) {
    const double bound = most(group);
    double* const to = reach + (memo_ ? (group - first_) * kRimGroup : 0);
    const bool near = best_.can_beat(bound);
    std::fill_n(to, kRimGroup, near ? -infinity : bound);
    if (!near) return;
    for (int i = 0; i < kRimGroup; ++i) add_column(group * kRimGroup + i, to + i);
  };
  if (std::max(range_.low, f_.lowest_z) <= std::min(range_.high, f_.highest_z)) {
    int left = std::clamp(static_cast<int>(group_of((f_.lowest_u - near_.u_first) / near_.u_step + from_)),
                          first_, last_),
        right = left;
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
  if (!follows()) return;  // nobody would look at it
  memo_->of = f_.grid.z, memo_->by_x = f_.by_x;
  memo_->place.from = from_, memo_->place.count = count_;
  keep(reach);
}

/// What a group of columns can reach at most: its highest sample put where the rim is lowest; t = (z - c_z -
/// u n_z)/b_z is exact in the wheel's plane.
double RimSearch::most(int group) const {
  const double middle = near_.u_first + near_.u_step * ((group - first_) * kRimGroup + 0.5 * (kRimGroup - 1)),
               half = near_.u_half + std::abs(near_.u_step) * (0.5 * (kRimGroup - 1));
  const double u = std::clamp(f_.lowest_u, middle - half, middle + half);
  const double high =
      memo_ ? memo_->tiles[group - first_].range.high : heights_of(group, tiles_of(group)).high;
  return (high - f_.wheel.centre.z() - u * f_.wheel.n.z()) * f_.per_b +
         RimHull::at(u, f_.wheel.radius).height;
}

/// From what was kept; false: that does not help.
bool RimSearch::look_on() {
  take_columns();
  survey_on();
  look_near();
  if (!follows()) return false;
  const RimDrift d = drift_of(f_, memo_->wheel, range_.low, range_.high, slope(), near_.widest(count_));
  if (!d.known) return false;
  follow(d);
  return true;
}

/// The highest contact among columns of which it is known how high they can have come.
void RimSearch::follow(const RimDrift& d) {
  // Where the highest contact was, everything else is compared with what is there now.
  RimRivals rivals;
  for (int i : {0, 1}) {
    const double m = memo_->place.start[i];
    if (memo_->has(m)) add_column(static_cast<int>(m), rivals.of_start + i);
  }
  visit_cells();
  rivals.find(*memo_, d, best_.h);
  look_at(rivals);
}

/// Columns that may beat the best.
void RimSearch::look_at(RimRivals& rivals) {
  double* const bound = rivals.bound;
  bool looked = false;
  for (int j = 0; j < rivals.count; ++j) {
    for (int i = rivals.four[j]; i < rivals.four[j] + kLanes; ++i) {
      if (!best_.can_beat(bound[i])) continue;
      bound[i] = -infinity;
      add_column(from_ + i, bound + i);
      looked = true;
    }
  }
  visit_cells();
  if (!looked) return;
  for (int i : {0, 1}) {
    const double m = memo_->place.start[i];
    if (memo_->has(m)) bound[static_cast<int>(m) - from_] = rivals.of_start[i];
  }
  keep(bound);
}

/// How high columns reach with the wheel where it is now.
void RimSearch::keep(const double* reach) {
  using namespace lane;
  keep_slopes();
  RimMemo& to = *memo_;
  to.wheel = f_.wheel;
  to.u_first = near_.u_first, to.u_step = near_.u_step, to.u_half = near_.u_half;
  to.has_fall[0] = to.has_fall[1] = false;
  const Lanes least = lanes(kLeastReach * f_.wheel.radius);
  for (int i = 0; i < count_; i += kLanes) store(to.reach + i, max(load(reach + i), least));
}

/// Slopes across columns where the wheel's plane cuts them now and a cell beyond; anew where rows are others.
void RimSearch::keep_slopes() {
  for (int i = 0; i < count_; i += kRimGroup) {
    const int m = from_ + i;
    const double a = f_.tilt * m, b = f_.tilt * (m + kRimGroup - 1);
    const RimMemo::Rows rows{static_cast<int>(std::floor(near_.beside.low + std::min(a, b))) - 1,
                             static_cast<int>(std::floor(near_.beside.high + std::max(a, b))) + 2};
    RimMemo::Rows& kept = memo_->rows[i / kRimGroup];
    if (rows.low == kept.low && rows.high == kept.high) continue;
    kept = rows;
    double before = steepest_along(m, rows);
    for (int j = 0; j < kRimGroup; ++j) {
      const double next = steepest_along(m + j + 1, rows);
      memo_->slope[i + j] = std::max(before, next);
      before = next;
    }
  }
}

/// Along a line of samples.
double RimSearch::steepest_along(int m, const RimMemo::Rows& rows) const {
  double most = 0, before = f_.sample(m, rows.low);
  for (int k = rows.low + 1; k <= rows.high; ++k) {
    const double here = f_.sample(m, k);
    most = std::max(most, std::abs(here - before));
    before = here;
  }
  return most * f_.per_step_k;
}

inline void RimSearch::add_column(int m, double* reach) {
  const double row = f_.tilt * m;
  const int last = static_cast<int>(std::floor(near_.beside.high + row));
  for (int k = static_cast<int>(std::floor(near_.beside.low + row)); k <= last; ++k) {
    const int i = cells_++;
    if (i == 0) std::fill_n(cell_m_, kLanes, m), std::fill_n(cell_k_, kLanes, k);
    cell_m_[i] = m, cell_k_[i] = k, reach_[i] = reach;
    if (i == kLanes - 1) visit_cells();
  }
}

[[gnu::noinline]] void RimSearch::visit_cells() {
  if (cells_ == 0) return;
  FourCells cells;
  std::memcpy(&cells.m, cell_m_, sizeof cells.m), std::memcpy(&cells.k, cell_k_, sizeof cells.k);
  const Lanes reach = RimFour(f_, best_).visit(cells, Lanes{0, 1, 2, 3} < lane::lanes(cells_));
  for (int i = 0; i < cells_; ++i) *reach_[i] = std::max(*reach_[i], reach[i]);
  cells_ = 0;
}

/// Where four wheels had their highest contacts, side by side. `reach`: of the two columns.
void look_where_they_were(const RimFrameOf<RimPlanes>& f, const RimsKept& kept, RimBests& best,
                          Lanes (&reach)[2]) {
  using namespace lane;
  const RimFour<RimPlanes> four(f, best);
  for (int i : {0, 1}) {
    reach[i] = lanes(-infinity);
    const Lanes m = kept.start[i], row = f.tilt * m;
    const Lanes last = floor(kept.near.beside.high + row);
    const Mask has = kept.known & kept.has_start[i];
    Lanes k = floor(kept.near.beside.low + row);
    for (Mask on = has & (k <= last); any(on); k += 1.0, on &= k <= last)
      reach[i] = max(reach[i], four.visit({FourCells::whole(m), FourCells::whole(k)}, on));
  }
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
  const RimFrame frame(grid, wheel);
  const auto first = static_cast<int>(group_of(frame.reach_from)),
             last = static_cast<int>(group_of(frame.reach_to));
  RimSearch search(frame, first, last, memo);
  search.run();
  return contact_of(frame, search.best(), search.highest());
}

RimContacts search_cells(const GridView& grid, const RimPlanes& wheels, int wanted, RimMemo* memo) {
  const auto is_wanted = [wanted](int k) { return ((wanted >> k) & 1) != 0; };
  const int along_x = wanted & lane::sign_bits(lane::abs(wheels.a[1]) >= lane::abs(wheels.a[0]));
  if (along_x != wanted && along_x != 0) {  // columns of some cross those of others
    RimContacts out{};
    for (int k = 0; k < kLanes; ++k)
      if (is_wanted(k)) out.put(k, search_cells(grid, wheels.lane(k), memo + k));
    return out;
  }
  const RimFrameOf<RimPlanes> four(grid, wheels, along_x != 0);
  const RimsKept kept(four, wanted, memo);
  RimBests best;
  best.h = -kRimClear * wheels.radius;
  Lanes of_start[2], highest = kept.met;
  if (lane::any(kept.known)) look_where_they_were(four, kept, best, of_start);
  for (int k = 0; k < kLanes; ++k) {
    if (!is_wanted(k)) continue;
    const bool known = kept.known[k] != 0;
    RimRivals rivals;
    if (known) {
      rivals.of_start[0] = of_start[0][k], rivals.of_start[1] = of_start[1][k];
      rivals.find(memo[k], {kept.drift, k}, best.h[k]);
    }
    if (!known || rivals.count > 0) {
      const RimPlane plane = wheels.lane(k);
      const RimFrame frame(four, k, plane);
      RimSearch search(frame, static_cast<int>(kept.first[k]), static_cast<int>(kept.last[k]), memo + k);
      if (known) {
        search.go_on({kept.near, k}, best.lane(k), rivals);
      } else {
        search.run();
        highest[k] = search.highest();
      }
      best.put(k, search.best());
    }
    memo[k].remember(best.m[k], best.p[k]);
  }
  return FourContacts(four, best).contacts(lane::min(highest, four.highest_z));
}

}  // namespace scree
