#include "scree/terrain/terrain.hpp"

namespace scree {

TerrainPoint Terrain::at(double x, double y) const {
  TerrainPoint point;
  sample({1, &x, &y, &point.z, &point.slope_x, &point.slope_y});
  return point;
}

double Terrain::slope_bound(const Rectangle&) const { return std::numeric_limits<double>::infinity(); }

HeightRange Terrain::height_range(const Rectangle&) const { return {}; }

}  // namespace scree
