/// scree validate kyoto: success rates of studies/kyoto.toml beside Yokokohji 2002, Table 3 (their
/// simulation) and Table 4 (their experiment).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scree/app/progress.hpp"
#include "scree/app/validation.hpp"
#include "scree/core/errors.hpp"
#include "scree/study/study.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

constexpr int kTheirTrials = 30, kOurTrials = 100;

struct Published {
  const char *ground, *rover;
  double simulated, measured;  ///< Tables 3 and 4 [%]
};
constexpr Published kTables[] = {{"brick", "90 free", 90, 93},    {"brick", "90 fixed", 68, 62},
                                 {"brick", "60 free", 13, 0},     {"brick", "60 fixed", 12, 0},
                                 {"gravel", "90 free", 100, 100}, {"gravel", "90 fixed", 100, 100},
                                 {"gravel", "60 free", 80, 100},  {"gravel", "60 fixed", 91, 85}};
constexpr std::size_t kCells = std::size(kTables);

Interval theirs(double percent) {
  return wilson(static_cast<std::uint64_t>(std::lround(percent / 100 * kTheirTrials)), kTheirTrials);
}

/// How far two rates may lie apart by chance: Newcombe 1998 (Stat. Med. 17), method 10, which joins Wilson's
/// intervals; on the side on which ours lies.
double joined(double ours, const Interval& our, double rate, const Interval& their) {
  return ours > rate ? std::hypot(ours - our.low, their.high - rate)
                     : std::hypot(our.high - ours, rate - their.low);
}

const CellResult& cell_of(const StudyResults& results, const Published& p) {
  for (const CellResult& cell : results.cells)
    if (cell.values[0] == p.ground && cell.values[1] == p.rover) return cell;
  input_error("studies/kyoto.toml: no cell {}, {}", p.ground, p.rover);
}

StudyResults run_kyoto(const ValidationSetup& setup) {
  const std::filesystem::path folder = std::filesystem::path(setup.out) / "kyoto";
  std::filesystem::create_directories(folder);
  const Study study = read_study("kyoto", {fmt::format("trials={}", kOurTrials)});
  const TrialRunner runner(study.plan);
  StudyStore store = open_results(study, runner, folder / "study.db", false, true);
  ProgressBar bar("kyoto", setup.quiet);
  run_study(study, runner, store,
            {.jobs = machine_threads(), .progress = [&bar](double done) { bar.update(done); }});
  return results_of(study, store);
}

}  // namespace

Validation validate_kyoto(const ValidationSetup& setup) {
  const StudyResults results = run_kyoto(setup);
  Validation v;
  v.text =
      fmt::format("{:<8} {:<10} {:>22} {:>26} {:>14}\n", "ground", "rover",
                  fmt::format("ours (n = {}) [%]", kOurTrials), "their simulation [%]", "experiment [%]");
  double rates[kCells];
  for (std::size_t i = 0; i < kCells; ++i) {
    const Published& p = kTables[i];
    const CellResult& cell = cell_of(results, p);
    rates[i] = cell.rate();
    const Interval our = cell.interval(), their = theirs(p.simulated);
    v.text += fmt::format(
        "{:<8} {:<10} {:>6.1f} ({:>5.1f} to {:>5.1f}) {:>10.0f} ({:>5.1f} to {:>5.1f}) {:>14.0f}\n", p.ground,
        p.rover, 100 * rates[i], 100 * our.low, 100 * our.high, p.simulated, 100 * their.low,
        100 * their.high, p.measured);
    v.rows.push_back({fmt::format("kyoto {} {}: rate against Table 3", p.ground, p.rover), "%", std::nullopt,
                      100 * std::abs(rates[i] - p.simulated / 100),
                      100 * joined(rates[i], our, p.simulated / 100, their)});
    v.json += fmt::format(
        "{}{{\"ground\": \"{}\", \"rover\": \"{}\", \"rate\": {:.4g}, \"low\": {:.4g}, \"high\": {:.4g}, "
        "\"simulated\": {:.4g}, \"measured\": {:.4g}}}",
        i ? ", " : "", p.ground, p.rover, rates[i], our.low, our.high, p.simulated / 100, p.measured / 100);
  }
  int orders = 0, wrong = 0;
  for (std::size_t i = 0; i < kCells; ++i)
    for (std::size_t k = 0; k < kCells; ++k) {
      if (!(kTables[i].simulated > kTables[k].simulated + 20)) continue;
      ++orders;
      if (rates[i] > rates[k]) continue;
      ++wrong;
      v.text += fmt::format("not as in Table 3: {} {} above {} {}\n", kTables[i].ground, kTables[i].rover,
                            kTables[k].ground, kTables[k].rover);
    }
  v.rows.push_back({fmt::format("kyoto: {} orders of more than 20 points, ours differ", orders), "pairs",
                    std::nullopt, static_cast<double>(wrong), 0});
  v.json = "\"kyoto\": [" + v.json + "]";
  return v;
}

}  // namespace scree
