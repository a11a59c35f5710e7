#include "scree/ground/stress_integral.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ground/soil_reference.hpp"
#include "scree/config/data_path.hpp"
#include "scree/core/random.hpp"

namespace scree {
namespace {

using testing::reference_forces;
using testing::ReferenceForces;

Soil ishigami() { return load_soil("lunar_simulant"); }
const SoilWheel kTohoku{.radius = 0.092, .width = 0.107};

TEST(StressIntegral, PublishedPullChangesSignAtASlipOfSixTenths) {
  // Nagatani 2016 Sec. 50.2.3: "the slip ratio must exceed 0.6"; errata 004-50.7: 0.595 at W = 64.7 N.
  const StressIntegral law(ishigami(), kTohoku);
  const auto pull = [&](double slip) {
    const Sinkage z = law.sinkage(64.7, {slip, 0});
    EXPECT_FALSE(z.buried);
    return law.forces(z.depth, {slip, 0}).drawbar;
  };
  EXPECT_LT(pull(0.594), 0);
  EXPECT_GT(pull(0.596), 0);
}

TEST(StressIntegral, TheSideForceAloneIsThatOfAllForces) {
  std::vector<double> off;
  for (const std::string& name : list_data("soils")) {
    const StressIntegral law(load_soil(name), kTohoku);
    for (const double depth : {0.02, 0.2, 0.6})
      for (const double slip : {-0.5, 0.0, 0.3, 0.9})
        for (const double beta : {-0.6, 0.02, 0.3}) {
          const SoilSlip s = soil_slip(slip, beta);
          const double all = law.forces(depth * 0.092, s).side,
                       alone = law.side_force(depth * 0.092, s.slip, s.side);
          off.push_back(std::abs(alone / all - 1));
          EXPECT_LT(off.back(), 0.005) << name << " depth " << depth << " slip " << slip << " beta " << beta;
        }
  }
  std::nth_element(off.begin(), off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2), off.end());
  EXPECT_LT(off[off.size() / 2], 1e-4);
}

/// Largest error of any force against the second method, as a share of the load.
double worst_error(const Soil& soil, const SoilWheel& wheel, double z, double slip, double beta) {
  const ReferenceForces want = reference_forces(soil, wheel, z, slip, beta);
  const SoilReaction<double> got = StressIntegral(soil, wheel).forces(z, soil_slip(slip, beta));
  const double load = std::abs(want.fz);
  return std::max({std::abs(got.drawbar - want.fx), std::abs(got.normal - want.fz),
                   std::abs(got.side - want.fy), std::abs(got.torque - want.torque) / wheel.radius}) /
         load;
}

TEST(StressIntegral, FewPointsAgreeWithThousandsForEverySoil) {
  double worst = 0;
  for (const std::string& name : list_data("soils")) {
    const Soil soil = load_soil(name);
    for (const SoilWheel& wheel : {kTohoku, SoilWheel{.radius = 0.125, .width = 0.16, .lug_height = 0.006}}) {
      for (const double depth : {0.02, 0.2, 0.6}) {
        for (const double slip : {-0.9, -0.02, 0.0, 0.3, 0.9}) {
          for (const double beta : {-0.3}) {
            const double error = worst_error(soil, wheel, depth * wheel.radius, slip, beta);
            // The bound that the header states, though stress grows as h^0.13 in the hardest clay.
            EXPECT_LT(error, 1e-4) << name << " depth " << depth << " slip " << slip << " beta " << beta;
            worst = std::max(worst, error);
          }
        }
      }
    }
  }
  RecordProperty("worst", std::to_string(worst));
  std::printf("largest error %.2e of the load\n", worst);
}

TEST(StressIntegral, RandomSoilsAgreeWithTheSecondMethod) {
  RandomStream random(5, 0, "soils");
  int tried = 0;
  for (int i = 0; i < 150; ++i) {
    Soil soil;
    soil.cohesion = random.uniform(0, 5000);
    soil.friction_angle = random.uniform(0.1, 0.75);
    soil.pressure = static_cast<PressureKind>(random.below(3));
    const bool reece = soil.pressure == PressureKind::reece;
    soil.cohesive_modulus =
        soil.pressure == PressureKind::diameter ? 0 : random.uniform(0, reece ? 200 : 5e4);
    soil.frictional_modulus = reece ? random.uniform(10, 1000) : std::exp(random.uniform(11, 16));
    soil.diameter_exponent = soil.pressure == PressureKind::diameter ? random.uniform(-0.6, 0.6) : 0;
    soil.sinkage_exponent = random.uniform(0.3, 1.6);
    soil.slip_sinkage = random.uniform(0, 0.7);
    soil.shear_modulus = random.uniform(0.004, 0.04);
    soil.side_shear_modulus = random.uniform(0.004, 0.04);
    soil.shear_modulus_angle = random.uniform(0, 0.05);
    soil.side_shear_modulus_angle = random.uniform(0, 0.05);
    soil.peak_offset = random.uniform(0.2, 0.5);
    soil.peak_slip = random.uniform(0, 0.3);
    soil.exit_ratio = random.uniform(0, 1);
    const SoilWheel wheel{.radius = random.uniform(0.04, 0.4),
                          .width = random.uniform(0.02, 0.3),
                          .lug_height = random.uniform(0, 0.02),
                          .lug_share = random.uniform(0, 1)};
    const double z = wheel.radius * random.uniform(0.01, 0.7), slip = random.uniform(-0.6, 0.95);
    const double beta = random.uniform(-0.8, 0.8);
    EXPECT_LT(worst_error(soil, wheel, z, slip, beta), 1e-3) << "trial " << i;
    ++tried;
  }
  EXPECT_EQ(tried, 150);
}

TEST(StressIntegral, NothingTouchesNothing) {
  const StressIntegral law(ishigami(), kTohoku);
  for (const double z : {0.0, -0.01}) {
    const auto f = law.forces(z, {0.3, 0.1});
    EXPECT_EQ(f.normal, 0);
    EXPECT_EQ(f.drawbar, 0);
    EXPECT_EQ(f.side, 0);
    EXPECT_EQ(f.torque, 0);
  }
  EXPECT_EQ(law.sinkage(0, {0.3, 0}).depth, 0);
  // No load, no sinkage: continuous.
  EXPECT_LT(law.sinkage(1e-6, {0.3, 0}).depth, 1e-5);
}

TEST(StressIntegral, SideForceOpposesAndVanishesWithTheSlipAngle) {
  const StressIntegral law(ishigami(), kTohoku);
  EXPECT_EQ(law.forces(0.02, {0.3, 0}).side, 0);
  EXPECT_NEAR(law.forces(0.02, {0.3, 1e-9}).side, 0, 1e-5);
  double before = 0;
  for (const double beta : {0.05, 0.1, 0.2, 0.4, 0.8}) {
    const double right = law.forces(0.02, soil_slip(0.3, beta)).side;
    EXPECT_LT(right, before) << "grows with the slip angle, against +y";
    EXPECT_DOUBLE_EQ(law.forces(0.02, soil_slip(0.3, -beta)).side, -right);
    before = right;
  }
}

TEST(StressIntegral, FullSlipReachesTheStrengthOfTheSoil) {
  // A wheel that spins on the spot shears through many moduli once k_x is short: tau = c + sigma tan phi.
  Soil soil = ishigami();
  soil.shear_modulus = 1e-4;
  soil.shear_modulus_angle = 0;
  const StressIntegral law(soil, kTohoku);
  Soil none = soil;
  none.friction_angle = 1e-9;  // rad: only the normal stress is left
  none.cohesion = 0;
  const auto normal_only = StressIntegral(none, kTohoku).forces(0.02, {1, 0});
  const auto f = law.forces(0.02, {1, 0});
  const double th1 = f.entry, th2 = f.exit, r = 0.092, b = 0.107;
  // Horizontal and vertical sums of tau = c + t sigma over the rim, with sigma's own sums.
  const double t = std::tan(soil.friction_angle);
  const double vertical =
      normal_only.normal + soil.cohesion * r * b * (std::cos(th2) - std::cos(th1)) - t * normal_only.drawbar;
  const double horizontal =
      normal_only.drawbar + soil.cohesion * r * b * (std::sin(th1) - std::sin(th2)) + t * normal_only.normal;
  EXPECT_NEAR(f.normal, vertical, 2e-3 * vertical);
  EXPECT_NEAR(f.drawbar, horizontal, 2e-3 * f.normal);
}

TEST(StressIntegral, WithoutShearThereIsOnlyResistance) {
  Soil soil = ishigami();
  soil.cohesion = 0;
  soil.friction_angle = 1e-12;
  const auto f = StressIntegral(soil, kTohoku).forces(0.02, {0.3, 0});
  EXPECT_LT(f.drawbar, 0);
  EXPECT_NEAR(f.torque, 0, 1e-9);
}

TEST(StressIntegral, TowedWheelHasNoTorqueAtASmallBrakingSlip) {
  const StressIntegral law(ishigami(), kTohoku);
  const auto torque = [&](double slip) {
    return law.forces(law.sinkage(64.7, {slip, 0}).depth, {slip, 0}).torque;
  };
  ASSERT_GT(torque(0), 0);
  ASSERT_LT(torque(-0.5), 0);
  double low = -0.5, high = 0;
  for (int i = 0; i < 60; ++i) (torque(0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
  const double towed = 0.5 * (low + high);
  EXPECT_GT(towed, -0.4);
  EXPECT_LT(law.forces(law.sinkage(64.7, {towed, 0}).depth, {towed, 0}).drawbar, 0) << "it has to be pulled";
}

TEST(StressIntegral, GrowsWithSinkageAndSlip) {
  const StressIntegral law(ishigami(), kTohoku);
  double load = 0;
  for (double z = 0.001; z < 0.09; z += 0.001) {
    const double now = law.forces(z, {0.2, 0}).normal;
    EXPECT_GT(now, load);
    load = now;
  }
  double pull = -1e9, torque = -1e9;
  for (double s = -0.95; s <= 1; s += 0.05) {
    const auto f = law.forces(0.02, {s, 0});
    EXPECT_GT(f.torque, torque) << s;
    // Behind the bottom stress moves forward with slip (a1), which costs pull: hold it where shear saturates.
    if (s < 0.8) {
      EXPECT_GT(f.drawbar, pull) << s;
    }
    pull = f.drawbar, torque = f.torque;
  }
}

TEST(StressIntegral, ContinuousWhereDrivingTurnsIntoBraking) {
  // At a given v_y/max(|U|, |V|) the slip angle itself has a kink there, so k_x must not depend on it.
  const StressIntegral law(load_soil("toyoura"), kTohoku);
  const auto a = law.forces_with_slopes(0.02, {1e-9, 0.1}), b = law.forces_with_slopes(0.02, {-1e-9, 0.1});
  EXPECT_NEAR(a.drawbar.value, b.drawbar.value, 1e-5);
  EXPECT_NEAR(a.side.value, b.side.value, 1e-5);
  // N = n0 + n1 |s| has a kink too: only what shear contributes is compared.
  EXPECT_NEAR(a.torque.value, b.torque.value, 1e-6);
  Soil even = load_soil("toyoura");
  even.slip_sinkage = 0;
  const StressIntegral smooth(even, kTohoku);
  const auto c = smooth.forces_with_slopes(0.02, {1e-9, 0.1}),
             d = smooth.forces_with_slopes(0.02, {-1e-9, 0.1});
  EXPECT_NEAR(c.drawbar.slope[1], d.drawbar.slope[1], 1e-4 * std::abs(c.drawbar.slope[1]));
}

TEST(StressIntegral, PowerInIsDrawbarPowerAndDissipation) {
  RandomStream random(6, 0, "energy");
  for (int i = 0; i < 200; ++i) {
    const Soil soil = ishigami();
    const SoilWheel wheel{.radius = 0.1, .width = 0.1, .lug_height = 0.01 * static_cast<double>(i % 2)};
    const double z = random.uniform(0.002, 0.06), slip = random.uniform(-0.8, 0.99);
    const StressIntegral law(soil, wheel);
    const auto f = law.forces(z, {slip, 0});
    const auto ref = reference_forces(soil, wheel, z, slip, 0, 5000);
    const double ratio = slip >= 0 ? 1 - slip : 1 / (1 + slip);  // V/U, and U = 1
    const double in = f.torque / wheel.shear_radius(), out = f.drawbar * ratio;
    EXPECT_NEAR(in - out, ref.dissipation, 2e-3 * f.normal);
    EXPECT_GT(ref.dissipation, 0) << "soil never gives energy";
  }
}

TEST(StressIntegral, InverseOfForward) {
  RandomStream random(7, 0, "inverse");
  for (const std::string& name : list_data("soils")) {
    const StressIntegral law(load_soil(name), kTohoku);
    for (int i = 0; i < 20; ++i) {
      const double z = random.uniform(1e-4, 0.08);
      const SoilSlip slip = soil_slip(random.uniform(-0.3, 0.9), random.uniform(-0.5, 0.5));
      const double load = law.forces(z, slip).normal;
      if (load <= 0) continue;  // a braked wheel on cohesive snow is drawn down where it hardly touches
      const Sinkage back = law.sinkage(load, slip);
      EXPECT_FALSE(back.buried);
      EXPECT_NEAR(back.depth, z, 1e-9 * z) << name;
    }
  }
}

TEST(StressIntegral, AWheelThatCannotBeCarriedIsBuriedNotANumberLost) {
  const StressIntegral law(ishigami(), kTohoku);
  const Sinkage z = law.sinkage(1e7, {0.2, 0});
  EXPECT_TRUE(z.buried);
  EXPECT_EQ(z.depth, 0.092);
  const auto at_axle = law.forces(0.092, {0.2, 0.1}), below = law.forces(0.5, {0.2, 0.1});
  EXPECT_TRUE(std::isfinite(at_axle.normal));
  EXPECT_DOUBLE_EQ(at_axle.normal, below.normal);
  for (const double slip : {-1.0, 1.0, -7.0, 7.0}) {
    const auto f = law.forces_with_slopes(0.03, {slip, 1.0});
    for (const SoilDual& x : {f.drawbar, f.side, f.normal, f.torque}) {
      EXPECT_TRUE(std::isfinite(x.value));
      for (const double d : x.slope) EXPECT_TRUE(std::isfinite(d)) << slip;
    }
  }
}

TEST(StressIntegral, SlopesMatchDifferences) {
  RandomStream random(8, 0, "slopes");
  const StressIntegral law(load_soil("mars_regolith"), {.radius = 0.13, .width = 0.16, .lug_height = 0.006});
  for (int i = 0; i < 100; ++i) {
    const double z = random.uniform(0.003, 0.08);
    const SoilSlip slip{random.uniform(-0.7, 0.9), random.uniform(-0.6, 0.6)};
    const auto f = law.forces_with_slopes(z, slip);
    const auto value = [&](const SoilReaction<double>& x, int k) {
      return k == 0 ? x.drawbar : k == 1 ? x.side : k == 2 ? x.normal : x.torque;
    };
    const SoilDual duals[] = {f.drawbar, f.side, f.normal, f.torque};
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(duals[k].value, value(law.forces(z, slip), k), 1e-12 * f.normal.value);
      const double h[3] = {1e-7, 1e-6, 1e-6};
      for (int v = 0; v < 3; ++v) {
        const auto at = [&](double d) {
          return value(law.forces(v == 0 ? z + d : z,
                                  {v == 1 ? slip.slip + d : slip.slip, v == 2 ? slip.side + d : slip.side}),
                       k);
        };
        const double difference = (at(h[v]) - at(-h[v])) / (2 * h[v]);
        EXPECT_NEAR(duals[k].slope[v], difference, 2e-4 * (std::abs(difference) + f.normal.value)) << k << v;
      }
    }
  }
}

TEST(StressIntegral, SmallWheelsByTheDiameterLaw) {
  // p = k D^m z^n: with n equal, twice the diameter multiplies pressure by 2^m.
  Soil soil = ishigami();
  soil.pressure = PressureKind::diameter;
  soil.cohesive_modulus = 0;
  soil.diameter_exponent = 0.5;
  EXPECT_DOUBLE_EQ(
      pressure_law(soil, {0.1, 0.4, 9.81}).modulus / pressure_law(soil, {0.1, 0.2, 9.81}).modulus,
      std::sqrt(2.0));
  soil.diameter_exponent = 0;
  Soil bekker = ishigami();
  bekker.cohesive_modulus = 0;
  EXPECT_DOUBLE_EQ(StressIntegral(soil, kTohoku).forces(0.02, {0.2, 0.1}).normal,
                   StressIntegral(bekker, kTohoku).forces(0.02, {0.2, 0.1}).normal);
}

TEST(StressIntegral, SlipSinkageAndLugs) {
  Soil soil = load_soil("toyoura");
  const SoilWheel smooth{.radius = 0.1, .width = 0.1},
      lugged{.radius = 0.1, .width = 0.1, .lug_height = 0.01};
  const StressIntegral law(soil, smooth);
  double before = 0;
  for (const double s : {0.0, 0.2, 0.4, 0.6}) {
    const double z = law.sinkage(65, {s, 0}).depth;
    EXPECT_GT(z, before) << "a spinning wheel digs in";
    before = z;
  }
  const auto f = law.forces(0.02, {0.3, 0}), g = StressIntegral(soil, lugged).forces(0.02, {0.3, 0});
  EXPECT_GT(g.torque, f.torque);
  EXPECT_GT(g.drawbar, f.drawbar);
}

TEST(Bulldozing, CorrectedFormulaByHand) {
  // phi = 30 deg: X = 30 deg, cot X = sqrt 3, tan(X + phi) = sqrt 3, tan phi = 1/sqrt 3.
  Soil soil;
  soil.friction_angle = kPi / 6;
  soil.cohesion = 1000;
  soil.density = 1500;
  const double h = 0.05, root = std::sqrt(3.0);
  const double want = 2 * root * (1000 * h + 0.5 * 1500 * 9.81 * h * h * (root + 3 / root));
  EXPECT_NEAR(bulldozing_resistance(soil, 9.81, h), want, 1e-10 * want);
  EXPECT_EQ(bulldozing_resistance(soil, 9.81, -1), 0);
}

TEST(SoilSlipOfATestBed, RefusesWhatIsNoSlip) {
  for (const double bad : {1.01, -1.5, 30.0, std::nan("")})
    EXPECT_THROW(soil_slip(bad, 0), std::runtime_error);
  EXPECT_THROW(soil_slip(0.1, 20.0), std::runtime_error);
  EXPECT_NEAR(slip_angle_of(soil_slip(0.4, 0.3)), 0.3, 1e-12);
  EXPECT_NEAR(slip_angle_of(soil_slip(-0.4, -0.3)), -0.3, 1e-12);
}

}  // namespace
}  // namespace scree
