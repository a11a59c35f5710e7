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

/// What the commands of a pack want where all want torque, as most controllers do.
void read_torques(const DriveQuestion& ask, const DrivePack& pack, Inner& n) {
  n.torques = true;
  n.wish.falloff = Lanes{};
  for (int k = 0; k < kLanes; ++k) {
    const DriveCommand& c = ask.commands[pack.drive(k)];
    n.wish.constant[k] = c.value, n.demand[k] = c.brake;
  }
  if (pack.current) n.rate = pack.law.motor.approach_rate(true);
}

/// What the commands of a pack want.
void read_commands(const DriveQuestion& ask, const DrivePack& pack, Inner& n) {
  const auto own = ask.commands.subspan(pack.first, pack.count);
  if (std::all_of(own.begin(), own.end(), [](const DriveCommand& c) { return c.mode == Mode::torque; }))
    return read_torques(ask, pack, n);
  n.torques = true;
  for (int k = 0; k < kLanes; ++k) {
    const std::size_t i = pack.drive(k);
    const Drive& d = ask.train.drives()[i];
    const DriveCommand& c = ask.commands[i];
    const Wish x = wish(d, c, ask.joint(i), ask.step);
    n.wish.constant[k] = x.constant, n.wish.falloff[k] = x.falloff;
    n.demand[k] = c.brake;
    if (pack.kind != Kind::dc) continue;
    n.torques = n.torques && wants_torque(d, c);
    if (pack.current) n.rate[k] = d.motor.approach_rate(c.mode != Mode::voltage && c.mode != Mode::idle);
  }
}

/// Joint torques of motors behind their gears. Leaves currents and friction in `n`.
PushOf<Lanes> motor_push(const DriveQuestion& ask, const DrivePack& pack, double volts, double scale,
                         Inner& n) {
  const DriveLaws<Lanes>& d = pack.law;
  const StepSize step = ask.step;
  const Lanes w = d.ratio * pack.gather(ask.joints.speeds);
  const Lanes change = d.ratio * DrivePack::gather(ask.state, pack.at) * step.dt;
  if (step.dt > 0 && scale == 1) {
    bool limited = false;
    n.target.slope = secant_slope<Lanes>({n.target.current, n.target.slope}, w, change, [&](const Lanes& v) {
      const DrawOf<Lanes> t = steady_currents(ask, pack, n, v, volts, limited);
      return PushOf<Lanes>{t.current, t.slope};
    });
  }
  n.mean = n.target;
  if (pack.current) {
    const Lanes before = DrivePack::gather(ask.state, pack.current_at);
    n.lag.set(n.rate * step.dt);
    const Lanes left = n.lag.mean();  // of the old current
    n.mean = {n.target.current + (before - n.target.current) * left, n.target.slope * (1.0 - left)};
  }
  n.friction = {};
  if (pack.friction)
    n.friction = d.friction.begin(DrivePack::gather(ask.state, pack.friction_at), w, change, step);
  const Lanes shaft = d.motor.k() * n.mean.current - n.friction.torque;
  const GearFlowOf<Lanes> gear = gear_flow<Lanes>(shaft, w, d.gear_loss, d.gear_blend);
  const Lanes fall = d.motor.k() * n.mean.slope + n.friction.slope;
  return {d.ratio * shaft * gear.factor,
          d.ratio * d.ratio * (fall * gear.factor + lane::abs(shaft) * gear.drop)};
}

/// Torque without the brake. A kinematic drive pushes with whatever the solve finds (set_torque).
PushOf<Lanes> pack_push(const DriveQuestion& ask, const DrivePack& pack, double volts, double scale,
                        Inner& n) {
  switch (pack.kind) {
    case Kind::ideal:
      return ideal_push<Lanes>(pack.law, n.wish, pack.gather(ask.joints.speeds),
                               DrivePack::gather(ask.state, pack.at) * ask.step.dt, ask.step);
    case Kind::dc:
      return motor_push(ask, pack, volts, scale, n);
    case Kind::kinematic:
      break;
  }
  return {};
}

