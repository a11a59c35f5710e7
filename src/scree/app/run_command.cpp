/// scree run: a scenario from start to end, without a window.
#include "scree/sim/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/hash.hpp"
#include "scree/record/run_folder.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/record/soil_tape.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/study/study.hpp"

namespace scree {
namespace {

struct RunOptions {
  std::string scenario;
  std::vector<std::string> overrides;
  std::string out;
  std::string from;  ///< folder of a run to go on from
  std::optional<double> at;
  std::optional<std::uint64_t> trial;  ///< of a study
  int threads = 0;
  bool json = false, quiet = false, force = false;
};

/// A folder with an earlier run is not written over unasked.
void check_free(const std::string& folder, bool force) {
  namespace fs = std::filesystem;
  const auto holds_run = [](const fs::path& at) {
    std::error_code status;
    for (const char* file : {"log.csv", "log.npy", "summary.json"})
      if (fs::exists(at / file, status)) return true;
    return false;
  };
  if (force || !holds_run(folder)) return;
  int number = 2;
  while (holds_run(fmt::format("{}-{}", folder, number))) ++number;
  input_error("--out {}: holds an earlier run; --force replaces it, {}-{} is free", folder, folder, number);
}

std::atomic<bool> stop_wanted{false};

/// A run that does not heed the first signal in this time is ended.
constexpr unsigned kPatience = 10;  // s

/// The first Ctrl-C (or hang-up, or request to end) ends the run with what it has; a second one ends the
/// program.
void on_interrupt(int signal) {
  stop_wanted = true;
  std::signal(signal, SIG_DFL);
  ::alarm(kPatience);
}

void on_impatience(int) {
  constexpr std::string_view kText =
      "scree: error: the run did not stop within 10 s of the signal (a plug-in that loops?); it was ended\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(1);
}

/// Until the robots stand on the ground there is nothing to keep: signals end the program as usual.
void heed_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Whoever started this with hang-ups ignored (nohup) means it.
    if (std::signal(signal, on_interrupt) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGALRM, on_impatience);
}

void print_summary(const RunSummary& summary, const std::string& folder) {
  for (const auto& event : summary.events) {
    fmt::print("{:10.3f} s  {}{}{}\n", event.time, event.robot, event.robot.empty() ? "" : ": ",
               event.text.empty() ? event.kind : event.text);
  }
  fmt::print("{}: {:.6g} s simulated in {:.3g} s ({:.4g} x real time), {} steps, state {}\n", summary.outcome,
             summary.simulated_s, summary.cpu_s, summary.real_time_factor(), summary.steps,
             hash_text(summary.state_hash));
  for (const auto& [name, value] : summary.numbers) fmt::print("  {} = {:.6g}\n", name, value);
  if (!folder.empty()) fmt::print("written to {}\n", folder);
}

RunSummary run_with_progress(const Scenario& scenario, std::span<Sink* const> sinks, RunControl control,
                             bool quiet) {
  BusyLine busy("placing robots", quiet);
  ProgressBar bar(scenario.name, quiet);
  control.started = [&busy] {
    busy.stop();
    heed_signals();
  };
  control.progress = [&bar](double done, double factor) { bar.update(done, factor); };
  control.stop = &stop_wanted;
  const RunSummary summary = run(scenario, sinks, control);
  ::alarm(0);
  return summary;
}

/// The run that is to be continued, and where in it.
struct Origin {
  RunFolder folder;
  std::size_t frame = 0;
};

std::optional<Origin> open_origin(const RunOptions& options) {
  if (options.from.empty()) {
    if (options.at) input_error("--at needs --from: the run that is to be continued");
    if (options.trial) input_error("--trial needs --from: the results of a study");
    if (options.scenario.empty()) input_error("name a SCENARIO, or a run to go on from with --from");
    return std::nullopt;
  }
  if (!options.scenario.empty())
    input_error("--from brings the scenario of its run; leave '{}' out", options.scenario);
  Origin origin{RunFolder::open(options.from), 0};
  const StateFrames& states = origin.folder.states;
  if (states.times.empty()) input_error("--from {}: the run holds no states to go on from", options.from);
  origin.frame = options.at ? states.last_before(*options.at) : states.times.size() - 1;
  return origin;
}

/// The trial of a study that is to be run once more: its scenario, and what was recorded.
std::optional<StudyTrial> open_trial(const RunOptions& options) {
  const std::filesystem::path results = study_results(options.from);
  if (results.empty()) {
    if (options.trial && !options.from.empty())
      input_error("--from {}: is not a study; --trial is one of its trials", options.from);
    return std::nullopt;
  }
  if (!options.scenario.empty())
    input_error("--from brings the scenario of its trial; leave '{}' out", options.scenario);
  if (options.at) input_error("--at: a trial of a study is run from its start");
  if (!options.trial) input_error("--from {}: is a study; name one of its trials with --trial", options.from);
  return find_trial(results, *options.trial, options.overrides);
}

/// Says whether a replay ended as it was recorded.
void compare_with_record(const StudyTrial& trial, const RunSummary& summary, bool changed) {
  if (changed || !trial.recorded) return;
  if (trial.recorded->state_hash == summary.state_hash) {
    fmt::print("as recorded in the study: trial {}, {}\n", trial.number, trial.recorded->outcome);
    return;
  }
  fmt::print(
      stderr,
      "scree: warning: not as recorded (state {}, {}): the program or a file that it reads changed since\n",
      hash_text(trial.recorded->state_hash), trial.recorded->outcome);
}

int run_scenario(const RunOptions& options) {
  std::optional<StudyTrial> trial = open_trial(options);
  const std::optional<Origin> origin = trial ? std::nullopt : open_origin(options);
  if (!options.out.empty()) check_free(options.out, options.force);
  BusyLine busy("loading", options.quiet);
  const std::filesystem::path file = origin ? std::filesystem::path(options.from) / "scenario.toml"
                                            : std::filesystem::path(options.scenario);
  const Scenario scenario =
      trial ? load_scenario(std::move(trial->document), trial->file) : load_scenario(file, options.overrides);
  check_view(*scenario.document);
  RunControl control;
  control.threads = options.threads;
  SnapshotView from;
  SoilTiles soil;
  if (origin) {
    const StateFrames& states = origin->folder.states;
    from = {states.layout, states.at(origin->frame)};
    if (const SoilGridSettings* grid = scenario.world->soil_grid()) {
      soil = SoilTiles(grid->cell, grid->memory);
      read_soil(options.from, states.times[origin->frame], scenario.world->terrain(), soil);
      from.soil = &soil;
    }
    control.from = &from;
    if (!(states.times[origin->frame] < scenario.duration))
      input_error(
          "--from {}: its state at {:.6g} s is not before the end of the run at {:.6g} s; give an "
          "earlier --at, or --set duration=...",
          options.from, states.times[origin->frame], scenario.duration);
  }
  busy.stop();
  if (!options.quiet)
    for (const std::string& note : scenario.notes) fmt::print(stderr, "scree: note: {}\n", note);
  std::optional<RunWriter> writer;
  std::vector<Sink*> sinks;
  if (!options.out.empty()) {
    // The run already samples at the period of the log.
    writer.emplace(options.out, RunWriterSettings{.signals = scenario.record.signals,
                                                  .format = scenario.record.format,
                                                  .period = 0,
                                                  .state_period = scenario.record.state_period});
    sinks.push_back(&*writer);
  }
  const RunSummary summary = run_with_progress(scenario, sinks, control, options.quiet);
  if (!options.quiet)
    for (const std::string& warning : summary.warnings) fmt::print(stderr, "scree: warning: {}\n", warning);
  if (options.json) {
    fmt::print("{}", summary_json(summary));
  } else if (!options.quiet && summary.error.empty()) {
    print_summary(summary, options.out);
    if (trial) compare_with_record(*trial, summary, !options.overrides.empty());
  }
  if (!summary.error.empty()) throw RunError(summary.error);
  return summary.outcome == "interrupted" ? 1 : 0;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  auto* sub = add_subcommand(app, "run", "Run a scenario without a window",
                             "scree run scenarios/demo.toml --set solver.step=1e-4 --out runs/demo");
  sub->add_option("SCENARIO", options->scenario, kScenarioDoc);
  sub->add_option(
         "--from", options->from,
         "Folder of an earlier run to go on from, with the same bits; --set may change what does not "
         "change the state's layout. Or results of a study, one of whose trials is run again: --trial")
      ->type_name("RUN");
  sub->add_option("--trial", options->trial, "Number of the trial of a study, as its tables have it");
  sub->add_option("--at", options->at,
                  "Go on from the last state recorded at or before this time [s] (default: the last one)")
      ->type_name("T");
  sub->add_option("--threads", options->threads,
                  "Threads that robots step on, with the same bits (default: as many as help)")
      ->check(CLI::Range(0, 256));
  sub->add_option("--set", options->overrides, "Change a key of the scenario: key=value (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_option("-o,--out", options->out,
                  "Folder for log, states and summary (default: nothing is written)");
  sub->add_flag("-f,--force", options->force, "Replace an earlier run in the folder of --out");
  sub->add_flag("-q,--quiet", options->quiet, "No progress bar, no report");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return run_scenario(*options); });
}

}  // namespace scree
