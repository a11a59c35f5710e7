#pragma once
/// How high and how low a grid is in any rectangle of cells: a pyramid of tiles, asked in constant time.
/// Whoever meets the ground asks here first whether it can meet it at all.
#include <vector>

#include "scree/terrain/height_field.hpp"

namespace scree {

class HeightTable {
 public:
  static constexpr int kTileCells = 8;

  HeightTable() = default;
  /// Reads the samples of a grid once; 3 % of their memory. Spline coefficients serve as well: the surface
  /// lies between the coefficients that make it (`smooth`).
  HeightTable(const HeightField& field, bool smooth);

  /// Over the cells [i0, i1] x [j0, j1], from at most 3 x 3 tiles; indices beyond the grid fall to its edge.
  HeightRange of_cells(int i0, int i1, int j0, int j1) const;
  /// Over a rectangle [m]; outside the grid the edge counts, as in Grid::sample.
  HeightRange of(const Rectangle& area) const;

 private:
  struct Level {
    int nx = 0, ny = 0;
    std::vector<float> low, high;  ///< of square tiles of 8 << level cells
  };
  GridGeometry geometry_;
  double datum_ = 0;
  std::vector<Level> levels_;
};

}  // namespace scree
