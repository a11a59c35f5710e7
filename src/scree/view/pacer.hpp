#pragma once
/// Keeps simulated time beside the clock on the wall.
#include <cstdint>

#include "scree/view/durations.hpp"

namespace scree::view {

/// Absolute deadlines on the monotonic clock: lateness never adds up. When the work falls behind by more than
/// `give_up` the schedule is moved (and counted), so that a pause of the machine is not followed by a rush.
class Pacer {
 public:
  explicit Pacer(double give_up = 0.25) : give_up_(give_up) {}
  /// From now on, simulated time `time` [s] belongs to this instant; `speed` simulated seconds pass per
  /// second.
  void start(double time, double speed);
  /// Sleeps until simulated time `time` is due. Returns the error: seconds by which the call came back late
  /// (or early, negative).
  double wait(double time);

  std::uint64_t deadlines() const { return deadlines_; }
  /// Deadlines that had passed before wait() was called.
  std::uint64_t missed() const { return missed_; }
  /// Times the schedule was moved because the work was too slow.
  std::uint64_t moved() const { return moved_; }
  /// Error that a part (0..1) of all deadlines since the beginning did not exceed [s], up to 8 % too large.
  double error_quantile(double part) const { return errors_.quantile(part); }
  /// By how much simulated time lies behind the clock since the last start() [s]: the error of the last
  /// deadline and every move of the schedule.
  double drift() const { return slipped_ + last_error_; }

 private:
  double give_up_;
  double start_wall_ = 0, start_time_ = 0, speed_ = 1;
  std::uint64_t deadlines_ = 0, missed_ = 0, moved_ = 0;
  double slipped_ = 0, last_error_ = 0;  ///< s
  Durations errors_;
};

/// Seconds of the monotonic clock.
double wall_clock();

/// Asks the system to wake the calling thread at once when it is due, before threads that draw: short turns
/// (Linux 6.12 and later heed that) and, where this user may, a higher priority. Without either it stays as
/// it is.
void wake_at_once();

/// Throws InputError when the machine has no such core.
void check_core(int core);

/// Binds the calling thread to one core; throws InputError when the machine has no such core.
void pin_thread(int core);

}  // namespace scree::view
