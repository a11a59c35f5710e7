/// The Debian package: what it holds, and that the program in it finds its own data.
#include <gmock/gmock.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using scree::build_tree;

namespace {

namespace fs = std::filesystem;
using scree::testing::have_program;
using scree::testing::run_program;
using ::testing::HasSubstr;

TEST(Package, RunsTheDemoByNameFromACleanRoot) {
  if (!have_program("dpkg-deb") || !have_program("cpack")) GTEST_SKIP() << "no Debian tools here";
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a package of a build for finding mistakes is of no use";
#endif
  const scree::testing::TemporaryFolder folder;
  const std::string at = folder.path().string(), root = at + "/root";
  auto result = run_program("cd " + build_tree() + " && cpack -G DEB -B " + at + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  result = run_program("dpkg-deb -x " + at + "/scree_*.deb " + root + " 2>&1");
  ASSERT_EQ(result.status, 0) << result.output;
  for (const char* file :
       {"bin/scree", "include/scree/sim/simulation.hpp", "share/scree/models/vivi/robot.toml",
        "share/scree/scenarios/demo.toml", "share/man/man1/scree.1", "share/man/man1/scree-run.1",
        "share/bash-completion/completions/scree", "share/zsh/site-functions/_scree"})
    EXPECT_TRUE(fs::exists(root + "/usr/" + file)) << file;
#ifdef SCREE_HAVE_VIEW
  EXPECT_TRUE(fs::exists(root + "/usr/share/applications/scree.desktop"));
#endif
  EXPECT_THAT(run_program("dpkg-deb -f " + at + "/scree_*.deb Depends").output,
              ::testing::AllOf(HasSubstr("libc6")
#ifdef SCREE_HAVE_GDAL
                                   ,
                               HasSubstr("libgdal")  // opened by name: no binary says so
#endif
                               ));
  // Its own copy of the scenario, not that of the source tree: shortened, it runs shorter.
  run_program("sed -i 's/^duration.*/duration = 0.3/' " + root + "/usr/share/scree/scenarios/demo.toml");
  result = run_program("cd / && env -u SCREE_DATA " + root + "/usr/bin/scree run demo --json 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("\"simulated_s\": 0.3"));
}

}  // namespace
