#pragma once
/// The `[view]` table of a scenario: how it is shown. Nothing in it changes a result.
#include <filesystem>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/view/camera.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

struct ViewSettings {
  std::string palette = "earth";
  std::string shading = "natural";
  std::filesystem::path texture;  ///< image for the ground; given: shading is "texture" unless said otherwise
  double texture_size = 2;        ///< m
  double contour_interval = 0;    ///< m
  double grid = 0;                ///< m
  double sun_azimuth = 235 * kDegree;   ///< rad, from +x anticlockwise: where the sun stands
  double sun_elevation = 38 * kDegree;  ///< rad
  double visibility = 0;                ///< m; 0: the palette's
  std::string camera;                   ///< the one to begin with; empty: the first declared, else chase
  std::vector<CameraSettings> cameras;  ///< declared ones, before the standard ones
  std::vector<std::string> plots;       ///< signals plotted live: patterns
};

void describe(Section& section, ViewSettings& settings);

/// Reads `[view]` of a scenario; defaults when there is none.
ViewSettings read_view_settings(const Document& scenario);

/// Declared cameras, then the standard ones whose names are free.
std::vector<CameraSettings> all_cameras(const ViewSettings& settings);
/// Place of a name in all_cameras(); throws InputError with the nearest name.
std::size_t find_camera(const std::vector<CameraSettings>& cameras, const std::string& name);

std::vector<std::string> shading_names();

/// Sun, sky, colours and texture. A texture that cannot be read is named in `warnings` and left out.
void apply(const ViewSettings& settings, Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree::view
