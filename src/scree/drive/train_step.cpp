/// One step of a drive train: what begin(), finish() and rates() do.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "scree/core/maths.hpp"
#include "scree/drive/train.hpp"

namespace scree {
namespace {

using Mode = DriveCommand::Mode;
using Inner = DriveWorkspace::Inner;

/// Places of the energies, in the order of DriveEnergy.
enum { kChemical, kIdeal, kInternal, kDumped, kCopper, kGear, kFriction, kBrake, kWork };

/// A wish that falls in a line with the joint's speed: constant - falloff w.
struct Wish {
  double constant = 0, falloff = 0;
};

/// Slope of a limited law over the step, from the speed change that the last step suggests: the limit that
/// holds at the end of the step counts, not only the one at its start.
template <class Law>
double secant_slope(const Push& now, double w, double change, const Law& law) {
  if (!(std::abs(change) > 1e-6)) return now.slope;
  const Push then = law(w + change);
  if (now.slope == then.slope && (now.slope != 0 || now.torque == then.torque)) return now.slope;
  return (now.torque - then.torque) / change;
}

}  // namespace

/// Sees the inside of a DriveTrain. One object per call; everything by reference.
struct DriveStep {
  using Drive = DriveTrain::Drive;
  using Kind = DriveTrain::Kind;
  const DriveTrain& train;
  std::span<const DriveCommand> commands;
  StepSize step;
  DriveWorkspace& work;

  /// Joint torque that a command wants of an ideal source (or of a motor's current loop).
  Wish wish(const Drive& d, const DriveCommand& c, const JointMotion& joints, std::size_t i) const {
    switch (c.mode) {
      case Mode::torque:
        return {c.value, 0};
      case Mode::speed:
        return {d.gain * c.value, d.gain};
      case Mode::position: {
        // The angle is that of mid-step; a new speed moves it by dt/4 of the change until the end.
        const double reach = step.dt > 0 ? d.stiffness * step.dt / (4 * step.theta) : 0;
        return {d.stiffness * (c.value - joints.angles[i]) + reach * joints.speeds[i], d.gain + reach};
      }
      case Mode::idle:
        if (d.governs) return {d.gain * d.speed, d.gain};
        return {};
      default:
        return {};
    }
  }

  // --- ideal sources -------------------------------------------------------------------------------
  Push ideal(const Drive& d, const DriveCommand& c, const JointMotion& joints, std::size_t i,
             std::span<const double> state) const {
    const Wish x = wish(d, c, joints, i);
    const double w = joints.speeds[i];
    Push p = d.limits(x.constant, x.falloff, w);
    if (step.dt > 0)
      p.slope = secant_slope(p, w, state[d.at] * step.dt,
                             [&](double v) { return d.limits(x.constant, x.falloff, v); });
    return p;
  }

  // --- motors --------------------------------------------------------------------------------------
  /// Steady current at motor speed w when `volts` are available.
  Draw target(const Drive& d, const DriveCommand& c, const Wish& x, double w, double volts,
              bool& limited) const {
    switch (c.mode) {
      case Mode::voltage:
        limited |= std::abs(c.value) > volts;
        return d.motor.of_voltage(c.value, w, volts);
      case Mode::current:
        return d.motor.of_current(c.value, 0, w, volts, limited);
      case Mode::idle:
        if (!d.governs) return {};
        [[fallthrough]];
      default: {
        // The gear's nominal loss is known, so the current makes up for it; shaft friction is not.
        const double wanted = x.constant - x.falloff * w / d.ratio;
        const double gear = gear_flow(wanted, w, d.gear_loss, d.gear_blend).factor;
        const double per_amp = 1 / (d.ratio * d.motor.k() * gear);
        return d.motor.of_current(x.constant * per_amp, x.falloff * per_amp / d.ratio, w, volts, limited);
      }
    }
  }

  struct Demand {
    double copper = 0, shaft = 0;  ///< sum of R i^2 and of k w i [W]
    bool limited = false;          ///< some motor would take more if there were more voltage
    double power() const { return copper + shaft; }
  };
  /// Targets of all motors at a battery voltage.
  Demand demand_at(double volts, const JointMotion& joints) const {
    Demand sum;
    for (std::size_t i = 0; i < train.size(); ++i) {
      const Drive& d = train.drives_[i];
      if (d.kind != Kind::dc) continue;
      const double w = d.ratio * joints.speeds[i];
      const Draw t = target(d, commands[i], wish(d, commands[i], joints, i), w, volts, sum.limited);
      work.inner[i].target = t;
      sum.copper += d.motor.resistance() * t.current * t.current;
      sum.shaft += d.motor.k() * w * t.current;
    }
    return sum;
  }

