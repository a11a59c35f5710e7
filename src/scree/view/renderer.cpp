#include "scree/view/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/view/drawing_stats.hpp"
#include "scree/view/frame_uniforms.hpp"
#include "scree/view/ground_noise.hpp"
#include "scree/view/mesh_gpu.hpp"
#include "scree/view/primitives.hpp"
#include "scree/view/shaders.hpp"
#include "scree/view/shadow_maps.hpp"
#include "scree/view/signs_gpu.hpp"
#include "scree/view/terrain_gpu.hpp"

namespace scree::view {
namespace {

GlProgram program(const char* name, std::string_view vertex, std::string_view fragment,
                  const shaders::Defines& defines = {}) {
  return GlProgram(name, shaders::with_common(vertex, defines), shaders::with_common(fragment, defines));
}

/// Tells a program where the frame's uniforms and the textures are.
void connect(const GlProgram& p) {
  const GLuint block = glGetUniformBlockIndex(p.id(), "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(p.id(), block, 0);
  p.use();
  p.set("shadow_maps", 0);
  p.set("noise", 2);
  p.set("image", 3);
}

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
  std::map<std::pair<GroundShading, bool>, GlProgram> ground_programs;  ///< painting, grid; made when needed
  GlProgram mesh_program;
  GlProgram shadow_program = program("shadow", shaders::shadow_vertex, shaders::shadow_fragment);
  GlProgram terrain_shadow_program =
      program("ground shadow", shaders::terrain_shadow_vertex, shaders::shadow_fragment);
  GlProgram sky_program = program("sky", shaders::sky_vertex, shaders::sky_fragment);
  GlBuffer uniforms;
  GlVertexArray empty;
  GlTexture noise, ground_image;
  const Image* uploaded_image = nullptr;
  ShadowMaps shadow_maps;
  SunBox near_box, far_box;
  MeshStore meshes;
  SignsGpu signs;
  SampleCounter samples;
  std::unique_ptr<TerrainGpu> terrain;
  const Terrain* terrain_source = nullptr;
  GroundShading terrain_shading{};
  Vec2 terrain_center = Vec2::Zero();
  double contour_interval = 0.1;
  std::vector<TerrainGpu::Chosen> chosen;

  explicit Impl(const RenderSettings& s)
      : settings(s),
        mesh_program(
            program("mesh", shaders::mesh_vertex, shaders::mesh_fragment, {.soft_light = s.soft_light})),
        shadow_maps(s.shadow_size, s.shadow_step > 1) {
    upload_texture(noise, ground_noise(), settings.anisotropy, settings.smooth_textures);
    upload_texture(ground_image, Image(1, 1, 4));
    const GlProgram* const all[] = {&mesh_program, &shadow_program,       &terrain_shadow_program,
                                    &sky_program,  &signs.line_program(), &signs.marker_program()};
    for (const GlProgram* p : all) connect(*p);
    check_gl("building the renderer");
  }

  const GlProgram& ground_program(GroundShading shading, bool grid);
  void prepare_ground(const Scene& scene, const Viewpoint& view);
  void draw_shadows(const Scene& scene, const Viewpoint& view);
  void draw_shadow_map(int map, const SunBox& box, const Scene& scene, const Viewpoint& view);
  void upload_frame(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  void add_occluders(FrameUniforms& frame, const Scene& scene, const Viewpoint& view);
  void draw_sky(const Viewpoint& view, const Framebuffer& target);
  void draw_ground(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  void draw_instances(const Scene& scene, const Viewpoint& view, bool ghosts);
  void draw_picture(const Scene& scene, const Viewpoint& view, const Framebuffer& target);
  TerrainGpu::Wish wish(const Scene& scene, const Viewpoint& view, int height) const;
  FrameUniforms frame;
};

/// Ruts are not seen on larger tiles of the ground [m].
constexpr double kLargestRutTile = 6;

const GlProgram& Renderer::Impl::ground_program(GroundShading shading, bool grid) {
  const auto known = ground_programs.find({shading, grid});
  if (known != ground_programs.end()) return known->second;
  const shaders::Defines defines{
      .shading = static_cast<int>(shading), .grid = grid, .soft_light = settings.soft_light};
  const GlProgram& made =
      ground_programs
          .emplace(std::piecewise_construct, std::forward_as_tuple(shading, grid),
                   std::forward_as_tuple("ground", shaders::with_common(shaders::terrain_vertex, defines),
                                         shaders::with_common(shaders::terrain_fragment, defines)))
          .first->second;
  connect(made);
  return made;
}

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
    // Colours of soils sit on the vertices: fewer of these would blur their borders.
    const int cells = scene.ground.shading >= GroundShading::soil ? kTileCells : settings.tile_cells;
    const double reach = endless ? settings.reach : 1e9;
    terrain = std::make_unique<TerrainGpu>(
        *scene.terrain, scene.ground,
        lay_tiles(*scene.terrain, settings.finest_ground, reach, terrain_center, cells));
    shadow_maps.forget_ground();
    terrain_source = scene.terrain;
    terrain_shading = scene.ground.shading;
    const auto [low, high] = terrain->height_range();
    contour_interval =
        scene.ground.contour_interval > 0 ? scene.ground.contour_interval : nice_interval(high - low);
  }
  terrain->image_size = scene.ground.texture_size;
  if (scene.ground.texture && scene.ground.texture.get() != uploaded_image) {
    upload_texture(ground_image, *scene.ground.texture, settings.anisotropy, settings.smooth_textures);
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

void Renderer::Impl::draw_shadow_map(int map, const SunBox& box, const Scene& scene, const Viewpoint& view) {
  const bool has_ground = shadow_maps.begin(map, box);
  if (terrain && !has_ground) {
    TerrainGpu::Wish w = wish(scene, view, 360);
    w.visible = [&](const Box& b) { return box.touches(b); };
    // Triangles of a few texels change nothing in a map that is read smoothed.
    while (w.finest + 1 < terrain->layout().levels &&
           terrain->layout().spacing * static_cast<double>(1LL << w.finest) < 4 * box.texel)
      ++w.finest;
    chosen.clear();
    // A coarse tile that stands in for finer ones would lay dark patches on them: rather no shadow of the
    // ground until all are there.
    if (terrain->choose(w, chosen)) {
      terrain_shadow_program.use();
      terrain_shadow_program.set("light_from_rel", box.clip_from_rel);
      glPolygonOffset(2.5f, 4.f);
      terrain->draw(terrain_shadow_program, chosen, w);
      shadow_maps.keep_ground(map, box);
    }
  }
  shadow_program.use();
  shadow_program.set("light_from_rel", box.clip_from_rel);
  glPolygonOffset(1.2f, 2.f);
  for (const Instance& instance : scene.instances) {
    if (!instance.casts_shadow || instance.opacity < 1) continue;
    const MeshStore::Entry& entry = meshes.get(instance.mesh);
    const double radius = 0.5 * entry.bounds.size().cwiseProduct(instance.scale).norm();
    if (2 * radius < 2 * box.texel) continue;
    const Vec3 middle = instance.pose * entry.bounds.center().cwiseProduct(instance.scale);
    if (map == ShadowMaps::kFar && near_box.shades_alone(middle, radius)) continue;
    shadow_program.set("rel_from_mesh", relative_matrix(instance, view.eye));
    for (const MeshStore::Part& part : entry.parts) {
      glBindVertexArray(part.array.id());
      draw_triangles(part.count, GL_UNSIGNED_INT);
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
  const auto box = [&](double radius) {
    return sun_box(sun, {scene.focus, radius, 2 * radius + depth, settings.shadow_size, settings.shadow_step},
                   view.eye);
  };
  near_box = box(near_radius);
  far_box = box(far_radius);
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  draw_shadow_map(ShadowMaps::kNear, near_box, scene, view);
  draw_shadow_map(ShadowMaps::kFar, far_box, scene, view);
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
    // The maps may have been drawn for another eye.
    frame.shadow_from_rel[0] = map_from_relative(near_box, view.eye);
    frame.shadow_from_rel[1] = map_from_relative(far_box, view.eye);
    frame.shadow_info = Vec4f(near_box.texel, far_box.texel, 1, 1);
  }
  add_occluders(frame, scene, view);
  glBindBuffer(GL_UNIFORM_BUFFER, uniforms.id());
  fill_buffer(GL_UNIFORM_BUFFER, sizeof(FrameUniforms), &frame, GL_DYNAMIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, uniforms.id());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D_ARRAY, shadow_maps.texture());
  glActiveTexture(GL_TEXTURE2);
  glBindTexture(GL_TEXTURE_2D, noise.id());
  glActiveTexture(GL_TEXTURE3);
  glBindTexture(GL_TEXTURE_2D, ground_image.id());
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
  draw_triangles(3, GL_NONE);
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
  if (shading > GroundShading::soil)
    shading = look.rut_color ? GroundShading::soil : GroundShading::natural;
  else if (shading == GroundShading::soil && !look.soil_color)
    shading = GroundShading::natural;
  const auto [low, high] = terrain->height_range();
  const GlProgram& program = ground_program(shading, look.grid > 0);
  program.use();
  program.set("low", to_linear(look.low));
  program.set("high", to_linear(look.high));
  program.set("steep", to_linear(look.steep));
  program.set("range", Vec4f(low, high, contour_interval, look.grid));
  // What is near hides what is far behind it before that is painted.
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  terrain->draw(program, chosen, w);
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
      draw_triangles(part.count, GL_UNSIGNED_INT);
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
  impl_->samples.begin();
  impl_->draw_picture(scene, view, target);
  impl_->samples.end();
}

void Renderer::draw_again(const Scene& scene, const Viewpoint& view, const Framebuffer& target) {
  impl_->prepare_ground(scene, view);
  impl_->draw_picture(scene, view, target);
}

void Renderer::ground_changed(const Rectangle& area) {
  if (impl_->terrain) impl_->terrain->changed(area, kLargestRutTile);
  impl_->shadow_maps.forget_ground();
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

std::uint64_t Renderer::samples_passed() const { return impl_->samples.newest(); }

std::vector<std::string> Renderer::take_warnings() { return impl_->meshes.take_warnings(); }

}  // namespace scree::view
