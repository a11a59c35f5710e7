#include <cmath>

#include "scree/terrain/craters.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/rocks.hpp"
#include "scree/terrain/scatter.hpp"
#include "scree/terrain/step_field.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

TEST(Craters, ShapeIsPikes) {
  // Pike 1977: a crater of 1 km is 196 m deep with a rim of 36 m, on a flank 257 m wide.
  const CraterShape km = fresh_crater(1000);
  EXPECT_NEAR(km.depth, 196, 1e-9);
  EXPECT_NEAR(km.rim, 36, 1e-9);
  EXPECT_NEAR(km.flank, 257, 1e-9);
  const Crater fresh({0, 0}, 10, 1);
  const CraterShape shape = fresh_crater(10);
  EXPECT_NEAR(fresh.profile(0).first, shape.rim - shape.depth, 1e-12);
  EXPECT_NEAR(fresh.profile(5).first, shape.rim, 1e-12);
  EXPECT_EQ(fresh.profile(fresh.reach()).first, 0);
  EXPECT_NEAR(Crater({0, 0}, 10, 0.5).profile(0).first, 0.5 * (shape.rim - shape.depth), 1e-12);
}

TEST(Craters, NumbersFollowTheCumulativeLaw) {
  const CraterSettings s{.density = 0.02, .exponent = 1.83, .smallest = 1, .largest = 50, .seed = 3};
  const Rectangle area{0, 300, 0, 300};
  const std::vector<Crater> craters = draw_craters(area, s);
  for (const double d : {1.0, 2.0, 5.0, 10.0}) {
    double found = 0;
    for (const Crater& c : craters) found += area.contains(c.centre.x(), c.centre.y()) && c.diameter > d;
    const double expected = 0.02 * (std::pow(d, -1.83) - std::pow(50, -1.83)) * 90000;
    EXPECT_NEAR(found, expected, 4 * std::sqrt(expected)) << d;  // Poisson: four standard deviations
  }
}

TEST(Craters, HartmannsSaturationIsTheDefault) {
  // log10 N = -1.83 log10 D - 1.14 per km^2 with D in km: at 1 m, 10^(-1.14 + 5.49) per km^2.
  EXPECT_NEAR(CraterSettings{}.density, std::pow(10, -1.14 + 3 * 1.83) * 1e-6, 5e-5);
}

TEST(Rocks, CoverIsGolombekAndRapps) {
  // k = 0.1: q = 1.79 + 1.52 = 3.31.
  EXPECT_NEAR(rock_cover(0.1, 0.5), 0.1 * std::exp(-3.31 * 0.5), 1e-15);
  const RockSettings s{.cover = 0.1, .smallest = 0.1, .largest = 3};
  // The area under rocks between two sizes is the difference of F: the integral of n pi D^2 / 4.
  double area = 0;
  for (double d = 0.1; d < 2.9999; d += 0.01) {
    area += (rock_number(s, d) - rock_number(s, d + 0.01)) * 0.25 * kPi * (d + 0.005) * (d + 0.005);
  }
  EXPECT_NEAR(area, rock_cover(0.1, 0.1) - rock_cover(0.1, 3), 0.002 * area);
}

TEST(Rocks, DrawnRocksCoverWhatTheLawSays) {
  const Rectangle ground{0, 60, 0, 60};
  const RockSettings s{.cover = 0.1, .smallest = 0.2, .largest = 2, .seed = 8};
  double covered = 0, count = 0;
  for (const Rock& rock : draw_rocks(ground, s)) {
    if (!ground.contains(rock.centre.x(), rock.centre.y())) continue;
    covered += 0.25 * kPi * rock.diameter * rock.diameter, count += 1;
  }
  EXPECT_NEAR(count, rock_number(s, 0.2) * 3600, 4 * std::sqrt(rock_number(s, 0.2) * 3600));
  // Few large rocks carry much of the area: it scatters by about 3 %.
  EXPECT_NEAR(covered / 3600, rock_cover(0.1, 0.2) - rock_cover(0.1, 2), 0.12 * rock_cover(0.1, 0.2));
}

