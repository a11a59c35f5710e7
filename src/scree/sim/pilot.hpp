#pragma once
/// The stages `sense` and `decide` of one robot: what it measures, who commands it, and when.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/control/controller.hpp"
#include "scree/control/profile.hpp"
#include "scree/sense/sensors.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// What a controller may know of this robot.
RobotInfo robot_info(const RobotModel& model, const Vec3& gravity);

/// `[[robot.profile]]`, `[robot.control]` and `[robot.sensors]` of one robot.
struct PilotSettings {
  std::vector<ProfileSettings> profiles;
  SensorSuiteSettings sensors;
};
/// Reads profiles and sensors; the controller's table is left to make_controller.
void describe(Section& section, PilotSettings& settings);

class Pilot {
 public:
  /// `control`: the section of [robot.control], empty when there is none.
  Pilot(const PilotSettings& settings, Section control, const World& world, int robot, std::uint64_t seed);

  bool has_controller() const { return made_.controller != nullptr; }
  Controller* controller() { return made_.controller.get(); }
  const std::string& kind() const { return kind_; }
  /// What the controller read last; null without a controller.
  const Readings* readings() const { return sensors_ ? &sensors_->readings() : nullptr; }
  /// The next time at which the command changes: a sample or a jump of a profile; infinity when none.
  double next(double time) const;
  /// Lets sensors measure and the controller decide when a sample is due, then lays the profiles over it.
  void decide(const World& world, const State& state, RobotScratch& scratch,
              std::span<DriveCommand> commands);
  /// Signals of the controller, and their values.
  std::vector<ControlSignal> signals() const;
  void values(std::span<double> out) const;
  std::size_t signal_count() const { return signal_count_; }

 private:
  void fill_truth(const World& world, const State& state, RobotScratch& scratch);

  int robot_;
  RobotInfo info_;
  ProfileSet profiles_;
  MadeController made_;
  std::string kind_;
  std::unique_ptr<SensorSuite> sensors_;
  std::vector<WheelTruth> wheels_;
  RobotTruth truth_;
  std::uint64_t samples_ = 0;
  std::size_t signal_count_ = 0;
};

}  // namespace scree
