// Drives, prescribed joints, link frames and bases of a robot file: what is built, and what is refused.
#include <gtest/gtest.h>

#include "scree/mechanism/dynamics.hpp"
#include "scree/robot/model.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

const char* kRobot = R"(
format = 1
[chassis]
mass = 20.0
inertia = [0.6, 0.9, 1.2]
l1 = 0.3
l2 = 0.3
w1 = 0.2
w2 = 0.2
h_base = 0.1
h_top = 0.1
[wheel]
radius = 0.12
width = 0.08
spin_inertia = 0.01
suspension = { stiffness = 8000.0, damping = 300.0 }
[[wheels]]
name = "left"
position = [0.0, 0.3, -0.1]
[[wheels]]
name = "right"
position = [0.0, -0.3, -0.1]
[[link]]
name = "mast"
position = [0.0, 0.0, 0.1]
axis = [0.0, 0.0, 1.0]
mass = 1.0
com = [0.0, 0.0, 0.3]
inertia = [0.03, 0.03, 0.01]
[[link]]
name = "head"
parent = "mast"
position = [0.0, 0.0, 0.6]
mass = 0.5
com = [0.1, 0.0, 0.0]
inertia = [0.001, 0.002, 0.002]
[[link]]
name = "lamp"
parent = "head"
joint = "fixed"
mass = 0.1
inertia = [0.0001, 0.0001, 0.0001]
)";

RobotSettings settings_of(const std::string& more, const std::string& robot = kRobot) {
  const testing::TemporaryFolder folder;
  return read_robot(folder.write("robot.toml", robot + more).string(), ".");
}

std::string refusal(const std::string& more, const std::string& robot = kRobot) {
  return testing::message_of([&] { RobotModel model(settings_of(more, robot)); });
}

