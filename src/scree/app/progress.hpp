#pragma once
/// A line on the terminal that says how far a run is. Silent when standard error is not a terminal, and for
/// the first half second.
#include <chrono>
#include <string>

namespace scree {

class ProgressBar {
 public:
  /// `quiet` keeps it silent.
  explicit ProgressBar(std::string label, bool quiet = false);
  /// Wipes the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `done` in [0, 1]; a real-time factor of 0 is not shown.
  void update(double done, double real_time_factor = 0);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool active_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

/// The text of the line: label, bar, per cent, real-time factor, time left [s].
std::string progress_line(const std::string& label, double done, double real_time_factor, double elapsed_s);
/// "1:05", "2:03:10", "0:07".
std::string clock_text(double seconds);

}  // namespace scree
