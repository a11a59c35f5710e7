/// The map picture of `scree terrain`: colour by height, shade by slope, a scale bar.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "scree/core/errors.hpp"
#include "scree/core/png.hpp"
#include "scree/terrain/survey.hpp"

namespace scree {
namespace {

using Colour = std::array<double, 3>;

/// Low to high: slate, moss, sand, clay, chalk.
Colour colour_of(double t) {
  static constexpr std::array<Colour, 5> stops = {
      {{70, 92, 112}, {104, 134, 96}, {190, 178, 128}, {168, 122, 88}, {240, 236, 228}}};
  t = std::clamp(t, 0.0, 1.0) * (stops.size() - 1);
  const auto k = std::min<std::size_t>(static_cast<std::size_t>(t), stops.size() - 2);
  Colour c;
  for (int n = 0; n < 3; ++n) c[n] = stops[k][n] + (t - k) * (stops[k + 1][n] - stops[k][n]);
  return c;
}

/// Digits, letters and signs of a 3 x 5 font, a row of three bits a digit.
std::uint16_t glyph(char c) {
  switch (c) {
    case '0':
      return 075557;
    case '1':
      return 026227;
    case '2':
      return 071747;
    case '3':
      return 071717;
    case '4':
      return 055711;
    case '5':
      return 074717;
    case '6':
      return 074757;
    case '7':
      return 071111;
    case '8':
      return 075757;
    case '9':
      return 075717;
    case '.':
      return 000002;
    case '-':
      return 000700;
    case '+':
      return 002720;
    case 'm':
      return 007755;
    case 'k':
      return 045655;
    case 'e':
      return 007547;
    default:
      return 0;
  }
}

class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * height * 3, 255) {}
  void set(int x, int y, const Colour& c) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    for (int n = 0; n < 3; ++n) {
      pixels_[(static_cast<std::size_t>(y) * width_ + x) * 3 + n] =
          static_cast<std::uint8_t>(std::clamp(std::lround(c[n]), 0L, 255L));
    }
  }
  void fill(int x0, int y0, int w, int h, const Colour& c) {
    for (int y = y0; y < y0 + h; ++y) {
      for (int x = x0; x < x0 + w; ++x) set(x, y, c);
    }
  }
  /// Returns the x where the text ends.
  int text(int x, int y, const std::string& words, int size) {
    for (const char c : words) {
      const std::uint16_t bits = glyph(c);
      for (int k = 0; k < 15; ++k) {
        if (bits >> (14 - k) & 1) fill(x + k % 3 * size, y + k / 3 * size, size, size, {30, 30, 30});
      }
      x += 4 * size;
    }
    return x;
  }
  void write(const std::filesystem::path& file) const { write_png(file, {width_, height_, 3, pixels_}); }

 private:
  int width_, height_;
  std::vector<std::uint8_t> pixels_;
};

/// 1, 2 or 5 times a power of ten, at most `most`.
double round_length(double most) {
  const double power = std::pow(10, std::floor(std::log10(most)));
  return (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power;
}

void draw_legend(Canvas& canvas, int width, int top, double per_metre, const Survey& s) {
  const int size = width >= 400 ? 2 : 1, margin = 6;
  const double length = round_length(0.3 * width / per_metre);
  const int bar = std::max(1, static_cast<int>(std::lround(length * per_metre)));
  canvas.fill(margin, top + margin, bar, 2 * size, {30, 30, 30});
  canvas.text(margin, top + margin + 4 * size,
              length >= 1000 ? fmt::format("{:.4g} km", length / 1000) : fmt::format("{:.4g} m", length),
              size);
  // Heights: the colours from lowest to highest, between their numbers.
  const int left = width / 2, span = width / 3;
  for (int k = 0; k < span; ++k)
    canvas.fill(left + k, top + margin, 1, 3 * size, colour_of(static_cast<double>(k) / span));
  canvas.text(left, top + margin + 4 * size, fmt::format("{:.4g}", s.lowest), size);
  canvas.text(left + span - 8 * size, top + margin + 4 * size, fmt::format("{:.4g} m", s.highest), size);
}

}  // namespace

void write_terrain_picture(const std::filesystem::path& file, const Terrain& terrain,
                           const SurveySettings& settings) {
  const Survey s = survey_terrain(terrain, settings);
  const double lx = s.area.x_max - s.area.x_min, ly = s.area.y_max - s.area.y_min;
  const double per_metre = settings.largest / std::max(lx, ly);
  const int width = std::max(160, static_cast<int>(std::lround(lx * per_metre)));
  const int height = std::max(16, static_cast<int>(std::lround(ly * per_metre)));
  const int legend = width >= 400 ? 36 : 24;
  Canvas canvas(width, height + legend);
  // Slopes are exaggerated until the steep parts stand at 45 degrees: gentle ground shows its shape.
  const double steep = std::max({std::tan(s.slope_95), std::tan(s.rms_slope), 1e-6});
  const double exaggeration = std::clamp(1 / steep, 0.5, 50.0);
  const Vec3 light = Vec3(-1, 1, 1.4).normalized();
  const double range = std::max(s.highest - s.lowest, 1e-12);
  std::vector<double> x(width), y(width), z(width), sx(width), sy(width);
  for (int row = 0; row < height; ++row) {
    for (int i = 0; i < width; ++i) {
      x[i] = s.area.x_min + (i + 0.5) * lx / width;
      y[i] = s.area.y_max - (row + 0.5) * ly / height;
    }
    terrain.sample({width, x.data(), y.data(), z.data(), sx.data(), sy.data()});
    for (int i = 0; i < width; ++i) {
      if (!(std::isfinite(z[i]) && std::isfinite(sx[i]) && std::isfinite(sy[i]))) {
        input_error(
            "'{}': {} is not a finite number at x = {:.6g} m, y = {:.6g} m: give an --area without it",
            file.string(), terrain.summary(), x[i], y[i]);
      }
      const Vec3 normal = Vec3(-exaggeration * sx[i], -exaggeration * sy[i], 1).normalized();
      const double shade = 0.35 + 0.8 * std::max(0.0, normal.dot(light));
      Colour c = colour_of((z[i] - s.lowest) / range);
      for (double& channel : c) channel *= shade;
      canvas.set(i, row, c);
    }
  }
  draw_legend(canvas, width, height, width / lx, s);
  canvas.write(file);
}

}  // namespace scree
