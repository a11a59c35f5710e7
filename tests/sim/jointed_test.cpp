// Robots with wheels on jointed links, drives on joints, prescribed joints, fixed bases: against the same
// robot built another way, against closed forms, and against the balance of momentum of the whole.
#include <gtest/gtest.h>

#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/mechanism/integrate.hpp"
#include "scree/sim/balance.hpp"
#include "scree/sim/place.hpp"
#include "scree/sim/prescribe.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"
#include "sim/scenarios.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using testing::Look;
using testing::run_to;
using testing::scenario_of;

/// A world of one robot that is put together here.
struct OneRobot {
  std::shared_ptr<World> world;
  State state;
  SimWorkspace workspace;

  OneRobot(const RobotSettings& robot, std::shared_ptr<const Terrain> terrain, const StartSettings& start,
           const SolverSettings& solver = {})
      : world(make(robot, terrain, solver)), state(*world), workspace(*world) {
    place(*world, 0, start, state, workspace);
  }
  const RobotModel& model() const { return *world->robots()[0].model; }
  RobotBlock block() { return {model(), state.block(world->robots()[0])}; }
  RobotScratch& scratch() { return workspace.of(0); }
  void run(double duration, double dt = 1e-3) {
    for (int k = 0; k < static_cast<int>(duration / dt + 0.5); ++k) step(*world, state, dt, workspace);
  }
  double signal(const std::string& name) {
    const SignalCatalog catalog = signal_catalog(*world);
    std::vector<double> values(catalog.size());
    observe(*world, state, workspace, values);
    return values[catalog.find(name)];
  }

 private:
  static std::shared_ptr<World> make(const RobotSettings& robot, std::shared_ptr<const Terrain> terrain,
                                     const SolverSettings& solver) {
    auto world = std::make_shared<World>(Vec3(0, 0, -9.81), std::move(terrain), solver);
    world->add("robot", std::make_shared<RobotModel>(robot));
    return world;
  }
};

std::shared_ptr<const Terrain> terrain_of(const std::string& table) {
  return scenario_of("format = 1\n[terrain]\n" + table + "[[robot]]\nmodel = \"skid4\"\n")
      .world->shared_terrain();
}
std::shared_ptr<const Terrain> rough() {
  return terrain_of("kind = \"sines\"\namplitude = 0.08\nwavelength_x = 1.8\nwavelength_y = 1.5\n");
}
std::shared_ptr<const Terrain> level() { return terrain_of("kind = \"flat\"\n"); }

/// The rocker robot with its rockers stiff at given angles: fused to the chassis, or joints that do not move.
RobotSettings stiff_rocker(bool fused, double left, double right) {
  RobotSettings x = read_robot("rocker", ".");
  x.couplings.clear();
  for (auto& link : x.links) {
    const double angle = link.name == "left" ? left : right;
    if (fused) {
      link.joint = "fixed";
      link.rotation = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    } else {
      link.motion.kind = "ramp";
      link.motion.offset = angle;
    }
  }
  return x;
}

TEST(Rocker, LockedIsTheSameRobotAsFused) {
  // Wheels on three links against wheels on one: every force, moment and derivative of a wheel on a jointed
  // link is at work. Same equations, other order of sums: and the contact search,
  // whose bracket follows the robot's reach, finds its points to about 1e-7 m: that, grown by 2 s of bumps.
  const StartSettings start{.position = {-4, 0.3}, .clearance = 0.02, .yaw = 0.4, .speed = 0.6};
  OneRobot fused(stiff_rocker(true, 0.12, -0.05), rough(), start);
  OneRobot locked(stiff_rocker(false, 0.12, -0.05), rough(), start);
  ASSERT_EQ(fused.model().tree().link_count(), 1);
  ASSERT_EQ(locked.model().tree().link_count(), 3);
  for (OneRobot* robot : {&fused, &locked}) {
    for (std::size_t i = 0; i < 4; ++i)
      robot->workspace.commands[0][i] = {DriveCommand::Mode::speed, i % 2 == 0 ? 4.0 : 6.0, 0};
    robot->run(2);
  }
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(locked.block().positions[i], fused.block().positions[i], 1e-6) << i;
  }
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(locked.block().velocities[i], fused.block().velocities[i], 1e-5) << i;
  }
  EXPECT_GT((fused.block().positions[0] + 4), 0.5) << "it drove";
  for (const char* name : {"stability.nesm", "stability.index", "stability.distance"}) {
    EXPECT_NEAR(locked.signal(name), fused.signal(name), 1e-5) << name;
  }
  const RobotInfo a = robot_info(fused.model(), Vec3(0, 0, -9.81));
  const RobotInfo b = robot_info(locked.model(), Vec3(0, 0, -9.81));
  EXPECT_NEAR(a.mass, b.mass, 1e-12);
}

