/// scree validate soil: El-Dorado II on Toyoura sand (Ding 2011 Sec. 5.2.2-5.2.3) with the published
/// parameters.
///
/// Figs. 16 and 17 are pictures without numbers in the text, so there is nothing to print beside ours from
/// the paper: what is checked is that the simulated rover does what its own published law and the statics of
/// a four-wheeler say (validation/el_dorado.cpp, which shares no code), that the orders of the figures'
/// abscissae hold (slip and sinkage grow with slope and load), and that the whole range of the experiments is
/// driven.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "reference.hpp"
#include "scree/app/progress.hpp"
#include "scree/app/validation.hpp"
#include "scree/study/rover_trials.hpp"

namespace scree {
namespace {

// Slips of 2D statics and of the rover differ by what the statics leave out: the pitch of unequal sinkage (2
// mm over 0.64 m, 3 mrad of slope) and the slip that the wheels do not share. A degree of slope is up to 0.03
// of slip here.
constexpr double kSlipBar = 0.01, kSinkageBar = 3, kLoadBar = 1;

reference::DingSoil level_sand() {
  return {.n0 = 0.63, .n1 = 0.72, .cP1 = -0.276, .cP2 = 0.633, .cP3 = -0.304, .cM = 0.354};
}
reference::DingSoil slope_sand() {
  return {.n0 = 0.66, .n1 = 0.72, .cP1 = -0.379, .cP2 = 0.616, .cP3 = -0.448, .cM = 0.214};
}

struct Compared {
  double at;  ///< degrees or newtons
  RoverTrial rover;
  reference::DingSteady law;
};

double front_load(const RoverTrial& t) {
  double sum = 0;
  for (const RoverTrialWheel& w : t.wheels)
    if (w.name.find("front") != std::string::npos) sum += 0.5 * w.load;
  return sum;
}

std::string table_of(const std::vector<Compared>& list, const char* what) {
  std::string out =
      fmt::format("{:>12} {:>8} {:>8} {:>12} {:>12} {:>10} {:>10} {:>11} {:>11}\n", what, "slip", "law",
                  "sinkage [mm]", "law [mm]", "pull [N]", "moment", "front [N]", "law [N]");
  for (const Compared& c : list)
    out += fmt::format(
        "{:>12g} {:>8.4f} {:>8.4f} {:>12.2f} {:>12.2f} {:>10.2f} {:>10.3f} {:>11.2f} {:>11.2f}\n", c.at,
        c.rover.slip, c.law.slip, 1e3 * c.rover.sinkage, 0.5e3 * (c.law.front.sinkage + c.law.rear.sinkage),
        c.rover.pull, c.rover.resistance, front_load(c.rover), c.law.front.load);
  return out;
}

void add_rows(const std::vector<Compared>& list, const std::string& name, Validation& v) {
  double slip = 0, sinkage = 0, load = 0;
  int falls = 0, fails = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Compared& c = list[i];
    slip = std::max(slip, std::abs(c.rover.slip - c.law.slip));
    sinkage =
        std::max(sinkage, percent_off(c.rover.sinkage, 0.5 * (c.law.front.sinkage + c.law.rear.sinkage)));
    load = std::max(load, percent_off(front_load(c.rover), c.law.front.load));
    fails += !(c.rover.outcome == "finished" && c.rover.speed > 0 && c.rover.slip < 0.95);
    if (i > 0)
      falls += !(c.rover.slip > list[i - 1].rover.slip) + !(c.rover.sinkage > list[i - 1].rover.sinkage);
  }
  v.rows.push_back({"soil " + name + ": slip, rover against law", "-", std::nullopt, slip, kSlipBar});
  v.rows.push_back(
      {"soil " + name + ": sinkage, rover against law", "%", std::nullopt, sinkage, kSinkageBar});
  v.rows.push_back({"soil " + name + ": front load against statics", "%", std::nullopt, load, kLoadBar});
  v.rows.push_back(
      {"soil " + name + ": slip or sinkage that does not grow", "", std::nullopt, double(falls), 0});
  v.rows.push_back({"soil " + name + ": not driven", "", std::nullopt, double(fails), 0});
}

Panel panel_of(const std::vector<Compared>& list, const char* x, const char* y,
               double (*rover)(const Compared&), double (*law)(const Compared&)) {
  Curve a{"rover", {}, {}, Mark::points}, b{"law and statics", {}, {}};
  for (const Compared& c : list) {
    a.x.push_back(c.at), a.y.push_back(rover(c));
    b.x.push_back(c.at), b.y.push_back(law(c));
  }
  return {x, y, {a, b}};
}

void draw(const std::vector<Compared>& list, const char* x, const std::string& title,
          const std::filesystem::path& file) {
  Figure f;
  f.title = title;
  f.columns = 2;
  f.panel_width = 640, f.panel_height = 300;
  f.panels.push_back(panel_of(
      list, x, "slip [-]", [](const Compared& c) { return c.rover.slip; },
      [](const Compared& c) { return c.law.slip; }));
  f.panels.push_back(panel_of(
      list, x, "sinkage [mm]", [](const Compared& c) { return 1e3 * c.rover.sinkage; },
      [](const Compared& c) { return 0.5e3 * (c.law.front.sinkage + c.law.rear.sinkage); }));
  f.panels.push_back(panel_of(
      list, x, "drawbar pull of all wheels [N]", [](const Compared& c) { return c.rover.pull; },
      [](const Compared& c) { return 2 * (c.law.front.pull + c.law.rear.pull); }));
  f.panels.push_back(panel_of(
      list, x, "moment of resistance of all wheels [N m]",
      [](const Compared& c) { return c.rover.resistance; },
      [](const Compared& c) { return 2 * (c.law.front.moment + c.law.rear.moment); }));
  draw_figure(f, file);
}

/// Slip and sinkage over slope in three gravities.
std::string gravities(Validation& v) {
  struct Place {
    const char* name;
    double g;
  };
  const Place places[] = {{"Earth", 9.81}, {"Mars", 3.71}, {"Moon", 1.62}};
  std::string out =
      "\nEl-Dorado II climbs Toyoura sand in three gravities (corrections for the mean load of each):\n";
  out += fmt::format("{:>12}", "slope [deg]");
  for (const Place& p : places) out += fmt::format(" {:>8} slip {:>8} mm", p.name, "sinkage");
  out += "\n";
  int odd = 0;
  std::string json;
  for (const double slope : {0.0, 3.0, 6.0, 9.0, 12.0, 15.0}) {
    out += fmt::format("{:>12g}", slope);
    double last = 1e300;
    for (const Place& p : places) {
      const RoverTrial t =
          run_rover_trial({.soil = "toyoura_slope", .slope = slope * kDegree, .gravity = p.g});
      out += fmt::format(" {:>13.4f} {:>11.2f}", t.slip, 1e3 * t.sinkage);
      json +=
          fmt::format("{}{{\"place\": \"{}\", \"slope_deg\": {}, \"slip\": {:.6g}, \"sinkage_m\": {:.6g}}}",
                      json.empty() ? "" : ", ", p.name, slope, t.slip, t.sinkage);
      odd += !(t.sinkage < last);  // less weight, less sinkage
      last = t.sinkage;
    }
    out += "\n";
  }
  v.rows.push_back({"soil gravities: sinkage does not fall with gravity", "", std::nullopt, double(odd), 0});
  v.json += (v.json.empty() ? "" : ", ") + std::string("\"gravities\": [") + json + "]";
  return out;
}

std::string random_ground(const std::filesystem::path& folder, Validation& v, bool quiet) {
  const Scenario scenario =
      load_scenario(Document::from_text(random_ground_scenario(3), "random ground"), "random ground");
  ProgressBar bar("random ground", quiet);
  const RoverDrive d = run_rover_drive(scenario, 0.1, [&](double done) { bar.update(done); });
  draw_figure(rover_drive_figure(d, "El-Dorado II on random deformable ground (Ding 2011 Fig. 18)"),
              folder / "random_ground.png");
  double off = 0, steepest = 0, slip_low = 1e9, slip_high = -1e9, load_low = 1e9, load_high = 0;
  for (std::size_t k = 0; k < d.time.size(); ++k) {
    off = std::max(off, std::abs(d.x[k] - d.y[k]) / std::sqrt(2.0));
    steepest = std::max({steepest, std::abs(d.slope_along[k]), std::abs(d.slope_across[k])});
    if (d.time[k] < 3) continue;
    for (std::size_t i = 0; i < d.wheels.size(); ++i) {
      slip_low = std::min(slip_low, d.slip[i][k]), slip_high = std::max(slip_high, d.slip[i][k]);
      load_low = std::min(load_low, d.load[i][k]), load_high = std::max(load_high, d.load[i][k]);
    }
  }
  v.rows.push_back({"soil random ground: |q1 + q2|", "rad", std::nullopt, d.largest_sum, 1e-12});
  v.rows.push_back({"soil random ground: end beside (5, 5)", "m", std::nullopt,
                    std::hypot(d.x.back() - 5, d.y.back() - 5), 1.0});
  v.json += fmt::format(
      ", \"random_ground\": {{\"end_x_m\": {:.6g}, \"end_y_m\": {:.6g}, \"largest_deviation_m\": {:.6g}}}",
      d.x.back(), d.y.back(), off);
  return fmt::format(
      "\nRandom ground from (0.5, 0.5), yaw 45 deg: {:.1f} s to ({:.2f}, {:.2f}), up to {:.2f} m beside the "
      "straight line,"
      "\nslopes under a wheel up to {:.1f} deg, slip {:.2f} to {:.2f}, loads {:.0f} to {:.0f} N, q1 + q2 "
      "within {:.1e} rad,"
      " {:.0f} times real time.\n",
      d.time.back(), d.x.back(), d.y.back(), off, steepest / kDegree, slip_low, slip_high, load_low,
      load_high, d.largest_sum, d.time.back() / std::max(d.cpu, 1e-9));
}

}  // namespace

