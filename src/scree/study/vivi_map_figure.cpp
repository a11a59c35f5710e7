/// The figure of the map: boxes of outcomes with the letters of their causes.
#include <fmt/format.h>

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/record/plot.hpp"
#include "scree/study/vivi_map.hpp"

namespace scree {
namespace {

std::vector<double> distinct(const std::vector<MapCell>& cells, double MapCell::*member) {
  std::vector<double> out;
  for (const MapCell& c : cells)
    if (std::find(out.begin(), out.end(), c.*member) == out.end()) out.push_back(c.*member);
  std::sort(out.begin(), out.end());
  return out;
}

double step_of(const std::vector<double>& values) {
  return values.size() > 1 ? (values.back() - values.front()) / static_cast<double>(values.size() - 1) : 1;
}

/// 0 neither rolls over, 1 only the proportional controller, 2 only CDTA, 3 both.
int colour_of(const MapCell& c) { return (c.speed.rolled_over() ? 1 : 0) + (c.cdta.rolled_over() ? 2 : 0); }

/// First letters of the causes: proportional / CDTA.
std::string letters(const MapCell& c) {
  auto one = [](const MapOutcome& o) { return o.cause.empty() ? std::string("-") : o.cause.substr(0, 1); };
  return colour_of(c) == 0 ? "" : one(c.speed) + "/" + one(c.cdta);
}

/// Half a step around the values.
std::vector<double> range_around(const std::vector<double>& values) {
  const double half = step_of(values) / 2;
  return {values.front() - half, values.back() + half};
}

Panel panel_of(const std::vector<MapCell>& cells, double radius, double torque) {
  Panel panel{"ramp angle [deg]", "centre of mass [m]", {}};
  panel.title = fmt::format("entry radius {} m, torque limit {} N m", radius, torque);
  const auto angles = distinct(cells, &MapCell::angle_deg), heights = distinct(cells, &MapCell::height);
  panel.x_range = range_around(angles);
  panel.y_range = range_around(heights);
  const int colours[] = {0xcfe3cf, 0x2f8f4e, 0xc0392b, 0xb9b9b9};
  for (int i = 0; i < 4; ++i) {
    Curve boxes{"", {}, {}, Mark::boxes, colours[i], step_of(angles), step_of(heights)};
    for (const MapCell& c : cells) {
      if (c.radius != radius || c.torque != torque || colour_of(c) != i) continue;
      boxes.x.push_back(c.angle_deg);
      boxes.y.push_back(c.height);
      if (const std::string text = letters(c); !text.empty())
        panel.notes.push_back({c.angle_deg, c.height, text});
    }
    if (!boxes.x.empty()) panel.curves.push_back(boxes);
  }
  return panel;
}

}  // namespace

void draw_map(const std::vector<MapCell>& cells, const std::filesystem::path& file) {
  const auto radii = distinct(cells, &MapCell::radius), torques = distinct(cells, &MapCell::torque);
  if (cells.empty()) input_error("map: nothing to draw");
  Figure figure;
  figure.title =
      "Who rolls over?  pale nobody, green proportional only (as published), red CDTA only, grey both; cause "
      "(proportional/CDTA): t traction, i impact, f flight";
  figure.panel_width = 360, figure.panel_height = 300;
  figure.columns = static_cast<int>(torques.size());
  for (double radius : radii)
    for (double torque : torques) figure.panels.push_back(panel_of(cells, radius, torque));
  draw_figure(figure, file);
}

}  // namespace scree
