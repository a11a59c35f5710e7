#pragma once
/// The engine of everything that runs many times: trials spread over threads.
///
/// A trial is a pure function of its number (and of the plan that it closes over), so the results are the
/// same on any number of threads, and one trial can be repeated alone. `scree sweep`, `scree study` and the
/// VIVI map all run here.
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// A number that a trial gave: "speed:mean", "m/s".
struct TrialNumber {
  std::string name, unit;
  double value = 0;
};

/// Whether a trial was a success: broken ones ended by themselves (diverged, refused), and say nothing.
enum class Verdict { success, failure, broken };

/// What came of one trial.
struct TrialRow {
  std::size_t cell = 0;
  int trial = 0;
  std::uint64_t seed = 0;
  bool done = false;    ///< false: not begun, because the work was stopped
  std::string outcome;  ///< as in a run's summary; "refused" when the values make no scenario
  std::string error;
  Verdict verdict = Verdict::broken;
  double simulated_s = 0;
  double cpu_s = 0;  ///< not a function of the trial: of the machine
  std::uint64_t state_hash = 0;
  std::vector<TrialNumber> numbers;  ///< of the summary, then the measures
};

/// Hands out the numbers of trials. Called by one thread at a time.
class TrialSource {
 public:
  virtual ~TrialSource() = default;
  /// The next trial to begin; nothing when none can begin now.
  virtual std::optional<std::size_t> next() = 0;
  /// Nothing will come any more, whatever is still under way gives.
  virtual bool exhausted() const = 0;
  /// A trial has ended: what it gave may open others.
  virtual void ended(std::size_t, const TrialRow&) {}
  /// Share of the work that is done, as far as it can be known.
  virtual double done() const = 0;
};

/// 0 ... count - 1.
class CountedTrials : public TrialSource {
 public:
  explicit CountedTrials(std::size_t count) : count_(count) {}
  std::optional<std::size_t> next() override {
    return next_ < count_ ? std::optional(next_++) : std::nullopt;
  }
  bool exhausted() const override { return next_ >= count_; }
  void ended(std::size_t, const TrialRow&) override { ++ended_; }
  double done() const override {
    return count_ > 0 ? static_cast<double>(ended_) / static_cast<double>(count_) : 1;
  }

 private:
  std::size_t count_, next_ = 0, ended_ = 0;
};

struct TrialControl {
  int jobs = 1;  ///< threads
  /// Gets the share of the trials that are done; one thread at a time.
  std::function<void(double done)> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true no further trial begins
};

/// One trial, on any thread.
using TrialFunction = std::function<TrialRow(std::size_t number)>;
/// Takes what a trial gave, on the calling thread, in the order of ending.
using TrialTaker = std::function<void(std::size_t number, TrialRow&& row)>;

/// Runs what the source gives on `jobs` threads, while the calling thread takes the rows. When trials throw,
/// the exception of the lowest number is thrown again after all threads have come to rest; trials that had
/// not begun are left out. An exception of `take` stops the work likewise.
void run_trials(TrialSource& source, const TrialFunction& trial, const TrialTaker& take,
                const TrialControl& control = {});

/// Whoever runs trials: these threads, or those of several machines (app/ranks.hpp).
using TrialEngine =
    std::function<void(TrialSource&, const TrialFunction&, const TrialTaker&, const TrialControl&)>;

/// The same for 0 ... count - 1 where a trial keeps its results by itself.
void run_trials(std::size_t count, const std::function<void(std::size_t)>& trial,
                const TrialControl& control = {});

}  // namespace scree