TEST(Rocker, StabilityIsThatOfTheWholeRobotHeldOrFixed) {
  // The joint fixed, or held by 2e6 N m/rad: the same robot, the same margin.
  RobotSettings fixed = read_robot("skid4", "."), held = fixed;
  RobotLinkSettings mast;
  mast.name = "mast";
  mast.position = {0.1, 0.05, 0.1};
  mast.mass = 12;
  mast.com = {0.05, 0.02, 0.5};
  mast.inertia = {0.3, 0.3, 0.05};
  mast.joint = "fixed";
  fixed.links.push_back(mast);
  mast.joint = "revolute";
  mast.stiffness = 2e6;
  mast.damping = 2e3;
  held.links.push_back(mast);
  const StartSettings start{.clearance = -0.01};
  OneRobot a(fixed, level(), start), b(held, level(), start);
  for (OneRobot* robot : {&a, &b}) {
    for (auto& command : robot->workspace.commands[0]) command = {DriveCommand::Mode::torque, 0, 0};
    robot->run(2);
  }
  const double margin = a.signal("stability.nesm");
  EXPECT_GT(margin, 0.01);
  EXPECT_NEAR(b.signal("stability.nesm"), margin, 1e-5);
  EXPECT_NEAR(b.signal("stability.index"), a.signal("stability.index"), 1e-3);
  EXPECT_NEAR(b.signal("stability.distance"), a.signal("stability.distance"), 1e-5);
  const RobotInfo x = robot_info(a.model(), Vec3(0, 0, -9.81)), y = robot_info(b.model(), Vec3(0, 0, -9.81));
  EXPECT_LT((x.p_BM - y.p_BM).norm(), 1e-12);
  EXPECT_LT((x.inertia_B - y.inertia_B).norm(), 1e-9);
  EXPECT_NEAR(x.mass, 52, 1e-9);
  // By hand: 40 kg in the origin, 12 kg at (0.15, 0.07, 0.6).
  EXPECT_LT((x.p_BM - 12.0 / 52 * Vec3(0.15, 0.07, 0.6)).norm(), 1e-9);
}

TEST(Rocker, StabilityFollowsAJointThatMoves) {
  // An arm that is swung out to the side takes the centre of mass along: closed form of the distance.
  RobotSettings x = read_robot("skid4", ".");
  RobotLinkSettings arm;
  arm.name = "arm";
  arm.axis = Vec3::UnitX();
  arm.position = {0, 0, 0.1};
  arm.mass = 4;
  arm.com = {0, 0, 0.4};
  arm.inertia = {0.05, 0.05, 0.01};
  arm.motion = {.kind = "table", .rows = {{0.0, 0.0}, {1.0, -0.5}}};
  x.links.push_back(arm);
  OneRobot robot(x, level(), {.clearance = -0.01});
  for (auto& command : robot.workspace.commands[0]) command = {DriveCommand::Mode::torque, 0, 0};
  robot.run(4);
  examine(*robot.world, robot.state, 0, robot.workspace);
  list_contacts(*robot.world, robot.model(), robot.scratch());
  balance(*robot.world, robot.model(), robot.scratch());
  Vec3 moments = Vec3::Zero();  // sum m p by hand
  const Pose X = robot.scratch().mechanism.link[0].X_WL;
  const Mat3 R = Eigen::AngleAxisd(-0.5, Vec3::UnitX()).toRotationMatrix();
  moments += 40 * X.p + 4 * (X * Vec3(Vec3(0, 0, 0.1) + R * Vec3(0, 0, 0.4)));
  const Vec3 centre = moments / 44;
  EXPECT_NEAR(centre.y() - X.p.y(), 4 * 0.4 * std::sin(0.5) / 44, 2e-3) << "to the left";
  // The left wheels' contacts lie 0.25 m from the middle; the body has rolled by a little.
  const double left = (X * Vec3(0.25, 0.25, -0.2)).y();
  EXPECT_NEAR(robot.signal("stability.distance"), left - centre.y(), 2e-3);
}

