#include "scree/study/sweep.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/hash.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/run.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Measures that say most of a run, those of them that it has.
std::vector<Measure> usual_measures(const Scenario& scenario) {
  const SignalCatalog signals = Simulation(scenario).signals();
  std::vector<Measure> found;
  for (const char* text :
       {"speed:mean", "pitch:absmax", "roll:absmax", "energy.drawn:last", "stability.index:min"}) {
    const Measure wish = parse_measure(text);
    for (const std::string prefix : {"", "*."})
      for (const Signal& signal : signals.all())
        if (matches_pattern(signal.name, prefix + wish.signal))
          found.push_back({signal.name, wish.statistic});
  }
  return found;
}

Scenario scenario_of(const SweepPlan& plan, std::size_t cell, int trial) {
  Document document = Document::from_file(find_scenario(plan.scenario));
  for (const std::string& o : plan.overrides) document.set(o);
  const std::vector<std::string> values = plan.values_of(cell);
  for (std::size_t i = 0; i < plan.axes.size(); ++i) document.set(plan.axes[i].key + "=" + values[i]);
  std::uint64_t seed = 1;
  document.root().unsigned_integer("seed", seed, {});
  if (trial > 0) document.set(fmt::format("seed={}", seed + static_cast<std::uint64_t>(trial)));
  return load_scenario(std::move(document), find_scenario(plan.scenario));
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    input_error("--vary {}: must be key=from:to:count or key=value,value,...", text);
  SweepAxis axis{trim(text.substr(0, equals)), {}};
  const std::string rest = text.substr(equals + 1);
  const std::vector<std::string> parts = split(rest, ':');
  if (parts.size() == 3 && rest.find_first_of("[{\"") == std::string::npos) {
    const auto from = number_of(trim(parts[0])), to = number_of(trim(parts[1])),
               count = number_of(trim(parts[2]));
    if (!from || !to || !count || *count != std::floor(*count) || !(*count >= 2 && *count <= 1e6))
      input_error("--vary {}: from and to must be numbers and the count a whole number from 2 on", text);
    for (int i = 0; i < static_cast<int>(*count); ++i)
      axis.values.push_back(number_text(*from + (*to - *from) * i / (*count - 1)));
    return axis;
  }
  int depth = 0;  // commas inside brackets belong to the value
  std::string value;
  for (const char c : rest + ",") {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c != ',' || depth > 0) {
      value += c;
      continue;
    }
    if (trim(value).empty()) input_error("--vary {}: a value is missing", text);
    axis.values.push_back(trim(value));
    value.clear();
  }
  return axis;
}

std::size_t SweepPlan::cells() const {
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) count *= axis.values.size();
  return count;
}

std::vector<std::string> SweepPlan::values_of(std::size_t cell) const {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0; cell /= axes[i].values.size())
    values[i] = axes[i].values[cell % axes[i].values.size()];
  return values;
}

SweepRow run_sweep_trial(const SweepPlan& plan, std::size_t cell, int trial) {
  SweepRow row;
  row.cell = cell;
  row.trial = trial;
  row.done = true;
  try {
    const Scenario scenario = scenario_of(plan, cell, trial);
    row.seed = scenario.seed;
    MeasureSink measures(plan.measures.empty() ? usual_measures(scenario) : plan.measures);
    Sink* sinks[] = {&measures};
    const RunSummary summary = run(scenario, sinks);
    row.outcome = summary.outcome;
    row.error = summary.error;
    row.simulated_s = summary.simulated_s;
    row.state_hash = hash_text(summary.state_hash);
    for (const auto& [name, value] : summary.numbers) {
      const auto unit = name.rfind('_');  // "path_m"
      row.numbers.push_back({name.substr(0, unit), name.substr(unit + 1), value});
    }
    for (const auto& result : measures.results()) row.numbers.push_back(result);
  } catch (const InputError& error) {
    row.outcome = "refused";
    row.error = error.what();
  }
  return row;
}

std::vector<SweepRow> run_sweep(const SweepPlan& plan, const TrialControl& control) {
  if (plan.trials < 1) input_error("sweep: {} trials a cell; must be 1 or more", plan.trials);
  {
    const Scenario first = scenario_of(plan, 0, 0);  // a misspelt key is told before anything runs
    MeasureSink measures(plan.measures);
    const SignalCatalog signals = Simulation(first).signals();
    RunInfo info;
    info.signals = &signals;
    measures.begin(info);
  }
  std::vector<SweepRow> rows(plan.size());
  run_trials(
      rows.size(),
      [&](std::size_t i) {
        const auto trials = static_cast<std::size_t>(plan.trials);
        rows[i] = run_sweep_trial(plan, i / trials, static_cast<int>(i % trials));
      },
      control);
  return rows;
}

}  // namespace scree