  /// Battery voltage at which what the motors draw pulls the battery to just this voltage: the root of
  /// U_oc - R P(U)/U - U in [low, U_oc] by regula falsi (Illinois); nearly a line, so few rounds.
  double balanced_voltage(double low, double open, const JointMotion& joints) const {
    const double r = train.battery_.resistance();
    auto miss = [&](double u) { return open - r * demand_at(u, joints).power() / u - u; };
    double a = low, b = open, fa = miss(a), fb = miss(b);
    if (!(fa > 0)) return a;
    if (!(fb < 0)) return b;  // the motors give back more than they take
    for (int round = 0; round < 40 && b - a > 1e-10 * open; ++round) {
      const double u = (a * fb - b * fa) / (fb - fa), f = miss(u);
      if (std::abs(f) < 1e-10 * open) return u;
      if (f > 0) {
        a = u, fa = f, fb *= 0.5;
      } else {
        b = u, fb = f, fa *= 0.5;
      }
    }
    return 0.5 * (a + b);
  }

  /// Steady currents of all motors within what the battery can give. Returns the available voltage.
  double plan_currents(const JointMotion& joints, std::span<const double> state) const {
    const Battery& battery = train.battery_;
    work.battery = {};
    if (!battery.active()) {
      const double endless = std::numeric_limits<double>::infinity();
      demand_at(endless, joints);
      return endless;
    }
    const double charge = state[train.charge_at_], open = battery.open_voltage(charge);
    const double low = battery.least_voltage(open);
    work.battery.empty = battery.empty(charge);
    Demand sum = demand_at(low, joints);
    double volts = low, most = low * battery.most_current(open);
    if (work.battery.empty) {
      volts = open, most = 0;
      sum = demand_at(volts, joints);
    } else if (!(sum.power() > most) && sum.limited) {
      volts = balanced_voltage(low, open, joints);
      sum = demand_at(volts, joints);
      most = std::numeric_limits<double>::infinity();  // the root already is within the limit
    } else if (!(sum.power() > most)) {
      volts = battery.voltage(battery.current(std::max(0.0, sum.power()), open), open);
    }
    if (sum.power() > most) scale_currents(sum, most);
    return volts;
  }

  /// One factor for all motors such that their power s^2 copper + s shaft is `most`.
  void scale_currents(const Demand& sum, double most) const {
    const double root = std::sqrt(sum.shaft * sum.shaft + 4 * sum.copper * most);
    const double scale = most > 0 ? 2 * most / (sum.shaft + root) : 0;
    work.battery.scale = scale;
    for (std::size_t i = 0; i < train.size(); ++i) {
      const Drive& d = train.drives_[i];
      if (d.kind != Kind::dc) continue;
      Draw& t = work.inner[i].target;
      // At constant power a faster wheel lowers the factor: 2 s copper ds + shaft ds + s k i dw = 0. Of
      // this the own wheel's part is kept, which is what stability asks for.
      const double own = root > 0 ? t.current * t.current * scale * d.motor.k() / root : 0;
      t = {scale * t.current, scale * t.slope + own};
    }
  }

  /// Joint torque of a motor behind its gear. Leaves currents and friction in `inner`.
  Push motor(const Drive& d, const DriveCommand& c, const JointMotion& joints, std::size_t i, double volts,
             std::span<const double> state) const {
    Inner& n = work.inner[i];
    const double w = d.ratio * joints.speeds[i];
    if (step.dt > 0 && work.battery.scale == 1) {
      const Wish x = wish(d, c, joints, i);
      bool limited = false;
      n.target.slope =
          secant_slope({n.target.current, n.target.slope}, w, d.ratio * state[d.at] * step.dt, [&](double v) {
            const Draw t = target(d, c, x, v, volts, limited);
            return Push{t.current, t.slope};
          });
    }
    n.mean = n.target;
    n.looped = c.mode != Mode::voltage && c.mode != Mode::idle;
    if (d.current_at >= 0) {
      const double i0 = state[d.current_at];
      const double x = d.motor.approach_rate(n.looped) * step.dt;
      const double left = x > 0 ? -maths::expm1(-x) / x : 1;  // mean share of the old current over the step
      n.mean = {n.target.current + (i0 - n.target.current) * left, n.target.slope * (1 - left)};
    }
    n.friction = {};
    if (d.friction_at >= 0)
      n.friction = d.friction.begin(state[d.friction_at], w, d.ratio * state[d.at] * step.dt, step);
    const double shaft = d.motor.k() * n.mean.current - n.friction.torque;
    const GearFlow gear = gear_flow(shaft, w, d.gear_loss, d.gear_blend);
    const double fall = d.motor.k() * n.mean.slope + n.friction.slope;
    return {d.ratio * shaft * gear.factor,
            d.ratio * d.ratio * (fall * gear.factor + std::abs(shaft) * gear.drop)};
  }

