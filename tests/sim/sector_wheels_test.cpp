/// Robots on wheels of sectors: rest, rolling, steps against statics, walls, energy, resolution.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenarios.hpp"
#include "scree/core/random.hpp"
#include "scree/mechanism/balance.hpp"

namespace scree::testing {
namespace {

constexpr double kMass = 40, kRadius = 0.12, kWeight = kMass * 9.81;
constexpr double kStiffness = 19000;

const char* kSectors = R"(
format = 1
duration = 30.0
[terrain]
kind = "flat"
[[robot]]
model = "skid4"
[[event]]
kind = "rolled_over"
)";

/// skid4 on rigidly mounted wheels of sectors; `contact` and `set` are added to its settings.
std::vector<std::string> with(const std::string& contact, const std::string& set,
                              std::vector<std::string> more, double stiffness = kStiffness,
                              double damping = 500) {
  more.push_back(
      fmt::format("robot.0.set=[\"wheel.contact={{kind=\\\"sectors\\\",stiffness={},damping={},"
                  "slip_stiffness=1500.0,cornering_stiffness=1500.0{}}}\"{}]",
                  stiffness, damping, contact, set));
  return more;
}

const std::string kPassive = ",\"drive.kind=\\\"torque\\\"\",\"drive.brake.torque=0.0\"";

TEST(SectorWheels, AtRestTheyCarryTheWeightAsDeepAsThePlaneSays) {
  Simulation s(scenario_of(kSectors, with("", kPassive, {"robot.0.start={clearance=0.0}"})));
  run_to(s, 4);
  const Look look(s);
  double load = 0;
  for (const auto& wheel : s.world().robots()[0].model->wheels()) {
    const double N = look("wheel." + wheel.settings.name + ".normal");
    load += N;
    // N = 2/3 K (R² - D²)^(3/2)/(R² phi_ref), D the axle's height.
    const double chord = std::pow(1.5 * N * kRadius * kRadius * (10 * kPi / 180) / kStiffness, 2.0 / 3);
    const double deep = kRadius - std::sqrt(kRadius * kRadius - chord);
    EXPECT_NEAR(look("wheel." + wheel.settings.name + ".suspension"), 0, 1e-12);
    EXPECT_NEAR(position(s).z() - (0.12 - 0.018), kRadius - deep, 2e-4);
  }
  EXPECT_NEAR(load, kWeight, 1e-4 * kWeight);
}

TEST(SectorWheels, BrakedOnASlopeTheyDoNotCreep) {
  Simulation s(scenario_of(kSectors, with("", ",\"drive.kind=\\\"torque\\\"\",\"drive.brake.torque=60.0\"",
                                          {"terrain.slope_deg=15.0", "robot.0.start={pitch_deg=15.0}",
                                           "robot.0.profile=[{quantity=\"brake\",value=60.0}]"})));
  run_to(s, 5);
  const Vec3 before = position(s);
  run_to(s, 25);
  EXPECT_LT((position(s) - before).norm(), 1e-6);
  EXPECT_LT(fastest(s), 1e-6);
}

TEST(SectorWheels, RollingTheyFollowTheirSpin) {
  Simulation s(scenario_of(kSectors, with("", "", {})));  // the model's governor: 10 rad/s
  run_to(s, 4);
  const Look look(s);
  EXPECT_NEAR(look("speed"), 10 * kRadius, 0.03 * 10 * kRadius);
  EXPECT_LT(std::abs(look("wheel.front_left.slip")), 0.02);
  EXPECT_NEAR(position(s).y(), 0, 1e-9);
}

/// What the drives turn in comes out as thrust: (m + 4 I/r²) a = 4 T/r while the rims hardly slip.
TEST(SectorWheels, TorqueBecomesThrust) {
  Simulation s(
      scenario_of(kSectors, with("", kPassive, {"robot.0.profile=[{quantity=\"torque\",value=1.0}]"})));
  run_to(s, 1);
  const double before = Look(s)("speed");
  run_to(s, 3);
  const double expected = 4 * 1.0 / kRadius / (kMass + 4 * 0.0108 / (kRadius * kRadius));
  // The rim rolls on a chord that is 3 % shorter than the radius.
  EXPECT_NEAR((Look(s)("speed") - before) / 2, expected, 0.06 * expected);
}

/// Without friction and damping a bouncing robot neither gains nor loses, at any tilt.
TEST(SectorWheels, BouncingKeepsItsEnergy) {
  for (const char* start : {"clearance=0.03", "clearance=0.03,pitch_deg=4.0",
                            "clearance=0.03,pitch_deg=3.0,roll_deg=2.0,yaw_deg=30.0"}) {
    Simulation s(
        scenario_of(kSectors, with(",friction_x=1e-9,friction_y=1e-9", kPassive,
                                   {fmt::format("robot.0.start={{{}}}", start), "solver.step=5e-4"})));
    // damping = 500 is overridden here.
    Simulation free(scenario_of(
        kSectors,
        {fmt::format("robot.0.start={{{}}}", start), "solver.step=5e-4",
         fmt::format(
             "robot.0.set=[\"wheel.contact={{kind=\\\"sectors\\\",stiffness={},damping=0.0,friction_x=1e-9,"
             "friction_y=1e-9,sectors=180}}\"{}]",
             kStiffness, kPassive)}));
    const double first = mechanical_energy(free), rest = kWeight * (0.12 + 0.12 - 0.018 - 0.003);
    double most = first, late = 0;
    for (double t = 0.01; t < 10; t += 0.01) {
      run_to(free, t);
      const double now = mechanical_energy(free);
      most = std::max(most, now);
      if (t > 8) late = std::max(late, now);
    }
    EXPECT_LT(most - first, 0.01 * (first - rest)) << start;
    EXPECT_GT(late - rest, 0.9 * (first - rest)) << start;
    run_to(s, 3);
    EXPECT_LT(mechanical_energy(s), first) << start;
  }
}

/// Statics of four-wheel drive with the front pair at a step's edge and all wheels at the limit of friction
/// mu; theta is the angle from the edge to the axle, cos theta = 1 - h/r:
///   x: N_f (mu cos - sin) + mu N_r = 0,   z: N_f (cos + mu sin) + N_r = W,
///   about the rear contact: N_f [(cos + mu sin)(L + r sin) + (sin - mu cos) h] - W x_c >= 0 to climb,
/// with N_f = W mu/((1 + mu²) sin) from the first two.
double lifting(double h, double mu, double wheelbase, double x_c) {
  const double c = 1 - h / kRadius, s = std::sqrt(1 - c * c);
  const double front = mu / (s * (1 + mu * mu));  // N_f / W
  return front * ((c + mu * s) * (wheelbase + kRadius * s) + (s - mu * c) * h) - x_c;
}
double step_limit(double mu, double x_c) {
  double low = 1e-3 * kRadius, high = kRadius;
  for (int i = 0; i < 60; ++i) {
    const double h = 0.5 * (low + high);
    (lifting(h, mu, 0.5, x_c) > 0 ? low : high) = h;
  }
  return low;
}

constexpr double kRigid = 20 * kStiffness;  // the edge enters the rim by 1 % of the radius

/// Whether the front wheels, creeping at a step, have come up at it; `x_c`: centre of mass before the rear
/// axle. The governor has no limit to its torque: one that it reaches switches it from end to end, step by
/// step (on any ground and any wheels), and the robot goes anywhere.
bool climbs(double h, double mu, double x_c, const char* division) {
  std::string set = ",\"drive.speed=0.2\",\"drive.gain=150.0\",\"drive.limit=1e4\"";
  for (int i = 0; i < 4; ++i)
    set += fmt::format(",\"wheels.{}.position=[{},{},-0.12]\"", i, i < 2 ? 0.5 - x_c : -x_c,
                       i % 2 ? -0.25 : 0.25);
  Simulation s(
      scenario_of(kSectors, with(fmt::format(",friction_x={0},friction_y={0},{1}", mu, division), set,
                                 {fmt::format("terrain={{kind=\"step\",start=0.0,rise={},edge=0.001}}", h),
                                  fmt::format("robot.0.start={{position=[{},0]}}", x_c - 0.5 - 0.125)},
                                 kRigid, 5000)));
  run_to(s, 8);
  return position(s).z() + (0.5 - x_c) * std::sin(Look(s)("pitch")) - 0.2217 > 0.5 * h;
}

/// With the centre of mass in the middle statics set no limit from a friction of 0.68 on: wheels as slippery
/// as 0.7 climb a wall. It is farther forward there.
TEST(SectorWheels, StepsAreClimbedUpToWhatStaticsAllow) {
  for (const double mu : {0.3, 0.5, 0.7, 0.9}) {
    const double x_c = mu < 0.6 ? 0.25 : 0.36, limit = step_limit(mu, x_c);
    for (const char* division : {"disks=5,sectors=60", "disks=3,sectors=60"}) {
      if (division[6] == '3' && mu != 0.5) continue;
      EXPECT_TRUE(climbs(0.88 * limit, mu, x_c, division)) << mu << division;
      EXPECT_FALSE(climbs(1.12 * limit, mu, x_c, division)) << mu << division;
    }
  }
}

/// Robots that fall without drive onto anything, at any tilt, end every moment with less than they had.
TEST(SectorWheels, FallsGiveNoEnergy) {
  struct Ground {
    const char *name, *terrain;
  };
  for (const Ground& ground :
       {Ground{"brick", "kind=\"fbm\",size=[4.0,4.0],cells=[512,512],hurst=0.36,sigma=0.008"},
        Ground{"rocks", "kind=\"rocks\",sampled=false,size=[6.0,6.0],cover=0.3,smallest=0.05,largest=0.3"},
        Ground{"step", "kind=\"step\",start=0.0,rise=0.1,edge=0.001"}}) {
    RandomStream random(9, 0, ground.name);
    std::vector<double> gains;
    for (int i = 0; i < 9; ++i) {
      const std::string start =
          fmt::format("robot.0.start={{position=[{},{}],clearance={},roll_deg={},pitch_deg={},yaw_deg={}}}",
                      random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0.02, 0.2),
                      random.uniform(-15, 15), random.uniform(-15, 15), random.uniform(-180, 180));
      Simulation s(
          scenario_of(kSectors, with("", kPassive, {fmt::format("terrain={{{}}}", ground.terrain), start})));
      const double first = mechanical_energy(s);
      double most = 0;
      while (s.time() < 1 && !s.finished()) {
        s.advance();
        most = std::max(most, mechanical_energy(s) - first);
      }
      gains.push_back(most);
    }
    std::sort(gains.begin(), gains.end());
    RecordProperty(ground.name,
                   fmt::format("median {:.5f} worst {:.5f}", gains[gains.size() / 2], gains.back()));
    EXPECT_LT(gains[gains.size() / 2], 1e-6) << ground.name;
    EXPECT_LT(gains.back(), 0.02) << ground.name;  // J, of falls of 8 to 80 J
  }
}

