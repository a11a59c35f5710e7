/// scree study: many trials over factors, as a table and a picture.
#include "scree/study/study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/app/ranks.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"
#include "scree/study/vivi_map.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct StudyOptions {
  std::string study, out, rows;
  std::vector<std::string> overrides;
  bool json = false, quiet = false, resume = false, force = false;
  int jobs = 0, trials = 0;
};

std::atomic<bool> study_stopped{false};

/// The first Ctrl-C lets the trials under way end and keeps all that has ended; a second one ends the
/// program.
void stop_study(int signal) {
  study_stopped = true;
  std::signal(signal, SIG_DFL);
}

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
  settings.threads = options.jobs > 0 ? options.jobs : machine_threads();
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

/// Progress on a terminal; elsewhere (the log of a cluster) a line now and then.
class StudyProgress {
 public:
  StudyProgress(const std::string& name, bool quiet)
      : bar_(name, quiet), name_(name), lines_(!quiet && ::isatty(STDERR_FILENO) != 1) {}
  void update(double done) {
    bar_.update(done);
    const double now = since(begun_);
    if (!lines_ || done <= 0 || now < told_ + kLineSeconds) return;
    told_ = now;
    fmt::print(stderr, "scree: study {}: {:.1f} % done, {} left\n", name_, 100 * done,
               clock_text(now * (1 - done) / done));
  }

 private:
  static constexpr double kLineSeconds = 30;
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }
  ProgressBar bar_;
  std::string name_;
  bool lines_;
  double told_ = 0;
  Clock::time_point begun_ = Clock::now();
};

/// Table and figure into the folder of the results. What was written.
std::string write_tables(const Study& study, const StudyResults& results, const fs::path& folder) {
  write_whole_file(folder / "cells.csv", study_csv(study, results));
  write_whole_file(folder / "cells.json", "{" + study_json(study, results) + "}\n");
  const auto figure = study_figure(study, results);
  if (!figure) return "cells.csv, cells.json";
  draw_figure(*figure, folder / "rates.png");
  return "cells.csv, cells.json, rates.png";
}

/// Table and figure into the folder of the results, and the table to the user. `only_read`: results that may
/// lie where nothing can be written.
void report(const StudyOptions& options, const Study& study, const StudyStore& store,
            bool only_read = false) {
  const StudyResults results = results_of(study, store);
  const fs::path folder = store.file().parent_path();
  std::string written = store.file().filename().string();
  try {
    written += ", " + write_tables(study, results, folder);
  } catch (const std::runtime_error& e) {
    if (!only_read) throw;
    fmt::print(stderr, "scree: warning: {}\n", e.what());
  }
  if (!options.rows.empty()) write_whole_file(options.rows, trials_csv(study, store));
  if (options.json) {
    print_json(study_json(study, results) + ", \"file\": " + json_text(store.file().string()));
    return;
  }
  if (options.quiet) return;
  fmt::print("{}{} trials; in {}: {}\n", study_text(study, results), results.trials, folder.string(),
             written);
  if (results.broken > 0)
    fmt::print(stderr,
               "scree: warning: {} trials broke off by themselves and are not counted; the first: {}\n",
               results.broken, results.first_error);
}

/// Prints what a file of results holds.
int show(const StudyOptions& options, const fs::path& file) {
  if (options.resume || options.trials > 0 || !options.overrides.empty())
    input_error("{}: are results; to go on with them name the study: scree study STUDY --resume",
                file.string());
  const StudyStore store(file, StudyStore::Mode::read);
  report(options, stored_study(store), store, true);
  return 0;
}

int first_rank(const StudyOptions& options, const Study& study, const TrialRunner& runner, Ranks& ranks,
               TrialControl control) {
  BusyLine busy("checking the study", options.quiet);
  StudyPass pass;
  std::optional<StudyStore> store;
  bool told = false;  // the other ranks were, by the engine
  try {
    check_study(study, runner);
    busy.stop();
    const fs::path folder =
        options.out.empty() ? fs::path("runs/study_" + study.name) : fs::path(options.out);
    std::error_code status;
    fs::create_directories(folder, status);
    if (status) input_error("--out {}: cannot be made: {}", folder.string(), status.message());
    store.emplace(open_results(study, runner, folder / "study.db", options.resume, options.force));
    std::signal(SIGINT, stop_study);
    std::signal(SIGTERM, stop_study);
    StudyProgress progress(study.name, options.quiet);
    control.progress = [&progress](double done) { progress.update(done); };
    told = true;
    pass = run_study(study, runner, *store, control, ranks.engine());
  } catch (...) {
    if (!told) ranks.dismiss();
    throw;
  }
  if (options.resume && !options.quiet && !options.json)
    fmt::print("{} trials were there, {} were run now\n", pass.before, pass.run);
  report(options, study, *store);
  if (pass.stopped)
    run_error("study stopped after {} trials; --resume goes on with it", pass.before + pass.run);
  return 0;
}

int study_run(const StudyOptions& options) {
  if (options.resume && options.force) input_error("--resume and --force exclude each other");
  Ranks ranks;
  try {
    std::vector<std::string> changes;
    if (options.trials > 0) changes.push_back(fmt::format("trials={}", options.trials));
    const Study study = read_study(options.study, changes, options.overrides);
    const TrialRunner runner(study.plan);
    TrialControl control;
    control.jobs = options.jobs > 0 ? options.jobs : std::max(1, machine_threads() / ranks.here());
    control.stop = &study_stopped;
    if (ranks.rank() == 0) return first_rank(options, study, runner, ranks, control);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);  // rank 0 says when it is over
    const std::size_t cells = study.plan.cells();
    ranks.serve([&](std::size_t number) { return runner.run(place_of(number, cells)); }, control);
    return 0;
  } catch (const InputError&) {
    if (ranks.rank() == 0) throw;
    return 2;  // rank 0 says it, once
  }
}

int study(const StudyOptions& options) {
  if (options.study == "vivi") return vivi(options);
  const fs::path given = options.study;
  std::error_code status;
  const bool named = data_files("studies").contains(options.study);  // a folder of that name is not meant
  if (!named && fs::is_regular_file(given / "study.db", status)) return show(options, given / "study.db");
  if (given.extension() == ".db" || is_study_file(given)) return show(options, given);
  return study_run(options);
}

}  // namespace

void add_study_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<StudyOptions>();
  auto* sub = add_subcommand(app, "study", "Many trials over factors: success rates with their intervals",
                             "scree study kyoto --trials 30\n  scree study kyoto --resume --trials 500\n  "
                             "scree study runs/study_kyoto");
  sub->add_option(
         "STUDY", options->study,
         "Study file (TOML), a name of `scree list studies`, results of an earlier study (shows them), "
         "or vivi: who rolls over on a ramp, proportional control or CDTA")
      ->required();
  sub->add_option("-o,--out", options->out,
                  "Folder for results, table and picture; default runs/study_STUDY");
  sub->add_option("-n,--trials", options->trials, "Trials of each cell, instead of what the file says")
      ->check(CLI::Range(1, 1000000000));
  sub->add_option("--set", options->overrides, "Change a key of every scenario: key=value (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_option("-j,--jobs", options->jobs, "Threads (default: one a processor)")
      ->check(CLI::Range(1, 1024));
  sub->add_flag("--resume", options->resume,
                "Go on with the study in the folder; begin it where there is none");
  sub->add_flag("-f,--force", options->force, "Replace an earlier study in the folder");
  sub->add_option("--rows", options->rows, "Write every trial into a CSV file");
  sub->add_flag("-q,--quiet", options->quiet, "No progress, no report");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return study(*options); });
}

}  // namespace scree
