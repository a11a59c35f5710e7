/// What a fit reads and writes.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/study/soil_fit.hpp"

namespace scree {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct FitColumn {
  std::string name;
  double factor = 1;
};

/// Units that a column may be in, and what makes SI of them.
FitColumn column_of(const std::string& header, const std::string& where) {
  const auto bracket = header.find('[');
  FitColumn column{trim(header.substr(0, bracket))};
  if (bracket == std::string::npos) return column;
  const auto end = header.find(']', bracket);
  if (end == std::string::npos) input_error("{}: '{}' has no closing ]", where, header);
  const std::string unit = trim(header.substr(bracket + 1, end - bracket - 1));
  const std::map<std::string, std::map<std::string, double>> known{
      {"load", {{"N", 1}, {"kN", 1e3}}},
      {"slip", {{"-", 1}, {"%", 0.01}}},
      {"slip_angle", {{"deg", kDegree}, {"rad", 1}}},
      {"sinkage", {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}}},
      {"drawbar", {{"N", 1}, {"kN", 1e3}}},
      {"side", {{"N", 1}, {"kN", 1e3}}},
      {"torque", {{"N m", 1}, {"Nm", 1}}}};
  const auto quantity = known.find(column.name);
  if (quantity == known.end()) return column;
  const auto found = quantity->second.find(unit);
  if (found == quantity->second.end()) {
    std::string units;
    for (const auto& [name, factor] : quantity->second) units += (units.empty() ? "" : ", ") + name;
    input_error("{}: column '{}' in '{}': the units known are {}", where, column.name, unit, units);
  }
  column.factor = found->second;
  return column;
}

double cell_value(const std::string& text, const std::string& where) {
  const std::string cell = trim(text);
  if (cell.empty() || cell == "nan" || cell == "NaN") return kNone;
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || stop != cell.data() + cell.size())
    input_error("{}: '{}' is no number", where, cell);
  return value;
}

}  // namespace

std::vector<WheelMeasurement> read_wheel_csv(const std::filesystem::path& file,
                                             const WheelBedPoint& fallback) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status))
    input_error("{}: no such table of measurements", file.string());
  std::ifstream in(file);
  std::vector<FitColumn> columns;
  std::vector<WheelMeasurement> data;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string where = fmt::format("{}:{}", file.string(), number);
    if (trim(line).empty() || line.front() == '#') continue;
    const auto cells = split(line, ',');
    if (columns.empty()) {
      bool slip = false, measured = false;
      for (const std::string& cell : cells) {
        columns.push_back(column_of(cell, where));
        const std::string& name = columns.back().name;
        if (name == "slip_angle" && cell.find('[') == std::string::npos) columns.back().factor = kDegree;
        slip = slip || name == "slip";
        measured = measured || name == "sinkage" || name == "drawbar" || name == "side" || name == "torque";
      }
      if (!slip || !measured)
        input_error("{}: the header must name 'slip' and at least one of sinkage, drawbar, side, torque",
                    where);
      continue;
    }
    if (cells.size() != columns.size())
      input_error("{}: {} cells under {} headings", where, cells.size(), columns.size());
    WheelMeasurement m{fallback, kNone, kNone, kNone, kNone};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& name = columns[i].name;
      double* to = name == "load"         ? &m.at.load
                   : name == "slip"       ? &m.at.slip
                   : name == "slip_angle" ? &m.at.slip_angle
                   : name == "sinkage"    ? &m.sinkage
                   : name == "drawbar"    ? &m.drawbar
                   : name == "side"       ? &m.side
                   : name == "torque"     ? &m.torque
                                          : nullptr;
      if (to != nullptr) *to = columns[i].factor * cell_value(cells[i], where);
    }
    try {
      soil_slip(m.at.slip, m.at.slip_angle);
      if (!(m.at.load > 0)) input_error("load {} N must be positive", m.at.load);
    } catch (const InputError& error) {
      input_error("{}: {}", where, error.what());
    }
    data.push_back(m);
  }
  if (data.empty()) input_error("{}: holds no measurements", file.string());
  return data;
}

