/// scree render: pictures and videos without a window.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/app/drawing_view.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/view/film.hpp"
#include "scree/view/source.hpp"

namespace scree {
namespace {

struct RenderOptions {
  std::string path, size = "1280x720", path_style = "line";
  std::optional<std::size_t> trial;  ///< of a study
  std::vector<std::string> overrides, show;
  view::FilmSettings film;
  bool json = false, quiet = false, plain = false, draft = false;
};

/// Words of --show: overlays and panels.
void apply_show(const std::vector<std::string>& words, view::FilmSettings& film) {
  const std::vector<std::pair<std::string, bool*>> known{
      {"forces", &film.overlays.forces},   {"contacts", &film.overlays.contacts},
      {"support", &film.overlays.support}, {"ghosts", &film.overlays.ghosts},
      {"labels", &film.overlays.labels},   {"stability", &film.hud.stability},
      {"plots", &film.hud.plots}};
  std::vector<std::string> names;
  for (const auto& [name, flag] : known) names.push_back(name);
  for (const std::string& list : words)
    for (const std::string& word : split(list, ',')) {
      const auto it =
          std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == word; });
      if (it == known.end()) input_error("--show {}: not known{}", word, name_hint(word, names));
      *it->second = true;
    }
}

int render(RenderOptions options) {
  view::FilmSettings& film = options.film;
  std::tie(film.width, film.height) = view::parse_size(options.size);
  apply_show(options.show, film);
  const std::vector<std::string> styles{"none", "line", "z", "xyz"};
  const auto style = std::find(styles.begin(), styles.end(), options.path_style);
  if (style == styles.end())
    input_error("--path {}: not known{}", options.path_style, name_hint(options.path_style, styles));
  film.overlays.path = static_cast<view::PathStyle>(style - styles.begin());
  film.hud.panel = film.hud.legend = !options.plain;
  if (!film.plots.empty()) film.hud.plots = true;
  if (options.draft) film.detail = view::Detail::low;

  view::Source source = view::open_source(options.path, options.overrides, options.trial);
  ProgressBar bar("render", options.quiet);
  std::vector<std::string> warnings;
  if (!source.recording) {
    const bool still = film.out.extension() == ".png";
    source.recording = view::simulate(
        source.scenario, still ? 30 : film.fps, still ? film.at : film.to,
        [&](double done) { bar.update(0.2 * done); }, warnings);
  }
  film.progress = [&](double done) { bar.update(0.2 + 0.8 * done); };
  const view::FilmResult result = view::film(source.scenario, *source.recording, film);
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  for (const std::string& w : warnings) fmt::print(stderr, "scree: warning: {}\n", w);
  if (options.json)
    print_json(fmt::format("\"file\": {}, \"pictures\": {}, \"seconds\": {}, {}",
                           json_text(film.out.string()), result.frames, json_number(result.seconds),
                           drawing_json(result.drawing)));
  else if (!options.quiet)
    fmt::print("{}: {} {}\n", film.out.string(), result.frames, result.frames == 1 ? "picture" : "pictures");
  return 0;
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto o = std::make_shared<RenderOptions>();
  auto* sub =
      add_subcommand(app, "render", "Video or picture without a window",
                     "scree render scenarios/demo.toml --camera chase --size 1280x720 --fps 30 -o demo.mp4\n"
                     "  scree render runs/demo -o demo.png --at 3.2 --show forces,contacts");
  sub->add_option("SCENARIO|RUN", o->path,
                  "Scenario (a file or a name; simulated first), run folder, or results of a study")
      ->required();
  sub->add_option("--trial", o->trial, "Number of the trial of a study");
  sub->add_option("-o,--out", o->film.out,
                  "File: .png a picture; .mp4, .mkv, .mov, .avi, .webm, .gif a video")
      ->required();
  sub->add_option("--camera", o->film.camera, "orbit, chase, onboard, top, wheel, or one of the scenario");
  sub->add_option("--inset", o->film.inset, "Camera of a picture in the picture");
  sub->add_option("--size", o->size, "Width x height [px]")->capture_default_str();
  sub->add_option("--fps", o->film.fps, "Pictures per second")->capture_default_str();
  sub->add_option("--at", o->film.at, "Time of a picture [s]; default: the end");
  sub->add_option("--from", o->film.from, "Start of a video [s]");
  sub->add_option("--to", o->film.to, "End of a video [s]; default: the end");
  sub->add_option("--speed", o->film.speed, "Simulated seconds per second of video")->capture_default_str();
  sub->add_option("--codec", o->film.codec, "ffmpeg's name of the encoder: libx264, libx265, mpeg4, ...");
  sub->add_option("--shading", o->film.shading, "Ground: natural, texture, height, slope, contour, soil");
  sub->add_option("--path", o->path_style, "Path of the centre of mass: line, z, xyz, none")
      ->capture_default_str();
  sub->add_option("--show", o->show, "forces, contacts, support, ghosts, labels, stability, plots");
  sub->add_option("--plot", o->film.plots, "Signals plotted beside the picture (patterns)");
  sub->add_option("--set", o->overrides, "Change a key of the scenario: key=value")->allow_extra_args(false);
  sub->add_flag("--plain", o->plain, "No panels");
  sub->add_flag("--draft", o->draft, "Quick: jagged edges, coarse shadows");
  sub->add_flag("-q,--quiet", o->quiet, "No progress bar, no report");
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] { return render(*o); });
}

}  // namespace scree
