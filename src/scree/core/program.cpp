#include "scree/core/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

extern char** environ;

namespace scree {
namespace {

/// Undoes what this process does to signals, and leaves its process group.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&value);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&value, &none);
    ::posix_spawnattr_setsigdefault(&value, &all);
    ::posix_spawnattr_setpgroup(&value, 0);
    ::posix_spawnattr_setflags(&value,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t value;
};

}  // namespace

bool program_found(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':'))
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

Program::Memory::Memory() : descriptor(::memfd_create("scree", MFD_CLOEXEC)) {
  if (descriptor < 0) run_error("no file in memory: {}", std::strerror(errno));
}
Program::Memory::~Memory() { ::close(descriptor); }

std::string Program::Memory::contents() const {
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t got = ::pread(descriptor, block, sizeof block, static_cast<off_t>(text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block, static_cast<std::size_t>(got));
  }
}

Program::Program(const std::vector<std::string>& arguments, const std::string& what) {
  // Emulators of another processor do not report that a program could not be started.
  if (!program_found(arguments[0]))
    run_error("{}: the program '{}' does not start ({})", what, arguments[0], std::strerror(ENOENT));
  // A socket instead of a pipe: writing to a program that has ended can be told not to raise SIGPIPE.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    run_error("{}: no pipe to '{}': {}", what, arguments[0], std::strerror(errno));
  }
  std::vector<std::string> text = arguments;
  std::vector<char*> argv;
  for (std::string& t : text) argv.push_back(t.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, output_.descriptor, 1);
  ::posix_spawn_file_actions_adddup2(&actions, complaints_.descriptor, 2);
  const Attributes attributes;
  const int failed = ::posix_spawnp(&child_, argv[0], &actions, &attributes.value, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (failed != 0) {
    ::close(ends[1]);
    child_ = -1;
    run_error("{}: the program '{}' does not start ({})", what, arguments[0], std::strerror(failed));
  }
  input_ = ends[1];
}

Program::~Program() { finish(); }

bool Program::write(std::string_view bytes) {
  if (input_ < 0) return false;
  while (!bytes.empty()) {
    const ssize_t written = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int Program::finish() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
  if (child_ > 0) {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    child_ = -1;
  }
  return status_;
}

std::string Program::output() const { return output_.contents(); }
std::string Program::complaints() const { return complaints_.contents(); }

}  // namespace scree