/// What the drives of a pack do at this instant.
void report(const DriveTrain& train, const DrivePack& pack, const Inner& n, std::span<const double> speeds,
            std::span<DriveReport> reports) {
  for (std::size_t k = 0; k < pack.count; ++k) {
    const Drive& d = train.drives()[pack.first + k];
    const double w = speeds[pack.first + k];
    DriveReport& r = reports[pack.first + k];
    r.torque = n.drive.torque[k] - n.brake.torque[k], r.brake = n.brake.torque[k];
    if (pack.kind != Kind::dc) {
      r.power = n.drive.torque[k] * w;
    } else {
      r.current = n.mean.current[k];
      r.voltage = d.motor.voltage(r.current, d.ratio * w);
      r.power = r.voltage * r.current;
      r.friction = n.friction.torque[k];
    }
  }
}

/// Mean powers over a step, of all drives [W].
struct Powers {
  double work = 0, ideal = 0, electric = 0, gear = 0, braking = 0;
};

/// Currents and shaft friction of motors at the end of the step; `change` and `mid` are motor speeds.
struct MotorEnd {
  Lanes current, voltage, power, copper, friction, rubbed;
};
MotorEnd finish_motors(const DrivePack& pack, const Inner& n, StepSize step, const Lanes& change,
                       const Lanes& mid, std::span<double> state) {
  const double dt = step.dt, theta = step.theta;
  const DriveLaws<Lanes>& d = pack.law;
  MotorEnd r;
  r.current = n.mean.current - theta * n.mean.slope * change;
  r.friction = n.friction.torque + theta * n.friction.slope * change;
  r.copper = d.motor.resistance() * r.current * r.current;
  r.power = r.copper + d.motor.k() * r.current * mid;
  r.voltage = d.motor.voltage(r.current, mid);
  if (pack.current) {
    const Lanes i = DrivePack::gather(state, pack.current_at);
    const Lanes goal = n.target.current - theta * n.target.slope * change;
    const Lanes next = goal + (i - goal) * n.lag.end();
    r.power += 0.5 * d.motor.inductance() * (next * next - i * i) / dt;
    r.voltage += d.motor.inductance() * (next - i) / dt;
    DrivePack::scatter(next, pack.current_at, state);
  }
  r.rubbed = Lanes{};
  if (pack.friction) {
    const Lanes z = DrivePack::gather(state, pack.friction_at);
    const Lanes next = d.friction.advance(z, mid + 0.5 * change, dt);
    r.rubbed = r.friction * mid * dt - (d.friction.stored(next) - d.friction.stored(z));
    DrivePack::scatter(next, pack.friction_at, state);
  }
  return r;
}