std::string soil_text(const Soil& soil) {
  const std::vector<std::string> kinds{"bekker", "reece", "diameter"};
  const auto quoted_line = [](const char* key, const std::string& text) {
    std::string safe;
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20) continue;
      if (c == '"' || c == '\\') safe += '\\';
      safe += c;
    }
    return text.empty() ? std::string() : fmt::format("{} = \"{}\"\n", key, safe);
  };
  std::string out =
      quoted_line("doc", soil.doc) + quoted_line("source", soil.source) + quoted_line("range", soil.range);
  out += fmt::format("pressure = \"{}\"\n", kinds[static_cast<std::size_t>(soil.pressure)]);
  Soil copy = soil;
  for (const std::string& key : soil_number_keys())
    out += fmt::format("{} = {}\n", key, number_text(*soil_number(copy, key)));
  out += fmt::format("unloading_stiffness = {}\ndamping = {}\n", number_text(soil.unloading_stiffness),
                     number_text(soil.damping));
  const ClosedFormSettings& c = soil.closed_form;
  out += fmt::format("[closed_form]\npull_offset = {}\npull_slip = {}\npull_load = {}\nmoment_load = {}\n",
                     number_text(c.pull_offset), number_text(c.pull_slip), number_text(c.pull_load),
                     number_text(c.moment_load));
  return out;
}

std::string fit_json(const FitResult& result) {
  std::string numbers, rows, channels, warnings;
  for (const FittedNumber& n : result.numbers)
    numbers += fmt::format(
        "{}\n  {{\"key\": {}, \"start\": {}, \"value\": {}, \"standard_error\": {}, \"identifiable\": {}}}",
        numbers.empty() ? "" : ",", json_text(n.key), json_number(n.start), json_number(n.value),
        json_number(n.error), n.identifiable);
  for (int i = 0; i < result.correlation.rows(); ++i) {
    std::string row;
    for (int j = 0; j < result.correlation.cols(); ++j)
      row += (j > 0 ? ", " : "") + json_number(result.correlation(i, j));
    rows += fmt::format("{}[{}]", i > 0 ? ", " : "", row);
  }
  for (const auto& c : result.channels)
    channels += fmt::format("{}{{\"name\": {}, \"unit\": {}, \"count\": {}, \"rms\": {}}}",
                            channels.empty() ? "" : ", ", json_text(c.name), json_text(c.unit), c.count,
                            json_number(c.rms));
  for (const std::string& w : result.warnings) warnings += (warnings.empty() ? "" : ", ") + json_text(w);
  return fmt::format(
      "{{\"converged\": {}, \"evaluations\": {}, \"parameters\": [{}\n], \"correlation\": [{}], "
      "\"channels\": [{}], "
      "\"warnings\": [{}]}}",
      result.converged, result.evaluations, numbers, rows, channels, warnings);
}

Figure fit_figure(const std::vector<WheelMeasurement>& data, const FitResult& result,
                  const WheelBedSettings& settings) {
  WheelBedSettings bed_settings = settings;
  bed_settings.soil = result.soil;
  const WheelBed bed(bed_settings);
  Figure figure;
  figure.title = "Fit: " + settings.soil.name, figure.panel_height = 260, figure.columns = 2;
  const auto panel = [&](const char* label, double scale, double WheelMeasurement::*measured,
                         double WheelBedRow::*modelled) {
    Panel p{"slip [-]", label, {}};
    std::map<std::pair<double, double>, std::size_t> curve_of;
    for (const WheelMeasurement& m : data) {
      if (!std::isfinite(m.*measured)) continue;
      const auto [at, fresh] = curve_of.emplace(std::pair(m.at.load, m.at.slip_angle), p.curves.size());
      if (fresh) {
        const std::string name = fmt::format("{:g} N, {:g} deg", m.at.load, m.at.slip_angle / kDegree);
        p.curves.push_back({name + " measured", {}, {}});
        p.curves.push_back({name + " fitted", {}, {}});
      }
      p.curves[at->second].x.push_back(m.at.slip), p.curves[at->second].y.push_back(scale * m.*measured);
      p.curves[at->second + 1].x.push_back(m.at.slip);
      p.curves[at->second + 1].y.push_back(scale * bed.measure(m.at).*modelled);
    }
    if (!p.curves.empty()) figure.panels.push_back(std::move(p));
  };
  panel("sinkage [mm]", 1e3, &WheelMeasurement::sinkage, &WheelBedRow::sinkage);
  panel("drawbar pull [N]", 1, &WheelMeasurement::drawbar, &WheelBedRow::drawbar);
  panel("side force [N]", 1, &WheelMeasurement::side, &WheelBedRow::side);
  panel("torque [N m]", 1, &WheelMeasurement::torque, &WheelBedRow::torque);
  return figure;
}

}  // namespace scree
