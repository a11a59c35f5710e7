#pragma once
/// Sensors: from what is true to what a controller reads. A sensor without noise, bias, delay, resolution
/// and rate of its own is perfect, and costs a copy.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/core/random.hpp"
#include "scree/sense/truth.hpp"

namespace scree {

/// How one kind of quantity is measured: value = round(truth(t - delay) + bias + noise).
struct SensorSettings {
  double rate = 0;        ///< own sample rate [Hz], held between; 0 = whenever the controller samples
  double noise = 0;       ///< standard deviation, independent per sample, in the quantity's unit
  double bias = 0;        ///< constant offset, in the quantity's unit
  double delay = 0;       ///< age of the value that is read [s]
  double resolution = 0;  ///< quantum, in the quantity's unit; 0 = none
};

/// The sensors of a robot; all perfect unless told otherwise.
struct SensorSuiteSettings {
  SensorSettings encoder;        ///< wheel spin [rad/s] and angle [rad]
  SensorSettings suspension;     ///< displacement [m]
  SensorSettings accelerometer;  ///< specific force of the base [m/s^2], three axes
  SensorSettings gyro;           ///< angular velocity of the base [rad/s], three axes
  SensorSettings attitude;       ///< roll, pitch, yaw [rad]
  SensorSettings speed;          ///< velocity of the base in its own axes [m/s]
  SensorSettings wheel_force;    ///< normal, traction and lateral force of a wheel [N]
  SensorSettings contact_angle;  ///< [rad]
  SensorSettings battery;        ///< voltage [V], current [A]
};

void describe(Section& s, SensorSettings& x);
void describe(Section& s, SensorSuiteSettings& x);

struct WheelReading {
  double spin = 0, angle = 0;                    ///< [rad/s], [rad]
  double suspension = 0;                         ///< [m]
  double normal = 0, traction = 0, lateral = 0;  ///< [N]
  double contact_angle = 0;                      ///< [rad]
  double contact_tilt = 0;                       ///< of the ground across the wheel, left up [rad]
  bool in_contact = false;                       ///< from the normal force
  Vec3 p_BC =
      Vec3::Zero();  ///< contact point in B [m]: from suspension and contact angle, at the known radius
  Vec3 ahead_B = Vec3::UnitX(), up_B = Vec3::UnitZ();  ///< of the wheel's plane as its link stands
  double friction = 0;  ///< peak friction coefficient D/N that the ground offers [-] (perfect estimate)
};

/// All that a controller may know. The span is valid until the next sample.
struct Readings {
  double time = 0;                      ///< [s]
  Vec3 specific_force = Vec3::Zero();   ///< of the base's origin, in B [m/s^2]
  Vec3 gyro = Vec3::Zero();             ///< in B [rad/s]
  double roll = 0, pitch = 0, yaw = 0;  ///< [rad], pitch nose-up positive
  Vec3 velocity = Vec3::Zero();         ///< of the base's origin, in B [m/s]
  Vec3 p_BM = Vec3::Zero();             ///< centre of mass of the whole robot as its joints stand, in B [m]
  std::span<const WheelReading> wheels;
  BatteryTruth battery;
};

/// One measured number with its memory.
class Channel {
 public:
  Channel(const SensorSettings& settings, double period, std::uint64_t seed, std::uint64_t trial,
          const std::string& purpose);
  double measure(double time, double truth);

 private:
  struct Stamp {
    double time, value;
  };
  double delayed(double time, double truth);
  SensorSettings settings_;
  RandomStream random_;
  std::vector<Stamp> ring_;  ///< past truths, oldest at head_
  std::size_t head_ = 0, count_ = 0;
  double held_ = 0, next_ = 0;
  bool first_ = true;
};

/// The sensors of one robot, with their memory. `period` is the time between samples [s].
class SensorSuite {
 public:
  SensorSuite(const SensorSuiteSettings& settings, std::size_t wheels, double period, std::uint64_t seed,
              std::uint64_t trial, std::string_view robot);
  const Readings& sample(const RobotTruth& truth);
  const Readings& readings() const { return readings_; }

 private:
  void copy_perfect(const RobotTruth& truth);
  bool perfect_ = true;
  std::vector<Channel> channels_;  ///< empty when all are perfect
  std::vector<WheelReading> wheels_;
  Readings readings_;
};

/// Throws InputError on a negative rate, noise, delay or resolution, naming the sensor.
void check(const SensorSettings& x, const std::string& who);

}  // namespace scree
