/// One implicit step of a drive train: what every drive gives, then what the step made of it.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "scree/core/maths.hpp"
#include "scree/drive/supply.hpp"

namespace scree {
namespace {

using Mode = DriveCommand::Mode;
using Kind = Drive::Kind;
using Inner = DriveWorkspace::Inner;

/// Joint torque of a motor behind its gear. Leaves currents and friction in `inner`.
Push motor_push(const DriveQuestion& ask, std::size_t i, double volts, double scale, Inner& n) {
  const Drive& d = ask.train.drives()[i];
  const DriveCommand& c = ask.commands[i];
  const StepSize step = ask.step;
  const double w = d.ratio * ask.joints.speeds[i], change = d.ratio * ask.state[d.at] * step.dt;
  if (step.dt > 0 && scale == 1) {
    bool limited = false;
    n.target.slope = secant_slope({n.target.current, n.target.slope}, w, change, [&](double v) {
      const Draw t = steady_current(d, c, n.wish, v, volts, limited);
      return Push{t.current, t.slope};
    });
  }
  n.mean = n.target;
  n.looped = c.mode != Mode::voltage && c.mode != Mode::idle;
  if (d.current_at >= 0) {
    const double i0 = ask.state[d.current_at];
    n.lag.set(d.motor.approach_rate(n.looped) * step.dt);
    const double left = n.lag.mean();  // of the old current
    n.mean = {n.target.current + (i0 - n.target.current) * left, n.target.slope * (1 - left)};
  }
  n.friction = {};
  if (d.friction_at >= 0) n.friction = d.friction.begin(ask.state[d.friction_at], w, change, step);
  const double shaft = d.motor.k() * n.mean.current - n.friction.torque;
  const GearFlow gear = gear_flow(shaft, w, d.gear_loss, d.gear_blend);
  const double fall = d.motor.k() * n.mean.slope + n.friction.slope;
  return {d.ratio * shaft * gear.factor,
          d.ratio * d.ratio * (fall * gear.factor + std::abs(shaft) * gear.drop)};
}

/// Torque without the brake. A kinematic drive pushes with whatever the solve finds (set_torque).
inline Push drive_push(const DriveQuestion& ask, std::size_t i, double volts, DriveWorkspace& work) {
  const Drive& d = ask.train.drives()[i];
  switch (d.kind) {
    case Kind::ideal:
      return ideal_push(d, ask.commands[i], ask.joint(i), ask.state[d.at] * ask.step.dt, ask.step);
    case Kind::dc:
      return motor_push(ask, i, volts, work.battery.scale, work.inner[i]);
    case Kind::kinematic:
      break;
  }
  return {};
}

void report(const Drive& d, const Inner& n, double w, DriveReport& r) {
  r.torque = n.drive.torque - n.brake.torque, r.brake = n.brake.torque;
  if (d.kind != Kind::dc) {
    r.power = n.drive.torque * w;
  } else {
    r.current = n.mean.current;
    r.voltage = d.motor.voltage(r.current, d.ratio * w);
    r.power = r.voltage * r.current;
    r.friction = n.friction.torque;
  }
}

/// Current and shaft friction of one motor at the end of the step; `change` and `mid` are motor speeds.
void finish_motor(const Drive& d, const Inner& n, StepSize step, double change, double mid,
                  std::span<double> state, double* energy, DriveReport& r) {
  const double dt = step.dt, theta = step.theta;
  r.current = n.mean.current - theta * n.mean.slope * change;
  r.friction = n.friction.torque + theta * n.friction.slope * change;
  const double copper = d.motor.resistance() * r.current * r.current;
  r.power = copper + d.motor.k() * r.current * mid;
  r.voltage = d.motor.voltage(r.current, mid);
  if (d.current_at >= 0) {
    double& i = state[d.current_at];
    const double goal = n.target.current - theta * n.target.slope * change;
    const double next = goal + (i - goal) * n.lag.end();
    r.power += 0.5 * d.motor.inductance() * (next * next - i * i) / dt;
    r.voltage += d.motor.inductance() * (next - i) / dt;
    i = next;
  }
  energy[kCopperEnergy] += copper * dt;
  if (d.friction_at >= 0) {
    double& z = state[d.friction_at];
    const double before = d.friction.stored(z);
    z = d.friction.advance(z, mid + 0.5 * change, dt);
    energy[kFrictionEnergy] += r.friction * mid * dt - (d.friction.stored(z) - before);
  }
}

/// Draws the motors' mean power from the battery over the step.
void book_battery(const DriveTrain& train, double power, double dt, std::span<double> state,
                  DriveWorkspace& work) {
  double* e = &state[train.energy_at()];
  if (!train.has_battery()) {
    e[kChemicalEnergy] += power * dt;
    return;
  }
  double& charge = state[train.charge_at()];
  const double open = train.battery().open_voltage(charge);
  report_battery(train, state, power, work);
  const double amps = work.battery.current, lost = train.battery().resistance() * amps * amps;
  e[kChemicalEnergy] += open * amps * dt;
  e[kInternalEnergy] += lost * dt;
  e[kDumpedEnergy] += (open * amps - lost - power) * dt;  // not zero only where charging is refused
  if (train.battery().capacity() > 0) charge = std::max(0.0, charge - amps * dt);
}

}  // namespace

void begin(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           StepSize step, std::span<const double> state, DriveWorkspace& work) {
  assert(commands.size() == train.size() && joints.speeds.size() == train.size());
  const DriveQuestion ask{train, commands, joints, step, state};
  const double volts = train.has_motors() ? plan_currents(ask, work) : 0;
  const auto drives = train.drives();
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Drive& d = drives[i];
    Inner& n = work.inner[i];
    n.drive = drive_push(ask, i, volts, work);
    double torque = n.drive.torque, slope = n.drive.slope;
    if (d.brake_at >= 0) {
      n.demand = d.brake.demand(commands[i].brake);
      n.brake = d.brake.begin(state[d.brake_at], joints.speeds[i], n.demand, state[d.at] * step.dt, step);
      torque -= n.brake.torque, slope += n.brake.slope;
    }
    work.torque[i] = torque, work.slope[i] = slope;
    if (!(step.dt > 0)) report(d, n, joints.speeds[i], work.drives[i]);
  }
  if (train.has_battery() && !(step.dt > 0)) {
    double power = 0;
    for (std::size_t i = 0; i < drives.size(); ++i)
      if (drives[i].kind == Kind::dc) power += work.drives[i].power;
    report_battery(train, state, power, work);
  }
}