/// Momentum of the whole robot and its angular momentum about its centre of mass, h later.
Momentum momentum_after(OneRobot& robot, double h) {
  const Tree& tree = robot.model().tree();
  std::vector<double> x(robot.block().positions.begin(), robot.block().positions.end());
  std::vector<double> v(robot.block().velocities.begin(), robot.block().velocities.end());
  Workspace ws(tree);
  update_kinematics(tree, x, v, ws);
  kick(tree, ws, robot.scratch().acceleration, 0.5 * h, v);
  drift(tree, x, v, h);
  update_kinematics(tree, x, v, ws);
  v.assign(robot.block().velocities.begin(), robot.block().velocities.end());
  kick(tree, robot.scratch().mechanism, robot.scratch().acceleration, h, v);
  update_kinematics(tree, x, v, ws);
  return momentum(tree, ws, centre_of_mass(tree, ws));
}

TEST(Rocker, MomentumOfTheWholeChangesByWhatTheGroundDoes) {
  // Newton and Euler for the whole robot, from the contact forces and where they act: knows nothing of links,
  // joints and apparent inertias. Rolling resistance is a couple about the axle.
  RobotSettings settings = read_robot("rocker", ".");
  OneRobot robot(settings, rough(), {.position = {-4, 0.3}, .clearance = -0.004, .yaw = 0.7, .speed = 0.8});
  for (std::size_t i = 0; i < 4; ++i)
    robot.workspace.commands[0][i] = {DriveCommand::Mode::torque, i < 2 ? 9.0 : -4.0, 0};
  for (int trial = 0; trial < 10; ++trial) {
    robot.run(0.11);
    examine(*robot.world, robot.state, 0, robot.workspace);
    RobotScratch& s = robot.scratch();
    list_contacts(*robot.world, robot.model(), s);
    const Tree& tree = robot.model().tree();
    const Vec3 centre = centre_of_mass(tree, s.mechanism);
    Vec3 force = tree.mass() * robot.world->gravity(), moment = Vec3::Zero();
    int touching = 0;
    for (const RobotWheel& wheel : robot.model().wheels()) {
      const Contact& c = s.contacts[wheel.contact];
      if (!c.touching) continue;
      ++touching;
      force += c.force_W;
      moment += (c.p_W - centre).cross(c.force_W) + c.moment_W;
    }
    ASSERT_GE(touching, 2) << trial;
    const double h = 1e-5;
    const Momentum after = momentum_after(robot, h), before = momentum_after(robot, -h);
    const Vec3 linear = (after.linear - before.linear) / (2 * h);
    const Vec3 angular = (after.angular - before.angular) / (2 * h);
    // Differences of second order over 1e-5 s: nine digits of forces of some hundred newtons.
    EXPECT_LT((linear - force).norm(), 1e-4 * (1 + force.norm())) << trial;
    EXPECT_LT((angular - moment).norm(), 1e-4 * (1 + moment.norm())) << trial;
  }
}

TEST(Rocker, DifferentialKeepsTheRockersOpposedAndTheBodyAtTheirMean) {
  Simulation simulation(load_scenario(source_tree("/scenarios/rocker.toml")));
  double twisted = 0;
  for (double t = 0.5; t < 6; t += 0.5) {
    run_to(simulation, t);
    const Look look(simulation);
    EXPECT_NEAR(look("joint.left.position"), -look("joint.right.position"), 1e-6) << t;
    twisted = std::max(twisted, std::abs(look("joint.left.position")));
  }
  EXPECT_GT(twisted, 0.03) << "the ground twists";
  EXPECT_FALSE(simulation.finished());
  EXPECT_GT(testing::position(simulation).x(), -5);
}

