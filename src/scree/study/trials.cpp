#include "scree/study/trials.hpp"

#include <algorithm>

#include "scree/study/trial_pool.hpp"

namespace scree {

TrialPool::TrialPool(TrialSource& source, const TrialFunction& trial, const TrialControl& control)
    : source_(source), trial_(trial), control_(control) {
  const int jobs = std::max(control.jobs, 1);
  for (int i = 0; i < jobs; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
      break;  // no more threads here: those there are do the work
    }
  }
}

TrialPool::~TrialPool() {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
  }
  more_work_.notify_all();
  for (std::thread& t : threads_) t.join();
}

bool TrialPool::stopped() const { return failed_ || (control_.stop && control_.stop->load()); }

void TrialPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopped()) break;
    const std::optional<std::size_t> number = source_.next();
    if (!number) {
      if (source_.exhausted()) break;
      // The wish to stop comes from a signal, which wakes nobody.
      more_work_.wait_for(lock, std::chrono::milliseconds(50));
      continue;
    }
    ++under_way_;
    lock.unlock();
    TrialRow row;
    std::exception_ptr failure;
    try {
      row = trial_(*number);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --under_way_;
    if (failure) {
      if (!failure_ || *number < failed_at_) failed_at_ = *number, failure_ = failure;
      failed_ = true;
    } else {
      ended_.emplace_back(*number, std::move(row));
    }
    results_.notify_one();
  }
  ++at_rest_;
  results_.notify_one();
  more_work_.notify_all();
}

bool TrialPool::wait(std::chrono::milliseconds patience, std::vector<Ended>& out) {
  out.clear();
  std::unique_lock lock(mutex_);
  const auto rest = [this] { return at_rest_ == threads_.size(); };
  results_.wait_for(lock, patience, [&] { return !ended_.empty() || rest(); });
  out.swap(ended_);
  for (const Ended& e : out) source_.ended(e.first, e.second);
  if (!out.empty()) more_work_.notify_all();
  return !(rest() && out.empty());
}

void TrialPool::with_source(const std::function<void()>& change) {
  {
    const std::lock_guard lock(mutex_);
    change();
  }
  more_work_.notify_all();
}

void TrialPool::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

void run_trials(TrialSource& source, const TrialFunction& trial, const TrialTaker& take,
                const TrialControl& control) {
  TrialPool pool(source, trial, control);
  std::vector<TrialPool::Ended> ended;
  while (pool.wait(std::chrono::milliseconds(200), ended)) {
    for (auto& [number, row] : ended) take(number, std::move(row));
    if (control.progress && !ended.empty()) control.progress(source.done());
  }
  pool.rethrow();
}

void run_trials(std::size_t count, const std::function<void(std::size_t)>& trial,
                const TrialControl& control) {
  CountedTrials source(count);
  TrialControl fewer = control;
  fewer.jobs = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(control.jobs, 1)),
                                                      std::max<std::size_t>(count, 1)));
  run_trials(
      source,
      [&trial](std::size_t number) {
        trial(number);
        return TrialRow{};
      },
      [](std::size_t, TrialRow&&) {}, fewer);
}

}  // namespace scree
