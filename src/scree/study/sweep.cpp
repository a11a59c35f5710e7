#include "scree/study/sweep.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
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

Plan SweepPlan::plan() const {
  Plan out;
  out.scenario = scenario;
  out.overrides = overrides;
  for (const SweepAxis& axis : axes) {
    Factor& factor = out.factors.emplace_back(Factor{axis.key, {}});
    for (const std::string& value : axis.values) factor.levels.push_back({value, {axis.key + "=" + value}});
  }
  out.trials = trials;
  out.measures = measures;
  return out;
}

SweepRow run_sweep_trial(const SweepPlan& plan, std::size_t cell, int trial) {
  return TrialRunner(plan.plan()).run({cell, trial});
}

std::vector<SweepRow> run_sweep(const SweepPlan& plan, const TrialControl& control) {
  if (plan.trials < 1) input_error("sweep: {} trials a cell; must be 1 or more", plan.trials);
  return run_plan(plan.plan(), control);
}

}  // namespace scree