TEST(Sensors, SeeTheContactOfAWheelOnATurnedLinkWhereItIs) {
  // Contact points from readings (suspension, contact angle, directions of the wheel) against the true ones.
  Simulation simulation(load_scenario(source_tree("/scenarios/rocker.toml"),
                                      {"robot.0.control={kind=\"speed\",speed=0.8,gain=10}"}));
  int seen = 0;
  double turned = 0, ahead = 0;
  for (double t = 0.5; t < 5; t += 0.25) {
    run_to(simulation, t);
    const Readings* readings = simulation.pilots()[0].readings();
    ASSERT_NE(readings, nullptr);
    const RobotModel& model = *simulation.world().robots()[0].model;
    // Readings are those of the last sample; the scratch still holds the step before it.
    RobotScratch& s = simulation.workspace().of(0);
    list_contacts(simulation.world(), model, s);
    for (std::size_t i = 0; i < model.wheels().size(); ++i) {
      const RobotWheel& wheel = model.wheels()[i];
      const Contact& c = s.contacts[wheel.contact];
      if (!c.touching || !readings->wheels[i].in_contact) continue;
      const Vec3 truth = s.mechanism.link[0].X_WL.inverse() * c.p_W;
      // One step of 1 ms at 0.8 m/s moves a contact by about a millimetre.
      EXPECT_LT((readings->wheels[i].p_BC - truth).norm(), 4e-3) << wheel.settings.name << " at " << t;
      ++seen;
      turned = std::max(turned, std::abs(s.mechanism.q[0]));
      ahead = std::max(ahead, std::abs(readings->wheels[i].contact_angle));
    }
  }
  EXPECT_GT(seen, 40);
  EXPECT_GT(turned, 0.05);
  EXPECT_GT(ahead, 0.1)
      << "a wrong direction of the axle would move the point by twice this times the radius";
}

// --- test beds -------------------------------------------------------------------------------------------

const char* kBed = R"(
format = 1
base = "fixed"
[chassis]
mass = 10.0
inertia = [0.5, 0.5, 0.5]
l1 = 0.1
l2 = 0.1
w1 = 0.1
w2 = 0.1
h_base = 0.1
h_top = 0.1
[[link]]
name = "carriage"
joint = "prismatic"
axis = [1.0, 0.0, 0.0]
mass = 5.0
inertia = [0.1, 0.1, 0.1]
[[link]]
name = "arm"
parent = "carriage"
axis = [0.0, 1.0, 0.0]
mass = 2.0
com = [0.0, 0.0, -0.4]
inertia = [0.1, 0.1, 0.02]
)";

RobotSettings bed_of(const std::string& more) {
  const testing::TemporaryFolder folder;
  return read_robot(folder.write("bed.toml", kBed + more).string(), ".");
}

const StartSettings kHigh{.height = 2, .given_height = true, .pitch = 0.1, .yaw = 0.5};

TEST(Bed, AFixedBaseStandsWhereItStartsAndCarriesItsJoints) {
  OneRobot bed(bed_of(""), level(), kHigh);
  const std::vector<double> before(bed.block().positions.begin(), bed.block().positions.begin() + 7);
  EXPECT_EQ(before[2], 2);
  bed.block().positions[8] = 0.5;
  bed.run(1);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(bed.block().positions[i], before[i]);
  EXPECT_NE(bed.block().positions[8], 0.5) << "the arm swings";
  StartSettings moving = kHigh;
  moving.speed = 1;
  const std::string refused = testing::message_of([&] { OneRobot(bed_of(""), level(), moving); });
  EXPECT_NE(refused.find("fixed"), std::string::npos) << refused;
}

TEST(Bed, AServoOnAJointAnswersAStepByTheClosedForm) {
  // The arm's own weight is taken off by putting it in weightlessness; the carriage is held by a motion.
  RobotSettings x = bed_of(R"(
[[drive]]
on = "arm"
kind = "servo"
frequency = 3.0
damping_ratio = 0.4
armature = 0.05
)");
  x.links[0].motion = {.kind = "ramp"};
  const double w = 2 * kPi * 3, z = 0.4, d = w * std::sqrt(1 - z * z);
  for (const StepMethod method : {StepMethod::implicit, StepMethod::rk4}) {
    auto world = std::make_shared<World>(Vec3::Zero(), level(), SolverSettings{.method = method});
    world->add("bed", std::make_shared<RobotModel>(x));
    State state(*world);
    SimWorkspace workspace(*world);
    place(*world, 0, kHigh, state, workspace);
    ASSERT_EQ(workspace.commands[0].size(), 1u);
    workspace.commands[0][0] = {DriveCommand::Mode::position, 0.3, 0};
    double worst = 0;
    for (int k = 0; k < 1000; ++k) {
      step(*world, state, 1e-3, workspace);
      const double t = state.time();
      const double expected =
          0.3 * (1 - std::exp(-z * w * t) * (std::cos(d * t) + z * w / d * std::sin(d * t)));
      worst = std::max(
          worst,
          std::abs(RobotBlock(*world->robots()[0].model, state.block(world->robots()[0])).positions[8] -
                   expected));
    }
    // Implicit: (w dt)²/12 a radian, some radians before it has died away; Runge-Kutta: 1e-8.
    EXPECT_LT(worst, method == StepMethod::implicit ? 5e-5 : 1e-7);
  }
}

