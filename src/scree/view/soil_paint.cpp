#include "scree/view/soil_paint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

namespace {

constexpr double kFullSinkage = 0.08, kFullPressure = 4e4;  // m, Pa: the end of the scale

/// Pale, yellow, red, violet over [0, 1].
Color ramp(double share) {
  static const std::array<Color, 4> stops{rgb(0xc8b591), rgb(0xf2c14e), rgb(0xd1495b), rgb(0x5b2a86)};
  const double x = std::clamp(share, 0.0, 1.0) * 3;
  const auto i = static_cast<std::size_t>(std::min(x, 2.999));
  const float part = static_cast<float>(x - static_cast<double>(i));
  return (1 - part) * stops[i] + part * stops[i + 1];
}

}  // namespace

bool is_rut_shading(GroundShading shading) { return shading > GroundShading::soil; }

void paint_ruts(const Scenario& scenario, const DeformedTerrain& ground, GroundLook& look) {
  if (scenario.world->soil_grid() == nullptr || scenario.world->soils() == nullptr) return;
  const std::shared_ptr<const World> world = scenario.world;
  look.rut_color = [world, &ground](GroundShading shading, double x, double y) -> Color {
    const SoilTiles& tiles = ground.tiles();
    if (!tiles.active()) return ramp(0);
    const int i = static_cast<int>(std::lround(x / tiles.cell())),
              j = static_cast<int>(std::lround(y / tiles.cell()));
    const SoilTile* tile = tiles.find({tile_of(i), tile_of(j)});
    if (tile == nullptr) return ramp(0);
    const auto k = static_cast<std::size_t>(in_tile(j) * kTileSide + in_tile(i));
    const double sunk = kSoilUnit * static_cast<double>(tile->sunk[k]);
    if (shading == GroundShading::sinkage) return ramp(sunk / kFullSinkage);
    if (shading == GroundShading::slip) return ramp(std::abs(static_cast<double>(tile->slip[k])));
    if (!(sunk > 0)) return ramp(0);
    // Of a plate as wide as the wheels of the first robot.
    const Soil& soil = world->soils()->soil(world->soils()->label(x, y));
    const auto& wheel = world->robots()[0].model->wheels()[0].settings;
    const PressureLaw law = pressure_law(soil, {wheel.width, 2 * wheel.radius, world->gravity().norm()});
    return ramp(law.modulus * std::pow(sunk / law.length, soil.sinkage_exponent) / kFullPressure);
  };
}

std::vector<std::pair<std::string, Color>> rut_legend(GroundShading shading) {
  std::vector<std::pair<std::string, Color>> out;
  for (const double share : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) {
    const std::string text =
        shading == GroundShading::sinkage    ? fmt::format("sunk {:.0f} mm", 1e3 * share * kFullSinkage)
        : shading == GroundShading::pressure ? fmt::format("bore {:.0f} kPa", 1e-3 * share * kFullPressure)
                                             : fmt::format("slip {:.0f} %", 100 * share);
    out.emplace_back(text, ramp(share));
  }
  return out;
}

}  // namespace scree::view
