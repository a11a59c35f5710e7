#include "scree/study/settle_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/record/plot.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

constexpr double kMostMapCells = 4e6;

SettleCell cell_of(const Settled& s, const RobotModel& model) {
  SettleCell c{s.x,        s.y,         s.result,  s.z, s.roll, s.pitch, s.tilt, s.energy_margin,
               s.distance, s.clearance, s.touching};
  c.least_load = 1e300;
  for (const SettledWheel& w : s.wheels) {
    c.least_load = std::min(c.least_load, w.load);
    c.steepest = std::max(c.steepest, std::abs(w.angle));
  }
  for (int j = 0; j < model.tree().joint_count(); ++j)
    if (!model.tree().joints()[j].settings.prescribed)
      c.largest_joint = std::max(c.largest_joint, std::abs(s.joints[j]));
  return c;
}

/// A map in seven colours from bad to good.
Panel panel_of(const SettleMap& map, const std::string& title, const std::string& unit,
               const std::function<double(const SettleCell&)>& value, bool large_is_good) {
  constexpr int kClasses = 7;
  constexpr double kOverlap = 1.25;  // no white lines between boxes
  const int colours[kClasses] = {0xb2182b, 0xe8764f, 0xf6c28b, 0xf4f1de, 0xb7d7a8, 0x6aaf6a, 0x1f7a3f};
  const Rectangle& a = map.settings.area;
  const double step = map.settings.step;
  Panel panel{"x [m]", "y [m]", {}};
  panel.title = title + " [" + unit + "]";
  panel.x_range = {a.x_min - 0.5 * step, a.x_max + 0.5 * step};
  panel.y_range = {a.y_min - 0.5 * step, a.y_max + 0.5 * step};
  std::vector<double> values;
  for (const SettleCell& c : map.cells)
    if (c.result == SettleResult::settled) values.push_back(value(c));
  std::sort(values.begin(), values.end());
  const auto share = [&](double p) {
    return values.empty() ? 0.0
                          : values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
  };
  double low = share(0.01), high = share(0.99);
  if (!(high > low)) high = low + 1e-6;
  Curve fails{"does not stand", {}, {}, Mark::boxes, 0x202020, kOverlap * step, kOverlap * step};
  std::vector<Curve> classes;
  for (int k = 0; k < kClasses; ++k) {
    const double from = low + (high - low) * k / kClasses, to = low + (high - low) * (k + 1) / kClasses;
    classes.push_back({fmt::format("{:.3g} to {:.3g}", from, to),
                       {},
                       {},
                       Mark::boxes,
                       colours[large_is_good ? k : kClasses - 1 - k],
                       kOverlap * step,
                       kOverlap * step});
  }
  for (const SettleCell& c : map.cells) {
    if (c.result == SettleResult::outside) continue;
    Curve* to = &fails;
    if (c.result == SettleResult::settled)
      to =
          &classes[std::clamp(static_cast<int>((value(c) - low) / (high - low) * kClasses), 0, kClasses - 1)];
    to->x.push_back(c.x), to->y.push_back(c.y);
  }
  for (Curve& c : classes)
    if (!c.x.empty()) panel.curves.push_back(std::move(c));
  if (!fails.x.empty()) panel.curves.push_back(std::move(fails));
  return panel;
}

}  // namespace

SettleMap settle_map(const World& world, int robot, const SettleMapSettings& settings,
                     const std::function<void(double)>& progress) {
  SettleMap map;
  map.settings = settings;
  const Rectangle& a = settings.area;
  const double nx = std::floor((a.x_max - a.x_min) / settings.step + 1e-9) + 1;
  const double ny = std::floor((a.y_max - a.y_min) / settings.step + 1e-9) + 1;
  if (!(nx >= 1 && ny >= 1))
    input_error("area [{}, {}, {}, {}]: x and y from must be below x and y to", a.x_min, a.x_max, a.y_min,
                a.y_max);
  if (!(nx * ny <= kMostMapCells))
    input_error("area and step {} m give {:.3g} places; at most {:.0e}: take a longer step", settings.step,
                nx * ny, kMostMapCells);
  map.nx = static_cast<int>(nx), map.ny = static_cast<int>(ny);
  map.cells.resize(static_cast<std::size_t>(map.nx) * map.ny);
  std::atomic<int> done = 0;
  const auto start = std::chrono::steady_clock::now();
  in_parallel(settings.threads, map.ny, [&](int begin, int end) {
    Settler settler(world, robot);
    settler.look_below(settings.clearance);
    for (const auto& [name, position] : settings.joints) settler.set_joint(name, position);
    for (int j = begin; j < end; ++j) {
      for (int i = 0; i < map.nx; ++i) {
        const Settled& s =
            settler.settle(a.x_min + i * settings.step, a.y_min + j * settings.step, settings.yaw, i > 0);
        map.cells[static_cast<std::size_t>(j) * map.nx + i] = cell_of(s, settler.model());
      }
      const int now = ++done;
      if (progress && begin == 0) progress(static_cast<double>(now) / map.ny);
    }
  });
  map.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return map;
}

void write_settle_csv(const SettleMap& map, const std::filesystem::path& file) {
  std::string text =
      "x [m],y [m],result,z [m],roll [rad],pitch [rad],tilt [rad],energy_margin [m],support_distance [m],"
      "clearance [m],touching,least_load [N],largest_contact_angle [rad],largest_joint [rad]\n";
  for (const SettleCell& c : map.cells) {
    fmt::format_to(
        std::back_inserter(text),
        "{:.9g},{:.9g},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{},{:.9g},{:.9g},{:.9g}\n", c.x,
        c.y, settle_name(c.result), c.z, c.roll, c.pitch, c.tilt, c.energy_margin, c.distance, c.clearance,
        c.touching, c.least_load, c.steepest, c.largest_joint);
  }
  write_whole_file(file, text);
}

void draw_settle_map(const SettleMap& map, const std::string& title, const std::filesystem::path& file) {
  Figure figure;
  figure.title = title;
  figure.columns = 3;
  const double aspect = (map.ny + 2.0) / (map.nx + 2.0);
  figure.panel_width = 640;
  figure.panel_height = std::clamp(static_cast<int>(420 * aspect + 60), 240, 1200);
  figure.panels.push_back(panel_of(
      map, "energy margin (NESM)", "m", [](const SettleCell& c) { return c.energy_margin; }, true));
  figure.panels.push_back(panel_of(
      map, "tilt", "deg", [](const SettleCell& c) { return c.tilt / kDegree; }, false));
  figure.panels.push_back(
      map.settings.clearance
          ? panel_of(
                map, "belly clearance", "m", [](const SettleCell& c) { return c.clearance; }, true)
          : panel_of(
                map, "least wheel load", "N", [](const SettleCell& c) { return c.least_load; }, true));
  draw_figure(figure, file);
}

}  // namespace scree
