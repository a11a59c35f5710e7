#pragma once
/// What a piece of ground is like: range, slopes, roughness; and a picture of it.
#include <cstdint>
#include <string>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

struct SurveySettings {
  Rectangle area = {};  ///< [m]; infinite: the terrain's bounds, or 20 m x 20 m about the origin
  int largest = 1024;   ///< samples along the longer side
};

struct Survey {
  Rectangle area;                                           ///< what was looked at [m]
  int nx = 0, ny = 0;                                       ///< samples taken
  double lowest = 0, highest = 0, mean = 0;                 ///< [m]; of a grid: of all its samples there
  double rms_height = 0;                                    ///< about the mean [m]
  double rms_plane = 0;                                     ///< about the least-squares plane: roughness [m]
  double plane_slope = 0;                                   ///< angle of that plane [rad]
  double mean_slope = 0, rms_slope = 0, largest_slope = 0;  ///< angles [rad]; rms of the tangent, as an angle
  double slope_50 = 0, slope_95 = 0;  ///< angles that half and 95 % of the ground stay below [rad]
};

/// Looks at a regular lattice of points (never more than `largest` a side).
Survey survey_terrain(const Terrain& terrain, const SurveySettings& settings = {});

/// A map from above: colour by height, shaded by a light from the north-west (y up).
struct TerrainMap {
  Rectangle area;                  ///< m
  double lowest = 0, highest = 0;  ///< m
  int width = 0, height = 0;       ///< px
  std::vector<std::uint8_t> rgb;   ///< row by row, that of least y first
  std::vector<int> colours;        ///< 0xRRGGBB from lowest to highest, at equal distances
};

/// Throws InputError where the ground is not a number.
TerrainMap map_terrain(const Terrain& terrain, const SurveySettings& settings = {});

/// The area that a survey looks at.
Rectangle survey_area(const Terrain& terrain, const SurveySettings& settings);

}  // namespace scree
