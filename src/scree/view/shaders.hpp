#pragma once
/// GLSL sources. `with_common()` puts the version, definitions, the frame's uniforms and the light in front.
///
/// What is the same for a whole picture (the painting of the ground, the grid) is defined when a program is
/// built, not asked at every pixel: Mesa's software renderer computes both sides of every `if`.
#include <string>
#include <string_view>

namespace scree::view::shaders {

struct Defines {
  int shading = 0;         ///< GroundShading
  bool grid = false;       ///< lines of a square grid on the ground
  bool soft_light = true;  ///< shadows smoothed by four readings and blended between maps; false: one reading
};
std::string with_common(std::string_view source, const Defines& defines = {});

extern const std::string_view terrain_vertex, terrain_fragment;
extern const std::string_view mesh_vertex, mesh_fragment;
extern const std::string_view shadow_vertex, shadow_fragment, terrain_shadow_vertex;
extern const std::string_view sky_vertex, sky_fragment;
extern const std::string_view line_vertex, line_fragment;
extern const std::string_view marker_vertex, marker_fragment;

}  // namespace scree::view::shaders
