/// The simulated test bed against the steady one.
#include "scree/study/wheel_dynamic.hpp"

#include <gtest/gtest.h>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

WheelBedSettings bed_on(const std::string& soil, WheelModel model = WheelModel::stress_integral) {
  WheelBedSettings s;
  s.soil = load_soil(soil);
  s.wheel = {.radius = 0.1, .width = 0.1, .lug_height = 0.01};
  s.model = model;
  return s;
}

/// The bed's spin is held by a stiff governor and all else is in balance: what is left is how far the slip
/// deflection is from its end, exp(-30 x 0.8) and the slide's last swing.
void expect_steady(const WheelBed& bed, const DynamicBedRow& row) {
  ASSERT_FALSE(row.buried);
  EXPECT_LT(row.unrest, 1e-3);
  const WheelBedRow law = bed.measure(row.at);
  EXPECT_NEAR(row.sinkage, law.sinkage, 2e-3 * law.sinkage) << "slip " << row.at.slip;
  EXPECT_NEAR(row.drawbar, law.drawbar, 2e-3 * row.at.load) << "slip " << row.at.slip;
  EXPECT_NEAR(row.side, law.side, 2e-3 * row.at.load) << "slip " << row.at.slip;
  EXPECT_NEAR(row.torque, law.torque, 2e-3 * row.at.load * 0.1) << "slip " << row.at.slip;
}

TEST(DynamicBed, PrescribedSlipEndsOnTheSteadyLaw) {
  for (const auto model : {WheelModel::stress_integral, WheelModel::closed_form}) {
    for (const char* soil : {"toyoura", "lunar_simulant"}) {
      const WheelBed bed(bed_on(soil, model));
      for (const double slip : {-0.3, 0.0, 0.2, 0.6}) {
        for (const double angle : {0.0, 15 * kDegree}) {
          const DynamicBedRow row = run_dynamic_bed(bed, {65, slip, angle});
          EXPECT_NEAR(row.at.slip, slip, 0.01);
          expect_steady(bed, row);
        }
      }
    }
  }
}

TEST(DynamicBed, ADrawbarLoadIsPulledAtItsSlip) {
  const WheelBed bed(bed_on("toyoura"));
  double before = -1;
  for (const double drawbar : {0.0, 5.0, 15.0}) {
    const DynamicBedRow row = run_drawbar_bed(bed, {65, 0, 0}, drawbar);
    EXPECT_NEAR(row.drawbar, drawbar, 0.05);
    EXPECT_GT(row.at.slip, before) << "more pull, more slip";
    before = row.at.slip;
    expect_steady(bed, row);
  }
}

TEST(DynamicBed, MoreThanItCanPullIsSaid) {
  const WheelBed bed(bed_on("toyoura"));
  const DynamicBedRow row = run_drawbar_bed(bed, {65, 0, 0}, 200);
  EXPECT_TRUE(row.held);
}

TEST(DynamicBed, BothWaysAreInTheFigure) {
  const WheelBed bed(bed_on("toyoura"));
  const std::vector<WheelBedRow> steady{bed.measure({65, 0.1, 0}), bed.measure({65, 0.4, 0})};
  const Figure figure = dynamic_figure(bed.settings(), steady, {run_dynamic_bed(bed, {65, 0.2, 0})});
  for (const Panel& panel : figure.panels) {
    ASSERT_EQ(panel.curves.size(), 2u);
    EXPECT_EQ(panel.curves[0].mark, Mark::line);
    EXPECT_EQ(panel.curves[1].mark, Mark::points);
    EXPECT_EQ(panel.curves[0].colour, panel.curves[1].colour);
  }
}

TEST(DynamicBed, RefusesWhatIsNoBed) {
  const WheelBed bed(bed_on("toyoura"));
  EXPECT_THROW(run_dynamic_bed(bed, {65, 1.5, 0}), InputError);
  EXPECT_THROW(run_dynamic_bed(bed, {-1, 0.1, 0}), InputError);
  EXPECT_THROW(run_drawbar_bed(bed, {65, 0, 0}, std::nan("")), InputError);
}

}  // namespace
}  // namespace scree
