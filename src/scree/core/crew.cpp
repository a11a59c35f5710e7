#include "scree/core/crew.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace scree {
namespace {

constexpr int kPatience = 2000;  // looks before a thread sleeps: a round often follows within microseconds
constexpr std::uint64_t kRound = std::uint64_t{1} << 32;

/// Waits until `value` differs from `old`, awake at first.
template <class T>
void wait_for_change(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kPatience; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Crew::Crew(int threads) {
  for (int i = 1; i < threads; ++i) {
    try {
      threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      return;  // no more threads, or no memory for their stacks: fewer do it
    }
  }
}

Crew::~Crew() {
  end_ = true;
  left_.fetch_add(kRound, std::memory_order_release);
  left_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::begin(int count, Call call, const void* work) {
  call_ = call, work_ = work, count_ = count;
  parts_ = std::min(count, 8 * size());
  failed_ = -1, failure_ = nullptr;
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t round = (left_.load(std::memory_order_relaxed) & ~(kRound - 1)) + kRound;
  left_.store(round | static_cast<std::uint64_t>(parts_), std::memory_order_release);
  left_.notify_all();
}

/// Claims a part and does it; false when none is left.
bool Crew::take_part() {
  std::uint64_t now = left_.load(std::memory_order_acquire);
  do {
    if ((now & (kRound - 1)) == 0) return false;
  } while (!left_.compare_exchange_weak(now, now - 1, std::memory_order_acq_rel, std::memory_order_acquire));
  const long long part = parts_ - static_cast<long long>(now & (kRound - 1));
  const int begin = static_cast<int>(count_ * part / parts_),
            end = static_cast<int>(count_ * (part + 1) / parts_);
  for (int i = begin; i < end; ++i) {
    try {
      call_(work_, i);
    } catch (...) {
      while (failing_.test_and_set(std::memory_order_acquire)) {
      }
      if (failed_ < 0 || i < failed_) failed_ = i, failure_ = std::current_exception();
      failing_.clear(std::memory_order_release);
    }
  }
  const int all = parts_;  // the last one to be done lets the next round begin
  if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == all) done_.notify_one();
  return true;
}

void Crew::finish() {
  for (int done = done_.load(std::memory_order_acquire); done < parts_;
       done = done_.load(std::memory_order_acquire))
    wait_for_change(done_, done);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Crew::serve() {
  while (!end_) {
    while (take_part()) {
    }
    const std::uint64_t seen = left_.load(std::memory_order_acquire);
    if ((seen & (kRound - 1)) == 0 && !end_) wait_for_change(left_, seen);
  }
}

}  // namespace scree
