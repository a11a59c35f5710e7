#include "scree/ground/pac2002.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/types.hpp"
#include "support/errors.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::message_of;

Pac2002 car() { return Pac2002::from_file(find_data("tyres/pacejka_205_60r15.tir")); }

/// A tyre without shifts, curvature or load dependence: the magic formula in its barest form.
const std::string kBare =
    "[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC2002'\n[DIMENSION]\nUNLOADED_RADIUS = 0.1\n[VERTICAL]\nFNOMIN = "
    "100\n"
    "[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = 0.9\nPKX1 = 15\n"
    "[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = -0.8\nPKY1 = -10\nPKY2 = 1.5\n";

Pac2002 tyre_of(const std::string& text) { return Pac2002(TirFile::parse(text, "test.tir")); }

TEST(Pac2002, ShippedTyreHasThePublishedPeaksAndStiffnesses) {
  const Pac2002 tyre = car();
  // By hand from the set at the nominal load, where every dfz is zero.
  EXPECT_NEAR(tyre.slip_stiffness(4000), 21.51 * 4000, 1e-9);
  EXPECT_NEAR(tyre.cornering_stiffness(4000), -14.95 * 4000 * std::sin(2 * std::atan(1 / 2.130)), 1e-9);
  double peak_x = 0, peak_y = 0;
  for (double s = 0; s < 0.6; s += 1e-4) {
    peak_x = std::max(peak_x, tyre.forces({.load = 4000, .kappa = s}).fx);
    peak_y = std::min(peak_y, tyre.forces({.load = 4000, .slip_angle = s}).fy);
  }
  EXPECT_NEAR(peak_x / 4000, 1.210, 1e-5);
  EXPECT_NEAR(peak_y / 4000, -0.990 + 0.045, 1e-5);  // the peak, lifted by PVY1
}

TEST(Pac2002, BareTyreIsTheMagicFormulaWithASine) {
  const Pac2002 tyre = tyre_of(kBare);
  for (const double kappa : {-0.8, -0.1, 0.0, 0.02, 0.3}) {
    const double B = 15 / (1.6 * 0.9);
    EXPECT_NEAR(tyre.forces({.load = 80, .kappa = kappa}).fx, 0.9 * 80 * std::sin(1.6 * std::atan(B * kappa)),
                1e-12);
  }
  EXPECT_EQ(tyre.forces({.load = 80}).fx, 0) << "errata 003-32: a cosine would give D";
  for (const double alpha : {-0.4, 0.05, 0.5}) {
    const double K = -10 * 100 * std::sin(2 * std::atan(80 / 150.0)), D = -0.8 * 80, B = K / (1.3 * D);
    EXPECT_NEAR(tyre.forces({.load = 80, .slip_angle = alpha}).fy, D * std::sin(1.3 * std::atan(B * alpha)),
                1e-12);
  }
}

TEST(Pac2002, OpposesSlipAndAlignsWithTheMotion) {
  const Pac2002 tyre = car();
  for (const double load : {500.0, 2000.0, 6000.0}) {
    EXPECT_GT(tyre.forces({.load = load, .kappa = 0.1}).fx, 0);
    EXPECT_LT(tyre.forces({.load = load, .kappa = -0.1}).fx, 0);
    EXPECT_LT(tyre.forces({.load = load, .slip_angle = 0.1}).fy, 0);
    EXPECT_GT(tyre.forces({.load = load, .slip_angle = -0.1}).fy, 0);
    // The residual moment of an unsymmetric tyre shifts both; their difference turns the wheel into the
    // slide.
    EXPECT_GT(tyre.forces({.load = load, .slip_angle = 0.05}).mz,
              tyre.forces({.load = load, .slip_angle = -0.05}).mz);
    EXPECT_LT(tyre.forces({.load = load}).my, 0);
  }
}

TEST(Pac2002, SlopesAtZeroSlipAreTheStiffnesses) {
  const Pac2002 tyre = tyre_of(kBare);
  const double h = 1e-7;
  EXPECT_NEAR(
      (tyre.forces({.load = 90, .kappa = h}).fx - tyre.forces({.load = 90, .kappa = -h}).fx) / (2 * h),
      tyre.slip_stiffness(90), 1e-4);
  EXPECT_NEAR(
      (tyre.forces({.load = 90, .slip_angle = h}).fy - tyre.forces({.load = 90, .slip_angle = -h}).fy) /
          (2 * h),
      tyre.cornering_stiffness(90), 1e-4);
}

TEST(Pac2002, CombinedSlipWeakensBoth) {
  const Pac2002 tyre = car();
  const double fx = tyre.forces({.load = 4000, .kappa = 0.1}).fx,
               fy = tyre.forces({.load = 4000, .slip_angle = 0.1}).fy;
  double before = fx;
  for (const double alpha : {0.05, 0.1, 0.2, 0.4}) {
    const double now = tyre.forces({.load = 4000, .kappa = 0.1, .slip_angle = alpha}).fx;
    EXPECT_LT(now, before);
    before = now;
  }
  EXPECT_GT(tyre.forces({.load = 4000, .kappa = 0.3, .slip_angle = 0.1}).fy, fy);
  for (double k = -1; k <= 1; k += 0.1) {
    for (double a = -1; a <= 1; a += 0.1) {
      const auto f = tyre.forces({.load = 4000, .kappa = k, .slip_angle = a, .camber = 0.05});
      EXPECT_LT(std::hypot(f.fx, f.fy), 1.35 * 4000);
      EXPECT_TRUE(std::isfinite(f.mz));
    }
  }
}

