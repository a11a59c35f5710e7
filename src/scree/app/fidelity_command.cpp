/// scree fidelity: the same drive with rigid wheels and with laws of soft soil.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/app/progress.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"
#include "scree/study/fidelity.hpp"

namespace scree {
namespace {

struct FidelityOptions {
  FidelitySettings settings;
  std::string plot, csv;
  bool json = false, quiet = false;
};

int fidelity(const FidelityOptions& o) {
  std::vector<FidelityRun> runs;
  {
    ProgressBar bar("fidelity", o.quiet || o.json);
    runs = compare_fidelity(o.settings, [&](double done) { bar.update(done); });
  }
  if (!o.csv.empty()) {
    std::string text = "level,time [s],x [m],y [m],slip [-],sinkage [m],work [J]\n";
    for (const FidelityRun& r : runs)
      for (std::size_t i = 0; i < r.time.size(); ++i)
        text += fmt::format("{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", r.level, r.time[i], r.x[i],
                            r.y[i], r.slip[i], r.sinkage[i], r.work[i]);
    write_whole_file(o.csv, text);
  }
  if (!o.plot.empty()) draw_figure(fidelity_figure(runs, "Wheel fidelity: " + o.settings.scenario), o.plot);
  if (o.json) {
    std::string list;
    for (const FidelityRun& r : runs)
      list += fmt::format(
          "{}{{\"level\": \"{}\", \"outcome\": {}, \"end_x_m\": {}, \"end_y_m\": {}, \"distance_m\": {}, "
          "\"rms_beside_m\": {}, \"end_beside_m\": {}, \"mean_slip\": {}, \"mean_sinkage_m\": {}, "
          "\"largest_sinkage_m\": {}, \"work_J\": {}, \"cpu_s\": {}, \"real_time_factor\": {}}}",
          list.empty() ? "" : ", ", r.level, json_text(r.outcome), json_number(r.x.back()),
          json_number(r.y.back()), json_number(r.distance), json_number(r.beside), json_number(r.beside_end),
          json_number(r.mean_slip), json_number(r.mean_sinkage), json_number(r.largest_sinkage),
          json_number(r.energy), json_number(r.cpu), json_number(r.simulated / r.cpu));
    print_json("\"levels\": [" + list + "]");
    return 0;
  }
  fmt::print("{:<16} {:>8} {:>8} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>11}\n", "level", "x [m]", "y [m]",
             "way [m]", "off [m]", "slip", "sink [mm]", "most [mm]", "work [J]", "x real time");
  for (const FidelityRun& r : runs)
    fmt::print("{:<16} {:>8.3f} {:>8.3f} {:>9.3f} {:>9.3f} {:>8.4f} {:>9.2f} {:>9.2f} {:>9.1f} {:>11.0f}{}\n",
               r.level, r.x.back(), r.y.back(), r.distance, r.beside_end, r.mean_slip, 1e3 * r.mean_sinkage,
               1e3 * r.largest_sinkage, r.energy, r.simulated / r.cpu,
               r.outcome == "finished" ? "" : "  ended: " + r.outcome);
  fmt::print("off: from where {} ends; cost: of the steps alone, one core\n", runs.back().level);
  for (const std::string& file : {o.plot, o.csv})
    if (!file.empty()) fmt::print("written to {}\n", file);
  return 0;
}

}  // namespace

void add_fidelity_command(CLI::App& app, Action& action) {
  auto o = std::make_shared<FidelityOptions>();
  auto* sub = add_subcommand(app, "fidelity", "The same drive with rigid wheels and with laws of soft soil",
                             "scree fidelity rover/mars6_dunes --plot fidelity.png");
  sub->add_option("SCENARIO", o->settings.scenario, kScenarioDoc)->required();
  sub->add_option("--levels", o->settings.levels,
                  "slices, sectors, closed_form, stress_integral; the last is what others are measured by")
      ->delimiter(',');
  sub->add_option("--lug-height", o->settings.lug_height,
                  "Of the wheels [m]; default: what the scenario says, else none")
      ->check(CLI::Range(0.0, 1.0));
  sub->add_option("--set", o->settings.overrides, "Change a key of the scenario: key=value");
  sub->add_option("--plot", o->plot, "Path, slip, sinkage and work: .png, .svg or .pdf");
  sub->add_option("--csv", o->csv, "Write the samples to this file");
  sub->add_flag("-q,--quiet", o->quiet, "No progress bar");
  add_json_flag(sub, o->json);
  on_parsed(sub, action, [o] { return fidelity(*o); });
}

}  // namespace scree
