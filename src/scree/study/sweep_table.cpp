/// The table and the figure of a sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/core/hash.hpp"
#include "scree/core/text.hpp"
#include "scree/record/run_writer.hpp"
#include "scree/study/sweep.hpp"

namespace scree {
namespace {

using Column = std::pair<std::string, std::string>;  // name, unit
constexpr std::size_t kMostCurves = 8;

/// Every number that some row has, in the order in which they appear.
std::vector<Column> columns_of(const std::vector<SweepRow>& rows) {
  std::vector<Column> columns;
  for (const SweepRow& row : rows)
    for (const auto& number : row.numbers)
      if (std::find(columns.begin(), columns.end(), Column(number.name, number.unit)) == columns.end())
        columns.emplace_back(number.name, number.unit);
  return columns;
}

double value_of(const SweepRow& row, const Column& column) {
  for (const auto& number : row.numbers)
    if (number.name == column.first) return number.value;
  return std::nan("");
}

/// Mean of a column over the trials of a cell that have it.
double cell_mean(const std::vector<SweepRow>& rows, std::size_t cell, const Column& column) {
  double sum = 0;
  int count = 0;
  for (const SweepRow& row : rows) {
    if (!row.done || row.cell != cell) continue;
    const double value =
        column.first == "finished" ? (row.outcome == "finished" ? 1.0 : 0.0) : value_of(row, column);
    if (std::isfinite(value)) sum += value, ++count;
  }
  return count > 0 ? sum / count : std::nan("");
}

std::string outcomes_of(const std::vector<SweepRow>& rows, std::size_t cell) {
  std::map<std::string, int> counts;
  int total = 0;
  for (const SweepRow& row : rows)
    if (row.done && row.cell == cell) ++counts[row.outcome], ++total;
  if (counts.size() == 1 && total == 1) return counts.begin()->first;
  std::string out;
  for (const auto& [outcome, count] : counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, outcome);
  return out.empty() ? "not run" : out;
}

}  // namespace

std::string sweep_csv(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  const std::vector<Column> columns = columns_of(rows);
  std::string out;
  for (const SweepAxis& axis : plan.axes) out += csv_field(axis.key) + ",";
  out += "trial,seed,outcome,error,simulated [s],state_hash";
  for (const auto& [name, unit] : columns) out += "," + csv_field(fmt::format("{} [{}]", name, unit));
  out += "\n";
  for (const SweepRow& row : rows) {
    if (!row.done) continue;
    for (const std::string& value : plan.values_of(row.cell)) out += csv_field(value) + ",";
    out += fmt::format("{},{},{},{},{},{}", row.trial, row.seed, csv_field(row.outcome), csv_field(row.error),
                       number_text(row.simulated_s), hash_text(row.state_hash));
    for (const Column& column : columns) {
      const double value = value_of(row, column);
      out += "," + (std::isnan(value) ? std::string() : number_text(value));
    }
    out += "\n";
  }
  return out;
}

std::string sweep_json(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  std::string vary, list;
  for (const SweepAxis& axis : plan.axes) vary += (vary.empty() ? "" : ", ") + json_text(axis.key);
  for (const SweepRow& row : rows) {
    if (!row.done) continue;
    std::string keys, numbers;
    const std::vector<std::string> values = plan.values_of(row.cell);
    for (std::size_t i = 0; i < values.size(); ++i)
      keys += fmt::format("{}{}: {}", i ? ", " : "", json_text(plan.axes[i].key), json_text(values[i]));
    for (const auto& n : row.numbers)
      numbers +=
          fmt::format("{}{}: {}", numbers.empty() ? "" : ", ", json_text(n.name), json_number(n.value));
    list += fmt::format(
        "{}\n  {{\"values\": {{{}}}, \"trial\": {}, \"seed\": {}, \"outcome\": {}, \"error\": {}, "
        "\"simulated_s\": "
        "{}, \"state_hash\": {}, \"numbers\": {{{}}}}}",
        list.empty() ? "" : ",", keys, row.trial, row.seed, json_text(row.outcome),
        row.error.empty() ? "null" : json_text(row.error), json_number(row.simulated_s),
        json_text(hash_text(row.state_hash)), numbers);
  }
  return fmt::format("\"scenario\": {}, \"vary\": [{}], \"rows\": [{}]", json_text(plan.scenario.string()),
                     vary, list);
}

std::string sweep_text(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  std::vector<std::vector<std::string>> table(1);
  for (const SweepAxis& axis : plan.axes) table[0].push_back(axis.key);
  table[0].push_back("outcome");
  std::vector<Column> columns = columns_of(rows);
  std::erase_if(columns, [](const Column& c) { return c.first.find("final_") != std::string::npos; });
  for (const auto& [name, unit] : columns) table[0].push_back(fmt::format("{} [{}]", name, unit));
  for (std::size_t cell = 0; cell < plan.cells(); ++cell) {
    std::vector<std::string> line = plan.values_of(cell);
    line.push_back(outcomes_of(rows, cell));
    for (const Column& column : columns) {
      const double mean = cell_mean(rows, cell, column);
      line.push_back(std::isnan(mean) ? "-" : fmt::format("{:.4g}", mean));
    }
    table.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(table[0].size());
  for (const auto& line : table)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out;
  for (const auto& line : table) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) text += fmt::format("{:>{}}  ", line[i], widths[i]);
    out += text.substr(0, text.size() - 2) + "\n";
  }
  return out;
}

std::optional<Figure> sweep_figure(const SweepPlan& plan, const std::vector<SweepRow>& rows) {
  std::size_t along = plan.axes.size();
  const auto number = [](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size() && !text.empty() ? value : std::nan("");
  };
  for (std::size_t i = plan.axes.size(); i-- > 0;) {
    const auto& values = plan.axes[i].values;
    if (values.size() > 1 && std::none_of(values.begin(), values.end(),
                                          [&](const std::string& v) { return std::isnan(number(v)); }))
      along = i;
  }
  if (along == plan.axes.size()) return std::nullopt;
  std::vector<Column> columns = {{"finished", "share"}};
  for (const Column& c : columns_of(rows))
    if (c.first.find("final_") == std::string::npos) columns.push_back(c);
  Figure figure;
  figure.title = plan.scenario.stem().string();
  for (const Column& column : columns) {
    Panel panel{plan.axes[along].key, fmt::format("{} [{}]", column.first, column.second), {}};
    std::map<std::string, std::size_t> curve_of;
    for (std::size_t cell = 0; cell < plan.cells(); ++cell) {
      const std::vector<std::string> values = plan.values_of(cell);
      std::string label;
      for (std::size_t i = 0; i < values.size(); ++i)
        if (i != along) label += (label.empty() ? "" : ", ") + plan.axes[i].key + " = " + values[i];
      const auto [place, fresh] = curve_of.try_emplace(label, panel.curves.size());
      if (fresh) panel.curves.push_back({label.empty() ? column.first : label, {}, {}});
      if (place->second >= kMostCurves) continue;
      panel.curves[place->second].x.push_back(number(values[along]));
      panel.curves[place->second].y.push_back(cell_mean(rows, cell, column));
    }
    if (panel.curves.size() > kMostCurves) panel.curves.resize(kMostCurves);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace scree
