// Robots from and to URDF: written out and read back to the same dynamics, a hand-written rover with meshes,
// and URDFs that must be refused with one line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "scree/mechanism/balance.hpp"
#include "scree/mechanism/dynamics.hpp"
#include "scree/robot/model.hpp"
#include "scree/robot/urdf.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using testing::TemporaryFolder;

RobotSettings through_urdf(const std::string& model, const TemporaryFolder& folder) {
  const UrdfText text = export_urdf(read_robot(model, "."), robot_file_text(model, "."), model);
  folder.write(model + ".urdf", text.urdf);
  return read_robot(folder.write(model + ".toml", text.companion).string(), ".");
}

/// Positions and velocities without symmetry, by name, so that two trees with joints in another order agree.
struct Moving {
  std::vector<double> x, v;
};
Moving moving(const Tree& tree) {
  Moving m{tree.home(), std::vector<double>(tree.velocity_count(), 0.0)};
  const auto number = [](const std::string& name, int salt) {
    double h = salt;
    for (const char c : name) h = std::fmod(31 * h + c, 997);
    return h / 997 - 0.5;
  };
  const Quat q = Quat(0.9, 0.2, -0.3, 0.1).normalized();
  m.x[3] = q.w(), m.x[4] = q.x(), m.x[5] = q.y(), m.x[6] = q.z();
  for (int i = 0; i < 6; ++i) m.v[i] = 0.3 - 0.1 * i;
  for (int j = 0; j < tree.joint_count(); ++j) {
    m.x[7 + j] = 0.5 * number(tree.joints()[j].name, 1);
    m.v[6 + j] = 2 * number(tree.joints()[j].name, 2);
  }
  for (int r = 0; r < tree.rotor_count(); ++r)
    m.v[tree.rotor_velocity() + r] = 8 * number(tree.rotors()[r].name, 3);
  for (const Coupling& c : tree.couplings())
    m.x[7 + c.a] = c.ratio * m.x[7 + c.b] + c.offset, m.v[6 + c.a] = c.ratio * m.v[6 + c.b];
  return m;
}

std::vector<double> accelerations(const Tree& tree, const Moving& m, Workspace& ws) {
  update_kinematics(tree, m.x, m.v, ws);
  clear_loads(ws);
  add_joint_forces(tree, 0, 0.5, ws);
  for (double& g : ws.given) g = 0;
  std::vector<double> a(tree.velocity_count());
  solve(tree, {.gravity = Vec3(0, 0, -9.81), .dt = 0}, ws, a);
  return a;
}

TEST(Urdf, WhatIsWrittenReadsBackToTheSameDynamics) {
  for (const char* model : {"mars6", "el-dorado", "rocker", "kyoto"}) {
    const TemporaryFolder folder;
    const RobotModel one(read_robot(model, ".")), other(through_urdf(model, folder));
    const Tree &a = one.tree(), &b = other.tree();
    ASSERT_EQ(a.joint_count(), b.joint_count()) << model;
    ASSERT_EQ(a.rotor_count(), b.rotor_count()) << model;
    EXPECT_EQ(a.couplings().size(), b.couplings().size()) << model;
    EXPECT_NEAR(a.mass(), b.mass(), 1e-9 * a.mass()) << model;
    Workspace wa(a), wb(b);
    const Moving ma = moving(a), mb = moving(b);
    const std::vector<double> ra = accelerations(a, ma, wa), rb = accelerations(b, mb, wb);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(ra[i], rb[i], 1e-8 * (1 + std::abs(ra[i]))) << model << " base " << i;
    for (int j = 0; j < a.joint_count(); ++j) {
      const int k = b.joint_index(a.joints()[j].name);
      EXPECT_NEAR(ra[6 + j], rb[6 + k], 1e-7 * (1 + std::abs(ra[6 + j])))
          << model << " " << a.joints()[j].name;
      EXPECT_EQ(a.joints()[j].settings.upper, b.joints()[k].settings.upper) << model;
      EXPECT_EQ(a.joints()[j].settings.damping, b.joints()[k].settings.damping) << model;
    }
    for (int r = 0; r < a.rotor_count(); ++r)
      EXPECT_NEAR(ra[a.rotor_velocity() + r], rb[b.rotor_velocity() + b.rotor_index(a.rotors()[r].name)],
                  1e-7)
          << model;
    EXPECT_NEAR(kinetic_energy(a, wa), kinetic_energy(b, wb), 1e-9 * kinetic_energy(a, wa)) << model;
    // Wheels stand where they stood, with the same tyres, contacts and drives.
    ASSERT_EQ(one.wheels().size(), other.wheels().size());
    for (std::size_t i = 0; i < one.wheels().size(); ++i) {
      const RobotWheel &p = one.wheels()[i], &q = other.wheels()[i];
      EXPECT_LT((wa.link[p.link].X_WL * p.hub - wb.link[q.link].X_WL * q.hub).norm(), 1e-9) << model;
      EXPECT_LT((wa.link[p.link].X_WL.R * p.axes - wb.link[q.link].X_WL.R * q.axes).norm(), 1e-9) << model;
      EXPECT_EQ(p.settings.radius, q.settings.radius);
      EXPECT_EQ(p.settings.contact.kind, q.settings.contact.kind);
      EXPECT_EQ(p.drive, q.drive) << model;
    }
  }
}

