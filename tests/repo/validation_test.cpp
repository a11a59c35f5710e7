/// The closed forms share no code with what they judge.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include "support/paths.hpp"

using scree::source_tree;

namespace {

TEST(Validation, ReferencesIncludeNothingOfTheProgram) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_tree("/validation"))) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    ++files;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str().find("scree/"), std::string::npos) << entry.path();
    EXPECT_EQ(text.str().find("Eigen"), std::string::npos) << entry.path();
  }
  EXPECT_GE(files, 6);
}

}  // namespace
