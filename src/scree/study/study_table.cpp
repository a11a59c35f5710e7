/// The table and the figure of a study.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "scree/core/hash.hpp"
#include "scree/core/text.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/study/study.hpp"

namespace scree {
namespace {

constexpr std::size_t kMostPanels = 12;

/// Every name that some cell has, sorted.
std::set<std::string> outcome_names(const StudyResults& results) {
  std::set<std::string> names;
  for (const CellResult& cell : results.cells)
    for (const auto& [name, count] : cell.outcomes) names.insert(name);
  return names;
}
std::set<std::string> sum_names(const StudyResults& results) {
  std::set<std::string> names;
  for (const CellResult& cell : results.cells)
    for (const auto& [name, sum] : cell.sums) names.insert(name);
  return names;
}

double mean_of(const CellResult& cell, const std::string& name) {
  const auto found = cell.sums.find(name);
  if (found == cell.sums.end() || found->second.second == 0) return std::nan("");
  return found->second.first / static_cast<double>(found->second.second);
}

std::string causes_of(const CellResult& cell) {
  std::string out;
  for (const auto& [name, count] : cell.outcomes)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name);
  return out.empty() ? "not run" : out;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Where the levels of a factor stand on an axis: at their values when all are numbers, else side by side.
struct FactorAxis {
  std::size_t factor = 0;
  bool numeric = true;
  std::vector<double> place;  ///< of each level
  double step = 1;            ///< between neighbours
};

FactorAxis axis_of(const Plan& plan, std::size_t factor) {
  FactorAxis axis;
  axis.factor = factor;
  const auto& levels = plan.factors[factor].levels;
  for (const Level& level : levels) {
    const auto value = number_in(level.label);
    axis.numeric = axis.numeric && value.has_value();
    axis.place.push_back(value.value_or(0));
  }
  std::vector<double> sorted = axis.place;
  std::sort(sorted.begin(), sorted.end());
  // Boxes of one size need even steps; values that are spread otherwise stand side by side.
  double least = 1e300, most = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    least = std::min(least, sorted[i] - sorted[i - 1]), most = std::max(most, sorted[i] - sorted[i - 1]);
  const bool even = sorted.size() > 1 && least > 0 && most < 1.01 * least;
  if (axis.numeric && even) {
    axis.step = least;
    return axis;
  }
  if (!even) axis.numeric = false;
  for (std::size_t i = 0; i < levels.size(); ++i) axis.place[i] = static_cast<double>(i);
  return axis;
}

std::vector<double> around(const FactorAxis& axis) {
  const auto [low, high] = std::minmax_element(axis.place.begin(), axis.place.end());
  return {*low - 0.5 * axis.step, *high + 0.5 * axis.step};
}

/// "wheel: 0 = 60 mm, 1 = 90 mm" where places are no values.
std::string axis_label(const Plan& plan, const FactorAxis& axis) {
  const Factor& factor = plan.factors[axis.factor];
  if (axis.numeric) return factor.name;
  std::string label = factor.name + ":";
  for (std::size_t i = 0; i < factor.levels.size() && i < 6; ++i)
    label += fmt::format("{} {} = {}", i ? "," : "", i, factor.levels[i].label);
  return label;
}

/// From red over yellow to green in ten steps.
int rate_colour(int step) {
  const double t = step / 9.0;
  const int red = static_cast<int>(t < 0.5 ? 205 + 60 * t : 235 - 330 * (t - 0.5));
  const int green = static_cast<int>(t < 0.5 ? 80 + 260 * t : 210 - 90 * (t - 0.5));
  return red << 16 | green << 8 | 75;
}

/// The factors of the map: as asked, else the first two, numbers first.
std::vector<std::size_t> map_factors(const Study& study) {
  const Plan& plan = study.plan;
  std::vector<std::size_t> chosen;
  for (const std::string& name : study.map)
    for (std::size_t f = 0; f < plan.factors.size(); ++f)
      if (plan.factors[f].name == name) chosen.push_back(f);
  for (const bool numeric : {true, false})
    for (std::size_t f = 0; f < plan.factors.size() && chosen.size() < 2; ++f)
      if (plan.factors[f].levels.size() > 1 && axis_of(plan, f).numeric == numeric &&
          std::find(chosen.begin(), chosen.end(), f) == chosen.end())
        chosen.push_back(f);
  return chosen;
}

/// Sums of the cells that share the levels of `by`.
std::map<std::vector<int>, std::pair<std::uint64_t, std::uint64_t>> pooled(
    const Study& study, const StudyResults& results, const std::vector<std::size_t>& by) {
  std::map<std::vector<int>, std::pair<std::uint64_t, std::uint64_t>> sums;
  for (const CellResult& cell : results.cells) {
    const std::vector<int> levels = study.plan.levels_of(cell.cell);
    std::vector<int> key;
    for (const std::size_t f : by) key.push_back(levels[f]);
    auto& [successes, judged] = sums[key];
    successes += cell.successes, judged += cell.judged;
  }
  return sums;
}

std::string combination(const Plan& plan, const std::vector<std::size_t>& factors,
                        const std::vector<int>& levels) {
  std::string text;
  for (std::size_t i = 0; i < factors.size(); ++i)
    text += fmt::format("{}{} = {}", i ? ", " : "", plan.factors[factors[i]].name,
                        plan.factors[factors[i]].levels[levels[i]].label);
  return text;
}

Figure curve_figure(const Study& study, const StudyResults& results, std::size_t factor) {
  const FactorAxis axis = axis_of(study.plan, factor);
  Panel panel{axis_label(study.plan, axis), "success [%]", {}};
  Curve rate{"success", {}, {}}, low{"95 % interval", {}, {}}, high{"", {}, {}};
  low.colour = high.colour = 0xb0b0b0, rate.colour = 0x2f6f9f;
  for (const auto& [key, sum] : pooled(study, results, {factor})) {
    if (sum.second == 0) continue;
    const Interval interval = wilson(sum.first, sum.second);
    for (Curve* c : {&rate, &low, &high}) c->x.push_back(axis.place[key[0]]);
    rate.y.push_back(100.0 * static_cast<double>(sum.first) / static_cast<double>(sum.second));
    low.y.push_back(100 * interval.low), high.y.push_back(100 * interval.high);
  }
  panel.y_range = {0, 100};
  panel.curves = {low, high, rate};
  return {fmt::format("{}: success", study.name), {panel}, 900, 400, 0, false};
}

}  // namespace

std::string study_text(const Study& study, const StudyResults& results) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Factor& f : study.plan.factors) lines[0].push_back(f.name);
  for (const char* title : {"trials", "success", "rate [%]", "95 % interval", "time [s]", "how they ended"})
    lines[0].push_back(title);
  for (const CellResult& cell : results.cells) {
    std::vector<std::string> line = cell.values;
    const Interval i = cell.interval();
    line.push_back(fmt::format("{}", cell.trials));
    line.push_back(fmt::format("{}", cell.successes));
    line.push_back(cell.judged > 0 ? percent(cell.rate()) : "-");
    line.push_back(fmt::format("{} to {}", percent(i.low), percent(i.high)));
    line.push_back(cell.judged > 0 ? fmt::format("{:.2f}", cell.simulated_s) : "-");
    line.push_back(causes_of(cell));
    lines.push_back(std::move(line));
  }
  std::vector<std::size_t> width(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], line[i].size());
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool last = i + 1 == line.size(), left = i < study.plan.factors.size() || last;
      text += left ? fmt::format("{:<{}}", line[i], last ? 0 : width[i])
                   : fmt::format("{:>{}}", line[i], width[i]);
      if (!last) text += "  ";
    }
    out += text + "\n";
  }
  return out;
}

