/// scree terrain: make, look at, identify and convert ground.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/app/terrain_source.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/export.hpp"
#include "scree/terrain/fbm.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/identify.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/parallel.hpp"
#include "scree/terrain/survey.hpp"

namespace scree {
namespace {

struct TerrainOptions {
  TerrainSource source;
  std::string out, picture, picture_3d, plot, like;
  std::vector<double> area;
  double cell = 0;
  int pixels = 1024;
  double exaggerate = 1;
  std::string detrend = "plane", window = "auto";
  bool json = false;
};

Rectangle area_of(const TerrainOptions& o) {
  if (o.area.empty()) return {};
  return {o.area[0], o.area[1], o.area[2], o.area[3]};
}

/// Name, value and unit, for people or as JSON.
class Report {
 public:
  void text(const std::string& key, const std::string& value) { add(key, json_text(value), value); }
  void number(const std::string& key, double value, const std::string& unit) {
    add(key + (unit.empty() || unit == "-" ? "" : "_" + unit), json_number(value),
        fmt::format("{:.6g} {}", value, unit == "-" ? "" : unit));
  }
  void flag(const std::string& key, bool value) { add(key, value ? "true" : "false", value ? "yes" : "no"); }
  void texts(const std::string& key, const std::vector<std::string>& values) {
    std::string list, lines;
    for (const std::string& v : values)
      list += (list.empty() ? "" : ", ") + json_text(v), lines += (lines.empty() ? "" : "; ") + v;
    if (!values.empty()) add(key, "[" + list + "]", lines);
  }
  void print(bool json) const {
    if (json) {
      std::string members;
      for (const auto& [key, value, line] : entries_)
        members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", json_text(key), value);
      print_json(members);
      return;
    }
    for (const auto& [key, value, line] : entries_) fmt::print("{:<22} {}\n", key, line);
  }

