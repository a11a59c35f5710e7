#include "scree/view/pacer.hpp"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {
constexpr std::size_t kErrors = 4096;
}

double wall_clock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void Pacer::start(double time, double speed) {
  start_wall_ = wall_clock();
  start_time_ = time;
  speed_ = speed;
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
  if (errors_.size() < kErrors)
    errors_.push_back(static_cast<float>(error));
  else
    errors_[deadlines_ % kErrors] = static_cast<float>(error);
  if (error > give_up_) {
    ++moved_;
    start(time, speed_);
  }
  return error;
}

double Pacer::error_quantile(double part) const {
  if (errors_.empty()) return 0;
  std::vector<float> sorted;
  for (float e : errors_) sorted.push_back(std::abs(e));
  const std::size_t place = std::min(sorted.size() - 1, static_cast<std::size_t>(part * sorted.size()));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  return sorted[place];
}

void pin_thread(int core) {
  const long cores = sysconf(_SC_NPROCESSORS_CONF);
  if (!(core >= 0 && core < cores)) input_error("--core {}: this machine has cores 0 to {}", core, cores - 1);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0)
    input_error("--core {}: the system does not let this program use that core", core);
}

}  // namespace scree::view