TEST(Drives, SitOnWheelsThenOnJointsEachWithItsOwnSettings) {
  const RobotModel model(settings_of(R"(
[[drive]]
on = "head"
kind = "servo"
frequency = 5.0
armature = 0.02
[[drive]]
kind = "torque"
limit = 7.0
[[drive]]
on = "right"
limit = 9.0
armature = 0.5
[[drive]]
on = "mast"
name = "pan"
kind = "dc"
gear_ratio = 100.0
[drive.motor]
torque_constant = 0.03
resistance = 0.5
rotor_inertia = 1e-5
)"));
  ASSERT_EQ(model.mounts().size(), 4u);
  const auto mounts = model.mounts();
  EXPECT_EQ(mounts[0].drive.name, "left");
  EXPECT_EQ(mounts[0].drive.limit, 7);
  EXPECT_EQ(mounts[0].armature, 0);
  EXPECT_EQ(mounts[1].drive.name, "right");
  EXPECT_EQ(mounts[1].drive.limit, 9);
  EXPECT_EQ(mounts[1].drive.kind, "torque");
  EXPECT_EQ(mounts[1].armature, 0.5);
  EXPECT_EQ(mounts[2].drive.name, "pan");
  EXPECT_EQ(mounts[2].drive.limit, 0) << "a joint's drive takes nothing from the wheels'";
  EXPECT_NEAR(mounts[2].armature, 0.1, 1e-12);
  EXPECT_EQ(mounts[2].at.kind, Coordinate::Kind::joint);
  EXPECT_EQ(mounts[2].at.velocity, 6);
  EXPECT_EQ(mounts[3].drive.name, "head");
  EXPECT_EQ(mounts[3].at.velocity, 7);
  // Frequency to gains on what the joint moves: head with lamp about its own pivot, and the armature.
  const double moved = 0.002 + 0.5 * 0.01 + 0.0001 + 0.02, w = 2 * kPi * 5;
  EXPECT_NEAR(mounts[3].drive.stiffness, moved * w * w, 1e-9);
  EXPECT_NEAR(mounts[3].drive.gain, 2 * moved * w, 1e-9);
  EXPECT_EQ(model.wheels()[0].drive, 0);
  EXPECT_EQ(model.wheels()[1].drive, 1);
}

TEST(Drives, AreSaidToBeThoseOfTheRotorsWhereTheyAreAndInTheirOrder) {
  RobotSettings robot = settings_of("[[drive]]\nlimit = 3.0\n");
  EXPECT_TRUE(RobotModel(robot).drives_rotors());
  for (WheelSettings& wheel : robot.wheels) {
    wheel.driven = false;
    EXPECT_FALSE(RobotModel(robot).drives_rotors()) << wheel.name << " is not driven";
    wheel.driven = true;
  }
  EXPECT_FALSE(RobotModel(settings_of("[[drive]]\non = \"*\"\n")).drives_rotors())
      << "joints are driven, too";
}

TEST(Drives, APatternDrivesAllThatMatch) {
  const RobotModel model(settings_of("[[drive]]\non = \"*\"\nlimit = 3.0\n"));
  ASSERT_EQ(model.mounts().size(), 4u) << "two wheels, two joints; the fixed link has no joint to drive";
  for (const DriveMount& mount : model.mounts()) EXPECT_EQ(mount.drive.limit, 3);
}

TEST(Drives, BadPlacesAreRefusedWithFileLineAndHint) {
  const auto drive = [](const std::string& keys) { return "[[drive]]\n" + keys + "\n"; };
  const std::string fixed = refusal(drive("on = \"lamp\""));
  EXPECT_NE(fixed.find("fixed"), std::string::npos) << fixed;
  EXPECT_NE(fixed.find("robot.toml:"), std::string::npos) << fixed;
  const std::string unknown = refusal(drive("on = \"haed\""));
  EXPECT_NE(unknown.find("did you mean 'head'"), std::string::npos) << unknown;
  const std::string twice = refusal(drive("on = \"head\"") + drive("on = \"h*\""));
  EXPECT_NE(twice.find("has a drive already"), std::string::npos) << twice;
  const std::string kind = refusal(drive("on = \"head\"\nkind = \"serve\""));
  EXPECT_NE(kind.find("servo"), std::string::npos) << kind;
  const std::string shared = refusal(drive("limit = 1.0") + drive("limit = 2.0"));
  EXPECT_NE(shared.find("on"), std::string::npos) << shared;
  const std::string named = refusal(drive("on = \"*\"\nname = \"all\""));
  EXPECT_NE(named.find("pattern"), std::string::npos) << named;
  const std::string same = refusal(drive("on = \"head\"\nname = \"left\""));
  EXPECT_NE(same.find("two drives are called 'left'"), std::string::npos) << same;
  const std::string wheel = refusal(drive("on = \"left\"\nkind = \"kinematic\""));
  EXPECT_NE(wheel.find("governor"), std::string::npos) << wheel;
}

TEST(Prescribed, IsRefusedWhereItIsDrivenOrFixedOrNoMotion) {
  const std::string moved = std::string(kRobot) + "motion = { kind = \"sine\", amplitude = 0.1 }\n";
  EXPECT_NE(refusal("", moved).find("fixed joint cannot move"), std::string::npos);  // the lamp's
  const std::string mast = std::string(kRobot).replace(std::string(kRobot).find("name = \"mast\"\n"), 14,
                                                       "name = \"mast\"\nmotion = { kind = \"sine\" }\n");
  EXPECT_NO_THROW(RobotModel(settings_of("", mast)));
  const std::string both = refusal("[[drive]]\non = \"mast\"\n", mast);
  EXPECT_NE(both.find("prescribed"), std::string::npos) << both;
  const auto with = [](const std::string& motion) {
    return std::string(kRobot).replace(std::string(kRobot).find("name = \"mast\"\n"), 14,
                                       "name = \"mast\"\nmotion = " + motion + "\n");
  };
  EXPECT_NE(refusal("", with("{ kind = \"sinus\" }")).find("sine"), std::string::npos);
  EXPECT_NE(refusal("", with("{ kind = \"table\" }")).find("rows"), std::string::npos);
  EXPECT_NE(refusal("", with("{ kind = \"table\", rows = [[1.0, 0.0], [1.0, 2.0]] }")).find("ascend"),
            std::string::npos);
}

TEST(Motion, TableIsSmoothMeetsItsRowsAndRestsAtItsEnds) {
  MotionSettings x;
  x.kind = "table";
  x.rows = {{1, 0}, {1.5, 0.4}, {3, 0.1}, {4, 1}};
  const Motion motion(x, "test");
  for (const auto& row : x.rows) EXPECT_NEAR(motion(row[0]).position, row[1], 1e-12);
  EXPECT_EQ(motion(0).position, 0);
  EXPECT_EQ(motion(9).position, 1);
  EXPECT_NEAR(motion(1 + 1e-9).rate, 0, 1e-7);
  EXPECT_NEAR(motion(4 - 1e-9).rate, 0, 1e-7);
  // Rate and acceleration are the derivatives, and continuous across the rows.
  const double h = 1e-5;
  for (double t = 1.01; t < 3.99; t += 0.0137) {
    const MotionNow now = motion(t), before = motion(t - h), after = motion(t + h);
    EXPECT_NEAR((after.position - before.position) / (2 * h), now.rate, 1e-8) << t;
    EXPECT_NEAR((after.rate - before.rate) / (2 * h), now.acceleration, 1e-4) << t;
  }
  EXPECT_NEAR(motion(1.5 - 1e-9).acceleration, motion(1.5 + 1e-9).acceleration, 1e-6);
  EXPECT_NEAR(motion(3 - 1e-9).rate, motion(3 + 1e-9).rate, 1e-6);
}

TEST(Robot, ProductsOfInertiaHaveTheSignOfTheMassTheyStandFor) {
  // Six masses of 5 kg in pairs about the centre: summed by hand.
  std::vector<Vec3> points;
  for (const Vec3& p : {Vec3(0.3, 0.1, 0.2), Vec3(0.1, -0.2, 0.05), Vec3(0.05, 0.15, -0.25)}) {
    points.push_back(p);
    points.push_back(-p);
  }
  Mat3 tensor = Mat3::Zero();
  Vec3 products = Vec3::Zero();
  for (const Vec3& p : points) {
    tensor += 5 * (p.squaredNorm() * Mat3::Identity() - p * p.transpose());
    products += 5 * Vec3(p.x() * p.y(), p.x() * p.z(), p.y() * p.z());
  }
  RobotSettings x = settings_of("");
  x.chassis.inertia = tensor.diagonal();
  x.chassis.products = products;
  x.links[0].inertia = tensor.diagonal();
  x.links[0].products = products;
  x.links[0].com = Vec3::Zero();
  const RobotModel model(x);
  const Tree& tree = model.tree();
  // The chassis' moments hold its wheels' spin inertia, turning with it: the tensor is the whole's.
  EXPECT_LT((tree.links()[0].inertia_L - tensor).norm(), 1e-12);
  EXPECT_LT((tree.links()[1].inertia_L - tensor).norm(), 1e-12);
  // A second method: the kinetic energy of the points under a turn is that of the tensor.
  Workspace ws(tree);
  const Vec3 w(0.7, -1.1, 0.4);
  double energy = 0;
  for (const Vec3& p : points) energy += 0.5 * 5 * w.cross(p).squaredNorm();
  EXPECT_NEAR(0.5 * w.dot(tree.links()[0].inertia_L * w), energy, 1e-12);
}

TEST(Robot, ALinkMayBeTurned) {
  const auto turned = [](const std::string& key) {
    return std::string(kRobot).replace(std::string(kRobot).find("name = \"mast\"\n"), 14,
                                       "name = \"mast\"\n" + key + "\n");
  };
  const RobotModel a(settings_of("", turned("rpy_deg = [10.0, 20.0, 30.0]")));
  const Mat3 R =
      (Eigen::AngleAxisd(30 * kDegree, Vec3::UnitZ()) * Eigen::AngleAxisd(20 * kDegree, Vec3::UnitY()) *
       Eigen::AngleAxisd(10 * kDegree, Vec3::UnitX()))
          .toRotationMatrix();
  const Tree& tree = a.tree();
  Workspace ws(tree);
  update_kinematics(tree, tree.home(), std::vector<double>(tree.velocity_count(), 0.0), ws);
  EXPECT_LT((ws.link[1].X_WL.R - R).norm(), 1e-12);
  EXPECT_LT((tree.joints()[0].axis_P - R * Vec3::UnitZ()).norm(), 1e-12) << "the axis turns with the frame";
  EXPECT_LT((ws.link[2].X_WL.p - (Vec3(0, 0, 0.1) + R * Vec3(0, 0, 0.6))).norm(), 1e-12);
  const Quat q(R);
  const RobotModel b(
      settings_of("", turned(fmt::format("quaternion = [{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z()))));
  EXPECT_LT((b.tree().joints()[0].axis_P - tree.joints()[0].axis_P).norm(), 1e-12);
  EXPECT_NE(refusal("", turned("quaternion = [2.0, 0.0, 0.0, 0.0]")).find("length"), std::string::npos);
  EXPECT_NE(refusal("", turned("quaternion = [1.0, 0.0]")).find("4 numbers"), std::string::npos);
}

TEST(Robot, MayHaveOneWheelOrTwoAndNoneOnAFixedBase) {
  RobotSettings x = settings_of("");
  EXPECT_NO_THROW(RobotModel{x});
  x.wheels.pop_back();
  EXPECT_NO_THROW(RobotModel{x});
  x.wheels.clear();
  EXPECT_NE(testing::message_of([&] { RobotModel{x}; }).find("fixed"), std::string::npos);
  x.base = "fixed";
  EXPECT_TRUE(RobotModel(x).tree().held_base());
}

}  // namespace
}  // namespace scree