TEST(Urdf, WheelsOnTheChassisKeepTheWholeRobot) {
  // The chassis' frame lies in its own centre of mass, without the wheels now; the whole is the same.
  for (const char* model : {"vivi", "hexa", "skid4"}) {
    const TemporaryFolder folder;
    const RobotModel one(read_robot(model, ".")), other(through_urdf(model, folder));
    Workspace wa(one.tree()), wb(other.tree());
    const std::vector<double> va(one.tree().velocity_count(), 0.0), vb(other.tree().velocity_count(), 0.0);
    update_kinematics(one.tree(), one.tree().home(), va, wa);
    update_kinematics(other.tree(), other.tree().home(), vb, wb);
    EXPECT_NEAR(one.tree().mass(), other.tree().mass(), 1e-9) << model;
    EXPECT_LT((inertia_about_centre(one.tree(), wa) - inertia_about_centre(other.tree(), wb)).norm(), 1e-9)
        << model;
    const Vec3 ca = centre_of_mass(one.tree(), wa), cb = centre_of_mass(other.tree(), wb);
    for (std::size_t i = 0; i < one.wheels().size(); ++i)
      EXPECT_LT(((one.wheels()[i].hub - ca) - (other.wheels()[i].hub - cb)).norm(), 1e-9) << model;
  }
}

const char* const kCompanion = R"(format = 1
urdf = "cart.urdf"
[wheel]
suspension = { stiffness = 20000.0, damping = 300.0, travel = 0.02 }
[[wheels]]
name = "fl"
link = "wheel_fl"
[[wheels]]
name = "fr"
link = "wheel_fr"
[[wheels]]
name = "r"
link = "wheel_r"
[[joint]]
on = "fork"
stiffness = 50.0
[drive]
kind = "torque"
limit = 5.0
)";

/// A three-wheeled cart as a CAD program writes it: inertial frames that are turned, a fixed bracket, a fork
/// that turns with a steering arm (mimic), wheels about z of their own frames, meshes of three kinds.
std::string cart(const std::string& more = "",
                 const std::string& wheel_inertia = R"(ixx="0.002" iyy="0.002" izz="0.0036")") {
  const auto wheel = [&](const char* name, const char* parent, const char* xyz) {
    return fmt::format(
        R"(<link name="wheel_{0}"><inertial><mass value="0.8"/><inertia {3} ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><cylinder radius="0.1" length="0.05"/></geometry></collision></link>
<joint name="j_{0}" type="continuous"><parent link="{1}"/><child link="wheel_{0}"/><origin xyz="{2}" rpy="-1.5707963267948966 0 0"/>
<axis xyz="0 0 1"/></joint>)",
        name, parent, xyz, wheel_inertia);
  };
  return R"(<?xml version="1.0"?><robot name="cart">
