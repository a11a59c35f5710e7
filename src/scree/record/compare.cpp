#include "scree/record/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "scree/config/section.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

const std::vector<double>* find(const RunFolder& run, const std::string& name) {
  for (const LogColumn& c : run.columns)
    if (c.name == name) return &c.values;
  return nullptr;
}

/// One wheel's columns; null where the log lacks them.
struct WheelColumns {
  std::string name, axle;
  const std::vector<double>*slip = nullptr, *normal = nullptr;
  double x = 0;  ///< of its centre along the robot, from the base, at the first row [m]
};

/// How far ahead of the base a wheel's centre stands at the first row [m]; nothing where it is not logged.
std::optional<double> wheel_ahead(const RunFolder& run, const std::string& wheel) {
  const std::string names[] = {"x", "y", "yaw", "wheel." + wheel + ".centre_x",
                               "wheel." + wheel + ".centre_y"};
  double v[5];
  for (int i = 0; i < 5; ++i) {
    const auto* column = find(run, names[i]);
    if (!column || column->empty()) return std::nullopt;
    v[i] = column->front();
  }
  return std::cos(v[2]) * (v[3] - v[0]) + std::sin(v[2]) * (v[4] - v[1]);
}

std::string axle_name(int axle, int count) {
  if (count == 1) return "wheels";
  if (axle == 0 && count <= 3) return "front";
  if (axle == count - 1 && count <= 3) return "rear";
  return count == 3 ? "middle" : fmt::format("axle {}", axle + 1);
}

/// From front to rear; a new axle begins where the next wheel stands a tenth of the robot's length behind.
void name_axles(std::vector<WheelColumns>& wheels) {
  std::stable_sort(wheels.begin(), wheels.end(),
                   [](const WheelColumns& a, const WheelColumns& b) { return a.x > b.x; });
  std::vector<int> axle(wheels.size());
  const double gap = wheels.empty() ? 0 : 0.1 * (wheels.front().x - wheels.back().x);
  for (std::size_t i = 1; i < wheels.size(); ++i)
    axle[i] = axle[i - 1] + (gap > 0 && wheels[i - 1].x - wheels[i].x > gap ? 1 : 0);
  for (std::size_t i = 0; i < wheels.size(); ++i) wheels[i].axle = axle_name(axle[i], axle.back() + 1);
}

std::vector<WheelColumns> wheels_of(const RunFolder& run) {
  std::vector<WheelColumns> wheels;
  for (const LogColumn& c : run.columns) {
    if (!matches_pattern(c.name, "wheel.*.normal")) continue;
    WheelColumns w;
    w.name = c.name.substr(6, c.name.size() - 6 - 7);
    w.normal = &c.values;
    w.slip = find(run, "wheel." + w.name + ".slip");
    w.x = wheel_ahead(run, w.name).value_or(0);
    wheels.push_back(w);
  }
  name_axles(wheels);
  return wheels;
}

/// The speed that the scenario of a run gave the controller of its first robot; 0 where there is none.
double desired_speed(const RunFolder& run) {
  const auto file = run.path / "scenario.toml";
  std::error_code status;
  double speed = 0;
  if (!std::filesystem::exists(file, status)) return speed;
  const Document document = Document::from_file(file);
  bool first = true;
  document.root().each("robot", "", [&](Section& robot) {
    if (std::exchange(first, false)) robot.child("control").number("speed", speed, {});
  });
  return std::abs(speed);
}

/// Electrical power out of the battery, or into all motors where there is none [W].
std::vector<double> power_of(const RunFolder& run) {
  const auto *volts = find(run, "battery.voltage"), *amps = find(run, "battery.current");
  std::vector<double> power(run.times().size());
  if (volts && amps) {
    for (std::size_t i = 0; i < power.size(); ++i) power[i] = (*volts)[i] * (*amps)[i];
    return power;
  }
  for (const LogColumn& c : run.columns)
    if (matches_pattern(c.name, "motor.*.power"))
      for (std::size_t i = 0; i < power.size(); ++i) power[i] += c.values[i];
  return power;
}

/// Integral of y over time by trapezoids.
double integral(const std::vector<double>& t, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 1; i < t.size(); ++i) sum += 0.5 * (y[i] + y[i - 1]) * (t[i] - t[i - 1]);
  return sum;
}

/// Length of the path [m]: the run's own odometer where it is logged, else chords between the rows, else the
/// forward speed summed up.
double distance_of(const RunFolder& run) {
  if (const auto* odometer = find(run, "distance")) return odometer->empty() ? 0 : odometer->back();
  const auto *x = find(run, "x"), *y = find(run, "y"), *z = find(run, "z");
  double sum = 0;
  if (x && y && z) {
    for (std::size_t i = 1; i < x->size(); ++i)
      sum += std::hypot((*x)[i] - (*x)[i - 1], (*y)[i] - (*y)[i - 1], (*z)[i] - (*z)[i - 1]);
    return sum;
  }
  std::vector<double> absolute = run.column("speed").values;
  for (double& v : absolute) v = std::abs(v);
  return integral(run.times(), absolute);
}

