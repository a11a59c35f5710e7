#pragma once
/// How steep a grid is, at most, in any rectangle: a pyramid of tiles, asked in constant time.
#include <vector>

#include "scree/terrain/height_field.hpp"

namespace scree {

class SlopeTable {
 public:
  SlopeTable() = default;
  /// Reads the samples (bilinear) or spline coefficients (smooth) of a grid once; 2 % of their memory.
  SlopeTable(const HeightField& field, bool smooth);

  /// An upper bound of |gradient| over the rectangle, from at most 3 x 3 tiles. Outside the grid the edge
  /// counts, as in Grid::sample.
  double bound(const Rectangle& area) const;

 private:
  /// Largest |gradient|^2 over square tiles of 8 << level cells.
  struct Level {
    int nx = 0, ny = 0;
    std::vector<float> steepest;
  };
  GridGeometry geometry_;
  double per_x_ = 1, per_y_ = 1;  ///< cells per metre
  std::vector<Level> levels_;
};

}  // namespace scree