TEST(Rocks, PowerLaw) {
  const RockSettings s{.law = RockLaw::power, .density = 0.05, .exponent = 2, .smallest = 0.2, .largest = 4};
  EXPECT_NEAR(rock_number(s, 0.5), 0.05 * (4 - 1.0 / 16), 1e-9);
}

TEST(Rocks, StandOnTheGroundAndNoHigherThanTheyAre) {
  const TerrainPtr t = terrain_from(
      "kind = 'rocks'\ncover = 0.2\nsize = [4, 4]\ncell = 0.02\nsmallest = 0.1\nlargest = 0.6\nseed = 5");
  double highest = 0, covered = 0;
  for (double x = -1.99; x < 2; x += 0.02) {
    for (double y = -1.99; y < 2; y += 0.02) {
      const double z = t->height(x, y);
      EXPECT_GE(z, 0);
      highest = std::max(highest, z);
      covered += z > 0.005;
    }
  }
  EXPECT_GT(highest, 0.05);
  EXPECT_LE(highest, 0.6 * 0.5 * 1.2);
  EXPECT_GT(covered / 40000, 0.03);
  EXPECT_LT(covered / 40000, 0.25);
}

TEST(Rocks, RoundOnesAreDomesAndFacesCut) {
  Rock rock{.diameter = 1, .elongation = 1.5, .height = 0.5};
  EXPECT_NEAR(rock.at(0, 0).z, 0.5, 1e-12);
  // Half-way out, against a half sphere.
  const double half = 0.25 * std::sqrt(1.5);
  EXPECT_NEAR(rock.at(half, 0).z, 0.5 * std::sqrt(0.75), 0.04 * 0.5);
  EXPECT_EQ(rock.at(rock.reach() * 1.001, 0).z, 0);
  rock.faces[0] = Vec3(0, 0, 1) / 0.7;
  EXPECT_NEAR(rock.at(0, 0).z, 0.35, 1e-12);  // a flat top
}

TEST(Strewn, AskedOneByOneOrOnAGridIsTheSame) {
  for (const std::string kind : {"rocks", "craters"}) {
    const std::string toml =
        "kind = '" + kind + "'\nsize = [12, 9]\ncell = 0.1\nsmallest = 0.3\nlargest = 3\nseed = 5\n";
    const TerrainPtr grid = terrain_from(toml), exact = terrain_from(toml + "sampled = false");
    double highest = -1e9, lowest = 1e9;
    for (double x = -6; x <= 6.01; x += 0.1) {
      for (double y = -4.5; y <= 4.51; y += 0.1) {
        EXPECT_NEAR(exact->height(x, y), grid->height(x, y), 1e-5) << kind;
        highest = std::max(highest, exact->height(x, y)), lowest = std::min(lowest, exact->height(x, y));
      }
    }
    EXPECT_GT(highest - lowest, 0.1);
    expect_slope_bound(*exact, exact->bounds(), 0.4);
    // Against differences; feet, crests and faces are creases that few random points fall on.
    RandomStream random(2, 0, "strewn");
    int wrong = 0;
    for (int k = 0; k < 500; ++k) {
      const double x = random.uniform(-6, 6), y = random.uniform(-4, 4), h = 1e-6;
      wrong += std::abs(exact->at(x, y).slope_x -
                        (exact->height(x + h, y) - exact->height(x - h, y)) / (2 * h)) > 1e-4;
      wrong += std::abs(exact->at(x, y).slope_y -
                        (exact->height(x, y + h) - exact->height(x, y - h)) / (2 * h)) > 1e-4;
    }
    EXPECT_LE(wrong, 2) << kind;
  }
}