std::string study_csv(const Study& study, const StudyResults& results) {
  const auto outcomes = outcome_names(results), sums = sum_names(results);
  std::string out;
  for (const Factor& f : study.plan.factors) out += csv_field(f.name) + ",";
  out += "cell,trials,judged,successes,rate,low,high,simulated [s]";
  for (const std::string& name : outcomes) out += "," + csv_field("ended " + name);
  for (const std::string& name : sums) out += "," + csv_field("mean " + name);
  out += "\n";
  for (const CellResult& cell : results.cells) {
    for (const std::string& value : cell.values) out += csv_field(value) + ",";
    const Interval i = cell.interval();
    out += fmt::format("{},{},{},{},{},{},{},{}", cell.cell, cell.trials, cell.judged, cell.successes,
                       cell.judged > 0 ? number_text(cell.rate()) : "", number_text(i.low),
                       number_text(i.high), cell.judged > 0 ? number_text(cell.simulated_s) : "");
    for (const std::string& name : outcomes) {
      const auto found = cell.outcomes.find(name);
      out += fmt::format(",{}", found == cell.outcomes.end() ? 0 : found->second);
    }
    for (const std::string& name : sums) {
      const double mean = mean_of(cell, name);
      out += "," + (std::isnan(mean) ? std::string() : number_text(mean));
    }
    out += "\n";
  }
  return out;
}

