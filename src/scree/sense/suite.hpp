#pragma once
/// The sensors of one robot, and what its controller reads of them.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/sense/sensor.hpp"

namespace scree {

class SensorSuite {
 public:
  /// `period`: between samples of the controller, or without one between steps [s]. Throws InputError, also
  /// where two sensors have one name.
  SensorSuite(std::span<const SensorSettings> settings, const SensorRobot& robot, double period,
              std::uint64_t seed, std::uint64_t trial);

  std::span<const Sensor> sensors() const { return sensors_; }
  /// The next time at which a sensor of the list wants to see the truth [s]; infinity without sensors.
  double next() const { return next_; }
  /// Whether some sensor needs the motion of links, and of links other than the base.
  bool needs_links() const { return needs_links_; }
  bool needs_outer_links() const { return needs_outer_links_; }

  /// Lets all sensors measure whose time has come.
  void update(const RobotTruth& truth);
  /// What the controller reads now: the list's values, the truth of what it lacks. After update(). Without
  /// `places` what tells where wheels touch stays as it was, and the truth need not have it.
  const Readings& read(const RobotTruth& truth, bool places = true);
  const Readings& readings() const { return readings_; }
  void memory(Memory& m);

 private:
  /// What a wheel's plane was made of.
  struct WheelAxes {
    Vec3 axis_B = Vec3::Zero(), up_B = Vec3::Zero();
  };
  void copy_truth(const RobotTruth& truth);
  void place_contacts(const RobotTruth& truth);
  std::vector<Sensor> sensors_;
  std::vector<char> first_;  ///< of its kind in the list
  std::vector<SensorReading> shown_;
  std::vector<WheelReading> wheels_;
  std::vector<WheelAxes> axes_;
  Readings readings_;
  double next_ = 0;
  bool needs_links_ = false, needs_outer_links_ = false;
};

}  // namespace scree
