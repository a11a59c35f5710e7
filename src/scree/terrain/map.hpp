#pragma once
/// What the ground is like from place to place: a number (friction scale) or a name (soil) at (x, y), given
/// by an image, polygons or a function. Constant once built and shared by threads; no map means 1.
#include <memory>
#include <string>
#include <vector>

#include "scree/terrain/make.hpp"

namespace scree {

class ScalarMap {
 public:
  virtual ~ScalarMap() = default;
  /// Values at a row of points. Beyond an image the nearest edge answers.
  virtual void sample(int count, const double* x, const double* y, double* value) const = 0;
  /// The same where a robot stands: throws GroundError at a value that is no number or outside the map's
  /// range, which sample() (pictures) clamps.
  virtual void meet(int count, const double* x, const double* y, double* value) const {
    sample(count, x, y, value);
  }
  double at(double x, double y) const {
    double value;
    sample(1, &x, &y, &value);
    return value;
  }
};
using ScalarMapPtr = std::unique_ptr<const ScalarMap>;

/// A closed polygon; inside by the even-odd rule.
class Polygon {
 public:
  /// At least three corners, finite.
  explicit Polygon(std::vector<Vec2> corners);
  bool contains(double x, double y) const;
  const Rectangle& box() const { return box_; }

 private:
  std::vector<Vec2> corners_;
  Rectangle box_;
};

/// Reads `kind` ("uniform", "image", "function") with its keys, and `[[polygon]]` tables that lie over it,
/// the later above the earlier. Values outside `range` are refused where they can be known in advance, and
/// clamped to it where a function gives them.
ScalarMapPtr make_scalar_map(Section& section, const Range& range);

/// The friction scale of `[terrain.friction]`: multiplies the friction of every contact; null when absent.
ScalarMapPtr make_friction_map(Section& terrain);

/// Which of several soils lies at a place.
class LabelMap {
 public:
  LabelMap(std::vector<std::string> names, ScalarMapPtr index)
      : names_(std::move(names)), index_(std::move(index)) {}
  const std::vector<std::string>& names() const { return names_; }
  /// Numbers into names() at a row of points.
  void sample(int count, const double* x, const double* y, int* label) const;
  int at(double x, double y) const {
    int label;
    sample(1, &x, &y, &label);
    return label;
  }

 private:
  std::vector<std::string> names_;
  ScalarMapPtr index_;
};

/// The soils of `[terrain.soil]`: `names`, then by image (grey levels), polygons or function; null when
/// absent.
std::unique_ptr<const LabelMap> make_soil_map(Section& terrain);

}  // namespace scree
