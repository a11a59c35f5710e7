#pragma once
/// The window: `scree view`.
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/view/context.hpp"
#include "scree/view/input.hpp"
#include "scree/view/live_run.hpp"
#include "scree/view/painter.hpp"
#include "scree/view/player.hpp"
#include "scree/view/source.hpp"
#include "scree/view/video.hpp"

namespace scree::view {

struct WindowOptions {
  std::filesystem::path path;          ///< scenario, run folder or results of a study
  std::optional<std::size_t> trial;    ///< of the study
  std::vector<std::string> overrides;  ///< key=value
  std::string camera;                  ///< to begin with; empty: the scenario's
  std::string robot;                   ///< the one a person drives; empty: the first
  std::filesystem::path input;         ///< mapping of keys and gamepad; empty: usual
  std::filesystem::path film;          ///< films from the start into this file; empty: no
  std::filesystem::path out = ".";     ///< where pictures and films made in the window go
  int core = -1;                       ///< of the physics
  double speed = 1;
  double scale = 0;  ///< of text and panels; 0: by the density of the display
  bool paused = false;
  bool close_at_end = false;  ///< quit when the run is over
  Detail detail = Detail::automatic;
  WindowSettings window;
};

/// Mouse and keyboard for the panels.
class PanelInput {
 public:
  explicit PanelInput(const WindowContext& context);
  ~PanelInput();
  PanelInput(const PanelInput&) = delete;
};

class Window {
 public:
  explicit Window(const WindowOptions& options);
  ~Window();

  /// Until the person quits (or the run ends, with close_at_end).
  void run();
  /// One turn: events, orders, drawing. False when the window is to close.
  bool turn();

  // For tests and for whoever scripts the window.
  void obey(Order order);
  const LiveRun* live() const { return live_.get(); }
  const Recording& recording() const { return recording_; }
  Painter& painter() { return *painter_; }
  Stage& stage() { return *stage_; }
  Player& player() { return player_; }
  bool replaying() const { return replaying_; }
  bool filming() const { return video_ != nullptr; }
  double speed() const { return speed_; }
  bool paused() const;
  Input& input() { return *input_; }
  const std::deque<std::string>& messages() const { return messages_; }
  /// Films that could not be made or finished, one line each: for whoever looks when the window is gone.
  const std::vector<std::string>& film_errors() const { return film_errors_; }
  const std::string& title() const { return title_; }
  /// Pictures drawn per second, over the whole time.
  double frame_rate() const { return drawing_time_ > 0 ? static_cast<double>(frames_) / drawing_time_ : 0; }
  void open(const std::filesystem::path& path, const std::vector<std::string>& overrides);
  /// Reads the scenario's file again and begins anew; says what is wrong with it and goes on as it was.
  void begin_anew();
  void take_stage(Scenario scenario);
  const Picked& picked() const { return picked_; }
  void say(std::string message);

 private:
  void start_live();
  void handle_events();
  void handle_mouse(const union ::SDL_Event& event);
  void aim_at_ground(Camera& camera, const Vec2& pixel);
  std::optional<TerrainHit> ground_at(const Vec2& pixel) const;
  /// The wheel or body nearest to the eye under the mouse.
  Picked pick(const Vec2& pixel) const;
  void measure(const Vec2& pixel);
  void grab(const Vec2& pixel);
  void pull(const Vec2& pixel);
  void let_go();
  void draw_marks(Scene& scene) const;
  std::vector<std::string> openable() const;
  void obey(const HudOrders& orders);
  void choose_camera(std::size_t camera);
  void cycle_shading();
  void replay();
  void set_speed(double speed);
  void toggle_film();
  void film_frame();
  void film_failed(const std::string& reason);
  void save_picture();
  void update_title(const LiveStatus& status);
  double shown_time() const;

  WindowOptions options_;
  std::unique_ptr<WindowContext> context_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Painter> painter_;
  std::unique_ptr<PanelInput> panel_input_;
  std::unique_ptr<Stage> stage_;
  std::optional<Scenario> scenario_;
  std::unique_ptr<LiveRun> live_;
  Recording recording_;
  Player player_;
  std::unique_ptr<Video> video_;
  double video_start_ = 0;
  int films_ = 0, pictures_ = 0;
  bool replaying_ = false, quit_ = false;
  double speed_ = 1, last_wall_ = 0, orbit_speed_ = 1;
  std::vector<std::string> film_errors_;
  std::deque<std::string> messages_;
  double message_wall_ = 0;
  std::vector<std::string> openable_;  ///< when the Open box was opened
  Picked picked_;                      ///< whose numbers are shown
  std::vector<Vec3> measured_;         ///< up to two points on the ground
  struct Grabbed {
    Picked what;
    Vec3 point;  ///< where it was taken hold of, world [m]
    Simulation::Hand hand;
  };
  std::optional<Grabbed> grabbed_;
  std::string title_;
  double title_wall_ = 0;
  std::uint64_t frames_ = 0;
  double drawing_time_ = 0;  ///< s
};

}  // namespace scree::view
