#include "scree/terrain/fbm.hpp"

#include <cmath>

#include "scree/terrain/grid.hpp"
#include "scree/terrain/identify.hpp"
#include "scree/terrain/spectrum.hpp"
#include "scree/terrain/validate_fbm.hpp"
#include "terrain/support.hpp"

namespace scree {
namespace {

using ::testing::HasSubstr;

GridGeometry square(int cells, double length) {
  return GridGeometry::spanning(cells + 1, cells + 1, {0, length, 0, length});
}

TEST(Spectrum, EqualsTheSumOfWaves) {
  // Against the definition, term by term, for even and odd lengths.
  for (const auto& [nx, ny] : {std::pair{8, 6}, {6, 9}, {9, 4}, {5, 5}, {1, 6}, {7, 1}, {1, 1}}) {
    RealSpectrum map(nx, ny);
    std::vector<double> z(nx * ny);
    RandomStream random(4, 0, "wave");
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) map.row(j)[i] = static_cast<float>(z[j * nx + i] = random.normal());
    }
    map.forward();
    for (int ky = 0; ky < ny; ++ky) {
      for (int kx = 0; kx <= nx / 2; ++kx) {
        std::complex<double> sum = 0;
        for (int j = 0; j < ny; ++j) {
          for (int i = 0; i < nx; ++i) {
            sum += z[j * nx + i] *
                   std::polar(
                       1.0, -2 * kPi * (static_cast<double>(i) * kx / nx + static_cast<double>(j) * ky / ny));
          }
        }
        EXPECT_NEAR(std::abs(map.coefficient(kx, ky) - sum), 0, 3e-6);  // float32 of numbers up to 10
      }
    }
    map.inverse();
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) EXPECT_NEAR(map.row(j)[i], z[j * nx + i], 2e-6);
    }
  }
}

TEST(Fbm, CoefficientsFollowTheConvention) {
  // With random phase only, every |z_jk|^2 is its expectation: synthesis then identification is exact.
  const FbmSettings s{.hurst = 0.33, .sigma = 0.0035, .gaussian = false, .seed = 3};
  const HeightField f = make_fbm(square(64, 2.0), s);
  const FbmEstimate e = identify_fbm(f, {.detrend = Detrend::mean});
  EXPECT_EQ(e.nx, 64);
  EXPECT_NEAR(e.hurst, 0.33, 1e-5);
  EXPECT_NEAR(e.sigma_raw, 0.0035, 1e-7);
  EXPECT_NEAR(e.sigma, e.sigma_raw / kSigmaBias, 1e-9);
  EXPECT_NEAR(e.rms, fbm_expected_rms(s, 64, 64, 2.0 / 64, 2.0 / 64), 1e-8);
}

TEST(Fbm, RmsAgreesWithTheStonesOfThePaper) {
  // errata 001-5..8: gravel 6.0 mm, chopped brick 13.3 mm; 1.748 sigma and 1.691 sigma.
  EXPECT_NEAR(fbm_limit_rms(0.33, 0.0035, 1), 1.748 * 0.0035, 0.0005 * 0.0035);
  EXPECT_NEAR(fbm_limit_rms(0.36, 0.0080, 1), 1.691 * 0.0080, 0.0005 * 0.0080);
  // The finite sum tends to it: what is missing beyond Nyquist is of order N^-2H.
  const FbmSettings gravel{.hurst = 0.33, .sigma = 0.0035};
  const double limit = fbm_limit_rms(0.33, 0.0035, 1);
  const double n128 = fbm_expected_rms(gravel, 128, 128, 1.0 / 128, 1.0 / 128);
  const double n1024 = fbm_expected_rms(gravel, 1024, 1024, 1.0 / 1024, 1.0 / 1024);
  EXPECT_LT(n128, n1024);
  EXPECT_LT(n1024, limit);
  EXPECT_NEAR((limit * limit - n128 * n128) / (limit * limit - n1024 * n1024), std::pow(8, 0.66), 0.1);
  EXPECT_NEAR(n128, 0.0060, 0.0001);
  EXPECT_NEAR(fbm_expected_rms({.hurst = 0.36, .sigma = 0.0080}, 128, 128, 1.0 / 128, 1.0 / 128), 0.0133,
              0.0002);
}

