#pragma once
/// GLSL sources. `with_common()` puts the version, the frame's uniforms and the light in front.
#include <string>
#include <string_view>

namespace scree::view::shaders {

std::string with_common(std::string_view source);

extern const std::string_view terrain_vertex, terrain_fragment;
extern const std::string_view mesh_vertex, mesh_fragment;
extern const std::string_view shadow_vertex, shadow_fragment, terrain_shadow_vertex;
extern const std::string_view sky_vertex, sky_fragment;
extern const std::string_view line_vertex, line_fragment;
extern const std::string_view marker_vertex, marker_fragment;

}  // namespace scree::view::shaders
