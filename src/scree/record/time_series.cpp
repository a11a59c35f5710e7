#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/plot.hpp"

namespace scree {
namespace {

/// What a figure shows when nothing is chosen; those that the log has.
const std::vector<std::string> kUsual = {
    "speed", "*.speed", "roll",           "*.roll",           "pitch",        "*.pitch",
    "z",     "*.z",     "wheel.*.normal", "*.wheel.*.normal", "wheel.*.slip", "*.wheel.*.slip"};
constexpr std::size_t kMostPanels = 16;

std::string last_name(const std::string& name) {
  const auto dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::vector<std::string> usual_signals(const RunFolder& run) {
  std::vector<std::string> found;
  for (const auto& pattern : kUsual) {
    const bool any = std::any_of(run.columns.begin() + 1, run.columns.end(), [&](const LogColumn& column) {
      return matches_pattern(column.name, pattern);
    });
    if (any) found.push_back(pattern);
  }
  if (!found.empty()) return found;
  for (std::size_t i = 1; i < run.columns.size() && found.size() < 6; ++i)
    found.push_back(run.columns[i].name);
  if (found.empty()) input_error("{}: the log has no signals to plot", run.path.string());
  return found;
}

std::string name_of_run(const RunFolder& run) {
  const auto name = run.path.lexically_normal();
  return (name.has_filename() ? name.filename() : name.parent_path().filename()).string();
}

}  // namespace

Figure time_series(std::span<const RunFolder> runs, const PlotSettings& settings) {
  if (runs.empty()) input_error("plot: no run given");
  const auto patterns = settings.signals.empty() ? usual_signals(runs.front()) : settings.signals;
  Figure figure;
  figure.title = settings.title;
  std::map<std::string, std::size_t> panel_of;  // by label
  for (const auto& run : runs) {
    if (figure.title.size() < 200 && settings.title.empty()) {
      figure.title += (figure.title.empty() ? "" : ", ") + name_of_run(run);
    }
    for (const LogColumn* column : run.match(patterns)) {
      const auto label = fmt::format("{} [{}]", last_name(column->name), column->unit);
      const auto [place, fresh] = panel_of.try_emplace(label, figure.panels.size());
      if (fresh) figure.panels.push_back({"time [s]", label, {}});
      const auto name = runs.size() > 1 ? name_of_run(run) + ": " + column->name : column->name;
      figure.panels[place->second].curves.push_back({name, run.times(), column->values});
    }
  }
  if (figure.panels.size() > kMostPanels) {
    input_error("plot: {} panels are too many for one figure (at most {}); choose fewer with --signals",
                figure.panels.size(), kMostPanels);
  }
  return figure;
}

Curve thinned(const Curve& curve, std::size_t buckets) {
  if (curve.x.size() <= 2 * buckets) return curve;
  Curve out{curve.label, {}, {}};
  const std::size_t count = curve.x.size();
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * count / buckets, end = (b + 1) * count / buckets;
    std::size_t low = begin, high = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (curve.y[i] < curve.y[low]) low = i;
      if (curve.y[i] > curve.y[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
      out.x.push_back(curve.x[i]);
      out.y.push_back(curve.y[i]);
    }
  }
  return out;
}

}  // namespace scree