/// What the drives of a pack of motors did; the first four numbers of a report as they lie.
void report_motors(const Lanes& torque, const Lanes& brake, const MotorEnd& m,
                   std::span<DriveReport> reports) {
  static_assert(offsetof(DriveReport, brake) == 8 && offsetof(DriveReport, current) == 16 &&
                offsetof(DriveReport, voltage) == 24);
  const lane::LaneRows rows = lane::transpose(torque, brake, m.current, m.voltage);
  for (std::size_t k = 0; k < reports.size(); ++k) {
    lane::store(&reports[k].torque, rows.row[k]);
    reports[k].power = m.power[k], reports[k].friction = m.friction[k];
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
  const auto packs = train.packs();
  for (std::size_t p = 0; p < packs.size(); ++p) read_commands(ask, packs[p], work.inner[p]);
  const double volts = train.has_motors() ? plan_currents(ask, work) : 0;
  for (std::size_t p = 0; p < packs.size(); ++p) {
    const DrivePack& pack = packs[p];
    Inner& n = work.inner[p];
    n.drive = pack_push(ask, pack, volts, work.battery.scale, n);
    Lanes torque = n.drive.torque, slope = n.drive.slope;
    if (pack.brake) {
      n.demand = pack.law.brake.demand(n.demand);
      n.brake = {};
      if (lane::any(n.demand > Lanes{})) {
        n.brake = pack.law.brake.begin(DrivePack::gather(state, pack.brake_at), pack.gather(joints.speeds),
                                       n.demand, DrivePack::gather(state, pack.at) * step.dt, step);
      }
      torque -= n.brake.torque, slope += n.brake.slope;
    }
    pack.scatter(torque, work.torque), pack.scatter(slope, work.slope);
    if (!(step.dt > 0)) report(train, pack, n, joints.speeds, work.drives);
  }
  if (train.has_battery() && !(step.dt > 0)) {
    double power = 0;
    for (std::size_t i = 0; i < train.size(); ++i)
      if (train.drives()[i].kind == Kind::dc) power += work.drives[i].power;
    report_battery(train, state, power, work);
  }
}

void set_torque(const DriveTrain& train, std::size_t drive, double torque, DriveWorkspace& work) {
  for (std::size_t p = 0; p < train.packs().size(); ++p) {
    const DrivePack& pack = train.packs()[p];
    if (drive < pack.first || drive >= pack.first + pack.count) continue;
    work.inner[p].drive.torque[drive - pack.first] = torque;
    work.inner[p].drive.slope[drive - pack.first] = 0;
  }
  work.torque[drive] = work.drives[drive].torque = torque;
}

void finish(const DriveTrain& train, std::span<const DriveCommand> commands,
            std::span<const double> old_speeds, std::span<const double> new_speeds, StepSize step,
            std::span<double> state, DriveWorkspace& work) {
  assert(commands.size() == train.size() && step.dt > 0 && state.size() == train.state_size());
  (void)commands;
  const double dt = step.dt, per_dt = 1 / dt, theta = step.theta;
  double* e = &state[train.energy_at()];
  Powers sum;
  const auto packs = train.packs();
  for (std::size_t p = 0; p < packs.size(); ++p) {
    const DrivePack& pack = packs[p];
    const DriveLaws<Lanes>& d = pack.law;
    const Inner& n = work.inner[p];
    const Lanes before = pack.gather(old_speeds), after = pack.gather(new_speeds), change = after - before;
    const Lanes mid = before + 0.5 * change, drive = n.drive.torque - theta * n.drive.slope * change;
    DrivePack::scatter(change * per_dt, pack.at, state);
    Lanes brake{}, braking{};
    if (pack.brake) {
      brake = n.brake.torque + theta * n.brake.slope * change;
      const Lanes z = DrivePack::gather(state, pack.brake_at), next = d.brake.advance(z, after, n.demand, dt);
      braking = brake * mid - (d.brake.stored(next) - d.brake.stored(z)) * per_dt;
      DrivePack::scatter(next, pack.brake_at, state);
    }
    const Lanes torque = drive - brake, done = torque * mid;
    const std::span<DriveReport> reports = std::span(work.drives).subspan(pack.first, pack.count);
    if (pack.kind == Kind::dc) {
      const MotorEnd m = finish_motors(pack, n, step, d.ratio * change, d.ratio * mid, state);
      const Lanes gear = ((d.motor.k() * m.current - m.friction) * d.ratio - drive) * mid;
      e[kCopperEnergy] = pack.add_to(e[kCopperEnergy], m.copper * dt);
      e[kFrictionEnergy] = pack.add_to(e[kFrictionEnergy], m.rubbed);
      sum.electric = pack.add_to(sum.electric, m.power), sum.gear = pack.add_to(sum.gear, gear);
      report_motors(torque, brake, m, reports);
    } else {
      const Lanes power = drive * mid;
      sum.ideal = pack.add_to(sum.ideal, power);
      for (std::size_t k = 0; k < pack.count; ++k)
        reports[k].torque = torque[k], reports[k].brake = brake[k], reports[k].power = power[k];
    }
    sum.braking = pack.add_to(sum.braking, braking), sum.work = pack.add_to(sum.work, done);
  }
  e[kIdealEnergy] += sum.ideal * dt, e[kGearEnergy] += sum.gear * dt, e[kBrakeEnergy] += sum.braking * dt,
      e[kWorkEnergy] += sum.work * dt;
  if (train.has_motors()) book_battery(train, sum.electric, dt, state, work);
}

}  // namespace scree
