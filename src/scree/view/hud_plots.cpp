#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "scree/view/hud_panels.hpp"

namespace scree::view {
namespace {

constexpr ImGuiWindowFlags kPlain = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoInputs |
                                    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

struct Frame {
  ImVec2 low, high;  ///< corners on the screen: left bottom, right top
  double x0, x1, y0, y1;
  ImVec2 at(double x, double y) const {
    return {static_cast<float>(low.x + (high.x - low.x) * (x - x0) / (x1 - x0)),
            static_cast<float>(low.y + (high.y - low.y) * (y - y0) / (y1 - y0))};
  }
};

/// At most seven characters: 4110, -0.0123, 1.2e+07.
std::string short_number(double x) {
  const double size = std::abs(x);
  if (size < 5e-13) return "0";
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.1e}", x);
  if (size >= 100) return fmt::format("{:.0f}", x);
  return fmt::format("{:.3g}", x);
}

/// Curves that share an axis: the same number of every wheel.
struct PlotGroup {
  std::string title, unit;
  std::vector<const Curve*> curves;
  std::vector<std::string> names;  ///< of the wheels
};

/// "wheel.front_left.normal" is the number "wheel.*.normal" of "front_left".
std::pair<std::string, std::string> wheel_number(const std::string& name) {
  const std::size_t at = name.rfind("wheel.");
  const std::size_t end = at == std::string::npos ? at : name.find('.', at + 6);
  if (end == std::string::npos || (at > 0 && name[at - 1] != '.')) return {name, ""};
  return {name.substr(0, at + 6) + "*" + name.substr(end), name.substr(at + 6, end - at - 6)};
}

std::vector<PlotGroup> plot_groups(const std::vector<Curve>& curves) {
  std::vector<PlotGroup> out;
  for (const Curve& c : curves) {
    const auto [title, wheel] = wheel_number(c.name);
    auto it =
        std::find_if(out.begin(), out.end(), [&, t = title](const PlotGroup& g) { return g.title == t; });
    if (it == out.end()) it = out.insert(out.end(), {title, c.unit, {}, {}});
    it->curves.push_back(&c);
    it->names.push_back(wheel);
  }
  return out;
}

/// "front_left" as "fl".
std::string initials_of(const std::string& name) {
  std::string out;
  bool first = true;
  for (const char c : name) {
    const bool letter = c != '_' && c != '-' && c != ' ' && c != '.';
    if (letter && (first || std::isdigit(static_cast<unsigned char>(c)))) out += c;
    first = !letter;
  }
  return out;
}

/// Names of the curves that fit side by side: in full, by their initials, or by their number.
std::vector<std::string> names_that_fit(const std::vector<std::string>& names, float room, float between) {
  const auto fit = [&](const std::vector<std::string>& texts) {
    float wide = -between;
    for (const std::string& text : texts) wide += ImGui::CalcTextSize(text.c_str()).x + between;
    return wide <= room;
  };
  if (fit(names)) return names;
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(initials_of(name));
  std::vector<std::string> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  if (fit(out) && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return out;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::to_string(k + 1);
  return out;
}

/// Smallest range around the values, never empty, with a little air.
std::pair<double, double> value_range(const PlotGroup& group) {
  double low = 1e30, high = -1e30;
  for (const Curve* c : group.curves)
    for (float v : c->values)
      if (std::isfinite(v)) low = std::min<double>(low, v), high = std::max<double>(high, v);
  if (!(low <= high)) return {-1, 1};
  const double air = std::max({0.08 * (high - low), 1e-3 * std::abs(high), 1e-6});
  return {low - air, high + air};
}

void draw_curve(ImDrawList* list, const Curve& curve, const Frame& f, ImU32 color, float scale) {
  if (curve.values.empty()) return;
  // At most two points a pixel: thin out long histories by whole strides.
  const std::size_t stride =
      std::max<std::size_t>(1, curve.values.size() / static_cast<std::size_t>(2 * (f.high.x - f.low.x) + 1));
  std::vector<ImVec2> points;
  for (std::size_t i = 0; i < curve.values.size(); i += stride)
    if (std::isfinite(curve.values[i])) points.push_back(f.at(curve.times[i], curve.values[i]));
  list->AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, 1.6f * scale);
}

void draw_frame(ImDrawList* list, const Frame& f, float scale) {
  const ImU32 faint = IM_COL32(255, 255, 255, 34);
  for (int i = 0; i <= 2; ++i) {
    const float y = f.low.y + (f.high.y - f.low.y) * i / 2.f;
    list->AddLine(ImVec2(f.low.x, y), ImVec2(f.high.x, y), faint, 1);
  }
  if (f.y0 < 0 && f.y1 > 0) list->AddLine(f.at(f.x0, 0), f.at(f.x1, 0), IM_COL32(255, 255, 255, 80), 1);
  const ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const auto text = [&](double value, float y, float up) {
    list->AddText(ImVec2(f.high.x + 5 * scale, y - up), dim, short_number(value).c_str());
  };
  text(f.y1, f.high.y, 3 * scale);
  text(f.y0, f.low.y, 13 * scale);
}

Color index_color(double index) {
  return index <= 0.15 ? rgb(0xe5484d) : index <= 0.5 ? rgb(0xffc53d) : rgb(0x46c46b);
}

}  // namespace

