#pragma once
/// The ground's shape: height and gradient at (x, y), constant once built and shared by threads.
///
/// Everything that meets the ground asks here: wheels, hulls, sensors, the window. A kind of terrain is one
/// file that derives from Terrain and one line in `terrain_kinds()` (make.hpp).
#include <limits>
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

struct GridView;

/// Lowest and highest height [m].
struct HeightRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
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

  /// Where the terrain is defined; infinite for functions and extended grids.
  virtual Rectangle bounds() const { return {}; }
  /// The cell of a grid [m], 0 for anything else.
  virtual double cell() const { return 0; }
  /// Size of the finest feature [m]: an edge, a stone, a cell; 0 when smooth or unknown. The contact search
  /// looks a few times on each.
  virtual double finest_feature() const { return cell(); }
  /// No |gradient| inside the rectangle is larger than this, and the height jumps nowhere in it; infinity
  /// when that is unknown. The contact search skips the rim angles that such a slope cannot reach, and hull
  /// points that it cannot lift the ground to, so a tight bound is worth having.
  virtual double slope_bound(const Rectangle& area) const;
  /// The ground inside the rectangle lies between these heights; infinite when that is unknown. What is
  /// higher cannot touch it.
  virtual HeightRange height_range(const Rectangle& area) const;
  /// The bare bilinear grid behind this terrain, if it is one: the contact search then samples it without a
  /// call per row. The answers are those of sample().
  virtual const GridView* bilinear_view() const { return nullptr; }
  /// One line for people: "grid 512 x 512, cell 0.098 m".
  virtual std::string summary() const = 0;

 protected:
  Terrain() = default;
  Terrain(const Terrain&) = default;
  Terrain& operator=(const Terrain&) = default;
};

}  // namespace scree