/// The text after "outcome": " in a summary.
std::string outcome_of(const RunFolder& run) {
  const std::string key = "\"outcome\"";
  auto at = run.summary.find(key);
  if (at == std::string::npos) return run.complete ? "?" : "unfinished";
  at = run.summary.find('"', at + key.size() + 1);
  if (at == std::string::npos) return "?";
  std::string text;
  for (++at; at < run.summary.size() && run.summary[at] != '"'; ++at) {
    if (run.summary[at] == '\\' && at + 1 < run.summary.size()) ++at;  // a quote or a backslash in the text
    text += run.summary[at];
  }
  return text;
}

void add_slip(const std::vector<WheelColumns>& wheels, RunFigures& out) {
  for (const WheelColumns& w : wheels)
    if (std::none_of(out.axles.begin(), out.axles.end(),
                     [&](const AxleFigures& a) { return a.name == w.axle; }))
      out.axles.push_back({w.axle, 0, 0});
  for (AxleFigures& a : out.axles) {
    double sum = 0;
    std::size_t count = 0;
    for (const WheelColumns& w : wheels) {
      if (w.axle != a.name || !w.slip) continue;
      for (std::size_t i = 0; i < w.slip->size(); ++i) {
        if (!((*w.normal)[i] > 0)) continue;
        const double slip = std::abs((*w.slip)[i]);
        a.largest_slip = std::max(a.largest_slip, slip);
        sum += slip, ++count;
      }
    }
    a.mean_slip = count > 0 ? sum / static_cast<double>(count) : 0;
  }
}

void add_loads(const std::vector<WheelColumns>& wheels, const std::vector<double>& t, RunFigures& out) {
  out.least_normal = wheels.empty() ? 0 : 1e300;
  double flown = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    bool all = true;
    for (const WheelColumns& w : wheels) {
      if (t[i] >= 1.0) out.least_normal = std::min(out.least_normal, (*w.normal)[i]);
      all = all && (*w.normal)[i] > 0;
    }
    if (!all && i > 0) flown += t[i] - t[i - 1];
  }
  if (out.least_normal == 1e300) out.least_normal = 0;
  out.airborne = out.duration > 0 ? flown / out.duration : 0;
}

}  // namespace

RunFigures run_figures(const RunFolder& run, const CompareSettings& settings) {
  RunFigures out;
  out.run = run.name();
  out.outcome = outcome_of(run);
  const std::vector<double>& t = run.times();
  if (t.empty()) return out;
  out.duration = t.back() - t.front();
  const std::vector<double>& v = run.column("speed").values;
  out.speed = settings.speed > 0 ? settings.speed : desired_speed(run);
  double within = 0;
  for (std::size_t i = 0; i < v.size() && out.speed > 0; ++i) {
    if (out.time_to_speed < 0 && std::abs(v[i]) >= 0.99 * out.speed) out.time_to_speed = t[i];
    if (i > 0 && std::abs(std::abs(v[i]) - out.speed) <= 0.05 * out.speed) within += t[i] - t[i - 1];
  }
  const double planned = settings.duration > 0 ? settings.duration : out.duration;
  out.share_within = planned > 0 ? within / planned : 0;
  const std::vector<WheelColumns> wheels = wheels_of(run);
  add_slip(wheels, out);
  add_loads(wheels, t, out);
  const std::vector<double> power = power_of(run);
  out.energy = integral(t, power);
  out.peak_power = power.empty() ? 0 : *std::max_element(power.begin(), power.end());
  out.distance = distance_of(run);
  out.energy_per_metre = out.distance > 0 ? out.energy / out.distance : 0;
  return out;
}

std::vector<RunFigures> compare_runs(std::span<const RunFolder> runs, CompareSettings settings) {
  if (settings.duration == 0)
    for (const RunFolder& run : runs)
      if (!run.times().empty()) settings.duration = std::max(settings.duration, run.times().back());
  std::vector<RunFigures> rows;
  for (const RunFolder& run : runs) rows.push_back(run_figures(run, settings));
  return rows;
}

