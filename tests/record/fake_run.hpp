#pragma once
/// A run of two signals and a state of three numbers, for sinks.
#include <cmath>
#include <string>
#include <vector>

#include "scree/sim/sink.hpp"

namespace scree::testing {

class FakeRun {
 public:
  FakeRun() {
    catalog_.add({"speed", "m/s", "Forward speed"});
    catalog_.add({"wheel.left.slip", "-", "Slip"});
    catalog_.add({"wheel.right.slip", "-", "Slip"});
    info_.name = "fake";
    info_.scenario = "format = 1\n";
    info_.duration = 1;
    info_.step = step;
    info_.state_size = state_.size();
    info_.signals = &catalog_;
  }

  const RunInfo& info() const { return info_; }
  std::vector<double> values_at(double t) const { return {std::sin(t) / 3, -t, 1e-300 * t}; }
  std::vector<double> state_at(double t) const { return {t, t * t, std::cos(t)}; }

  /// One sample; the spans live until the next.
  Sample sample(double t) {
    values_ = values_at(t);
    state_ = state_at(t);
    return {t, values_, state_};
  }
  /// Steps 0 ... count - 1.
  void feed(Sink& sink, int count) {
    for (int i = 0; i < count; ++i) sink.sample(sample(i * step));
  }

  static constexpr double step = 1e-3;

 private:
  SignalCatalog catalog_;
  RunInfo info_;
  std::vector<double> values_ = std::vector<double>(3), state_ = std::vector<double>(3);
};

inline RunSummary fake_summary() {
  RunSummary summary;
  summary.simulated_s = 2;
  summary.cpu_s = 0.5;
  summary.wall_s = 0.6;
  summary.steps = 2000;
  summary.state_hash = 0xabcULL;
  summary.outcome = "finished";
  summary.numbers = {{"path_m", 12.5}, {"odd", std::nan("")}};
  summary.events = {{1.25, "rover", "goal", "reached \"it\", at last", Vec3(1, -2.5, 0), true}};
  return summary;
}

}  // namespace scree::testing
