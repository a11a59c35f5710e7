#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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
constexpr std::size_t kMostPanels = 16, kMostNames = 4;
constexpr double kFlattened = 5;

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

/// Times and values of a column between two times.
Curve part_of(const std::string& label, const std::vector<double>& times, const std::vector<double>& values,
              const PlotSettings& settings) {
  Curve curve{label, {}, {}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] >= settings.from && times[i] <= settings.to)) continue;
    curve.x.push_back(times[i]);
    curve.y.push_back(values[i]);
  }
  return curve;
}

/// A panel's label: the names of what it shows, when they are few, and the unit.
std::string panel_label(const std::vector<std::string>& names, const std::string& unit) {
  std::string label;
  for (std::size_t i = 0; i < names.size() && names.size() <= kMostNames; ++i)
    label += (i > 0 ? ", " : "") + names[i];
  return label + (label.empty() ? "" : " ") + "[" + unit + "]";
}

/// Shows the middle 99 % with some room where all values would need more than kFlattened times as much.
void scale_robustly(Panel& panel) {
  std::vector<double> values;
  for (const Curve& curve : panel.curves)
    std::copy_if(curve.y.begin(), curve.y.end(), std::back_inserter(values),
                 [](double v) { return std::isfinite(v); });
  if (values.size() < 200) return;
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  const double low = at(0.005), high = at(0.995), middle = high - low;
  if (!(middle > 0) || !(values.back() - values.front() > kFlattened * middle)) return;
  const double room = 0.25 * middle;
  panel.y_range = {std::max(values.front(), low - room), std::min(values.back(), high + room)};
  panel.title = fmt::format("a few values are outside: {:.4g} to {:.4g}", values.front(), values.back());
}

}  // namespace

Figure time_series(std::span<const RunFolder> runs, const PlotSettings& settings) {
  if (runs.empty()) input_error("plot: no run given");
  const auto patterns = settings.signals.empty() ? usual_signals(runs.front()) : settings.signals;
  Figure figure;
  figure.title = settings.title;
  std::map<std::string, std::size_t> panel_of;  // by unit, or by name and unit
  std::vector<std::vector<std::string>> names;  // last names in each panel
  std::vector<std::string> units;
  for (const auto& run : runs) {
    if (figure.title.size() < 200 && settings.title.empty()) {
      figure.title += (figure.title.empty() ? "" : ", ") + run.name();
    }
    for (const LogColumn* column : run.match(patterns)) {
      const std::string last = last_name(column->name);
      const bool bare = column->unit == "-" || column->unit.empty();
      const auto [place, fresh] =
          panel_of.try_emplace(bare ? last + " [-]" : column->unit, figure.panels.size());
      if (fresh) {
        figure.panels.push_back({"time [s]", "", {}});
        names.emplace_back();
        units.push_back(column->unit);
      }
      auto& known = names[place->second];
      if (std::find(known.begin(), known.end(), last) == known.end()) known.push_back(last);
      const auto name = runs.size() > 1 ? run.name() + ": " + column->name : column->name;
      figure.panels[place->second].curves.push_back(part_of(name, run.times(), column->values, settings));
    }
  }
  std::size_t points = 0;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    Panel& panel = figure.panels[p];
    panel.y_label = panel_label(names[p], units[p]);
    for (const Curve& curve : panel.curves) points += curve.x.size();
    if (!settings.y_limits.empty())
      panel.y_range = settings.y_limits;
    else if (!settings.whole)
      scale_robustly(panel);
  }
  if (points == 0 && !figure.panels.empty() && !runs.front().times().empty())
    input_error("plot: no rows between --from {} s and --to {} s; the run goes from {} s to {} s",
                settings.from, settings.to, runs.front().times().front(), runs.front().times().back());
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
