#include "scree/view/signs_gpu.hpp"

#include "scree/view/primitives.hpp"
#include "scree/view/shaders.hpp"

namespace scree::view {
namespace {

constexpr int kMarkerFloats = 12;  ///< place + radius, vector + kind, colour
constexpr int kLineFloats = 11;    ///< from, to, colour, width

void push(std::vector<float>& list, const Vec3& v) {
  for (int k = 0; k < 3; ++k) list.push_back(static_cast<float>(v[k]));
}
void push(std::vector<float>& list, const Color& c, float w) {
  list.insert(list.end(), {c.x(), c.y(), c.z(), w});
}

void instanced(GLuint index, int count, std::size_t stride, std::size_t offset) {
  float_attribute(index, count, stride * sizeof(float), offset * sizeof(float));
  glVertexAttribDivisor(index, 1);
}

}  // namespace

SignsGpu::Shape::Shape(const Mesh& mesh) {
  const Surface& s = mesh.surfaces.front();
  count = static_cast<int>(s.indices.size());
  glBindVertexArray(array.id());
  glBindBuffer(GL_ARRAY_BUFFER, vertices.id());
  fill_buffer(GL_ARRAY_BUFFER, s.vertices.size() * sizeof(Vertex), s.vertices.data(), GL_STATIC_DRAW);
  float_attribute(0, 3, sizeof(Vertex), offsetof(Vertex, p));
  float_attribute(1, 3, sizeof(Vertex), offsetof(Vertex, n));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.id());
  fill_buffer(GL_ELEMENT_ARRAY_BUFFER, s.indices.size() * 4, s.indices.data(), GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, instances.id());
  instanced(3, 4, kMarkerFloats, 0);
  instanced(4, 4, kMarkerFloats, 4);
  instanced(5, 4, kMarkerFloats, 8);
  glBindVertexArray(0);
}

SignsGpu::SignsGpu()
    : line_program_("line", shaders::with_common(shaders::line_vertex),
                    shaders::with_common(shaders::line_fragment)),
      marker_program_("marker", shaders::with_common(shaders::marker_vertex),
                      shaders::with_common(shaders::marker_fragment)),
      arrow_(arrow_mesh()),
      ball_(sphere_mesh()) {
  glBindVertexArray(line_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, line_buffer_.id());
  instanced(0, 3, kLineFloats, 0);
  instanced(1, 3, kLineFloats, 3);
  instanced(2, 4, kLineFloats, 6);
  instanced(3, 1, kLineFloats, 10);
  glBindVertexArray(0);
}

void SignsGpu::draw(Shape& shape, const std::vector<float>& instances) {
  if (instances.empty()) return;
  glBindVertexArray(shape.array.id());
  glBindBuffer(GL_ARRAY_BUFFER, shape.instances.id());
  fill_buffer(GL_ARRAY_BUFFER, instances.size() * sizeof(float), instances.data(), GL_STREAM_DRAW);
  draw_triangles(shape.count, GL_UNSIGNED_INT, static_cast<int>(instances.size() / kMarkerFloats));
}

void SignsGpu::draw_markers(const Scene& scene, const Viewpoint& view, bool only_shining) {
  std::vector<float> arrows, balls;
  for (const Arrow& a : scene.arrows) {
    if (!(a.vector.norm() > 1e-6) || (only_shining && !a.shines)) continue;
    push(arrows, a.from - view.eye);
    arrows.push_back(a.radius);
    push(arrows, a.vector);
    arrows.push_back(0);
    push(arrows, a.color, 1);
  }
  for (const Ball& b : scene.balls) {
    if (only_shining && !b.shines) continue;
    push(balls, b.center - view.eye);
    balls.push_back(b.radius);
    push(balls, Vec3::UnitZ());
    balls.push_back(1);
    push(balls, b.color, 1);
  }
  marker_program_.use();
  draw(arrow_, arrows);
  draw(ball_, balls);
}

void SignsGpu::draw_markers(const Scene& scene, const Viewpoint& view) {
  // What is hidden first, thinly; else it would lie over the parts of the same sign that are seen.
  glDepthFunc(GL_GREATER);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendColor(0, 0, 0, 0.3f);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  draw_markers(scene, view, true);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  draw_markers(scene, view, false);
}

void SignsGpu::draw_lines(const Scene& scene, const Viewpoint& view) {
  line_program_.use();
  line_program_.set("near", static_cast<float>(near_plane(view)));
  glBindVertexArray(line_array_.id());
  glBindBuffer(GL_ARRAY_BUFFER, line_buffer_.id());
  glDepthMask(GL_FALSE);
  for (const bool on_top : {false, true}) {
    std::vector<float> segments;
    for (const Polyline& line : scene.lines) {
      if (line.on_top != on_top) continue;
      for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
        push(segments, line.points[i] - view.eye);
        push(segments, line.points[i + 1] - view.eye);
        push(segments, line.color, line.opacity);
        segments.push_back(line.width);
      }
    }
    if (segments.empty()) continue;
    if (on_top) glDisable(GL_DEPTH_TEST);
    fill_buffer(GL_ARRAY_BUFFER, segments.size() * sizeof(float), segments.data(), GL_STREAM_DRAW);
    draw_triangles(6, GL_NONE, static_cast<int>(segments.size() / kLineFloats));
    glEnable(GL_DEPTH_TEST);
  }
  glDepthMask(GL_TRUE);
}

}  // namespace scree::view
