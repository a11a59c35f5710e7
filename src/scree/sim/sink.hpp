#pragma once
/// Whoever listens to a run: run folders, the window, a socket. `sim/` knows only this.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/core/types.hpp"
#include "scree/sim/signals.hpp"

namespace scree {

class SoilTiles;  // soil/soil_tiles.hpp

/// Something that happened: a robot rolled over, got stuck, left the terrain, reached its goal.
struct Event {
  double time = 0;    ///< s
  std::string robot;  ///< name of the robot, empty for the world
  std::string kind;   ///< "rolled_over", "left_terrain", "stuck", "goal", "landed", "lift_off", ...
  std::string text;   ///< one line for people
  Vec3 position = Vec3::Zero();  ///< of the robot's base, world [m]
  bool ends_run = false;
};

/// What a sink is told before the first sample.
struct RunInfo {
  std::string name;      ///< of the scenario
  std::string scenario;  ///< resolved TOML, overrides included
  double duration = 0;   ///< s, planned
  double step = 0;       ///< s
  std::uint64_t seed = 0;
  std::size_t state_size = 0;  ///< doubles in Sample::state
  std::size_t world_size = 0;  ///< of these, the first are the world's: enough to draw
  std::string layout;          ///< what they all belong to
  const SignalCatalog* signals = nullptr;
};

struct RunSummary {
  double simulated_s = 0;
  double cpu_s = 0;  ///< of the thread that stepped
  double wall_s = 0;
  std::uint64_t steps = 0;
  std::vector<Event> events;
  std::uint64_t state_hash = 0;
  std::string outcome;  ///< "finished", "rolled_over", "left_terrain", "diverged", "interrupted", ...
  std::string error;    ///< the line for the user when the run failed, else empty
  std::vector<std::string> warnings;  ///< lines for the user: the run is done and not to be trusted
  /// Further results: final pose, path length, energy..., in the order they were added.
  std::vector<std::pair<std::string, double>> numbers;
  double real_time_factor() const { return cpu_s > 0 ? simulated_s / cpu_s : 0; }
};

/// One moment of a run. The spans are valid only during the call.
struct Sample {
  double time;                      ///< s
  std::span<const double> values;   ///< of all signals, in catalog order; NaN where no sink asked for one
  std::span<const double> state;    ///< all that a resume needs, the world's state first (Sink::wants_state)
  const SoilTiles* soil = nullptr;  ///< and soil that deforms, where there is some
};

class Sink {
 public:
  virtual ~Sink() = default;
  /// Shell-style patterns of the signals it reads: what no sink asks for is not computed.
  virtual std::vector<std::string> wanted_signals() const { return {"*"}; }
  /// Whether it reads `Sample::state` at this time: where no sink does, the state is not saved, and empty.
  virtual bool wants_state(double /*time*/) const { return true; }
  virtual void begin(const RunInfo&) {}
  virtual void sample(const Sample&) {}
  virtual void event(const Event&) {}
  virtual void end(const RunSummary&) {}
};

}  // namespace scree
