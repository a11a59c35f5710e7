#pragma once
/// A height field that grows row by row. Not for other rooms.
#include <algorithm>
#include <cmath>
#include <string>

#include "scree/terrain/height_field.hpp"

namespace scree {

/// Fills a field row by row from the north: memory is taken as rows arrive, so that a file that ends early
/// costs no more than it holds.
class FieldBuilder {
 public:
  FieldBuilder(const GridGeometry& g, const std::string& what) {
    check_geometry(g, what);
    field_.geometry = g;
    field_.z.reserve(g.samples() + kHeightSlack);
  }
  void add(const double* row) {
    const int nx = field_.geometry.nx;
    for (int i = 0; i < nx; ++i) {
      if (!placed_ && !std::isnan(row[i])) field_.datum = std::round(row[i]), placed_ = true;
      field_.z.push_back(static_cast<float>(row[i] - field_.datum));
    }
  }
  /// Turned y up.
  HeightField take() && {
    const GridGeometry& g = field_.geometry;
    for (int j = 0; j < g.ny / 2; ++j)
      std::swap_ranges(&field_.at(0, j), &field_.at(0, j) + g.nx, &field_.at(0, g.ny - 1 - j));
    return std::move(field_);
  }

 private:
  HeightField field_;
  bool placed_ = false;
};

}  // namespace scree
