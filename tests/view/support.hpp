#pragma once
/// What the tests of the window share: a small ground, a renderer without a display, pictures to measure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "scree/view/context.hpp"
#include "scree/view/primitives.hpp"
#include "scree/view/renderer.hpp"

namespace scree::view {

/// A folder of its own for each test, gone afterwards.
class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = test ? test->test_suite_name() + std::string("-") + test->name() : "suite";
    std::replace(name.begin(), name.end(), '/', '-');  // of tests with parameters
    path_ = std::filesystem::temp_directory_path() / ("scree-view-" + name + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// z = a sin(kx) cos(ky), endless, with exact slopes.
class WaveGround : public Terrain {
 public:
  double height_scale = 0.3, wave = 0.8;
  void sample(const TerrainRow& row) const override {
    for (int i = 0; i < row.count; ++i) {
      const double x = wave * row.x[i], y = wave * row.y[i];
      row.z[i] = height_scale * std::sin(x) * std::cos(y);
      row.slope_x[i] = height_scale * wave * std::cos(x) * std::cos(y);
      row.slope_y[i] = -height_scale * wave * std::sin(x) * std::sin(y);
    }
  }
  std::string summary() const override { return "waves"; }
};

class FlatGround : public Terrain {
 public:
  void sample(const TerrainRow& row) const override {
    for (int i = 0; i < row.count; ++i) row.z[i] = row.slope_x[i] = row.slope_y[i] = 0;
  }
  std::string summary() const override { return "flat"; }
};

/// A bounded grid of n x n cells, heights from a formula: stands in for a stored elevation model.
class GridGround : public Terrain {
 public:
  int cells;
  double size_of_cell;
  GridGround(int cells, double cell) : cells(cells), size_of_cell(cell) {}
  double at_node(int i, int j) const {
    return 0.4 * std::sin(0.37 * i) + 0.3 * std::cos(0.23 * j) + 8 * std::sin(2e-3 * i) * std::cos(3e-3 * j);
  }
  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) {
      const double u = std::clamp(row.x[k] / size_of_cell, 0.0, cells - 1e-9),
                   v = std::clamp(row.y[k] / size_of_cell, 0.0, cells - 1e-9);
      const int i = static_cast<int>(u), j = static_cast<int>(v);
      const double a = u - i, b = v - j;
      row.z[k] = (1 - a) * (1 - b) * at_node(i, j) + a * (1 - b) * at_node(i + 1, j) +
                 (1 - a) * b * at_node(i, j + 1) + a * b * at_node(i + 1, j + 1);
      row.slope_x[k] = row.slope_y[k] = 0;
    }
  }
  Rectangle bounds() const override { return {0, cells * size_of_cell, 0, cells * size_of_cell}; }
  double cell() const override { return size_of_cell; }
  std::string summary() const override { return "grid"; }
};

inline double luma(const std::uint8_t* p) { return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]; }

/// Mean luma [0, 255] of the square of side 2 r + 1 around a point.
inline double mean_luma(const Image& image, const Vec2& at, int r) {
  double sum = 0;
  int count = 0;
  for (int y = static_cast<int>(at.y()) - r; y <= static_cast<int>(at.y()) + r; ++y)
    for (int x = static_cast<int>(at.x()) - r; x <= static_cast<int>(at.x()) + r; ++x) {
      if (x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      sum += luma(image.at(x, y));
      ++count;
    }
  return count ? sum / count : -1;
}

/// Pixels for which `is` holds, and their middle.
template <class Is>
std::pair<int, Vec2> find_pixels(const Image& image, const Is& is) {
  int count = 0;
  Vec2 sum = Vec2::Zero();
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (is(image.at(x, y))) ++count, sum += Vec2(x + 0.5, y + 0.5);
  return {count, count ? Vec2(sum / count) : Vec2(-1, -1)};
}

/// Renderer, context and framebuffer for small pictures.
struct Studio {
  std::unique_ptr<Context> context = make_offscreen_context();
  Renderer renderer;
  Framebuffer target;
  explicit Studio(int width = 240, int height = 160, RenderSettings settings = small())
      : renderer(settings), target(width, height, {}) {}
  static RenderSettings small() {
    RenderSettings s;
    s.shadow_size = 512;
    s.quad_pixels = 12;
    s.reach = 300;
    return s;
  }
  Image shoot(const Scene& scene, const Viewpoint& view) {
    renderer.draw(scene, view, target);
    target.resolve();
    return target.read();
  }
};

}  // namespace scree::view
