#include "scree/study/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/clock.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

Document scenario_document(const FidelitySettings& s) {
  Document d = Document::from_file(find_scenario(s.scenario));
  for (const std::string& o : s.overrides) d.set(o);
  return d;
}

/// Elastic disks as stiff as the wheel's own suspension, with the grip of its tyre: two sectors of ten
/// degrees carry a wheel, and the brush slides from three times its share of load and friction over the peak
/// slip.
std::string sectors_like(const WheelSettings& w, double load) {
  const double mu = w.tyre.friction, stiff = 3 * mu * load / std::max(w.tyre.peak_slip, 0.02);
  return fmt::format(
      "{{ kind = \"sectors\", disks = 3, sectors = 72, stiffness = {:.6g}, damping = {:.6g}, slip_stiffness "
      "= {:.6g}, "
      "cornering_stiffness = {:.6g}, friction_x = {:.6g}, friction_y = {:.6g} }}",
      0.5 * w.suspension.stiffness, 0.5 * w.suspension.damping, stiff, stiff, mu, mu);
}

}  // namespace

const std::vector<std::string>& fidelity_levels() {
  static const std::vector<std::string> levels{"slices", "sectors", "closed_form", "stress_integral"};
  return levels;
}

Scenario at_fidelity(const FidelitySettings& s, const std::string& level) {
  const auto& known = fidelity_levels();
  if (std::find(known.begin(), known.end(), level) == known.end())
    input_error("level '{}' is not known{}; levels: {}", level, name_hint(level, known),
                fmt::join(known, ", "));
  Document document = scenario_document(s);
  const std::filesystem::path file = find_scenario(s.scenario);
  const Scenario as_given = load_scenario(document.copy(), file);
  if (as_given.world->robots().size() != 1)
    input_error("{}: {} robots; fidelity is compared with one", file.string(),
                as_given.world->robots().size());
  const RobotModel& model = *as_given.world->robots()[0].model;
  const WheelSettings& wheel = model.wheels()[0].settings;
  const double load =
      model.tree().mass() * as_given.world->gravity().norm() / static_cast<double>(model.wheels().size());
  std::string contact;
  if (level == "slices") {
    contact = "{ kind = \"slices\" }";
  } else if (level == "sectors") {
    contact = sectors_like(wheel, load);
  } else if (wheel.contact.kind != "soil") {
    contact = fmt::format("{{ kind = \"soil\", model = \"{}\", mount = \"rigid\", lug_height = {:.6g} }}",
                          level, std::max(s.lug_height, 0.0));
  }
  if (!contact.empty()) document.set("robot.set.wheel.contact=" + contact);
  if (contact.empty()) document.set(fmt::format("robot.set.wheel.contact.model=\"{}\"", level));
  if (contact.empty() && s.lug_height >= 0)
    document.set(fmt::format("robot.set.wheel.contact.lug_height={:.6g}", s.lug_height));
  return load_scenario(std::move(document), file);
}

std::vector<FidelityRun> compare_fidelity(const FidelitySettings& s,
                                          const std::function<void(double)>& progress) {
  std::vector<FidelityRun> runs;
  if (s.levels.empty()) input_error("no levels to compare; levels: {}", fmt::join(fidelity_levels(), ", "));
  for (std::size_t k = 0; k < s.levels.size(); ++k) {
    const Scenario scenario = at_fidelity(s, s.levels[k]);
    Simulation simulation(scenario);
    const SignalCatalog catalog = simulation.signals();
    std::vector<double> values(catalog.size());
    FidelityRun run;
    run.level = s.levels[k];
    std::vector<int> slips, sinkages;
    const RobotModel& model = *scenario.world->robots()[0].model;
    for (const RobotWheel& w : model.wheels()) {
      slips.push_back(catalog.find("wheel." + w.settings.name + ".slip"));
      if (w.kind->needs_soil) sinkages.push_back(catalog.find("wheel." + w.settings.name + ".sinkage"));
    }
    const int x = catalog.find("x"), y = catalog.find("y"), work = catalog.find("energy.work");
    const auto at = [&](int place) { return place < 0 ? 0.0 : values[static_cast<std::size_t>(place)]; };
    const double n = static_cast<double>(model.wheels().size());
    double next = 0, cpu = 0;
    while (true) {
      if (simulation.time() >= next - 1e-9) {
        simulation.observe(values);
        double slip = 0, sinkage = 0;
        for (const int p : slips) slip += at(p) / n;
        for (const int p : sinkages)
          sinkage += at(p) / n, run.largest_sinkage = std::max(run.largest_sinkage, at(p));
        run.time.push_back(simulation.time()), run.x.push_back(at(x)), run.y.push_back(at(y));
        run.slip.push_back(slip), run.sinkage.push_back(sinkage), run.work.push_back(at(work));
        if (progress)
          progress((static_cast<double>(k) + simulation.time() / scenario.duration) /
                   static_cast<double>(s.levels.size()));
        next += s.period;
      }
      if (simulation.finished()) break;
      const double before = thread_cpu_seconds();  // of the steps alone
      while (!simulation.finished() && simulation.time() < next - 1e-9) simulation.advance();
      cpu += thread_cpu_seconds() - before;
    }
    run.outcome = simulation.outcome(), run.cpu = cpu, run.simulated = simulation.time();
    run.distance = simulation.trip().trips()[0].distance;
    run.energy = run.work.back();
    const double count = static_cast<double>(run.time.size());
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      run.mean_slip += run.slip[i] / count, run.mean_sinkage += run.sinkage[i] / count;
    }
    runs.push_back(std::move(run));
  }
  const FidelityRun& last = runs.back();
  for (FidelityRun& run : runs) {
    const std::size_t n = std::min(run.time.size(), last.time.size());
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = std::hypot(run.x[i] - last.x[i], run.y[i] - last.y[i]);
      sum += d * d, run.beside_end = d;
    }
    run.beside = std::sqrt(sum / static_cast<double>(n));
  }
  return runs;
}

Figure fidelity_figure(const std::vector<FidelityRun>& runs, const std::string& title) {
  Figure figure;
  figure.title = title;
  figure.columns = 2;
  figure.panel_width = 720, figure.panel_height = 320;
  Panel path{"x [m]", "y [m]", {}}, slip{"time [s]", "slip, mean of the wheels [-]", {}},
      sinkage{"time [s]", "sinkage, mean of the wheels [mm]", {}},
      work{"time [s]", "work on the wheels [J]", {}};
  for (const FidelityRun& r : runs) {
    path.curves.push_back({r.level, r.x, r.y});
    slip.curves.push_back({r.level, r.time, r.slip});
    std::vector<double> mm;
    for (const double z : r.sinkage) mm.push_back(1e3 * z);
    sinkage.curves.push_back({r.level, r.time, mm});
    work.curves.push_back({r.level, r.time, r.work});
  }
  figure.panels = {path, slip, sinkage, work};
  return figure;
}

}  // namespace scree
