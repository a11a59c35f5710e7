#pragma once
/// A sensor of the robot's list: what it measures, when, and how badly.
///
/// At the ticks of its clock a sensor takes the truth and adds bias and noise, each channel for itself, and
/// rounds to its resolution. A sample may drop out. What is measured at t is read from t + delay on, and held
/// until the next; before the first one has arrived, that one is read. Ticks fall on ends of steps: the first
/// at or after the time that the rate asks for, so that a sensor never changes the run that it watches.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/core/random.hpp"
#include "scree/sense/readings.hpp"

namespace scree {

struct SensorSettings {
  std::string name = {};                ///< of its signals; default: the kind
  std::string kind = {};                ///< one of sensor_kinds()
  std::string link = {};                ///< that carries it; empty: the base
  Vec3 position = Vec3::Zero();         ///< on the link [m]
  double roll = 0, pitch = 0, yaw = 0;  ///< of its axes on the link [rad]
  std::vector<std::string> of = {};     ///< wheels or joints that it is on, names or patterns; empty: all
  double rate = 0;                      ///< [Hz]; 0: the controller's, and without one every step
  double delay = 0;                     ///< [s]
  double noise = 0;                     ///< standard deviation, independent per sample, in the channel's unit
  double bias = 0;                      ///< in the channel's unit
  double resolution = 0;                ///< quantum in the channel's unit; 0: none
  double dropout = 0;                   ///< share of samples that are lost [-]
};
void describe(Section& section, SensorSettings& settings);

struct SensorChannel {
  std::string name, unit, doc;
};

/// Where on the robot a sensor is.
struct SensorSite {
  int link = 0;            ///< 0: the base
  Pose X_LS;               ///< its axes on the link
  std::vector<int> items;  ///< wheels or joints; a single 0 for the other kinds
};

struct SensorKind {
  enum class On { link, wheels, joints, robot };
  std::string name, doc;
  On on;
  std::vector<SensorChannel> channels;  ///< of one item
  /// The truth of one item.
  void (*read)(const RobotTruth&, const SensorSite&, int item, double* out);
  /// Puts it where controllers look for this quantity; null: they find it by the sensor's name only.
  void (*show)(const double* values, int item, Readings&, std::span<WheelReading>);
};
/// All kinds, in alphabetical order. To add one: its functions and its line in kinds.cpp.
const std::vector<SensorKind>& sensor_kinds();

/// What sensors can be on, by name.
struct SensorLink {
  std::string name;
  int link = 0;  ///< that moves
  Pose X_LF;     ///< of the named one in it
};
struct SensorRobot {
  std::string name;
  std::vector<SensorLink> links;
  std::vector<std::string> wheels, joints;
};

/// Everything that is constant about one sensor.
struct SensorPlan {
  /// Throws InputError: an unknown kind, link, wheel or joint with the nearest name, values out of range.
  SensorPlan(const SensorSettings& settings, const SensorRobot& robot);
  SensorSettings settings;
  const SensorKind* kind;
  SensorSite site;
  std::vector<SensorChannel> channels;  ///< "front_left.spin" where the kind is on wheels or joints
};

class Sensor {
 public:
  /// `period`: between ticks where the settings give no rate [s].
  Sensor(SensorPlan plan, double period, std::uint64_t seed, std::uint64_t trial, const std::string& robot);

  const SensorPlan& plan() const { return plan_; }
  /// The next time at which it wants to see the truth or what it shows changes [s].
  double next() const { return next_; }
  /// At the end of a step, when next() has come.
  void update(const RobotTruth& truth);
  SensorReading reading() const { return {shown_, shown_time_, lost_}; }
  void memory(Memory& m);

 private:
  void measure(const RobotTruth& truth);
  void arrive(double time);
  void set_next();
  std::size_t width() const { return shown_.size() + 2; }  ///< of an entry of the queue

  SensorPlan plan_;
  double period_;
  RandomStream random_;
  std::uint64_t ticks_ = 0;
  double next_ = 0;
  std::vector<double> shown_, taken_;
  double shown_time_ = 0;
  bool lost_ = false, any_ = false;
  std::vector<double> queue_;  ///< what is under way: time of arrival, time of measuring, values; a ring
  int head_ = 0, count_ = 0;
};

}  // namespace scree
