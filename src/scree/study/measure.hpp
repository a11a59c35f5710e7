#pragma once
/// Numbers that sum up a run: "speed:mean", "stability.index:min".
#include <string>
#include <vector>

#include "scree/sim/sink.hpp"
#include "scree/study/trials.hpp"

namespace scree {

/// A statistic of a signal over the rows of a run.
struct Measure {
  std::string signal;     ///< name or pattern
  std::string statistic;  ///< one of statistics()
  bool optional = false;  ///< a run without such a signal does without
};
/// min, max, absmax, mean, rms, first, last.
const std::vector<std::string>& statistics();
/// Reads "signal:statistic"; throws InputError.
Measure parse_measure(const std::string& text);

/// Gathers measures while a run lasts, in constant memory.
class MeasureSink : public Sink {
 public:
  explicit MeasureSink(std::vector<Measure> measures) : measures_(std::move(measures)) {}
  std::vector<std::string> wanted_signals() const override;
  bool wants_state(double) const override { return false; }
  /// Throws InputError when a pattern matches no signal.
  void begin(const RunInfo& info) override;
  void sample(const Sample& sample) override;

  using Result = TrialNumber;
  /// In the order of the measures, a pattern's signals in the order of the catalog. NaN before the first row.
  std::vector<Result> results() const;

 private:
  struct Gathered {
    std::string name, unit, statistic;
    int place = 0;
    double first = 0, last = 0, least = 0, most = 0, sum = 0, squares = 0;
  };
  std::vector<Measure> measures_;
  std::vector<Gathered> all_;
  std::size_t rows_ = 0;
};

}  // namespace scree
