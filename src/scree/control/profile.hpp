#pragma once
/// Commands written down beforehand: a torque, voltage, current, speed, position or brake over time, for
/// one drive or a group. A scenario with profiles needs no controller.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/drive/command.hpp"

namespace scree {

struct ProfileSettings {
  std::string quantity = "torque";             ///< torque | voltage | current | speed | position | brake
  std::vector<std::string> drives = {};        ///< names or shell patterns; none: the drives of wheels
  std::string interpolation = "linear";        ///< linear | hold
  std::vector<std::vector<double>> rows = {};  ///< [time s, value in the quantity's SI unit], times ascending
  double value = 0;                            ///< used for all times when there are no rows
};

void describe(Section& s, ProfileSettings& x);

/// One quantity over time. Before the first row its value, after the last that one's.
class CommandProfile {
 public:
  CommandProfile() = default;
  /// Throws InputError when times do not ascend or a value is not finite.
  CommandProfile(const ProfileSettings& settings, const std::string& who);
  double operator()(double time) const;
  /// The next time after `time` at which a held value jumps, or infinity: a good place to end a step.
  double next_jump(double time) const;
  std::span<const double> row_values() const { return values_; }

 private:
  std::vector<double> times_, values_;
  bool hold_ = false;
};

/// All profiles of one robot, resolved to its drives.
class ProfileSet {
 public:
  ProfileSet() = default;
  /// `drive_names` in the order of the commands, the first `wheels` of them those of wheels. A pattern that
  /// meets no drive is an error with a hint.
  ProfileSet(std::span<const ProfileSettings> settings, std::span<const std::string> drive_names,
             std::size_t wheels);
  bool empty() const { return entries_.empty(); }
  /// Overwrites what the profiles speak of; later profiles win. Brakes are kept apart from the rest.
  void apply(double time, std::span<DriveCommand> commands) const;
  double next_jump(double time) const;
  /// Calls `check(drive, command)` with what every profile will tell every drive, row by row.
  void each_command(const std::function<void(int, const DriveCommand&)>& check) const;

 private:
  struct Entry {
    CommandProfile profile;
    bool brake = false;
    DriveCommand::Mode mode = DriveCommand::Mode::idle;
    std::vector<int> drives;
  };
  std::vector<Entry> entries_;
};

}  // namespace scree
