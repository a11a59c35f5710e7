#include "scree/view/painter.hpp"

#include <algorithm>

#include "scree/core/clock.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/view/soil_paint.hpp"

namespace scree::view {
namespace {

/// What is plotted where nobody named a signal.
const std::vector<std::string>& usual_plots() {
  static const std::vector<std::string> names{"speed", "wheel.*.normal", "*.speed", "*.wheel.*.normal"};
  return names;
}

RenderSettings with_budget(RenderSettings settings, int tile_budget) {
  settings.tile_budget = tile_budget;
  return settings;
}

}  // namespace

void set_shading(GroundLook& ground, const std::string& name) {
  const std::vector<std::string> names = shading_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) input_error("shading '{}' is not known{}", name, name_hint(name, names));
  ground.shading = static_cast<GroundShading>(it - names.begin());
}

Painter::Painter(const PainterSettings& settings)
    : settings_(settings),
      renderer_(with_budget(render_settings(settings.detail, settings.software), settings.tile_budget)) {
  resize(settings.width, settings.height);
  hud_ = std::make_unique<Hud>(static_cast<float>(settings.scale) *
                               std::clamp(settings.height / 720.f, 0.7f, 3.f));
}

void Painter::resize(int width, int height) {
  if (target_ && target_->width() == width && target_->height() == height) return;
  const Smoothing smooth = smoothing(settings_.detail, settings_.software, width, height, settings_.still);
  target_ = std::make_unique<Framebuffer>(width, height, smooth);
  inset_target_ =
      std::make_unique<Framebuffer>(std::max(width * 3 / 10, 16), std::max(height * 3 / 10, 16), smooth);
}

void Painter::draw_inset(Stage& stage, const Scene& scene, const Moment& moment) {
  renderer_.draw_again(scene, stage.viewpoint(*inset, moment), *inset_target_);
  inset_target_->resolve();
  const int margin = static_cast<int>(12 * hud_->scale());
  // Below the buttons of a window, at the right edge.
  const int top = hud.buttons ? static_cast<int>(hud_->buttons_height()) + 2 * margin : margin;
  const int left = target_->width() - inset_target_->width() - margin;
  const int frame = std::max(1, static_cast<int>(2 * hud_->scale()));
  target_->fill(left - frame, top - frame, inset_target_->width() + 2 * frame,
                inset_target_->height() + 2 * frame, 0.1f);
  inset_target_->copy_to(*target_, left, top);
}

bool Painter::close_dialog() {
  const bool help = hud.help;
  hud.help = false;
  return help || hud_->close_dialog();
}

HudOrders Painter::draw(Stage& stage, const Recording& recording, double time, const PaintContext& context) {
  const double begin = thread_cpu_seconds();
  const GlWork before = gl_work();
  moment_ = stage.moment_at(recording, time);
  const Moment& moment = moment_;
  for (const Rectangle& area : stage.show_soil(recording, time)) renderer_.ground_changed(area);
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
  state.frame_rate = context.frame_rate;
  state.openable = context.openable;
  stage.fill_picked(state, recording, recording.find(time).first, context.picked);
  if (overlays.forces && !moment.robots.empty()) state.newtons_per_metre = 1 / stage.force_scale(moment);
  state.right_top = (hud.buttons ? hud_->buttons_height() : 0) +
                    (inset ? static_cast<float>(inset_target_->height()) + 24 * hud_->scale() : 0);
  stage.fill(state, recording, recording.find(time).first);
  for (const Event& e : recording.events)
    if (context.replay || e.time <= time) state.events.push_back(e);
  if (hud.plots) state.curves = Stage::curves(recording, plots.empty() ? usual_plots() : plots, time);
  if (hud.buttons)
    for (const Signal& s : recording.signals()) state.signal_names.push_back(s.name);
  state.robot = moment.robots.empty() ? nullptr : &moment.robots.front();
  state.shading = scene.ground.shading;
  state.heights = renderer_.height_legend();
  if (state.shading == GroundShading::soil) state.soils = scene.ground.soil_legend;
  if (is_rut_shading(state.shading)) state.soils = rut_legend(state.shading);
  if (hud.statistics) state.drawing = &stats_;
  const HudOrders orders = hud_->draw(state, hud, *target_, scene.labels, view_);
  stats_.add({gl_work() - before, renderer_.samples_passed(), thread_cpu_seconds() - begin});
  return orders;
}

}  // namespace scree::view
