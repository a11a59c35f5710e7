#include "scree/core/crew.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace scree {
namespace {

constexpr int kPatience = 2000;  // looks before a thread sleeps: a round often follows within microseconds

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
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::begin(int count, Call call, const void* work) {
  call_ = call, work_ = work, count_ = count;
  chunk_ = std::max(1, count / (8 * size()));
  failed_ = -1, failure_ = nullptr;
  next_.store(0, std::memory_order_relaxed);
  inside_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void Crew::take_part() {
  for (;;) {
    const int begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
    if (begin >= count_) return;
    for (int i = begin; i < std::min(begin + chunk_, count_); ++i) {
      try {
        call_(work_, i);
      } catch (...) {
        while (failing_.test_and_set(std::memory_order_acquire)) {
        }
        if (failed_ < 0 || i < failed_) failed_ = i, failure_ = std::current_exception();
        failing_.clear(std::memory_order_release);
      }
    }
  }
}

void Crew::finish() {
  for (int left = inside_.load(std::memory_order_acquire); left > 0;
       left = inside_.load(std::memory_order_acquire))
    wait_for_change(inside_, left);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Crew::serve() {
  std::uint32_t seen = 0;
  for (;;) {
    wait_for_change(round_, seen);
    ++seen;
    if (end_) return;
    take_part();
    inside_.fetch_sub(1, std::memory_order_acq_rel);
    inside_.notify_one();
  }
}

}  // namespace scree
