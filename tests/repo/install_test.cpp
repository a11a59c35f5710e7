/// What `cmake --install` leaves serves a program outside the tree.
#include <gmock/gmock.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using scree::build_tree;
using scree::source_tree;

namespace {

namespace fs = std::filesystem;
using scree::testing::run_program;

TEST(Install, AnotherProjectFindsTheLibraryAndTheCommandRuns) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the installed library would need the sanitizer";
#endif
  const scree::testing::TemporaryFolder folder;
  const std::string prefix = (folder.path() / "prefix").string(), build = (folder.path() / "build").string();
  auto result = run_program("cmake --install " + build_tree() + " --prefix " + prefix + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  EXPECT_TRUE(fs::exists(prefix + "/include/scree/core/types.hpp"));
  EXPECT_FALSE(fs::exists(prefix + "/include/scree/config/tree_internal.hpp")) << "toml++ stays inside";
  EXPECT_FALSE(fs::exists(prefix + "/include/scree/app"));

  result = run_program("cmake -G Ninja -S " + source_tree("/tests/repo/consumer -B ") + build +
                       " -DCMAKE_PREFIX_PATH=" + prefix + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  result = run_program("cmake --build " + build + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(run_program(build + "/consumer").output, "1.5\n0.5 0.5\n");

  result = run_program(prefix + "/bin/scree --version");
  EXPECT_EQ(result.status, 0) << result.output;
}

}  // namespace
