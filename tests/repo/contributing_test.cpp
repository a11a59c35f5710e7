/// The worked examples of CONTRIBUTING.md compile, and what it quotes stands in the sources.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "support/pages.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using scree::build_tree;
using scree::source_tree;

namespace {

using scree::testing::run_program;
using ::testing::HasSubstr;

TEST(Contributing, EveryExampleCompilesWithoutAWarning) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the installed library would need the sanitizer";
#endif
  const scree::testing::TemporaryFolder folder;
  const std::string prefix = (folder.path() / "prefix").string(),
                    project = (folder.path() / "project").string();
  auto result = run_program("cmake --install " + build_tree() + " --prefix " + prefix + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  std::string files;
  int count = 0;
  for (const auto& block : scree::testing::code_blocks(source_tree("/CONTRIBUTING.md"))) {
    if (block.language != "cpp") continue;
    ASSERT_NE(block.label, "") << "line " << block.line;
    write_block(block, project);
    files += " " + block.label;
    ++count;
  }
  EXPECT_GE(count, 5);
  scree::testing::write_block(
      {"cmake", "CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.25)\nproject(examples LANGUAGES CXX)\nfind_package(scree REQUIRED)\n"
       "add_library(examples OBJECT" +
           files + ")\ntarget_link_libraries(examples PRIVATE scree::scree)\n",
       0},
      project);
  result = run_program(
      "cd " + project + " && cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH=" + prefix +
      " -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror' 2>&1 && cmake --build build 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
}

TEST(Contributing, QuotesStandInTheSources) {
  int count = 0;
  for (const auto& block : scree::testing::code_blocks(source_tree("/CONTRIBUTING.md"))) {
    if (block.language != "quote") continue;
    std::ifstream in(source_tree("/" + block.label));
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(source, HasSubstr(block.text)) << block.label;
    ++count;
  }
  EXPECT_GE(count, 1);
}

}  // namespace
