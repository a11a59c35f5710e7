#include "scree/view/hud_panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/core.h>

namespace scree::view {
namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_AlwaysAutoResize;
const ImVec4 kAccent(0.98f, 0.62f, 0.30f, 1), kRed(0.95f, 0.36f, 0.36f, 1), kGreen(0.36f, 0.80f, 0.48f, 1);

void place(float x, float y, float pivot_x, float pivot_y) {
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Always, ImVec2(pivot_x, pivot_y));
}

/// Single steps are told apart while paused.
std::string clock_text(double t, bool paused = false) { return fmt::format("{:.{}f} s", t, paused ? 4 : 2); }

void status_line(const HudState& s) {
  if (s.recording) {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(p.x + 0.4f * side, p.y + 0.5f * side), 0.35f * side,
                                                ImGui::ColorConvertFloat4ToU32(kRed));
    ImGui::Dummy(ImVec2(0.8f * side, side));
    ImGui::SameLine();
    ImGui::TextColored(kRed, "REC");
    ImGui::SameLine();
  }
  if (s.paused)
    ImGui::TextColored(kAccent, "paused");
  else
    ImGui::TextColored(kGreen, s.replay ? "replay" : "running");
  if (s.speed != 1) ImGui::SameLine(), ImGui::Text("%s", fmt::format("speed {:g} x", s.speed).c_str());
  if (s.real_time_factor > 0)
    ImGui::TextDisabled(
        "%s", fmt::format("real-time factor {:.2f}, missed {}", s.real_time_factor, s.missed).c_str());
}

}  // namespace

void draw_state_panel(const HudState& s, const HudArea& a) {
  const float m = 12 * a.scale;
  place(m, m, 0, 0);
  ImGui::Begin("state", nullptr, kFixed);
  ImGui::TextColored(kAccent, "%s", s.title.c_str());
  ImGui::SameLine();
  ImGui::TextDisabled("%s", s.camera.c_str());
  ImGui::Text("%s", clock_text(s.time, s.paused).c_str());
  if (s.duration > 0) ImGui::SameLine(), ImGui::TextDisabled("of %s", clock_text(s.duration).c_str());
  status_line(s);
  if (!s.readings.empty()) ImGui::Separator();
  if (ImGui::BeginTable("readings", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const Reading& r : s.readings) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", r.name.c_str());
      ImGui::TableNextColumn();
      ImGui::Text("%s", r.value.c_str());
    }
    ImGui::EndTable();
  }
  if (s.battery >= 0) {
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, s.battery > 0.25 ? kGreen : kRed);
    ImGui::ProgressBar(static_cast<float>(s.battery), ImVec2(170 * a.scale, 15 * a.scale),
                       fmt::format("battery {:.0f} %", 100 * s.battery).c_str());
    ImGui::PopStyleColor();
  }
  const std::size_t shown = std::min<std::size_t>(s.events.size(), 5);
  if (shown > 0) ImGui::Separator();
  for (std::size_t i = s.events.size() - shown; i < s.events.size(); ++i) {
    ImGui::TextColored(s.events[i].ends_run ? kRed : kAccent, "%s",
                       fmt::format("{:7.2f}", s.events[i].time).c_str());
    ImGui::SameLine();
    ImGui::Text("%s", s.events[i].text.empty() ? s.events[i].kind.c_str() : s.events[i].text.c_str());
  }
  ImGui::End();
}

