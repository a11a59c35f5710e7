#pragma once
/// Draws a Scene from a Viewpoint into a Framebuffer: shadows, sky, ground, things, signs.
///
/// Entry point of the room for pictures: make a context, a Renderer, a Framebuffer; `draw`; `resolve`;
/// `read`. One Renderer belongs to one context and one thread.
#include <memory>
#include <string>
#include <vector>

#include "scree/view/camera.hpp"
#include "scree/view/framebuffer.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

struct RenderSettings {
  double quad_pixels = 6;       ///< px: width of the ground's triangles at the eye's limit; more is faster
  int shadow_size = 2048;       ///< texels along a side of each shadow map; 0: no shadows
  float anisotropy = 1;         ///< samples along a slanted texture; real graphics cards: 4
  double finest_ground = 0.04;  ///< m: spacing of the finest ground where the terrain has no cells of its own
  double reach = 1500;          ///< m: how far an endless terrain is drawn
  int tile_budget = 1 << 30;    ///< ground tiles made per picture; a window keeps this small
  int tile_cells = 32;          ///< cells along a ground tile: half as many, a quarter of the triangles
  int shadow_step = 1;          ///< texels by which shadow maps move; the ground's part is kept in between
  bool soft_light = true;       ///< shadows smoothed by many readings; false: one
  bool smooth_textures = true;  ///< textures blended between two sizes; false: the nearer one
};

class Renderer {
 public:
  explicit Renderer(const RenderSettings& settings);
  ~Renderer();

  /// Draws into the framebuffer's samples. Throws RunError on a GL error.
  void draw(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  /// The shadows of the scene are those of the last draw(): a second camera on the same moment.
  void draw_again(const Scene& scene, const Viewpoint& view, const Framebuffer& target);

  /// The ground at these places has changed since it was last drawn.
  void ground_changed(const Rectangle& area);
  /// The next scene may hold another terrain, even at the same address.
  void forget_ground();
  /// Lowest and highest ground [m], and the distance of contour lines in use [m] (for legends).
  struct HeightLegend {
    double low = 0, high = 1, interval = 0.1;
  };
  HeightLegend height_legend() const;
  /// Samples of the scene that passed the depth test, in a picture a few turns ago; 0: not known yet.
  std::uint64_t samples_passed() const;
  /// Textures that could not be read, one line each, since the last call.
  std::vector<std::string> take_warnings();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Eye-relative model matrix of an instance.
Mat4f relative_matrix(const Instance& instance, const Vec3& eye);

}  // namespace scree::view