  // --- the three calls -------------------------------------------------------------------------------
  void begin(const JointMotion& joints, std::span<const double> state) const {
    const double volts = train.has_motors_ ? plan_currents(joints, state) : 0;
    for (std::size_t i = 0; i < train.size(); ++i) {
      const Drive& d = train.drives_[i];
      const DriveCommand& c = commands[i];
      Inner& n = work.inner[i];
      n.drive = d.kind == Kind::ideal ? ideal(d, c, joints, i, state) : motor(d, c, joints, i, volts, state);
      double torque = n.drive.torque, slope = n.drive.slope;
      if (d.brake_at >= 0) {
        n.demand = d.brake.demand(c.brake);
        n.brake = d.brake.begin(state[d.brake_at], joints.speeds[i], n.demand, state[d.at] * step.dt, step);
        torque -= n.brake.torque, slope += n.brake.slope;
      }
      work.torque[i] = torque, work.slope[i] = slope;
      report(d, n, joints.speeds[i], work.drives[i]);
    }
    if (train.has_battery()) {
      double power = 0;
      for (std::size_t i = 0; i < train.size(); ++i)
        if (train.drives_[i].kind == Kind::dc) power += work.drives[i].power;
      report_battery(state, power);
    }
  }

  void report(const Drive& d, const Inner& n, double w, DriveReport& r) const {
    r.torque = n.drive.torque - n.brake.torque, r.brake = n.brake.torque;
    if (d.kind == Kind::ideal) {
      r.power = n.drive.torque * w;
    } else {
      r.current = n.mean.current;
      r.voltage = d.motor.voltage(r.current, d.ratio * w);
      r.power = r.voltage * r.current;
      r.friction = n.friction.torque;
    }
  }
  /// Terminal values of the battery under the motors' power.
  void report_battery(std::span<const double> state, double power) const {
    const Battery& battery = train.battery_;
    const double charge = state[train.charge_at_], open = battery.open_voltage(charge);
    double amps = std::max(battery.current(power, open), -battery.most_charging(charge));
    if (battery.empty(charge)) amps = std::min(amps, 0.0);
    work.battery.current = amps;
    work.battery.voltage = battery.voltage(amps, open);
    work.battery.state_of_charge = battery.state_of_charge(charge);
  }

  void finish(std::span<const double> old_speeds, std::span<const double> new_speeds,
              std::span<double> state) const {
    const double dt = step.dt, per_dt = 1 / dt, theta = step.theta;
    double work_done = 0, ideal_power = 0, electric = 0, gear = 0, braking = 0;  // mean powers, all drives
    for (std::size_t i = 0; i < train.size(); ++i) {
      const Drive& d = train.drives_[i];
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
      if (d.kind == Kind::ideal) {
        r.power = drive * mid;
        ideal_power += r.power;
      } else {
        finish_motor(d, n, r, d.ratio * change, d.ratio * mid, state);
        electric += r.power;
        gear += ((d.motor.k() * r.current - r.friction) * d.ratio - drive) * mid;
      }
      work_done += r.torque * mid;
    }
    double* e = &state[train.energy_at_];
    e[kIdeal] += ideal_power * dt, e[kGear] += gear * dt, e[kBrake] += braking * dt,
        e[kWork] += work_done * dt;
    if (train.has_motors_) book_battery(electric, state);
  }

  /// Current and shaft friction of one motor at the end of the step; `change` and `mid` are motor speeds.
  void finish_motor(const Drive& d, const Inner& n, DriveReport& r, double change, double mid,
                    std::span<double> state) const {
    double* e = &state[train.energy_at_];
    const double dt = step.dt, theta = step.theta;
    r.current = n.mean.current - theta * n.mean.slope * change;
    r.friction = n.friction.torque + theta * n.friction.slope * change;
    const double copper = d.motor.resistance() * r.current * r.current;
    r.power = copper + d.motor.k() * r.current * mid;
    r.voltage = d.motor.voltage(r.current, mid);
    if (d.current_at >= 0) {
      double& i = state[d.current_at];
      const double goal = n.target.current - theta * n.target.slope * change;
      const double next = goal + (i - goal) * maths::exp(-d.motor.approach_rate(n.looped) * dt);
      r.power += 0.5 * d.motor.inductance() * (next * next - i * i) / dt;
      r.voltage += d.motor.inductance() * (next - i) / dt;
      i = next;
    }
    e[kCopper] += copper * dt;
    if (d.friction_at >= 0) {
      double& z = state[d.friction_at];
      const double before = d.friction.stored(z);
      z = d.friction.advance(z, mid + 0.5 * change, dt);
      e[kFriction] += r.friction * mid * dt - (d.friction.stored(z) - before);
    }
  }