/// One patch of colour and its name a line.
static void draw_soil_legend(const HudState& s, const HudArea& a) {
  ImGui::Begin("legend", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  const float side = ImGui::GetTextLineHeight();
  for (const auto& [name, color] : s.soils) {
    const ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(
        p, ImVec2(p.x + side, p.y + side),
        ImGui::ColorConvertFloat4ToU32(ImVec4(color[0], color[1], color[2], 1)), 2 * a.scale);
    ImGui::Dummy(ImVec2(side, side));
    ImGui::SameLine();
    ImGui::TextUnformatted(name.c_str());
  }
  ImGui::End();
}

void draw_legend(const HudState& s, const HudArea& a, bool beside_plots) {
  const float m = 12 * a.scale;
  place(a.width - m - (beside_plots ? kPlotsWidth * a.scale + m : 0),
        a.height - m - (s.replay ? kTimelineRoom * a.scale : 0), 1, 1);
  if (!s.soils.empty()) return draw_soil_legend(s, a);
  const bool heights = s.shading == GroundShading::height || s.shading == GroundShading::contour;
  if (!heights && s.shading != GroundShading::slope) return;
  ImGui::Begin("legend", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  ImGui::TextDisabled(heights ? "height [m]" : "slope [deg]");
  ImGui::Dummy(ImVec2(0, 6 * a.scale));  // the topmost number stands half above its colour
  // The same colours as the ground's shader, display-encoded (gamma 2).
  static const float ramp[5][3] = {{0.11f, 0.24f, 0.16f},
                                   {0.36f, 0.45f, 0.20f},
                                   {0.72f, 0.58f, 0.30f},
                                   {0.42f, 0.26f, 0.15f},
                                   {0.86f, 0.86f, 0.84f}};
  static const float slopes[4][3] = {
      {0.13f, 0.37f, 0.17f}, {0.75f, 0.62f, 0.12f}, {0.70f, 0.15f, 0.06f}, {0.22f, 0.04f, 0.16f}};
  const int stops = heights ? 5 : 4;
  ImGui::Dummy(ImVec2(1, 0.4f * ImGui::GetTextLineHeight()));  // the upper half of the top number
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float w = 16 * a.scale, h = 120 * a.scale;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto color = [&](int i) {
    const float* c = heights ? ramp[i] : slopes[i];
    return ImGui::ColorConvertFloat4ToU32(ImVec4(std::sqrt(c[0]), std::sqrt(c[1]), std::sqrt(c[2]), 1));
  };
  for (int i = 0; i + 1 < stops; ++i) {
    const float top = p.y + h * (stops - 2 - i) / (stops - 1),
                bottom = p.y + h * (stops - 1 - i) / (stops - 1);
    list->AddRectFilledMultiColor(ImVec2(p.x, top), ImVec2(p.x + w, bottom), color(i + 1), color(i + 1),
                                  color(i), color(i));
  }
  const double low = heights ? s.heights.low : 0, high = heights ? s.heights.high : 50;
  // As many digits as tell neighbours apart.
  const double apart = (high - low) / (stops - 1);
  const int digits = apart > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(apart))), 0, 6) : 2;
  for (int i = 0; i < stops; ++i) {
    const double value = heights ? low + (high - low) * i / (stops - 1) : (i < 3 ? 15.0 * i : 50.0);
    const float y = p.y + h * (1 - static_cast<float>(i) / (stops - 1));
    list->AddText(ImVec2(p.x + 1.5f * w, y - 0.5f * ImGui::GetTextLineHeight()),
                  ImGui::GetColorU32(ImGuiCol_Text), fmt::format("{:.{}f}", value + 0.0, digits).c_str());
  }
  ImGui::Dummy(ImVec2(80 * a.scale, h + 0.5f * ImGui::GetTextLineHeight()));
  if (s.shading == GroundShading::contour)
    ImGui::TextDisabled("%s", fmt::format("lines {:g} m", s.heights.interval).c_str());
  ImGui::End();
}

void draw_timeline(const HudState& s, const HudArea& a, HudOrders& orders) {
  const float m = 12 * a.scale, width = std::min(a.width - 2 * m, 900 * a.scale);
  place(a.width / 2, a.height - m, 0.5f, 1);
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::Begin("timeline", nullptr, kFixed & ~ImGuiWindowFlags_AlwaysAutoResize);
  if (ImGui::Button(" |< ")) orders.previous_event = true;
  ImGui::SameLine();
  if (ImGui::Button(" < ")) orders.backwards = true;
  ImGui::SameLine();
  if (ImGui::Button(s.paused ? " play " : " pause ")) orders.pause = true;
  ImGui::SameLine();
  if (ImGui::Button(" >| ")) orders.next_event = true;
  ImGui::SameLine();
  float time = static_cast<float>(s.time);
  ImGui::TextUnformatted(fmt::format("{:.2f} of {:.2f} s", s.time, std::max(s.duration, s.time))
                             .c_str());  // the handle would hide it
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float inner = ImGui::GetContentRegionAvail().x;
  if (ImGui::SliderFloat("##time", &time, 0, static_cast<float>(std::max(s.duration, 1e-3)), ""))
    orders.seek = time;
  for (const Event& e : s.events) {  // marks where something happened
    const float x = p.x + inner * static_cast<float>(e.time / std::max(s.duration, 1e-3));
    ImGui::GetWindowDrawList()->AddTriangleFilled(
        ImVec2(x - 4 * a.scale, p.y - 5 * a.scale), ImVec2(x + 4 * a.scale, p.y - 5 * a.scale),
        ImVec2(x, p.y + 2 * a.scale), ImGui::ColorConvertFloat4ToU32(e.ends_run ? kRed : kAccent));
  }
  ImGui::End();
}

