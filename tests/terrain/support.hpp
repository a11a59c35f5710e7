#pragma once
/// Shared by the terrain tests: making ground from TOML text, temporary files, gradient checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/terrain/make.hpp"

namespace scree {

/// A folder that disappears with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("scree_terrain_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline TerrainPtr terrain_from(const std::string& toml, const std::filesystem::path& folder = ".",
                               const MakeContext& context = {.seed = 1}) {
  const Document document = Document::from_text(toml, "test.toml", folder);
  Section root = document.root();
  return make_terrain(root, context);
}

/// The message of the InputError that making this ground throws; "" when it throws none.
inline std::string refusal(const std::string& toml, const std::filesystem::path& folder = ".") {
  try {
    terrain_from(toml, folder);
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "a message is one line";
    return error.what();
  }
  return "";
}

/// Gradients against central differences of the heights at random points of the area. `tolerance` is
/// absolute; it must cover h^2/6 of the third derivative for h = 1e-5 m and the rounding of heights / h.
inline void expect_gradients(const Terrain& terrain, const Rectangle& area, double tolerance,
                             int count = 200) {
  RandomStream random(7, 0, "gradients");
  for (int k = 0; k < count; ++k) {
    const double x = random.uniform(area.x_min, area.x_max), y = random.uniform(area.y_min, area.y_max);
    const double h = 1e-5;
    const TerrainPoint p = terrain.at(x, y);
    EXPECT_NEAR(p.slope_x, (terrain.height(x + h, y) - terrain.height(x - h, y)) / (2 * h), tolerance)
        << "at " << x << ", " << y;
    EXPECT_NEAR(p.slope_y, (terrain.height(x, y + h) - terrain.height(x, y - h)) / (2 * h), tolerance)
        << "at " << x << ", " << y;
  }
}

/// No gradient inside random rectangles exceeds the bound given for them, in all or along any direction, and
/// no two heights differ by more than it allows; returns the tightest ratio seen.
inline double expect_slope_bound(const Terrain& terrain, const Rectangle& area, double size) {
  RandomStream random(8, 0, "bounds"), ways(8, 0, "ways");
  double tightest = 0;
  for (int k = 0; k < 300; ++k) {
    const double x = random.uniform(area.x_min, area.x_max), y = random.uniform(area.y_min, area.y_max);
    const Rectangle box{x, x + random.uniform(0, size), y, y + random.uniform(0, size)};
    const double bound = terrain.slope_bound(box), angle = ways.uniform(-kPi, kPi);
    const Vec2 way(std::cos(angle), std::sin(angle));
    const double along = terrain.slope_bound_along(box, way);
    const double from = terrain.height(box.x_min, box.y_min);
    for (int n = 0; n < 20; ++n) {
      const double px = random.uniform(box.x_min, box.x_max), py = random.uniform(box.y_min, box.y_max);
      const TerrainPoint p = terrain.at(px, py);
      EXPECT_LE(std::abs(p.z - from), bound * std::hypot(px - box.x_min, py - box.y_min) * (1 + 1e-9) + 1e-9);
      const double slope = std::hypot(p.slope_x, p.slope_y);
      EXPECT_LE(slope, bound * (1 + 1e-12) + 1e-15);
      EXPECT_LE(std::abs(p.slope_x * way.x() + p.slope_y * way.y()), along * (1 + 1e-12) + 1e-15);
      if (bound > 0) tightest = std::max(tightest, slope / bound);
    }
  }
  return tightest;
}

}  // namespace scree
