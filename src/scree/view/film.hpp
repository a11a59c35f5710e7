#pragma once
/// Pictures and videos without a window: `scree render`.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scree/sim/scenario.hpp"
#include "scree/view/detail.hpp"
#include "scree/view/drawing_stats.hpp"
#include "scree/view/hud.hpp"
#include "scree/view/overlays.hpp"
#include "scree/view/recording.hpp"
#include "scree/view/video.hpp"

namespace scree::view {

struct FilmSettings {
  std::filesystem::path out;       ///< .png: a still; else a video
  std::string camera;              ///< empty: the scenario's
  std::string inset;               ///< camera of a picture in the picture; empty: none
  int width = 1280, height = 720;  ///< px
  double fps = 30;                 ///< pictures per second of video
  double at = -1;                  ///< s, of a still; negative: the end
  double from = 0, to = -1;        ///< s, of a video; negative: the end
  double speed = 1;                ///< simulated seconds per second of video
  std::string codec;               ///< ffmpeg's name; empty: usual
  std::string shading;             ///< of the ground; empty: the scenario's
  Detail detail = Detail::high;
  OverlayChoice overlays;
  HudChoice hud;
  std::vector<std::string> plots;  ///< signals; empty: the scenario's
  std::function<void(double done)> progress;
};

struct FilmResult {
  int frames = 0;
  double seconds = 0;  ///< of video
  DrawingStats drawing;
  std::vector<std::string> warnings;
};

/// Simulates the scenario into a recording, sampled at `fps` (at least), up to `until` [s] (negative: its
/// end). Numbers gone bad are a warning: what ran is shown.
Recording simulate(const Scenario& scenario, double fps, double until,
                   const std::function<void(double)>& progress, std::vector<std::string>& warnings);

/// Draws a recording of the scenario. Throws InputError for what the person gave, RunError when the picture
/// cannot be made; a video that stops half-way is kept and reported as RunError.
FilmResult film(const Scenario& scenario, const Recording& recording, const FilmSettings& settings);

/// "1280x720"; throws InputError.
std::pair<int, int> parse_size(const std::string& text);

}  // namespace scree::view
