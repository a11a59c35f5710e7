#include "scree/view/recording.hpp"

#include <algorithm>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/soil/deformed_terrain.hpp"

namespace scree::view {

Recording Recording::from_folder(const RunFolder& folder) {
  if (folder.states.times.empty())
    input_error("run '{}' holds no states to replay: record it again with `scree run -o`",
                folder.path.string());
  std::vector<Signal> signals;
  for (std::size_t c = 1; c < folder.columns.size(); ++c)
    signals.push_back({folder.columns[c].name, folder.columns[c].unit, ""});
  Recording recording(folder.states.world_size, std::move(signals));
  const std::vector<double>& log = folder.times();
  std::vector<double> values(recording.signals_.size());
  for (std::size_t i = 0; i < folder.states.times.size(); ++i) {
    // The log has its own period: take the row nearest before the keyframe.
    const double time = folder.states.times[i];
    const auto next = std::upper_bound(log.begin(), log.end(), time + 1e-9);
    const std::size_t row = next == log.begin() ? 0 : static_cast<std::size_t>(next - log.begin()) - 1;
    for (std::size_t c = 0; c < values.size(); ++c)
      values[c] =
          row < log.size() ? folder.columns[c + 1].values[row] : std::numeric_limits<double>::quiet_NaN();
    recording.add(time, folder.states.world_at(i), values);
  }
  recording.events = folder.events;
  return recording;
}

void Recording::add(double time, std::span<const double> state, std::span<const double> values) {
  while (!times_.empty() && times_.back() >= time) {
    times_.pop_back();
    states_.resize(times_.size() * state_size_);
    values_.resize(times_.size() * signals_.size());
  }
  times_.push_back(time);
  states_.insert(states_.end(), state.begin(), state.end());
  values_.insert(values_.end(), values.begin(), values.end());
}

void Recording::add_soil(double time, const SoilTiles& soil) {
  between_time_ = -1;
  while (!soils_.empty() && soils_.back().first >= time) soils_.pop_back();
  const std::size_t n = soils_.size();
  if (n >= 2 && soils_[n - 1].first < soils_[n - 2].first + kSoilPeriod * (1 - 1e-9))
    soils_.pop_back();  // the newest is kept in its place
  soils_.emplace_back(time, soil);
}

const SoilTiles* Recording::soil(double time) const {
  const auto next = std::upper_bound(soils_.begin(), soils_.end(), time + 1e-9,
                                     [](double t, const auto& s) { return t < s.first; });
  if (next == soils_.begin()) return nullptr;
  const auto before = std::prev(next);
  if (next == soils_.end() || time <= before->first) return &before->second;
  if (time != between_time_) {
    between_ =
        blend_soil(before->second, next->second, (time - before->first) / (next->first - before->first));
    between_time_ = time;
  }
  return &between_;
}

void Recording::clear() {
  soils_.clear();
  between_time_ = -1;
  times_.clear();
  states_.clear();
  values_.clear();
  events.clear();
}

std::pair<std::size_t, double> Recording::find(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  if (next == times_.begin()) return {0, 0};
  const std::size_t i = static_cast<std::size_t>(next - times_.begin()) - 1;
  if (next == times_.end()) return {i, 0};
  return {i, (time - times_[i]) / (*next - times_[i])};
}

int Recording::signal(const std::string& name) const {
  for (std::size_t i = 0; i < signals_.size(); ++i)
    if (signals_[i].name == name) return static_cast<int>(i);
  return -1;
}

double Recording::value(std::size_t frame, int signal) const {
  if (signal < 0 || frame >= times_.size()) return std::numeric_limits<double>::quiet_NaN();
  return values_[frame * signals_.size() + static_cast<std::size_t>(signal)];
}

}  // namespace scree::view
