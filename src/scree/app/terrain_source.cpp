#include "scree/app/terrain_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/plot.hpp"
#include "scree/record/soil_tape.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/soil/deformed_terrain.hpp"
#include "scree/terrain/export.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

bool is_kind(const std::string& name) {
  return std::any_of(terrain_kinds().begin(), terrain_kinds().end(),
                     [&](const TerrainKind& k) { return k.name == name; });
}

/// The [terrain] table as a document: from a TOML file, or written for a kind or a terrain file.
Document document_of(const TerrainSource& source) {
  const std::filesystem::path path = source.what;
  if (path.extension() == ".toml") return Document::from_file(path);
  if (is_kind(source.what))
    return Document::written_for(source.what, fmt::format("[terrain]\nkind = {}\n", json_text(source.what)));
  if (!std::filesystem::exists(path)) {
    const auto scenarios = data_files("scenarios");
    std::vector<std::string> names;
    for (const auto& [name, file] : scenarios) {
      if (name == source.what) return Document::from_file(file);
      names.push_back(name);
    }
    for (const TerrainKind& k : terrain_kinds()) names.push_back(k.name);
    input_error("'{}' is neither a file nor a scenario that ships nor a kind of ground{}", source.what,
                name_hint(source.what, names));
  }
  const std::string kind = source.kind.empty() ? kind_of_file(path) : source.kind;
  return Document::written_for(path.string(), fmt::format("[terrain]\nkind = {}\nfile = {}\n",
                                                          json_text(kind), json_text(path.string())));
}

/// One point per bin would be a grey cloud of thousands; a few thousand show the same scatter.
constexpr std::size_t kMostPoints = 4000;

Figure spectrum_figure(const FbmEstimate& e, const std::string& title) {
  Curve cloud{"power spectrum", {}, {}, Mark::points, 0x6080a0};
  const std::size_t every = std::max<std::size_t>(1, e.spectrum.size() / kMostPoints);
  for (std::size_t k = 0; k < e.spectrum.size(); k += every) {
    cloud.x.push_back(e.spectrum[k].frequency2);
    cloud.y.push_back(e.spectrum[k].density);
  }
  // The line is that of the regression: the raw sigma.
  const auto [low, high] = std::minmax_element(cloud.x.begin(), cloud.x.end());
  Curve line{fmt::format("H = {:.3f} ± {:.3f}, σ = {:.4g} ± {:.2g} (raw {:.4g})", e.hurst, e.hurst_error,
                         e.sigma, e.sigma_error, e.sigma_raw),
             {*low, *high},
             {},
             Mark::line,
             0xc03020};
  for (const double q : line.x) line.y.push_back(e.sigma_raw * e.sigma_raw * std::pow(q, -e.hurst - 1));
  Panel panel{"u² + v²  [1/m²]", "S(u, v)  [m⁴]", {cloud, line}};
  panel.log_x = panel.log_y = true;
  return {.title = title, .panels = {panel}, .panel_height = 600, .legend_inside = true};
}

}  // namespace

namespace {

/// The ground of a run as its robots left it.
TerrainPtr ground_of_run(const TerrainSource& source) {
  const std::filesystem::path folder = source.what;
  if (!source.set.empty()) input_error("--set has no meaning for a run that is over ('{}')", source.what);
  const Scenario scenario = load_scenario(folder / "scenario.toml");
  const SoilGridSettings* grid = scenario.world->soil_grid();
  if (grid == nullptr)
    input_error("run '{}': its soil does not deform; convert its scenario.toml instead", source.what);
  SoilTiles tiles(grid->cell, grid->memory);
  read_soil(folder, source.at < 0 ? std::numeric_limits<double>::max() / 2 : source.at,
            scenario.world->terrain(), tiles);
  return std::make_unique<DeformedTerrain>(scenario.world->shared_terrain(), std::move(tiles));
}

}  // namespace

TerrainPtr load_terrain(const TerrainSource& source) {
  if (std::filesystem::is_directory(source.what) &&
      std::filesystem::exists(std::filesystem::path(source.what) / "scenario.toml"))
    return ground_of_run(source);
  Document document = document_of(source);
  for (const std::string& assignment : source.set) document.set("terrain." + assignment);
  Section root = document.root();
  if (!root.has("terrain")) input_error("'{}': no [terrain] table", source.what);
  std::uint64_t seed = source.seed;
  if (source.seed == 0 && root.has("seed")) root.unsigned_integer("seed", seed, {.unit = "-", .doc = "Seed"});
  Section terrain = root.child("terrain");
  return make_terrain(terrain, {seed, machine_threads()});
}

void write_terrain_picture(const std::filesystem::path& file, const Terrain& terrain,
                           const SurveySettings& settings) {
  TerrainMap map = map_terrain(terrain, settings);
  const Rectangle& area = map.area;
  Panel panel{"x [m]", "y [m]", {}};
  panel.x_range = {area.x_min, area.x_max}, panel.y_range = {area.y_min, area.y_max};
  panel.raster = {map.width,  map.height, std::move(map.rgb), area.x_min,  area.x_max,  area.y_min,
                  area.y_max, map.lowest, map.highest,        map.colours, "height [m]"};
  // Room for numbers and the scale of colours around the picture.
  draw_figure({.title = terrain.summary(),
               .panels = {std::move(panel)},
               .panel_width = std::max(map.width + 200, 400),
               .panel_height = std::max(map.height + 80, 240),
               .legend_inside = true},
              file);
}

#ifndef SCREE_HAVE_VIEW
void write_terrain_picture_3d(const std::filesystem::path& file, const Terrain&, const Picture3dSettings&) {
  input_error("'{}': 3-D pictures need the window: configure with -DSCREE_VIEW=ON and install what it needs",
              file.string());
}
#endif

void draw_spectrum(const FbmEstimate& e, const std::string& title, const std::filesystem::path& file) {
  if (e.spectrum.empty())
    input_error("'{}': there is no spectrum to draw: {}", title, e.reasons.empty() ? "" : e.reasons[0]);
  draw_figure(spectrum_figure(e, title), file);
}

}  // namespace scree
