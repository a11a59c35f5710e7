/// A short run of the fuzzer, and everything that it ever found.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/driver.hpp"
#include "support/paths.hpp"

namespace scree::fuzz {
namespace {

TEST(Fuzz, DamagedFilesOfEveryKindAreReadOrRefused) {
  std::set<std::string> names;
  for (const Kind& kind : all_kinds(source_tree("/tests/fuzz/corpus"))) {
    names.insert(kind.name);
    const Result result = run(kind, {.seed = 13, .inputs = kind.seeds.size() + 150});
    for (const auto& complaint : result.complaints) ADD_FAILURE() << complaint;
    EXPECT_EQ(result.inputs, kind.seeds.size() + 150) << kind.name;
    EXPECT_GT(result.refused, 10u) << kind.name << ": damage was not noticed";
    EXPECT_GT(result.read, 0u) << kind.name << ": nothing was read";
  }
  for (const char* name : {"scenario", "model", "drive", "terrain", "grid", "mesh", "points", "run"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Fuzz, FindsWhatIsWrong) {
  // A reader with faults of every sort: the driver must see each of them.
  const Kind kind{"faulty", "f.txt", {"abcdefgh"}, [](const std::filesystem::path& file) {
                    const auto size = std::filesystem::file_size(file);
                    if (size % 7 == 3) std::abort();
                    if (size % 7 == 4) throw std::runtime_error("two\nlines");
                    if (size % 7 == 5) throw 5;
                  }};
  const Result result = run(kind, {.seed = 1, .inputs = 40});
  EXPECT_GT(result.faults, 5u);
  std::set<std::string> sorts;
  for (const auto& c : result.complaints) sorts.insert(c.substr(c.rfind(": ")));
  EXPECT_GE(sorts.size(), 2u) << "signals and refusals of two lines are told apart";
}

TEST(Fuzz, TheSameSeedGivesTheSameInputs) {
  const Kind kind{"k", "f", {"some text, 1 2 3", "other"}, {}};
  EXPECT_EQ(input(kind, 3, 77), input(kind, 3, 77));
  EXPECT_NE(input(kind, 3, 77), input(kind, 4, 77));
}

}  // namespace
}  // namespace scree::fuzz