<link name="base_footprint"/>
<joint name="foot" type="fixed"><parent link="base_footprint"/><child link="base_link"/><origin xyz="0 0 0.1"/></joint>
<link name="base_link"><inertial><origin xyz="0.05 0 0.1" rpy="0 0 0.5"/><mass value="10"/>
<inertia ixx="0.2" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 0.1"/><geometry><box size="0.5 0.3 0.1"/></geometry><material name="m"><color rgba="0 0 1 1"/></material></visual>
<collision><origin xyz="0 0 0.1"/><geometry><box size="0.5 0.3 0.1"/></geometry></collision></link>
<link name="bracket"><inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="weld" type="fixed"><parent link="base_link"/><child link="bracket"/><origin xyz="-0.25 0 0.1"/></joint>
<link name="fork"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="steer" type="revolute"><parent link="bracket"/><child link="fork"/><origin xyz="0 0 0"/><axis xyz="0 0 1"/>
<limit lower="-0.5" upper="0.5" effort="10" velocity="1"/><dynamics damping="0.3"/></joint>
<link name="arm"><inertial><mass value="0.2"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="arm_joint" type="revolute"><parent link="base_link"/><child link="arm"/><origin xyz="0.1 0 0.2"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="steer" multiplier="2" offset="0.1"/></joint>
)" + wheel("fl", "base_link", "0.2 0.2 0") +
         wheel("fr", "base_link", "0.2 -0.2 0") + wheel("r", "fork", "0 0 -0.1") + more + "</robot>";
}

