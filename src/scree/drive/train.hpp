#pragma once
/// The drive train of one robot: n drives, each turning one joint, their brakes, and the battery that they
/// share. Built and validated once; its state lives in the robot's block of doubles.
///
/// Every step of the implicit integrator calls begin(), solves for the new speeds with
///
///     mean joint torque over the step = torque - theta slope (w_new - w_old),     slope >= 0,
///
/// and calls finish() with what came out. Stiff inner states (bristles of brake and shaft friction, motor
/// current) are eliminated: their answer to a new speed within the step is part of the slope.
/// Explicit integrators call rates(). Nothing here allocates once the workspace is made.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "scree/drive/battery.hpp"
#include "scree/drive/drive.hpp"
#include "scree/drive/settings.hpp"

namespace scree {

/// What has flowed since the start [J]. Balance (conventions, "Battery and motors"):
/// chemical + ideal = internal + dumped + copper + gear + friction + brake + work + change of stored energy.
struct DriveEnergy {
  double chemical = 0;  ///< out of the battery's store (or of the unlimited source)
  double ideal = 0;     ///< out of ideal torque sources
  double internal = 0;  ///< lost in the battery's internal resistance
  double dumped = 0;    ///< given back by motors, refused by the battery, burnt in a resistor
  double copper = 0;    ///< lost in the armatures
  double gear = 0;      ///< lost in gears
  double friction = 0;  ///< lost in shaft friction
  double brake = 0;     ///< lost in brakes
  double work = 0;      ///< done on the joints by drives and brakes (the rotors' motion included)
};
inline constexpr int kEnergies = 9;
/// Places of the energies behind energy_at(), in the order of DriveEnergy.
enum DriveEnergyPlace {
  kChemicalEnergy,
  kIdealEnergy,
  kInternalEnergy,
  kDumpedEnergy,
  kCopperEnergy,
  kGearEnergy,
  kFrictionEnergy,
  kBrakeEnergy,
  kWorkEnergy
};

/// Angles and speeds of the driven joints, in the order of the drives.
struct JointMotion {
  std::span<const double> speeds;  ///< [rad/s]
  std::span<const double> angles;  ///< [rad]; may be empty where no drive is commanded by position
};

/// What one drive does, for signals. After begin() of no step (dt = 0): at this instant; after finish(): what
/// was.
struct DriveReport {
  double torque = 0;    ///< on the joint, brake included [N m]
  double brake = 0;     ///< part of it that the brake takes away [N m]
  double current = 0;   ///< of the motor [A]
  double voltage = 0;   ///< at the motor [V]
  double power = 0;     ///< electrical power into the motor, or mechanical power of an ideal source [W]
  double friction = 0;  ///< torque of shaft friction, at the motor [N m]
};

struct BatteryReport {
  double voltage = 0;          ///< at the terminals [V]
  double current = 0;          ///< out of the battery [A]
  double scale = 1;            ///< share of the wanted currents that the battery can serve, for all motors
  double state_of_charge = 1;  ///< [-]
  bool empty = false;
};

/// How currents approach their steady values over a step: what is left of the difference, for steps of one
/// length at one rate.
class CurrentLag {
 public:
  /// `x`: rate times the step's length.
  void set(const Lanes& x) {
    if (lane::all(x == x_)) return;
    x_ = x;
    for (int k = 0; k < kLanes; ++k) {
      mean_[k] = x[k] > 0 ? -maths::expm1(-x[k]) / x[k] : 1;
      end_[k] = maths::exp(-x[k]);
    }
  }
  const Lanes& mean() const { return mean_; }  ///< over the step
  const Lanes& end() const { return end_; }    ///< at its end

 private:
  Lanes x_{}, mean_ = lane::lanes(1), end_ = lane::lanes(1);
};

/// Scratch and results of one train.
struct DriveWorkspace {
  std::vector<double> torque;  ///< [N m] per drive, from begin() or rates()
  std::vector<double> slope;   ///< [N m s/rad] per drive, from begin()
  std::vector<DriveReport> drives;
  BatteryReport battery;

  /// What begin() leaves for finish(), of a pack.
  struct Inner {
    PushOf<Lanes> drive;  ///< joint torque without the brake
    ResistanceOf<Lanes> brake;
    Lanes demand{};  ///< braking torque asked for, within the capacity
    WishOf<Lanes> wish;
    bool torques = true;   ///< all motors of the pack are asked for torque
    DrawOf<Lanes> target;  ///< steady current, scaled
    DrawOf<Lanes> mean;    ///< mean current over the step
    ResistanceOf<Lanes> friction;
    Lanes rate{};  ///< at which the current approaches its target [1/s]
    CurrentLag lag;
  };
  std::vector<Inner> inner;
};

class DriveTrain {
 public:
  DriveTrain() = default;
  /// Throws InputError on settings that make no sense.
  explicit DriveTrain(const DriveTrainSettings& settings);

  std::size_t size() const { return drives_.size(); }
  const DriveTrainSettings& settings() const { return settings_; }
  bool has_battery() const { return battery_.active(); }
  bool has_motors() const { return has_motors_; }
  DriveWorkspace workspace() const;

  /// Throws InputError on a command that this drive cannot take, naming it (volts to a torque source).
  void check_command(std::size_t drive, const DriveCommand& command) const;

  // State: inner states of the drives, then the battery's charge [A s], then the energies [J].
  std::size_t state_size() const { return state_size_; }
  void start(std::span<double> state) const;
  DriveEnergy energy(std::span<const double> state) const;
  /// Energy stored in bristles and coils [J].
  double stored_energy(std::span<const double> state) const;
  double charge(std::span<const double> state) const { return battery_.active() ? state[charge_at_] : 0; }
  /// Names of the doubles of the state, for messages about numbers gone bad.
  std::string state_name(std::size_t place) const;

  // For the functions below.
  std::span<const Drive> drives() const { return drives_; }
  std::span<const DrivePack> packs() const { return packs_; }
  const Battery& battery() const { return battery_; }
  std::size_t charge_at() const { return charge_at_; }
  std::size_t energy_at() const { return energy_at_; }

 private:
  DriveTrainSettings settings_;
  std::vector<Drive> drives_;
  std::vector<DrivePack> packs_;
  Battery battery_;
  bool has_motors_ = false;
  std::size_t state_size_ = kEnergies, charge_at_ = 0, energy_at_ = 0;
};

/// Torque and slope of every drive for the coming step, into `work`.
void begin(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           StepSize step, std::span<const double> state, DriveWorkspace& work);
/// The torque that the solve found for a kinematic drive, between begin() and finish() [N m].
void set_torque(const DriveTrain& train, std::size_t drive, double torque, DriveWorkspace& work);
/// Advances inner states and books energies, given the speeds that the step came to. Follows begin().
void finish(const DriveTrain& train, std::span<const DriveCommand> commands,
            std::span<const double> old_speeds, std::span<const double> new_speeds, StepSize step,
            std::span<double> state, DriveWorkspace& work);
/// Torques of this instant into `work`, and the time derivative of every state, for explicit integrators.
void rates(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           std::span<const double> state, DriveWorkspace& work, std::span<double> derivative);

}  // namespace scree
