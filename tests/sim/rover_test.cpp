// The jointed rovers: rocker-bogie with differential and steered wheels, against hand-written statics,
// symmetry, the balance of energy, and many starts on nasty ground.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scree/core/dense.hpp"
#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/kinematics.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"
#include "sim/scenarios.hpp"

namespace scree {
namespace {

using testing::Look;
using testing::run_to;
using testing::scenario_of;

const char* const kRovers[] = {"mars6", "el-dorado"};

std::string rover_on(const std::string& model, const std::string& terrain, const std::string& more = "") {
  return "format = 1\nduration = 1000.0\n" + terrain + "\n[[robot]]\nmodel = \"" + model + "\"\n" + more;
}

double joint_angle(const Simulation& s, const char* joint) {
  const WorldRobot& r = s.world().robots()[0];
  const Tree& tree = r.model->tree();
  return s.state().block(r)[r.model->layout().positions + tree.joint_position() + tree.joint_index(joint)];
}
double joint_sum(const Simulation& s) {
  return joint_angle(s, "left_rocker") + joint_angle(s, "right_rocker");
}

TEST(Rover, TheMeanOfTheRockerAnglesIsZeroToRounding) {
  // The differential is a constraint of the solve, not a spring: it holds in a bend over rocks, in sand,
  // after a drop, and whatever the step.
  for (const char* name : {"mars6", "mars6_dunes", "el-dorado", "el-dorado_sand"}) {
    for (const char* step : {"solver.step=1e-3", "solver.step=4e-3"}) {
      Simulation s(load_scenario(source_tree("/scenarios/rover/") + name + ".toml",
                                 {step, "robot.start.clearance=0.05"}));
      double worst = 0, widest = 0;
      while (!s.finished() && s.time() < 12) {
        s.advance();
        worst = std::max(worst, std::abs(0.5 * joint_sum(s)));
        widest = std::max(widest, std::abs(joint_angle(s, "left_rocker")));
      }
      EXPECT_LT(worst, 1e-12) << name << " " << step;
      EXPECT_GT(widest, 0.01) << name << ": the ground twists";
    }
  }
}

/// A robot that stands, its wheels free to turn, on this ground; after `time` seconds.
Simulation at_rest(const std::string& model, const std::string& terrain, double time,
                   const std::string& more = "start = { clearance = -0.004 }\n") {
  Simulation s(scenario_of(rover_on(model, terrain, more)));
  run_to(s, time);
  return s;
}

/// Moment about an axis through a pivot of what the ground and gravity do to a rocker with all that hangs on
/// it [N m]; the differential holds it.
double moment_of_side(Simulation& s, const std::string& side) {
  examine(s.world(), s.state(), 0, s.workspace());
  const RobotModel& model = *s.world().robots()[0].model;
  RobotScratch& scratch = s.workspace().of(0);
  list_contacts(s.world(), model, scratch);
  const Tree& tree = model.tree();
  const int rocker = tree.frame(side + "_rocker").link;
  const Pose& X = scratch.mechanism.link[rocker].X_WL;
  const Vec3 axis = X.R.col(1);
  const auto hangs_on = [&](int link) {
    for (; link > 0; link = tree.joints()[link - 1].parent)
      if (link == rocker) return true;
    return false;
  };
  Vec3 moment = Vec3::Zero();
  for (int i = 1; i < tree.link_count(); ++i) {
    if (!hangs_on(i)) continue;
    const Vec3 c = scratch.mechanism.link[i].X_WL * tree.links()[i].p_LC;
    moment += (c - X.p).cross(tree.links()[i].mass * s.world().gravity());
  }
  for (const RobotWheel& wheel : model.wheels()) {
    const Contact& c = scratch.contacts[wheel.contact];
    if (hangs_on(wheel.link) && c.touching) moment += (c.p_W - X.p).cross(c.force_W) + c.moment_W;
  }
  return axis.dot(moment);
}

TEST(Rover, TheDifferentialGivesBothRockersTheSameTorque) {
  // Virtual work: a turn dq of the left rocker is -dq of the right, so what holds them must be equal.
  // The mast is heavier here, so that there is much to hold.
  const std::string ground =
      "[terrain]\nkind = \"sines\"\namplitude = 0.1\nwavelength_x = 2.4\nwavelength_y = 1.9";
  for (const char* model : kRovers) {
    const std::string heavier = std::string(model) == "mars6" ? "set = [\"link.0.mass=30.0\"]\n" : "";
    const std::string brake = "[[robot.profile]]\nquantity = \"brake\"\nvalue = 90.0\n";
    Simulation s =
        at_rest(model, ground, 6,
                heavier + "start = { position = [0.3, 0.2], yaw = 0.4, clearance = 0.01 }\n" + brake);
    ASSERT_LT(testing::fastest(s), 1e-5) << model;
    const double left = moment_of_side(s, "left"), right = moment_of_side(s, "right");
    EXPECT_NEAR(left, right, 1e-4 * (1 + std::abs(left))) << model;
    EXPECT_GT(std::abs(left), 0.1) << model << ": there is something to hold";
    EXPECT_GT(std::abs(Look(s)("joint.left_rocker.position")), 0.02) << model;
    // And it is the force that the solve found for the coupling.
    const double held = -s.workspace().of(0).mechanism.coupling_force[0];
    EXPECT_NEAR(held, left, 1e-3 * (1 + std::abs(left))) << model;
  }
}

TEST(Rover, StaticWheelLoadsOfMars6AreThoseOfItsStatics) {
  // By hand, level ground, from the numbers of the model file; unknown the six loads and the differential's
  // torque. Order: front, middle, rear left; front, middle, rear right; torque.
  const double g = 9.81, arm = 0.305, base = 0.61, track = 0.53;
  Eigen::Matrix<double, 7, 7> A = Eigen::Matrix<double, 7, 7>::Zero();
  Eigen::Matrix<double, 7, 1> b = Eigen::Matrix<double, 7, 1>::Zero();
  // Bogies about their pivots: 8 kg 0.1525 m ahead, the rear knuckle of 5 kg 0.305 m behind.
  const double bogie = g * (8 * 0.1525 - 5 * arm);
  // Rockers about theirs (x = 0): front knuckle, arm, bogie, rear knuckle; the torque holds.
  const double rocker = g * (5 * base + 7 * 0.1 + 8 * (-arm + 0.1525) - 5 * base);
  for (int side = 0; side < 2; ++side) {
    const int k = 3 * side;
    A(2 * side, k + 1) = arm, A(2 * side, k + 2) = -arm, b[2 * side] = bogie;
    A(2 * side + 1, k) = base, A(2 * side + 1, k + 2) = -base, A(2 * side + 1, 6) = 1,
                    b[2 * side + 1] = rocker;
  }
  for (int k = 0; k < 6; ++k) {
    A(4, k) = 1;                                              // weight
    A(5, k) = (k < 3 ? 1 : -1) * track;                       // about x: only the mast is off the middle
    A(6, k) = (k % 3 == 0 ? 1 : k % 3 == 2 ? -1 : 0) * base;  // about y
  }
  b[4] = 180 * g, b[5] = g * 4 * 0.14, b[6] = 2 * rocker + g * 4 * 0.36;
  const Eigen::Matrix<double, 7, 1> x = solve_dense(A, b);
  ASSERT_LT((A * x - b).norm(), 1e-9);

  Simulation s = at_rest("mars6", "[terrain]\nkind = \"flat\"", 8);
  ASSERT_LT(testing::fastest(s), 1e-4);
  const char* const names[] = {"front_left",  "middle_left",  "rear_left",
                               "front_right", "middle_right", "rear_right"};
  const Look look(s);
  for (int k = 0; k < 6; ++k) {
    // The wheels give by 5 mm and their differences tilt the robot by 1e-4 rad: 0.1 N; side forces that the
    // fall left in the tyres are of that size.
    EXPECT_NEAR(look(std::string("wheel.") + names[k] + ".normal"), x[k], 0.5) << names[k];
    EXPECT_NEAR(x[k], 295, 15);
  }
  // The loads turn a rocker against +y: what the differential adds about +y is minus the torque above.
  EXPECT_NEAR(s.workspace().of(0).mechanism.coupling_force[0], -x[6], 0.05);
}

TEST(Rover, StaticWheelLoadsOfElDoradoAreEqual) {
  Simulation s = at_rest("el-dorado", "[terrain]\nkind = \"flat\"", 5);
  const Look look(s);
  for (const char* name : {"front_left", "front_right", "rear_left", "rear_right"})
    EXPECT_NEAR(look(std::string("wheel.") + name + ".normal"), 35 * 9.81 / 4, 1e-3) << name;
}

TEST(Rover, AMirroredRunMirrors) {
  // The ground y -> -y, the commands of left and right exchanged, steering the other way. The mast of mars6
  // goes to the middle.
  const std::string f = "0.06*sin(2.1*x+0.4)*cos(2.6*{}+0.9) + 0.03*sin(3.3*{}+1.7*x)";
  const auto ground = [&](const char* y) {
    std::string e = f;
    for (std::size_t at; (at = e.find("{}")) != std::string::npos;) e.replace(at, 2, y);
    return "[terrain]\nkind = \"function\"\nexpression = \"" + e + "\"\n";
  };
  for (const char* model : kRovers) {
    const bool six = std::string(model) == "mars6";
    Vec3 end[2];
    double joints[2][2], loads[2][2];
    for (int m = 0; m < 2; ++m) {
      const std::string left = m ? "right" : "left", right = m ? "left" : "right";
      const auto profile = [](const std::string& drive, const char* what, double value) {
        return fmt::format("[[robot.profile]]\nquantity = \"{}\"\ndrives = [\"{}\"]\nvalue = {}\n", what,
                           drive, value);
      };
      const double turn = m ? -0.2 : 0.2, yaw = m ? -0.5 : 0.5, y = m ? -0.3 : 0.3;
      std::string more = six ? "set = [\"link.0.position=[0.36,0.0,0.12]\"]\n" : "";
      more += fmt::format("start = {{ position = [0.2, {}], yaw = {}, clearance = 0.01 }}\n", y, yaw);
      more += profile("*_" + left, "speed", 1.8) + profile("*_" + right, "speed", 2.2);
      // Later profiles win: steering heads are drives too.
      for (const char* end_of : {"front", "rear"})
        for (const std::string& side : {left, right})
          more += profile(std::string("steer_") + end_of + "_" + side, "position",
                          (end_of[0] == 'f' ? 1 : -1) * turn * (side == left ? 1.1 : 0.9));
      Simulation s(scenario_of(rover_on(model, ground(m ? "(-y)" : "y"), more)));
      run_to(s, 1.5);
      end[m] = testing::position(s);
      const Look look(s);
      joints[m][0] = look("joint." + left + "_rocker.position"), joints[m][1] = look("yaw");
      loads[m][0] = look("wheel.front_" + left + ".normal"),
      loads[m][1] = look("wheel.rear_" + right + ".normal");
    }
    // Rounding of 1e-16, grown by 1.5 s of bumps and slip.
    EXPECT_NEAR(end[0].x(), end[1].x(), 1e-6) << model;
    EXPECT_NEAR(end[0].y(), -end[1].y(), 1e-6) << model;
    EXPECT_NEAR(end[0].z(), end[1].z(), 1e-6) << model;
    EXPECT_NEAR(joints[0][0], joints[1][0], 1e-6) << model;
    EXPECT_NEAR(joints[0][1], -joints[1][1], 1e-6) << model;
    for (int i : {0, 1}) EXPECT_NEAR(loads[0][i], loads[1][i], 1e-2) << model;
    EXPECT_GT((end[0] - Vec3(0.2, 0.3, end[0].z())).norm(), 0.15) << model << " drove";
  }
}

TEST(Rover, EnergyIsKeptWithoutLosses) {
  // Thrown into the air with its rockers swinging and its steering turning freely: what the step loses falls
  // with the square of its length (drift, kick, drift).
  for (const char* model : kRovers) {
    RobotSettings x = read_robot(model, ".");
    for (auto& link : x.links) link.damping = 0, link.lower = -1e9, link.upper = 1e9;
    x.drives.clear();      // nothing holds the steering
    x.drive.armature = 0;  // of rotors: it is not in the tree
    double error[2];
    for (int k = 0; k < 2; ++k) {
      auto world = std::make_shared<World>(
          Vec3(0, 0, -9.81),
          scenario_of(rover_on("skid4", "[terrain]\nkind=\"flat\"")).world->shared_terrain(),
          SolverSettings{});
      world->add("rover", std::make_shared<RobotModel>(x));
      State state(*world);
      SimWorkspace workspace(*world);
      const RobotModel& m = *world->robots()[0].model;
      RobotBlock block(m, state.block(world->robots()[0]));
      block.positions[2] = 200;
      const double v[] = {0.4, -0.3, 5, 0.9, -0.6, 0.8};
      for (int i = 0; i < 6; ++i) block.velocities[i] = v[i];
      const Tree& tree = m.tree();
      for (int j = 0; j < tree.joint_count(); ++j) block.velocities[6 + j] = 0.3 + 0.2 * j;
      const int left = tree.joint_index("left_rocker"), right = tree.joint_index("right_rocker");
      block.velocities[6 + right] = -block.velocities[6 + left];
      for (int j = 0; j < tree.rotor_count(); ++j) block.velocities[tree.rotor_velocity() + j] = 4 - j;
      for (auto& c : workspace.commands[0]) c = {DriveCommand::Mode::torque, 0, 0};
      const auto energy = [&] {
        Workspace& ws = workspace.of(0).mechanism;
        update_kinematics(tree, block.positions, block.velocities, ws);
        return kinetic_energy(tree, ws) + potential_energy(tree, world->gravity(), ws);
      };
      const double before = energy(), dt = k ? 1e-3 : 2e-3;
      double worst = 0;
      for (int i = 0; i < static_cast<int>(2 / dt + 0.5); ++i) {
        step(*world, state, dt, workspace);
        worst = std::max(worst, std::abs(energy() - before));
      }
      error[k] = worst;
      EXPECT_NEAR(block.positions[7 + left], -block.positions[7 + right], 2e-12);
      EXPECT_GT(std::abs(block.positions[7 + left]), 0.1) << "they swung";
    }
    EXPECT_LT(error[1], 2e-3) << model;  // of some hundred joules in motion
    EXPECT_NEAR(error[0] / error[1], 4, 1) << model;
  }
}

TEST(Rover, SteersTheCircleItIsToldTo) {
  // Level hard ground: all wheels roll about one point, 4 m (1.5 m) to the left.
  for (const auto& [name, radius] : {std::pair{"mars6", 4.0}, std::pair{"el-dorado", 1.5}}) {
    Simulation s(load_scenario(source_tree("/scenarios/rover/") + std::string(name) + ".toml",
                               {"terrain={kind=\"flat\"}"}));
    run_to(s, 10.5);
    const Vec3 a = testing::position(s);
    run_to(s, 12.5);
    const Vec3 b = testing::position(s);
    run_to(s, 14.5);
    const Vec3 c = testing::position(s);
    // Radius of the circle through three points.
    const double u = (b - a).norm(), v = (c - b).norm(), w = (c - a).norm();
    const double area = 0.5 * (b - a).cross(c - a).norm();
    EXPECT_NEAR(u * v * w / (4 * area), radius, 0.01 * radius) << name;
    EXPECT_GT((b - a).cross(c - a).z(), 0) << name << ": to the left";
    for (const RobotWheel& wheel : s.world().robots()[0].model->wheels())
      EXPECT_LT(std::abs(Look(s)("wheel." + wheel.settings.name + ".slip_angle")), 0.02)
          << name << " " << wheel.settings.name << " rolls where it points";
  }
}

TEST(Rover, DrivesFromManyPlacesOnNastyGround) {
  // Chopped brick, rocks, rocks on a rough plain, hard and soft: the step bears all of it, the differential
  // holds, and the joints stay within their stops (which give a little).
  const char* const grounds[] = {
      "[terrain]\nkind = \"fbm\"\nhurst = 0.36\nsigma = 0.008\nsize = [6, 6]\ncells = [384, 384]\n",
      "[terrain]\nkind = \"compose\"\n[terrain.base]\nkind = \"flat\"\n[[terrain.feature]]\nkind = "
      "\"rocks\"\n"
      "cover = 0.15\nsize = [8, 8]\ncell = 0.02\nsmallest = 0.08\nlargest = 0.4\n",
      "[terrain]\nkind = \"compose\"\n[terrain.base]\nkind = \"noise\"\nrms = 0.08\nlength = 2.0\nsize = [8, "
      "8]\n"
      "cell = 0.02\nperiod = 1.5\n[[terrain.feature]]\nkind = \"rocks\"\ncover = 0.1\nsize = [8, 8]\ncell = "
      "0.02\n"
      "smallest = 0.08\nlargest = 0.3\n"};
  std::vector<double> sums, travels, stops;
  for (const char* model : kRovers) {
    for (std::size_t g = 0; g < 3; ++g) {
      for (int trial = 0; trial < 4; ++trial) {
        const bool soft = trial % 2 == 1;
        const double x = -0.9 + 0.6 * trial, y = 0.7 - 0.5 * trial,
                     yaw = 1.7 * trial + 0.3 * static_cast<double>(g);
        std::string more =
            fmt::format("start = {{ position = [{}, {}], yaw = {}, clearance = 0.03 }}\n", x, y, yaw);
        if (soft)
          more +=
              "set = ['wheel.contact={ kind = \"soil\", model = \"closed_form\", mount = \"rigid\", "
              "lug_height = 0.006 }']\n";
        more +=
            "[[robot.profile]]\nquantity = \"speed\"\ndrives = [\"front_*\", \"middle_*\", "
            "\"rear_*\"]\nvalue = 2.0\n";
        if (std::string(model) == "el-dorado") more.replace(more.find("\"middle_*\", "), 12, "");
        more +=
            "[[robot.profile]]\nquantity = \"position\"\ndrives = [\"steer_front_*\"]\nrows = [[0, 0], [1, "
            "0.3], [3, -0.3]]\n";
        std::string ground = grounds[g];
        if (soft) ground += "[terrain.soil]\nnames = [\"toyoura\"]\n";
        Simulation s(scenario_of(fmt::format("seed = {}\n", trial + 1) + rover_on(model, ground, more)));
        const Vec3 start = testing::position(s);
        double sum = 0, stop = 0;
        while (!s.finished() && s.time() < 3) {
          s.advance();
          sum = std::max(sum, std::abs(joint_sum(s)));
          const WorldRobot& r = s.world().robots()[0];
          const Tree& tree = r.model->tree();
          const double* q = s.state().block(r) + tree.joint_position();
          for (int j = 0; j < tree.joint_count(); ++j)
            stop = std::max(
                {stop, q[j] - tree.joints()[j].settings.upper, tree.joints()[j].settings.lower - q[j]});
        }
        // Leaving the small map or falling over a rock are events of the run, not faults.
        EXPECT_TRUE(s.outcome() == "running" || s.outcome() == "left_terrain" || s.outcome() == "rolled_over")
            << model << g << trial << s.outcome();
        sums.push_back(sum), stops.push_back(stop), travels.push_back((testing::position(s) - start).norm());
      }
    }
  }
  for (auto* list : {&sums, &travels, &stops}) std::sort(list->begin(), list->end());
  EXPECT_LT(sums.back(), 2e-12) << "median " << sums[sums.size() / 2];
  EXPECT_LT(stops.back(), 0.05) << "median " << stops[stops.size() / 2];
  EXPECT_GT(travels[travels.size() / 2], 0.3) << "least " << travels.front();
}

TEST(Rover, SteeringByServoEndsWhereKinematicSteeringDoes) {
  // Ding 2011 Sec. 4.2.2 steers by kinematics since the torque has little effect on the whole: so it has.
  Vec3 end[2];
  for (int k = 0; k < 2; ++k) {
    std::vector<std::string> set{"terrain={kind=\"flat\"}"};
    if (k)
      set.push_back(
          R"(robot.set=['drive.1={ on = "steer_*", kind = "servo", frequency = 8.0, armature = 0.1 }'])");
    Simulation s(load_scenario(source_tree("/scenarios/rover/mars6.toml"), set));
    run_to(s, 16);
    end[k] = testing::position(s);
    EXPECT_NEAR(Look(s)("joint.steer_front_left.position"), 0.1740, k ? 5e-3 : 1e-9);
  }
  EXPECT_LT((end[0] - end[1]).norm(), 0.02) << "after 4.5 m";
}

}  // namespace
}  // namespace scree
