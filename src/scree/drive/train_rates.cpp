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
double motor_rates(const Drive& d, const DriveWorkspace::Inner& n, std::size_t lane, double w,
                   std::span<const double> state, std::span<double> rate, double* e) {
  const double shaft_speed = d.ratio * w, current = n.mean.current[lane], rubs = n.friction.torque[lane];
  double power = d.motor.voltage(current, shaft_speed) * current;
  if (d.current_at >= 0) {
    const double di = (n.target.current[lane] - state[d.current_at]) * n.rate[lane];
    rate[d.current_at] = di;
    power += d.motor.inductance() * current * di;
  }
  if (d.friction_at >= 0) {
    const double z = state[d.friction_at], dz = d.friction.rate(z, shaft_speed);
    rate[d.friction_at] = dz;
    e[kFrictionEnergy] += rubs * shaft_speed - d.friction.stiffness() * z * dz;
  }
  e[kCopperEnergy] += d.motor.resistance() * current * current;
  e[kGearEnergy] += (d.motor.k() * current - rubs) * shaft_speed - n.drive.torque[lane] * w;
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
  for (std::size_t p = 0; p < train.packs().size(); ++p) {
    const DrivePack& pack = train.packs()[p];
    const DriveWorkspace::Inner& n = work.inner[p];
    for (std::size_t k = 0; k < pack.count; ++k) {
      const Drive& d = train.drives()[pack.first + k];
      const double w = joints.speeds[pack.first + k];
      if (d.brake_at >= 0) {
        const double z = state[d.brake_at], dz = d.brake.rate(z, w, n.demand[k]);
        derivative[d.brake_at] = dz;
        e[kBrakeEnergy] += n.brake.torque[k] * w - d.brake.stiffness() * z * dz;
      }
      e[kWorkEnergy] += work.torque[pack.first + k] * w;
      if (d.kind == Drive::Kind::dc) {
        electric += motor_rates(d, n, k, w, state, derivative, e);
      } else {
        e[kIdealEnergy] += n.drive.torque[k] * w;
      }
    }
  }
  if (train.has_motors()) battery_rates(train, electric, state, work, derivative);
}

}  // namespace scree
