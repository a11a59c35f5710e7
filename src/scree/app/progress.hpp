#pragma once
/// A line on the terminal that says how far a run is. Silent when standard error is not a terminal, and for
/// the first half second.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

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

/// The same for work that cannot say how far it is: what is being done, and for how long. Redraws itself.
class BusyLine {
 public:
  explicit BusyLine(std::string label, bool quiet = false);
  ~BusyLine() { stop(); }
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;

  /// Something else is being done from here on.
  void now(std::string label);
  /// Wipes the line for good: before anything is printed.
  void stop();

 private:
  void redraw();
  std::string label_;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

/// The text of the line: label, bar, per cent, real-time factor, time left [s].
std::string progress_line(const std::string& label, double done, double real_time_factor, double elapsed_s);
/// "1:05", "2:03:10", "0:07".
std::string clock_text(double seconds);

}  // namespace scree
