#include "scree/study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

/// Measures that say most of a run, those of them that it has.
std::vector<Measure> usual_measures() {
  std::vector<Measure> wishes;
  for (const char* text :
       {"speed:mean", "pitch:absmax", "roll:absmax", "energy.drawn:last", "stability.index:min"}) {
    Measure wish = parse_measure(text);
    wish.optional = true;
    wishes.push_back(wish);
    wish.signal = "*." + wish.signal;
    wishes.push_back(wish);
  }
  return wishes;
}

Document base_of(const Plan& plan, const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  Document document = plan.scenario_text.empty()
                          ? Document::from_file(file)
                          : Document::from_text(plan.scenario_text, file.string(),
                                                folder.empty() ? std::filesystem::path(".") : folder);
  for (const std::string& o : plan.overrides) document.set(o);
  int events = 0;
  document.root().each("event", "", [&events](Section&) { ++events; });
  for (const Rule& rule : plan.rules) {
    if (rule.event.kind == "time_out") {
      document.set("duration=" + number_text(rule.event.time), "study: time_out");
      continue;
    }
    EventSettings event = rule.event;
    event.ends_run = true;
    document.set(fmt::format("event.{}={}", events++, event_text(event)), "study: rules");
  }
  return document;
}

/// One number that fits a TOML integer.
std::uint64_t cell_seed(std::uint64_t seed, std::size_t cell) {
  return RandomStream(seed, cell, "cell of a study").next_bits() >> 1;
}

double drawn(const TrialDraw& draw, std::uint64_t seed, std::uint64_t trial) {
  RandomStream stream(seed, trial, "draw " + draw.key);
  return draw.kind == "normal" ? draw.mean + draw.spread * stream.normal()
                               : stream.uniform(draw.low, draw.high);
}

bool is_broken(const std::string& outcome) {
  for (const char* kind : {"diverged", "bad_ground", "failed", "refused", "crashed", "interrupted"})
    if (outcome == kind) return true;
  return false;
}

}  // namespace

std::size_t Plan::cells() const {
  if (!design.empty()) return design.size();
  std::size_t count = 1;
  for (const Factor& factor : factors) count *= factor.levels.size();
  return count;
}

std::vector<int> Plan::levels_of(std::size_t cell) const {
  if (!design.empty()) return design[cell];
  std::vector<int> levels(factors.size());
  for (std::size_t i = factors.size(); i-- > 0; cell /= factors[i].levels.size())
    levels[i] = static_cast<int>(cell % factors[i].levels.size());
  return levels;
}

std::vector<std::string> Plan::values_of(std::size_t cell) const {
  const std::vector<int> levels = levels_of(cell);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < factors.size(); ++i) values.push_back(factors[i].levels[levels[i]].label);
  return values;
}

TrialRunner::TrialRunner(Plan plan)
    : plan_(std::move(plan)),
      file_(plan_.scenario_text.empty() ? find_scenario(plan_.scenario) : plan_.scenario),
      base_(base_of(plan_, file_)),
      models_(std::make_unique<ModelCache>()) {
  base_.root().unsigned_integer("seed", seed_, {});
}
TrialRunner::~TrialRunner() = default;

Document TrialRunner::document(const TrialPlace& place) const {
  Document document = base_.copy();
  const std::vector<int> levels = plan_.levels_of(place.cell);
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (const std::string& assignment : plan_.factors[i].levels[levels[i]].set) document.set(assignment);
  std::uint64_t seed = 1;
  document.root().unsigned_integer("seed", seed, {});
  const auto trial = static_cast<std::uint64_t>(place.trial);
  if (plan_.seeds == Plan::Seeds::next) {
    if (trial > 0) document.set(fmt::format("seed={}", seed += trial));
  } else {
    if (plan_.seeds == Plan::Seeds::own)
      document.set(fmt::format("seed={}", seed = cell_seed(seed, place.cell)));
    document.set(fmt::format("trial={}", trial));
  }
  for (const TrialDraw& draw : plan_.draws)
    document.set(draw.key + "=" + number_text(drawn(draw, seed, trial)), "study: draw");
  return document;
}

