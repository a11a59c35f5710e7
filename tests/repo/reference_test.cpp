/// docs/scenario.md is what the program prints about its keys, no more and no less.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"

using scree::command;
using scree::source_tree;

namespace {

std::string page() {
  std::ifstream in(source_tree() + "/docs/scenario.md", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ScenarioReference, IsUpToDate) {
  const auto printed = scree::testing::run_program(command() + " reference");
  ASSERT_EQ(printed.status, 0);
  EXPECT_EQ(printed.output, page()) << "run scripts/reference";
}

TEST(ScenarioReference, EveryKeyHasTypeAndMeaningAndEveryNumberHasUnitDefaultAndRange) {
  std::istringstream lines(page());
  int keys = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    ++keys;
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] != '|' || line[i - 1] == '\\') continue;
      cells.push_back(line.substr(begin + 1, i - begin - 2));
      begin = i + 1;
    }
    ASSERT_EQ(cells.size(), 6u) << line;
    EXPECT_FALSE(cells[1].empty()) << line;
    EXPECT_FALSE(cells[5].empty()) << "no meaning: " << line;
    const bool numeric =
        cells[1] == "angle" || cells[1] == "integer" ||
        (cells[1].find("number") != std::string::npos && cells[1] != "table of named numbers");
    if (!numeric) continue;
    EXPECT_FALSE(cells[2].empty()) << "no unit: " << line;
    EXPECT_FALSE(cells[3].empty()) << "no default: " << line;
    EXPECT_FALSE(cells[4].empty()) << "no range: " << line;
  }
  EXPECT_GT(keys, 20);
}

}  // namespace
