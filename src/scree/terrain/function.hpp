#pragma once
/// Ground given by an expression, evaluated exactly at every point that is asked for.
#include <algorithm>
#include <cmath>

#include "scree/terrain/expression.hpp"
#include "scree/terrain/height_field.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {

class Function final : public Terrain {
 public:
  explicit Function(const ExpressionSettings& settings);
  void sample(const TerrainRow& row) const override { expression_.gradients(row); }
  double finest_feature(const Rectangle& area) const override { return expression_.feature(area); }
  /// Infinite where a comparison, sign or rint may make a step, and where a root begins.
  double slope_bound(const Rectangle& area) const override { return expression_.slope_bound(area); }
  HeightRange height_range(const Rectangle& area) const override { return expression_.range(area); }
  std::string summary() const override { return "function " + text_; }

 private:
  Expression expression_;
  std::string text_;
};

/// Heights of any function of rows, on a grid. The datum is the first height, rounded to whole metres. The
/// result does not depend on the number of threads.
template <class Heights>  // void(int count, const double* x, const double* y, double* z)
HeightField sampled_field(const GridGeometry& g, const std::string& what, int threads,
                          const Heights& heights) {
  HeightField field = make_field(g, what);
  const double x0 = g.x_min, y0 = g.y_min;
  double first = 0;
  heights(1, &x0, &y0, &first);
  if (std::isfinite(first)) field.datum = std::round(first);
  in_parallel(threads, g.ny, [&](int begin, int end) {
    std::vector<double> x(g.nx), y(g.nx), z(g.nx);
    for (int i = 0; i < g.nx; ++i) x[i] = g.x(i);
    for (int j = begin; j < end; ++j) {
      std::fill(y.begin(), y.end(), g.y(j));
      heights(g.nx, x.data(), y.data(), z.data());
      for (int i = 0; i < g.nx; ++i) field.at(i, j) = static_cast<float>(z[i] - field.datum);
    }
  });
  return field;
}

/// Heights of a terrain on a grid. The datum is the first height, rounded to whole metres.
HeightField sampled_field(const GridGeometry& geometry, const Terrain& terrain, int threads = 1);

}  // namespace scree
