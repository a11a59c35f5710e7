#pragma once
/// The hand on the tape: where a replay stands and which way it runs.
#include <algorithm>
#include <vector>

#include "scree/sim/sink.hpp"

namespace scree::view {

class Player {
 public:
  double time() const { return time_; }
  bool playing() const { return playing_; }
  bool backwards() const { return direction_ < 0; }

  void play(bool on) { playing_ = on; }
  /// Stops when it plays (either way), else plays forwards.
  void turn_forward_or_stop() {
    playing_ = !playing_;
    direction_ = 1;
  }
  /// Plays the other way round.
  void turn_back() { direction_ = -1, playing_ = true; }
  void seek(double time) { time_ = time; }

  /// Lets `seconds` of wall time pass at `speed`; stops at either end.
  void advance(double seconds, double speed, double start, double end) {
    if (playing_) time_ += direction_ * speed * seconds;
    if (time_ >= end && direction_ > 0) playing_ = false;
    if (time_ <= start && direction_ < 0) playing_ = false, direction_ = 1;
    time_ = std::clamp(time_, start, end);
  }
  /// To the event after (or before) now; stays when there is none.
  void jump(const std::vector<Event>& events, bool after) {
    double best = time_;
    for (const Event& e : events) {
      if (after && e.time > time_ + 1e-6 && (best == time_ || e.time < best)) best = e.time;
      if (!after && e.time < time_ - 1e-6 && (best == time_ || e.time > best)) best = e.time;
    }
    time_ = best;
  }

 private:
  double time_ = 0;
  int direction_ = 1;
  bool playing_ = true;
};

}  // namespace scree::view