  /// Draws the motors' mean power from the battery over the step.
  void book_battery(double power, std::span<double> state) const {
    double* e = &state[train.energy_at_];
    const double dt = step.dt;
    if (!train.has_battery()) {
      e[kChemical] += power * dt;
      return;
    }
    double& charge = state[train.charge_at_];
    const double open = train.battery_.open_voltage(charge);
    report_battery(state, power);
    const double amps = work.battery.current, lost = train.battery_.resistance() * amps * amps;
    e[kChemical] += open * amps * dt;
    e[kInternal] += lost * dt;
    e[kDumped] += (open * amps - lost - power) * dt;  // not zero only where charging is refused
    if (train.battery_.capacity() > 0) charge = std::max(0.0, charge - amps * dt);
  }

  // --- explicit integrators ------------------------------------------------------------------------
  void rates(const JointMotion& joints, std::span<const double> state, std::span<double> rate) const {
    begin(joints, state);
    std::fill(rate.begin(), rate.end(), 0.0);
    double* e = &rate[train.energy_at_];
    double electric = 0;
    for (std::size_t i = 0; i < train.size(); ++i) {
      const Drive& d = train.drives_[i];
      const Inner& n = work.inner[i];
      const double w = joints.speeds[i], shaft_speed = d.ratio * w;
      if (d.brake_at >= 0) {
        const double z = state[d.brake_at], dz = d.brake.rate(z, w, n.demand);
        rate[d.brake_at] = dz;
        e[kBrake] += n.brake.torque * w - d.brake.stiffness() * z * dz;
      }
      e[kWork] += work.torque[i] * w;
      if (d.kind == Kind::ideal) {
        e[kIdeal] += n.drive.torque * w;
        continue;
      }
      double power = d.motor.voltage(n.mean.current, shaft_speed) * n.mean.current;
      if (d.current_at >= 0) {
        const double di = (n.target.current - state[d.current_at]) * d.motor.approach_rate(n.looped);
        rate[d.current_at] = di;
        power += d.motor.inductance() * n.mean.current * di;
      }
      if (d.friction_at >= 0) {
        const double z = state[d.friction_at], dz = d.friction.rate(z, shaft_speed);
        rate[d.friction_at] = dz;
        e[kFriction] += n.friction.torque * shaft_speed - d.friction.stiffness() * z * dz;
      }
      e[kCopper] += d.motor.resistance() * n.mean.current * n.mean.current;
      e[kGear] += (d.motor.k() * n.mean.current - n.friction.torque) * shaft_speed - n.drive.torque * w;
      electric += power;
    }
    if (train.has_motors_) battery_rates(electric, state, rate);
  }
  void battery_rates(double power, std::span<const double> state, std::span<double> rate) const {
    double* e = &rate[train.energy_at_];
    if (!train.has_battery()) {
      e[kChemical] = power;
      return;
    }
    const double open = train.battery_.open_voltage(state[train.charge_at_]);
    const double amps = work.battery.current, lost = train.battery_.resistance() * amps * amps;
    e[kChemical] = open * amps, e[kInternal] = lost, e[kDumped] = open * amps - lost - power;
    if (train.battery_.capacity() > 0) rate[train.charge_at_] = -amps;
  }
};

void begin(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           StepSize step, std::span<const double> state, DriveWorkspace& work) {
  assert(commands.size() == train.size() && joints.speeds.size() == train.size());
  DriveStep{train, commands, step, work}.begin(joints, state);
}

void finish(const DriveTrain& train, std::span<const DriveCommand> commands,
            std::span<const double> old_speeds, std::span<const double> new_speeds, StepSize step,
            std::span<double> state, DriveWorkspace& work) {
  assert(step.dt > 0 && state.size() == train.state_size());
  DriveStep{train, commands, step, work}.finish(old_speeds, new_speeds, state);
}

void rates(const DriveTrain& train, std::span<const DriveCommand> commands, const JointMotion& joints,
           std::span<const double> state, DriveWorkspace& work, std::span<double> derivative) {
  assert(derivative.size() == train.state_size());
  DriveStep{train, commands, StepSize{0, 1}, work}.rates(joints, state, derivative);
}

}  // namespace scree
