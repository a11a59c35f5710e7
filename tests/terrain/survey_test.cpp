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

/// Highest at x = 0, and a little higher with y.
class RidgeGround final : public Terrain {
 public:
  void sample(const TerrainRow& row) const override {
    for (int k = 0; k < row.count; ++k) {
      row.z[k] = 0.2 * std::cos(kPi * row.x[k] / 4) + 0.01 * row.y[k];
      row.slope_x[k] = -0.05 * kPi * std::sin(kPi * row.x[k] / 4), row.slope_y[k] = 0.01;
    }
  }
  std::string summary() const override { return "ridge"; }
};

TEST(Survey, MapsAreLitFromTheNorthWestAndColouredByHeight) {
  const TerrainMap map = map_terrain(RidgeGround(), {.area = {-4, 4, -3, 3}, .largest = 200});
  EXPECT_EQ(map.width, 200);
  EXPECT_EQ(map.height, 150);
  ASSERT_EQ(map.rgb.size(), 200u * 150 * 3);
  EXPECT_NEAR(map.highest, 0.23, 1e-3);
  const auto brightness = [&](double x, double y) {
    const int i = static_cast<int>((x + 4) / 8 * map.width), j = static_cast<int>((y + 3) / 6 * map.height);
    const std::uint8_t* p = map.rgb.data() + 3 * (j * map.width + i);
    return p[0] + p[1] + p[2];
  };
  EXPECT_GT(brightness(-2, 0), brightness(2, 0) + 100) << "the western side is lit";
  EXPECT_GT(brightness(0, 0), brightness(-3.9, 0) + 100) << "chalk above, slate below";
  EXPECT_GT(brightness(0, 2.9), brightness(0, -2.9)) << "the row of least y comes first";
}

TEST(Survey, AreasWithoutAnExtentAreRefused) {
  EXPECT_THROW(survey_terrain(Sines(), {.area = {3, 3, 0, 1}}), InputError);
}

}  // namespace
}  // namespace scree
