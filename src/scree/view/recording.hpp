#pragma once
/// States and signals of a run over time, in memory: what the window replays and plots.
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/record/run_folder.hpp"
#include "scree/sim/sink.hpp"
#include "scree/soil/soil_tiles.hpp"

namespace scree::view {

class Recording {
 public:
  Recording() = default;
  Recording(std::size_t state_size, std::vector<Signal> signals)
      : state_size_(state_size), signals_(std::move(signals)) {}
  /// From the folder of a run; throws InputError when it holds no states.
  static Recording from_folder(const RunFolder& folder);

  /// Times must rise; an earlier one drops what came after it (a restart).
  void add(double time, std::span<const double> state, std::span<const double> values);
  void clear();
  /// Soil that deforms at a time, kept every kSoilPeriod, and the newest: copies share what did not change.
  void add_soil(double time, const SoilTiles& soil);
  /// As it lay at `time`: blended between two that are kept; null where there is none before. Good until the
  /// next call.
  const SoilTiles* soil(double time) const;
  static constexpr double kSoilPeriod = 0.1;  ///< s

  bool empty() const { return times_.empty(); }
  std::size_t size() const { return times_.size(); }
  double start() const { return times_.empty() ? 0 : times_.front(); }
  double end() const { return times_.empty() ? 0 : times_.back(); }
  double time(std::size_t i) const { return times_[i]; }
  std::span<const double> state(std::size_t i) const {
    return {states_.data() + i * state_size_, state_size_};
  }
  /// The last frame at or before `time` (the first one when there is none), and how far the time lies on the
  /// way to the next, 0..1.
  std::pair<std::size_t, double> find(double time) const;

  const std::vector<Signal>& signals() const { return signals_; }
  /// Place of a signal, -1 when it is not recorded.
  int signal(const std::string& name) const;
  /// Value of a signal at a frame; NaN when it was not recorded.
  double value(std::size_t frame, int signal) const;

  std::vector<Event> events;
  bool cut = false;  ///< the run would have gone on: nobody asked for more

 private:
  std::size_t state_size_ = 0;
  std::vector<Signal> signals_;
  std::vector<double> times_, states_, values_;
  std::vector<std::pair<double, SoilTiles>> soils_;
  mutable SoilTiles between_;         ///< soil at a moment between two that are kept,
  mutable double between_time_ = -1;  ///< this one [s]
};

}  // namespace scree::view
