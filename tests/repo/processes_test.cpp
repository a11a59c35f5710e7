/// Other programs are started in one place only, and never by a shell.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "support/paths.hpp"

namespace scree {
namespace {

TEST(Processes, AreStartedByProgramAlone) {
  const std::regex starts(
      R"(\b(popen|system|fork|vfork|execl|execlp|execv|execvp|execve|posix_spawnp?)\s*\()");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_tree("/src/scree"))) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    ++files;
    const std::string room = entry.path().parent_path().filename().string();
    if (entry.path().filename() == "program.cpp" && room == "core") continue;
    // The program becomes its own build for this processor; nothing of the user's is started.
    if (entry.path().filename() == "processor.cpp" && room == "app") continue;
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      EXPECT_FALSE(std::regex_search(line, starts)) << entry.path() << ":" << number << ": " << line;
    }
  }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace scree
