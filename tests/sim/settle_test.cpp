// Standing without dynamics: against the dynamics at rest, against a search that shares nothing with it, by
// symmetry, and from many places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/random.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/settle_path.hpp"
#include "sim/scenarios.hpp"
#include "support/errors.hpp"

namespace scree {
namespace {

using testing::Look;
using testing::run_to;
using testing::scenario_of;

std::string standing(const std::string& model, const std::string& terrain, const std::string& more = "") {
  return "format = 1\nduration = 1000.0\n[terrain]\n" + terrain + "\n[[robot]]\nmodel = \"" + model + "\"\n" +
         more;
}
const char* const kHills = "kind = \"sines\"\namplitude = 0.06\nwavelength_x = 2.4\nwavelength_y = 1.9";

TEST(Settle, IsWhereALongRestOfTheDynamicsEnds) {
  // Braked wheels hold what the fall left in the tyres, which moves loads by some per cent and so the pose by
  // that of the wheels' give (5 mm on Earth): a millimetre, and that over half a metre as an angle.
  std::vector<double> heights, angles, joints;
  for (const char* model : {"mars6", "el-dorado", "rocker", "vivi"}) {
    for (int k = 0; k < 4; ++k) {
      const double x = 0.37 * k - 0.5, y = 0.9 - 0.45 * k, yaw = 0.8 * k;
      Simulation s(scenario_of(standing(
          model, kHills,
          fmt::format("start = {{ position = [{}, {}], yaw = {}, clearance = 0.005 }}\n[[robot.profile]]\n"
                      "quantity = \"brake\"\nvalue = 90.0\n",
                      x, y, yaw))));
      run_to(s, 8);
      ASSERT_LT(testing::fastest(s), 1e-4) << model << k;
      const Look look(s);
      const Vec3 p = testing::position(s);
      Settler settler(s.world(), 0);
      const Settled& at = settler.settle(p.x(), p.y(), look("yaw"));
      ASSERT_EQ(at.result, SettleResult::settled) << model << k;
      heights.push_back(std::abs(at.z - p.z()));
      angles.push_back(std::max(std::abs(at.roll - look("roll")), std::abs(at.pitch - look("pitch"))));
      const Tree& tree = settler.model().tree();
      for (int j = 0; j < tree.joint_count(); ++j)
        joints.push_back(std::abs(at.joints[j] - look("joint." + tree.joints()[j].name + ".position")));
      EXPECT_LT(heights.back(), 1.5e-3) << model << k;
      EXPECT_LT(angles.back(), 5e-3) << model << k;
      for (std::size_t i = 0; i < at.wheels.size(); ++i) {
        const std::string wheel = "wheel." + settler.model().wheels()[i].settings.name;
        EXPECT_NEAR(at.wheels[i].angle, look(wheel + ".contact_angle"), 0.03) << model << k << wheel;
      }
    }
  }
  for (auto* list : {&heights, &angles, &joints}) std::sort(list->begin(), list->end());
  EXPECT_LT(joints.back(), 2e-2);
  EXPECT_LT(joints[joints.size() / 2], 1e-3);
  EXPECT_LT(heights[heights.size() / 2], 3e-4);
  EXPECT_LT(angles[angles.size() / 2], 1e-3);
}

TEST(Settle, NearsTheRestOfTheDynamicsWithStifferWheels) {
  // What friction moves is the wheels' give: ten times stiffer, ten times less.
  double worst[2];
  for (int stiff = 0; stiff < 2; ++stiff) {
    Simulation s(scenario_of(standing(
        "mars6", kHills,
        fmt::format("set = ['wheel.suspension={{ stiffness = {}, damping = {}, travel = 0.02 }}']\n"
                    "start = {{ position = [0.24, 0.0], yaw = 0.8, clearance = 0.005 }}\n[[robot.profile]]\n"
                    "quantity = \"brake\"\nvalue = 90.0\n",
                    stiff ? 6e5 : 6e4, stiff ? 4000 : 900))));
    run_to(s, 8);
    const Look look(s);
    Settler settler(s.world(), 0);
    const Settled& at = settler.settle(testing::position(s).x(), testing::position(s).y(), look("yaw"));
    worst[stiff] = 0;
    for (const char* joint : {"left_rocker", "left_bogie", "right_bogie"})
      worst[stiff] = std::max(worst[stiff], std::abs(at.joints[settler.model().tree().joint_index(joint)] -
                                                     look(std::string("joint.") + joint + ".position")));
  }
  EXPECT_GT(worst[0], 5e-4) << "there is something to see";
  EXPECT_LT(worst[1], 0.2 * worst[0]);
}

/// Lowest clearance of a rigid disc above the ground, straight up, by three hundred points of its rim.
double disc_gap(const Terrain& terrain, const Vec3& hub, const Vec3& n, const Vec3& b, double radius) {
  double least = 1e300;
  for (int k = 0; k <= 300; ++k) {
    const double a = -0.5 * kPi + kPi * k / 300;
    const Vec3 p = hub + radius * (std::sin(a) * n - std::cos(a) * b);
    least = std::min(least, p.z() - terrain.height(p.x(), p.y()));
  }
  return least;
}

TEST(Settle, IsWhereABruteForceSearchPutsEveryWheelOnTheGround) {
  // Rigid wheels of el-dorado and mars6: as many wheels as unknowns. The second method knows only the model
  // file's numbers: it moves one unknown after the other by bisection until the wheels that it moves stand
  // evenly (relaxation), with its own kinematics and its own rim.
  const Scenario scenario = scenario_of(
      standing("el-dorado", kHills,
               "set = ['wheel.contact={ kind = \"sectors\", stiffness = 3000.0, damping = 200.0 }']\n"));
  const Terrain& terrain = scenario.world->terrain();
  Settler settler(*scenario.world, 0);
  for (int trial = 0; trial < 5; ++trial) {
    const double x = 0.4 * trial - 1, y = 0.3 * trial - 0.6, yaw = 1.1 * trial;
    const Settled& s = settler.settle(x, y, yaw);
    ASSERT_EQ(s.result, SettleResult::settled);
    double u[4] = {s.z + 0.03, s.roll + 0.05, s.pitch - 0.04, s.joints[0] + 0.05};  // z, roll, pitch, q
    // Gaps in the order front left, rear left, front right, rear right.
    const auto gaps = [&](const double* v, double* out) {
      const Mat3 R = (Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(-v[2], Vec3::UnitY()) *
                      Eigen::AngleAxisd(v[1], Vec3::UnitX()))
                         .toRotationMatrix();
      for (int k = 0; k < 4; ++k) {
        const double side = k < 2 ? 1 : -1, end = k % 2 == 0 ? 1 : -1;
        const Mat3 rocker = Eigen::AngleAxisd(side * v[3], Vec3::UnitY()).toRotationMatrix();
        const Vec3 hub_B = Vec3(0, 0.18 * side, -0.05) + rocker * Vec3(0.32 * end, 0.07 * side, 0.01 - 0.16);
        const Mat3 axes = R * rocker;
        out[k] = disc_gap(terrain, Vec3(x, y, v[0]) + R * hub_B, axes.col(0), axes.col(2), 0.1);
      }
    };
    // Height by the mean, roll by left minus right, pitch by front minus rear, twist by the rest.
    const auto measure = [&](const double* v, int which) {
      double g[4];
      gaps(v, g);
      return which == 0   ? g[0] + g[1] + g[2] + g[3]
             : which == 1 ? g[0] + g[1] - g[2] - g[3]
             : which == 2 ? g[0] - g[1] + g[2] - g[3]
                          : -g[0] + g[1] + g[2] - g[3];
    };
    for (int sweep = 0; sweep < 30; ++sweep) {
      for (int which = 0; which < 4; ++which) {
        double low = u[which] - 0.2, high = u[which] + 0.2;
        for (int i = 0; i < 45; ++i) {
          u[which] = 0.5 * (low + high);
          (measure(u, which) > 0 ? high : low) = u[which];
        }
      }
    }
    double g[4];
    gaps(u, g);
    for (const double gap : g) ASSERT_NEAR(gap, 0, 1e-8) << "the second method found its answer";
    // The rim of three hundred points misses up to r (pi/300)²/8 = 1.4e-6 m; rigid wheels give 2e-5 m.
    EXPECT_NEAR(s.z, u[0], 5e-5) << trial;
    EXPECT_NEAR(s.roll, u[1], 1e-4) << trial;
    EXPECT_NEAR(s.pitch, u[2], 1e-4) << trial;
    EXPECT_NEAR(s.joints[0], u[3], 1e-4) << trial;
    EXPECT_NEAR(s.joints[0], -s.joints[1], 1e-15) << trial;
    EXPECT_GT(std::abs(s.joints[0]), 1e-3) << trial;
  }
}

TEST(Settle, ForcesBalanceAndLoadsCarryTheWeight) {
  // Frictionless but for what holds the base where it is: vertical forces, and moments about level axes
  // through the base, vanish. From many places, cold and warm; median and worst.
  const Scenario scenario = load_scenario("rover/mars6");
  Settler settler(*scenario.world, 0);
  RandomStream random(7, 0, "places");
  std::vector<double> residuals, steps, off;
  for (int k = 0; k < 400; ++k) {
    const double x = -6 + 12 * random.uniform(), y = -6 + 12 * random.uniform(),
                 yaw = 6.28 * random.uniform();
    const Settled s = settler.settle(x, y, yaw);
    if (s.result != SettleResult::settled) continue;
    residuals.push_back(s.residual), steps.push_back(s.iterations);
    double up = 0;
    for (const SettledWheel& w : s.wheels) up += w.load * w.normal_W.z();
    off.push_back(std::abs(up / (180 * 3.71) - 1));
    EXPECT_NEAR(s.joints[0] + s.joints[1], 0, 1e-14);
  }
  ASSERT_GT(residuals.size(), 350u);
  for (auto* list : {&residuals, &steps, &off}) std::sort(list->begin(), list->end());
  const std::size_t middle = off.size() / 2, most = off.size() * 95 / 100;
  EXPECT_LT(off[middle], 1e-8);
  EXPECT_LT(off[most], 1e-3) << "creases between rocks, where a wheel touches twice";
  EXPECT_LE(steps[middle], 12);
}

TEST(Settle, MirroredGroundMirrorsThePose) {
  for (const char* model : {"el-dorado", "rocker"}) {
    const char* f = "kind = \"function\"\nexpression = \"0.05*sin(2.1*x+0.4)*cos(2.6*{}+0.9)\"\n";
    const Scenario a = scenario_of(standing(model, fmt::format(fmt::runtime(f), "y")));
    const Scenario b = scenario_of(standing(model, fmt::format(fmt::runtime(f), "(-y)")));
    Settler one(*a.world, 0), other(*b.world, 0);
    const Settled &p = one.settle(0.3, 0.4, 0.6), &q = other.settle(0.3, -0.4, -0.6);
    EXPECT_NEAR(p.z, q.z, 1e-9);
    EXPECT_NEAR(p.roll, -q.roll, 1e-8);
    EXPECT_NEAR(p.pitch, q.pitch, 1e-8);
    EXPECT_NEAR(p.joints[0], q.joints[1], 1e-8);
    EXPECT_GT(std::abs(p.roll), 1e-3);
  }
}

TEST(Settle, WarmAndColdStartsEndAlike) {
  const Scenario scenario = load_scenario("rover/el-dorado");
  Settler warm(*scenario.world, 0), cold(*scenario.world, 0);
  for (int k = 0; k < 60; ++k) {
    const Settled &a = warm.settle(0.03 * k, 0.02 * k, 0.05 * k, true),
                  &b = cold.settle(0.03 * k, 0.02 * k, 0.05 * k);
    EXPECT_NEAR(a.z, b.z, 1e-7) << k;
    EXPECT_NEAR(a.pitch, b.pitch, 1e-6) << k;
    EXPECT_NEAR(a.joints[0], b.joints[0], 1e-6) << k;
  }
}

TEST(Settle, SaysWhereItTipsOverAndWhereItIsOutside) {
  const Scenario steep = scenario_of(standing("el-dorado", "kind = \"flat\"\nslope_deg = 50.0"));
  Settler settler(*steep.world, 0);
  EXPECT_EQ(settler.settle(0, 0, 0.5 * kPi).result, SettleResult::tips_over)
      << "0.5 m of track, 0.23 m high: 47.5 degrees";
  const Scenario gentle = scenario_of(standing("el-dorado", "kind = \"flat\"\nslope_deg = 30.0"));
  Settler other(*gentle.world, 0);
  EXPECT_EQ(other.settle(0, 0, 0.5 * kPi).result, SettleResult::settled);
  EXPECT_NEAR(other.settle(0, 0, 0).pitch, 30 * kDegree, 0.02);
  const Scenario small = scenario_of(
      standing("el-dorado", "kind = \"fbm\"\nhurst = 0.9\nsigma = 0.001\nsize = [2, 2]\ncells = [64, 64]"));
  Settler edge(*small.world, 0);
  EXPECT_EQ(edge.settle(0.95, 0, 0).result, SettleResult::outside);
  EXPECT_EQ(edge.settle(0, 0, 0).result, SettleResult::settled);
}

TEST(Settle, DeadReckoningLeadsBackAlongThePath) {
  // Inverse kinematics along a winding path over hills, forward kinematics from what it says of joints and
  // wheels.
  for (const auto& [model, ground] :
       {std::pair{"mars6", kHills}, std::pair{"el-dorado", kHills}, std::pair{"mars6", "kind = \"flat\""},
        std::pair{"el-dorado", "kind = \"flat\""}}) {
    const Scenario scenario = scenario_of(standing(model, ground));
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
      Settler settler(*scenario.world, 0);
      std::vector<PathPoint> path;
      const int n = fine ? 400 : 200;
      for (int k = 0; k <= n; ++k) {
        const double t = 4.0 * k / n;
        path.push_back({t, 0.5 * std::sin(t), std::atan(0.5 * std::cos(t))});
      }
      const auto poses = settle_path(settler, path);
      const auto back = dead_reckon(settler.model(), poses, path[0]);
      error[fine] = std::hypot(back.back().x - path.back().x, back.back().y - path.back().y);
      EXPECT_NEAR(back.back().yaw, path.back().yaw, 0.02) << model;
      EXPECT_GT(poses.back().spin_angle[0], 30) << model << ": 4 m on wheels of a tenth of a metre";
    }
    if (ground != kHills) {
      EXPECT_LT(error[1], 1e-3) << model << ", coarser " << error[0];
    } else {
      // On hills wheels that are steered for level ground cannot all roll without slipping sideways: a rest
      // stays.
      EXPECT_LT(error[1], 0.015 * 4.2) << model << ", coarser " << error[0];
    }
  }
}

TEST(Settle, RefusesWhatCannotStand) {
  const Scenario scenario =
      load_scenario("rover/mars6_dunes", {"terrain={kind=\"flat\",soil={names=[\"toyoura\"]}}"});
  Settler settler(*scenario.world, 0);
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(testing::message_of([&] { settler.set_joint("left_rocker", 0); }), "found by settling"));
  EXPECT_TRUE(has(testing::message_of([&] { settler.set_joint("steer_front_lef", 0); }), "steer_front_left"));
  EXPECT_TRUE(has(testing::message_of([&] { settler.set_joint("steer_front_left", 2); }), "limits"));
  settler.set_joint("steer_front_left", 0.3);
  EXPECT_NEAR(settler.settle(0, 0, 0).joints[settler.model().tree().joint_index("steer_front_left")], 0.3,
              1e-12);
  EXPECT_NEAR(settler.settle(0, 0, 0).z, 0.5, 1e-3) << "rigid discs do not sink";
  const Scenario sideways = load_scenario("rover/el-dorado", {"world.gravity=[1.0,0.0,-9.0]"});
  EXPECT_TRUE(has(testing::message_of([&] { Settler(*sideways.world, 0); }), "straight down"));
}

}  // namespace
}  // namespace scree