void set_torque(std::size_t drive, double torque, DriveWorkspace& work) {
  work.inner[drive].drive = {torque, 0};
  work.torque[drive] = work.drives[drive].torque = torque;
}

void finish(const DriveTrain& train, std::span<const DriveCommand> commands,
            std::span<const double> old_speeds, std::span<const double> new_speeds, StepSize step,
            std::span<double> state, DriveWorkspace& work) {
  assert(commands.size() == train.size() && step.dt > 0 && state.size() == train.state_size());
  (void)commands;
  const double dt = step.dt, per_dt = 1 / dt, theta = step.theta;
  double work_done = 0, ideal_power = 0, electric = 0, gear = 0, braking = 0;  // mean powers, all drives
  double* e = &state[train.energy_at()];
  const auto drives = train.drives();
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Drive& d = drives[i];
    Inner& n = work.inner[i];
    const double change = new_speeds[i] - old_speeds[i], mid = old_speeds[i] + 0.5 * change;
    const double drive = n.drive.torque - theta * n.drive.slope * change;
    state[d.at] = change * per_dt;
    double brake = 0;
    if (d.brake_at >= 0) {
      brake = n.brake.torque + theta * n.brake.slope * change;
      double& z = state[d.brake_at];
      const double before = d.brake.stored(z);
      z = d.brake.advance(z, new_speeds[i], n.demand, dt);
      braking += brake * mid - (d.brake.stored(z) - before) * per_dt;
    }
    DriveReport& r = work.drives[i];
    r.torque = drive - brake, r.brake = brake;
    if (d.kind != Kind::dc) {
      r.power = drive * mid;
      ideal_power += r.power;
    } else {
      finish_motor(d, n, step, d.ratio * change, d.ratio * mid, state, e, r);
      electric += r.power;
      gear += ((d.motor.k() * r.current - r.friction) * d.ratio - drive) * mid;
    }
    work_done += r.torque * mid;
  }
  e[kIdealEnergy] += ideal_power * dt, e[kGearEnergy] += gear * dt, e[kBrakeEnergy] += braking * dt,
      e[kWorkEnergy] += work_done * dt;
  if (train.has_motors()) book_battery(train, electric, dt, state, work);
}

}  // namespace scree
