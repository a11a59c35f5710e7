#pragma once
/// What the motors of a robot share: the battery behind their choppers.
#include "scree/drive/train.hpp"

namespace scree {

/// What begin() and rates() are asked: constant through one call.
struct DriveQuestion {
  const DriveTrain& train;
  std::span<const DriveCommand> commands;
  const JointMotion& joints;
  StepSize step;
  std::span<const double> state;

  JointNow joint(std::size_t i) const {
    return {joints.speeds[i], joints.angles.empty() ? 0.0 : joints.angles[i]};
  }
};

/// As steady_currents(), where some motors are told a voltage or a current: one by one.
DrawOf<Lanes> mixed_currents(const DriveQuestion& ask, const DrivePack& pack,
                             const DriveWorkspace::Inner& inner, const Lanes& w, double volts, bool& limited);

/// Steady currents of a pack of motors at their speeds w when `volts` are available. `limited` tells when
/// some would take more if there were more voltage.
inline DrawOf<Lanes> steady_currents(const DriveQuestion& ask, const DrivePack& pack,
                                     const DriveWorkspace::Inner& inner, const Lanes& w, double volts,
                                     bool& limited) {
  if (inner.torques) return torque_current<Lanes>(pack.law, inner.wish, w, lane::lanes(volts), limited);
  return mixed_currents(ask, pack, inner, w, volts, limited);
}

/// Steady currents of all motors within what the battery can give, into work.inner[].target; what was scaled
/// and whether it is empty into work.battery. Returns the available voltage.
double plan_currents(const DriveQuestion& ask, DriveWorkspace& work);

/// Terminal values of the battery under the motors' power [W], into work.battery.
void report_battery(const DriveTrain& train, std::span<const double> state, double power,
                    DriveWorkspace& work);

}  // namespace scree
