#pragma once
/// Panels, plots, legends and help over the picture (Dear ImGui), with or without a window.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/sim/sink.hpp"
#include "scree/view/drawing_stats.hpp"
#include "scree/view/framebuffer.hpp"
#include "scree/view/overlays.hpp"
#include "scree/view/renderer.hpp"

namespace scree::view {

/// One curve for the live plots.
struct Curve {
  std::string name, unit;
  std::vector<float> times, values;  ///< s, unit
};

/// One line of the state panel.
struct Reading {
  std::string name, value;
};

/// Everything the panels say.
struct HudState {
  std::string title;  ///< of the scenario
  std::string camera;
  double time = 0, duration = 0;  ///< s
  double speed = 1;               ///< wished simulated seconds per second
  double real_time_factor = 0;    ///< reached; 0: not measured
  std::uint64_t missed = 0;       ///< deadlines
  bool paused = false, replay = false, recording = false;
  std::vector<Reading> readings;
  double battery = -1;  ///< charge 0..1; negative: none
  std::vector<Event> events;
  std::vector<std::string> messages;  ///< warnings and news, newest last
  std::vector<Curve> curves;
  std::vector<std::string> cameras;    ///< names, for buttons
  const RobotMoment* robot = nullptr;  ///< for the stability plot
  GroundShading shading = GroundShading::natural;
  Renderer::HeightLegend heights;
  std::vector<std::pair<std::string, Color>> soils;       ///< legend of GroundShading::soil
  std::vector<std::pair<std::string, std::string>> help;  ///< key, what it does
  std::vector<std::string> signal_names;                  ///< what could be plotted
  double orbit_speed = 1;                                 ///< of turning and moving the free camera
  double frame_rate = 0;                                  ///< pictures per second; 0: not measured
  const DrawingStats* drawing = nullptr;                  ///< for the statistics
  std::vector<std::string> openable;                      ///< scenarios and runs that the Open box lists
  std::string picked;                                     ///< wheel or body that was clicked; empty: none
  std::vector<Reading> picked_readings;                   ///< its numbers
  double newtons_per_metre = 0;                           ///< of force arrows; 0: none are drawn
  float right_top = 0;  ///< px that the inset takes at the right, from the top
};

/// Which panels are shown.
struct HudChoice {
  bool panel = true, plots = false, stability = false, legend = true, help = false, timeline = false;
  bool statistics = false;  ///< of drawing
  bool buttons = false;     ///< a window with a person in front
};

/// What the person did with the panels.
struct HudOrders {
  std::optional<std::size_t> camera;
  std::optional<double> seek;  ///< s
  std::optional<double> speed, orbit_speed;
  std::optional<std::string> plot;  ///< signal to add or remove
  bool pause = false, step = false, restart = false, record = false, open = false, quit = false;
  bool backwards = false, previous_event = false, next_event = false;
  bool list_files = false;  ///< the Open box has opened: what can be opened now?
  std::string open_file;
};

/// What the buttons remember from picture to picture.
struct ButtonBoxes {
  std::string open_text;
  bool open = false, close = false;  ///< the Open box is open, is to close
  float height = 0;                  ///< px
};

class Hud {
 public:
  /// `scale` 1 suits a picture 720 px high.
  explicit Hud(float scale = 1.f);
  ~Hud();
  Hud(const Hud&) = delete;

  /// Draws all chosen panels on the framebuffer's finished picture. `labels` are written at their places.
  HudOrders draw(const HudState& state, const HudChoice& choice, const Framebuffer& target,
                 const std::vector<Label>& labels, const Viewpoint& view);
  float scale() const { return scale_; }
  /// Height of the buttons in the last picture [px].
  float buttons_height() const { return boxes_.height; }
  /// Closes the Open box in the next picture; whether it was open.
  bool close_dialog();

 private:
  float scale_;
  int frames_ = 0;
  ButtonBoxes boxes_;
};

}  // namespace scree::view
