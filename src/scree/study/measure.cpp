#include "scree/study/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {

const std::vector<std::string>& statistics() {
  static const std::vector<std::string> names = {"min", "max", "absmax", "mean", "rms", "first", "last"};
  return names;
}

Measure parse_measure(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    input_error("measure '{}': must be signal:statistic, for example speed:mean", text);
  const Measure measure{text.substr(0, colon), text.substr(colon + 1), false};
  const auto& known = statistics();
  if (std::find(known.begin(), known.end(), measure.statistic) == known.end())
    input_error("measure '{}': no statistic '{}'{}", text, measure.statistic,
                name_hint(measure.statistic, known));
  return measure;
}

std::vector<std::string> MeasureSink::wanted_signals() const {
  std::vector<std::string> patterns;
  for (const Measure& m : measures_) patterns.push_back(m.signal);
  return patterns;
}

void MeasureSink::begin(const RunInfo& info) {
  all_.clear();
  rows_ = 0;
  for (const Measure& m : measures_) {
    const std::vector<std::string> pattern = {m.signal};
    const auto& all = info.signals->all();
    if (m.optional && std::none_of(all.begin(), all.end(), [&m](const Signal& signal) {
          return matches_pattern(signal.name, m.signal);
        }))
      continue;
    for (const int place : info.signals->match(pattern)) {
      const Signal& signal = info.signals->all()[static_cast<std::size_t>(place)];
      all_.push_back({signal.name + ":" + m.statistic, signal.unit, m.statistic, place});
    }
  }
}

void MeasureSink::sample(const Sample& sample) {
  for (Gathered& g : all_) {
    const double value = sample.values[static_cast<std::size_t>(g.place)];
    if (rows_ == 0) g.first = g.least = g.most = value;
    g.last = value;
    g.least = std::min(g.least, value);
    g.most = std::max(g.most, value);
    g.sum += value;
    g.squares += value * value;
  }
  ++rows_;
}

std::vector<MeasureSink::Result> MeasureSink::results() const {
  std::vector<Result> out;
  const double n = static_cast<double>(rows_);
  for (const Gathered& g : all_) {
    const auto value = [&] {
      if (rows_ == 0) return std::numeric_limits<double>::quiet_NaN();
      if (g.statistic == "min") return g.least;
      if (g.statistic == "max") return g.most;
      if (g.statistic == "absmax") return std::max(std::abs(g.least), std::abs(g.most));
      if (g.statistic == "mean") return g.sum / n;
      if (g.statistic == "rms") return std::sqrt(g.squares / n);
      return g.statistic == "first" ? g.first : g.last;
    }();
    out.push_back({g.name, g.unit, value});
  }
  return out;
}

}  // namespace scree