Validation validate_soil(const ValidationSetup& setup) {
  const std::filesystem::path folder = std::filesystem::path(setup.out) / "soil";
  std::filesystem::create_directories(folder);
  Validation v;
  std::vector<Compared> slopes, pulls;
  {
    ProgressBar bar("El-Dorado II", setup.quiet);
    for (int k = 0; k <= 5; ++k) {
      const double slope = 3.0 * k * kDegree;
      reference::DingRover rover;
      rover.mean_load = 35 * 9.81 / 4;
      slopes.push_back({3.0 * k, run_rover_trial({.soil = "toyoura_slope", .slope = slope}),
                        reference::steady_climb(slope_sand(), rover, slope, 0)});
      bar.update((k + 1) / 13.0);
    }
    for (int k = 0; k <= 6; ++k) {
      reference::DingRover rover;
      rover.mean_load = 35 * 9.81 / 4;
      pulls.push_back({10.0 * k, run_rover_trial({.soil = "toyoura", .pull = 10.0 * k}),
                       reference::steady_climb(level_sand(), rover, 0, 10.0 * k)});
      bar.update((k + 7) / 13.0);
    }
  }
  add_rows(slopes, "slopes 0-15 deg", v);
  add_rows(pulls, "drawbar 0-60 N", v);
  draw(slopes, "slope [deg]", "El-Dorado II climbs Toyoura sand (Ding 2011 Fig. 17)", folder / "slopes.png");
  draw(pulls, "drawbar load [N]", "El-Dorado II pulls on Toyoura sand (Ding 2011 Fig. 16)",
       folder / "drawbar.png");
  v.text = "Climbing (Fig. 17), soil toyoura_slope; 'law' is Eq. 16 with the statics of the pitch plane\n" +
           table_of(slopes, "slope [deg]") + "\nDrawbar loads (Fig. 16), soil toyoura\n" +
           table_of(pulls, "load [N]");
  std::string json;
  for (const auto* list : {&slopes, &pulls}) {
    json += fmt::format("{}\"{}\": [", json.empty() ? "" : ", ", list == &slopes ? "slopes" : "drawbar");
    for (std::size_t i = 0; i < list->size(); ++i)
      json += fmt::format(
          "{}{{\"at\": {}, \"slip\": {:.6g}, \"slip_law\": {:.6g}, \"sinkage_m\": {:.6g}, \"pull_N\": "
          "{:.6g}}}",
          i ? ", " : "", (*list)[i].at, (*list)[i].rover.slip, (*list)[i].law.slip, (*list)[i].rover.sinkage,
          (*list)[i].rover.pull);
    json += "]";
  }
  v.json = json;
  v.text += gravities(v);
  v.text += random_ground(folder, v, setup.quiet);
  v.text += fmt::format("figures in {}\n", folder.string());
  return v;
}

}  // namespace scree
