#pragma once
/// One 3-D picture of a piece of ground, without a robot: `scree terrain info --picture-3d`.
#include <filesystem>

#include "scree/terrain/survey.hpp"

namespace scree::view {

struct TerrainViewSettings {
  Rectangle area = {};       ///< m; infinite: as a survey chooses
  int width = 1280;          ///< px; the height is 10/16 of it
  double exaggeration = 1;   ///< multiplies heights
  double azimuth = -2.2;     ///< rad, where the eye stands seen from the middle, from +x
  double elevation = 0.611;  ///< rad above the horizon (35 degrees)
};

/// Draws the whole area from an oblique angle, coloured by height, with a legend and the lengths of its
/// sides. Throws RunError when there is no OpenGL or the file cannot be written.
void write_terrain_view(const std::filesystem::path& file, const Terrain& terrain,
                        const TerrainViewSettings& settings = {});

}  // namespace scree::view
