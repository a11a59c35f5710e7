/// Time derivatives of a drive train's states, for explicit integrators.
#include <algorithm>
#include <cassert>

#include "scree/drive/supply.hpp"

namespace scree {
namespace {

void battery_rates(const DriveTrain& train, double power, std::span<const double> state,
                   const DriveWorkspace& work, std::span<double> rate) {
  double* e = &rate[train.energy_at()];
  if (!train.has_battery()) {
    e[kChemicalEnergy] = power;
    return;
  }
  const double open = train.battery().open_voltage(state[train.charge_at()]);
  const double amps = work.battery.current, lost = train.battery().resistance() * amps * amps;
  e[kChemicalEnergy] = open * amps, e[kInternalEnergy] = lost, e[kDumpedEnergy] = open * amps - lost - power;
  if (train.battery().capacity() > 0) rate[train.charge_at()] = -amps;
}

/// Rates of current and bristle of one motor; returns its electrical power [W].
double motor_rates(const Drive& d, const DriveWorkspace::Inner& n, double w, std::span<const double> state,
                   std::span<double> rate, double* e) {
  const double shaft_speed = d.ratio * w;
  double power = d.motor.voltage(n.mean.current, shaft_speed) * n.mean.current;
  if (d.current_at >= 0) {
    const double di = (n.target.current - state[d.current_at]) * d.motor.approach_rate(n.looped);
    rate[d.current_at] = di;
    power += d.motor.inductance() * n.mean.current * di;
  }
  if (d.friction_at >= 0) {
    const double z = state[d.friction_at], dz = d.friction.rate(z, shaft_speed);
    rate[d.friction_at] = dz;
    e[kFrictionEnergy] += n.friction.torque * shaft_speed - d.friction.stiffness() * z * dz;
  }
  e[kCopperEnergy] += d.motor.resistance() * n.mean.current * n.mean.current;
  e[kGearEnergy] += (d.motor.k() * n.mean.current - n.friction.torque) * shaft_speed - n.drive.torque * w;
  return power;
}

}  // namespace

void rates(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           std::span<const double> state, DriveWorkspace& work, std::span<double> derivative) {
  assert(derivative.size() == train.state_size());
  begin(train, commands, joints, StepSize{0, 1}, state, work);
  std::fill(derivative.begin(), derivative.end(), 0.0);
  double* e = &derivative[train.energy_at()];
  double electric = 0;
  const auto drives = train.drives();
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Drive& d = drives[i];
    const DriveWorkspace::Inner& n = work.inner[i];
    const double w = joints.speeds[i];
    if (d.brake_at >= 0) {
      const double z = state[d.brake_at], dz = d.brake.rate(z, w, n.demand);
      derivative[d.brake_at] = dz;
      e[kBrakeEnergy] += n.brake.torque * w - d.brake.stiffness() * z * dz;
    }
    e[kWorkEnergy] += work.torque[i] * w;
    if (d.kind == Drive::Kind::dc) {
      electric += motor_rates(d, n, w, state, derivative, e);
    } else {
      e[kIdealEnergy] += n.drive.torque * w;
    }
  }
  if (train.has_motors()) battery_rates(train, electric, state, work, derivative);
}

}  // namespace scree
