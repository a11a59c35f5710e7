/// scree compare: runs side by side, as a table and a figure.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/record/compare.hpp"

namespace scree {
namespace {

struct CompareOptions {
  std::vector<std::string> runs;
  CompareSettings settings;
  std::string figure, title;
  bool json = false;
};

int compare(const CompareOptions& options) {
  std::vector<RunFolder> runs;
  for (const auto& path : options.runs) runs.push_back(RunFolder::open(path));
  const std::vector<RunFigures> rows = compare_runs(runs, options.settings);
  if (!options.figure.empty()) draw_figure(comparison_figure(runs, options.title), options.figure);
  if (options.json)
    print_json("\"runs\": " + comparison_json(rows));
  else
    fmt::print("{}", comparison_table(rows));
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  auto* sub = add_subcommand(app, "compare", "Compare runs: speed, slip, loads, energy",
                             "scree compare runs/ramp_speed runs/ramp_cdta --speed 10 --figure ramp.png");
  sub->add_option("RUN", options->runs, "Run folders")->required();
  sub->add_option("--speed", options->settings.speed,
                  "Desired speed [m/s] (default: what each run's scenario asks for)")
      ->check(CLI::PositiveNumber);
  sub->add_option("--duration", options->settings.duration,
                  "Planned time for the shares [s] (default: the longest run's)")
      ->check(CLI::PositiveNumber);
  sub->add_option("-f,--figure", options->figure, "Draw speed, loads, slip and power: .png, .svg or .pdf");
  sub->add_option("-t,--title", options->title, "Title of the figure");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return compare(*options); });
}

}  // namespace scree
