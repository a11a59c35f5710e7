#include "scree/ground/magic_formula.hpp"

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

// The fit of the load functions is checked to 1e-6 when a tyre is built; sines and arc tangents add 1e-14.
constexpr double kFit = 3e-6;

/// Against the curves of the coefficients themselves.
void expect_curves(const Tyre& tyre, std::initializer_list<double> loads) {
  for (const double load : loads) {
    for (const double kappa : {-0.9, -0.14, -0.01, 0.0, 0.003, 0.05, 0.14, 0.5, 3.0}) {
      EXPECT_NEAR(tyre.friction(kappa, 0.0, load).mu_x * load, tyre.longitudinal_force(kappa, load),
                  kFit * load)
          << load << " N, kappa " << kappa;
    }
    for (const double alpha : {-0.7, -0.3, -0.02, 0.0, 0.01, 0.1, 0.3, 0.8}) {
      EXPECT_NEAR(tyre.friction(0.0, std::tan(alpha), load).mu_y * load, tyre.lateral_force(alpha, load),
                  kFit * load)
          << load << " N, alpha " << alpha;
    }
  }
}

TEST(MagicFormula, PureSlipGivesBackTheCoefficientsCurve) {
  expect_curves(Tyre(TyreSettings{}), {1.0, 50.0, 110.0, 400.0, 999.0});
}

TEST(MagicFormula, AllLoadsOfTheDataAreFollowed) {
  for (const double most : {1500.0, 3000.0, 5000.0, 8000.0}) {
    TyreSettings settings;
    settings.max_load = most;
    expect_curves(Tyre(settings), {1.0, 50.0, 0.1 * most, 0.37 * most, 0.5 * most, 0.83 * most, most});
  }
  TyreSettings settings;
  settings.max_load = 60e3;  // the friction that its data extrapolate to is negative there
  EXPECT_THROW(Tyre{settings}, InputError);
}

TEST(MagicFormula, PublishedNumbersOfTheCarTyreAtALightLoad) {
  // Errata 000-11: at 50 N the friction is 1.14 and the peaks lie at 14 % and 17 degrees.
  const Tyre tyre(TyreSettings{});
  EXPECT_NEAR(tyre.peak_force(50) / 50, 1.143, 0.001);
  EXPECT_NEAR(tyre.peak_kappa(50), 0.14, 0.005);
  EXPECT_NEAR(tyre.peak_slip_angle(50) / kDegree, 17, 0.5);
}

TEST(MagicFormula, PeakIsWhereItIsSaidToBe) {
  const Tyre tyre(TyreSettings{});
  const double k = tyre.peak_kappa(110);
  EXPECT_NEAR(tyre.longitudinal_force(k, 110), tyre.peak_force(110), 1e-9 * 110);
  EXPECT_LT(tyre.longitudinal_force(0.9 * k, 110), tyre.peak_force(110));
  EXPECT_LT(tyre.longitudinal_force(1.1 * k, 110), tyre.peak_force(110));
}

TEST(MagicFormula, CombinedSlipStaysInsideTheEllipseOfThePeaks) {
  const Tyre tyre(TyreSettings{});
  const double load = 110;
  const double mx = tyre.peak_force(load) / load;
  const double my = tyre.lateral_force(tyre.peak_slip_angle(load), load) / load;
  for (double kappa = -2; kappa <= 2; kappa += 0.07) {
    for (double tan_alpha = -2; tan_alpha <= 2; tan_alpha += 0.07) {
      const auto f = tyre.friction(kappa, tan_alpha, load);
      EXPECT_LE(std::hypot(f.mu_x / mx, f.mu_y / my), 1 + kFit);
      EXPECT_GE(f.mu_x * kappa, 0);
      EXPECT_GE(f.mu_y * tan_alpha, 0);
    }
  }
}

TEST(MagicFormula, DerivativesMatchDifferencesOnTheRisingBranch) {
  const Tyre tyre(TyreSettings{});
  const double h = 1e-6;
  for (const double kappa : {0.01, 0.04, -0.03}) {
    for (const double tan_alpha : {0.02, -0.05, 0.1}) {
      const auto f = tyre.friction(kappa, tan_alpha, 100.0);
      const auto kx = tyre.friction(kappa + h, tan_alpha, 100.0),
                 mx = tyre.friction(kappa - h, tan_alpha, 100.0);
      const auto ky = tyre.friction(kappa, tan_alpha + h, 100.0),
                 my = tyre.friction(kappa, tan_alpha - h, 100.0);
      EXPECT_NEAR(f.xx, (kx.mu_x - mx.mu_x) / (2 * h), 1e-6);
      EXPECT_NEAR(f.yx, (kx.mu_y - mx.mu_y) / (2 * h), 1e-6);
      EXPECT_NEAR(f.xy, (ky.mu_x - my.mu_x) / (2 * h), 1e-6);
      EXPECT_NEAR(f.yy, (ky.mu_y - my.mu_y) / (2 * h), 1e-6);
    }
  }
}

TEST(MagicFormula, LanesAgreeWithOneWheel) {
  const Tyre tyre(TyreSettings{});
  const Lanes kappa{0.01, -0.2, 0.5, 0}, tan_alpha{0.1, 0, -0.4, 0}, load{20, 110, 300, 0};
  const auto four = tyre.friction(kappa, tan_alpha, load);
  for (int i = 0; i < kLanes; ++i) {
    const auto one = tyre.friction(double(kappa[i]), double(tan_alpha[i]), double(load[i]));
    EXPECT_NEAR(four.mu_x[i], one.mu_x, 1e-14);
    EXPECT_NEAR(four.mu_y[i], one.mu_y, 1e-14);
    EXPECT_NEAR(four.xx[i], one.xx, 1e-12);
  }
}

TEST(MagicFormula, ConstantKindHasTheSameFrictionAtAllLoads) {
  TyreSettings settings;
  settings.kind = "constant";
  settings.friction = 0.8;
  const Tyre tyre(settings);
  for (const double load : {1.0, 100.0, 900.0}) {
    EXPECT_NEAR(tyre.friction(settings.peak_slip, 0.0, load).mu_x, 0.8, 1e-6);
    EXPECT_NEAR(tyre.friction(0.0, std::tan(settings.peak_slip_angle), load).mu_y, 0.8, 1e-6);
  }
}

TEST(MagicFormula, CoefficientsWithoutAUsableCurveAreRefused) {
  TyreSettings settings;
  settings.longitudinal.a[1] = -5;
  EXPECT_THROW(Tyre{settings}, InputError);
  settings.longitudinal.a[1] = NAN;
  EXPECT_THROW(Tyre{settings}, InputError);
}

}  // namespace
}  // namespace scree
