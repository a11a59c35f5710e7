// Building trees: merging, numbering, lookups, and everything that is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"
#include "scree/core/errors.hpp"

namespace scree {
namespace {

using test::joint;

const Mat3 kInertia = Vec3(0.1, 0.2, 0.25).asDiagonal();

TreeSettings arm() {
  TreeSettings s;
  s.name = "arm";
  s.links = {{"base", 5, Vec3::Zero(), kInertia},
             {"upper", 1, Vec3(0.1, 0, 0), kInertia},
             {"lower", 1, Vec3(0.1, 0, 0), kInertia}};
  s.joints = {joint("shoulder", JointType::revolute, "base", "upper", Vec3::Zero(), Vec3::UnitY()),
              joint("elbow", JointType::revolute, "upper", "lower", Vec3(0.2, 0, 0), Vec3::UnitY())};
  s.rotors = {{"wheel", "lower", Vec3::UnitY(), 0.01, false}};
  return s;
}

std::string refusal(const std::function<void(TreeSettings&)>& spoil) {
  TreeSettings s = arm();
  spoil(s);
  try {
    const Tree tree(s);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Tree, RefusesWhatIsNoMechanism) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  using S = TreeSettings;
  const std::vector<std::pair<std::string, std::function<void(S&)>>> cases = {
      {"arm: link 'upper': mass -1 kg must be", [](S& s) { s.links[1].mass = -1; }},
      {"arm: link 'upper': mass nan kg must be", [&](S& s) { s.links[1].mass = nan; }},
      {"mass inf kg", [&](S& s) { s.links[1].mass = inf; }},
      {"centre of mass is not a finite", [&](S& s) { s.links[1].p_LC.x() = nan; }},
      {"inertia holds a number", [&](S& s) { s.links[1].inertia_C(1, 1) = nan; }},
      {"not symmetric", [](S& s) { s.links[1].inertia_C(0, 1) = 0.05; }},
      {"is negative", [](S& s) { s.links[1].inertia_C = Vec3(-0.1, 1, 1).asDiagonal(); }},
      {"may not exceed the sum", [](S& s) { s.links[1].inertia_C = Vec3(0.1, 0.1, 0.3).asDiagonal(); }},
      {"joint 'elbow': axis (0, 0, 0) has no direction", [](S& s) { s.joints[1].axis.setZero(); }},
      {"axis (nan", [&](S& s) { s.joints[1].axis.x() = nan; }},
      {"not a rotation matrix", [](S& s) { s.joints[1].X_PJ.R *= 2; }},
      {"place is not a finite", [&](S& s) { s.joints[1].X_PJ.p.x() = inf; }},
      {"spring stiffness -1", [](S& s) { s.joints[1].spring_stiffness = -1; }},
      {"damping nan", [&](S& s) { s.joints[1].damping = nan; }},
      {"armature -2", [](S& s) { s.joints[1].armature = -2; }},
      {"lower limit 1 must be below the upper limit 0.5",
       [](S& s) { s.joints[1].lower = 1, s.joints[1].upper = 0.5; }},
      {"limit stiffness 0 must be", [](S& s) { s.joints[1].upper = 1, s.joints[1].limit_stiffness = 0; }},
      {"no link 'uper'; did you mean 'upper'", [](S& s) { s.joints[1].parent = "uper"; }},
      {"link 'upper' hangs on two joints", [](S& s) { s.joints[1].child = "upper"; }},
      {"closed chain", [](S& s) { s.joints[0].parent = "lower"; }},
      {"both have no parent", [](S& s) { s.joints.pop_back(); }},
      {"link 'upper' is there twice", [](S& s) { s.links[2].name = "upper"; }},
      {"joint 'shoulder' is there twice", [](S& s) { s.joints[1].name = "shoulder"; }},
      {"has no name", [](S& s) { s.links[0].name = ""; }},
      {"needs at least one link", [](S& s) { s = {}; }},
      {"rotor 'wheel': no link 'lowr'", [](S& s) { s.rotors[0].link = "lowr"; }},
      {"spin inertia 0 kg m²", [](S& s) { s.rotors[0].spin_inertia = 0; }},
      {"without its rotors' spin inertia",
       [](S& s) { s.rotors[0].in_link_inertia = true, s.rotors[0].spin_inertia = 1; }},
      {"no moving joint or rotor 'elbo'",
       [](S& s) {
         s.couplings = {{"tie", "elbo", "shoulder", 1, 0}};
       }},
      {"ties 'elbow' to itself",
       [](S& s) {
         s.couplings = {{"tie", "elbow", "elbow", 1, 0}};
       }},
      {"to itself",
       [](S& s) {
         s.couplings = {{"a", "elbow", "shoulder", 1, 0}, {"b", "shoulder", "elbow", 2, 0}};
       }},
      {"both place 'elbow'",
       [](S& s) {
         s.couplings = {{"a", "elbow", "shoulder", 1, 0}, {"b", "elbow", "wheel", 2, 0}};
       }},
      {"ratio nan",
       [&](S& s) {
         s.couplings = {{"tie", "elbow", "shoulder", nan, 0}};
       }},
      {"joint 'elbow' moves nothing",
       [](S& s) { s.links[2].mass = 0, s.links[2].inertia_C.setZero(), s.rotors.clear(); }},
      {"can move together with others without moving any mass",
       [](S& s) {
         s.links[1].mass = 0, s.links[1].inertia_C.setZero();
         s.joints[1].X_PJ.p.setZero();  // two pins on one axis, nothing between them
       }},
      {"base 'base' moves nothing", [](S& s) {
         s.links = {{"base"}};
         s.joints.clear(), s.rotors.clear();
       }}};
  for (const auto& [message, spoil] : cases) EXPECT_THAT(refusal(spoil), testing::HasSubstr(message));
}

TEST(Tree, AcceptsMasslessLinksThatCarryInertiaOrArmature) {
  EXPECT_EQ(refusal([](TreeSettings& s) {
              s.links[1].mass = 0, s.links[1].inertia_C.setZero();  // carries the lower link at a distance
            }),
            "accepted");
  EXPECT_EQ(refusal([](TreeSettings& s) {
              s.links[2].mass = 0, s.links[2].inertia_C.setZero(), s.rotors.clear();
              s.joints[1].armature = 0.01;
            }),
            "accepted");
}

TEST(Tree, NumbersParentsFirstWhateverTheOrderGiven) {
  TreeSettings s = arm();
  std::swap(s.joints[0], s.joints[1]);
  std::swap(s.links[0], s.links[2]);
  const Tree tree(s);
  EXPECT_EQ(tree.links()[0].name, "base");
  EXPECT_EQ(tree.joint_index("shoulder"), 0);
  EXPECT_EQ(tree.joint_index("elbow"), 1);
  EXPECT_EQ(tree.joints()[1].parent, 1);
  EXPECT_EQ(tree.frame("lower").link, 2);
  EXPECT_EQ(tree.position_count(), 10);
  EXPECT_EQ(tree.velocity_count(), 9);
  EXPECT_THROW(tree.joint_index("elbo"), InputError);
  EXPECT_THROW(tree.frame("hand"), InputError);
  EXPECT_THROW(tree.rotor_index("whel"), InputError);
}

TEST(Tree, FixedJointsBecomePartOfTheirParent) {
  // The same arm with a camera welded to the lower link, once by a joint and once by hand.
  TreeSettings welded = arm(), lumped = arm();
  const Pose X_LC{rotation_from_rpy(0.3, -0.4, 1.0), Vec3(0.1, 0.2, 0.3)};
  const LinkSettings camera{"camera", 0.5, Vec3(0.01, 0.02, 0.03), 0.01 * kInertia};
  welded.links.push_back(camera);
  JointSettings weld = joint("weld", JointType::fixed, "lower", "camera", X_LC.p, Vec3::UnitZ());
  weld.X_PJ = X_LC;
  welded.joints.push_back(weld);
  lump_link(camera, X_LC, lumped.links[2]);
  const Tree a(welded), b(lumped);
  ASSERT_EQ(a.link_count(), 3);
  EXPECT_LT((a.links()[2].inertia6 - b.links()[2].inertia6).norm(), 1e-14);
  EXPECT_EQ(a.frame("camera").link, 2);
  EXPECT_LT((a.frame("camera").X_LF.p - X_LC.p).norm(), 1e-15);
  EXPECT_NEAR(a.mass(), 7.5, 1e-14);
}

TEST(Tree, HomeLiesWithinLimitsAtRestOfSpringsAndMeetsCouplings) {
  TreeSettings s = arm();
  s.joints[0].lower = 0.2, s.joints[0].upper = 1;
  s.couplings = {{"tie", "elbow", "shoulder", -2, 0.1}};
  const Tree tree(s);
  const std::vector<double> x = tree.home();
  EXPECT_EQ(x[3], 1);
  EXPECT_DOUBLE_EQ(x[7], 0.2);
  EXPECT_DOUBLE_EQ(x[8], -0.3);
}

TEST(Solve, NamesWhatWentBadAtRunTime) {
  const auto failure = [](const std::function<void(Workspace&)>& spoil) -> std::string {
    test::Stepper s(arm());
    s.refresh();
    clear_loads(s.ws);
    spoil(s.ws);
    try {
      solve(s.tree, {}, s.ws, s.a);
    } catch (const RunError& error) {
      return error.what();
    }
    return "solved";
  };
  const double nan = std::nan("");
  EXPECT_THAT(failure([&](Workspace& w) { w.link_load[0].apparent(2, 2) = nan; }),
              testing::HasSubstr("base 'base'"));
  EXPECT_THAT(failure([&](Workspace& w) { w.joint_load[1].apparent = nan; }),
              testing::HasSubstr("joint 'elbow'"));
  EXPECT_THAT(failure([&](Workspace& w) { w.rotor_load[0].apparent = nan; }),
              testing::HasSubstr("rotor 'wheel'"));
  EXPECT_THAT(failure([&](Workspace& w) { w.rotor_load[0].apparent = -0.01; }),
              testing::HasSubstr("rotor 'wheel'"));
}

TEST(Solve, PivotsWhenTheLinearBlockAloneIsSingular) {
  // Apparent terms that take the mass away along x but couple x with turning: solvable, not by blocks.
  TreeSettings settings;
  settings.links = {{"body", 2, Vec3::Zero(), kInertia}};
  test::Stepper s(settings);
  s.gravity.setZero();
  s.load = [](test::Stepper& self, double) {
    LinkLoad& load = self.ws.link_load[0];
    load.apparent(0, 0) = -2;
    load.apparent(0, 4) = 1, load.apparent(4, 0) = -1;
    load.wrench << 1, 2, 3, 4, 5, 6;
  };
  s.accelerate();
  const Mat6 A = s.tree.links()[0].inertia6 + s.ws.link_load[0].apparent;
  EXPECT_LT((A * Eigen::Map<Vec6>(s.a.data()) - s.ws.link_load[0].wrench).norm(), 1e-12);
}

}  // namespace
}  // namespace scree