 private:
  void add(std::string key, std::string json, std::string line) {
    entries_.push_back({std::move(key), std::move(json), std::move(line)});
  }
  struct Entry {
    std::string key, json, line;
  };
  std::vector<Entry> entries_;
};

void report_survey(Report& report, const Terrain& terrain, const Survey& s) {
  report.text("terrain", terrain.summary());
  report.number("length", s.area.x_max - s.area.x_min, "m");
  report.number("width", s.area.y_max - s.area.y_min, "m");
  report.number("cell", terrain.cell(), "m");
  report.number("lowest", s.lowest, "m");
  report.number("highest", s.highest, "m");
  report.number("mean", s.mean, "m");
  report.number("rms_height", s.rms_height, "m");
  report.number("rms_about_plane", s.rms_plane, "m");
  report.number("plane_slope", s.plane_slope / kDegree, "deg");
  report.number("mean_slope", s.mean_slope / kDegree, "deg");
  report.number("rms_slope", s.rms_slope / kDegree, "deg");
  report.number("median_slope", s.slope_50 / kDegree, "deg");
  report.number("slope_95_percent", s.slope_95 / kDegree, "deg");
  report.number("largest_slope", s.largest_slope / kDegree, "deg");
}

int info(const TerrainOptions& o) {
  BusyLine busy("reading ground");
  const TerrainPtr terrain = load_terrain(o.source);
  busy.now("looking at ground");
  const SurveySettings settings{.area = area_of(o)};
  const SurveySettings picture{.area = area_of(o), .largest = o.pixels};
  Report report;
  report_survey(report, *terrain, survey_terrain(*terrain, settings));
  if (!o.picture.empty()) {
    write_terrain_picture(o.picture, *terrain, picture);
    report.text("picture", o.picture);
  }
  if (!o.picture_3d.empty()) {
    write_terrain_picture_3d(
        o.picture_3d, *terrain,
        {.area = area_of(o), .width = std::max(o.pixels, 320), .exaggeration = o.exaggerate});
    report.text("picture_3d", o.picture_3d);
  }
  busy.stop();
  report.print(o.json);
  return 0;
}

IdentifySettings identify_settings(const TerrainOptions& o) {
  IdentifySettings s;
  s.detrend = o.detrend == "none" ? Detrend::none : o.detrend == "mean" ? Detrend::mean : Detrend::plane;
  s.window = o.window == "hann"   ? SpectrumWindow::hann
             : o.window == "none" ? SpectrumWindow::none
                                  : SpectrumWindow::automatic;
  s.threads = machine_threads();
  return s;
}

int identify(const TerrainOptions& o) {
  BusyLine busy("identifying ground");
  const HeightField field = sample_terrain(load_terrain(o.source), {area_of(o), o.cell});
  const FbmEstimate e = identify_fbm(field, identify_settings(o));
  Report report;
  report.number("H", e.hurst, "-");
  report.number("H_error", e.hurst_error, "-");
  report.number("sigma", e.sigma, "-");
  report.number("sigma_error", e.sigma_error, "-");
  report.number("sigma_raw", e.sigma_raw, "-");
  report.number("sigma_raw_error", e.sigma_raw_error, "-");
  report.number("rms", e.rms, "m");
  report.number("r_squared", e.r_squared, "-");
  report.number("scatter", e.scatter, "-");
  report.number("misfit", e.misfit, "-");
  report.number("axis_power", e.axis_power, "-");
  report.number("anisotropy", e.anisotropy, "-");
  report.number("roughest_direction", e.roughest_direction / kDegree, "deg");
  report.number("samples_x", e.nx, "-");
  report.number("samples_y", e.ny, "-");
  report.flag("tapered", e.tapered);
  report.flag("fractal", e.fractal);
  report.texts("notes", e.reasons);
  if (!o.plot.empty()) {
    draw_spectrum(e, o.source.what, o.plot);
    report.text("plot", o.plot);
  }
  busy.stop();
  report.print(o.json);
  return 0;
}

/// New ground of the same statistics: H and the corrected sigma of the example, on its own grid. The note
/// says what they are.
TerrainPtr ground_like(const TerrainOptions& o, std::string& note) {
  TerrainSource source = o.source;
  source.what = o.like;
  const HeightField example = sample_terrain(load_terrain(source), {area_of(o), o.cell});
  const FbmEstimate e = identify_fbm(example, identify_settings(o));
  if (!e.fractal) {
    input_error("'{}' is not fractal ground, so none can be made like it: {}", o.like,
                e.reasons.empty() ? "" : e.reasons[0]);
  }
  const FbmSettings fbm{
      .hurst = std::clamp(e.hurst, 0.01, 0.99), .sigma = e.sigma, .period = 2, .seed = o.source.seed};
  note = fmt::format("like {}: H = {:.3f}, sigma = {:.5g}\n", o.like, e.hurst, e.sigma);
  return std::make_unique<Grid>(make_fbm(example.geometry, fbm, machine_threads()),
                                GridOptions{.name = "fbm"});
}

/// Writes, prints how to read it back, draws the map.
int write_out(TerrainPtr terrain, const TerrainOptions& o) {
  BusyLine busy("writing ground");
  if (!o.picture.empty())
    write_terrain_picture(o.picture, *terrain, {.area = area_of(o), .largest = o.pixels});
  const std::string summary = terrain->summary();
  const std::string table =
      write_terrain_file(o.out, sample_terrain(std::move(terrain), {area_of(o), o.cell}));
  busy.stop();
  if (o.json) {
    print_json(fmt::format("\"file\": {}, \"terrain\": {}, \"table\": {}", json_text(o.out),
                           json_text(summary), json_text(table)));
  } else {
    fmt::print("{}: {}\nIn a scenario:\n{}", o.out, summary, table);
  }
  return 0;
}

/// A kind of ground with a grid of its own.
bool kind_takes_cell(const std::string& name) {
  for (const auto& kind : terrain_kinds()) {
    if (kind.name != name) continue;
    Reference reference;
    Section section = Section::for_reference(reference, "");
    kind.make(section, {});
    return std::any_of(reference.begin(), reference.end(),
                       [](const KeyDoc& key) { return key.path == "cell"; });
  }
  return false;
}

int make(const TerrainOptions& o) {
  if (o.source.what.empty() == o.like.empty())
    input_error("terrain make: give a kind of ground (or a .toml file), or --like FILE");
  BusyLine busy("making ground");
  std::string note;
  TerrainSource source = o.source;
  // Ground that is made on a grid is made on the grid that is asked for, not interpolated from a coarser one.
  const bool own = std::any_of(source.set.begin(), source.set.end(),
                               [](const std::string& set) { return set.starts_with("cell"); });
  if (o.cell > 0 && !own && kind_takes_cell(source.what)) source.set.push_back("cell=" + number_text(o.cell));
  TerrainPtr terrain = o.like.empty() ? load_terrain(source) : ground_like(o, note);
  busy.stop();
  if (!o.json) fmt::print("{}", note);
  if (!o.out.empty()) return write_out(std::move(terrain), o);
  if (o.picture.empty()) input_error("terrain make: give --out FILE or --picture FILE");
  write_terrain_picture(o.picture, *terrain, {.area = area_of(o), .largest = o.pixels});
  if (o.json) {
    print_json(
        fmt::format("\"picture\": {}, \"terrain\": {}", json_text(o.picture), json_text(terrain->summary())));
  } else {
    fmt::print("{}: {}\n", o.picture, terrain->summary());
  }
  return 0;
}

int convert(const TerrainOptions& o) {
  BusyLine busy("reading ground");
  TerrainPtr terrain = load_terrain(o.source);
  busy.stop();
  return write_out(std::move(terrain), o);
}

/// What every subcommand of `terrain` takes.
void add_common(CLI::App* sub, TerrainOptions& o) {
  sub->add_option("--set", o.source.set, "key=value of the [terrain] table, several times")->take_all();
  sub->add_option("--as", o.source.kind, "Read the file as this kind (default: by its ending)");
  sub->add_option("--seed", o.source.seed, "Seed of random ground");
  sub->add_option("--area", o.area, "x_min x_max y_min y_max in m (default: all)")->expected(4);
  sub->add_option("--pixels", o.pixels, "Longer side of a picture")->check(CLI::Range(64, 8192));
  add_json_flag(sub, o.json);
}

void add_cell(CLI::App* sub, TerrainOptions& o) {
  sub->add_option("--cell", o.cell, "Sample with this cell in m (default: the grid's own)")
      ->check(positive_number());
}

}  // namespace

void add_terrain_command(CLI::App& app, Action& action) {
  auto* terrain = add_subcommand(
      app, "terrain", "Make, look at, identify and convert ground",
      "scree terrain make fbm --set hurst=0.36 --set sigma=0.008 -o brick.tif --picture brick.png");
  terrain->require_subcommand(1);
  auto o = std::make_shared<TerrainOptions>();

  auto* m = add_subcommand(*terrain, "make", "Make ground of a kind, from a .toml file, or like an example",
                           "scree terrain make rocks --set cover=0.1 --set size=[20,20] --seed 3 -o "
                           "rocks.tif --picture rocks.png");
  m->add_option("KIND", o->source.what,
                "Kind of ground (scree list terrains), or a .toml file with a [terrain] table");
  m->add_option("--like", o->like, "Fractal ground with the statistics of this file");
  m->add_option("-o,--out", o->out, "File: .txt .mesh .obj .xyz .asc .tif .png (16 bit)");
  m->add_option("-p,--picture", o->picture, "Hill-shaded map as PNG");
  add_cell(m, *o);
  add_common(m, *o);
  on_parsed(m, action, [o] { return make(*o); });

  auto* i = add_subcommand(*terrain, "info", "Size, range, slopes and roughness; a map picture",
                           "scree terrain info scenarios/terrain/moon.toml --picture moon.png");
  i->add_option("FILE", o->source.what, "A terrain file, a .toml file with a [terrain] table, or a kind")
      ->required();
  i->add_option("-p,--picture", o->picture, "Hill-shaded map as PNG");
  i->add_option("--picture-3d", o->picture_3d, "The ground from an oblique angle as PNG");
  i->add_option("--exaggerate", o->exaggerate, "Multiplies heights in the 3-D picture")
      ->check(positive_number());
  add_common(i, *o);
  on_parsed(i, action, [o] { return info(*o); });

  auto* d = add_subcommand(*terrain, "identify", "H and sigma of fractal ground from its power spectrum",
                           "scree terrain identify scan.xyz --set cell=0.01 --plot spectrum.png");
  d->add_option("FILE", o->source.what, "A terrain file, a .toml file with a [terrain] table, or a kind")
      ->required();
  d->add_option("--detrend", o->detrend, "Taken out first: none, mean or plane")
      ->check(CLI::IsMember({"none", "mean", "plane"}));
  d->add_option("--window", o->window, "Taper: none, hann, or auto: none where opposite edges meet")
      ->check(CLI::IsMember({"auto", "none", "hann"}));
  d->add_option("--plot", o->plot, "Spectrum with the regression line: .png, .svg or .pdf");
  add_cell(d, *o);
  add_common(d, *o);
  on_parsed(d, action, [o] { return identify(*o); });

  auto* c = add_subcommand(*terrain, "convert", "From any kind of ground to a file",
                           "scree terrain convert moon.img moon.png --area -50 50 -50 50");
  c->add_option(
       "FILE", o->source.what,
       "A terrain file, a .toml file with a [terrain] table, a kind, or the folder of a run whose soil "
       "deforms")
      ->required();
  c->add_option("OUT", o->out, "File: .txt .mesh .obj .xyz .asc .tif .png (16 bit)")->required();
  c->add_option("-p,--picture", o->picture, "Hill-shaded map as PNG");
  c->add_option("--at", o->source.at, "Of a run: its ground at this time [s] (default: at its end)");
  add_cell(c, *o);
  add_common(c, *o);
  on_parsed(c, action, [o] { return convert(*o); });
}

}  // namespace scree
