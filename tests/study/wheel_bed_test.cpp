#include "scree/study/wheel_bed.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/random.hpp"
#include "scree/study/soil_fit.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

WheelBedSettings tohoku() {
  WheelBedSettings s;
  s.soil = load_soil("lunar_simulant");
  s.wheel = {.radius = 0.092, .width = 0.107};
  return s;
}

TEST(WheelBed, ListsAndRangesOfValues) {
  EXPECT_THAT(parse_values("0,10, 20", "x"), ElementsAre(0, 10, 20));
  const auto slips = parse_values("0:0.8:0.05", "x");
  ASSERT_EQ(slips.size(), 17u);
  EXPECT_EQ(slips.back(), 0.8);
  EXPECT_THAT(parse_values("3:1:-1,7", "x"), ElementsAre(3, 2, 1, 7));
  for (const char* bad : {"", "a", "1,", "0:1", "0:1:0", "0:1:-0.1", "nan", "0:1e9:1", "1:2:3:4"})
    EXPECT_THAT(message_of([&] { parse_values(bad, "--slip"); }), HasSubstr("--slip")) << bad;
}

TEST(WheelBed, CarriesTheLoadAndTurnsForcesIntoThePath) {
  const WheelBed bed(tohoku());
  const WheelBedRow row = bed.measure({64.7, 0.4, 20 * kDegree});
  EXPECT_FALSE(row.buried);
  const double b = 20 * kDegree;
  // Along the motion (cos b, sin b) and across it to the right (sin b, -cos b).
  EXPECT_NEAR(row.thrust, row.drawbar * std::cos(b) + row.side * std::sin(b), 1e-12);
  EXPECT_NEAR(row.cornering, row.drawbar * std::sin(b) - row.side * std::cos(b), 1e-12);
  const WheelBedRow left = bed.measure({64.7, 0.4, -20 * kDegree});
  EXPECT_DOUBLE_EQ(left.thrust, row.thrust);
  EXPECT_DOUBLE_EQ(left.cornering, row.cornering);
}

TEST(WheelBed, RefusesWhatNoBedCanDo) {
  const WheelBed bed(tohoku());
  EXPECT_THAT(message_of([&] { bed.measure({-1, 0, 0}); }), HasSubstr("load"));
  EXPECT_THAT(message_of([&] { bed.measure({65, 1.2, 0}); }), HasSubstr("[-1, 1]"));
  EXPECT_THAT(message_of([&] { bed.measure({65, 0, 2}); }), HasSubstr("degrees"));
  WheelBedSettings s = tohoku();
  s.model = WheelModel::pac2002;
  EXPECT_THAT(message_of([&] { WheelBed{s}; }), HasSubstr(".tir"));
  EXPECT_TRUE(bed.measure({1e7, 0.2, 0}).buried);
}

TEST(WheelBed, TyreFilesRunOnTheSameBed) {
  WheelBedSettings s = tohoku();
  s.model = WheelModel::pac2002;
  s.tyre = Pac2002::from_file(find_data("tyres/pacejka_205_60r15.tir"));
  const WheelBed bed(s);
  const WheelBedRow row = bed.measure({4000, 0.1, 0});
  EXPECT_NEAR(row.drawbar, s.tyre->forces({.load = 4000, .kappa = 0.1 / 0.9}).fx, 1e-9);
  EXPECT_NEAR(row.torque, 0.313 * row.drawbar + 0.313 * 4000 * 0.01, 1e-9);
}

TEST(WheelBed, ClimbsWhatItsPullAllows) {
  const WheelBed bed(tohoku());
  const auto limits = slope_limits(bed, 64.7, {0.3, 0.55, 0.8});
  for (const SlopeLimit& l : limits) {
    if (l.name != "straight up") continue;
    if (l.slip < 0.59) {
      EXPECT_EQ(l.slope, 0) << "no pull below a slip of 0.6";
      continue;
    }
    const WheelBedRow row = bed.measure({64.7 * std::cos(l.slope), l.slip, 0});
    EXPECT_NEAR(row.drawbar, 64.7 * std::sin(l.slope), 0.02);
  }
  // Going down it moves at a slip that gives no pull on the level.
  const auto down = std::find_if(limits.begin(), limits.end(), [](const SlopeLimit& l) {
    return l.name.starts_with("3") && l.slip == 0.55;
  });
  ASSERT_NE(down, limits.end());
  EXPECT_GT(down->slope, 2 * kDegree);
  EXPECT_LT(bed.measure({64.7, 0.55, 0}).drawbar, 0);
}

