#include "scree/view/detail.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {
namespace {

constexpr double kLowPixels = 960 * 540;  ///< of the scene, in low detail
constexpr double kLeastScale = 0.5;

}  // namespace

std::vector<std::string> detail_names() { return {"auto", "low", "high"}; }

Detail detail_named(const std::string& name) {
  const std::vector<std::string> names = detail_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) input_error("detail '{}' is not known{}", name, name_hint(name, names));
  return static_cast<Detail>(it - names.begin());
}

Detail resolve(Detail detail, bool software_renderer) {
  if (detail != Detail::automatic) return detail;
  return software_renderer ? Detail::low : Detail::high;
}

RenderSettings render_settings(Detail detail, bool software_renderer) {
  RenderSettings r;
  r.anisotropy = software_renderer ? 1.f : 4.f;
  if (software_renderer)
    r.quad_pixels = 8, r.shadow_step = 64;  // the ground's shadow is kept between pictures
  if (resolve(detail, software_renderer) == Detail::high) return r;
  r.quad_pixels = 12;
  r.tile_cells = 16;
  r.shadow_size = 1024;
  r.shadow_step = 64;  // a sixteenth of the map
  r.soft_light = false;
  r.smooth_textures = false;
  return r;
}

Smoothing smoothing(Detail detail, bool software_renderer, int width, int height, bool still) {
  const bool high = resolve(detail, software_renderer) == Detail::high;
  if (!software_renderer) return {.samples = high ? 8 : 4, .scale = 1};
  if (high) return {.samples = 1, .scale = still ? 2 : 1.5};
  const double pixels = static_cast<double>(width) * height;
  return {.samples = 1, .scale = std::clamp(std::sqrt(kLowPixels / pixels), kLeastScale, 1.0)};
}

}  // namespace scree::view
