/// The 3-D picture of a piece of ground: all of it in the picture, high ground in the colour of high ground.
#include "scree/view/terrain_view.hpp"
#include <fmt/format.h>

#include "scree/core/errors.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

bool like(const std::uint8_t* a, const std::uint8_t* b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) < 24;
}

/// A plain with one round hill.
class Hill : public Terrain {
 public:
  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) {
      const double r2 = (row.x[k] * row.x[k] + row.y[k] * row.y[k]) / 9;
      row.z[k] = 100 + std::exp(-r2);
      row.slope_x[k] = -2 * row.x[k] / 9 * std::exp(-r2), row.slope_y[k] = -2 * row.y[k] / 9 * std::exp(-r2);
    }
  }
  std::string summary() const override { return "hill"; }
};

TEST(TerrainView, AllOfTheGroundIsInThePicture) {
  Folder folder;
  const Hill ground;
  for (const Rectangle& area : {Rectangle{-10, 10, -10, 10}, Rectangle{-20, 20, -6, 6}}) {
    write_terrain_view(folder / "hill.png", ground, {.area = area, .width = 640});
    const Image image = read_image(folder / "hill.png");
    ASSERT_EQ(image.width, 640);
    ASSERT_EQ(image.height, 400);
    const std::uint8_t* sky = image.at(2, 2);
    int ground_pixels = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        if (like(image.at(x, y), sky)) continue;
        ++ground_pixels;
        // The legend stands in the lower right corner.
        if (x > 540 && y > 260) continue;
        EXPECT_TRUE(x > 4 && y > 4 && x < 635 && y < 395) << x << ", " << y;
      }
    EXPECT_GT(ground_pixels, 0.2 * 640 * 400);
  }
}

TEST(TerrainView, TheHilltopIsPaleAndThePlainIsNot) {
  Folder folder;
  write_terrain_view(folder / "hill.png", Hill(), {.area = {-10, 10, -10, 10}, .width = 320});
  const Image image = read_image(folder / "hill.png");
  const std::uint8_t *top = image.at(160, 88), *plain = image.at(90, 110);
  EXPECT_GT(luma(top), luma(plain) + 30);
  EXPECT_GT(plain[1], plain[0]) << "low ground is green";
  EXPECT_THROW(write_terrain_view(folder / "no" / "hill.png", Hill(), {.width = 320}), RunError);
  EXPECT_THROW(write_terrain_view(folder / "a.png", Hill(), {.exaggeration = 0}), InputError);
}

#ifdef SCREE_HAVE_COMMAND
TEST(TerrainView, CommandWritesIt) {
  Folder folder;
  const auto result = testing::run_program(
      fmt::format("{} terrain info bump --area -5 5 -5 5 --pixels 320 --picture-3d {} --exaggerate 2 2>&1",
                  command(), (folder / "bump.png").string()));
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(read_image(folder / "bump.png").width, 320);
  EXPECT_NE(result.output.find("picture_3d"), std::string::npos);
}
#endif

}  // namespace
}  // namespace scree::view
