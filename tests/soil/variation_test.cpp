#include "scree/soil/variation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/count_allocations.hpp"
#include "support/errors.hpp"

#include "support/count_allocations.cpp"

namespace scree {
namespace {

TEST(GaussianField, MeanVarianceAndCorrelationOverManyFields) {
  constexpr int kFields = 4000;
  double mean = 0, square = 0, near = 0, far = 0, fourth = 0;
  for (int i = 0; i < kFields; ++i) {
    const GaussianField field(2.0, static_cast<std::uint64_t>(i), "test");
    const double a = field.at(3, -1), b = field.at(3 + 2 / std::sqrt(2.0), -1 + 2 / std::sqrt(2.0));
    mean += a / kFields, square += a * a / kFields, near += a * b / kFields;
    far += a * field.at(43, 20) / kFields, fourth += a * a * a * a / kFields;
  }
  // Four standard errors of the mean of 4,000 products of unit normals: 4 sqrt(2/4000) = 0.09.
  EXPECT_NEAR(mean, 0, 0.07);
  EXPECT_NEAR(square, 1, 0.09);
  EXPECT_NEAR(near, std::exp(-0.5), 0.09) << "a distance of one correlation length";
  EXPECT_NEAR(far, 0, 0.09);
  EXPECT_NEAR(fourth, 3, 0.6) << "Gaussian: four standard errors sqrt(96/4000)";
}

TEST(GaussianField, NamedStreams) {
  const GaussianField a(1, 7, "soil.cohesion"), b(1, 7, "soil.cohesion"), c(1, 7, "soil.density"),
      d(1, 8, "soil.cohesion");
  EXPECT_EQ(a.at(0.3, 0.4), b.at(0.3, 0.4));
  EXPECT_NE(a.at(0.3, 0.4), c.at(0.3, 0.4));
  EXPECT_NE(a.at(0.3, 0.4), d.at(0.3, 0.4));
}

TEST(SoilVariation, KeepsTheMeanAndThePublishedSpread) {
  Soil soil;
  soil.cohesion = 800;
  soil.frictional_modulus = 1e6;
  soil.spread = {{"frictional_modulus", 0.8e6, 1.1e6}};
  double mean = 0, square = 0;
  constexpr int kFields = 4000;
  for (int i = 0; i < kFields; ++i) {
    const SoilVariation variation(
        {.correlation_length = 1, .deviation = {{"cohesion", 0.3}, {"frictional_modulus", 0.5}}},
        static_cast<std::uint64_t>(i));
    const SoilNumbers here = variation.at(soil, 0.1, 0.2);
    mean += here.cohesion / kFields, square += here.cohesion * here.cohesion / kFields;
    EXPECT_GE(here.frictional_modulus, 0.8e6);
    EXPECT_LE(here.frictional_modulus, 1.1e6);
    EXPECT_EQ(here.density, soil.density);
  }
  EXPECT_NEAR(mean / 800, 1, 4 * 0.3 / std::sqrt(kFields));
  EXPECT_NEAR(std::sqrt(square - mean * mean) / 800, 0.3, 0.03);
}

TEST(SoilVariation, AllocatesNothingAtAPlace) {
  const SoilVariation variation({.correlation_length = 1, .deviation = {{"cohesion", 0.3}}}, 1);
  const Soil soil;
  testing::AllocationCounter counter;
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += variation.at(soil, i, 0).cohesion;
  EXPECT_EQ(counter.count(), 0);
  EXPECT_EQ(sum, 0);
}

TEST(SoilVariation, RefusesUnknownNumbers) {
  EXPECT_THAT(testing::message_of([] {
                read<SoilVariationSettings>(Document::from_text("deviation = { cohesoin = 0.2 }").root());
              }),
              ::testing::HasSubstr("cohesion"));
}

}  // namespace
}  // namespace scree
