/// What enters a state or the ground is computed with functions that give the same bits on every processor:
/// core/maths.hpp, not the C library, and no code of Eigen's that asks the C library.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

const char* const kRooms[] = {"core",  "config", "terrain", "soil",    "ground", "mechanism",
                              "drive", "sense",  "robot",   "control", "sim",    "plan"};
/// Pictures only; and the functions themselves, which use what IEEE 754 fixes.
const std::vector<std::string> kAllowed = {"terrain/picture.cpp", "core/maths.cpp", "core/maths.hpp"};

std::vector<std::string> calls_of_the_c_library(const fs::path& source) {
  static const std::regex call(
      R"(std::(sinh?|cosh?|tanh?|asinh?|acosh?|atanh?|atan2|exp2?|expm1|log|log1p|log2|log10|pow|hypot|cbrt|erfc?|tgamma|lgamma|polar|fma)\()"
      R"(|\bAngleAxisd?\b|Eigen::FFT<double>)");
  std::vector<std::string> found;
  for (const char* room : kRooms) {
    if (!fs::exists(source / room)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(source / room)) {
      const std::string name = entry.path().lexically_relative(source).string();
      if (!entry.is_regular_file() || std::find(kAllowed.begin(), kAllowed.end(), name) != kAllowed.end())
        continue;
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        std::smatch match;
        if (std::regex_search(line, match, call))
          found.push_back(name + ":" + std::to_string(number) + ": " + match.str());
      }
    }
  }
  return found;
}

TEST(PortableBits, RoomsOfTheStateUseOurOwnElementaryFunctions) {
  EXPECT_THAT(calls_of_the_c_library(scree::source_tree("/src/scree")), ::testing::IsEmpty())
      << "use maths:: (core/maths.hpp) and rotation_about() (core/types.hpp)";
}

TEST(PortableBits, TheCheckSeesWhatItLooksFor) {
  const scree::testing::TemporaryFolder folder;
  fs::create_directories(folder.path() / "drive");
  std::ofstream(folder.path() / "drive" / "bad.cpp")
      << "a = 1;\nb = std::exp(a) + maths::sin(a) + std::sqrt(a);\n";
  EXPECT_THAT(calls_of_the_c_library(folder.path()), ::testing::ElementsAre("drive/bad.cpp:2: std::exp("));
}

/// What the compiler was told is one thing, what it made of it another: a processor with AVX-512 has fused
/// products of its own beside those that -mno-fma takes away.
TEST(PortableBits, TheProgramHasNoFusedProducts) {
#ifdef SCREE_FUSED
  GTEST_SKIP() << "built with SCREE_FUSED";
#endif
  using scree::testing::have_program;
  using scree::testing::run_program;
  if (scree::command().empty() || !have_program("objdump")) GTEST_SKIP() << "no program, or no objdump";
  const std::string code = "objdump -d --no-show-raw-insn '" + scree::command() + "'";
  const auto fused = run_program(code + " | grep -c -E '[[:space:]](vf|f)n?m(add|sub)'");
  EXPECT_EQ(fused.output, "0\n");
  const auto products = run_program(code + " | grep -c -m 1 -E '[[:space:]]v?f?mul'");
  EXPECT_EQ(products.output, "1\n") << "the check reads no code";
}

}  // namespace
