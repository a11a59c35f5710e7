#include "scree/drive/supply.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Demand {
  double copper = 0, shaft = 0;  ///< sum of R i^2 and of k w i [W]
  bool limited = false;          ///< some motor would take more if there were more voltage
  double power() const { return copper + shaft; }
};

/// Targets of all motors at a battery voltage.
Demand demand_at(const DriveQuestion& ask, double volts, DriveWorkspace& work) {
  Demand sum;
  const auto packs = ask.train.packs();
  for (std::size_t p = 0; p < packs.size(); ++p) {
    const DrivePack& pack = packs[p];
    if (pack.kind != Drive::Kind::dc) continue;
    const Lanes w = pack.law.ratio * pack.gather(ask.joints.speeds);
    const DrawOf<Lanes> t = steady_currents(ask, pack, work.inner[p], w, volts, sum.limited);
    work.inner[p].target = t;
    const Lanes copper = pack.law.motor.resistance() * t.current * t.current;
    const Lanes shaft = pack.law.motor.k() * w * t.current;
    sum.copper = pack.add_to(sum.copper, copper), sum.shaft = pack.add_to(sum.shaft, shaft);
  }
  return sum;
}

/// Battery voltage at which what the motors draw pulls the battery to just this voltage: the root of
/// U_oc - R P(U)/U - U in [low, U_oc] by regula falsi (Illinois); nearly a line, so few rounds.
double balanced_voltage(const DriveQuestion& ask, double low, double open, DriveWorkspace& work) {
  const double r = ask.train.battery().resistance();
  auto miss = [&](double u) { return open - r * demand_at(ask, u, work).power() / u - u; };
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

/// One factor for all motors such that their power s^2 copper + s shaft is `most`.
void scale_currents(const DriveTrain& train, const Demand& sum, double most, DriveWorkspace& work) {
  const double root = std::sqrt(sum.shaft * sum.shaft + 4 * sum.copper * most);
  const double scale = most > 0 ? 2 * most / (sum.shaft + root) : 0;
  work.battery.scale = scale;
  const auto packs = train.packs();
  for (std::size_t p = 0; p < packs.size(); ++p) {
    if (packs[p].kind != Drive::Kind::dc) continue;
    DrawOf<Lanes>& t = work.inner[p].target;
    // At constant power a faster wheel lowers the factor: 2 s copper ds + shaft ds + s k i dw = 0. Of
    // this the own wheel's part is kept, which is what stability asks for.
    const Lanes own = root > 0 ? t.current * t.current * scale * packs[p].law.motor.k() / root : Lanes{};
    t = {scale * t.current, scale * t.slope + own};
  }
}

}  // namespace

DrawOf<Lanes> mixed_currents(const DriveQuestion& ask, const DrivePack& pack,
                             const DriveWorkspace::Inner& inner, const Lanes& w, double volts,
                             bool& limited) {
  DrawOf<Lanes> all;
  for (int k = 0; k < kLanes; ++k) {
    const std::size_t i = pack.drive(k);
    const Draw one = steady_current(ask.train.drives()[i], ask.commands[i],
                                    {inner.wish.constant[k], inner.wish.falloff[k]}, w[k], volts, limited);
    all.current[k] = one.current, all.slope[k] = one.slope;
  }
  return all;
}

double plan_currents(const DriveQuestion& ask, DriveWorkspace& work) {
  const Battery& battery = ask.train.battery();
  work.battery = {};
  if (!battery.active()) {
    demand_at(ask, kEndless, work);
    return kEndless;
  }
  const double charge = ask.state[ask.train.charge_at()], open = battery.open_voltage(charge);
  const double low = battery.least_voltage(open);
  work.battery.empty = battery.empty(charge);
  Demand sum = demand_at(ask, low, work);
  double volts = low, most = low * battery.most_current(open);
  if (work.battery.empty) {
    volts = open, most = 0;
    sum = demand_at(ask, volts, work);
  } else if (!(sum.power() > most) && sum.limited) {
    volts = balanced_voltage(ask, low, open, work);
    sum = demand_at(ask, volts, work);
    most = kEndless;  // the root already is within the limit
  } else if (!(sum.power() > most)) {
    volts = battery.voltage(battery.current(std::max(0.0, sum.power()), open), open);
  }
  if (sum.power() > most) scale_currents(ask.train, sum, most, work);
  return volts;
}

void report_battery(const DriveTrain& train, std::span<const double> state, double power,
                    DriveWorkspace& work) {
  const Battery& battery = train.battery();
  const double charge = state[train.charge_at()], open = battery.open_voltage(charge);
  double amps = std::max(battery.current(power, open), -battery.most_charging(charge));
  if (battery.empty(charge)) amps = std::min(amps, 0.0);
  work.battery.current = amps;
  work.battery.voltage = battery.voltage(amps, open);
  work.battery.state_of_charge = battery.state_of_charge(charge);
}

}  // namespace scree