Scenario TrialRunner::scenario(const TrialPlace& place) const {
  // Other trials are on the other processors.
  return load_scenario(document(place), file_, {.threads = 1, .models = models_.get()});
}

Verdict TrialRunner::judge(const std::string& outcome) const {
  if (is_broken(outcome)) return Verdict::broken;
  bool wanted = false;  // something is
  for (const Rule& rule : plan_.rules) {
    if (rule.event.kind == outcome) return rule.success ? Verdict::success : Verdict::failure;
    wanted = wanted || rule.success;
  }
  const bool to_its_end = outcome == "finished" || outcome == "time_out";
  return to_its_end && !wanted ? Verdict::success : Verdict::failure;
}

TrialRow TrialRunner::run(const TrialPlace& place) const {
  TrialRow row;
  row.cell = place.cell;
  row.trial = place.trial;
  row.done = true;
  try {
    const Scenario made = scenario(place);
    row.seed = made.seed;
    MeasureSink measures(plan_.measures.empty() ? usual_measures() : plan_.measures);
    const std::unique_ptr<Witness> witness = plan_.witness ? plan_.witness(made) : nullptr;
    std::vector<Sink*> sinks = {&measures};
    if (witness) sinks.push_back(witness.get());
    const RunSummary summary = scree::run(made, sinks);
    row.outcome = summary.outcome;
    if (row.outcome == "finished" && !plan_.rules.empty()) row.outcome = "time_out";
    row.error = summary.error;
    row.simulated_s = summary.simulated_s;
    row.cpu_s = summary.cpu_s;
    row.state_hash = summary.state_hash;
    for (const auto& [name, value] : summary.numbers) {
      const auto unit = name.rfind('_');  // "path_m"
      row.numbers.push_back({name.substr(0, unit), name.substr(unit + 1), value});
    }
    for (TrialNumber& result : measures.results()) row.numbers.push_back(std::move(result));
    if (witness) witness->report(row);
  } catch (const InputError& error) {
    row.outcome = "refused";
    row.error = error.what();
  } catch (const RunError& error) {  // at its very start, or of a plug-in
    row.outcome = "failed";
    row.error = error.what();
  } catch (const std::exception& error) {
    row.outcome = "crashed";
    row.error = error.what();
  }
  row.verdict = judge(row.outcome);
  return row;
}

void TrialRunner::check() const {
  const Scenario first = scenario({0, 0});
  MeasureSink measures(plan_.measures);
  const SignalCatalog signals = Simulation(first).signals();
  RunInfo info;
  info.signals = &signals;
  measures.begin(info);
}

std::vector<TrialRow> run_plan(const Plan& plan, const TrialControl& control) {
  if (plan.trials < 1) input_error("{} trials a cell; must be 1 or more", plan.trials);
  const TrialRunner runner(plan);
  runner.check();
  const auto trials = static_cast<std::size_t>(plan.trials);
  std::vector<TrialRow> rows(plan.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].cell = i / trials, rows[i].trial = static_cast<int>(i % trials);
  run_trials(
      rows.size(),
      [&](std::size_t i) {
        rows[i] = runner.run({rows[i].cell, rows[i].trial});
      },
      control);
  return rows;
}

std::vector<std::vector<int>> latin_design(int cells, const std::vector<int>& levels, std::uint64_t seed) {
  std::vector<std::vector<int>> design(static_cast<std::size_t>(cells), std::vector<int>(levels.size()));
  for (std::size_t f = 0; f < levels.size(); ++f) {
    // Every level equally often (a rest of less than one round is left over), in an order of its own.
    std::vector<int> column(static_cast<std::size_t>(cells));
    for (int i = 0; i < cells; ++i)
      column[i] = static_cast<int>(static_cast<long long>(i) * levels[f] / cells);
    RandomStream stream(seed, f, "order of a Latin hypercube");
    for (std::size_t i = column.size(); i > 1; --i) std::swap(column[i - 1], column[stream.below(i)]);
    for (std::size_t i = 0; i < column.size(); ++i) design[i][f] = column[i];
  }
  return design;
}

}  // namespace scree
