#pragma once
/// Reads the folder of a run, also of one that was killed: a cut last line, keyframe or event is left out.
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/sim/sink.hpp"

namespace scree {

struct LogColumn {
  std::string name, unit;
  std::vector<double> values;
};

/// Keyframes of the raw state.
struct StateFrames {
  std::size_t state_size = 0;  ///< doubles in a state: all that a resume needs
  std::size_t world_size = 0;  ///< of these, the first are the world's: enough to draw
  std::string layout;          ///< what they belong to
  std::vector<double> times;   ///< s
  std::vector<double> values;  ///< state after state
  std::span<const double> at(std::size_t frame) const {
    return {values.data() + frame * state_size, state_size};
  }
  std::span<const double> world_at(std::size_t frame) const { return at(frame).first(world_size); }
  /// The last frame that is not after `time`; throws InputError when all are.
  std::size_t last_before(double time) const;
};

struct RunFolder {
  std::filesystem::path path;
  std::vector<LogColumn> columns;  ///< the first is `time` [s]; all have the same length
  std::vector<Event> events;
  StateFrames states;     ///< empty when the folder has no states.bin
  std::string summary;    ///< the text of summary.json
  bool complete = false;  ///< the run ended and wrote its summary

  /// Throws InputError when it is no run folder, or when a file is damaged other than by being cut short.
  static RunFolder open(const std::filesystem::path& path);

  /// The folder's own name, without those above it.
  std::string name() const;
  const std::vector<double>& times() const { return columns.front().values; }
  /// Throws InputError with the nearest name.
  const LogColumn& column(std::string_view name) const;
  /// The columns that match one of the patterns, in the order of the log, without `time`. A pattern without
  /// match is an InputError.
  std::vector<const LogColumn*> match(std::span<const std::string> patterns) const;
};

/// Fields of one CSV line (RFC 4180 quotes).
std::vector<std::string> csv_fields(std::string_view line);

}  // namespace scree
