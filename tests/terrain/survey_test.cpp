#include "scree/terrain/survey.hpp"

#include <cmath>

#include "scree/terrain/flat.hpp"
#include "scree/terrain/sines.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

TEST(Survey, APlaneIsRecognised) {
  const Survey s = survey_terrain(Flat({.height = 5, .slope = 0.3, .uphill = 1}), {.area = {-2, 4, 0, 3}});
  EXPECT_NEAR(s.plane_slope, 0.3, 1e-9);
  EXPECT_NEAR(s.mean_slope, 0.3, 1e-9);
  EXPECT_NEAR(s.largest_slope, 0.3, 1e-6);
  EXPECT_NEAR(s.rms_plane, 0, 1e-7);
  EXPECT_GT(s.rms_height, 0.3);
}

TEST(Survey, SinesHaveTheirMoments) {
  // Whole waves: mean 0, rms a/2, rms slope a k / 2 along each axis.
  const Sines sines({.amplitude = 0.2, .wavelength_x = 2, .wavelength_y = 2});
  const Survey s = survey_terrain(sines, {.area = {-2, 2, -2, 2}, .largest = 256});
  EXPECT_NEAR(s.mean, 0, 1e-9);
  EXPECT_NEAR(s.rms_height, 0.1, 1e-6);
  EXPECT_NEAR(std::tan(s.rms_slope), 0.2 * kPi * std::sqrt(0.5), 1e-6);
  // The nearest look at a crest is half a step (1/128 m) off along each axis: 0.2 (pi/128)^2 lower.
  EXPECT_NEAR(s.highest, 0.2, 1.3e-4);
  EXPECT_LE(s.slope_50, s.slope_95);
  EXPECT_LE(s.slope_95, s.largest_slope);
}

TEST(Survey, PictureIsAPng) {
  const TemporaryFolder folder;
  write_terrain_picture(folder.path() / "p.png", Sines(), {.area = {-4, 4, -3, 3}, .largest = 200});
  std::ifstream in(folder.path() / "p.png", std::ios::binary);
  std::string head(8, ' ');
  in.read(head.data(), 8);
  EXPECT_EQ(head, "\x89PNG\r\n\x1a\n");
  EXPECT_THROW(write_terrain_picture(folder.path() / "no" / "p.png", Sines(), {.largest = 64}), RunError);
  EXPECT_THROW(survey_terrain(Sines(), {.area = {3, 3, 0, 1}}), InputError);
}

}  // namespace
}  // namespace scree
