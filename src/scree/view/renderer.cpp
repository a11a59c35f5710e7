#include "scree/view/renderer.hpp"

#include <algorithm>
#include <cmath>

#include "scree/view/frame_uniforms.hpp"
#include "scree/view/ground_noise.hpp"
#include "scree/view/mesh_gpu.hpp"
#include "scree/view/primitives.hpp"
#include "scree/view/shaders.hpp"
#include "scree/view/signs_gpu.hpp"
#include "scree/view/terrain_gpu.hpp"

namespace scree::view {
namespace {

GlProgram program(const char* name, std::string_view vertex, std::string_view fragment) {
  return GlProgram(name, shaders::with_common(vertex), shaders::with_common(fragment));
}

/// Depth map seen from the sun, compared and smoothed by the texture unit.
struct ShadowMap {
  GlTexture texture;
  GlFramebuffer framebuffer;
  int size;
  explicit ShadowMap(int size) : size(size) {
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                 nullptr);
    for (GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    for (GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
      glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
};

double nice_interval(double range) {
  const double raw = range / 18, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double step : {1.0, 2.0, 5.0})
    if (raw <= step * power) return step * power;
  return 10 * power;
}

}  // namespace

Mat4f relative_matrix(const Instance& instance, const Vec3& eye) {
  Mat4f m = Mat4f::Identity();
  m.topLeftCorner<3, 3>() = (instance.pose.R * instance.scale.asDiagonal()).cast<float>();
  m.topRightCorner<3, 1>() = (instance.pose.p - eye).cast<float>();
  return m;
}

struct Renderer::Impl {
  RenderSettings settings;
  GlProgram terrain_program = program("ground", shaders::terrain_vertex, shaders::terrain_fragment);
  GlProgram mesh_program = program("mesh", shaders::mesh_vertex, shaders::mesh_fragment);
  GlProgram shadow_program = program("shadow", shaders::shadow_vertex, shaders::shadow_fragment);
  GlProgram terrain_shadow_program =
      program("ground shadow", shaders::terrain_shadow_vertex, shaders::shadow_fragment);
  GlProgram sky_program = program("sky", shaders::sky_vertex, shaders::sky_fragment);
  GlBuffer uniforms;
  GlVertexArray empty;
  GlTexture noise, ground_image;
  const Image* uploaded_image = nullptr;
  ShadowMap near_map, far_map;
  SunBox near_box, far_box;
  MeshStore meshes;
  SignsGpu signs;
  std::unique_ptr<TerrainGpu> terrain;
  const Terrain* terrain_source = nullptr;
  GroundShading terrain_shading{};
  Vec2 terrain_center = Vec2::Zero();
  double contour_interval = 0.1;
  std::vector<TerrainGpu::Chosen> chosen;

  explicit Impl(const RenderSettings& s)
      : settings(s), near_map(std::max(s.shadow_size, 1)), far_map(std::max(s.shadow_size, 1)) {
    upload_texture(noise, ground_noise(), settings.anisotropy);
    upload_texture(ground_image, Image(1, 1, 4), 1.f);
    glBindBuffer(GL_UNIFORM_BUFFER, uniforms.id());
    glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameUniforms), nullptr, GL_DYNAMIC_DRAW);
    const GlProgram* all[] = {&terrain_program,        &mesh_program, &shadow_program,
                              &terrain_shadow_program, &sky_program,  &signs.line_program(),
                              &signs.marker_program()};
    for (const GlProgram* p : all) {
      const GLuint block = glGetUniformBlockIndex(p->id(), "Frame");
      if (block != GL_INVALID_INDEX) glUniformBlockBinding(p->id(), block, 0);
    }
    for (const GlProgram* p : {&terrain_program, &mesh_program, &sky_program}) {
      p->use();
      p->set("shadow_near", 0);
      p->set("shadow_far", 1);
      p->set("noise", 2);
      p->set("image", 3);
    }
    check_gl("building the renderer");
  }

