#pragma once
/// How high a grid is, at most, in squares of its cells: a ray passes over what it is above without looking.
#include <vector>

#include "scree/terrain/height_field.hpp"

namespace scree {

/// A pyramid of maxima (Tevs, Ihrke and Seidel 2008, "Maximum mipmaps for fast, accurate, and scalable
/// dynamic height field rendering"). The lowest squares are 8 x 8 patches of the surface, each level has
/// twice the side. A patch is a cell (bilinear) or the piece around a sample (smooth).
class PeakTable {
 public:
  PeakTable() = default;
  /// Reads the samples (bilinear) or spline coefficients (smooth) of a grid once; 2 % of their memory.
  PeakTable(const HeightField& field, bool smooth);

  static constexpr int kSide = 8;
  int levels() const { return static_cast<int>(levels_.size()); }
  /// Patches along the side of a square.
  static int side(int level) { return kSide << level; }
  /// No height above the datum is larger than this in the square that holds patch (i, j) [m].
  double highest(int level, int i, int j) const {
    const Level& at = levels_[static_cast<std::size_t>(level)];
    const int s = side(level);
    return at.highest[static_cast<std::size_t>(j / s) * static_cast<std::size_t>(at.nx) +
                      static_cast<std::size_t>(i / s)];
  }

 private:
  struct Level {
    int nx = 0, ny = 0;
    std::vector<float> highest;
  };
  std::vector<Level> levels_;
};

}  // namespace scree