TEST(Fbm, TheRepeatedEdgeCloses) {
  const HeightField f = make_fbm(square(32, 1), {.seed = 9});
  for (int k = 0; k <= 32; ++k) {
    EXPECT_EQ(f.at(0, k), f.at(32, k));
    EXPECT_EQ(f.at(k, 0), f.at(k, 32));
  }
  const HeightField cut = make_fbm(square(32, 1), {.period = 2, .seed = 9});
  int same = 0;
  for (int k = 0; k <= 32; ++k) same += cut.at(0, k) == cut.at(32, k);
  EXPECT_LT(same, 3);
}

TEST(Fbm, AFinerCellAddsDetailToTheSameGround) {
  const HeightField coarse = make_fbm(square(64, 1), {.hurst = 0.9, .sigma = 0.01, .seed = 5});
  const HeightField fine = make_fbm(square(256, 1), {.hurst = 0.9, .sigma = 0.01, .seed = 5});
  double difference = 0, total = 0;
  for (int j = 0; j < 64; ++j) {
    for (int i = 0; i < 64; ++i) {
      difference += std::pow(coarse.at(i, j) - fine.at(4 * i, 4 * j), 2);
      total += std::pow(coarse.at(i, j), 2);
    }
  }
  // H = 0.9 leaves (64/2)^-1.8 = 0.2 % of the power above the coarse Nyquist frequency.
  EXPECT_LT(difference / total, 0.01);
}

TEST(Fbm, SeedsAndThreads) {
  const FbmSettings s{.seed = 21};
  const HeightField one = make_fbm(square(96, 1), s, 1), three = make_fbm(square(96, 1), s, 3);
  EXPECT_EQ(one.z, three.z);
  EXPECT_NE(one.z, make_fbm(square(96, 1), {.seed = 22}).z);
}

TEST(Fbm, AnySizeAndCell) {
  // Rectangles, prime numbers of cells, unequal steps: same level of the spectrum.
  for (const GridGeometry& g :
       {GridGeometry{301, 151, 0, 0, 0.01, 0.01}, GridGeometry{204, 199, 5, 6, 0.02, 0.01}}) {
    double hurst = 0, sigma = 0;
    for (int seed = 0; seed < 10; ++seed) {
      const HeightField f =
          make_fbm(g, {.hurst = 0.6, .sigma = 0.01, .period = 2, .seed = static_cast<std::uint64_t>(seed)});
      const FbmEstimate e = identify_fbm(f, {});
      hurst += e.hurst / 10, sigma += e.sigma / 10;
      EXPECT_TRUE(e.fractal) << (e.reasons.empty() ? "" : e.reasons[0]);
    }
    EXPECT_NEAR(hurst, 0.6, 0.05);
    EXPECT_NEAR(sigma, 0.01, 0.0012);
  }
}

TEST(Fbm, ValidationPasses) {
  for (const FbmCheck& c : validate_fbm(50)) {
    EXPECT_TRUE(c.pass) << c.name << ": published " << c.published << ", ours " << c.ours << ", bar "
                        << c.bar;
  }
}

TEST(Fbm, FromAScenario) {
  const TerrainPtr t =
      terrain_from("kind = 'fbm'\nhurst = 0.36\nsigma = 0.008\nsize = [2, 1]\ncell = 0.01\nseed = 4");
  const Grid& grid = dynamic_cast<const Grid&>(*t);
  EXPECT_EQ(grid.geometry().nx, 201);
  EXPECT_EQ(grid.geometry().ny, 101);
  EXPECT_THAT(refusal("kind = 'fbm'\nhurst = 1.2"), HasSubstr("hurst"));
  EXPECT_THAT(refusal("kind = 'fbm'\nsize = [1e6, 1e6]\ncell = 0.001"), HasSubstr("coarser cell"));
  EXPECT_THAT(refusal("kind = 'fbm'\nsize = [30, 30]\ncell = 0.001\nperiod = 20"), HasSubstr("period"));
}

