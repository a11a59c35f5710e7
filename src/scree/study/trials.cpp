#include "scree/study/trials.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace scree {

void run_trials(std::size_t count, const std::function<void(std::size_t)>& trial,
                const TrialControl& control) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::size_t done = 0, failed_at = count;
  std::exception_ptr failure;
  const auto work = [&] {
    while (!failed && !(control.stop && control.stop->load())) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        trial(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_at) failed_at = i, failure = std::current_exception();
        failed = true;
        return;
      }
      const std::lock_guard lock(mutex);
      ++done;
      if (control.progress) control.progress(static_cast<double>(done) / static_cast<double>(count));
    }
  };
  std::vector<std::thread> threads;
  const std::size_t jobs = std::min<std::size_t>(static_cast<std::size_t>(std::max(control.jobs, 1)), count);
  for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace scree