namespace {

/// The Open box: a line to type into, and what there is to choose from.
void draw_open_box(const HudState& s, const HudArea& a, HudOrders& orders, ButtonBoxes& boxes) {
  boxes.open = ImGui::BeginPopup("open scenario");
  if (!boxes.open) return;
  char text[512] = {};
  std::strncpy(text, boxes.open_text.c_str(), sizeof text - 1);
  ImGui::TextUnformatted("scenario (a file or a name), or a run folder");
  ImGui::SetNextItemWidth(360 * a.scale);
  if (ImGui::InputText("##file", text, sizeof text, ImGuiInputTextFlags_EnterReturnsTrue)) {
    orders.open = true;
    orders.open_file = text;
  }
  boxes.open_text = text;
  ImGui::BeginChild("files", ImVec2(360 * a.scale, 220 * a.scale));
  for (const std::string& name : s.openable) {
    if (name.find(text) == std::string::npos) continue;
    if (ImGui::Selectable(name.c_str(), false, ImGuiSelectableFlags_DontClosePopups)) {
      orders.open = true;
      orders.open_file = name;
    }
  }
  ImGui::EndChild();
  if (orders.open || boxes.close) ImGui::CloseCurrentPopup();
  boxes.close = false;
  ImGui::EndPopup();
}

}  // namespace

