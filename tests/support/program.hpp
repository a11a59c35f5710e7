#pragma once
/// Other programs, as a test needs them.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace scree::testing {

struct ProgramResult {
  int status = -1;     ///< exit status, 128 + signal when killed
  std::string output;  ///< what it printed (redirect in the command line: 2>&1)
};

/// Runs a line of shell.
inline ProgramResult run_program(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  ProgramResult result;
  std::array<char, 4096> block{};
  std::size_t count = 0;
  while ((count = std::fread(block.data(), 1, block.size(), pipe)) > 0)
    result.output.append(block.data(), count);
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline bool have_program(const std::string& name) {
  return run_program("command -v " + name + " > /dev/null 2>&1").status == 0;
}

}  // namespace scree::testing
