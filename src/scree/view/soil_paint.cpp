#include "scree/view/soil_paint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scree/terrain/map.hpp"

namespace scree::view {
namespace {

const std::array<std::pair<double, Color>, 4> kFriction{
    {{0.0, rgb(0x9fd3ea)}, {0.5, rgb(0xd6cba6)}, {1.0, rgb(0x9a7b4f)}, {1.5, rgb(0x8a3f24)}}};

}  // namespace

Color soil_color(std::size_t number) {
  static const std::array<Color, 8> colors{rgb(0xcdb079), rgb(0x6b8e4e), rgb(0x8c5a3c), rgb(0x8d9299),
                                           rgb(0xb5653f), rgb(0x4f6d7a), rgb(0xe0d3b8), rgb(0x5a4a5e)};
  return colors[number % colors.size()];
}

Color friction_color(double scale) {
  const double x = std::clamp(scale, kFriction.front().first, kFriction.back().first);
  std::size_t i = 1;
  while (i + 1 < kFriction.size() && x > kFriction[i].first) ++i;
  const auto& [x0, low] = kFriction[i - 1];
  const auto& [x1, high] = kFriction[i];
  const float part = static_cast<float>((x - x0) / (x1 - x0));
  return (1 - part) * low + part * high;
}

void paint_soil(const Scenario& scenario, GroundLook& ground) {
  const std::shared_ptr<const World> world = scenario.world;  // keeps its maps alive
  const ScalarMap* friction = world->friction_map();
  const LabelMap* soils = world->soil_map();
  if (!soils && !friction) return;
  ground.soil_color = [world, friction, soils](double x, double y) -> Color {
    const double scale = world->friction() * (friction ? friction->at(x, y) : 1);
    if (!soils) return friction_color(scale);
    const Color color = soil_color(static_cast<std::size_t>(soils->at(x, y)));
    const float slippery = static_cast<float>(std::clamp(1 - scale, 0.0, 1.0));
    return (1 - 0.7f * slippery) * color + 0.7f * slippery * friction_color(0);
  };
  ground.soil_legend.clear();
  if (soils) {
    for (std::size_t i = 0; i < soils->names().size(); ++i)
      ground.soil_legend.emplace_back(soils->names()[i], soil_color(i));
    if (friction) ground.soil_legend.emplace_back("slippery", friction_color(0));
  } else {
    for (const auto& [scale, color] : kFriction)
      ground.soil_legend.emplace_back(fmt::format("friction x {:g}", scale), color);
  }
}

void warn_without_soil(const GroundLook& ground, std::vector<std::string>& warnings) {
  if (ground.shading == GroundShading::soil && !ground.soil_color)
    warnings.emplace_back(
        "the scenario has neither [terrain.soil] nor [terrain.friction]: ground drawn in natural colours");
}

}  // namespace scree::view
