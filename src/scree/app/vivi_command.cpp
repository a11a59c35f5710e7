/// scree vivi: the experiments of Morrot 2011 Sec. 5, as tables and figures, and the map of where the
/// published outcome holds.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/record/compare.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"
#include "scree/study/vivi_map.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct ViviOptions {
  std::string out = "runs/vivi";
  std::vector<std::string> overrides;
  bool map = false, json = false;
  int jobs = 1;
};

RunFolder run_into(const fs::path& scenario_file, const fs::path& folder,
                   const std::vector<std::string>& overrides) {
  const Scenario scenario = load_scenario(scenario_file, overrides);
  {
    RunWriter writer(
        folder,
        {.signals = scenario.record.signals, .period = 0, .state_period = scenario.record.state_period});
    Sink* sinks[] = {&writer};
    const RunSummary summary = run(scenario, sinks);
    if (!summary.error.empty()) throw RunError(summary.error);
  }
  return RunFolder::open(folder);
}

int experiments(const ViviOptions& options) {
  std::string json;
  for (const char* ground : {"ramp", "sines"}) {
    std::vector<RunFolder> runs;
    for (const char* controller : {"speed", "cdta"}) {
      const std::string name = fmt::format("{}_{}", ground, controller);
      runs.push_back(run_into(find_data("scenarios/vivi/" + name + ".toml"), fs::path(options.out) / name,
                              options.overrides));
    }
    const std::vector<RunFigures> rows = compare_runs(runs, {.speed = 10, .duration = 0});
    const fs::path figure = fs::path(options.out) / fmt::format("{}.png", ground);
    draw_figure(comparison_figure(runs, fmt::format("VIVI at 10 m/s, {}", ground)), figure);
    if (options.json) {
      json += fmt::format("{}\"{}\": {}", json.empty() ? "{" : ", ", ground, comparison_json(rows));
    } else {
      fmt::print("{}figure: {}\n\n", comparison_table(rows), figure.string());
    }
  }
  if (options.json) fmt::print("{}}}\n", json);
  return 0;
}

void print_shares(const std::vector<MapCell>& cells) {
  int count[4] = {};
  for (const MapCell& c : cells) ++count[(c.speed.rolled_over() ? 1 : 0) + (c.cdta.rolled_over() ? 2 : 0)];
  fmt::print(
      "{} cells: nobody rolls over in {}, only the proportional controller in {} (as published), only CDTA "
      "in {}, both in {}\n",
      cells.size(), count[0], count[1], count[2], count[3]);
}

int map(const ViviOptions& options) {
  ViviMapSettings settings;
  settings.scenario = find_data("scenarios/vivi/ramp_speed.toml");
  // The map is drawn at 1 ms and 1 kHz; the outcomes there are those at 100 us and 10 kHz (docs/vivi.md).
  settings.overrides = {"solver.step=1e-3", "robot.control.rate=1000"};
  for (const std::string& o : options.overrides) settings.overrides.push_back(o);
  settings.threads = options.jobs;
  ProgressBar bar("map", options.json);
  const std::vector<MapCell> cells = vivi_map(settings, [&](double done) { bar.update(done, 0); });
  fs::create_directories(options.out);
  const fs::path csv = fs::path(options.out) / "map.csv", png = fs::path(options.out) / "map.png";
  std::ofstream(csv) << map_csv(cells);
  draw_map(cells, png);
  print_shares(cells);
  fmt::print("written to {} and {}\n", csv.string(), png.string());
  return 0;
}

}  // namespace

void add_vivi_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViviOptions>();
  auto* sub =
      add_subcommand(app, "vivi", "The experiments of Morrot 2011 Sec. 5: proportional control and CDTA",
                     "scree vivi --out runs/vivi   (or: scree vivi --map --jobs 2)");
  sub->add_option("-o,--out", options->out, "Folder for runs and figures");
  sub->add_option("--set", options->overrides, "Change a key of every scenario: key=value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_flag("--map", options->map,
                "Instead: who rolls over, for centre of mass, torque limit, ramp angle and radius");
  sub->add_option("-j,--jobs", options->jobs, "Threads for the map")->check(CLI::Range(1, 256));
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return options->map ? map(*options) : experiments(*options); });
}

}  // namespace scree
