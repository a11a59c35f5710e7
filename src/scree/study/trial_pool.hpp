#pragma once
/// The threads behind run_trials: workers ask the source by themselves, the owner takes what has ended.
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "scree/study/trials.hpp"

namespace scree {

class TrialPool {
 public:
  using Ended = std::pair<std::size_t, TrialRow>;
  /// Begins at once. Source and control must outlive it.
  TrialPool(TrialSource& source, const TrialFunction& trial, const TrialControl& control);
  /// Lets the trials under way end and begins no other.
  ~TrialPool();
  TrialPool(const TrialPool&) = delete;
  TrialPool& operator=(const TrialPool&) = delete;

  /// Waits for ended trials for so long at most; false when all threads are at rest and nothing is left.
  bool wait(std::chrono::milliseconds patience, std::vector<Ended>& out);
  /// Changes the source while no worker looks at it.
  void with_source(const std::function<void()>& change);
  /// Throws what the trial of the lowest number threw.
  void rethrow() const;

 private:
  void work();
  bool stopped() const;

  TrialSource& source_;
  const TrialFunction& trial_;
  const TrialControl& control_;
  std::mutex mutex_;
  std::condition_variable more_work_, results_;
  std::vector<Ended> ended_;
  std::size_t at_rest_ = 0, under_way_ = 0;
  bool failed_ = false;
  std::size_t failed_at_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace scree