std::string study_json(const Study& study, const StudyResults& results) {
  std::string cells;
  for (const CellResult& cell : results.cells) {
    std::string values, outcomes, means;
    for (std::size_t i = 0; i < cell.values.size(); ++i)
      values += fmt::format("{}{}: {}", i ? ", " : "", json_text(study.plan.factors[i].name),
                            json_text(cell.values[i]));
    for (const auto& [name, count] : cell.outcomes)
      outcomes += fmt::format("{}{}: {}", outcomes.empty() ? "" : ", ", json_text(name), count);
    for (const auto& [name, sum] : cell.sums)
      means += fmt::format("{}{}: {}", means.empty() ? "" : ", ", json_text(name),
                           json_number(mean_of(cell, name)));
    const Interval i = cell.interval();
    cells += fmt::format(
        "{}\n  {{\"cell\": {}, \"values\": {{{}}}, \"trials\": {}, \"judged\": {}, \"successes\": {}, "
        "\"rate\": {}, \"low\": {}, \"high\": {}, \"simulated_s\": {}, \"outcomes\": {{{}}}, \"means\": "
        "{{{}}}}}",
        cells.empty() ? "" : ",", cell.cell, values, cell.trials, cell.judged, cell.successes,
        cell.judged > 0 ? json_number(cell.rate()) : "null", json_number(i.low), json_number(i.high),
        cell.judged > 0 ? json_number(cell.simulated_s) : "null", outcomes, means);
  }
  return fmt::format("\"study\": {}, \"trials\": {}, \"broken\": {}, \"cells\": [{}]", json_text(study.name),
                     results.trials, results.broken, cells);
}

std::string trials_csv(const Study& study, const StudyStore& store) {
  std::set<std::string> names;
  store.each([&](std::size_t, const TrialRow& row) {
    for (const TrialNumber& n : row.numbers) names.insert(fmt::format("{} [{}]", n.name, n.unit));
  });
  std::string out = "number,";
  for (const Factor& f : study.plan.factors) out += csv_field(f.name) + ",";
  out += "cell,trial,seed,outcome,verdict,error,simulated [s],state_hash";
  for (const std::string& name : names) out += "," + csv_field(name);
  out += "\n";
  store.each([&](std::size_t number, const TrialRow& row) {
    out += fmt::format("{},", number);
    for (const std::string& value : study.plan.values_of(row.cell)) out += csv_field(value) + ",";
    out += fmt::format("{},{},{},{},{},{},{},{}", row.cell, row.trial, row.seed, csv_field(row.outcome),
                       row.verdict == Verdict::success   ? "success"
                       : row.verdict == Verdict::failure ? "failure"
                                                         : "broken",
                       csv_field(row.error), number_text(row.simulated_s), hash_text(row.state_hash));
    std::map<std::string, double> values;
    for (const TrialNumber& n : row.numbers) values[fmt::format("{} [{}]", n.name, n.unit)] = n.value;
    for (const std::string& name : names) {
      const auto found = values.find(name);
      out += "," + (found == values.end() ? std::string() : number_text(found->second));
    }
    out += "\n";
  });
  return out;
}

std::optional<Figure> study_figure(const Study& study, const StudyResults& results) {
  const Plan& plan = study.plan;
  const std::vector<std::size_t> axes = map_factors(study);
  if (axes.empty() || results.trials == 0) return std::nullopt;
  if (axes.size() == 1 || !plan.design.empty()) return curve_figure(study, results, axes[0]);
  std::vector<std::size_t> others;
  std::size_t panels = 1;
  for (std::size_t f = 0; f < plan.factors.size(); ++f) {
    if (f == axes[0] || f == axes[1]) continue;
    if (panels * plan.factors[f].levels.size() > kMostPanels) continue;  // pooled over
    panels *= plan.factors[f].levels.size();
    others.push_back(f);
  }
  const FactorAxis x = axis_of(plan, axes[0]), y = axis_of(plan, axes[1]);
  std::vector<std::size_t> by = others;
  by.push_back(axes[0]), by.push_back(axes[1]);
  const bool noted = x.place.size() * y.place.size() <= 150;
  std::map<std::vector<int>, Panel> made;
  for (const auto& [key, sum] : pooled(study, results, by)) {
    const std::vector<int> head(key.begin(), key.end() - 2);
    Panel& panel = made[head];
    if (panel.curves.empty()) {
      panel = {axis_label(plan, x), axis_label(plan, y), {}};
      panel.title = combination(plan, others, head);
      panel.x_range = around(x), panel.y_range = around(y);
      for (int i = 0; i < 10; ++i)
        panel.curves.push_back({"", {}, {}, Mark::boxes, rate_colour(i), x.step, y.step});
    }
    if (sum.second == 0) continue;
    const double rate = static_cast<double>(sum.first) / static_cast<double>(sum.second);
    const double px = x.place[key[key.size() - 2]], py = y.place[key.back()];
    Curve& boxes = panel.curves[std::min(9, static_cast<int>(10 * rate))];
    boxes.x.push_back(px), boxes.y.push_back(py);
    if (noted) panel.notes.push_back({px, py, fmt::format("{:.0f}", 100 * rate)});
  }
  Figure figure;
  figure.title = fmt::format("{}: success [%]", study.name);
  figure.panel_width = 480, figure.panel_height = 380;
  figure.columns = panels > 1 ? 2 : 1;
  for (auto& [key, panel] : made) {
    std::erase_if(panel.curves, [](const Curve& c) { return c.x.empty(); });
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace scree
