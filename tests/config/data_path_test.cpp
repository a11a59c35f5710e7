#include "scree/config/data_path.hpp"

#include <gmock/gmock.h>

#include "support/errors.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

using scree::testing::message_of;
using ::testing::Contains;
using ::testing::HasSubstr;

class DataPath : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* root : {"first", "second"}) {
      std::filesystem::create_directories(folder_.path() / root / "models/rover");
      folder_.write(std::string(root) + "/models/rover/robot.toml", root);
    }
    std::filesystem::create_directories(folder_.path() / "second/models/crawler");
    folder_.write("second/models/plain.toml", "");
    const std::string both =
        (folder_.path() / "first").string() + "::" + (folder_.path() / "second").string();
    ::setenv("SCREE_DATA", both.c_str(), 1);
  }
  void TearDown() override { ::unsetenv("SCREE_DATA"); }
  scree::testing::TemporaryFolder folder_;
};

TEST_F(DataPath, TheFirstFolderOfTheEnvironmentWins) {
  EXPECT_EQ(find_data("models/rover/robot.toml"), folder_.path() / "first/models/rover/robot.toml");
  EXPECT_EQ(find_data("models/crawler"), folder_.path() / "second/models/crawler");
}

TEST_F(DataPath, ListsNamesOfAllFoldersOnce) {
  const auto names = list_data("models");
  EXPECT_THAT(names, Contains("rover").Times(1));
  EXPECT_THAT(names, Contains("crawler"));
  EXPECT_THAT(names, Contains("plain"));
  EXPECT_TRUE(list_data("no_such_folder").empty());
}

TEST_F(DataPath, AMissingNameGetsTheNearestOne) {
  EXPECT_THAT(
      message_of([] { find_data("models/crawlr/robot.toml"); }),
      HasSubstr("no 'models/crawlr/robot.toml' among the files of the program; did you mean 'crawler'?"));
  EXPECT_THAT(message_of([] { find_data(""); }).substr(0, 5), "no ''");
}

TEST(DataFolders, HoldTheSourceTree) {
  EXPECT_THAT(data_folders(), Contains(std::filesystem::path(source_tree())));
}

}  // namespace
}  // namespace scree