void draw_plots(const HudState& s, const HudArea& a) {
  const float m = 12 * a.scale, width = kPlotsWidth * a.scale, each = 84 * a.scale, axis = 18 * a.scale;
  const std::vector<PlotGroup> groups = plot_groups(s.curves);
  // Below the buttons and the picture in the picture.
  const float room = a.height - s.right_top - 3 * m - axis - (s.replay ? kTimelineRoom * a.scale : 0);
  const std::size_t count =
      std::min<std::size_t>(groups.size(), static_cast<std::size_t>(std::max(room / each, 1.f)));
  ImGui::SetNextWindowPos(ImVec2(a.width - m, a.height - m - (s.replay ? kTimelineRoom * a.scale : 0)),
                          ImGuiCond_Always, ImVec2(1, 1));
  ImGui::SetNextWindowSize(ImVec2(width, each * count + axis + 4 * a.scale));
  ImGui::Begin("plots", nullptr, kPlain);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetWindowPos();
  const double t1 = std::max(s.time, 0.5), t0 = std::max(0.0, t1 - 20);
  const ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const float right = origin.x + width - 62 * a.scale;
  for (std::size_t i = 0; i < count; ++i) {
    const PlotGroup& g = groups[i];
    const float top = origin.y + each * i + 6 * a.scale;
    const auto [low, high] = value_range(g);
    const Frame f{ImVec2(origin.x + 10 * a.scale, top + each - 10 * a.scale),
                  ImVec2(right, top + 20 * a.scale),
                  t0,
                  t1,
                  low,
                  high};
    const std::string unit = g.unit.empty() || g.unit == "-" ? "" : " [" + g.unit + "]";
    const bool one = g.curves.size() == 1;
    const std::string title = (one ? g.curves[0]->name : g.title) + unit;
    list->AddText(ImVec2(f.low.x, top - 1),
                  one ? to_imgui(robot_color(i)) : ImGui::GetColorU32(ImGuiCol_Text), title.c_str());
    if (one && !g.curves[0]->values.empty()) {
      const std::string now = short_number(g.curves[0]->values.back());
      list->AddText(ImVec2(right - ImGui::CalcTextSize(now.c_str()).x, top - 1),
                    ImGui::GetColorU32(ImGuiCol_Text), now.c_str());
    }
    draw_frame(list, f, a.scale);
    list->PushClipRect(ImVec2(f.low.x, f.high.y - 1), ImVec2(f.high.x, f.low.y + 1), true);
    for (std::size_t k = 0; k < g.curves.size(); ++k)
      draw_curve(list, *g.curves[k], f, to_imgui(robot_color(one ? i : k)), a.scale);
    list->PopClipRect();
    float x = f.low.x + ImGui::CalcTextSize(title.c_str()).x + 8 * a.scale;
    if (one) continue;
    // Whose is which.
    const float between = 6 * a.scale;
    const auto names = names_that_fit(g.names, origin.x + width - 8 * a.scale - x, between);
    for (std::size_t k = 0; k < names.size(); ++k) {
      list->AddText(ImVec2(x, top - 1), to_imgui(robot_color(k)), names[k].c_str());
      x += ImGui::CalcTextSize(names[k].c_str()).x + between;
    }
  }
  const float below = origin.y + each * count;
  list->AddText(ImVec2(origin.x + 10 * a.scale, below), dim, short_number(t0).c_str());
  const std::string now = fmt::format("{:.1f} s", t1);
  list->AddText(ImVec2(right - ImGui::CalcTextSize(now.c_str()).x, below), dim, now.c_str());
  ImGui::End();
}

