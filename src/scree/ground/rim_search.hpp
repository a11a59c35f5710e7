#pragma once
/// Where a wheel touches a grid: the highest contact of its rim, cell by cell, none missed but ledges within
/// a face that does not bear, where they are narrower than an eighth of its piece.
///
/// The wheel's plane, spanned by n (forward) and b (along the suspension), cuts the ground in a profile. With
/// a the axle and c the hub, F = a.(P - c) of a ground point P is bilinear in every cell as the height is, so
/// the profile is the line F = 0: it crosses the edges of cells where F changes its sign between two samples,
/// exactly there where linear interpolation says, and inside a cell it is a hyperbola q(p) (or p(q)) of the
/// cell's own coordinates. That holds for any tilt of the wheel: nothing is sought along the suspension. A
/// profile point at u = n.(P - c), t = b.(P - c) asks for the displacement
///
///     h = t + sqrt(r² - u²)
///
/// (Morrot 2011 Sec. 2.2.4, errata 000-7/8: the largest over the rim, at every rim angle the largest root).
/// Inside a cell its largest value is at an end of the hyperbola or where h' = 0 (rim_cell.hpp; four cells at
/// a time, rim_four.hpp). A group of columns of cells can reach no more than h of its highest sample put
/// where the rim is lowest: whatever cannot beat the best so far is skipped. How high each column reached is
/// kept from one search of a wheel to the next (RimMemo), and grows no faster than the wheel moves
/// (rim_drift.hpp): most columns are not looked at for many steps. The answer does not depend on what is
/// kept, to the last bit: whatever may be the highest is compared, and of two that are equal the one in the
/// first cell counts.
///
/// Ground and walls. The suspension bears nothing where it stands at more than 75.5 degrees to the ground's
/// normal (cosine kLeastBearing). One angle parts the ground from walls, by place and by slope: with C the
/// wheel's centre as it stood (`RimPlane::standing`, h_s), a profile point P = (u, t) is ground where
///
///     t <= h_s - kWallRise |u|        (seen from C it lies that far below the plane of travel), and
///     N.b >= kLeastBearing            (N the ground's unit normal at P)
///
/// and the contact is the supremum of h over the ground, its borders included: where a face that bears
/// passes the line of walls the point on that line counts; of a face that does not, only the foot and the top
/// do, as parts of what lies beside it. On an edge every plane between the two faces touches, so the tip of
/// a spike bears where the plane that holds the rim's tangent does. None of this asks how finely the ground
/// is looked at; without the second condition a face that bears nothing would hide the floor that does. What
/// is a wall, and how deep, says wall_search.hpp.
#include <array>
#include <cstdint>
#include <optional>

#include "scree/ground/rim_plane.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

struct RimContact {
  bool found = false;  ///< a contact no more than half a radius away
  double h = 0;        ///< displacement that the ground imposes [m]; negative: clearance
  double sine = 0;     ///< of the contact angle, positive ahead of the hub
  double slope_x = 0,
         slope_y = 0;  ///< the ground's gradient; on an edge, of the plane that touches the rim there
  double highest = 0;  ///< no ground near the rim is higher [m]
};

/// Four side by side.
struct RimContacts {
  Mask found;
  Lanes h, sine, slope_x, slope_y, highest;
  void put(int k, const RimContact& c) {
    found[k] = c.found ? -1 : 0, h[k] = c.h, sine[k] = c.sine;
    slope_x[k] = c.slope_x, slope_y[k] = c.slope_y, highest[k] = c.highest;
  }
};

/// The plane between two gradients that holds the rim's tangent; none where both lie on one side of it.
std::optional<Vec2> plane_on_edge(const Vec3& tangent, const Vec2& one, const Vec2& other);

/// On an edge between ground of two gradients the plane that touches the rim is the one between theirs that
/// holds its tangent. Where there is none, or it faces away (at the tip of an overhanging part), the
/// contact's stays.
void touch_edge(const RimPlane& wheel, const Vec3& tangent, const Vec2& one, const Vec2& other,
                RimContact& contact);

/// What the searches of one wheel keep of the grid: how high each column reached when the wheel stood at
/// `wheel`. Without values at first: `of` says whether.
struct RimMemo {
  static constexpr int kColumns = 8;  ///< of a group, side by side across the trace
  static constexpr int kMost = 256;   ///< columns
  const float* of = nullptr;          ///< samples of the grid; null: nothing is kept
  bool by_x;                          ///< columns follow each other along x
  RimPlane wheel;
  /// In whole numbers that are written as these, and others. (In rows of four, as four wheels read them.)
  struct Place {
    double first, last;  ///< groups of columns that the rim could meet
    double from, count;  ///< columns that are kept
    // The tiles of the grid that the wheel's plane cut: as long as its trace, which was in the rows low ...
    // high
    // + tilt m, has moved by no more than this many rows, it cuts no others.
    double low, high, tilt, slope;
    double down, up, lowest, highest;  ///< and between these heights [m] is all of them
    /// The column of the highest contact in the search before, the one on its nearer side; how high the tiles
    /// of the columns are that the rim could meet [m].
    double start[2], met, unused;
  } place;
  struct Tiles {
    int low, high;      ///< over eight rows each; negative: none
    HeightRange range;  ///< m
    double slope;       ///< in these and a cell beyond: no slope is larger
  } tiles[kMost / kColumns];
  struct Rows {
    int low, high;
  } rows[kMost / kColumns];  ///< of samples beside which slopes were taken, of each group; low > high: none
  // Of each column: no ground of it asked for more than `reach`, with RimHull for the rim; and across it no
  // slope along rows is larger, where the wheel's plane cut it and a cell beyond.
  double reach[kMost], slope[kMost];
  // The rim's fall at the column's ends, u_first + u_step i -+ u_half, the lower and the higher, once it was
  // asked for: wheels that roll one way ask for one of them.
  double u_first, u_step, u_half;
  double fall[2][kMost];
  bool has_fall[2];

  bool has(double m) const { return m >= place.from && m < place.from + place.count; }
  /// The highest contact is in column m, at p (0 ... 1) of it.
  void remember(double m, double p) { place.start[0] = m, place.start[1] = p < 0.5 ? m - 1 : m + 1; }
};

/// `memo`: of this wheel; null keeps nothing.
RimContact search_cells(const GridView& grid, const RimPlane& wheel, RimMemo* memo = nullptr);

/// Of four wheels those whose bits are in `wanted`, each with a memo: where they have not moved far, what all
/// of them have to compute is computed side by side. The same bits as one by one.
RimContacts search_cells(const GridView& grid, const RimPlanes& wheels, int wanted, RimMemo* memo);

}  // namespace scree