TEST(Pac2002, MomentsByHand) {
  const Pac2002 tyre =
      tyre_of(kBare +
              "[ROLLING]\nQSY1 = 0.02\nQSY3 = 0.01\n[OVERTURNING]\nQSX1 = 0.1\nQSX2 = 0.5\nQSX3 = 0.2\n"
              "[ALIGNING]\nQDZ1 = 0.1\nQCZ1 = 1.1\nQBZ1 = 8\nSSZ1 = 0.05\n[X]\nLONGVL = 10\n");
  const auto f = tyre.forces({.load = 100, .kappa = 0.02, .slip_angle = 0.0, .camber = 0.1, .speed = 5});
  EXPECT_NEAR(f.my, -0.1 * 100 * (0.02 + 0.01 * 0.5), 1e-12);
  EXPECT_NEAR(f.mx, 0.1 * 100 * (0.1 - 0.5 * 0.1 + 0.2 * f.fy / 100), 1e-12);
  // Pure side slip at the nominal load: trail D cos(C atan(B a)) cos a, with D = F_z 0.1 r/F_z0.
  const auto g = tyre.forces({.load = 100, .slip_angle = 0.05});
  const double trail = 0.1 * 0.1 * std::cos(1.1 * std::atan(8 * 0.05)) * std::cos(0.05);
  EXPECT_NEAR(g.mz, -trail * g.fy, 1e-12);
}

TEST(Pac2002, ScalesAndRanges) {
  const Pac2002 half = tyre_of(kBare + "[SCALING_COEFFICIENTS]\nLMUX = 0.5\nLKX = 0.5\n"),
                full = tyre_of(kBare);
  EXPECT_NEAR(half.forces({.load = 90, .kappa = 0.1}).fx, 0.5 * full.forces({.load = 90, .kappa = 0.1}).fx,
              1e-12);
  const Pac2002 narrow = tyre_of(kBare + "[LONG_SLIP_RANGE]\nKPUMAX = 0.2\n");
  EXPECT_EQ(narrow.forces({.load = 90, .kappa = 5}).fx, narrow.forces({.load = 90, .kappa = 0.2}).fx);
  EXPECT_EQ(full.forces({.load = 0, .kappa = 0.1}).fx, 0);
  EXPECT_EQ(full.forces({.load = -5, .kappa = 0.1}).fx, 0);
}

TEST(TirFile, ReadsCommentsQuotesFortranNumbersAndTables) {
  const TirFile f = TirFile::parse(
      "$--- a comment\n! another\n[UNITS]\nLENGTH = 'meter' $ unit\n[SHAPE]\n{radial width}\n 1.0 0.0\n 1.0 "
      "0.4\n"
      "[A]\nx1 = +1.5D3 ! Fortran\nX2=-2e-1\r\nNAME = \"a $ b\"\n",
      "a.tir");
  EXPECT_EQ(f.number("X1"), 1500);
  EXPECT_EQ(f.number("X2"), -0.2);
  EXPECT_EQ(f.text("LENGTH"), "METER");
  EXPECT_EQ(f.text("NAME"), "A $ B");
  EXPECT_EQ(f.number("MISSING", 7), 7);
}

TEST(TirFile, MalformedFilesAreRefusedWithTheirLine) {
  const auto refusal = [](const std::string& text) { return message_of([&] { tyre_of(text); }); };
  EXPECT_THAT(refusal(kBare + "RUBBISH\n"), AllOf(HasSubstr("test.tir:16"), HasSubstr("RUBBISH")));
  EXPECT_THAT(refusal(kBare + "PEX1 = abc\n"), AllOf(HasSubstr("test.tir:16"), HasSubstr("abc")));
  EXPECT_THAT(refusal(kBare + "PEX1 = nan\n"), HasSubstr("finite"));
  EXPECT_THAT(refusal(kBare + "PCX1 = 2\n"), HasSubstr("second time"));
  EXPECT_THAT(refusal(kBare + "[OPEN\n"), HasSubstr("closing"));
  EXPECT_THAT(refusal("PCX1 = 2\n"), HasSubstr("before the first"));
  EXPECT_THAT(refusal(""), HasSubstr("no tyre property file"));
  EXPECT_THAT(refusal("\x7f"
                      "ELF\x01\x02"),
              HasSubstr("test.tir:1"));
  EXPECT_THAT(refusal("[A]\nFNOMIN = 1\nUNLOADED_RADIUS = 1\n"), HasSubstr("PCX1 is missing"));
  EXPECT_THAT(refusal("[A]\nFNOMIN = -1\nUNLOADED_RADIUS = 1\n"), HasSubstr("FNOMIN"));
  EXPECT_THAT(refusal(kBare + "FITTYP = 62\n"), HasSubstr("PAC2002"));
  EXPECT_THAT(refusal(kBare + "ANGLE = 'degree'\n"), HasSubstr("radian"));
  EXPECT_THAT(refusal("[A]\nFNOMIN = 'x'\n"), HasSubstr("must be a number"));
  std::string mirrored = kBare;
  mirrored.replace(mirrored.find("PKY1 = -10"), 10, "PKY1 = 10");
  EXPECT_THAT(refusal(mirrored), HasSubstr("axes"));
  EXPECT_THAT(message_of([] { Pac2002::from_file("/nowhere/x.tir"); }), HasSubstr("/nowhere/x.tir"));
}

}  // namespace
}  // namespace scree
