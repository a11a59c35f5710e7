/// scree validate vivi: the experiments of Morrot 2011 Sec. 5, proportional control and CDTA on the same
/// robot and ground; what the paper found, and how far our figures depend on the step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scree/app/progress.hpp"
#include "scree/app/validation.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/record/compare.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/sim/run.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr double kDesiredSpeed = 10;          // m/s
constexpr double kTimeBar = 1, kPeakBar = 5;  // %, between 65 us and 100 us
constexpr const char* kGrounds[] = {"ramp", "sines"};
constexpr const char* kControllers[] = {"speed", "cdta"};

/// A way to run all four: its folder and what it changes.
struct Pace {
  std::string name;
  std::vector<std::string> overrides;
};

RunFolder run_into(const fs::path& scenario_file, const fs::path& folder,
                   const std::vector<std::string>& overrides) {
  const Scenario scenario = load_scenario(scenario_file, overrides);
  {
    RunWriter writer(folder, {.signals = scenario.record.signals,
                              .format = "npy",
                              .period = 0,
                              .state_period = scenario.record.state_period});
    Sink* sinks[] = {&writer};
    const RunSummary summary = run(scenario, sinks);
    if (!summary.error.empty()) throw RunError(summary.error);
  }
  return RunFolder::open(folder);
}

/// Both controllers on one ground.
struct Pair {
  std::vector<RunFolder> runs;
  std::vector<RunFigures> figures;
};

Pair run_pair(const std::string& ground, const fs::path& out, const Pace& pace,
              const std::function<void()>& one_done) {
  Pair pair;
  for (const char* controller : kControllers) {
    const std::string name = fmt::format("{}_{}", ground, controller);
    pair.runs.push_back(
        run_into(find_data("scenarios/vivi/" + name + ".toml"), out / pace.name / name, pace.overrides));
    one_done();
  }
  pair.figures = compare_runs(pair.runs, {.speed = kDesiredSpeed, .duration = 0});
  return pair;
}

/// Largest differences of two tables of the same runs [%], and how many outcomes differ.
struct Difference {
  double times = 0, energies = 0, peaks = 0;
  int outcomes = 0;

  void add(const RunFigures& a, const RunFigures& b) {
    outcomes += a.outcome != b.outcome;
    times =
        std::max({times, percent_off(a.time_to_speed, b.time_to_speed), percent_off(a.duration, b.duration)});
    energies = std::max(energies, percent_off(a.energy, b.energy));
    peaks = std::max(peaks, percent_off(a.peak_power, b.peak_power));
    for (std::size_t k = 0; k < a.axles.size() && k < b.axles.size(); ++k) {
      peaks = std::max(peaks, percent_off(a.axles[k].largest_slip, b.axles[k].largest_slip));
    }
  }
};

double mean_slip(const RunFigures& f) {
  double sum = 0;
  for (const auto& axle : f.axles) sum += axle.mean_slip / static_cast<double>(f.axles.size());
  return sum;
}

/// A finding of the paper as a row: 0 when ours is alike, 1 when not.
ValidationRow finding(const std::string& text, bool alike) {
  return {"vivi " + text, "0/1", std::nullopt, alike ? 0.0 : 1.0, 0.0};
}

}  // namespace

Validation validate_vivi(const ValidationSetup& setup) {
  const fs::path out = fs::path(setup.out) / "vivi";
  const std::vector<Pace> paces = {{"100us", {}},
                                   {"65us", {"solver.step=65e-6"}},
                                   {"1ms", {"solver.step=1e-3", "robot.control.rate=1000"}}};
  ProgressBar bar("vivi", setup.quiet);
  int done = 0;
  const auto one_done = [&] { bar.update(++done / 12.0); };
  Validation v;
  Difference fine, coarse;
  for (const char* ground : kGrounds) {
    const Pair shipped = run_pair(ground, out, paces[0], one_done);
    const Pair finer = run_pair(ground, out, paces[1], one_done);
    const Pair coarser = run_pair(ground, out, paces[2], one_done);
    for (int i = 0; i < 2; ++i) {
      fine.add(finer.figures[i], shipped.figures[i]);
      coarse.add(coarser.figures[i], shipped.figures[i]);
    }
    const fs::path figure = out / fmt::format("{}.png", ground);
    draw_figure(comparison_figure(shipped.runs, fmt::format("VIVI at 10 m/s, {}", ground)), figure);
    v.text += fmt::format("{}figure: {}\n\n", comparison_table(shipped.figures), figure.string());
    v.json +=
        fmt::format("{}\"{}\": {}", v.json.empty() ? "" : ", ", ground, comparison_json(shipped.figures));

    const RunFigures &p = shipped.figures[0], &c = shipped.figures[1];
    if (ground == std::string("ramp")) {
      v.rows.push_back(finding("ramp: proportional control rolls over", p.outcome == "rolled_over"));
      v.rows.push_back(finding("ramp: CDTA does not", c.outcome == "finished"));
    } else {
      v.rows.push_back(
          finding("sines: CDTA uses less energy a metre", c.energy_per_metre < p.energy_per_metre));
    }
    v.rows.push_back(finding(fmt::format("{}: CDTA slips less", ground), mean_slip(c) < mean_slip(p)));
  }
  v.rows.push_back({"vivi 65 us against 100 us: times", "%", std::nullopt, fine.times, kTimeBar});
  v.rows.push_back({"vivi 65 us against 100 us: energies", "%", std::nullopt, fine.energies, kTimeBar});
  v.rows.push_back({"vivi 65 us against 100 us: peaks", "%", std::nullopt, fine.peaks, kPeakBar});
  v.rows.push_back({"vivi 65 us, and 1 ms at 1 kHz: other outcomes", "runs", std::nullopt,
                    static_cast<double>(fine.outcomes + coarse.outcomes), 0});
  v.text += fmt::format(
      "1 ms and 1 kHz against 100 us and 10 kHz: times differ by up to {:.2g} %, energies {:.2g} %, peaks "
      "{:.2g} %\n",
      coarse.times, coarse.energies, coarse.peaks);
  v.json = fmt::format(
      "\"vivi\": {{{}, \"coarse_difference_percent\": {{\"times\": {:.4g}, \"energies\": {:.4g}, \"peaks\": "
      "{:.4g}}}}}",
      v.json, coarse.times, coarse.energies, coarse.peaks);
  return v;
}

}  // namespace scree
