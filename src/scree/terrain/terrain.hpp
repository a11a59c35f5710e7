#pragma once
/// The ground's shape: height and gradient at (x, y), and where a ray meets it; constant once built and
/// shared by threads.
///
/// Everything that meets the ground asks here: wheels, hulls, sensors, the window. A kind of terrain is one
/// file that derives from Terrain and one line in `terrain_kinds()` (make.hpp).
#include <limits>
#include <optional>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/core/types.hpp"

namespace scree {

/// An upright rectangle in the horizontal plane [m].
struct Rectangle {
  double x_min = -std::numeric_limits<double>::infinity();
  double x_max = std::numeric_limits<double>::infinity();
  double y_min = -std::numeric_limits<double>::infinity();
  double y_max = std::numeric_limits<double>::infinity();
  bool contains(double x, double y) const { return x >= x_min && x <= x_max && y >= y_min && y <= y_max; }
};

/// A row of points and where their answers go (structure of arrays, `count` each).
struct TerrainRow {
  int count;
  const double* x;
  const double* y;
  double* z;        ///< height [m]
  double* slope_x;  ///< dz/dx
  double* slope_y;  ///< dz/dy
};

struct TerrainPoint {
  double z = 0, slope_x = 0, slope_y = 0;
  /// Unit normal, pointing up.
  Vec3 normal() const { return Vec3(-slope_x, -slope_y, 1).normalized(); }
};

/// A half line, and how far along it to look.
struct TerrainRay {
  Vec3 from = Vec3::Zero();                                ///< m
  Vec3 along = Vec3::UnitX();                              ///< direction; any length but zero
  double reach = std::numeric_limits<double>::infinity();  ///< m
};

struct TerrainHit {
  double distance = 0;  ///< from the ray's start [m]
  Vec3 point;           ///< m
  TerrainPoint ground;  ///< height and gradient there
};

struct GridView;

/// Lowest and highest height [m].
struct HeightRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// The gradient lies between these.
struct SlopeRange {
  double x_low, x_high, y_low, y_high;
};

class Profile;

/// Ground that is one profile, placed and turned: z + scale f(along_x x + along_y y + offset), level along
/// the other direction.
struct PlacedProfile {
  const Profile* profile = nullptr;  ///< f; null: level at z
  double along_x = 1, along_y = 0;   ///< unit
  double offset = 0;                 ///< m
  double scale = 1;
  double z = 0;  ///< m
};

/// Ground that is not a number where a robot meets it.
class GroundError : public RunError {
 public:
  using RunError::RunError;
};

class Terrain {
 public:
  virtual ~Terrain() = default;

  /// Heights and gradients of a row of points. Outside bounds() the nearest edge point answers, with zero
  /// gradient outward: finite numbers, while `sim/` reports that the robot has left.
  virtual void sample(const TerrainRow& row) const = 0;
  TerrainPoint at(double x, double y) const;
  double height(double x, double y) const { return at(x, y).z; }

  /// Where a ray first meets the ground: the first point of it that is not above the ground, so a ray that
  /// starts inside is there already. Outside bounds() there is no ground, whatever sample() says. Exact on
  /// planes and grids (to rounding). Other ground is walked along, by steps that its slope_bound() allows:
  /// what rises above the ray for less than 0.1 mm of its way may be missed, and where no bound is known
  /// what is narrower than half a cell, or 2 cm, or a thousandth of the distance; no farther than 100 km.
  std::optional<TerrainHit> ray(const TerrainRay& ray) const;

  /// Where the terrain is defined; infinite for functions and extended grids.
  virtual Rectangle bounds() const { return {}; }
  /// Outside this the ground lies level at height zero; bounds() where no such place is known.
  virtual Rectangle raised() const { return bounds(); }
  /// The cell of a grid [m], 0 for anything else.
  virtual double cell() const { return 0; }
  /// Size of the finest feature that reaches into the rectangle [m]: an edge, a stone, a cell; 0 when smooth
  /// or unknown. The contact search looks a few times on each.
  virtual double finest_feature(const Rectangle& area) const;
  /// No |gradient| inside the rectangle is larger than this, and the height jumps nowhere in it; infinity
  /// when that is unknown. The contact search skips the rim angles that such a slope cannot reach, and hull
  /// points that it cannot lift the ground to, so a tight bound is worth having.
  virtual double slope_bound(const Rectangle& area) const;
  /// The same of the slope along a level direction (unit): a face that runs along it has none.
  virtual double slope_bound_along(const Rectangle& area, const Vec2& way) const;
  /// Every gradient inside the rectangle lies between these; nothing where no more is known than
  /// slope_bound(). Asked for places as small as a wheel.
  virtual std::optional<SlopeRange> slope_range(const Rectangle& /*area*/) const { return {}; }
  /// What the ground inside the rectangle is, where it is one profile or level; nothing where it is neither,
  /// or that is unknown. Contact with it has a closed form.
  virtual std::optional<PlacedProfile> placed_profile(const Rectangle& area) const;
  /// The ground inside the rectangle lies between these heights; infinite when that is unknown. What is
  /// higher cannot touch it.
  virtual HeightRange height_range(const Rectangle& area) const;
  /// The bare bilinear grid behind this terrain, if it is one: the contact search then samples it without a
  /// call per row. The answers are those of sample().
  virtual const GridView* bilinear_view() const { return nullptr; }
  /// The same of a smooth one.
  virtual const GridView* smooth_view() const { return nullptr; }
  /// One line for people: "grid 512 x 512, cell 0.098 m".
  virtual std::string summary() const = 0;

 protected:
  Terrain() = default;
  Terrain(const Terrain&) = default;
  Terrain& operator=(const Terrain&) = default;

  /// The first distance in [begin, end] at which origin + distance unit is not above the ground. The whole of
  /// that piece lies within bounds(); `end` may be infinite.
  virtual std::optional<double> meet(const Vec3& origin, const Vec3& unit, double begin, double end) const;
};

}  // namespace scree
