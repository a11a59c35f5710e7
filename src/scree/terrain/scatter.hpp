#pragma once
/// Things strewn over a field: how many, and which samples each one touches.
#include <algorithm>
#include <cmath>
#include <string>

#include "scree/core/random.hpp"
#include "scree/terrain/height_field.hpp"

namespace scree {

/// A Poisson number of given mean. Refuses means above 10^8 (`what` names the maker).
std::size_t poisson_count(RandomStream& random, double mean, const std::string& what);

/// Calls visit(z, dx, dy) for every sample within `reach` of the centre along each axis.
template <class Visit>
void for_samples_near(HeightField& field, const Vec2& centre, double reach, Visit visit) {
  const GridGeometry& g = field.geometry;
  const auto first = [](double at, int n) {
    return static_cast<int>(std::clamp(std::ceil(at), 0.0, static_cast<double>(n)));
  };
  const int i0 = first((centre.x() - reach - g.x_min) / g.step_x, g.nx),
            i1 = first((centre.x() + reach - g.x_min) / g.step_x, g.nx);
  const int j0 = first((centre.y() - reach - g.y_min) / g.step_y, g.ny),
            j1 = first((centre.y() + reach - g.y_min) / g.step_y, g.ny);
  for (int j = j0; j < j1; ++j) {
    for (int i = i0; i < i1; ++i) visit(field.at(i, j), g.x(i) - centre.x(), g.y(j) - centre.y());
  }
}

}  // namespace scree