TEST(Bed, APrescribedJointIsWhereItShouldBeAndItsForceIsThatOfInverseDynamics) {
  RobotSettings x = bed_of("");
  x.links[0].motion = {.kind = "sine", .offset = 0.1, .amplitude = 0.2, .frequency = 1.5, .phase = 0.3};
  for (const StepMethod method : {StepMethod::implicit, StepMethod::euler, StepMethod::rk4}) {
    OneRobot bed(x, level(), kHigh, {.method = method});
    const double w = 2 * kPi * 1.5;
    EXPECT_NEAR(bed.block().positions[7], 0.1 + 0.2 * std::sin(0.3), 1e-15) << "from the start";
    for (int k = 0; k < 700; ++k) {
      bed.run(1e-3);
      const double t = bed.state.time();
      ASSERT_NEAR(bed.block().positions[7], 0.1 + 0.2 * std::sin(w * t + 0.3), 1e-12);
      ASSERT_NEAR(bed.block().velocities[6], 0.2 * w * std::cos(w * t + 0.3), 1e-12);
    }
    const double force = bed.signal("joint.carriage.force");
    std::vector<double> a = bed.scratch().acceleration, forces(a.size());
    EXPECT_NEAR(a[6], -0.2 * w * w * std::sin(w * bed.state.time() + 0.3), 1e-9);
    inverse_dynamics(bed.model().tree(), bed.world->gravity(), a, bed.scratch().mechanism, forces);
    EXPECT_NEAR(force, forces[6], 1e-8);
    EXPECT_NEAR(forces[7], 0, 1e-9) << "nothing turns the arm";
    EXPECT_GT(std::abs(force), 1);
  }
}

TEST(Bed, AKinematicDriveFollowsItsCommandWithinItsLimits) {
  RobotSettings x = bed_of(R"(
[[drive]]
on = "carriage"
kind = "kinematic"
speed_limit = 0.5
acceleration_limit = 2.0
)");
  for (const StepMethod method : {StepMethod::implicit, StepMethod::rk4}) {
    OneRobot bed(x, level(), kHigh, {.method = method});
    bed.workspace.commands[0][0] = {DriveCommand::Mode::position, 1.0, 0};
    double fastest = 0, hardest = 0, last = 0;
    for (int k = 0; k < 3000; ++k) {
      bed.run(1e-3);
      const double v = bed.block().velocities[6];
      fastest = std::max(fastest, std::abs(v));
      hardest = std::max(hardest, std::abs(v - last) / 1e-3);
      last = v;
      ASSERT_LE(bed.block().positions[7], 1 + 1e-12) << "no overshoot";
      // Accelerate for 0.25 s (1/16 m), cruise, brake: 1 m takes 1/0.5 + 0.5/2 = 2.25 s.
      if (k == 1000) {
        EXPECT_NEAR(bed.block().positions[7], 0.5 * 1.001 - 0.0625, 1e-3);
      }
    }
    EXPECT_NEAR(bed.block().positions[7], 1, 1e-9);
    EXPECT_NEAR(bed.block().velocities[6], 0, 1e-9);
    EXPECT_NEAR(fastest, 0.5, 1e-9);
    EXPECT_LE(hardest, 2 * (1 + 1e-6));
  }
  // Without limits it is at its command at the end of every step.
  x.drives[0].drive.speed_limit = x.drives[0].drive.acceleration_limit = 0;
  OneRobot bed(x, level(), kHigh);
  for (int k = 0; k < 50; ++k) {
    const double to = 0.3 * std::sin(0.2 * k);
    bed.workspace.commands[0][0] = {DriveCommand::Mode::position, to, 0};
    bed.run(1e-3);
    ASSERT_NEAR(bed.block().positions[7], to, 1e-12);
  }
}

