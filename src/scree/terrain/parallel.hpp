#pragma once
/// Splits independent lines of work over a few threads. The result cannot depend on how many.
#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace scree {

/// Threads that the machine runs at once: what makers of ground may use.
inline int machine_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64);
}

/// Calls work(begin, end) on parts of [0, count), one part a thread. The first exception is passed on.
template <class Work>
void in_parallel(int threads, int count, Work work) {
  threads = std::clamp(threads, 1, std::max(count, 1));
  if (threads == 1) return work(0, count);
  std::exception_ptr failure;
  std::mutex mutex;
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    const int begin = static_cast<int>(static_cast<long long>(count) * t / threads);
    const int end = static_cast<int>(static_cast<long long>(count) * (t + 1) / threads);
    const auto part = [&, begin, end] {
      try {
        work(begin, end);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    };
    try {
      pool.emplace_back(part);
    } catch (const std::system_error&) {
      part();  // no more threads, or no memory for their stacks: this one does it
    }
  }
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace scree