TEST(SectorWheels, AWallStopsWithoutThrowing) {
  for (const double speed : {0.5, 1.5}) {
    Simulation s(
        scenario_of(kSectors, with("", kPassive,
                                   {"terrain={kind=\"step\",start=0.0,rise=0.5,edge=0.001}",
                                    fmt::format("robot.0.start={{position=[-1.0,0],speed={}}}", speed)})));
    double fastest_out = 0;
    while (s.time() < 3) {
      run_to(s, s.time() + 0.01);
      fastest_out = std::max(fastest_out, -Look(s)("speed"));
    }
    EXPECT_LT(position(s).x(), -0.3);
    EXPECT_LT(fastest_out, speed);
  }
}

TEST(SectorWheels, MoreSectorsConverge) {
  const auto end = [](int disks, int sectors) {
    Simulation s(scenario_of(kSectors, with(fmt::format(",disks={},sectors={}", disks, sectors), "",
                                            {"terrain={kind=\"sines\",amplitude=0.08,wavelength_x=2.0,"
                                             "wavelength_y=3.0}",
                                             "robot.0.start={position=[-1.0,0.3]}"})));
    run_to(s, 3);
    return position(s);
  };
  const Vec3 fine = end(9, 480), middle = end(7, 180), coarse = end(5, 60);
  EXPECT_LT((middle - fine).norm(), 0.003);
  EXPECT_LT((coarse - fine).norm(), 0.01);
}

