/// scree wheel: the single-wheel test bed. Sweeps of load, slip and slip angle; fits of soils to
/// measurements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"
#include "scree/study/soil_fit.hpp"
#include "scree/study/wheel_dynamic.hpp"

namespace scree {
namespace {

struct WheelOptions {
  std::string soil = "toyoura", model = "stress_integral", tyre;
  std::string load = "65", slip = "0:0.8:0.05", slip_angle = "0";
  SoilWheel wheel;
  double gravity = 9.81, mean_load = 0, speed = 0;
  std::vector<std::string> set;
  std::string csv, plot, diagram, slopes;
  std::string fit,
      parameters = "friction_angle,frictional_modulus,sinkage_exponent,slip_sinkage,shear_modulus", out;
  bool json = false;
  bool dynamic = false;
  std::string drawbar;
  SoilGridSettings grid;
  DynamicBedSettings bed;
};

/// Changes of the form soil.key=value and wheel.key=value, without their prefix.
std::vector<std::string> changes_for(const std::string& prefix, const std::vector<std::string>& all) {
  std::vector<std::string> out;
  for (const std::string& change : all) {
    if (change.starts_with(prefix + "."))
      out.push_back(change.substr(prefix.size() + 1));
    else if (!change.starts_with("soil.") && !change.starts_with("wheel."))
      input_error("--set {}: write soil.KEY=VALUE or wheel.KEY=VALUE", change);
  }
  return out;
}

WheelBedSettings bed_settings(const WheelOptions& o) {
  WheelBedSettings s;
  const auto& names = wheel_model_names();
  const auto model = std::find(names.begin(), names.end(), o.model);
  if (model == names.end()) input_error("--model '{}' is not known{}", o.model, name_hint(o.model, names));
  s.model = static_cast<WheelModel>(model - names.begin());
  s.soil = load_soil(o.soil, changes_for("soil", o.set));
  // One way for the wheel's numbers, whether they come as options or by --set: both are checked by its keys.
  Document wheel = Document::from_text(
      fmt::format("radius = {:.17g}\nwidth = {:.17g}\nlug_height = {:.17g}\nlug_share = {:.17g}\n",
                  o.wheel.radius, o.wheel.width, o.wheel.lug_height, o.wheel.lug_share),
      "wheel");
  for (const std::string& change : changes_for("wheel", o.set)) wheel.set(change);
  s.wheel = read<SoilWheel>(wheel.root());
  s.grid = o.grid;
  s.gravity = o.gravity, s.mean_load = o.mean_load, s.speed = o.speed;
  if (!o.tyre.empty()) {
    const bool is_file = o.tyre.ends_with(".tir") || o.tyre.find('/') != std::string::npos;
    s.tyre =
        Pac2002::from_file(is_file ? std::filesystem::path(o.tyre) : find_data("tyres/" + o.tyre + ".tir"));
  }
  return s;
}

WheelSweep sweep_of(const WheelOptions& o) {
  WheelSweep sweep{parse_values(o.load, "--load"), parse_values(o.slip, "--slip"),
                   parse_values(o.slip_angle, "--slip-angle")};
  if (sweep.loads.size() * sweep.slips.size() * sweep.slip_angles.size() > 10'000'000)
    input_error("wheel: more than ten million points");
  for (double& angle : sweep.slip_angles) {
    if (!(std::abs(angle) < 90)) input_error("--slip-angle {} deg is outside (-90, 90)", angle);
    angle *= kDegree;
  }
  return sweep;
}

void print_rows(const WheelBedSettings& s, const std::vector<WheelBedRow>& rows) {
  if (s.model == WheelModel::pac2002) {
    fmt::print("tyre of {:g} m radius, pac2002\n", s.tyre->radius());
  } else {
    fmt::print("{} ({}), {}; wheel {:g} x {:g} m, lugs {:g} m\n", s.soil.name, s.soil.source,
               wheel_model_names()[static_cast<std::size_t>(s.model)], s.wheel.radius, s.wheel.width,
               s.wheel.lug_height);
  }
  fmt::print("{:>9} {:>7} {:>8} {:>9} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8}\n", "load N", "slip", "angle",
             "sinkage", "drawbar N", "side N", "torque Nm", "entry", "exit", "effic.");
  for (const WheelBedRow& r : rows) {
    fmt::print("{:9.4g} {:7.3f} {:8.2f} {:8.2f}{} {:10.4g} {:10.4g} {:10.4g} {:8.2f} {:8.2f} {:>8}{}\n",
               r.at.load, r.at.slip, r.at.slip_angle / kDegree, 1e3 * r.sinkage, " ", r.drawbar, r.side,
               r.torque, r.entry / kDegree, r.exit / kDegree,
               std::isfinite(r.efficiency) ? fmt::format("{:.3f}", r.efficiency) : "-",
               r.buried ? "  buried" : "");
  }
  fmt::print("(sinkage in mm, angles in degrees; forces of the ground on the wheel: x forward, y left)\n");
}

void note_buried(const std::vector<WheelBedRow>& rows) {
  const auto buried = std::count_if(rows.begin(), rows.end(), [](const WheelBedRow& r) { return r.buried; });
  if (buried > 0)
    fmt::print(
        stderr,
        "scree: note: {} of {} points are buried: the soil does not carry the load even down to the axle\n",
        buried, rows.size());
}

/// Figures only make sense for one load where loads are not told apart.
void need_one_load(const WheelSweep& sweep, const char* option) {
  if (sweep.loads.size() != 1) input_error("{} draws one load: give a single --load", option);
}

int sweep(const WheelOptions& o) {
  const WheelBedSettings settings = bed_settings(o);
  const WheelSweep points = sweep_of(o);
  if (!o.diagram.empty()) need_one_load(points, "--diagram");
  if (!o.slopes.empty()) need_one_load(points, "--slopes");
  const WheelBed bed(settings);
  ProgressBar bar("wheel", o.json);
  const auto rows = sweep_wheel(bed, points, [&](double done) { bar.update(done); });
  if (!o.csv.empty() && o.csv != "-") write_whole_file(o.csv, wheel_csv(rows));
  if (!o.plot.empty()) draw_figure(wheel_figure(settings, rows), o.plot);
  if (!o.diagram.empty()) draw_figure(thrust_cornering_figure(settings, rows), o.diagram);
  if (!o.slopes.empty())
    draw_figure(slope_figure(settings, slope_limits(bed, points.loads[0], points.slips,
                                                    [&](double done) { bar.update(done); })),
                o.slopes);
  if (o.json)
    fmt::print("{}\n", wheel_json(settings, rows));
  else if (o.csv == "-")
    fmt::print("{}", wheel_csv(rows));
  else
    print_rows(settings, rows);
  note_buried(rows);
  return 0;
}

/// Points of the simulated bed: loads outermost, then slip angles, then slips or drawbar loads.
std::vector<DynamicBedRow> simulate_bed(const WheelOptions& o, const WheelBed& bed, const WheelSweep& sweep,
                                        ProgressBar& bar) {
  const bool pulled = !o.drawbar.empty();
  const std::vector<double> inner = pulled ? parse_values(o.drawbar, "--drawbar") : sweep.slips;
  const std::size_t all = sweep.loads.size() * sweep.slip_angles.size() * inner.size();
  if (all > 100'000) input_error("wheel: --dynamic simulates every point: more than 100,000 are too many");
  std::vector<DynamicBedRow> rows;
  for (const double load : sweep.loads)
    for (const double angle : sweep.slip_angles)
      for (const double value : inner) {
        rows.push_back(pulled ? run_drawbar_bed(bed, {load, 0, angle}, value, o.bed)
                              : run_dynamic_bed(bed, {load, value, angle}, o.bed));
        bar.update(static_cast<double>(rows.size()) / static_cast<double>(all));
      }
  return rows;
}

/// How far the simulated bed is from the steady law at the slip that it had.
void print_agreement(const WheelBed& bed, const std::vector<DynamicBedRow>& rows) {
  double sinkage = 0, force = 0, torque = 0;
  for (const DynamicBedRow& r : rows) {
    if (r.buried || r.held) continue;
    const WheelBedRow steady = bed.measure(r.at);
    sinkage = std::max(sinkage, std::abs(r.sinkage / steady.sinkage - 1));
    force = std::max({force, std::abs(r.drawbar - steady.drawbar) / r.at.load,
                      std::abs(r.side - steady.side) / r.at.load});
    torque = std::max(torque, std::abs(r.torque - steady.torque) / (r.at.load * bed.settings().wheel.radius));
  }
  fmt::print(
      "simulated; farthest from the steady law at the same slip: sinkage {:.2g} %, forces {:.2g} % of the "
      "load, torque {:.2g} % of load x radius\n",
      100 * sinkage, 100 * force, 100 * torque);
}

int simulate(const WheelOptions& o) {
  const WheelBedSettings settings = bed_settings(o);
  const WheelSweep points = sweep_of(o);
  if (!o.diagram.empty() || !o.slopes.empty()) input_error("--dynamic draws --plot alone");
  const WheelBed bed(settings);
  ProgressBar bar("simulating", o.json);
  const auto dynamic = simulate_bed(o, bed, points, bar);
  const std::vector<WheelBedRow> rows(dynamic.begin(), dynamic.end());
  if (!o.csv.empty() && o.csv != "-") write_whole_file(o.csv, wheel_csv(rows));
  if (!o.plot.empty()) draw_figure(dynamic_figure(settings, sweep_wheel(bed, points), dynamic), o.plot);
  if (o.json) {
    fmt::print("{}\n", wheel_json(settings, rows));
  } else if (o.csv == "-") {
    fmt::print("{}", wheel_csv(rows));
  } else {
    print_rows(settings, rows);
    print_agreement(bed, dynamic);
  }
  const auto held = std::count_if(dynamic.begin(), dynamic.end(), [](const auto& r) { return r.held; });
  if (held > 0)
    fmt::print(stderr, "scree: note: {} of {} drawbar loads are more than the wheel can pull\n", held,
               dynamic.size());
  note_buried(rows);
  return 0;
}

void print_fit(const FitResult& r) {
  fmt::print("{:26} {:>12} {:>12} {:>12}\n", "parameter", "start", "value", "std. error");
  for (const FittedNumber& n : r.numbers)
    fmt::print("{:26} {:12.5g} {:12.5g} {:12.3g}{}\n", n.key, n.start, n.value, n.error,
               n.identifiable ? "" : "  not identifiable");
  fmt::print("correlation\n");
  for (int i = 0; i < r.correlation.rows(); ++i) {
    fmt::print("  {:26}", r.numbers[static_cast<std::size_t>(i)].key);
    for (int j = 0; j <= i; ++j) fmt::print(" {:6.3f}", r.correlation(i, j));
    fmt::print("\n");
  }
  for (const auto& c : r.channels)
    fmt::print("residual of {}: {:.4g} {} rms over {} values\n", c.name, c.rms, c.unit, c.count);
  for (const std::string& w : r.warnings) fmt::print("warning: {}\n", w);
  fmt::print("{} evaluations, {} (SI units, angles in rad)\n", r.evaluations,
             r.converged ? "converged" : "not converged");
}

int fit(const WheelOptions& o) {
  FitSettings settings;
  settings.bed = bed_settings(o);
  for (const std::string& key : split(o.parameters, ',')) settings.parameters.push_back(trim(key));
  const auto loads = parse_values(o.load, "--load");
  if (loads.size() != 1) input_error("--fit takes one --load, or a column 'load' in the table");
  const auto data = read_wheel_csv(o.fit, {.load = loads[0]});
  FitResult result;
  {
    BusyLine busy("fitting", o.json);
    result = fit_soil(data, settings);
  }
  if (!o.out.empty()) {
    Soil soil = result.soil;
    soil.source = fmt::format("fitted to {}, from {}", std::filesystem::path(o.fit).filename().string(),
                              settings.bed.soil.name);
    write_whole_file(o.out, soil_text(soil));
  }
  if (!o.plot.empty()) draw_figure(fit_figure(data, result, settings.bed), o.plot);
  if (o.json)
    fmt::print("{}\n", fit_json(result));
  else
    print_fit(result);
  if (!result.converged)
    run_error("fit: the search did not settle; start from a nearer soil (--soil) or name fewer --parameters");
  return 0;
}

}  // namespace

void add_wheel_command(CLI::App& app, Action& action) {
  auto o = std::make_shared<WheelOptions>();
  auto* sub =
      add_subcommand(app, "wheel", "Single-wheel test bed: forces over slip, slip angle, load and soil",
                     "scree wheel --soil toyoura --radius 0.1 --width 0.1 --load 65 --slip 0:0.8:0.05 "
                     "--slip-angle 0,10,20,30 --plot toyoura.png --diagram thrust_cornering.png\n  "
                     "scree wheel --soil lunar_simulant --radius 0.092 --width 0.107 --fit measured.csv "
                     "--parameters friction_angle,shear_modulus");
  sub->add_option("--soil", o->soil, "Name (scree list soils) or .toml file [toyoura]");
  sub->add_option("--model", o->model,
                  "stress_integral, closed_form, pac2002 or soil_grid (always simulated)");
  sub->add_option("--cell", o->grid.cell, "soil_grid: size of a cell [m] [0.02]")
      ->check(CLI::Range(1e-3, 1.0));
  sub->add_option("--tyre", o->tyre, "pac2002: tyre property file (.tir), or a name (scree list tyres)");
  sub->add_option("--radius", o->wheel.radius, "Of the wheel without lugs [m]");
  sub->add_option("--width", o->wheel.width, "Of the wheel [m]");
  sub->add_option("--lug-height", o->wheel.lug_height, "[m]");
  sub->add_option("--load", o->load, "Loads [N]: 65, or 40,65,90, or FROM:TO:STEP");
  sub->add_option("--slip", o->slip, "Slips in [-1, 1]; below zero braking [0:0.8:0.05]");
  sub->add_option("--slip-angle", o->slip_angle, "Slip angles in degrees, in (-90, 90)");
  sub->add_option("--gravity", o->gravity, "[m/s^2]");
  sub->add_option("--mean-load", o->mean_load, "closed_form: mean load of the robot's wheels [N]");
  sub->add_option("--speed", o->speed, "pac2002: [m/s]");
  sub->add_option("--set", o->set, "soil.KEY=VALUE or wheel.KEY=VALUE, several times")->take_all();
  sub->add_option("--csv", o->csv, "Write the table to this file, - for standard output");
  sub->add_option("--plot", o->plot, "Curves over slip: .png, .svg or .pdf");
  sub->add_option("--diagram", o->diagram, "Thrust-cornering diagram: .png, .svg or .pdf");
  sub->add_option("--slopes", o->slopes, "Steepest slope over slip: .png, .svg or .pdf");
  sub->add_option("--fit", o->fit,
                  "Identify the soil from measurements: CSV with slip and sinkage, drawbar, side or torque");
  sub->add_option("--parameters", o->parameters,
                  "--fit: numbers of the soil to identify, separated by commas");
  sub->add_option("-o,--out", o->out, "--fit: write the fitted soil to this .toml file");
  sub->add_flag("--dynamic", o->dynamic,
                "Simulate the bed in time (a wheel on a carriage) instead of asking the steady law");
  sub->add_option("--drawbar", o->drawbar,
                  "--dynamic: drawbar loads [N] that pull the carriage back, instead of slips");
  sub->add_option("--bed-speed", o->bed.speed, "--dynamic: of the faster of rim and carriage [m/s]")
      ->check(CLI::Range(1e-3, 10.0));
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] {
    if (!o->fit.empty()) return fit(*o);
    if (!o->dynamic && !o->drawbar.empty()) input_error("--drawbar needs --dynamic");
    return o->dynamic ? simulate(*o) : sweep(*o);
  });
}

}  // namespace scree
