#pragma once
/// The engine of everything that runs many times: trials spread over threads.
///
/// A trial is a pure function of its number (and of the plan that it closes over), so the results are the
/// same on any number of threads, and one trial can be repeated alone.
#include <atomic>
#include <cstddef>
#include <functional>

namespace scree {

struct TrialControl {
  int jobs = 1;  ///< threads
  /// Gets the share of the trials that are done; one thread at a time.
  std::function<void(double done)> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true no further trial begins
};

/// Calls `trial` for 0 ... count - 1, in order of beginning. When some throw, the exception of the lowest
/// number is thrown again after all threads have come to rest; trials that had not begun are left out.
void run_trials(std::size_t count, const std::function<void(std::size_t)>& trial,
                const TrialControl& control = {});

}  // namespace scree