TEST(SectorWheels, TheImplicitStepAgreesWithRungeKutta) {
  const auto end = [](const char* method, double step) {
    Simulation s(scenario_of(
        kSectors, with("", "",
                       {"terrain={kind=\"sines\",amplitude=0.05,wavelength_x=3.0,wavelength_y=3.0}",
                        "robot.0.start={position=[-1.0,0.3],speed=0.5}",
                        fmt::format("solver={{method=\"{}\",step={}}}", method, step)})));
    run_to(s, 0.2);
    return position(s);
  };
  EXPECT_LT((end("implicit", 1e-3) - end("rk4", 4e-5)).norm(), 5e-4);
}

TEST(SectorWheels, LeftIsTheMirrorOfRight) {
  const auto end = [](double side) {
    Simulation s(
        scenario_of(kSectors, with("", "",
                                   {"terrain={kind=\"bump\",rise=0.06,length=0.5,width=0.3}",
                                    fmt::format("robot.0.start={{position=[-0.8,{}]}}", side * 0.2)})));
    run_to(s, 2);
    return position(s);
  };
  const Vec3 left = end(1), right = end(-1);
  EXPECT_NEAR(left.x(), right.x(), 1e-6);
  EXPECT_NEAR(left.y(), -right.y(), 1e-6);
}

}  // namespace
}  // namespace scree::testing
