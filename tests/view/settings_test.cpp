/// The [view] table and the mapping of keys: read, documented, refused with the nearest name.
#include "scree/view/settings.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/view/input.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ViewSettings, ReadsCamerasTexturesAndLight) {
  const Document d = Document::from_text(
      "[view]\npalette = \"mars\"\ntexture = \"sand.png\"\ntexture_size = 3\nsun_elevation_deg = 20\ncamera "
      "= \"mast\"\n"
      "[[view.cameras]]\nname = \"mast\"\nkind = \"onboard\"\nposition = [0.1, 0, 0.5]\nfov_deg = 60\n");
  const ViewSettings v = read_view_settings(d);
  EXPECT_EQ(v.shading, "texture");  // a texture was given
  EXPECT_NEAR(v.sun_elevation, 20 * kDegree, 1e-12);
  const auto cameras = all_cameras(v);
  EXPECT_EQ(cameras[0].name, "mast");
  EXPECT_EQ(cameras.size(), 6u);  // and the five standard ones
  EXPECT_EQ(find_camera(cameras, "top"), 4u);
  EXPECT_THAT(refusal([&] { find_camera(cameras, "chaze"); }), HasSubstr("chase"));
}

TEST(ViewSettings, MissingTextureIsNamedAndLeftOut) {
  Folder folder;
  ViewSettings v;
  v.texture = folder / "gone.png";
  Scene scene;
  std::vector<std::string> warnings;
  apply(v, scene, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("gone.png"));
  EXPECT_EQ(scene.ground.texture, nullptr);
}

TEST(ViewSettings, RefusesUnknownWordsAndKeys) {
  const auto read = [](const char* text) {
    return refusal([&] { read_view_settings(Document::from_text(text)); });
  };
  EXPECT_THAT(read("[view]\npalette = \"venus\"\n"), HasSubstr("palette"));
  EXPECT_THAT(read("[view]\nshadng = \"slope\"\n"), HasSubstr("shading"));
  EXPECT_THAT(read("[view]\nsun_elevation_deg = 120\n"), HasSubstr("sun_elevation"));
  EXPECT_THAT(read("[[view.cameras]]\nname = \"a\"\nkind = \"orbiter\"\n"), HasSubstr("orbit"));
}

TEST(InputMapping, EveryOrderHasItsOwnKeyAndIsExplained) {
  const Input input(default_input());
  EXPECT_GE(input.help().size(), orders().size());
  for (const OrderInfo& o : orders()) EXPECT_FALSE(o.doc.empty()) << o.name;
}

TEST(InputMapping, FileChangesKeysAndConflictsAreNamed) {
  Folder folder;
  const auto write = [&](const char* text) {
    std::ofstream(folder / "keys.toml") << text;
    return folder / "keys.toml";
  };
  EXPECT_EQ(read_input(write("[keys]\npause = \"Z\"\n")).keys.at(Order::pause), "Z");
  EXPECT_EQ(read_input(write("[gamepad]\nlayout = \"sides\"\ntop_speed = 3\n")).layout, "sides");
  // File, line, the wrong name and the nearest one.
  const auto refused = [&](const char* text) { return refusal([&] { read_input(write(text)); }); };
  EXPECT_THAT(refused("[keys]\nhelp = \"F2\"\npause = \"Spaec\"\n"),
              AllOf(HasSubstr("toml:3: keys.pause"), HasSubstr("'Spaec'"), HasSubstr("'Space'")));
  EXPECT_THAT(refused("[gamepad]\nrecord = \"strat\"\n"),
              AllOf(HasSubstr("toml:2: gamepad.record"), HasSubstr("'strat'"), HasSubstr("'start'")));
  EXPECT_THAT(refused("[gamepad]\n\nthrottle = \"-leftv\"\n"),
              AllOf(HasSubstr("toml:3: gamepad.throttle"), HasSubstr("'-leftv'"), HasSubstr("'left")));
  // A key that another order has, by default or in the file; taken away there, it is free.
  EXPECT_THAT(refused("[keys]\npause = \"R\"\n"),
              AllOf(HasSubstr("toml:2: keys.pause"), HasSubstr("given to restart")));
  EXPECT_THAT(refused("[keys]\npause = \"P\"\npath = \"P\"\n"), HasSubstr("toml:3: keys.path"));
  EXPECT_THAT(refused("[gamepad]\nrecord = \"a\"\n"), HasSubstr("given to pause"));
  EXPECT_NO_THROW(read_input(write("[keys]\npause = \"R\"\nrestart = \"\"\n")));
  EXPECT_THAT(refusal([&] { read_input(write("[keys]\npuase = \"R\"\n")); }), HasSubstr("pause"));
}

TEST(Teleop, SteeringKeepsTheDifferenceOfTheSides) {
  const DriveInput straight = from_throttle(1, 0, 0), turn = from_throttle(0, 1, 0),
                   both = from_throttle(1, 1, 0);
  EXPECT_EQ(straight.left, 1);
  EXPECT_EQ(straight.right, 1);
  EXPECT_EQ(turn.left, -1);  // left turn: the left side goes back
  EXPECT_EQ(turn.right, 1);
  EXPECT_EQ(both.left, 0);
  EXPECT_EQ(both.right, 1);
  EXPECT_FALSE(from_throttle(0, 0, 0).active);
  EXPECT_TRUE(from_throttle(0, 0, 1).active);
}

}  // namespace
}  // namespace scree::view
