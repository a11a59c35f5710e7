#pragma once
/// The stages `sense` and `decide` of one robot: what it measures, who commands it, and when.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/control/controller.hpp"
#include "scree/control/profile.hpp"
#include "scree/sense/suite.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// What a controller may know of this robot.
RobotInfo robot_info(const RobotModel& model, const Vec3& gravity);

/// `[[robot.profile]]` and `[[robot.sensor]]` of one robot.
struct PilotSettings {
  std::vector<ProfileSettings> profiles;
  std::vector<SensorSettings> sensors;  ///< beside those of the model; one of the same name replaces it
};
/// Reads profiles and sensors; the controller's table is left to make_controller.
void describe(Section& section, PilotSettings& settings);

class Pilot {
 public:
  /// `control`: the section of [robot.control], empty when there is none.
  Pilot(const PilotSettings& settings, Section control, const World& world, int robot, std::uint64_t seed,
        std::uint64_t trial);

  bool has_controller() const { return made_.controller != nullptr; }
  Controller* controller() { return made_.controller.get(); }
  const std::string& kind() const { return kind_; }
  const RobotInfo& info() const { return info_; }
  /// Whether it will ever look at what the robot's scratch holds after a step.
  bool looks() const { return has_controller() || !sensors_->sensors().empty(); }
  /// What the controller read last; null without a controller.
  const Readings* readings() const { return has_controller() ? &sensors_->readings() : nullptr; }
  const SensorSuite& sensors() const { return *sensors_; }
  /// The next time at which the command changes: a sample or a jump of a profile; infinity when none.
  double next(double time) const;
  /// At the start and after every step: lets sensors measure and the controller decide where a sample is due,
  /// then lays the profiles over it. Touches nothing that another robot's pilot touches.
  void decide(const World& world, const State& state, RobotScratch& scratch,
              std::span<DriveCommand> commands);
  /// Signals of the controller ("control." and its own name) and of the sensors ("sensor.", its name and the
  /// channel's), and their values.
  std::vector<ControlSignal> signals() const;
  /// Commands of the profiles for a step, at its middle: held over the step they are right to second order.
  void hold(double time, std::span<DriveCommand> commands) const {
    if (!profiles_.empty()) profiles_.apply(time, commands);
  }
  void values(std::span<double> out) const;
  std::size_t signal_count() const { return signal_count_; }

  /// What a resume needs, and a line for each that holds some of it.
  void memory(Memory& m);
  std::string layout() const;

 private:
  void know_constants(const World& world);
  void fill_truth(const World& world, const State& state, RobotScratch& scratch);
  void fill_wheels(const RobotModel& model, const double* x, const double* v, const RobotScratch& scratch);
  static void place_wheel(const RobotWheel& wheel, const Contact& contact, const Workspace& mechanism,
                          WheelTruth& out);
  void fill_links(const RobotModel& model, std::span<const double> x, std::span<const double> v,
                  RobotScratch& scratch);

  int robot_;
  RobotInfo info_;
  ProfileSet profiles_;
  MadeController made_;
  std::string kind_;
  std::unique_ptr<SensorSuite> sensors_;
  std::vector<WheelTruth> wheels_;
  std::vector<JointTruth> joints_;
  std::vector<LinkTruth> links_;  ///< as many as its sensors need
  RobotTruth truth_;
  bool places_ = false;  ///< the controller looks at where wheels touch
  std::uint64_t samples_ = 0;
  std::size_t signal_count_ = 0, control_signals_ = 0;
};

}  // namespace scree
