#include "scree/view/film.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/sim/run.hpp"
#include "scree/view/context.hpp"
#include "scree/view/painter.hpp"
#include "scree/view/soil_paint.hpp"
#include "scree/view/stage.hpp"

namespace scree::view {
namespace {

/// Keeps every sample whose time lies on (or just after) the grid of pictures.
class RecordingSink final : public Sink {
 public:
  RecordingSink(Recording& recording, double period, double until, std::atomic<bool>& stop)
      : recording_(recording), period_(period), until_(until), stop_(stop) {}
  void begin(const RunInfo& info) override {
    world_size_ = info.world_size;
    recording_ = Recording(info.world_size, {info.signals->all().begin(), info.signals->all().end()});
  }
  void sample(const Sample& s) override {
    if (s.time + 1e-9 >= next_) {
      recording_.add(s.time, s.state.first(world_size_), s.values);
      if (s.soil != nullptr) recording_.add_soil(s.time, *s.soil);
      next_ = period_ * (std::floor(s.time / period_ + 1e-9) + 1);
    }
    if (until_ >= 0 && s.time > until_ + period_) stop_ = true;
  }
  void event(const Event& e) override { recording_.events.push_back(e); }

 private:
  Recording& recording_;
  double period_, until_, next_ = 0;
  std::size_t world_size_ = 0;
  std::atomic<bool>& stop_;
};

}  // namespace

std::pair<int, int> parse_size(const std::string& text) {
  int width = 0, height = 0;
  const std::size_t cross = text.find('x');
  const char *begin = text.data(), *end = begin + text.size();
  bool ok = cross != std::string::npos;
  if (ok) {
    const auto first = std::from_chars(begin, begin + cross, width);
    const auto second = std::from_chars(begin + cross + 1, end, height);
    ok = first.ec == std::errc() && first.ptr == begin + cross && second.ec == std::errc() &&
         second.ptr == end;
  }
  if (!ok || width < 16 || height < 16 || width > 16384 || height > 16384)
    input_error("--size {}: give WIDTHxHEIGHT in pixels, each in [16, 16384], for example 1280x720", text);
  return {width, height};
}

Recording simulate(const Scenario& given, double fps, double until,
                   const std::function<void(double)>& progress, std::vector<std::string>& warnings) {
  Scenario scenario = given;
  // Samples at least as dense as pictures; the step and with it the result stay as they are.
  scenario.record.period = std::min(scenario.record.period, 1 / fps);
  Recording recording;
  std::atomic<bool> stop{false};
  RecordingSink sink(recording, std::min(1 / fps, 1.0 / 30), until, stop);
  Sink* const sinks[] = {&sink};
  RunControl control;
  control.stop = &stop;
  if (progress) control.progress = [&](double done, double) { progress(done); };
  const RunSummary summary = run(scenario, sinks, control);
  if (!summary.error.empty()) warnings.push_back(summary.error);
  recording.cut = stop;
  return recording;
}

FilmResult film(const Scenario& scenario, const Recording& recording, const FilmSettings& s) {
  if (recording.empty()) input_error("nothing to show: the run has no states");
  FilmResult result;
  const bool still = s.out.extension() == ".png";
  if (!still && !is_video_file(s.out))
    input_error("output '{}': use .png for a picture, or .mp4, .mkv, .mov, .avi, .webm, .gif for a video",
                s.out.string());
  if (still && s.at > recording.end() + 1e-9)
    input_error("--at {} s: the run ends at {:.3f} s", s.at, recording.end());
  if (!(s.speed > 0)) input_error("--speed {}: must be above 0", s.speed);

  Stage stage(scenario, result.warnings);
  const auto context = make_offscreen_context();
  Painter painter({.width = s.width,
                   .height = s.height,
                   .software = context->software(),
                   .detail = s.detail,
                   .still = still});
  painter.overlays = s.overlays;
  painter.hud = s.hud;
  painter.plots = s.plots.empty() ? stage.settings().plots : s.plots;
  Stage::check_plots(recording, s.plots, result.warnings);
  painter.camera = s.camera.empty() ? stage.first_camera() : stage.find_camera(s.camera);
  if (!s.inset.empty()) painter.inset = stage.find_camera(s.inset);
  if (!s.shading.empty() && s.shading != stage.settings().shading) {
    set_shading(stage.ground(), s.shading);
    warn_without_soil(stage.ground(), result.warnings);
  }
  stage.extend_trails(recording);

  const auto picture = [&](double time) {
    painter.draw(
        stage, recording, time,
        {.paused = false, .replay = false, .duration = recording.cut ? scenario.duration : recording.end()});
    const std::vector<std::string> news = painter.take_warnings();
    result.warnings.insert(result.warnings.end(), news.begin(), news.end());
    return painter.picture();
  };
  if (still) {
    write_png(s.out, picture(s.at < 0 ? recording.end() : s.at));
    result.frames = 1;
    result.drawing = painter.stats();
    return result;
  }
  const double from = std::max(s.from, recording.start()),
               to = s.to < 0 ? recording.end() : std::min(s.to, recording.end());
  if (!(to >= from))
    input_error("nothing to film between {} s and {} s: the run ends at {:.3f} s", s.from, s.to,
                recording.end());
  const int frames = std::max(1, static_cast<int>(std::lround((to - from) * s.fps / s.speed)));
  Video video(s.out, {.width = s.width, .height = s.height, .fps = s.fps, .codec = s.codec});
  for (int i = 0; i < frames; ++i) {
    if (!video.add(picture(from + i * s.speed / s.fps))) break;
    if (s.progress) s.progress((i + 1.0) / frames);
  }
  const bool complete = video.finish();
  result.frames = video.frames();
  result.seconds = result.frames / s.fps;
  result.drawing = painter.stats();
  if (!complete) throw RunError(video.error());
  return result;
}

}  // namespace scree::view
