/// The one rule between the rooms: a room may include only itself and rooms above it.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "scree/core/text.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// From top to bottom, as docs/architecture.md lists them.
const std::vector<std::string> kRooms = {"core",  "config", "terrain", "soil",    "ground", "mechanism",
                                         "drive", "sense",  "robot",   "control", "sim",    "record",
                                         "study", "plan",   "link",    "view",    "app"};

std::optional<std::size_t> place_of(const std::string& room) {
  const auto found = std::find(kRooms.begin(), kRooms.end(), room);
  if (found == kRooms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kRooms.begin());
}

bool is_source(const fs::path& file) {
  return file.extension() == ".hpp" || file.extension() == ".cpp" || file.extension() == ".h";
}

bool holds_code(const fs::path& folder) {
  const auto files = fs::directory_iterator(folder);
  return std::any_of(begin(files), end(files), [](const auto& entry) { return is_source(entry.path()); });
}

/// What breaks the rule below `source`, one line each.
std::vector<std::string> broken_arrows(const fs::path& source) {
  static const std::regex quoted(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<std::string> broken;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const fs::path relative = entry.path().lexically_relative(source);
    const std::string room = relative.begin()->string();
    const auto own = place_of(room);
    if (!own) {
      broken.push_back(relative.string() + ": unknown room");
      continue;
    }
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      std::smatch match;
      if (!std::regex_search(line, match, quoted)) continue;
      const std::string target = match[1];
      const std::string where = relative.string() + ":" + std::to_string(number) + ": includes " + target;
      if (target.find("../") != std::string::npos) broken.push_back(where + ", which hides its room");
      if (!target.starts_with("scree/")) {
        // Our own headers are named from the root, so that this test sees them.
        if (fs::exists(entry.path().parent_path() / target)) broken.push_back(where + " without its room");
        continue;
      }
      const auto parts = split(target, '/');
      const auto other = parts.size() > 2 ? place_of(parts[1]) : std::nullopt;
      if (!other) {
        broken.push_back(where + ", an unknown room");
      } else if (*other > *own) {
        broken.push_back(where + ", a room below");
      }
    }
  }
  std::sort(broken.begin(), broken.end());
  return broken;
}

TEST(Layering, NoRoomIncludesARoomBelowIt) {
  EXPECT_THAT(broken_arrows(fs::path(source_tree()) / "src/scree"), ::testing::IsEmpty());
}

TEST(Layering, TheCheckSeesEveryWayToBreakTheRule) {
  const scree::testing::TemporaryFolder folder;
  for (const char* room : {"core", "sim", "garage"}) fs::create_directories(folder.path() / room);
  folder.write("core/a.hpp", "#include \"scree/sim/step.hpp\"\n");
  folder.write("core/b.cpp", "\n  #  include <scree/sim/step.hpp>\n");
  folder.write("core/c.cpp", "#include \"scree/cellar/x.hpp\"\n");
  folder.write("core/d.cpp", "#include \"../sim/step.hpp\"\n");
  folder.write("core/e.cpp", "#include \"a.hpp\"\n");
  folder.write("garage/f.cpp", "int x;\n");
  folder.write("sim/step.hpp",
               "#include \"scree/core/a.hpp\"\n#include <vector>\n#include \"scree/sim/x.hpp\"\n");
  EXPECT_THAT(
      broken_arrows(folder.path()),
      ::testing::ElementsAre("core/a.hpp:1: includes scree/sim/step.hpp, a room below",
                             "core/b.cpp:2: includes scree/sim/step.hpp, a room below",
                             "core/c.cpp:1: includes scree/cellar/x.hpp, an unknown room",
                             "core/d.cpp:1: includes ../sim/step.hpp without its room",
                             "core/d.cpp:1: includes ../sim/step.hpp, which hides its room",
                             "core/e.cpp:1: includes a.hpp without its room", "garage/f.cpp: unknown room"));
}

TEST(Layering, OnlyConfigSeesToml) {
  // The one exception by design: a header of config/ that is not installed.
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(source_tree()) / "src/scree")) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("#include <toml++") == std::string::npos) continue;
    EXPECT_EQ(entry.path().filename(), "tree_internal.hpp") << entry.path();
  }
}

TEST(Rooms, EveryRoomWithCodeHasAReadme) {
  for (const auto& entry : fs::directory_iterator(fs::path(source_tree()) / "src/scree")) {
    if (!entry.is_directory() || !holds_code(entry.path())) continue;
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path().filename() << " needs a README.md";
  }
}

TEST(Rooms, ArchitecturePageNamesEveryRoomInOrder) {
  std::ifstream in(fs::path(source_tree()) / "docs/architecture.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::size_t last = 0;
  for (const auto& room : kRooms) {
    const std::size_t at = text.find("| `" + room + "/` |", last);
    ASSERT_NE(at, std::string::npos) << room << " is missing in the table, or out of order";
    last = at;
  }
}

}  // namespace
}  // namespace scree
