#include "scree/terrain/terrain.hpp"

#include <cmath>

#include "scree/terrain/sample_lanes.hpp"

namespace scree {

void RowSampler::refuse(const TerrainRow& row) const {
  for (int k = 0; k < row.count; ++k) {
    if (std::isfinite(row.z[k]) && std::isfinite(row.slope_x[k]) && std::isfinite(row.slope_y[k])) continue;
    throw GroundError(
        fmt::format("the ground at x = {:.6g} m, y = {:.6g} m, where a robot meets it, has height {} m and "
                    "slope ({}, {}): not "
                    "finite numbers; terrain: {}",
                    row.x[k], row.y[k], row.z[k], row.slope_x[k], row.slope_y[k], terrain.summary()));
  }
}

TerrainPoint Terrain::at(double x, double y) const {
  TerrainPoint point;
  sample({1, &x, &y, &point.z, &point.slope_x, &point.slope_y});
  return point;
}

double Terrain::finest_feature(const Rectangle&) const { return cell(); }

double Terrain::slope_bound(const Rectangle&) const { return std::numeric_limits<double>::infinity(); }

double Terrain::slope_bound_along(const Rectangle& area, const Vec2&) const { return slope_bound(area); }

std::optional<PlacedProfile> Terrain::placed_profile(const Rectangle& a) const {
  if (slope_bound(a) != 0) return {};
  PlacedProfile level;
  level.z = height(0.5 * (a.x_min + a.x_max), 0.5 * (a.y_min + a.y_max));
  return std::isfinite(level.z) ? std::optional(level) : std::nullopt;
}

HeightRange Terrain::height_range(const Rectangle&) const { return {}; }

}  // namespace scree
