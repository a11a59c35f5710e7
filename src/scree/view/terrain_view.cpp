#include "scree/view/terrain_view.hpp"

#include <fmt/core.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/view/context.hpp"
#include "scree/view/detail.hpp"
#include "scree/view/hud.hpp"
#include "scree/view/renderer.hpp"

namespace scree::view {
namespace {

/// Longer side of the model that stands for the ground [m]. A table-top of gravel and a mountain range are
/// drawn alike: light, grain and shadows suit this size.
constexpr double kModelSide = 60;

/// A piece of ground cut out, brought to the model's size, its lowest point at z = 0.
class Model final : public Terrain {
 public:
  Model(const Terrain& ground, const Survey& survey, double exaggeration)
      : ground_(ground),
        area_(survey.area),
        lowest_(survey.lowest),
        exaggeration_(exaggeration),
        scale_(kModelSide / std::max(area_.x_max - area_.x_min, area_.y_max - area_.y_min)) {}

  void sample(const TerrainRow& row) const override {
    constexpr int kChunk = 64;
    std::array<double, kChunk> x, y;
    for (int k = 0; k < row.count; k += kChunk) {
      const int n = std::min(kChunk, row.count - k);
      for (int i = 0; i < n; ++i) {
        x[i] = area_.x_min + row.x[k + i] / scale_;
        y[i] = area_.y_min + row.y[k + i] / scale_;
      }
      ground_.sample({n, x.data(), y.data(), row.z + k, row.slope_x + k, row.slope_y + k});
      for (int i = k; i < k + n; ++i) {
        row.z[i] = scale_ * exaggeration_ * (row.z[i] - lowest_);
        row.slope_x[i] *= exaggeration_, row.slope_y[i] *= exaggeration_;
      }
    }
  }
  Rectangle bounds() const override {
    return {0, scale_ * (area_.x_max - area_.x_min), 0, scale_ * (area_.y_max - area_.y_min)};
  }
  double cell() const override { return scale_ * ground_.cell(); }
  std::string summary() const override { return ground_.summary(); }

  double rise(double height) const { return scale_ * exaggeration_ * (height - lowest_); }

 private:
  const Terrain& ground_;
  Rectangle area_;
  double lowest_, exaggeration_, scale_;
};

/// The box's corners on the picture, as parts of its width and height; empty where one is behind the eye.
Eigen::AlignedBox2d seen_box(const Viewpoint& view, const Vec3& size, int width, int height) {
  Eigen::AlignedBox2d seen;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p(corner & 1 ? size.x() : 0, corner & 2 ? size.y() : 0, corner & 4 ? size.z() : 0);
    const auto at = view.project(p, width, height);
    if (!at) return {};
    seen.extend(Vec2(at->x() / width, at->y() / height));
  }
  return seen;
}

/// The nearest eye in the given direction that sees the whole box, a little inside the picture.
Viewpoint see_all(const Vec3& size, const TerrainViewSettings& s, int width, int height) {
  const Vec3 towards(std::cos(s.elevation) * std::cos(s.azimuth), std::cos(s.elevation) * std::sin(s.azimuth),
                     std::sin(s.elevation));
  Viewpoint view;
  view.fov = 30 * kDegree;
  view.target = 0.5 * size;
  // The near side takes more of the picture than the far one: distance and centring in turns.
  for (int turn = 0; turn < 6; ++turn) {
    double near = 0.1 * size.norm(), far = 20 * size.norm();
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (near + far);
      view.eye = view.target + middle * towards;
      const Eigen::AlignedBox2d seen = seen_box(view, size, width, height);
      const bool fits = !seen.isEmpty() && seen.sizes().x() < 0.88 && seen.sizes().y() < 0.88;
      (fits ? far : near) = middle;
    }
    view.eye = view.target + far * towards;
    const Vec2 off = seen_box(view, size, width, height).center() - Vec2::Constant(0.5);
    const double tall = 2 * far * std::tan(view.fov / 2), wide = tall * width / height;
    const Mat3 axes = view.axes();
    const Vec3 shift = off.x() * wide * axes.col(0) - off.y() * tall * axes.col(1);
    view.target += shift, view.eye += shift;
  }
  return view;
}

/// What stands along the two sides that face the eye.
std::vector<Label> side_labels(const Survey& s, const Model& model, const TerrainViewSettings& settings) {
  const Rectangle b = model.bounds();
  const bool low_y = std::sin(settings.azimuth) < 0, low_x = std::cos(settings.azimuth) < 0;
  const double y = low_y ? b.y_min : b.y_max, x = low_x ? b.x_min : b.x_max;
  const double out = 0.06 * kModelSide, middle_x = 0.5 * b.x_max, middle_y = 0.5 * b.y_max;
  std::string heights;
  if (settings.exaggeration != 1) heights = fmt::format(", heights x {:g}", settings.exaggeration);
  return {{Vec3(middle_x, y + (low_y ? -out : out), model.height(middle_x, y)),
           fmt::format("x {:.4g} ... {:.4g} m{}", s.area.x_min, s.area.x_max, heights)},
          {Vec3(x + (low_x ? -out : out), middle_y, model.height(x, middle_y)),
           fmt::format("y {:.4g} ... {:.4g} m", s.area.y_min, s.area.y_max)}};
}

}  // namespace

void write_terrain_view(const std::filesystem::path& file, const Terrain& terrain,
                        const TerrainViewSettings& settings) {
  if (!(settings.exaggeration > 0 && std::isfinite(settings.exaggeration)))
    input_error("exaggeration {} must be positive", settings.exaggeration);
  const Survey survey = survey_terrain(terrain, {.area = settings.area});
  const Model model(terrain, survey, settings.exaggeration);
  const Rectangle b = model.bounds();
  const Vec3 size(b.x_max, b.y_max, std::max(model.rise(survey.highest), 1e-3));
  const int width = settings.width, height = std::max(16, width * 10 / 16);

  Scene scene;
  scene.terrain = &model;
  scene.ground.shading = GroundShading::height;
  scene.environment.visibility = 1e5f;
  scene.environment.clouds = false;
  // From behind the eye's left shoulder and low: slopes show.
  scene.environment.to_sun =
      Vec3(std::cos(settings.azimuth - 1.1), std::sin(settings.azimuth - 1.1), std::tan(32 * kDegree));
  scene.focus = 0.5 * size;
  scene.focus_radius = 0.55 * size.norm();

  const auto context = make_offscreen_context();
  Renderer renderer({.quad_pixels = 3, .shadow_size = 4096, .finest_ground = kModelSide / 1024});
  const Framebuffer target(width, height, smoothing(Detail::high, context->software(), width, height));
  const Viewpoint view = see_all(size, settings, width, height);
  renderer.draw(scene, view, target);
  target.resolve();
  HudState state;
  state.shading = scene.ground.shading;
  state.heights = {survey.lowest, survey.highest, 1};
  Hud hud(std::clamp(height / 720.f, 0.7f, 3.f));
  hud.draw(state, {.panel = false}, target, side_labels(survey, model, settings), view);
  write_png(file, target.read());
}

}  // namespace scree::view
