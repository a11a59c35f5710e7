#pragma once
/// A scenario file says it all: world, ground, robots and how they start, control, solver, record, events.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/sim/events.hpp"
#include "scree/sim/pilot.hpp"
#include "scree/sim/world.hpp"

namespace scree {

struct RecordSettings {
  double period = 0.01;                      ///< between rows of the log [s]
  double state_period = 0.02;                ///< between keyframes for replay [s]
  std::vector<std::string> signals = {"*"};  ///< shell-style patterns
  std::string format = "csv";                ///< of the log
};
void describe(Section& section, RecordSettings& settings);

/// How a robot starts.
struct StartSettings {
  Vec2 position = Vec2::Zero();  ///< of the base, world [m]
  double clearance = 0;          ///< of the lowest wheel above the ground, suspension unloaded [m]
  double height = 0;             ///< of the base above z = 0 [m], instead of the clearance
  bool given_height = false;
  double roll = 0, pitch = 0, yaw = 0;  ///< rad
  double speed = 0;                     ///< along the heading [m/s]
  double climb = 0;                     ///< of the initial velocity above the horizontal [rad]
  std::string wheels = "rolling";       ///< "rolling" with the initial speed, or "still"
};
void describe(Section& section, StartSettings& settings);

struct Scenario {
  std::string name;
  std::filesystem::path file;
  std::string text;  ///< resolved TOML
  double duration = 10;
  std::uint64_t seed = 1, trial = 0;  ///< together they name every random stream
  RecordSettings record;
  std::vector<EventSettings> events;
  std::shared_ptr<const World> world;
  std::vector<StartSettings> starts;         ///< one a robot
  std::vector<PilotSettings> pilots;         ///< one a robot
  std::vector<std::string> notes;            ///< one line each: what the file says and nothing uses
  std::shared_ptr<const Document> document;  ///< for the parts that are made anew for every run
};

/// The file that a user means: a path, or a name of `scree list scenarios` ("demo", "bench/skid4"). Throws
/// InputError with the nearest name.
std::filesystem::path find_scenario(const std::filesystem::path& given);

/// Reads and builds everything that is constant. `file` as find_scenario() takes it. Throws InputError.
Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// Robots that were built already, by model file and changes: what many scenarios share is built once. Models
/// are constant; any thread may ask.
class ModelCache {
 public:
  using Key = std::pair<std::string, std::vector<std::string>>;
  std::shared_ptr<const RobotModel> find(const Key& key) const;
  /// What was there first stays.
  std::shared_ptr<const RobotModel> keep(const Key& key, std::shared_ptr<const RobotModel> model);

 private:
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const RobotModel>> models_;
};

struct LoadOptions {
  int threads = 0;               ///< that makers of ground may use; 0: as many as the machine has
  ModelCache* models = nullptr;  ///< null: robots are built for this scenario alone
};
Scenario load_scenario(Document document, const std::filesystem::path& file, const LoadOptions& options = {});

/// Who commands each robot: sensors and controllers with their own memory, made anew for every run.
std::vector<Pilot> make_pilots(const Scenario& scenario);

/// The state at time zero.
State initial_state(const Scenario& scenario);

/// Records every accepted key of a scenario, for the reference.
void describe_scenario(Section& section);
/// Records every accepted key of a robot file.
void describe_robot(Section& section);

}  // namespace scree
