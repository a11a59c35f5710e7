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
/// Inside a cell its largest value is at an end of the hyperbola or where h' = 0. A cell, and by its kept
/// heights a whole group of cells, can reach no more than h of its highest sample put where the rim is
/// lowest: whatever cannot beat the best so far is skipped. How high the columns of a group are beside the
/// trace is kept from one search of a wheel to the next (RimMemo), for as long as the trace crosses the same
/// cells there: a wheel that rolls along its trace reads few anew. The answer does not depend on what is
/// kept.
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
#include <cmath>
#include <cstdint>
#include <optional>

#include "scree/core/types.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// Cosine between suspension and ground below which nothing is borne.
inline constexpr double kLeastBearing = 0.25;
/// Slope of the line from the wheel's centre above which the profile is a wall: there the rim's own normal is
/// at that angle to the suspension.
inline constexpr double kWallRise = 0.2582;

/// One wheel in world axes.
struct RimPlane {
  Vec3 centre;      ///< hub with the suspension unloaded [m]
  Vec3 n, a, b;     ///< unit: forward, axle (left), along the suspension
  double radius;    ///< m
  double standing;  ///< displacement with which it stood [m]; infinity: nothing is a wall

  /// Ground above this is a wall [m along b].
  double wall_line(double u) const { return standing - kWallRise * std::abs(u); }
  /// Going on along the suspension leaves ground of this gradient. Elsewhere the plane leans under an
  /// overhanging part of it, from which the suspension cannot lift the wheel.
  bool faces(double slope_x, double slope_y) const { return facing(slope_x, slope_y) > 0; }
  /// Ground of this gradient can bear the suspension's force.
  bool bears(double slope_x, double slope_y) const {
    const double along = facing(slope_x, slope_y);
    return along > 0 &&
           along * along >= kLeastBearing * kLeastBearing * (1 + slope_x * slope_x + slope_y * slope_y);
  }

 private:
  double facing(double slope_x, double slope_y) const { return b.z() - slope_x * b.x() - slope_y * b.y(); }
};

struct RimContact {
  bool found = false;  ///< a contact no more than half a radius away
  double h = 0;        ///< displacement that the ground imposes [m]; negative: clearance
  double sine = 0;     ///< of the contact angle, positive ahead of the hub
  double slope_x = 0,
         slope_y = 0;  ///< the ground's gradient; on an edge, of the plane that touches the rim there
  double highest = 0;  ///< no ground near the rim is higher [m]; of search_cells()
};

/// The plane between two gradients that holds the rim's tangent; none where both lie on one side of it.
std::optional<Vec2> plane_on_edge(const Vec3& tangent, const Vec2& one, const Vec2& other);

/// On an edge between ground of two gradients the plane that touches the rim is the one between theirs that
/// holds its tangent. Where there is none, or it faces away (at the tip of an overhanging part), the
/// contact's stays.
void touch_edge(const RimPlane& wheel, const Vec3& tangent, const Vec2& one, const Vec2& other,
                RimContact& contact);

/// What the searches of one wheel keep of the grid. Without values at first: `group[k].of` says whether.
struct RimMemo {
  static constexpr int kColumns = 8;  ///< of a group, side by side across the trace
  static constexpr int kGroups = 32;  ///< kept, by their index modulo this
  struct Group {
    const float* of = nullptr;                ///< samples of the grid; null: nothing is kept
    int index;                                ///< its first column over kColumns
    bool by_x;                                ///< columns follow each other along x
    int tiles[2];                             ///< of rows, over which the heights of the whole group are
    HeightRange range;                        ///< m
    std::int32_t k0[kColumns], k1[kColumns];  ///< rows of cells beside the trace
    float low[kColumns], high[kColumns];      ///< above the grid's datum, over at least these cells [m]
  };
  std::array<Group, kGroups> group;
};

/// `memo`: of this wheel; null keeps nothing.
RimContact search_cells(const GridView& grid, const RimPlane& wheel, RimMemo* memo = nullptr);

}  // namespace scree
