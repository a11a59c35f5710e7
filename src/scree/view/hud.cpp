#include "scree/view/hud.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/view/hud_panels.hpp"

namespace scree::view {
namespace {

void choose_style(float scale) {
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 7;
  style.FrameRounding = 4;
  style.GrabRounding = 4;
  style.WindowBorderSize = 0;
  style.WindowPadding = ImVec2(11, 9);
  style.ItemSpacing = ImVec2(8, 5);
  style.Colors[ImGuiCol_WindowBg] = ImVec4(0.055f, 0.065f, 0.08f, 0.78f);
  style.Colors[ImGuiCol_Text] = ImVec4(0.93f, 0.94f, 0.95f, 1);
  style.Colors[ImGuiCol_TextDisabled] = ImVec4(0.62f, 0.66f, 0.70f, 1);
  style.Colors[ImGuiCol_Button] = ImVec4(0.2f, 0.24f, 0.29f, 0.9f);
  style.Colors[ImGuiCol_ButtonHovered] = ImVec4(0.88f, 0.48f, 0.17f, 0.9f);
  style.Colors[ImGuiCol_ButtonActive] = ImVec4(0.95f, 0.55f, 0.22f, 1);
  style.Colors[ImGuiCol_SliderGrab] = ImVec4(0.88f, 0.48f, 0.17f, 1);
  style.Colors[ImGuiCol_SliderGrabActive] = ImVec4(0.98f, 0.6f, 0.28f, 1);
  style.Colors[ImGuiCol_FrameBg] = ImVec4(0.16f, 0.19f, 0.23f, 0.9f);
  style.ScaleAllSizes(scale);
}

/// A smooth face where the system has one; else the pixel face that comes with the library.
void choose_font(float scale) {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  for (const char* file : {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                           "/usr/share/fonts/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                           "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"})
    if (std::filesystem::exists(file) && fonts.AddFontFromFileTTF(file, 14.5f * scale)) return;
  fonts.AddFontDefault();
  ImGui::GetIO().FontGlobalScale = scale;
}

void draw_labels(const std::vector<Label>& labels, const Viewpoint& view, int width, int height) {
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (const Label& label : labels) {
    const auto at = view.project(label.at, width, height);
    if (!at) continue;
    const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
    const ImVec2 p(static_cast<float>(at->x()) - size.x / 2, static_cast<float>(at->y()) - size.y);
    list->AddText(ImVec2(p.x + 1, p.y + 1), IM_COL32(0, 0, 0, 200), label.text.c_str());
    list->AddText(p, to_imgui(label.color), label.text.c_str());
  }
}

/// ImGui draws by itself: counted here.
void count_work(const ImDrawData& drawn) {
  GlWork& work = gl_work();
  for (int i = 0; i < drawn.CmdListsCount; ++i)
    work.draw_calls += static_cast<std::uint64_t>(drawn.CmdLists[i]->CmdBuffer.Size);
  work.triangles += static_cast<std::uint64_t>(drawn.TotalIdxCount / 3);
  work.uploaded += static_cast<std::uint64_t>(drawn.TotalVtxCount) * sizeof(ImDrawVert) +
                   static_cast<std::uint64_t>(drawn.TotalIdxCount) * sizeof(ImDrawIdx);
}

void draw_panels(const HudState& state, const HudChoice& choice, const HudArea& area, HudOrders& orders,
                 ButtonBoxes& boxes) {
  if (choice.panel) draw_state_panel(state, area);
  if (choice.plots && !state.curves.empty()) draw_plots(state, area);
  if (choice.stability && state.robot) draw_stability(*state.robot, area);
  if (choice.legend) draw_legend(state, area, choice.plots && !state.curves.empty());
  if (choice.timeline) draw_timeline(state, area, orders);
  if (choice.buttons) draw_buttons(state, area, orders, boxes);
  if (choice.statistics && state.drawing) draw_statistics(state, area);
  if (!state.picked.empty()) draw_picked(state, area);
  if (choice.help) draw_help(state, area);
  draw_messages(state, area, choice.timeline);
}

}  // namespace

Hud::Hud(float scale) : scale_(scale) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // leaves no file behind
  choose_style(scale);
  choose_font(scale);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core"))
    run_error("the panels cannot be drawn on this OpenGL driver");
}

Hud::~Hud() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

bool Hud::close_dialog() {
  boxes_.close = boxes_.open;
  return boxes_.open;
}

HudOrders Hud::draw(const HudState& state, const HudChoice& choice, const Framebuffer& target,
                    const std::vector<Label>& labels, const Viewpoint& view) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(target.width()), static_cast<float>(target.height()));
  if (!(io.DeltaTime > 0)) io.DeltaTime = 1.f / 60;
  const HudArea area{static_cast<float>(target.width()), static_cast<float>(target.height()), scale_};
  HudOrders orders;
  // Panels learn their size in their first frame and show in the second: a still has only one.
  for (; frames_ < 2; ++frames_) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    draw_panels(state, choice, area, orders, boxes_);
    ImGui::EndFrame();
  }
  orders = {};
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  draw_labels(labels, view, target.width(), target.height());
  draw_panels(state, choice, area, orders, boxes_);
  ImGui::Render();
  target.bind_resolved();
  ImDrawData& drawn = *ImGui::GetDrawData();
  ImGui_ImplOpenGL3_RenderDrawData(&drawn);
  count_work(drawn);
  check_gl("drawing the panels");
  return orders;
}

}  // namespace scree::view
