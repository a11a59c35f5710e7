#pragma once
/// What can happen to a robot, and how it is noticed.
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/sim/sink.hpp"
#include "scree/sim/world.hpp"

namespace scree {

struct EventSettings {
  std::string kind;   ///< see event_kinds()
  std::string robot;  ///< empty: every robot
  bool ends_run = false;
  double angle = 80 * kDegree;   ///< rolled_over: tilt of the body's z from the vertical [rad]
  double time = 5;               ///< stuck: for so long [s]
  double distance = 0.05;        ///< stuck: moved less than this [m]
  Vec2 position = Vec2::Zero();  ///< goal [m]
  double radius = 0.5;           ///< goal: near enough [m]
  std::vector<double> area;      ///< goal instead of the two, left_area: x from, x to, y from, y to [m]
  double margin = 0;             ///< unstable: NESM below this [m]
};
void describe(Section& section, EventSettings& settings);
/// The same as an inline table of TOML: what `event = [...]` takes.
std::string event_text(const EventSettings& settings);

/// The kinds and what they mean: rolled_over, left_terrain, stuck, goal, left_area, landed, lift_off,
/// hull_contact, robot_contact, unstable, buried.
const std::vector<std::pair<std::string, std::string>>& event_kinds();

/// Watches a run. rolled_over, left_terrain and, on soft soil, buried are always watched and end the run
/// unless the scenario says otherwise.
class EventWatch {
 public:
  EventWatch(const World& world, std::vector<EventSettings> settings);

  /// To be called before every step: remembers what locating a landing inside the step needs.
  void before_step(const World& world, const State& state, const SimWorkspace& workspace);
  /// After a step: what happened in it, appended to `out`.
  void after_step(const World& world, const State& state, SimWorkspace& workspace, std::vector<Event>& out);

  /// What a resume needs, and one line for each watch: its kind and robot.
  void memory(Memory& m);
  std::string layout(const World& world) const;

 private:
  /// In the order of event_kinds().
  enum class Kind : unsigned char {
    rolled_over,
    left_terrain,
    stuck,
    goal,
    left_area,
    landed,
    lift_off,
    hull_contact,
    robot_contact,
    unstable,
    buried
  };
  struct Watch {
    EventSettings settings;
    Kind kind = Kind::rolled_over;  ///< of the settings
    int robot = 0;
    double cosine = 1;    ///< of settings.angle
    bool active = false;  ///< the condition held after the last step
    double since = 0;     ///< stuck: when it last was at `from`
    Vec2 from = Vec2::Zero();
  };
  bool holds(const World& world, const State& state, const SimWorkspace& workspace, Watch& watch) const;
  void measure_balance(const World& world, SimWorkspace& workspace) const;
  Event make_event(const World& world, const State& state, const Watch& watch) const;
  Event locate_landing(const World& world, const SimWorkspace& workspace, const Watch& watch, double until);

  std::vector<Watch> watches_;
  bool keeps_snapshots_ = false, watches_balance_ = false;
  std::vector<State> snapshots_;  ///< the states before the last two steps
  /// For steps on trial: what sensors read next does not depend on whether anybody watched.
  std::unique_ptr<SimWorkspace> trial_;
};

}  // namespace scree