TEST(WheelBed, TablesAndFiguresHoldEveryPoint) {
  const WheelBed bed(tohoku());
  const auto rows = sweep_wheel(bed, {{40, 65}, {0, 0.5}, {0, 0.2, 0.4}});
  ASSERT_EQ(rows.size(), 12u);
  const std::string csv = wheel_csv(rows), json = wheel_json(bed.settings(), rows);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  EXPECT_THAT(json, HasSubstr("\"drawbar_N\""));
  EXPECT_EQ(json.find("nan"), std::string::npos);
  const Figure figure = wheel_figure(bed.settings(), rows);
  EXPECT_EQ(figure.panels.size(), 6u);
  EXPECT_EQ(figure.panels[0].curves.size(), 6u);
  EXPECT_GE(thrust_cornering_figure(bed.settings(), rows).panels.at(0).curves.size(), 7u);
}

class SoilFit : public ::testing::Test {
 protected:
  /// What the bed would measure, with relative noise.
  std::vector<WheelMeasurement> measured(double noise, bool angles = false) {
    const WheelBed bed(tohoku());
    RandomStream random(3, 0, "fit");
    std::vector<WheelMeasurement> data;
    for (const double load : {45.0, 65.0}) {
      for (const double angle : angles ? std::vector<double>{0.1, 0.4} : std::vector<double>{0}) {
        for (double slip = 0.05; slip < 0.8; slip += 0.05) {
          const WheelBedRow row = bed.measure({load, slip, angle});
          const auto with = [&](double x, double scale) { return x + noise * scale * random.normal(); };
          data.push_back({row.at, with(row.sinkage, 0.02), with(row.drawbar, 5),
                          angles ? with(row.side, 20) : std::nan(""), with(row.torque, 2)});
        }
      }
    }
    return data;
  }
  FitSettings settings(std::vector<std::string> keys) {
    FitSettings s;
    s.bed = tohoku();
    s.parameters = std::move(keys);
    Soil& soil = s.bed.soil;
    soil.friction_angle *= 0.8, soil.frictional_modulus *= 1.6, soil.shear_modulus *= 0.6,
        soil.sinkage_exponent = 1.1;
    return s;
  }
};

TEST_F(SoilFit, FindsBackTheSoilOfCleanCurves) {
  const FitResult r = fit_soil(
      measured(0), settings({"friction_angle", "frictional_modulus", "shear_modulus", "sinkage_exponent"}));
  const Soil truth = load_soil("lunar_simulant");
  EXPECT_TRUE(r.converged);
  EXPECT_NEAR(r.soil.friction_angle, truth.friction_angle, 1e-6);
  EXPECT_NEAR(r.soil.frictional_modulus / truth.frictional_modulus, 1, 1e-5);
  EXPECT_NEAR(r.soil.shear_modulus, truth.shear_modulus, 1e-7);
  EXPECT_NEAR(r.soil.sinkage_exponent, 1, 1e-6);
  for (const auto& c : r.channels) EXPECT_LT(c.rms, 1e-5) << c.name;
}

TEST_F(SoilFit, StandardErrorsCoverTheTruth) {
  const FitResult r =
      fit_soil(measured(0.02),
               settings({"friction_angle", "frictional_modulus", "shear_modulus", "sinkage_exponent"}));
  Soil truth = load_soil("lunar_simulant");
  for (const FittedNumber& n : r.numbers) {
    EXPECT_GT(n.error, 0);
    EXPECT_LT(std::abs(n.value - *soil_number(truth, n.key)), 4 * n.error) << n.key;
  }
  EXPECT_EQ(r.correlation.rows(), 4);
  EXPECT_LE(r.correlation.cwiseAbs().maxCoeff(), 1 + 1e-12);
}