namespace {

/// Which way the robot would tip over the axis i: as its driver would say.
const char* edge_name(const RobotMoment& robot, std::size_t i) {
  const Vec3 forward = robot.links.empty() ? Vec3(Vec3::UnitX()) : Vec3(robot.links.front().R.col(0));
  const Vec3 d = robot.support[(i + 1) % robot.support.size()] - robot.support[i];
  // Corners go round the polygon: outward is across the edge, away from the centre of mass.
  Vec2 out(d.y(), -d.x());
  if (out.dot((robot.support[i] - robot.center_of_mass).head<2>()) < 0) out = -out;
  const double ahead = out.dot(forward.head<2>()), left = out.y() * forward.x() - out.x() * forward.y();
  return std::abs(ahead) > std::abs(left) ? (ahead > 0 ? "front" : "rear") : (left > 0 ? "left" : "right");
}

void draw_polygon(ImDrawList* list, const RobotMoment& robot, ImVec2 middle, float size, float scale) {
  const Vec3 forward = robot.links.empty() ? Vec3(Vec3::UnitX()) : Vec3(robot.links.front().R.col(0));
  const double yaw = std::atan2(forward.y(), forward.x()), c = std::cos(yaw), s = std::sin(yaw);
  double reach = 1e-6;
  for (const Vec3& p : robot.support) reach = std::max(reach, (p - robot.center_of_mass).head<2>().norm());
  // Seen from above, driving upwards, the centre of mass in the middle.
  const auto at = [&](const Vec3& p) {
    const Vec3 d = p - robot.center_of_mass;
    const double ahead = c * d.x() + s * d.y(), left = -s * d.x() + c * d.y();
    return ImVec2(static_cast<float>(middle.x - size * left / reach),
                  static_cast<float>(middle.y - size * ahead / reach));
  };
  const std::size_t n = robot.support.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double index = i < robot.stability.size() ? robot.stability[i] : 1;
    list->AddLine(at(robot.support[i]), at(robot.support[(i + 1) % n]), to_imgui(index_color(index)),
                  2.5f * scale);
    list->AddCircleFilled(at(robot.support[i]), 3.5f * scale, IM_COL32(230, 230, 230, 255));
  }
  list->AddCircleFilled(middle, 4 * scale, IM_COL32(255, 255, 255, 255));
  list->AddTriangleFilled(ImVec2(middle.x - 4 * scale, middle.y - 9 * scale),
                          ImVec2(middle.x + 4 * scale, middle.y - 9 * scale),
                          ImVec2(middle.x, middle.y - 16 * scale), IM_COL32(255, 255, 255, 160));
}

}  // namespace

void draw_stability(const RobotMoment& robot, const HudArea& a) {
  const float m = 12 * a.scale, width = 300 * a.scale, height = 166 * a.scale;
  ImGui::SetNextWindowPos(ImVec2(m, a.height - m - kTimelineRoom * a.scale), ImGuiCond_Always, ImVec2(0, 1));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::Begin("stability", nullptr, kPlain);
  ImGui::TextDisabled("stability moment / at rest on level ground");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 o = ImGui::GetWindowPos();
  draw_polygon(list, robot, ImVec2(o.x + 75 * a.scale, o.y + 90 * a.scale), 45 * a.scale, a.scale);
  // Bars: 0 at the bottom, 1 (as at rest) at the dashed line.
  const float left = o.x + 155 * a.scale, bottom = o.y + height - 40 * a.scale, full = 72 * a.scale;
  list->AddLine(ImVec2(left, bottom - full), ImVec2(o.x + width - 12 * a.scale, bottom - full),
                IM_COL32(255, 255, 255, 70), 1);
  list->AddLine(ImVec2(left, bottom), ImVec2(o.x + width - 12 * a.scale, bottom),
                IM_COL32(255, 255, 255, 110), 1);
  const std::size_t n = robot.stability.size();
  const float step = n > 0 ? (width - 167 * a.scale) / n : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double index = std::clamp(robot.stability[i], -0.25, 1.3);
    const float x = left + step * i + 0.15f * step;
    list->AddRectFilled(ImVec2(x, bottom - static_cast<float>(index) * full), ImVec2(x + 0.7f * step, bottom),
                        to_imgui(index_color(robot.stability[i])), 2);
    list->AddText(ImVec2(x, bottom + 3 * a.scale), ImGui::GetColorU32(ImGuiCol_TextDisabled),
                  fmt::format("{:.2f}", robot.stability[i] + 0.0).c_str());
    if (i < robot.support.size())
      list->AddText(ImVec2(x, bottom + 18 * a.scale), ImGui::GetColorU32(ImGuiCol_TextDisabled),
                    edge_name(robot, i));
  }
  ImGui::End();
}

}  // namespace scree::view
