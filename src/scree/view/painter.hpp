#pragma once
/// One finished picture of a recording at a time: scene, inset and panels. Shared by window and film.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/view/detail.hpp"
#include "scree/view/drawing_stats.hpp"
#include "scree/view/framebuffer.hpp"
#include "scree/view/hud.hpp"
#include "scree/view/renderer.hpp"
#include "scree/view/stage.hpp"

namespace scree::view {

struct PainterSettings {
  int width = 1280, height = 720;  ///< px
  bool software = false;           ///< the processor draws: ask for less
  Detail detail = Detail::high;
  bool still = true;          ///< single pictures are looked at more closely than those of a film
  double scale = 1;           ///< of text and panels
  int tile_budget = 1 << 30;  ///< ground tiles made per picture
};

/// What only the caller knows of the run.
struct PaintContext {
  bool paused = false, replay = false, recording = false;
  double duration = 0;  ///< s
  double speed = 1, real_time_factor = 0;
  std::uint64_t missed = 0;
  std::vector<std::string> messages = {};
  std::vector<std::pair<std::string, std::string>> help = {};
  double orbit_speed = 1;
  double frame_rate = 0;                   ///< pictures per second; 0: not measured
  std::vector<std::string> openable = {};  ///< for the Open box
  Picked picked = {};                      ///< whose numbers are shown
};

class Painter {
 public:
  explicit Painter(const PainterSettings& settings);
  void resize(int width, int height);
  /// Another scenario will be drawn.
  void forget_stage() { renderer_.forget_ground(); }

  /// Draws the recording at `time`; returns what the person did with the panels.
  HudOrders draw(Stage& stage, const Recording& recording, double time, const PaintContext& context);
  Image picture() const { return target_->read(); }
  const Framebuffer& target() const { return *target_; }
  std::vector<std::string> take_warnings() { return renderer_.take_warnings(); }
  /// Of all pictures drawn so far.
  const DrawingStats& stats() const { return stats_; }
  /// Viewpoint of the last picture.
  const Viewpoint& viewpoint() const { return view_; }
  /// And what was drawn in it.
  const Moment& moment() const { return moment_; }
  /// Closes what lies over the picture and waits for an answer; whether something did.
  bool close_dialog();

  OverlayChoice overlays;
  HudChoice hud;
  std::vector<std::string> plots;  ///< signals: patterns
  std::size_t camera = 0;
  std::optional<std::size_t> inset;          ///< camera of the picture in the picture
  std::function<void(Scene&)> change_scene;  ///< called before a scene is drawn; may be empty

 private:
  void draw_inset(Stage& stage, const Scene& scene, const Moment& moment);
  PainterSettings settings_;
  Renderer renderer_;
  std::unique_ptr<Hud> hud_;
  std::unique_ptr<Framebuffer> target_, inset_target_;
  Viewpoint view_;
  Moment moment_;
  DrawingStats stats_;
};

/// Sets the ground's painting by name; throws InputError with the nearest name.
void set_shading(GroundLook& ground, const std::string& name);

}  // namespace scree::view
