#include "scree/study/wheel_bed.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/ground/soil_cells.hpp"
#include "scree/study/wheel_dynamic.hpp"

namespace scree {
namespace {

double one_number(const std::string& text, const std::string& what) {
  const std::string trimmed = trim(text);
  double value = 0;
  const char* begin = trimmed.data();
  if (!trimmed.empty() && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, trimmed.data() + trimmed.size(), value);
  if (error != std::errc{} || stop != trimmed.data() + trimmed.size() || !std::isfinite(value))
    input_error("{}: '{}' is no number; give numbers as 0,10,20 or FROM:TO:STEP", what, trimmed);
  return value;
}

}  // namespace

void complete_row(WheelBedRow& row, double radius) {
  const bool drives = row.at.slip >= 0 && row.torque > 0;
  row.efficiency = drives ? row.drawbar * (1 - row.at.slip) * radius / row.torque
                          : std::numeric_limits<double>::quiet_NaN();
  // Thrust and cornering from the wheel's own axes, whichever way it slides.
  const double angle = std::abs(row.at.slip_angle);
  const double against = row.at.slip_angle < 0 ? row.side : -row.side;  // F_y of the paper: against the slide
  row.cornering = row.drawbar * std::sin(angle) + against * std::cos(angle);
  row.thrust = row.drawbar * std::cos(angle) - against * std::sin(angle);
}

const std::vector<std::string>& wheel_model_names() {
  static const std::vector<std::string> names{"stress_integral", "closed_form", "pac2002", "soil_grid"};
  return names;
}

WheelBed::WheelBed(const WheelBedSettings& settings)
    : settings_(settings),
      integral_(settings.soil, settings.wheel, settings.gravity),
      closed_(settings.soil, settings.wheel, settings.gravity, settings.mean_load) {
  if (!(settings.gravity > 0)) input_error("gravity {} m/s^2 must be positive", settings.gravity);
  if (!(settings.mean_load >= 0)) input_error("mean load {} N must not be negative", settings.mean_load);
  if (settings.model == WheelModel::pac2002 && !settings.tyre)
    input_error("model pac2002 needs a tyre property file: --tyre FILE.tir");
  const double most = largest_cell(settings.wheel.radius, settings.wheel.width);
  if (settings.model == WheelModel::soil_grid && !(settings.grid.cell <= most))
    input_error("--cell {:g} m is too large for a wheel of radius {:g} m and width {:g} m: at most {:.3g} m",
                settings.grid.cell, settings.wheel.radius, settings.wheel.width, most);
}

WheelBedRow WheelBed::measure(const WheelBedPoint& point) const {
  if (!(point.load > 0 && point.load < 1e9)) input_error("load {} N must be positive", point.load);
  const SoilSlip slip = soil_slip(point.slip, point.slip_angle);
  if (settings_.model == WheelModel::pac2002) return measure_tyre(point);
  if (settings_.model == WheelModel::soil_grid) return run_dynamic_bed(*this, point);
  const bool closed = settings_.model == WheelModel::closed_form;
  const Sinkage z = closed ? closed_.sinkage(point.load, slip) : integral_.sinkage(point.load, slip);
  const auto f = closed ? closed_.forces(z.depth, slip) : integral_.forces(z.depth, slip);
  WheelBedRow row{.at = point};
  row.sinkage = z.depth, row.buried = z.buried;
  row.drawbar = f.drawbar, row.side = f.side, row.torque = f.torque;
  row.entry = f.entry, row.exit = f.exit;
  complete_row(row, settings_.wheel.shear_radius());
  return row;
}

WheelBedRow WheelBed::measure_tyre(const WheelBedPoint& point) const {
  const Pac2002& tyre = *settings_.tyre;
  // The magic formula's slip refers to the hub: (U - V)/|V|.
  const double kappa = point.slip >= 0 ? point.slip / std::max(1 - point.slip, 1e-6) : point.slip;
  const TyreWrench w = tyre.forces({point.load, kappa, point.slip_angle, 0, settings_.speed});
  WheelBedRow row{.at = point};
  row.drawbar = w.fx, row.side = w.fy, row.mx = w.mx, row.mz = w.mz;
  row.torque = tyre.radius() * w.fx - w.my;
  complete_row(row, tyre.radius());
  return row;
}

std::vector<WheelBedRow> sweep_wheel(const WheelBed& bed, const WheelSweep& sweep,
                                     const std::function<void(double)>& progress) {
  std::vector<WheelBedRow> rows;
  const std::size_t all = sweep.loads.size() * sweep.slips.size() * sweep.slip_angles.size();
  rows.reserve(all);
  for (const double load : sweep.loads) {
    for (const double angle : sweep.slip_angles) {
      for (const double slip : sweep.slips) {
        rows.push_back(bed.measure({load, slip, angle}));
        if (progress) progress(static_cast<double>(rows.size()) / static_cast<double>(all));
      }
    }
  }
  return rows;
}

std::vector<double> parse_values(const std::string& text, const std::string& what) {
  std::vector<double> values;
  for (const std::string& part : split(text, ',')) {
    const auto ends = split(part, ':');
    if (ends.size() == 1) {
      values.push_back(one_number(part, what));
      continue;
    }
    if (ends.size() != 3) input_error("{}: '{}' must be FROM:TO:STEP", what, part);
    const double from = one_number(ends[0], what), to = one_number(ends[1], what),
                 step = one_number(ends[2], what);
    if (step == 0 || (to - from) / step < 0)
      input_error("{}: '{}' never arrives: FROM:TO:STEP with a step towards TO", what, part);
    const double count = std::floor((to - from) / step + 1e-9);
    if (!(count < 1e5)) input_error("{}: '{}' has more than 100,000 values", what, part);
    // The last value is TO itself where the steps lead there.
    for (int i = 0; i <= static_cast<int>(count); ++i) {
      const double value = from + i * step;
      values.push_back(std::abs(value - to) < 1e-9 * std::abs(step) ? to : value);
    }
  }
  return values;
}

std::string wheel_csv(const std::vector<WheelBedRow>& rows) {
  std::string out =
      "load [N],slip [-],slip_angle [deg],sinkage [m],drawbar [N],side [N],torque [N m],entry [deg],exit "
      "[deg],thrust [N],cornering [N],efficiency [-],mx [N m],mz [N m],buried [-]\n";
  for (const WheelBedRow& r : rows) {
    const double values[] = {r.at.load,
                             r.at.slip,
                             r.at.slip_angle / kDegree,
                             r.sinkage,
                             r.drawbar,
                             r.side,
                             r.torque,
                             r.entry / kDegree,
                             r.exit / kDegree,
                             r.thrust,
                             r.cornering,
                             r.efficiency,
                             r.mx,
                             r.mz};
    for (const double v : values) out += (std::isfinite(v) ? fmt::format("{:.9g}", v) : "nan") + ",";
    out += r.buried ? "1\n" : "0\n";
  }
  return out;
}

std::string wheel_json(const WheelBedSettings& s, const std::vector<WheelBedRow>& rows) {
  std::string out = fmt::format(
      "{{\"model\": {}, \"soil\": {}, \"source\": {}, \"radius_m\": {}, \"width_m\": {}, \"lug_height_m\": "
      "{}, "
      "\"gravity\": {}, \"rows\": [",
      json_text(wheel_model_names()[static_cast<std::size_t>(s.model)]), json_text(s.soil.name),
      json_text(s.soil.source), json_number(s.wheel.radius), json_number(s.wheel.width),
      json_number(s.wheel.lug_height), json_number(s.gravity));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WheelBedRow& r = rows[i];
    out += fmt::format(
        "{}\n  {{\"load_N\": {}, \"slip\": {}, \"slip_angle_deg\": {}, \"sinkage_m\": {}, \"drawbar_N\": {}, "
        "\"side_N\": {}, \"torque_Nm\": {}, \"entry_deg\": {}, \"exit_deg\": {}, \"thrust_N\": {}, "
        "\"cornering_N\": {}, \"efficiency\": {}, \"mx_Nm\": {}, \"mz_Nm\": {}, \"buried\": {}}}",
        i > 0 ? "," : "", json_number(r.at.load), json_number(r.at.slip),
        json_number(r.at.slip_angle / kDegree), json_number(r.sinkage), json_number(r.drawbar),
        json_number(r.side), json_number(r.torque), json_number(r.entry / kDegree),
        json_number(r.exit / kDegree), json_number(r.thrust), json_number(r.cornering),
        json_number(r.efficiency), json_number(r.mx), json_number(r.mz), r.buried);
  }
  return out + "\n]}";
}

}  // namespace scree
