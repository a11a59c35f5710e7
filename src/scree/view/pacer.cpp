#include "scree/view/pacer.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdint>

#include "scree/core/errors.hpp"

namespace scree::view {
double wall_clock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void Pacer::start(double time, double speed) {
  start_wall_ = wall_clock();
  start_time_ = time;
  speed_ = speed;
  slipped_ = last_error_ = 0;
}

double Pacer::wait(double time) {
  const double due = start_wall_ + (time - start_time_) / speed_;
  ++deadlines_;
  double now = wall_clock();
  if (now >= due) {
    ++missed_;
  } else {
    timespec until;
    until.tv_sec = static_cast<time_t>(std::floor(due));
    until.tv_nsec = static_cast<long>(1e9 * (due - std::floor(due)));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
    now = wall_clock();
  }
  const double error = now - due;
  errors_.add(error);
  last_error_ = error;
  if (error > give_up_) {
    ++moved_;
    const double slipped = slipped_ + error;
    start(time, speed_);
    slipped_ = slipped;
  }
  return error;
}

void wake_at_once() {
#ifdef SYS_sched_setattr
  // As in linux/sched/types.h, which glibc does not bring along.
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;  // ns; runtime: of a turn
  } wish = {};
  wish.size = sizeof wish;
  wish.policy = SCHED_OTHER;
  wish.runtime = 100'000;
  for (const int nice : {-10, 0}) {
    wish.nice = nice;
    if (syscall(SYS_sched_setattr, 0, &wish, 0) == 0) return;
  }
#endif
}

void check_core(int core) {
  const long cores = sysconf(_SC_NPROCESSORS_CONF);
  if (!(core >= 0 && core < cores)) input_error("--core {}: this machine has cores 0 to {}", core, cores - 1);
}

void pin_thread(int core) {
  check_core(core);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0)
    input_error("--core {}: the system does not let this program use that core", core);
}

}  // namespace scree::view
