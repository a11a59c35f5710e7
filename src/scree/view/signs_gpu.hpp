#pragma once
/// Lines, arrows and balls on the graphics card.
#include "scree/view/camera.hpp"
#include "scree/view/gl.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

class SignsGpu {
 public:
  SignsGpu();
  /// Arrows and balls: solid, hidden by what stands in front, unless they shine through.
  void draw_markers(const Scene& scene, const Viewpoint& view);
  /// Lines: blended, then those that are seen through everything.
  void draw_lines(const Scene& scene, const Viewpoint& view);
  const GlProgram& line_program() const { return line_program_; }
  const GlProgram& marker_program() const { return marker_program_; }

 private:
  struct Shape {
    GlVertexArray array;
    GlBuffer vertices, indices, instances;
    int count = 0;
    explicit Shape(const Mesh& mesh);
  };
  void draw_markers(const Scene& scene, const Viewpoint& view, bool only_shining);
  void draw(Shape& shape, const std::vector<float>& instances);
  GlProgram line_program_, marker_program_;
  GlVertexArray line_array_;
  GlBuffer line_buffer_;
  Shape arrow_, ball_;
};

}  // namespace scree::view
