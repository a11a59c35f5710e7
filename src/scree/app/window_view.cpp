/// scree view: the 3-D window.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/app/drawing_view.hpp"
#include "scree/core/hash.hpp"
#include "scree/core/text.hpp"
#include "scree/view/film.hpp"
#include "scree/view/window.hpp"

namespace scree {
namespace {

/// How well the window kept time and what drawing took.
void print_pace(const view::LiveStatus& s, double frame_rate, const view::DrawingStats& drawing, bool json) {
  if (json) {
    std::string members = fmt::format(
        "\"outcome\": {}, \"simulated_s\": {}, \"state_hash\": {}, \"deadlines\": {}, \"missed\": {}, "
        "\"moved\": {}, \"median_error_s\": {}, \"error_99_s\": {}, \"drift_s\": {}, \"frames_per_s\": {}, ",
        json_text(s.outcome), json_number(s.time), json_text(hash_text(s.state_hash)), s.deadlines, s.missed,
        s.moved, json_number(s.median_error), json_number(s.late_error), json_number(s.drift),
        json_number(frame_rate));
    members += fmt::format("\"pictures\": {}, {}", drawing.pictures(), drawing_json(drawing));
    print_json(members);
    return;
  }
  if (s.deadlines > 0)
    fmt::print("kept time within {:.3f} ms (median), {:.3f} ms (99 %); {} of {} deadlines missed\n",
               1e3 * s.median_error, 1e3 * s.late_error, s.missed, s.deadlines);
  fmt::print(
      "{:.1f} pictures a second; each {:.2f} ms of processor time to prepare and submit (median; 99 % {:.2f} "
      "ms), {:.0f} draw calls, {:.0f} k triangles\n",
      frame_rate, 1e3 * drawing.processor().quantile(0.5), 1e3 * drawing.processor().quantile(0.99),
      drawing.draw_calls(), 1e-3 * drawing.triangles());
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  struct Options {
    view::WindowOptions window;
    std::string size = "1280x720", detail = "auto";
    bool json = false;
  };
  auto o = std::make_shared<Options>();
  auto* sub = add_subcommand(app, "view", "3-D window in real time; a run folder replays",
                             "scree view scenarios/demo.toml --camera chase --core 1");
  sub->add_option("SCENARIO|RUN", o->window.path,
                  "Scenario (a file or a name), run folder, or results of a study")
      ->required();
  sub->add_option("--trial", o->window.trial, "Number of the trial of a study");
  sub->add_option("--camera", o->window.camera, "Camera to begin with");
  sub->add_option("--robot", o->window.robot, "Robot that keys and gamepad drive; default: the first");
  sub->add_option("--size", o->size, "Width x height of the window [px]")->capture_default_str();
  sub->add_option("--speed", o->window.speed, "Simulated seconds per second")->capture_default_str();
  sub->add_option("--core", o->window.core, "Reserve this core for the physics");
  sub->add_option("--input", o->window.input, "Mapping of keys and gamepad (TOML)");
  sub->add_option("--film", o->window.film, "Film the window from the start into this file");
  sub->add_option("--set", o->window.overrides, "Change a key of the scenario: key=value")
      ->allow_extra_args(false);
  sub->add_option("--scale", o->window.scale,
                  "Size of text and panels (default: by the density of the display)")
      ->check(CLI::Range(0.4, 6.0));
  sub->add_flag("--paused", o->window.paused, "Begin paused");
  sub->add_flag("--close", o->window.close_at_end, "Close when the run is over");
  sub->add_option("--detail", o->detail, "auto (low where the processor draws), low, high")
      ->capture_default_str();
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] {
    std::tie(o->window.window.width, o->window.window.height) = view::parse_size(o->size);
    o->window.detail = view::detail_named(o->detail);
    view::Window window(o->window);
    window.run();
    for (const std::string& e : window.film_errors()) fmt::print(stderr, "scree: warning: {}\n", e);
    if (window.live())
      print_pace(window.live()->status(), window.frame_rate(), window.painter().stats(), o->json);
    return 0;
  });
}

}  // namespace scree
