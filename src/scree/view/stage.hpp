#pragma once
/// Everything that is needed to draw one scenario at any time: looks, ground, light, cameras, paths.
#include <memory>
#include <string>
#include <vector>

#include "scree/sim/scenario.hpp"
#include "scree/soil/deformed_terrain.hpp"
#include "scree/view/bridge.hpp"
#include "scree/view/camera.hpp"
#include "scree/view/hud.hpp"
#include "scree/view/look.hpp"
#include "scree/view/overlays.hpp"
#include "scree/view/recording.hpp"
#include "scree/view/settings.hpp"

namespace scree::view {

/// A robot, or a wheel of one, that a person points at.
struct Picked {
  int robot = -1;  ///< -1: none
  int wheel = -1;  ///< -1: its body
};

class Stage {
 public:
  /// Problems that do not stop the drawing (a missing mesh) are put into `warnings`.
  Stage(const Scenario& scenario, std::vector<std::string>& warnings);

  const Scenario& scenario() const { return scenario_; }
  const ViewSettings& settings() const { return settings_; }
  std::vector<Camera>& cameras() { return cameras_; }
  std::vector<std::string> camera_names() const;
  std::size_t first_camera() const { return first_camera_; }
  std::size_t find_camera(const std::string& name) const;

  /// The moment at a time of the recording, between its frames.
  Moment moment_at(const Recording& recording, double time);
  /// The ground as it is shown, with its ruts.
  const Terrain& terrain() const { return *base_.terrain; }
  /// Shows soil that deforms as it lay at a time; returns where the ground differs from before [m].
  std::vector<Rectangle> show_soil(const Recording& recording, double time);
  /// Takes new frames of the recording into the paths.
  void extend_trails(const Recording& recording);
  void clear_trails();

  /// The scene of a moment. The recording gives ghosts; paths run to `until` [s].
  Scene compose(const Moment& moment, const OverlayChoice& overlays, double until,
                const Recording* recording);
  Subject subject(const Moment& moment, const Camera& camera) const;
  Viewpoint viewpoint(std::size_t camera, const Moment& moment);

  /// The state panel's lines for the first robot, and its battery.
  void fill(HudState& state, const Recording& recording, std::size_t frame) const;
  /// Numbers of what was clicked.
  void fill_picked(HudState& state, const Recording& recording, std::size_t frame,
                   const Picked& picked) const;
  /// Metres of arrow per newton, of the first robot.
  double force_scale(const Moment& moment) const;
  /// Refuses names that no signal of the recording matches, and warns of more than fit.
  static void check_plots(const Recording& recording, const std::vector<std::string>& names,
                          std::vector<std::string>& warnings);
  static constexpr std::size_t kMostCurves = 8;
  /// Curves of the chosen signals in the 20 s before `time`.
  static std::vector<Curve> curves(const Recording& recording, const std::vector<std::string>& names,
                                   double time);

  GroundLook& ground() { return base_.ground; }

 private:
  std::size_t robot_of(const std::string& name) const;

  Scenario scenario_;
  ViewSettings settings_;
  Bridge bridge_;
  DeformedTerrain ground_;  ///< the scene's, where soil deforms
  std::vector<RobotLook> looks_;
  std::vector<Camera> cameras_;
  std::size_t first_camera_ = 0;
  Scene base_;
  std::vector<Trail> trails_;
  std::vector<std::vector<Trail>> ruts_;  ///< of each robot's wheels, where they sink
  std::size_t trail_frames_ = 0;
};

}  // namespace scree::view
