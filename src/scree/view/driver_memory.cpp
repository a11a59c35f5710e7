#include "scree/view/driver_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

/// Of address space: 0.9 GB were enough for the demo in 1920 x 1080 with Mesa's llvmpipe on two cores, beyond
/// what the program holds itself; each core has a thread with its stack.
constexpr std::size_t kDriver = 1200u << 20, kThread = 40u << 20;

/// Only what a signal handler may call.
extern "C" void driver_crashed(int) {
  constexpr char kLine[] =
      "scree: error: the graphics driver crashed under the limit on memory (ulimit -v): raise it\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kLine, sizeof kLine - 1);
  ::_exit(1);
}

void install_handler() {
  // A stack of its own: the usual one may be what could not grow.
  constexpr std::size_t kStack = 1u << 16;
  static char stack[kStack];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = kStack;
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = driver_crashed;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void prepare_driver_memory() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const std::size_t need = kDriver + std::max(1u, std::thread::hardware_concurrency()) * kThread;
  void* room = ::mmap(nullptr, need, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) {
    run_error(
        "drawing needs {} MB of address space for the graphics driver, more than the limit of {} MB "
        "(ulimit -v) leaves: raise it",
        need >> 20, limit.rlim_cur >> 20);
  }
  ::munmap(room, need);
  install_handler();
}

}  // namespace scree::view
