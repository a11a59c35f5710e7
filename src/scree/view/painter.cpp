#include "scree/view/painter.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {
namespace {

RenderSettings render_settings(const PainterSettings& s) {
  RenderSettings r;
  r.anisotropy = s.software ? 1.f : 4.f;
  r.tile_budget = s.tile_budget;
  if (s.software) {
    r.shadow_size = s.fine ? 2048 : 1024;
    r.quad_pixels = s.fine ? 8 : 14;
  }
  return r;
}

}  // namespace

void set_shading(GroundLook& ground, const std::string& name) {
  const std::vector<std::string> names = shading_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) input_error("shading '{}' is not known{}", name, name_hint(name, names));
  ground.shading = static_cast<GroundShading>(it - names.begin());
}

Painter::Painter(const PainterSettings& settings)
    : settings_(settings), renderer_(render_settings(settings)) {
  resize(settings.width, settings.height);
  hud_ = std::make_unique<Hud>(std::clamp(settings.height / 720.f, 0.7f, 3.f));
}

void Painter::resize(int width, int height) {
  if (target_ && target_->width() == width && target_->height() == height) return;
  const Smoothing smoothing = smoothing_for(settings_.software, settings_.fine);
  target_ = std::make_unique<Framebuffer>(width, height, smoothing);
  inset_target_ =
      std::make_unique<Framebuffer>(std::max(width * 3 / 10, 16), std::max(height * 3 / 10, 16), smoothing);
}

void Painter::draw_inset(Stage& stage, const Scene& scene, const Moment& moment) {
  renderer_.draw_again(scene, stage.viewpoint(*inset, moment), *inset_target_);
  inset_target_->resolve();
  const int margin = static_cast<int>(12 * hud_->scale());
  // Below the buttons of a window, at the right edge.
  const int top = hud.buttons ? static_cast<int>(150 * hud_->scale()) : margin;
  const int left = target_->width() - inset_target_->width() - margin;
  const int frame = std::max(1, static_cast<int>(2 * hud_->scale()));
  target_->fill(left - frame, top - frame, inset_target_->width() + 2 * frame,
                inset_target_->height() + 2 * frame, 0.1f);
  inset_target_->copy_to(*target_, left, top);
}

HudOrders Painter::draw(Stage& stage, const Recording& recording, double time, const PaintContext& context) {
  const Moment moment = stage.moment_at(recording, time);
  Scene scene = stage.compose(moment, overlays, time, &recording);
  if (change_scene) change_scene(scene);
  view_ = stage.viewpoint(camera, moment);
  renderer_.draw(scene, view_, *target_);
  target_->resolve();
  if (inset) draw_inset(stage, scene, moment);

  HudState state;
  state.title = stage.scenario().name;
  state.cameras = stage.camera_names();
  state.camera = state.cameras[camera];
  state.time = time;
  state.duration = context.duration;
  state.speed = context.speed;
  state.real_time_factor = context.real_time_factor;
  state.missed = context.missed;
  state.paused = context.paused, state.replay = context.replay, state.recording = context.recording;
  state.messages = context.messages;
  state.help = context.help;
  state.orbit_speed = context.orbit_speed;
  stage.fill(state, recording, recording.find(time).first);
  for (const Event& e : recording.events)
    if (context.replay || e.time <= time) state.events.push_back(e);
  if (hud.plots) state.curves = Stage::curves(recording, plots, time);
  if (hud.buttons)
    for (const Signal& s : recording.signals()) state.signal_names.push_back(s.name);
  state.robot = moment.robots.empty() ? nullptr : &moment.robots.front();
  state.shading = scene.ground.shading;
  state.heights = renderer_.height_legend();
  if (state.shading == GroundShading::soil) state.soils = scene.ground.soil_legend;
  return hud_->draw(state, hud, *target_, scene.labels, view_);
}

}  // namespace scree::view
