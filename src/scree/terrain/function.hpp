#pragma once
/// Ground given by an expression, evaluated exactly at every point that is asked for.
#include <algorithm>
#include <cmath>

#include "scree/terrain/expression.hpp"
#include "scree/terrain/height_field.hpp"

namespace scree {

class Function final : public Terrain {
 public:
  Function(const ExpressionSettings& settings, int threads);
  void sample(const TerrainRow& row) const override { expression_.gradients(row); }
  std::string summary() const override { return "function " + text_; }

 private:
  Expression expression_;
  std::string text_;
};

/// Heights of any function of rows, on a grid. The datum is the first height, rounded to whole metres.
template <class Heights>  // void(int count, const double* x, const double* y, double* z)
HeightField sampled_field(const GridGeometry& geometry, const std::string& what, Heights heights) {
  HeightField field = make_field(geometry, what);
  std::vector<double> x(geometry.nx), y(geometry.nx), z(geometry.nx);
  for (int i = 0; i < geometry.nx; ++i) x[i] = geometry.x(i);
  for (int j = 0; j < geometry.ny; ++j) {
    std::fill(y.begin(), y.end(), geometry.y(j));
    heights(geometry.nx, x.data(), y.data(), z.data());
    if (j == 0 && std::isfinite(z[0])) field.datum = std::round(z[0]);
    for (int i = 0; i < geometry.nx; ++i) field.at(i, j) = static_cast<float>(z[i] - field.datum);
  }
  return field;
}

/// Heights of a terrain on a grid. The datum is the first height, rounded to whole metres.
HeightField sampled_field(const GridGeometry& geometry, const Terrain& terrain, int threads = 1);

}  // namespace scree