TEST(Bed, TheWorkOfAKinematicDriveIsInTheBooks) {
  RobotSettings x =
      bed_of("[[drive]]\non = \"arm\"\nkind = \"kinematic\"\nspeed_limit = 2.0\nacceleration_limit = 8.0\n");
  x.links[0].motion = {.kind = "ramp"};
  OneRobot bed(x, level(), {.height = 2, .given_height = true});
  bed.workspace.commands[0][0] = {DriveCommand::Mode::position, 1.2, 0};
  const auto energy = [&] {
    update_kinematics(bed.model().tree(), bed.block().positions, bed.block().velocities,
                      bed.scratch().mechanism);
    return kinetic_energy(bed.model().tree(), bed.scratch().mechanism) +
           potential_energy(bed.model().tree(), bed.world->gravity(), bed.scratch().mechanism);
  };
  const double before = energy();
  bed.run(2, 1e-4);
  const double lifted = 2 * 9.81 * 0.4 * (1 - std::cos(1.2));
  EXPECT_NEAR(energy() - before, lifted, 1e-6);
  const DriveEnergy books = bed.model().train().energy(bed.block().drives);
  EXPECT_NEAR(books.work, lifted, 2e-3 * lifted);
  EXPECT_NEAR(books.ideal, books.work, 1e-9);
}

TEST(Bed, OneWheelAndTwoAndNoneRun) {
  RobotSettings x = read_robot("skid4", ".");
  for (const std::size_t wheels : {2, 1}) {
    x.wheels.resize(wheels);
    OneRobot robot(x, level(), {.clearance = 0.01});
    robot.run(0.3);
    EXPECT_TRUE(std::isfinite(robot.signal("stability.nesm")));
  }
  x.wheels.clear();
  x.base = "fixed";
  x.drives.clear();
  OneRobot bed(x, level(), {.clearance = 0.2});
  // Placed by its hull: 0.2 m under the lowest corner.
  EXPECT_NEAR(bed.block().positions[2], 0.2 + 0.082, 1e-9);
  bed.run(0.1);
  EXPECT_EQ(bed.block().velocities[2], 0);
}

TEST(Profiles, MeanTheWheelsUnlessTheyNameDrivesAndAreCheckedBeforeTheRun) {
  const testing::TemporaryFolder folder;
  const std::string robot =
      folder.write("bed.toml", std::string(kBed) + "[[drive]]\non = \"arm\"\nlimit = 5.0\n").string();
  const auto scenario = [&](const std::string& profile) {
    return "format = 1\n[terrain]\nkind = \"flat\"\n[[robot]]\nmodel = \"" + robot +
           "\"\nstart = { height = 2.0 }\n[[robot.profile]]\n" + profile;
  };
  EXPECT_NO_THROW(scenario_of(scenario("quantity = \"torque\"\nvalue = 1.0\ndrives = [\"arm\"]\n")));
  EXPECT_NE(testing::message_of([&] {
              scenario_of(scenario("quantity = \"torque\"\nvalue = 1.0\n"));
            }).find("no driven wheels"),
            std::string::npos);
  const std::string volts = testing::message_of(
      [&] { scenario_of(scenario("quantity = \"voltage\"\nvalue = 1.0\ndrives = [\"arm\"]\n")); });
  EXPECT_NE(volts.find("needs a motor"), std::string::npos) << volts;
}

/// skid4 with wheels of their own mass: the same robot but for what hangs on its springs.
TEST(Jointed, WheelsOnPrismaticJointsCarryWhatStaticsSayAndDriveAsSkid4Does) {
  const double g = 9.81;
  Simulation rest(load_scenario(
      "bench/skid4-full", {"terrain={kind=\"flat\"}", "robot.0.start={position=[0.0,0.0],clearance=0.0}",
                           "robot.0.profile=[{quantity=\"speed\",value=0.0}]"}));
  run_to(rest, 4);
  const Look look(rest);
  for (const char* end : {"front_left", "front_right", "rear_left", "rear_right"}) {
    EXPECT_NEAR(look(fmt::format("wheel.{}.normal", end)), 10 * g, 1e-4 * g) << end;
    EXPECT_NEAR(look(fmt::format("wheel.{}.suspension", end)), 10 * g / 1e5, 1e-7) << end;      // the tyre
    EXPECT_NEAR(look(fmt::format("joint.hub_{}.position", end)), 8.5 * g / 8000, 1e-6) << end;  // the spring
  }
  Simulation full(load_scenario("bench/skid4-full")), plain(load_scenario("bench/skid4"));
  run_to(full, 20), run_to(plain, 20);
  // 23 m over waves: what the wheels' mass changes.
  EXPECT_LT((testing::position(full) - testing::position(plain)).head<2>().norm(), 0.05);
  Simulation fine(load_scenario("bench/skid4-full", {"solver.step=0.0002"}));
  run_to(fine, 20);
  EXPECT_LT((testing::position(full) - testing::position(fine)).norm(), 1e-3);
}

}  // namespace
}  // namespace scree
