#pragma once
/// How much is asked of whoever draws: one choice that decides on the ground's triangles, on shadows, on the
/// smoothing of edges and on the number of pixels.
#include <string>
#include <vector>

#include "scree/view/framebuffer.hpp"
#include "scree/view/renderer.hpp"

namespace scree::view {

/// high: films, stills, graphics cards. low: quick where the processor draws.
enum class Detail { automatic, low, high };

std::vector<std::string> detail_names();
/// By name; throws InputError with the nearest one.
Detail detail_named(const std::string& name);
/// `automatic` is low in a window that the processor draws, else high.
Detail resolve(Detail detail, bool software_renderer);

RenderSettings render_settings(Detail detail, bool software_renderer);
/// For a finished picture of this size [px]. Low detail of a large picture is drawn smaller and stretched;
/// panels and text are not. Where the processor draws, edges of films are a little less smooth than those of
/// stills: nobody looks at a picture for longer than a thirtieth of a second.
Smoothing smoothing(Detail detail, bool software_renderer, int width, int height, bool still = true);

}  // namespace scree::view