TEST(Identify, StandardErrorsAreThoseOfManyMaps) {
  // errata 001-7/8: one map of N = 128 scatters by 0.013 in H and 5 % in sigma.
  double sum = 0, sum2 = 0, claimed = 0, claimed_sigma = 0;
  for (int seed = 0; seed < 40; ++seed) {
    const FbmEstimate e = identify_fbm(make_fbm(square(128, 1), {.seed = static_cast<std::uint64_t>(seed)}),
                                       {.detrend = Detrend::mean});
    sum += e.hurst, sum2 += e.hurst * e.hurst;
    claimed += e.hurst_error / 40;
    claimed_sigma += e.sigma_error / e.sigma / 40;
    EXPECT_NEAR(e.scatter, 0.803, 0.04);
    EXPECT_TRUE(e.fractal) << e.reasons[0];
    EXPECT_NEAR(e.anisotropy, 1.05, 0.1);
  }
  const double sd = std::sqrt(sum2 / 40 - sum / 40 * sum / 40);
  EXPECT_NEAR(claimed, sd, 0.3 * sd);  // the sd of 40 numbers is known to 11 %
  EXPECT_NEAR(claimed, 0.013, 0.002);
  EXPECT_NEAR(claimed_sigma, 0.05, 0.01);
}

TEST(Identify, AScanWhoseEdgesDoNotMeetIsTapered) {
  // Cut from a larger map: the jump from edge to edge would leak into the spectrum.
  double sum = 0, sum2 = 0, claimed = 0, sigma = 0;
  for (int seed = 0; seed < 30; ++seed) {
    const HeightField f = make_fbm(
        square(128, 1), {.hurst = 0.7, .sigma = 0.01, .period = 3, .seed = static_cast<std::uint64_t>(seed)});
    const FbmEstimate e = identify_fbm(f);
    EXPECT_TRUE(e.tapered);
    EXPECT_TRUE(e.fractal) << e.reasons[0];
    sum += e.hurst, sum2 += e.hurst * e.hurst, claimed += e.hurst_error / 30, sigma += e.sigma / 30;
  }
  const double sd = std::sqrt(sum2 / 30 - sum / 30 * sum / 30);
  EXPECT_NEAR(sum / 30, 0.7, 0.03);
  EXPECT_NEAR(sigma, 0.01, 0.001);
  EXPECT_NEAR(claimed, sd, 0.4 * sd);  // the sd of 30 numbers is known to 13 %
}

TEST(Identify, SaysWhenTheGroundIsNotFractal) {
  const auto judged = [](double (*height)(double, double)) {
    HeightField f = make_field(square(100, 10), "test");
    for (int j = 0; j <= 100; ++j) {
      for (int i = 0; i <= 100; ++i)
        f.at(i, j) = static_cast<float>(height(f.geometry.x(i), f.geometry.y(j)));
    }
    return identify_fbm(f);
  };
  const FbmEstimate ramp = judged([](double x, double y) { return 0.3 * x - 0.1 * y + 7; });
  EXPECT_FALSE(ramp.fractal);
  EXPECT_THAT(ramp.reasons.at(0), HasSubstr("ramp"));
  EXPECT_FALSE(judged([](double, double) { return 2.0; }).fractal);
  EXPECT_FALSE(judged([](double x, double) { return x > 5 ? 0.2 : 0.0; }).fractal);
  EXPECT_FALSE(judged([](double x, double) { return std::floor(2 * x) * 0.17; }).fractal);
  EXPECT_FALSE(judged([](double x, double y) { return 0.15 * std::sin(1.5 * x) * std::cos(y); }).fractal);
  EXPECT_FALSE(judged([](double x, double y) { return std::hypot(x - 5, y - 5) < 2 ? 0.5 : 0.0; }).fractal);
}

TEST(Identify, NotesAnisotropy) {
  HeightField f =
      make_fbm(GridGeometry{129, 129, 0, 0, 0.01, 0.01}, {.hurst = 0.5, .sigma = 0.01, .seed = 2});
  f.geometry.step_x = 0.03;  // stretched: waves along y are steeper at the same frequency
  const FbmEstimate e = identify_fbm(f);
  EXPECT_GT(e.anisotropy, 1.5);
  EXPECT_NEAR(e.roughest_direction, kPi / 2, 40 * kDegree);
}

TEST(Identify, RefusesTooFewSamples) {
  EXPECT_THROW(identify_fbm(make_field({5, 20, 0, 0, 1, 1}, "small")), InputError);
}

}  // namespace
}  // namespace scree
