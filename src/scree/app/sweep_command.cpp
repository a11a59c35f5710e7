/// scree sweep: one scenario over a grid of values, as a table and a figure.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/study/sweep.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct SweepOptions {
  std::string scenario, out;
  std::vector<std::string> vary, overrides, measures;
  int trials = 1, jobs = 0;
  bool json = false, quiet = false, force = false;
};

std::atomic<bool> sweep_stopped{false};

/// The first Ctrl-C lets the trials under way end and writes what there is; a second one ends the program.
void stop_sweep(int signal) {
  sweep_stopped = true;
  std::signal(signal, SIG_DFL);
}

void write_results(const SweepOptions& options, const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  const fs::path folder = options.out;
  write_whole_file(folder / "sweep.csv", sweep_csv(plan, rows));
  write_whole_file(folder / "sweep.json", "{" + sweep_json(plan, rows) + "}\n");
  std::string written = "sweep.csv, sweep.json";
  if (const auto figure = sweep_figure(plan, rows)) {
    draw_figure(*figure, folder / "sweep.png");
    written += ", sweep.png";
  }
  if (!options.json && !options.quiet) fmt::print("written to {}: {}\n", folder.string(), written);
}

int sweep(const SweepOptions& options) {
  SweepPlan plan;
  plan.scenario = options.scenario;
  plan.overrides = options.overrides;
  plan.trials = options.trials;
  for (const std::string& text : options.vary) plan.axes.push_back(parse_axis(text));
  for (const std::string& text : options.measures) plan.measures.push_back(parse_measure(text));
  if (!options.out.empty()) {
    if (!options.force && fs::exists(fs::path(options.out) / "sweep.csv"))
      input_error("--out {}: holds an earlier sweep; --force replaces it", options.out);
    std::error_code status;
    fs::create_directories(options.out, status);
    if (status) input_error("--out {}: cannot be made: {}", options.out, status.message());
  }
  std::signal(SIGINT, stop_sweep);
  std::signal(SIGTERM, stop_sweep);
  std::vector<SweepRow> rows;
  {
    ProgressBar bar("sweep", options.quiet);
    TrialControl control;
    control.jobs = options.jobs > 0 ? options.jobs : machine_threads();
    control.progress = [&bar](double done) { bar.update(done); };
    control.stop = &sweep_stopped;
    rows = run_sweep(plan, control);
  }
  if (options.json)
    print_json(sweep_json(plan, rows));
  else if (!options.quiet)
    fmt::print("{}", sweep_text(plan, rows));
  if (!options.out.empty()) write_results(options, plan, rows);
  std::size_t missing = 0;
  for (const SweepRow& row : rows) {
    missing += row.done ? 0 : 1;
    if (!row.error.empty() && !options.quiet) fmt::print(stderr, "scree: warning: {}\n", row.error);
  }
  if (missing > 0) run_error("sweep stopped: {} of {} trials were not run", missing, rows.size());
  return 0;
}

}  // namespace

void add_sweep_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<SweepOptions>();
  auto* sub = add_subcommand(
      app, "sweep", "Run a scenario over a grid of values: table and figure",
      "scree sweep demo --vary robot.control.speed=0.5:3:6 --vary robot.model=vivi,her --out runs/sweep");
  sub->add_option("SCENARIO", options->scenario, kScenarioDoc)->required();
  sub->add_option("--vary", options->vary,
                  "Key and values: key=from:to:count or key=value,value (repeat for a grid)")
      ->type_name("KEY=VALUES")
      ->required()
      ->allow_extra_args(false);
  sub->add_option("--set", options->overrides, "Change a key of every run: key=value (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_option("-n,--trials", options->trials, "Runs of each cell, with seed, seed + 1, ...")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  sub->add_option("-m,--measure", options->measures,
                  "Signal and statistic: speed:mean, pitch:absmax; min, max, absmax, mean, rms, first, last "
                  "(may be repeated; default: the usual)")
      ->type_name("SIGNAL:STATISTIC")
      ->allow_extra_args(false);
  sub->add_option("-j,--jobs", options->jobs, "Threads (default: one a processor)")
      ->check(CLI::Range(1, 1024));
  sub->add_option("-o,--out", options->out, "Folder for sweep.csv, sweep.json and sweep.png");
  sub->add_flag("-f,--force", options->force, "Replace an earlier sweep in the folder of --out");
  sub->add_flag("-q,--quiet", options->quiet, "No progress bar, no report");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return sweep(*options); });
}

}  // namespace scree