void draw_buttons(const HudState& s, const HudArea& a, HudOrders& orders, ButtonBoxes& boxes) {
  const float m = 12 * a.scale;
  place(a.width - m, m, 1, 0);
  ImGui::Begin("controls", nullptr, kFixed);
  if (ImGui::Button(s.paused ? "run" : "pause")) orders.pause = true;
  ImGui::SameLine();
  if (ImGui::Button("step")) orders.step = true;
  ImGui::SameLine();
  if (ImGui::Button("restart")) orders.restart = true;
  ImGui::SameLine();
  if (ImGui::Button(s.recording ? "stop film" : "film")) orders.record = true;
  ImGui::SameLine();
  if (ImGui::Button("open")) {
    ImGui::OpenPopup("open scenario");
    orders.list_files = true;
  }
  ImGui::SameLine();
  if (ImGui::Button("quit")) orders.quit = true;
  for (std::size_t i = 0; i < s.cameras.size(); ++i) {
    if (i % 6) ImGui::SameLine();
    const bool active = s.cameras[i] == s.camera;
    if (active) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.7f, 0.37f, 0.13f, 1));
    if (ImGui::Button(s.cameras[i].c_str())) orders.camera = i;
    if (active) ImGui::PopStyleColor();
  }
  float speed = static_cast<float>(s.speed);
  ImGui::SetNextItemWidth(150 * a.scale);
  if (ImGui::SliderFloat("speed", &speed, 1 / 16.f, 16.f, "%.2f x", ImGuiSliderFlags_Logarithmic))
    orders.speed = speed;
  float orbit = static_cast<float>(s.orbit_speed);
  ImGui::SetNextItemWidth(150 * a.scale);
  if (ImGui::SliderFloat("camera", &orbit, 0.1f, 5.f, "%.1f x", ImGuiSliderFlags_Logarithmic))
    orders.orbit_speed = orbit;
  ImGui::SetNextItemWidth(150 * a.scale);
  if (ImGui::BeginCombo("plot", "signals")) {
    for (const std::string& name : s.signal_names) {
      const bool on =
          std::any_of(s.curves.begin(), s.curves.end(), [&](const Curve& c) { return c.name == name; });
      if (ImGui::Selectable(name.c_str(), on)) orders.plot = name;
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  ImGui::TextDisabled("F1: keys");
  draw_open_box(s, a, orders, boxes);
  boxes.height = ImGui::GetWindowHeight();
  ImGui::End();
}

void draw_picked(const HudState& s, const HudArea& a) {
  const float m = 12 * a.scale;
  place(m, 0.5f * a.height, 0, 0.5f);
  ImGui::Begin("picked", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  ImGui::TextColored(kAccent, "%s", s.picked.c_str());
  if (ImGui::BeginTable("numbers", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const Reading& r : s.picked_readings) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", r.name.c_str());
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(r.value.c_str());
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

void draw_statistics(const HudState& s, const HudArea& a) {
  const DrawingStats& d = *s.drawing;
  const PictureWork& last = d.last();
  place(a.width / 2, 12 * a.scale, 0.5f, 0);
  ImGui::Begin("statistics", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  ImGui::TextColored(kAccent, "drawing");
  if (s.frame_rate > 0) ImGui::SameLine(), ImGui::Text("%.1f pictures a second", s.frame_rate);
  ImGui::TextUnformatted(fmt::format("processor {:.2f} ms, median {:.2f}, 99 % {:.2f}", 1e3 * last.processor,
                                     1e3 * d.processor().quantile(0.5), 1e3 * d.processor().quantile(0.99))
                             .c_str());
  ImGui::TextUnformatted(
      fmt::format("{} draw calls, {:.1f} k triangles", last.gl.draw_calls, 1e-3 * last.gl.triangles).c_str());
  ImGui::TextUnformatted(
      fmt::format("{:.1f} kB uploaded, {:.0f} k samples", 1e-3 * last.gl.uploaded, 1e-3 * last.samples)
          .c_str());
  ImGui::End();
}

void draw_help(const HudState& s, const HudArea& a) {
  place(a.width / 2, a.height / 2, 0.5f, 0.5f);
  ImGui::SetNextWindowBgAlpha(0.92f);
  ImGui::Begin("help", nullptr, kFixed);
  ImGui::TextColored(kAccent, "Keys, mouse and gamepad");
  ImGui::Separator();
  const std::size_t half = (s.help.size() + 1) / 2;
  if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
    for (std::size_t i = 0; i < half; ++i) {
      ImGui::TableNextRow();
      for (std::size_t k : {i, i + half}) {
        if (k >= s.help.size()) break;
        ImGui::TableNextColumn();
        ImGui::TextColored(kAccent, "%s", s.help[k].first.c_str());
        ImGui::TableNextColumn();
        ImGui::Text("%s   ", s.help[k].second.c_str());
      }
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

/// What the arrows of forces mean, and how long they are.
static void draw_arrow_legend(const HudState& s, const HudArea& a, bool above_timeline) {
  place(a.width / 2, a.height - 12 * a.scale - (above_timeline ? kTimelineRoom * a.scale : 0), 0.5f, 1);
  ImGui::Begin("arrows", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  ImGui::TextColored(ImVec4(0.22f, 0.76f, 0.42f, 1), "force of the ground");
  ImGui::SameLine();
  ImGui::TextColored(ImVec4(0.97f, 0.42f, 0.08f, 1), "its level part");
  ImGui::SameLine();
  ImGui::TextDisabled("%s", fmt::format("1 m = {:.3g} N", s.newtons_per_metre).c_str());
  ImGui::End();
}

void draw_messages(const HudState& s, const HudArea& a, bool above_timeline) {
  if (s.newtons_per_metre > 0) draw_arrow_legend(s, a, above_timeline);
  if (s.messages.empty()) return;
  const float m = 12 * a.scale;
  place(m, a.height - m - (above_timeline ? kTimelineRoom * a.scale : 0), 0, 1);
  ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(0.6f * a.width, a.height));
  ImGui::Begin("messages", nullptr, kFixed | ImGuiWindowFlags_NoInputs);
  ImGui::PushTextWrapPos(0.58f * a.width);
  const std::size_t shown = std::min<std::size_t>(s.messages.size(), 4);
  for (std::size_t i = s.messages.size() - shown; i < s.messages.size(); ++i)
    ImGui::TextWrapped("%s", s.messages[i].c_str());
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace scree::view