RobotSettings cart_of(const TemporaryFolder& folder, const std::string& urdf,
                      const std::string& companion = kCompanion) {
  folder.write("cart.urdf", urdf);
  return read_robot(folder.write("cart.toml", companion).string(), ".");
}
std::string urdf_refusal(const std::string& urdf, const std::string& companion = kCompanion) {
  const TemporaryFolder folder;
  const std::string text = testing::message_of([&] { RobotModel model(cart_of(folder, urdf, companion)); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}

TEST(Urdf, AHandWrittenRobotIsWhatItSays) {
  const TemporaryFolder folder;
  const RobotSettings x = cart_of(folder, cart());
  const RobotModel model(x);
  const Tree& tree = model.tree();
  EXPECT_NEAR(tree.mass(), 10 + 0.5 + 1 + 0.2 + 3 * 0.8, 1e-12);
  EXPECT_EQ(tree.joint_count(), 2);
  EXPECT_EQ(tree.rotor_count(), 3);
  ASSERT_EQ(tree.couplings().size(), 1u);
  EXPECT_EQ(tree.couplings()[0].ratio, 2);
  EXPECT_EQ(tree.couplings()[0].offset, 0.1);
  EXPECT_EQ(tree.joints()[tree.joint_index("fork")].settings.spring_stiffness, 50) << "from the companion";
  EXPECT_EQ(tree.joints()[tree.joint_index("fork")].settings.damping, 0.3) << "from the URDF";
  // Inertia turned by half a radian about z.
  const double c = std::cos(0.5), s = std::sin(0.5);
  EXPECT_NEAR(x.chassis.inertia.x(), 0.2 * c * c + 0.4 * s * s, 1e-12);
  EXPECT_NEAR(-x.chassis.products.x(), (0.2 - 0.4) * c * s, 1e-12);
  // The chassis' frame is its centre of mass: (0.05, 0, 0.1) of base_link.
  for (const RobotWheel& w : model.wheels()) {
    EXPECT_EQ(w.settings.radius, 0.1);
    EXPECT_EQ(w.settings.width, 0.05);
    EXPECT_EQ(w.settings.spin_inertia, 0.0036);
    EXPECT_NEAR(w.axes(1, 1), 1, 1e-12) << "axle to the left";
    EXPECT_NEAR(w.axes(2, 2), 1, 1e-12) << "up is up";
  }
  EXPECT_LT((model.wheels()[0].hub - Vec3(0.15, 0.2, -0.1)).norm(), 1e-12);
  EXPECT_NEAR(x.chassis.l2, 0.2, 1e-12);
  EXPECT_NEAR(x.chassis.h_top, 0.05, 1e-12);
  ASSERT_EQ(x.visuals.size(), 1u);
  EXPECT_EQ(x.visuals[0].on, "chassis");
  EXPECT_LT((x.visuals[0].pose.p - Vec3(-0.05, 0, 0)).norm(), 1e-12);
  // By the name of the URDF too.
  EXPECT_EQ(read_robot((folder.path() / "cart.urdf").string(), ".").wheels.size(), 3u);
}

TEST(Urdf, BadOnesAreRefusedWithOneLine) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? std::string() : "'" + part + "' not in: " + text;
  };
  const std::string link =
      R"(<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
  const auto joint = [](const char* name, const char* type, const char* parent, const char* child) {
    return fmt::format(
        R"(<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/></joint>)",
        name, type, parent, child);
  };
  const auto links = [&](std::initializer_list<const char*> names) {
    std::string out;
    for (const char* n : names) out += fmt::format(fmt::runtime(link), n);
    return out;
  };
  EXPECT_EQ(has(urdf_refusal(cart(links({"a", "b"}) + joint("ab", "fixed", "a", "b") +
                                  joint("ba", "fixed", "b", "a"))),
                "cart.urdf"),
            "");
  EXPECT_EQ(has(urdf_refusal(cart(joint("again", "fixed", "arm", "fork"))), "two joints"), "");
  EXPECT_EQ(has(urdf_refusal(cart(links({"a"}))), "cart.urdf"), "") << "two roots";
  EXPECT_EQ(has(urdf_refusal(cart(links({"a"}) + joint("x", "gearbox", "base_link", "a"))), "gearbox"), "");
  EXPECT_EQ(has(urdf_refusal(cart(links({"a"}) + joint("x", "floating", "base_link", "a"))), "floating"), "");
  EXPECT_EQ(has(urdf_refusal(cart(links({"a", "a"}) + joint("x", "fixed", "base_link", "a"))), "not unique"),
            "");
  EXPECT_EQ(
      has(urdf_refusal(cart(
              R"(<link name="a"><inertial><mass value="2"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>)" +
              joint("x", "continuous", "base_link", "a"))),
          "without inertia"),
      "");
  EXPECT_EQ(has(urdf_refusal(cart("<link name=\"a\"/>" + joint("x", "continuous", "base_link", "a"))),
                "mass or inertia"),
            "");
  EXPECT_EQ(
      has(urdf_refusal(cart(
              R"(<link name="a"><visual><geometry><mesh filename="package://cart/meshes/no.stl"/></geometry></visual></link>)" +
              joint("x", "fixed", "base_link", "a"))),
          "no.stl"),
      "");
  EXPECT_EQ(has(urdf_refusal(cart("", R"(ixx="0.002" iyy="0.003" izz="0.0036")")), "axisymmetric"), "");
  EXPECT_EQ(has(urdf_refusal(cart("", R"(ixx="0.002" iyy="0.002" izz="0")")), "wheel"), "");
  EXPECT_EQ(has(urdf_refusal("<robot name=\"x\"><link"), "cart.urdf"), "");
  EXPECT_EQ(has(urdf_refusal("not xml at all"), "cart.urdf"), "");
  const std::string companion = kCompanion;
  const auto swapped = [&](const std::string& from, const std::string& to) {
    std::string out = companion;
    out.replace(out.find(from), from.size(), to);
    return out;
  };
  EXPECT_EQ(has(urdf_refusal(cart(), swapped("link = \"wheel_fl\"", "link = \"wheel_f1\"")), "wheel_fl"), "");
  EXPECT_EQ(has(urdf_refusal(cart(), swapped("link = \"wheel_fl\"", "link = \"fork\"")), "wheel 'fl'"), "");
  EXPECT_EQ(has(urdf_refusal(cart(), swapped("on = \"fork\"", "on = \"fork2\"")), "fork"), "");
  EXPECT_EQ(has(urdf_refusal(cart(), swapped("[drive]", "[[link]]\nname = \"x\"\n[drive]")), "URDF"), "");
  EXPECT_EQ(has(urdf_refusal(cart(), swapped("cart.urdf", "nowhere.urdf")), "nowhere.urdf"), "");
  const TemporaryFolder folder;
  folder.write("alone.urdf", cart());
  EXPECT_EQ(has(testing::message_of([&] { read_robot((folder.path() / "alone.urdf").string(), "."); }),
                "alone.toml"),
            "");
}

}  // namespace
}  // namespace scree
