#pragma once
/// Runs a scenario to its end, without a window.
#include <atomic>
#include <functional>
#include <span>

#include "scree/sim/scenario.hpp"
#include "scree/sim/sink.hpp"
#include "scree/sim/snapshot.hpp"

namespace scree {

struct RunControl {
  std::function<void()> started;  ///< called once, when the robots stand on the ground
  /// Called a few times a second with the share done [0, 1] and the real-time factor so far.
  std::function<void(double done, double real_time_factor)> progress;
  /// When it becomes true the run ends with what it has.
  std::atomic<bool>* stop = nullptr;
  /// Robots step side by side on so many; 0: as many as help.
  int threads = 1;
  /// Where to go on from; null: from the start.
  const SnapshotView* from = nullptr;
};

/// Steps to the end, telling the sinks. Numbers gone bad do not throw: the summary's outcome is "diverged"
/// and its error says step, robot and quantity; the sinks keep what they were told.
RunSummary run(const Scenario& scenario, std::span<Sink* const> sinks, const RunControl& control = {});

}  // namespace scree
