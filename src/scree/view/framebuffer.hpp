#pragma once
/// Where a picture is drawn: many samples a pixel, then one, then memory.
#include "scree/view/gl.hpp"
#include "scree/view/image.hpp"

namespace scree::view {

/// How jagged edges are smoothed: samples a pixel where a graphics card does it, or a larger picture drawn
/// and averaged (Mesa's software renderer does not come back from multi-sampled drawing). A smaller picture
/// drawn and stretched costs less.
struct Smoothing {
  int samples = 1;   ///< more than the driver offers is cut to what it offers
  double scale = 1;  ///< of what is drawn, (0, 2]
};

class Framebuffer {
 public:
  Framebuffer(int width, int height, const Smoothing& smoothing = {});
  /// Of the finished picture [px].
  int width() const { return width_; }
  int height() const { return height_; }
  /// Of what is drawn before averaging [px].
  int drawn_width() const { return drawn_width_; }
  int drawn_height() const { return drawn_height_; }

  /// Draw the scene here (with depth).
  void bind() const;
  /// Averages the samples; from here on the picture is `resolved()`.
  void resolve() const;
  /// Draw on the finished picture (no depth, no samples): panels, text.
  void bind_resolved() const;
  /// Copies the finished picture into a rectangle of another framebuffer's finished picture
  /// (x, y from the top left, like every picture here).
  void copy_to(const Framebuffer& target, int x, int y) const;
  /// Fills a rectangle of the finished picture with one grey, 0..1 (x, y from the top left).
  void fill(int x, int y, int width, int height, float grey) const;
  /// Copies the finished picture to the window, stretched to its size.
  void show(int window_width, int window_height) const;
  /// The finished picture as RGB.
  Image read() const;

 private:
  int width_, height_, samples_, drawn_width_, drawn_height_;
  GlFramebuffer drawn_, resolved_;
  GlRenderbuffer color_, depth_, resolved_color_;
};

}  // namespace scree::view
