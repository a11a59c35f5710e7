/// scree plot: figures from the logs of runs.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "scree/app/command.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/plot.hpp"

namespace scree {
namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  PlotSettings plot;
  std::string out;
  bool json = false;
};

std::string default_output(const PlotOptions& options) {
  if (options.runs.size() > 1) return "plot.png";
  return (std::filesystem::path(options.runs.front()) / "plot.png").string();
}

int plot(const PlotOptions& options) {
  std::vector<RunFolder> runs;
  for (const auto& path : options.runs) runs.push_back(RunFolder::open(path));
  PlotSettings settings = options.plot;
  settings.signals.clear();
  for (const auto& list : options.plot.signals) {
    for (const auto& pattern : split(list, ',')) settings.signals.push_back(trim(pattern));
  }
  if (!(settings.from < settings.to))
    input_error("plot: --from {} must be below --to {}", settings.from, settings.to);
  if (!settings.y_limits.empty() && !(settings.y_limits[0] < settings.y_limits[1]))
    input_error("plot: --ylim {} {}: the first must be below the second", settings.y_limits[0],
                settings.y_limits[1]);
  const Figure figure = time_series(runs, settings);
  const std::string file = options.out.empty() ? default_output(options) : options.out;
  draw_figure(figure, file);
  if (options.json) {
    std::string panels;
    for (const auto& panel : figure.panels) panels += (panels.empty() ? "" : ", ") + json_text(panel.y_label);
    print_json(fmt::format("\"file\": {}, \"panels\": [{}]", json_text(file), panels));
  } else {
    fmt::print("{}: {} panel{}\n", file, figure.panels.size(), figure.panels.size() == 1 ? "" : "s");
  }
  return 0;
}

}  // namespace

void add_plot_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlotOptions>();
  auto* sub = add_subcommand(app, "plot", "Draw signals of one or several runs over time",
                             "scree plot runs/demo --signals 'wheel.*.normal,speed' -o forces.png");
  sub->add_option("RUN", options->runs, "Run folders; several are laid over each other")->required();
  sub->add_option("-s,--signals", options->plot.signals,
                  "Shell-style patterns of signals (default: the usual)");
  sub->add_option("-t,--title", options->plot.title, "Title (default: names of the runs)");
  sub->add_option("--from", options->plot.from, "First time that is drawn [s]");
  sub->add_option("--to", options->plot.to, "Last time that is drawn [s]");
  sub->add_option("--ylim", options->plot.y_limits, "Lowest and highest value of every panel")->expected(2);
  sub->add_flag("--whole", options->plot.whole, "Show every value, also where a few spikes flatten the rest");
  sub->add_option("-o,--out", options->out, "Figure: .png, .svg or .pdf (default: RUN/plot.png)");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return plot(*options); });
}

}  // namespace scree
