#include "scree/drive/train.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"

namespace scree {

using Mode = DriveCommand::Mode;

const char* mode_name(Mode mode) {
  switch (mode) {
    case Mode::idle:
      return "idle";
    case Mode::torque:
      return "torque";
    case Mode::voltage:
      return "voltage";
    case Mode::current:
      return "current";
    case Mode::speed:
      return "speed";
    case Mode::position:
      return "position";
  }
  return "?";
}

DrivePack::DrivePack(std::span<const Drive> drives, std::size_t first_, std::size_t count_)
    : first(first_),
      count(count_),
      kind(drives[first].kind),
      brake(drives[first].brake_at >= 0),
      friction(drives[first].friction_at >= 0),
      current(drives[first].current_at >= 0) {
  for (int k = 0; k < kLanes; ++k) {
    const Drive& d = drives[drive(k)];
    put_lane(law.limits, k, d.limits), put_lane(law.brake, k, d.brake);
    put_lane(law.motor, k, d.motor), put_lane(law.friction, k, d.friction);
    law.ratio[k] = d.ratio, law.gear_loss[k] = d.gear_loss, law.gear_blend[k] = d.gear_blend;
    at[k] = d.at, brake_at[k] = d.brake_at, friction_at[k] = d.friction_at, current_at[k] = d.current_at;
  }
}

DriveTrain::DriveTrain(const DriveTrainSettings& settings) : settings_(settings) {
  int at = 0;
  for (const DriveSettings& s : settings.drives) {
    check(s);
    Drive d;
    d.kind = s.kind == "dc"          ? Drive::Kind::dc
             : s.kind == "kinematic" ? Drive::Kind::kinematic
                                     : Drive::Kind::ideal;
    d.rest = s.kind == "governor" ? Drive::Rest::speed
             : s.kind == "servo"  ? Drive::Rest::position
                                  : Drive::Rest::free;
    d.gain = s.gain, d.stiffness = s.stiffness, d.speed = s.speed, d.position = s.position;
    d.most_push = s.gain * s.speed_limit;
    d.limits = TorqueLimits(s);
    d.at = at++;
    if (s.brake.torque > 0) d.brake = Brake(s.brake), d.brake_at = at++;
    if (d.kind == Drive::Kind::dc) {
      has_motors_ = true;
      d.ratio = s.gear_ratio, d.gear_loss = 1 - s.gear_efficiency, d.gear_blend = s.gear_blend;
      d.motor = DcMotor(s.motor);
      if (s.motor.friction.coulomb > 0) d.friction = Lugre(s.motor.friction), d.friction_at = at++;
      if (s.motor.inductance > 0) d.current_at = at++;
    }
    drives_.push_back(d);
  }
  for (std::size_t first = 0; first < drives_.size();) {
    std::size_t count = 1;
    while (count < kLanes && first + count < drives_.size() && drives_[first].alike(drives_[first + count]))
      ++count;
    packs_.emplace_back(drives_, first, count);
    first += count;
  }
  check(settings.battery);
  battery_ = Battery(settings.battery);
  charge_at_ = at;
  energy_at_ = at + (battery_.active() ? 1 : 0);
  state_size_ = energy_at_ + kEnergies;
}

DriveWorkspace DriveTrain::workspace() const {
  DriveWorkspace work;
  work.torque.resize(size());
  work.slope.resize(size());
  work.drives.resize(size());
  work.inner.resize(packs_.size());
  return work;
}

void DriveTrain::start(std::span<double> state) const {
  std::fill(state.begin(), state.end(), 0.0);
  if (battery_.active()) state[charge_at_] = battery_.start_charge();
}

DriveEnergy DriveTrain::energy(std::span<const double> state) const {
  const double* e = &state[energy_at_];
  return {e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8]};
}

double DriveTrain::stored_energy(std::span<const double> state) const {
  double sum = 0;
  for (const Drive& d : drives_) {
    if (d.brake_at >= 0) sum += d.brake.stored(state[d.brake_at]);
    if (d.friction_at >= 0) sum += d.friction.stored(state[d.friction_at]);
    if (d.current_at >= 0) sum += 0.5 * d.motor.inductance() * state[d.current_at] * state[d.current_at];
  }
  return sum;
}

std::string DriveTrain::state_name(std::size_t place) const {
  static constexpr std::array<const char*, kEnergies> names = {
      "chemical", "ideal", "internal", "dumped", "copper", "gear", "friction", "brake", "work"};
  if (place >= energy_at_) return fmt::format("drive energy '{}'", names.at(place - energy_at_));
  if (battery_.active() && place == charge_at_) return "battery charge";
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const Drive& d = drives_[i];
    const std::string& name = settings_.drives[i].name;
    const int at = static_cast<int>(place);
    if (at == d.at) return fmt::format("acceleration of drive '{}'", name);
    if (at == d.brake_at) return fmt::format("brake deflection of drive '{}'", name);
    if (at == d.friction_at) return fmt::format("friction deflection of drive '{}'", name);
    if (at == d.current_at) return fmt::format("motor current of drive '{}'", name);
  }
  return "drive state";
}

void DriveTrain::check_command(std::size_t drive, const DriveCommand& c) const {
  const DriveSettings& s = settings_.drives.at(drive);
  const bool electric = c.mode == Mode::voltage || c.mode == Mode::current;
  if (electric && s.kind != "dc")
    input_error("drive '{}': a {} command needs a motor, but its kind is '{}'; use kind = \"dc\"", s.name,
                mode_name(c.mode), s.kind);
  const bool kinematic = s.kind == "kinematic";
  if (kinematic && c.mode == Mode::torque)
    input_error("drive '{}': a kinematic drive takes position and speed commands, not torque", s.name);
  if (!kinematic && c.mode == Mode::speed && !(s.gain > 0))
    input_error("drive '{}': a speed command needs gain > 0 (torque per speed error, N m s/rad)", s.name);
  if (!kinematic && c.mode == Mode::position && !(s.stiffness > 0))
    input_error("drive '{}': a position command needs frequency (Hz), or stiffness > 0 (N m/rad)", s.name);
  if (!(c.value - c.value == 0))
    input_error("drive '{}': {} command is {}, not a finite number", s.name, mode_name(c.mode), c.value);
  if (!(c.brake >= 0)) input_error("drive '{}': brake demand {} N m must be >= 0", s.name, c.brake);
  if (c.brake > 0 && !(s.brake.torque > 0))
    input_error("drive '{}': told to brake but has no brake; give brake.torque (N m)", s.name);
}

}  // namespace scree