TEST(Scatter, PoissonMeanAndVariance) {
  RandomStream random(1, 0, "poisson");
  double sum = 0, sum2 = 0;
  for (int k = 0; k < 4000; ++k) {
    const double n = static_cast<double>(poisson_count(random, 7.5, "test"));
    sum += n, sum2 += n * n;
  }
  const double mean = sum / 4000, variance = sum2 / 4000 - mean * mean;
  EXPECT_NEAR(mean, 7.5, 4 * std::sqrt(7.5 / 4000));
  EXPECT_NEAR(variance, 7.5, 1);
  EXPECT_EQ(poisson_count(random, 0, "test"), 0u);
  EXPECT_THROW(poisson_count(random, 1e12, "test"), InputError);
}

TEST(StepField, PostsAreLevelAndEdgesExact) {
  const StepField field(
      {.size = {1.2, 0.8}, .post = 0.1, .rise = 0.05, .levels = 4, .edge = 0.02, .seed = 2});
  EXPECT_EQ(field.posts_x(), 12);
  EXPECT_EQ(field.posts_y(), 8);
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 12; ++i) {
      const TerrainPoint p = field.at(-0.6 + 0.1 * i + 0.05, -0.4 + 0.1 * j + 0.05);
      EXPECT_EQ(p.z, field.post_height(i, j));
      EXPECT_EQ(p.slope_x, 0);
      const double level = p.z / 0.05;
      EXPECT_NEAR(level, std::round(level), 1e-12);
      EXPECT_LT(p.z, 0.2);
    }
  }
  // Curvature at the ends of an edge jumps by 6 rise / edge^2 = 2,250 /m at most: times h = 1e-5.
  expect_gradients(field, {-0.6, 0.6, -0.4, 0.4}, 0.03);
  expect_slope_bound(field, {-0.7, 0.7, -0.5, 0.5}, 0.3);
}

TEST(StepField, HillsGrowTowardsTheMiddle) {
  const StepField hill({.size = {2, 1}, .post = 0.1, .rise = 0.1, .levels = 1, .pattern = StepPattern::hill});
  EXPECT_EQ(hill.post_height(0, 3), 0);
  EXPECT_NEAR(hill.post_height(10, 3), 0.2, 1e-12);
  EXPECT_THAT(refusal("kind = 'step_field'\nedge = 0.2"), HasSubstr("edge"));
}

TEST(Makers, SameSeedSameGround) {
  for (const char* kind : {"fbm", "noise", "craters", "rocks", "step_field"}) {
    const std::string toml = std::string("kind = '") + kind + "'\nsize = [8, 8]\n" +
                             (std::string(kind) == "step_field" ? "" : "cell = 0.1\n");
    const TerrainPtr a = terrain_from(toml, ".", {.seed = 11}),
                     b = terrain_from(toml, ".", {.seed = 11, .threads = 3}),
                     c = terrain_from(toml, ".", {.seed = 12});
    double difference = 0;
    for (double x = -4; x < 4; x += 0.37) {
      for (double y = -4; y < 4; y += 0.41) {
        EXPECT_EQ(a->height(x, y), b->height(x, y)) << kind;
        difference += std::abs(a->height(x, y) - c->height(x, y));
      }
    }
    EXPECT_GT(difference, 0) << kind;
  }
}

TEST(Noise, HasItsRmsAndCorrelation) {
  // 40 m hold (40 / 0.5)^2 independent patches or so: the mean square is known to 2 %.
  const TerrainPtr t =
      terrain_from("kind = 'noise'\nrms = 0.03\nlength = 0.5\nsize = [40, 40]\ncell = 0.1\nseed = 6");
  double square = 0, product = 0, n = 0;
  for (double x = -19; x < 19; x += 0.1) {
    for (double y = -19; y < 19; y += 0.2) {
      const double z = t->height(x, y);
      square += z * z, product += z * t->height(x + 0.5, y), n += 1;
    }
  }
  EXPECT_NEAR(std::sqrt(square / n), 0.03, 0.0015);
  EXPECT_NEAR(product / square, std::exp(-1), 0.05);
}

}  // namespace
}  // namespace scree
