#include "scree/control/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

const std::vector<std::string> kQuantities = {"torque", "voltage", "current", "speed", "position", "brake"};

DriveCommand::Mode mode_of(const std::string& quantity) {
  using Mode = DriveCommand::Mode;
  for (Mode m : {Mode::torque, Mode::voltage, Mode::current, Mode::speed, Mode::position})
    if (quantity == mode_name(m)) return m;
  return Mode::idle;
}

}  // namespace

void describe(Section& s, ProfileSettings& x) {
  s.choice("quantity", x.quantity, kQuantities,
           {"",
            "What is commanded: torque [N m], voltage [V], current [A], speed [rad/s], position [rad] or "
            "brake [N m]"});
  s.texts("drives", x.drives, {"", "Names or patterns of the drives meant; none: the drives of wheels"});
  s.choice("interpolation", x.interpolation, {"linear", "hold"},
           {"", "Between rows: a line, or the earlier row's value"});
  s.rows("rows", x.rows, 2, {"s, SI", "Pairs [time, value], times ascending"});
  s.number("value", x.value, {"SI", "Value at all times when there are no rows", finite()});
}

CommandProfile::CommandProfile(const ProfileSettings& settings, const std::string& who)
    : hold_(settings.interpolation == "hold") {
  if (settings.rows.empty()) times_ = {0}, values_ = {settings.value};
  for (const auto& row : settings.rows) {
    if (row.size() != 2) input_error("{}: a row has {} numbers, must be [time, value]", who, row.size());
    if (!times_.empty() && !(row[0] > times_.back()))
      input_error("{}: time {} s follows {} s: times must ascend", who, row[0], times_.back());
    times_.push_back(row[0]), values_.push_back(row[1]);
  }
  for (std::size_t i = 0; i < times_.size(); ++i)
    if (!std::isfinite(times_[i]) || !std::isfinite(values_[i]))
      input_error("{}: row [{}, {}] is not finite", who, times_[i], values_[i]);
}

double CommandProfile::operator()(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  if (next == 0) return values_.front();
  if (hold_ || next == static_cast<std::ptrdiff_t>(times_.size())) return values_[next - 1];
  const double share = (time - times_[next - 1]) / (times_[next] - times_[next - 1]);
  return values_[next - 1] + share * (values_[next] - values_[next - 1]);
}

double CommandProfile::next_jump(double time) const {
  if (!hold_ || times_.size() < 2) return std::numeric_limits<double>::infinity();
  const auto next = std::upper_bound(times_.begin() + 1, times_.end(), time);
  return next == times_.end() ? std::numeric_limits<double>::infinity() : *next;
}

ProfileSet::ProfileSet(std::span<const ProfileSettings> settings, std::span<const std::string> drive_names,
                       std::size_t wheels) {
  for (const ProfileSettings& s : settings) {
    Entry entry;
    const std::string who = fmt::format("profile of {}", s.quantity);
    entry.profile = CommandProfile(s, who);
    entry.brake = s.quantity == "brake";
    entry.mode = mode_of(s.quantity);
    if (!entry.brake && entry.mode == DriveCommand::Mode::idle)
      input_error("{}: unknown quantity{}", who, name_hint(s.quantity, kQuantities));
    if (s.drives.empty()) {
      if (wheels == 0) input_error("{}: the robot has no driven wheels; name drives = [...]", who);
      for (std::size_t i = 0; i < wheels; ++i) entry.drives.push_back(static_cast<int>(i));
    }
    for (const std::string& pattern : s.drives) {
      bool met = false;
      for (std::size_t i = 0; i < drive_names.size(); ++i)
        if (matches_pattern(drive_names[i], pattern)) entry.drives.push_back(static_cast<int>(i)), met = true;
      if (!met) input_error("{}: no drive is called '{}'{}", who, pattern, name_hint(pattern, drive_names));
    }
    entries_.push_back(std::move(entry));
  }
}

void ProfileSet::apply(double time, std::span<DriveCommand> commands) const {
  for (const Entry& entry : entries_) {
    const double value = entry.profile(time);
    for (int i : entry.drives) {
      if (entry.brake)
        commands[i].brake = value;
      else
        commands[i].mode = entry.mode, commands[i].value = value;
    }
  }
}

void ProfileSet::each_command(const std::function<void(int, const DriveCommand&)>& check) const {
  for (const Entry& entry : entries_) {
    for (const double value : entry.profile.row_values()) {
      DriveCommand command;
      (entry.brake ? command.brake : command.value) = value;
      if (!entry.brake) command.mode = entry.mode;
      for (const int drive : entry.drives) check(drive, command);
    }
  }
}

double ProfileSet::next_jump(double time) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Entry& entry : entries_) next = std::min(next, entry.profile.next_jump(time));
  return next;
}

}  // namespace scree
