/// scree study: many runs over a grid of parameters, as a table and a picture.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/config/data_path.hpp"
#include "scree/study/vivi_map.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct StudyOptions {
  std::string study, out;
  std::vector<std::string> overrides;
  bool json = false;
  int jobs = 1;
};

/// How often each outcome came, of the four that two controllers can have.
struct Shares {
  int nobody = 0, speed = 0, cdta = 0, both = 0;
};

Shares shares_of(const std::vector<MapCell>& cells) {
  Shares n;
  for (const MapCell& c : cells) {
    const bool p = c.speed.rolled_over(), q = c.cdta.rolled_over();
    ++(p ? (q ? n.both : n.speed) : (q ? n.cdta : n.nobody));
  }
  return n;
}

int vivi(const StudyOptions& options) {
  ViviMapSettings settings;
  settings.scenario = find_data("scenarios/vivi/ramp_speed.toml");
  // The map is drawn at 1 ms and 1 kHz; the outcomes there are those at 100 us and 10 kHz (docs/vivi.md).
  settings.overrides = {"solver.step=1e-3", "robot.control.rate=1000"};
  for (const std::string& o : options.overrides) settings.overrides.push_back(o);
  settings.threads = options.jobs;
  const fs::path folder = options.out.empty() ? fs::path("runs/study_vivi") : fs::path(options.out);
  fs::create_directories(folder);  // before the work, so that nothing is lost
  const fs::path csv = folder / "map.csv", png = folder / "map.png";
  std::vector<MapCell> cells;
  {
    ProgressBar bar("vivi", options.json);
    cells = vivi_map(settings, [&](double done) { bar.update(done); });
  }
  std::ofstream(csv) << map_csv(cells);
  draw_map(cells, png);
  const Shares n = shares_of(cells);
  if (options.json) {
    print_json(
        fmt::format("\"cells\": {}, \"nobody\": {}, \"only_speed\": {}, \"only_cdta\": {}, \"both\": {}",
                    cells.size(), n.nobody, n.speed, n.cdta, n.both));
    return 0;
  }
  fmt::print(
      "{} cells: nobody rolls over in {}, only the proportional controller in {} (as published), only CDTA "
      "in {}, both in {}\nwritten to {} and {}\n",
      cells.size(), n.nobody, n.speed, n.cdta, n.both, csv.string(), png.string());
  return 0;
}

}  // namespace

void add_study_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<StudyOptions>();
  auto* sub = add_subcommand(app, "study", "Many runs over a grid of parameters: table and picture",
                             "scree study vivi --jobs 2");
  sub->add_option(
         "STUDY", options->study,
         "vivi: who rolls over on a ramp, proportional control or CDTA, over the data that the paper "
         "does not print")
      ->required()
      ->check(CLI::IsMember({"vivi"}));
  sub->add_option("-o,--out", options->out, "Folder for table and picture; default runs/study_STUDY");
  sub->add_option("--set", options->overrides, "Change a key of every scenario: key=value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_option("-j,--jobs", options->jobs, "Threads")->check(CLI::Range(1, 256));
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return vivi(*options); });
}

}  // namespace scree
