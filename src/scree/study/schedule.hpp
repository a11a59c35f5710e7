#pragma once
/// Which trials of a study are run, and in what order: trial 0 of every cell, then trial 1 ... In sequential
/// mode a cell ends when its interval is as narrow as asked.
#include <set>
#include <vector>

#include "scree/study/plan.hpp"

namespace scree {

/// A cell is tried in rounds; after each, it ends when Wilson's 95 % interval of its success rate is no wider
/// than `width`. What is decided after a round depends on the trials of that and earlier rounds alone, so the
/// same trials are run whatever the number of threads, and after any break.
struct SequentialSettings {
  double width = 0;  ///< 0: every cell gets all its trials
  int round = 20;    ///< trials between decisions
  int least = 20;    ///< before the first
};
void describe(Section& section, SequentialSettings& settings);

class StudySchedule : public TrialSource {
 public:
  StudySchedule(std::size_t cells, int trials, const SequentialSettings& settings);
  /// Before the start: a trial that an earlier pass ran.
  void remember(const TrialPlace& place, Verdict verdict);
  /// After all remember(): opens what is to be run.
  void begin();

  std::optional<std::size_t> next() override;
  bool exhausted() const override { return open_cells_ == 0; }
  void ended(std::size_t number, const TrialRow& row) override;
  double done() const override;
  /// Trials that have ended, of an earlier pass or this one.
  std::size_t ended_trials() const { return ended_; }
  /// Of a cell: trials that it is known to get.
  int planned(std::size_t cell) const { return cells_[cell].allowed; }

 private:
  struct Cell {
    std::vector<signed char> verdict;  ///< by trial: -1 not yet
    int allowed = 0;                   ///< trials below this may be run
    int missing = 0;                   ///< of these, not ended
    int next = 0;                      ///< none below this is still to begin
    int judged = 0, successes = 0;     ///< within `allowed`
    bool closed = false;
  };
  void settle(std::size_t cell);
  void offer(std::size_t cell);

  int trials_;
  SequentialSettings settings_;
  std::vector<Cell> cells_;
  std::set<std::pair<int, std::size_t>> ready_;  ///< next trial and cell of those that may begin one
  std::size_t open_cells_ = 0, ended_ = 0, expected_ = 0;
};

}  // namespace scree
