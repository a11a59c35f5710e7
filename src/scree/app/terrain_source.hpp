#pragma once
/// Where `scree terrain` finds ground, and how it draws a spectrum.
#include <filesystem>
#include <string>
#include <vector>

#include "scree/terrain/identify.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/survey.hpp"

namespace scree {

struct TerrainSource {
  std::string what;              ///< a kind, a scenario by name or file, or a terrain file
  std::string kind;              ///< reads a terrain file as this kind; empty: by its ending
  std::vector<std::string> set;  ///< key=value of the [terrain] table
  std::uint64_t seed = 0;
  double at = -1;  ///< of a run folder: when [s]; negative: at its end
};

/// Throws InputError when there is no such kind or file.
TerrainPtr load_terrain(const TerrainSource& source);

/// A map with axes and the scale of its colours (.png, .svg, .pdf), by draw_figure. Throws as draw_figure
/// does.
void write_terrain_picture(const std::filesystem::path& file, const Terrain& terrain,
                           const SurveySettings& settings);

struct Picture3dSettings {
  Rectangle area = {};      ///< m
  int width = 1280;         ///< px
  double exaggeration = 1;  ///< of heights
};
/// The ground from an oblique angle. Throws InputError where the program was built without the window.
void write_terrain_picture_3d(const std::filesystem::path& file, const Terrain& terrain,
                              const Picture3dSettings& settings);

/// Power spectrum and regression line on logarithmic axes (Yokokohji 2002, Figs. 4, 15, 16), by draw_figure.
/// Throws as draw_figure does.
void draw_spectrum(const FbmEstimate& estimate, const std::string& title, const std::filesystem::path& file);

}  // namespace scree
