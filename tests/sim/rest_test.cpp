/// Slip forces are regular at rest: what is parked stays parked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenarios.hpp"

namespace scree::testing {
namespace {

void expect_parked(const std::vector<std::string>& overrides) {
  Simulation s(scenario_of(kParked, overrides));
  run_to(s, 5);  // settled
  const Vec3 before = position(s);
  run_to(s, 65);
  EXPECT_LT((position(s) - before).norm(), 1e-3) << "moved within 60 s";
  EXPECT_LT((position(s) - before).norm(), 1e-9) << "our own bar: no creep at all";
  EXPECT_LT(fastest(s), 1e-5);
  EXPECT_LT(std::abs(before.x()), 0.01) << "it slid while settling";
}

TEST(Rest, ParkedUphillOnTwentyDegrees) { expect_parked({"robot.start={pitch_deg=20}"}); }

TEST(Rest, ParkedDownhillOnTwentyDegrees) { expect_parked({"robot.start={yaw_deg=180,pitch_deg=-20}"}); }

TEST(Rest, ParkedAcrossTwentyDegrees) { expect_parked({"robot.start={yaw_deg=90,roll_deg=-20}"}); }

TEST(Rest, ParkedWithAFiveMillisecondStep) {
  expect_parked({"robot.start={yaw_deg=90,roll_deg=-20}", "solver.step=0.005"});
}

TEST(Rest, DroppedOnRoughGroundWithBrakesOnComesToRestAndStays) {
  for (const char* model : {"vivi", "her", "hexa", "rocker"}) {
    Simulation s(scenario_of(
        kParked, {"terrain={kind=\"function\",expression=\"0.03*sin(7*x)*cos(5*y)+0.02*sin(13*x+2*y)\"}",
                  fmt::format("robot.model=\"{}\"", model), "robot.start={clearance=0.1,yaw_deg=33}",
                  "duration=15.0"}));
    run_to(s, 10);
    EXPECT_LT(fastest(s), 1e-5) << model;
    for (int i = 0; i < 10; ++i) {
      run_to(s, 10 + 0.5 * i);
      EXPECT_LT(fastest(s), 1e-5) << model << " at " << s.time();
    }
  }
}

TEST(Rest, ARobotOnItsRoofLiesThere) {
  Simulation s(scenario_of(kParked, {"terrain={kind=\"flat\"}", "robot.start={roll_deg=180,clearance=0.05}",
                                     "event=[{kind=\"rolled_over\",ends_run=false}]", "duration=12.0"}));
  run_to(s, 10);
  const Look look(s);
  EXPECT_NEAR(std::abs(look("roll")), kPi, 0.02);
  EXPECT_NEAR(look("z"), 0.078, 0.001) << "the roof is 0.078 m above the centre of mass";
  EXPECT_LT(fastest(s), 1e-5);
}

TEST(Rest, ARobotThrownOnItsSideComesToRest) {
  Simulation s(scenario_of(kParked, {"terrain={kind=\"flat\"}", "robot.start={roll_deg=90,clearance=0.02}",
                                     "event=[{kind=\"rolled_over\",ends_run=false}]", "duration=12.0"}));
  run_to(s, 10);
  EXPECT_LT(fastest(s), 1e-5);
  EXPECT_GT(position(s).z(), 0.0775) << "no part of the box may be in the ground";
}

}  // namespace
}  // namespace scree::testing
