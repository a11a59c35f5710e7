#pragma once
/// The single panels of the Hud; called between ImGui::NewFrame and ImGui::Render.
#include <imgui.h>

#include "scree/view/hud.hpp"

namespace scree::view {

struct HudArea {
  float width, height, scale;  ///< px, px, -
};

inline ImU32 to_imgui(const Color& c, float alpha = 1.f) {
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.x(), c.y(), c.z(), alpha));
}

void draw_state_panel(const HudState& state, const HudArea& area);
inline constexpr float kPlotsWidth = 330;   ///< px at scale 1
inline constexpr float kTimelineRoom = 54;  ///< px at scale 1 that the time slider takes from the bottom
void draw_plots(const HudState& state, const HudArea& area);
/// Support polygon from above with the centre of mass, and a bar for each tip-over axis: its stability moment
/// as a part of that at rest on level ground (the live plot of Morrot 2010, Fig. 36).
void draw_stability(const RobotMoment& robot, const HudArea& area);
/// `beside_plots`: the corner is taken by the plots.
void draw_legend(const HudState& state, const HudArea& area, bool beside_plots);
void draw_timeline(const HudState& state, const HudArea& area, HudOrders& orders);
void draw_buttons(const HudState& state, const HudArea& area, HudOrders& orders, ButtonBoxes& boxes);
/// Numbers of what was clicked.
void draw_picked(const HudState& state, const HudArea& area);
/// What drawing takes: last picture, and over all.
void draw_statistics(const HudState& state, const HudArea& area);
void draw_help(const HudState& state, const HudArea& area);
void draw_messages(const HudState& state, const HudArea& area, bool above_timeline);

}  // namespace scree::view
