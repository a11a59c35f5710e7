/// The map picture of `scree terrain`: colour by height, shade by slope.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "scree/core/errors.hpp"
#include "scree/terrain/survey.hpp"

namespace scree {
namespace {

using Colour = std::array<double, 3>;

/// Low to high: slate, moss, sand, clay, chalk.
constexpr std::array<int, 5> kStops = {0x465c70, 0x688660, 0xbeb280, 0xa87a58, 0xf0ece4};

Colour colour_of(double t) {
  t = std::clamp(t, 0.0, 1.0) * (kStops.size() - 1);
  const auto k = std::min<std::size_t>(static_cast<std::size_t>(t), kStops.size() - 2);
  Colour c;
  for (int n = 0; n < 3; ++n) {
    const int shift = 16 - 8 * n, from = kStops[k] >> shift & 0xff, to = kStops[k + 1] >> shift & 0xff;
    c[n] = from + (t - static_cast<double>(k)) * (to - from);
  }
  return c;
}

}  // namespace

TerrainMap map_terrain(const Terrain& terrain, const SurveySettings& settings) {
  const Survey s = survey_terrain(terrain, settings);
  const double lx = s.area.x_max - s.area.x_min, ly = s.area.y_max - s.area.y_min;
  const double per_metre = settings.largest / std::max(lx, ly);
  TerrainMap map;
  map.area = s.area, map.lowest = s.lowest, map.highest = s.highest;
  map.colours.assign(kStops.begin(), kStops.end());
  map.width = std::max(16, static_cast<int>(std::lround(lx * per_metre)));
  map.height = std::max(16, static_cast<int>(std::lround(ly * per_metre)));
  map.rgb.reserve(static_cast<std::size_t>(map.width) * map.height * 3);
  // Slopes are exaggerated until the steep parts stand at 45 degrees: gentle ground shows its shape.
  const double steep = std::max({std::tan(s.slope_95), std::tan(s.rms_slope), 1e-6});
  const double exaggeration = std::clamp(1 / steep, 0.5, 50.0);
  const Vec3 light = Vec3(-1, 1, 1.4).normalized();
  const double range = std::max(s.highest - s.lowest, 1e-12);
  const auto width = static_cast<std::size_t>(map.width);
  std::vector<double> x(width), y(width), z(width), sx(width), sy(width);
  for (int row = 0; row < map.height; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      x[i] = s.area.x_min + (static_cast<double>(i) + 0.5) * lx / map.width;
      y[i] = s.area.y_min + (row + 0.5) * ly / map.height;
    }
    terrain.sample({map.width, x.data(), y.data(), z.data(), sx.data(), sy.data()});
    for (std::size_t i = 0; i < width; ++i) {
      if (!(std::isfinite(z[i]) && std::isfinite(sx[i]) && std::isfinite(sy[i]))) {
        input_error("{} is not a finite number at x = {:.6g} m, y = {:.6g} m: give an --area without it",
                    terrain.summary(), x[i], y[i]);
      }
      const Vec3 normal = Vec3(-exaggeration * sx[i], -exaggeration * sy[i], 1).normalized();
      const double shade = 0.35 + 0.8 * std::max(0.0, normal.dot(light));
      for (const double channel : colour_of((z[i] - s.lowest) / range))
        map.rgb.push_back(static_cast<std::uint8_t>(std::clamp(std::lround(shade * channel), 0L, 255L)));
    }
  }
  return map;
}

}  // namespace scree