std::string comparison_table(std::span<const RunFigures> rows) {
  std::size_t width = 8;
  for (const RunFigures& r : rows) width = std::max({width, r.run.size() + 2, r.outcome.size() + 2});
  std::string out;
  auto line = [&](const std::string& label, auto&& cell) {
    out += fmt::format("{:<34}", label);
    for (const RunFigures& r : rows) out += fmt::format("{:>{}}", cell(r), width);
    out += '\n';
  };
  line("", [](const RunFigures& r) { return r.run; });
  line("outcome", [](const RunFigures& r) { return r.outcome; });
  line("simulated [s]", [](const RunFigures& r) { return fmt::format("{:.2f}", r.duration); });
  line("desired speed [m/s]",
       [](const RunFigures& r) { return r.speed > 0 ? fmt::format("{:.4g}", r.speed) : std::string("-"); });
  line("time to desired speed [s]", [](const RunFigures& r) {
    if (!(r.speed > 0)) return std::string("-");
    return r.time_to_speed < 0 ? std::string("never") : fmt::format("{:.3f}", r.time_to_speed);
  });
  line("share of time within 5 %", [](const RunFigures& r) {
    return r.speed > 0 ? fmt::format("{:.1f} %", 100 * r.share_within) : std::string("-");
  });
  if (!rows.empty())
    for (std::size_t a = 0; a < rows[0].axles.size(); ++a) {
      auto slip = [a](const RunFigures& r, bool mean) {
        if (a >= r.axles.size()) return std::string("-");
        return fmt::format("{:.3f}", mean ? r.axles[a].mean_slip : r.axles[a].largest_slip);
      };
      line("largest slip, " + rows[0].axles[a].name, [&](const RunFigures& r) { return slip(r, false); });
      line("mean slip, " + rows[0].axles[a].name, [&](const RunFigures& r) { return slip(r, true); });
    }
  line("smallest normal force [N]",
       [](const RunFigures& r) { return fmt::format("{:.1f}", r.least_normal); });
  line("some wheel in the air",
       [](const RunFigures& r) { return fmt::format("{:.1f} %", 100 * r.airborne); });
  line("energy [kJ]", [](const RunFigures& r) { return fmt::format("{:.3f}", r.energy / 1000); });
  line("energy per metre [J/m]",
       [](const RunFigures& r) { return fmt::format("{:.1f}", r.energy_per_metre); });
  line("peak power [W]", [](const RunFigures& r) { return fmt::format("{:.0f}", r.peak_power); });
  line("path [m]", [](const RunFigures& r) { return fmt::format("{:.2f}", r.distance); });
  return out;
}

std::string comparison_json(std::span<const RunFigures> rows) {
  std::string out = "[";
  for (const RunFigures& r : rows) {
    out += out.size() > 1 ? ",\n " : "";
    out += fmt::format(
        "{{\"run\": {}, \"outcome\": {}, \"simulated_s\": {}, \"speed\": {}, \"time_to_speed_s\": {}, ",
        json_text(r.run), json_text(r.outcome), json_number(r.duration),
        r.speed > 0 ? json_number(r.speed) : "null",
        r.time_to_speed < 0 ? "null" : json_number(r.time_to_speed));
    out += fmt::format(
        "\"share_within\": {}, \"least_normal_n\": {}, \"airborne_share\": {}, \"energy_j\": {}, ",
        r.speed > 0 ? json_number(r.share_within) : "null", json_number(r.least_normal),
        json_number(r.airborne), json_number(r.energy));
    out += fmt::format("\"energy_per_metre\": {}, \"peak_power_w\": {}, \"path_m\": {}, \"axles\": [",
                       json_number(r.energy_per_metre), json_number(r.peak_power), json_number(r.distance));
    for (std::size_t a = 0; a < r.axles.size(); ++a)
      out += fmt::format("{}{{\"name\": {}, \"largest_slip\": {}, \"mean_slip\": {}}}", a > 0 ? ", " : "",
                         json_text(r.axles[a].name), json_number(r.axles[a].largest_slip),
                         json_number(r.axles[a].mean_slip));
    out += "]}";
  }
  return out + "]";
}

Figure comparison_figure(std::span<const RunFolder> runs, const std::string& title) {
  Figure figure;
  figure.title = title;
  figure.columns = 2;
  Panel speed{"time [s]", "speed [m/s]", {}}, load{"time [s]", "normal force of an axle [N]", {}};
  Panel slip{"time [s]", "slip, rear [-]", {}}, power{"time [s]", "electrical power [W]", {}};
  for (const RunFolder& run : runs) {
    const std::string name = run.name();
    const std::vector<double>& t = run.times();
    speed.curves.push_back({name, t, run.column("speed").values});
    power.curves.push_back({name, t, power_of(run)});
    const std::vector<WheelColumns> wheels = wheels_of(run);
    std::vector<std::string> axles;
    for (const WheelColumns& w : wheels)
      if (std::find(axles.begin(), axles.end(), w.axle) == axles.end()) axles.push_back(w.axle);
    for (const std::string& axle : axles) {
      std::vector<double> sum(t.size());
      for (const WheelColumns& w : wheels)
        if (w.axle == axle)
          for (std::size_t i = 0; i < t.size(); ++i) sum[i] += (*w.normal)[i];
      load.curves.push_back({name + ", " + axle, t, sum});
    }
    for (const WheelColumns& w : wheels)
      if (w.slip && w.axle == axles.back()) {
        slip.curves.push_back({name, t, *w.slip});
        break;  // left and right of an axle get the same torque: one curve says it
      }
  }
  figure.panels = {speed, load, slip, power};
  return figure;
}

}  // namespace scree
