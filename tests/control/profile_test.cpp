#include "scree/control/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

using Mode = DriveCommand::Mode;
const std::vector<std::string> kWheels = {"front_left", "front_right", "rear_left", "rear_right"};

TEST(Profile, InterpolatesOrHoldsAndKeepsItsEnds) {
  ProfileSettings s{.rows = {{1, 10}, {2, 20}, {4, 0}}};
  const CommandProfile line(s, "p");
  for (auto [t, v] : {std::pair{0., 10.}, {1., 10.}, {1.5, 15.}, {2., 20.}, {3., 10.}, {4., 0.}, {9., 0.}})
    EXPECT_DOUBLE_EQ(line(t), v) << t;
  EXPECT_TRUE(std::isinf(line.next_jump(0)));
  s.interpolation = "hold";
  const CommandProfile held(s, "p");
  for (auto [t, v] : {std::pair{0., 10.}, {1.5, 10.}, {2., 20.}, {3.9, 20.}, {4., 0.}})
    EXPECT_EQ(held(t), v) << t;
  EXPECT_EQ(held.next_jump(0), 2);
  EXPECT_EQ(held.next_jump(2), 4);
  EXPECT_TRUE(std::isinf(held.next_jump(4)));
}

TEST(Profile, AppliesToGroupsAndKeepsBrakesApart) {
  const std::vector<ProfileSettings> all = {{.value = 3},
                                            {.drives = {"rear_*"}, .value = 5},
                                            {.quantity = "brake", .drives = {"*_left"}, .value = 8}};
  const ProfileSet set(all, kWheels, kWheels.size());
  std::vector<DriveCommand> commands(4);
  set.apply(1.0, commands);
  const double torque[] = {3, 3, 5, 5}, brake[] = {8, 0, 8, 0};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(commands[i].mode, Mode::torque);
    EXPECT_EQ(commands[i].value, torque[i]);
    EXPECT_EQ(commands[i].brake, brake[i]);
  }
}

TEST(Profile, ReadsFromAScenario) {
  const Document d = Document::from_text(R"(
quantity = "speed"
drives = ["front_*"]
interpolation = "hold"
rows = [[0, 1], [2.5, 4]])");
  const ProfileSettings s = read<ProfileSettings>(d.root());
  EXPECT_EQ(s.quantity, "speed");
  EXPECT_EQ(CommandProfile(s, "p")(3), 4);
}

TEST(ProfileSet, WithoutNamesMeansTheDrivesOfWheels) {
  const std::vector<std::string> drives = {"left", "right", "mast"};
  const std::vector<ProfileSettings> all = {{.value = 3}};
  std::vector<DriveCommand> commands(3);
  ProfileSet(all, drives, 2).apply(0, commands);
  EXPECT_EQ(commands[1].mode, DriveCommand::Mode::torque);
  EXPECT_EQ(commands[2].mode, DriveCommand::Mode::idle) << "a mast is not driven along";
  EXPECT_THROW(ProfileSet(all, drives, 0), InputError);
}

std::string message(const std::vector<ProfileSettings>& s) {
  try {
    ProfileSet set(s, kWheels, kWheels.size());
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Profile, SaysWhatIsWrong) {
  EXPECT_NE(message({{.rows = {{1, 0}, {1, 2}}}}).find("ascend"), std::string::npos);
  EXPECT_NE(message({{.rows = {{0, NAN}}}}).find("not finite"), std::string::npos);
  EXPECT_NE(message({{.drives = {"font_left"}}}).find("front_left"), std::string::npos);
}

}  // namespace
}  // namespace scree