TEST_F(SoilFit, SaysWhatCannotBeIdentified) {
  // k_c/b and k_phi are one number for one width; the side modulus has no say without side slip.
  const FitResult r =
      fit_soil(measured(0.01),
               settings({"friction_angle", "frictional_modulus", "cohesive_modulus", "side_shear_modulus"}));
  const std::string all = ::testing::PrintToString(r.warnings);
  EXPECT_THAT(all, HasSubstr("side_shear_modulus has no influence"));
  EXPECT_TRUE(r.numbers[0].identifiable);
  EXPECT_FALSE(r.numbers[3].identifiable);
  EXPECT_TRUE(!r.numbers[2].identifiable ||
              all.find("frictional_modulus and cohesive_modulus can be exchanged") != std::string::npos)
      << all;
}

TEST_F(SoilFit, SideForcesGiveTheSideModulus) {
  FitSettings s = settings({"side_shear_modulus", "friction_angle"});
  s.bed = tohoku();
  s.bed.soil.side_shear_modulus = 0.03;
  EXPECT_NEAR(fit_soil(measured(0, true), s).soil.side_shear_modulus, 0.013, 1e-6);
}

TEST_F(SoilFit, ReadsTablesWithUnitsAndRefusesBadOnes) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("m.csv",
                                 "# bed 3\nslip [%],load [kN],sinkage [mm],torque [Nm],slip_angle "
                                 "[rad],note\n20,0.065,18,1.5,0.1,x\n30,0.065,,1.7,0.1,y\n");
  const auto data = read_wheel_csv(file, {});
  ASSERT_EQ(data.size(), 2u);
  EXPECT_DOUBLE_EQ(data[0].at.slip, 0.2);
  EXPECT_DOUBLE_EQ(data[0].at.load, 65);
  EXPECT_DOUBLE_EQ(data[0].sinkage, 0.018);
  EXPECT_TRUE(std::isnan(data[1].sinkage));
  EXPECT_TRUE(std::isnan(data[0].drawbar));
  const auto refusal = [&](const std::string& text) {
    const auto bad = folder.write("bad.csv", text);
    return message_of([&] { read_wheel_csv(bad, {}); });
  };
  EXPECT_THAT(refusal("slip,force\n"), HasSubstr("drawbar"));
  EXPECT_THAT(refusal("slip,drawbar\n0.1,abc\n"), AllOf(HasSubstr("bad.csv:2"), HasSubstr("abc")));
  EXPECT_THAT(refusal("slip,drawbar\n0.1\n"), HasSubstr("cells"));
  EXPECT_THAT(refusal("slip,drawbar\n20,3\n"), AllOf(HasSubstr("bad.csv:2"), HasSubstr("percent")));
  EXPECT_THAT(refusal("slip,drawbar [lbf]\n0.1,3\n"), HasSubstr("kN"));
  EXPECT_THAT(refusal("slip,drawbar\n"), HasSubstr("no measurements"));
  EXPECT_THAT(message_of([] { read_wheel_csv("/nowhere.csv", {}); }), HasSubstr("/nowhere.csv"));
}

TEST_F(SoilFit, RefusesWhatCannotBeFitted) {
  EXPECT_THAT(message_of([&] { fit_soil(measured(0), settings({"cohesoin"})); }), HasSubstr("cohesion"));
  EXPECT_THAT(message_of([&] {
                fit_soil(measured(0), settings({"cohesion", "cohesion"}));
              }),
              HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { fit_soil({}, settings({"cohesion"})); }), HasSubstr("no measurements"));
  auto few = measured(0);
  few.resize(1);
  EXPECT_THAT(message_of([&] {
                fit_soil(few, settings({"cohesion", "friction_angle", "shear_modulus", "density"}));
              }),
              HasSubstr("cannot give"));
}

TEST_F(SoilFit, WritesASoilThatReadsBack) {
  const testing::TemporaryFolder folder;
  const Soil soil = load_soil("mars_regolith");
  Soil back = load_soil(folder.write("mars_regolith.toml", soil_text(soil)).string());
  back.spread = soil.spread;
  EXPECT_EQ(back, soil);
}

}  // namespace
}  // namespace scree
