#pragma once
/// Another program (gnuplot, ffmpeg) that is fed through a pipe. The only place where one is started: never
/// through a shell, so that no name, title or label is ever read as a command.
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Whether a program of this name is on PATH (or is this file, where the name is a path).
bool program_found(const std::string& name);

class Program {
 public:
  /// Starts `arguments[0]`, looked for on PATH, with the arguments as they stand. What it prints is kept in
  /// memory: nothing is left when this program is killed. It runs in a process group of its
  /// own: Ctrl-C reaches this program alone, which then ends it in order.
  /// Throws RunError "WHAT: the program 'NAME' does not start (...)".
  Program(const std::vector<std::string>& arguments, const std::string& what);
  /// Closes its input and waits for it.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Feeds it; false when it has ended or closed its input.
  bool write(std::string_view bytes);
  /// Closes its input and waits. The exit status, or 128 + the signal that ended it; the same when repeated.
  int finish();
  /// What it printed. Call after finish().
  std::string output() const;
  /// What it complained about (standard error).
  std::string complaints() const;

 private:
  /// A file in memory, without a name.
  class Memory {
   public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    std::string contents() const;
    const int descriptor;
  };

  Memory output_, complaints_;
  pid_t child_ = -1;
  int input_ = -1;
  int status_ = -1;
};

}  // namespace scree