  void prepare_ground(const Scene& scene, const Viewpoint& view);
  void draw_shadows(const Scene& scene, const Viewpoint& view);
  void draw_shadow_map(const ShadowMap& map, const SunBox& box, const Scene& scene, const Viewpoint& view);
  void upload_frame(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  void add_occluders(FrameUniforms& frame, const Scene& scene, const Viewpoint& view);
  void draw_sky(const Viewpoint& view, const Framebuffer& target);
  void draw_ground(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  void draw_instances(const Scene& scene, const Viewpoint& view, bool ghosts);
  void draw_picture(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  TerrainGpu::Wish wish(const Scene& scene, const Viewpoint& view, int height) const;
  FrameUniforms frame;
};

/// Tiles are laid anew when the terrain changes, or when the eye nears the edge of what was laid of an
/// endless one.
void Renderer::Impl::prepare_ground(const Scene& scene, const Viewpoint& view) {
  if (!scene.terrain) {
    terrain.reset();
    terrain_source = nullptr;
    return;
  }
  const Rectangle own = scene.terrain->bounds();
  const bool endless = !std::isfinite(own.x_min) || !std::isfinite(own.x_max);
  const bool moved = endless && (view.eye.head<2>() - terrain_center).norm() > 0.4 * settings.reach;
  if (!terrain || scene.terrain != terrain_source || scene.ground.shading != terrain_shading || moved) {
    terrain_center = endless ? Vec2(view.eye.head<2>()) : Vec2::Zero();
    const double reach = endless ? settings.reach : 1e9;
    terrain = std::make_unique<TerrainGpu>(
        *scene.terrain, scene.ground,
        lay_tiles(*scene.terrain, settings.finest_ground, reach, terrain_center));
    terrain_source = scene.terrain;
    terrain_shading = scene.ground.shading;
    const auto [low, high] = terrain->height_range();
    contour_interval =
        scene.ground.contour_interval > 0 ? scene.ground.contour_interval : nice_interval(high - low);
  }
  terrain->image_size = scene.ground.texture_size;
  if (scene.ground.texture && scene.ground.texture.get() != uploaded_image) {
    upload_texture(ground_image, *scene.ground.texture, settings.anisotropy);
    uploaded_image = scene.ground.texture.get();
  }
}

TerrainGpu::Wish Renderer::Impl::wish(const Scene& scene, const Viewpoint& view, int height) const {
  TerrainGpu::Wish w;
  w.detail = detail_for(terrain->layout(), view.fov, height, settings.quad_pixels);
  w.center = {view.eye, scene.focus, std::max(0.55 * w.detail.level0_range, 0.0)};
  w.farthest = std::min<double>(1.3 * scene.environment.visibility, 1e7);
  w.budget = settings.tile_budget;
  return w;
}

void Renderer::Impl::draw_shadow_map(const ShadowMap& map, const SunBox& box, const Scene& scene,
                                     const Viewpoint& view) {
  glBindFramebuffer(GL_FRAMEBUFFER, map.framebuffer.id());
  glViewport(0, 0, map.size, map.size);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (terrain) {
    TerrainGpu::Wish w = wish(scene, view, 360);
    w.visible = [&](const Box& b) { return box.touches(b); };
    chosen.clear();
    terrain->choose(w, chosen);
    terrain_shadow_program.use();
    terrain_shadow_program.set("light_from_rel", box.clip_from_rel);
    glPolygonOffset(2.5f, 4.f);
    terrain->draw(terrain_shadow_program, chosen, w);
  }
  shadow_program.use();
  shadow_program.set("light_from_rel", box.clip_from_rel);
  glPolygonOffset(1.2f, 2.f);
  for (const Instance& instance : scene.instances) {
    if (!instance.casts_shadow || instance.opacity < 1) continue;
    shadow_program.set("rel_from_mesh", relative_matrix(instance, view.eye));
    for (const MeshStore::Part& part : meshes.get(instance.mesh).parts) {
      glBindVertexArray(part.array.id());
      glDrawElements(GL_TRIANGLES, part.count, GL_UNSIGNED_INT, nullptr);
    }
  }
}

void Renderer::Impl::draw_shadows(const Scene& scene, const Viewpoint& view) {
  if (settings.shadow_size <= 0) return;
  const double near_radius = 1.9 * scene.focus_radius + 0.5, far_radius = 14 * near_radius;
  double relief = 10;
  if (terrain) relief = terrain->height_range().second - terrain->height_range().first;
  const Vec3 sun = scene.environment.to_sun.normalized();
  const double depth = relief / std::max(sun.z(), 0.15);
  near_box = sun_box(sun, scene.focus, near_radius, 2 * near_radius + depth, settings.shadow_size, view.eye);
  far_box = sun_box(sun, scene.focus, far_radius, 2 * far_radius + depth, settings.shadow_size, view.eye);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw_shadow_map(near_map, near_box, scene, view);
  draw_shadow_map(far_map, far_box, scene, view);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_DEPTH_CLAMP);
}

/// The things nearest to the focus, as balls that take sky light from the ground below them.
void Renderer::Impl::add_occluders(FrameUniforms& f, const Scene& scene, const Viewpoint& view) {
  struct Candidate {
    double distance;
    Vec4f ball;
  };
  std::vector<Candidate> candidates;
  for (const Instance& i : scene.instances) {
    if (i.opacity < 1 || !i.casts_shadow) continue;
    const Box& box = meshes.get(i.mesh).bounds;
    if (box.empty()) continue;
    const Vec3 size = box.size().cwiseProduct(i.scale), center = i.pose * box.center().cwiseProduct(i.scale);
    const double radius = 0.5 * std::cbrt(std::max(size.prod(), 1e-9));
    candidates.push_back({(center - scene.focus).norm() - 4 * radius, Vec4f::Zero()});
    candidates.back().ball << (center - view.eye).cast<float>(), static_cast<float>(radius);
  }
  const std::size_t count = std::min<std::size_t>(candidates.size(), kMostOccluders);
  std::partial_sort(candidates.begin(), candidates.begin() + count, candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  for (std::size_t k = 0; k < count; ++k) f.occluder[k] = candidates[k].ball;
  f.counts[0] = static_cast<int>(count);
}

void Renderer::Impl::upload_frame(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  frame = frame_uniforms(scene.environment, view, target.drawn_width(), target.drawn_height());
  if (settings.shadow_size > 0) {
    // The maps may have been drawn for another eye: move from this eye to the box's own centre.
    const auto moved = [&](const SunBox& b) {
      return sun_box(scene.environment.to_sun, b.center, b.radius, b.depth, settings.shadow_size, view.eye)
          .map_from_rel;
    };
    frame.shadow_from_rel[0] = moved(near_box);
    frame.shadow_from_rel[1] = moved(far_box);
    frame.shadow_info = Vec4f(near_box.texel, far_box.texel, 1, 1);
  }
  add_occluders(frame, scene, view);
  glBindBuffer(GL_UNIFORM_BUFFER, uniforms.id());
  glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(FrameUniforms), &frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms.id());
  const GLuint textures[] = {near_map.texture.id(), far_map.texture.id(), noise.id(), ground_image.id()};
  for (int k = 0; k < 4; ++k) {
    glActiveTexture(GL_TEXTURE0 + k);
    glBindTexture(GL_TEXTURE_2D, textures[k]);
  }
  glActiveTexture(GL_TEXTURE3);
}

void Renderer::Impl::draw_sky(const Viewpoint& view, const Framebuffer& target) {
  const double f = std::tan(view.fov / 2), aspect = static_cast<double>(target.width()) / target.height();
  const Mat3 axes = view.axes();
  Mat4f m = Mat4f::Zero();  // (x, y, 0, 1) on the screen -> direction
  m.block<3, 1>(0, 0) = (axes.col(0) * f * aspect).cast<float>();
  m.block<3, 1>(0, 1) = (axes.col(1) * f).cast<float>();
  m.block<3, 1>(0, 3) = (-axes.col(2)).cast<float>();
  sky_program.use();
  sky_program.set("world_from_screen", m);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glBindVertexArray(empty.id());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
}

void Renderer::Impl::draw_ground(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  if (!terrain) return;
  TerrainGpu::Wish w = wish(scene, view, target.height());
  w.visible = [&](const Box& b) { return in_view(frame.clip_from_rel, view.eye, b); };
  chosen.clear();
  terrain->choose(w, chosen);
  const GroundLook& look = scene.ground;
  GroundShading shading = look.shading;
  if (shading == GroundShading::texture && !look.texture) shading = GroundShading::natural;
  if (shading == GroundShading::soil && !look.soil_color) shading = GroundShading::natural;
  const auto [low, high] = terrain->height_range();
  terrain_program.use();
  terrain_program.set("shading", static_cast<int>(shading));
  terrain_program.set("low", to_linear(look.low));
  terrain_program.set("high", to_linear(look.high));
  terrain_program.set("steep", to_linear(look.steep));
  terrain_program.set("range", Vec4f(low, high, contour_interval, look.grid));
  terrain->draw(terrain_program, chosen, w);
}

void Renderer::Impl::draw_instances(const Scene& scene, const Viewpoint& view, bool ghosts) {
  mesh_program.use();
  for (const Instance& instance : scene.instances) {
    if ((instance.opacity < 1) != ghosts) continue;
    const MeshStore::Entry& entry = meshes.get(instance.mesh);
    const Mat4f model = relative_matrix(instance, view.eye);
    Mat4f normals = Mat4f::Identity();
    normals.topLeftCorner<3, 3>() =
        (instance.pose.R * instance.scale.cwiseInverse().asDiagonal()).cast<float>();
    mesh_program.set("rel_from_mesh", model);
    mesh_program.set("normal_from_mesh", normals);
    for (const MeshStore::Part& part : entry.parts) {
      const Material& m = part.material;
      const Vec3f base = to_linear(m.color).cwiseProduct(to_linear(instance.tint));
      mesh_program.set("albedo", Vec4f(base.x(), base.y(), base.z(), instance.opacity));
      mesh_program.set("finish", Vec4f(m.roughness, m.metallic, m.glow, part.texture ? 1.f : 0.f));
      if (part.texture) glBindTexture(GL_TEXTURE_2D, part.texture);
      glBindVertexArray(part.array.id());
      glDrawElements(GL_TRIANGLES, part.count, GL_UNSIGNED_INT, nullptr);
    }
  }
}

void Renderer::Impl::draw_picture(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  upload_frame(scene, view, target);
  target.bind();
  glEnable(GL_MULTISAMPLE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
  draw_instances(scene, view, false);
  glActiveTexture(GL_TEXTURE3);
  glBindTexture(GL_TEXTURE_2D, ground_image.id());
  draw_ground(scene, view, target);
  draw_sky(view, target);
  signs.draw_markers(scene, view);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  draw_instances(scene, view, true);
  signs.draw_lines(scene, view);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
  check_gl("drawing the scene");
}

Renderer::Renderer(const RenderSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}
Renderer::~Renderer() = default;

void Renderer::draw(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  impl_->prepare_ground(scene, view);
  impl_->draw_shadows(scene, view);
  impl_->draw_picture(scene, view, target);
}

void Renderer::draw_again(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  impl_->prepare_ground(scene, view);
  impl_->draw_picture(scene, view, target);
}

void Renderer::ground_changed(const Rectangle& area) {
  if (impl_->terrain) impl_->terrain->forget(area);
}

void Renderer::forget_ground() {
  impl_->terrain.reset();
  impl_->terrain_source = nullptr;
  impl_->uploaded_image = nullptr;
}

Renderer::HeightLegend Renderer::height_legend() const {
  if (!impl_->terrain) return {};
  const auto [low, high] = impl_->terrain->height_range();
  return {low, high, impl_->contour_interval};
}

std::vector<std::string> Renderer::take_warnings() { return impl_->meshes.take_warnings(); }

}  // namespace scree::view
