#include "scree/ground/closed_form.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/random.hpp"

namespace scree {
namespace {

/// Gauss-Legendre with many panels of the straight stresses of Ding 2011: sigma and tau rise from zero at
/// entry and exit to their peaks at theta_m.
struct Straight {
  double fn = 0, mr = 0, fdp = 0;
};
Straight integrate_straight(const SoilWheel& w, double th1, double th2, double thm, double sigma_m,
                            double tau_m) {
  Straight out;
  const double x[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
  const double c[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                       0.2369268850561891};
  const double r = w.radius, b = w.width, rs = w.shear_radius();
  const auto zone = [&](double from, double to, double zero) {
    constexpr int kPanels = 16;
    for (int p = 0; p < kPanels; ++p) {
      const double half = 0.5 * (to - from) / kPanels, mid = from + (2 * p + 1) * half;
      for (int i = 0; i < 5; ++i) {
        const double th = mid + half * x[i], d = half * c[i];
        const double share = (th - zero) / (thm - zero);
        const double s = sigma_m * share, t = tau_m * share;
        out.fn += d * b * (r * s * std::cos(th) + rs * t * std::sin(th));
        out.fdp += d * b * (rs * t * std::cos(th) - r * s * std::sin(th));
        out.mr += d * b * rs * rs * t;
      }
    }
  };
  zone(thm, th1, th1);
  if (thm > th2) zone(th2, thm, th2);
  return out;
}

Soil plain(const char* name) {
  Soil soil = load_soil(name);
  soil.closed_form = {};
  return soil;
}

TEST(ClosedForm, IsTheExactIntegralOfStraightStresses) {
  RandomStream random(1, 0, "closed");
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    Soil soil = plain(i % 2 == 0 ? "toyoura" : "lunar_simulant");
    soil.exit_ratio = i % 3 == 0 ? 0 : random.uniform(0, 0.9);
    const SoilWheel wheel{.radius = 0.1, .width = 0.1, .lug_height = 0.01 * static_cast<double>(i % 2)};
    const double z = random.uniform(1e-4, 0.07), slip = random.uniform(0, 0.95);
    const auto f = ClosedForm(soil, wheel).forces(z, {slip, 0});
    // The peak stresses, written out again.
    const double th1 = std::acos(1 - z / 0.1), thm = (soil.peak_offset + soil.peak_slip * slip) * th1;
    const double rs = wheel.shear_radius(), lug = std::acos((0.1 - z) / rs);
    const double K = soil.cohesive_modulus / 0.1 + soil.frictional_modulus;
    const double sigma =
        K * std::pow(0.1 * (std::cos(thm) - std::cos(th1)), soil.sinkage_exponent + soil.slip_sinkage * slip);
    const double j = rs * ((lug - thm) - (1 - slip) * (std::sin(lug) - std::sin(thm)));
    const double tau =
        (soil.cohesion + sigma * std::tan(soil.friction_angle)) * (1 - std::exp(-j / soil.shear_modulus));
    const Straight want = integrate_straight(wheel, th1, f.exit, thm, sigma, tau);
    worst = std::max({worst, std::abs(f.normal / want.fn - 1), std::abs(f.torque / want.mr - 1),
                      std::abs(f.drawbar - want.fdp) / want.fn});
  }
  EXPECT_LT(worst, 1e-12);
}

TEST(ClosedForm, CorrectionsOfElDoradoOnToyouraSand) {
  // Ding 2011 Sec. 5.2.2, level ground: the factors by hand at slip 0.4 and a wheel 10 % lighter than the
  // mean.
  const Soil soil = load_soil("toyoura"), bare = plain("toyoura");
  const SoilWheel wheel{.radius = 0.1, .width = 0.1, .lug_height = 0.01};
  const double mean = 86, slip = 0.4;
  const ClosedForm law(soil, wheel, 9.81, mean), uncorrected(bare, wheel);
  const double z = law.sinkage(0.9 * mean, {slip, 0}).depth;
  const auto f = law.forces(z, {slip, 0}), g = uncorrected.forces(z, {slip, 0});
  EXPECT_DOUBLE_EQ(f.normal, g.normal);
  EXPECT_NEAR(f.normal, 0.9 * mean, 1e-9);
  EXPECT_GT(f.torque, g.torque);  // c_M > 0 and a light wheel
  const ClosedForm no_mean(soil, wheel);
  const auto h = no_mean.forces(z, {slip, 0});
  EXPECT_DOUBLE_EQ(h.torque, g.torque);
  EXPECT_NEAR(h.drawbar, g.drawbar * (1 - 0.276 + 0.633 * slip), 1e-12 * f.normal);
}

TEST(ClosedForm, SlopeAndLevelParametersAreThePrintedOnes) {
  const Soil level = load_soil("toyoura"), slope = load_soil("toyoura_slope");
  EXPECT_EQ(level.frictional_modulus, 1796e3);
  EXPECT_EQ(level.cohesion, 24.5);
  EXPECT_NEAR(level.friction_angle / kDegree, 35.75, 1e-12);
  EXPECT_EQ(level.shear_modulus, 0.01045);
  EXPECT_EQ(level.side_shear_modulus, 0.019);
  EXPECT_EQ(level.sinkage_exponent, 0.63);
  EXPECT_EQ(slope.sinkage_exponent, 0.66);
  EXPECT_EQ(level.slip_sinkage, 0.72);
  EXPECT_EQ(slope.closed_form, (ClosedFormSettings{-0.379, 0.616, -0.448, 0.214}));
  EXPECT_EQ(level.closed_form, (ClosedFormSettings{-0.276, 0.633, -0.304, 0.354}));
}

TEST(ClosedForm, SinksDeeperThanTheStressIntegral) {
  // Straight lines lie below stresses that rise like h^N with N <= 1 over a convex rim: the wheel must sink
  // further, by less than a third.
  const SoilWheel wheel{.radius = 0.1, .width = 0.1, .lug_height = 0.01};
  for (const char* name : {"toyoura", "lunar_simulant", "lete_sand"}) {
    Soil soil = plain(name);
    soil.slip_sinkage = 0;
    const ClosedForm closed(soil, wheel);
    const StressIntegral integral(soil, wheel);
    for (const double slip : {0.1, 0.3, 0.6}) {
      const double z = closed.sinkage(65, {slip, 0}).depth, y = integral.sinkage(65, {slip, 0}).depth;
      EXPECT_GT(z, y) << name << ' ' << slip;
      EXPECT_LT(z, 4.0 / 3 * y) << name << ' ' << slip;
    }
  }
}

TEST(ClosedForm, LimitsAndInverse) {
  const ClosedForm law(load_soil("toyoura"), {.radius = 0.1, .width = 0.1, .lug_height = 0.01});
  EXPECT_EQ(law.forces(0, {0.3, 0.2}).normal, 0);
  EXPECT_EQ(law.forces(-1, {0.3, 0.2}).side, 0);
  EXPECT_GT(law.forces(1e-9, {0.3, 0}).normal, 0);
  for (const double z : {1e-4, 0.01, 0.05}) {
    for (const double slip : {-0.3, 0.0, 0.3, 0.9})
      EXPECT_NEAR(law.sinkage(law.forces(z, {slip, 0}).normal, {slip, 0}).depth, z, 1e-9 * z);
  }
  EXPECT_TRUE(law.sinkage(1e7, {0.1, 0}).buried);
  const auto locked = law.forces(0.02, {-1, 0});
  EXPECT_TRUE(std::isfinite(locked.drawbar));
  EXPECT_LT(locked.torque, 0);
  EXPECT_LT(locked.drawbar, 0);
}

TEST(ClosedForm, SlopesMatchDifferences) {
  const ClosedForm law(load_soil("toyoura"), {.radius = 0.1, .width = 0.1, .lug_height = 0.01}, 9.81, 86);
  RandomStream random(2, 0, "closed slopes");
  for (int i = 0; i < 100; ++i) {
    const double z = random.uniform(0.002, 0.06), h = 1e-7;
    const SoilSlip s{random.uniform(-0.8, 0.9), random.uniform(-0.5, 0.5)};
    const auto f = law.forces_with_slopes(z, s);
    const auto up = law.forces(z + h, s), down = law.forces(z - h, s);
    const auto more = law.forces(z, {s.slip + h, s.side}), less = law.forces(z, {s.slip - h, s.side});
    EXPECT_NEAR(f.normal.slope[0], (up.normal - down.normal) / (2 * h), 1e-4 * f.normal.slope[0]);
    EXPECT_NEAR(f.drawbar.slope[1], (more.drawbar - less.drawbar) / (2 * h), 1e-4 * f.normal.value);
    EXPECT_NEAR(f.torque.slope[1], (more.torque - less.torque) / (2 * h), 1e-4 * f.normal.value);
    EXPECT_NEAR(f.side.slope[0], (up.side - down.side) / (2 * h), 1e-4 * (1 + std::abs(f.side.slope[0])));
  }
}

}  // namespace
}  // namespace scree
