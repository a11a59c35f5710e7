/// The figure of the map: one gnuplot script through a pipe.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "scree/core/errors.hpp"
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

void panel(std::string& out, const std::vector<MapCell>& cells, double radius, double torque, double dx,
           double dy) {
  out += fmt::format("set title 'entry radius {} m, torque limit {} N m' font ',11'\n", radius, torque);
  std::string blocks[4], labels;
  for (const MapCell& c : cells) {
    if (c.radius != radius || c.torque != torque) continue;
    blocks[colour_of(c)] += fmt::format("{} {}\n", c.angle_deg, c.height);
    if (const std::string text = letters(c); !text.empty())
      labels += fmt::format("{} {} {}\n", c.angle_deg, c.height, text);
  }
  std::string plots, data;
  const char* colours[] = {"#cfe3cf", "#2f8f4e", "#c0392b", "#b9b9b9"};
  for (int i = 0; i < 4; ++i) {
    if (blocks[i].empty()) continue;
    plots += fmt::format(
        "{}'-' using 1:2:({}):({}) with boxxyerror fs solid 1 border lc 'white' lc rgb '{}' notitle",
        plots.empty() ? "" : ", ", dx / 2, dy / 2, colours[i]);
    data += blocks[i] + "e\n";
  }
  if (!labels.empty()) {
    plots += ", '-' using 1:2:3 with labels font ',8' notitle";
    data += labels + "e\n";
  }
  out += "plot " + plots + "\n" + data;
}

}  // namespace

void draw_map(const std::vector<MapCell>& cells, const std::filesystem::path& file) {
  const auto radii = distinct(cells, &MapCell::radius), torques = distinct(cells, &MapCell::torque);
  const auto angles = distinct(cells, &MapCell::angle_deg), heights = distinct(cells, &MapCell::height);
  if (cells.empty()) input_error("map: nothing to draw");
  const double dx = step_of(angles), dy = step_of(heights);
  std::string script = fmt::format(
      "set terminal pngcairo size {},{} font 'sans,10'\nset output '{}'\nset multiplot layout {},{} title "
      "\"Who rolls over?  pale nobody, green proportional only (as published), red CDTA only, grey both\\n"
      "cause (proportional/CDTA): t traction, i impact, f flight\" font ',10'\n",
      360 * torques.size(), 300 * radii.size() + 40, file.string(), radii.size(), torques.size());
  script += fmt::format(
      "set xrange [{}:{}]\nset yrange [{}:{}]\nset xlabel 'ramp angle [deg]'\nset ylabel 'centre of "
      "mass [m]'\nset style fill solid\n",
      angles.front() - dx / 2, angles.back() + dx / 2, heights.front() - dy / 2, heights.back() + dy / 2);
  for (double radius : radii)
    for (double torque : torques) panel(script, cells, radius, torque, dx, dy);
  script += "unset multiplot\n";
  FILE* pipe = popen("gnuplot", "w");
  if (!pipe) run_error("map: gnuplot cannot be started");
  const bool written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  if (pclose(pipe) != 0 || !written) run_error("map: gnuplot failed on {}", file.string());
}

}  // namespace scree
