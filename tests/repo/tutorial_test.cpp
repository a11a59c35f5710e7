/// The pages that teach: every command on them is run, every file on them is used.
#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "support/pages.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

using scree::build_tree;
using scree::source_tree;

namespace {

namespace fs = std::filesystem;
using scree::testing::CodeBlock;
using scree::testing::run_program;

/// The installed package, and an empty folder for each page.
class Pages : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    installed_ = std::make_unique<scree::testing::TemporaryFolder>();
    const auto result =
        run_program("cmake --install " + build_tree() + " --prefix " + installed_->path().string() + " 2>&1");
    ASSERT_EQ(result.status, 0) << result.output;
  }
  static void TearDownTestSuite() { installed_.reset(); }

  /// One line of a page, as a user of the installed program types it; empty when it went well.
  std::string run_line(const std::string& line) const {
    const std::string prefix = installed_->path().string();
    const auto result = run_program("cd " + folder_.path().string() + " && SCREE_PREFIX=" + prefix +
                                    " PATH=" + prefix + "/bin:$PATH sh -c " + quoted(line) + " 2>&1");
    return result.status == 0 ? "" : "status " + std::to_string(result.status) + ": " + result.output;
  }
  static std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  }
  /// All files of a page first where `files_first`, else in the order of the page. Returns the lines run.
  int run_page(const std::string& page, bool files_first) {
    const auto blocks = scree::testing::code_blocks(source_tree(page));
    int lines = 0;
    if (files_first)
      for (const CodeBlock& block : blocks)
        if (block.language != "sh" && !block.label.empty()) write_block(block, folder_.path());
    for (const CodeBlock& block : blocks) {
      const std::string where = page + ":" + std::to_string(block.line);
      if (block.language != "sh") {
        if (!block.label.empty() && !files_first) write_block(block, folder_.path());
        if (block.language == "python" && run_program("python3 -c 'import numpy, pandas' 2>&1").status == 0) {
          EXPECT_EQ(run_line("python3 " + block.label), "") << where;
        }
        continue;
      }
#ifndef SCREE_HAVE_VIEW
      if (block.label == "view") continue;
#endif
      std::istringstream in(block.text);
      for (std::string line; std::getline(in, line);) {
        const std::string failure = run_line(line);
        EXPECT_EQ(failure, "") << where << ": " << line;
        if (!failure.empty()) return lines;
        ++lines;
      }
    }
    return lines;
  }

  static inline std::unique_ptr<scree::testing::TemporaryFolder> installed_;
  scree::testing::TemporaryFolder folder_;
};

#if defined(SCREE_HAVE_GDAL) && !defined(__SANITIZE_ADDRESS__)
TEST_F(Pages, EveryStepOfTheTutorialWorks) {
  EXPECT_GE(run_page("/docs/tutorial.md", false), 15);
  for (const char* file :
       {"demo.png", "forces.svg", "careful.png", "runs/sweep/sweep.png", "runs/array/log.npy"})
    EXPECT_TRUE(fs::exists(folder_.path() / file)) << file;
  const auto end_of = [&](const std::string& run) {
    return run_program("grep state_hash " + (folder_.path() / run / "summary.json").string()).output;
  };
  EXPECT_THAT(end_of("runs/careful"), ::testing::HasSubstr("state_hash"));
  EXPECT_EQ(end_of("runs/careful-again"), end_of("runs/careful")) << "resumed with a plug-in";
}
#endif

#ifndef __SANITIZE_ADDRESS__
TEST_F(Pages, EveryProgramOfTheLibraryPageBuildsWithoutAWarningAndRuns) {
  EXPECT_EQ(run_page("/docs/library.md", true), 7);
  EXPECT_TRUE(fs::exists(folder_.path() / "runs/listener/summary.json"));
}
#endif

}  // namespace
