#pragma once
/// A scenario in motion beside the window: physics in a thread of its own, paced by the clock.
///
/// The thread calls Simulation::advance() and nothing else that could change a result: pausing, speed and
/// drawing only choose when. Only a person who drives changes commands, and only while driving.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scree/control/teleop.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/sink.hpp"
#include "scree/view/pacer.hpp"
#include "scree/view/recording.hpp"

namespace scree::view {

struct LiveSettings {
  double speed = 1;  ///< simulated seconds per second; infinity: as fast as it goes
  bool paused = false;
  int core = -1;                    ///< pin the physics to this core; -1: wherever
  double sample_period = 1.0 / 60;  ///< s of simulated time between samples for drawing
  int driven_robot = 0;             ///< which one a person drives
};

struct LiveStatus {
  double time = 0;  ///< s
  bool finished = false, paused = false;
  std::string outcome;           ///< when finished
  std::string error;             ///< numbers went bad: the line for the user
  std::uint64_t state_hash = 0;  ///< when finished
  double real_time_factor = 0;   ///< simulated over wall time, lately
  std::uint64_t missed = 0, deadlines = 0, moved = 0;
  double median_error = 0, late_error = 0;  ///< of pacing over the whole run: median, 99 % [s]
  double drift = 0;  ///< simulated time behind the clock since the pace was last set [s]
};

class LiveRun {
 public:
  LiveRun(const Scenario& scenario, const LiveSettings& settings);
  ~LiveRun();

  void pause(bool on);
  void step_once();
  void set_speed(double speed);
  void drive(const DriveInput& input);
  /// A hand on a robot (Simulation::push); its going is told as an event with the most that it pushed.
  void push(const Simulation::Hand& hand);

  LiveStatus status() const;
  /// Moves everything sampled since the last call into the recording.
  void drain(Recording& recording);
  const std::vector<Signal>& signals() const { return signals_; }
  std::size_t state_size() const { return state_size_; }

 private:
  struct Frame {
    double time;
    std::vector<double> state, values;
    std::optional<SoilTiles> soil = {};  ///< where it deforms
  };
  void work();
  void wait_while_paused(Pacer& pacer, const Simulation& simulation);
  void sample(const Simulation& simulation);
  void apply_drive(Simulation& simulation);
  void apply_hand(Simulation& simulation);
  void report(const Pacer& pacer, double time);

  Scenario scenario_;
  LiveSettings settings_;
  std::vector<Signal> signals_;
  std::size_t state_size_ = 0;

  mutable std::mutex mutex_;  ///< guards everything below
  std::condition_variable changed_;
  LiveStatus status_;
  std::vector<Frame> frames_;
  std::vector<Event> events_;
  DriveInput input_;
  Simulation::Hand hand_;
  double hand_most_ = 0;  ///< N
  bool stop_ = false, new_pace_ = true;
  int single_steps_ = 0;
  double speed_ = 1;
  double measured_wall_ = 0, measured_time_ = 0;
  bool took_over_ = false;
  std::vector<double> spins_;               ///< of the driven robot's wheels
  std::unique_ptr<SimWorkspace> observer_;  ///< of the physics thread: what is shown never touches its own

  std::thread thread_;
};

}  // namespace scree::view
