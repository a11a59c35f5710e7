#pragma once
/// Where a wheel touches a grid: the highest contact of its rim, cell by cell, none missed.
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
/// Walls. Profile points that lie higher than the wheel's centre (less kWallRise times the way to them) are
/// not ground that the suspension could lift the wheel onto: they are a wall, reported by how far it reaches
/// into the rim. The centre is that of the wheel as it stood (`RimPlane::standing`).
#include <array>
#include <cmath>
#include <cstdint>

#include "scree/core/types.hpp"
#include "scree/terrain/grid_view.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// Slope of the line from the wheel's centre above which the profile is a wall: there the rim's normal is
/// 14.5 degrees from the plane of travel.
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
  bool faces(double slope_x, double slope_y) const { return b.z() - slope_x * b.x() - slope_y * b.y() > 0; }
};

struct RimContact {
  bool found = false;  ///< a contact no more than half a radius away
  double h = 0;        ///< displacement that the ground imposes [m]; negative: clearance
  double sine = 0;     ///< of the contact angle, positive ahead of the hub
  double slope_x = 0,
         slope_y = 0;  ///< the ground's gradient; on an edge, of the plane that touches the rim there
  double wall = 0;     ///< how far a wall reaches into the rim [m]
  double wall_u = 0, wall_t = 0;  ///< where, along n and b from the hub [m]
  double wall_x = 0,
         wall_y = 0;  ///< level direction out of it, unit, world axes; zero where its face is upright
};

/// Notes a wall at (u, t) in the wheel's plane, whose face has this gradient, if none reaches deeper.
void note_wall(const RimPlane& wheel, double u, double t, double slope_x, double slope_y,
               RimContact& contact);

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
