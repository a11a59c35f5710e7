#include "scree/ground/soil_touch.hpp"

#include <algorithm>
#include <cmath>

#include "scree/ground/slip.hpp"

namespace scree {
namespace {

constexpr double kLeanNone = 0.25, kLeanFull = 0.5;  // sine between axle and normal: no force, all of it
constexpr double kSteepSide = 10;                    // side slip beyond which the brush slides: 84 degrees
constexpr double kTravelWeight = 0.6;                // of the new h': damps what is faster than the step
constexpr double kFreeGrowth = 0.05;                 // m/s that sinkage may grow without any motion
constexpr double kSeenGrowth = 5e-3;                 // m that a look between steps may add
constexpr double kTurned = 1.02;                     // d beyond 1/kTurned is all one way: one evaluation

/// Forces at one instant and their derivatives by sinkage, speed of sinking, slip, side slip and d.
struct Reaction {
  double force[4] = {};
  double by[4][5] = {};
  double entry = 0, exit = 0;
};
enum { kBySinkage, kBySinking, kBySlip, kBySide, kByTurn };

/// A law's four forces, by sinkage, slip, side and d.
struct SteadyReaction {
  double force[4] = {}, by[4][4] = {};
  double entry = 0, exit = 0;
};

SoilReaction<SoilDual> law_forces(SoilModel model, const ClosedForm& law, double z, const SoilSlip& slip) {
  return model == SoilModel::closed_form ? law.forces_with_slopes(z, slip)
                                         : law.integral().forces_with_slopes(z, slip);
}

void add_steady(SteadyReaction& out, const SoilReaction<SoilDual>& r, double weight, double by_turn,
                double direction) {
  const SoilDual* parts[4] = {&r.drawbar, &r.side, &r.normal, &r.torque};
  for (int i = 0; i < 4; ++i) {
    // Rolling back, drawbar and torque change sign, and so does what counts as slip.
    const double sign = i == kPull || i == kTorque ? direction : 1;
    out.force[i] += weight * sign * parts[i]->value;
    out.by[i][0] += weight * sign * parts[i]->slope[0];
    out.by[i][1] += weight * sign * direction * parts[i]->slope[1];
    out.by[i][2] += weight * sign * parts[i]->slope[2];
    out.by[i][3] += by_turn * sign * parts[i]->value;
  }
  out.entry += weight * r.entry.value;
  out.exit += weight * r.exit.value;
}

/// The law for a patch that lies ahead, behind, or in between.
SteadyReaction steady(SoilModel model, const ClosedForm& law, double z, const SoilSlip& slip, double turn) {
  const double ahead = std::clamp(0.5 * (1 + kTurned * turn), 0.0, 1.0);
  const double slope = ahead > 0 && ahead < 1 ? 0.5 * kTurned : 0;
  SteadyReaction out;
  if (ahead > 0) add_steady(out, law_forces(model, law, z, slip), ahead, slope, 1);
  if (ahead < 1) add_steady(out, law_forces(model, law, z, {-slip.slip, slip.side}), 1 - ahead, -slope, -1);
  return out;
}

struct Instant {
  double sinkage, sinking;
  SoilSlip slip;
  double turn;
};

/// Forces in the rut: the load of rut_load(), the others in proportion to it.
Reaction in_rut(const SoilMount& m, const ClosedForm& law, double rut, const Instant& at) {
  Reaction out;
  if (!(at.sinkage > 0)) return out;
  const double deepest = std::max(at.sinkage, rut);
  const SteadyReaction s = steady(m.model, law, deepest, at.slip, at.turn);
  const double normal = s.force[kNormal];
  out.entry = s.entry, out.exit = s.exit;
  if (!(normal > 1e-9)) return out;
  const RutLoad load = rut_load(law.soil(), m.wheel, rut, at.sinkage, at.sinking, [&](double) {
    return std::pair{normal, std::max(s.by[kNormal][0], 0.0)};
  });
  if (!(load.force > 0)) return out;
  for (int i = 0; i < 4; ++i) {
    const double ratio = s.force[i] / normal;
    const auto ratio_by = [&](int j) { return (s.by[i][j] - ratio * s.by[kNormal][j]) / normal; };
    out.force[i] = ratio * load.force;
    // In its rut a wheel moves without changing the patch, and with it the ratio.
    const double deepening = at.sinkage >= rut ? load.force * ratio_by(0) : 0;
    out.by[i][kBySinkage] = ratio * load.stiffness + deepening;
    out.by[i][kBySinking] = ratio * load.damping;
    out.by[i][kBySlip] = ratio * s.by[kNormal][1] + load.force * ratio_by(1);
    out.by[i][kBySide] = ratio * s.by[kNormal][2] + load.force * ratio_by(2);
    out.by[i][kByTurn] = ratio * s.by[kNormal][3] + load.force * ratio_by(3);
  }
  return out;
}

/// The damping that settles a wheel at rest fades as it rolls, where the deflection follows by itself: else
/// slip would overshoot.
SlipBrush<double> soil_brush(const SoilMount& m, double speed) {
  const double fade = 1 + 2 * m.damping_time * speed / m.relaxation_length;
  return {1 / m.relaxation_length, m.damping_time / fade};
}

/// Fading speed of the slip deflection, V_r.
double brush_speed(double rim, double hub, double side) {
  return std::max({std::abs(rim), std::abs(hub), std::abs(side) / kSteepSide});
}

/// All of a wheel at a suspension rate: speeds, slips, forces.
struct Trial {
  Reaction reaction;
  double along_up = 0;  ///< (F_x x + F_y y + F_z n).b
  double slip_gain = 0, turn_gain = 0;
};

/// Everything that stays the same while the suspension's rate is sought.
struct Search {
  const SoilMount& mount;
  const SoilMemory& memory;
  const ClosedForm& law;
  const SoilStep& step;
  const SoilTouch& touch;
  double sinkage, sinking;  ///< at rate zero
  double share;             ///< of the force, by the lean
  double x_up, y_up, n_up;  ///< axes of the contact along b

  double held() const { return kTravelWeight * step.dt; }

  Trial at(double rate) const {
    const double rim = touch.rim_speed, hub = touch.hub_speed + x_up * rate;
    const double side = touch.side_speed + y_up * rate;
    const SlipStep weights{step.dt, step.theta_slip};
    const double speed = brush_speed(rim, hub, side), rolling = 0.5 * (rim + hub);
    const SlipLevel<double> slip =
        slip_level(soil_brush(mount, speed), weights, memory.ux, memory.uy, rim - hub, -side, speed);
    const SlipLevel<double> turn = slip_level(soil_brush(mount, std::abs(rolling)), weights, memory.turn, 0.0,
                                              rolling, 0.0, std::abs(rolling));
    Trial out;
    out.slip_gain = slip.gain;
    out.turn_gain = turn.gain;
    out.reaction = in_rut(mount, law, memory.rut,
                          {sinkage - n_up * held() * rate,
                           sinking - n_up * rate,
                           {std::clamp(slip.x, -1.0, 1.0), -slip.y},
                           turn.x});
    if (std::abs(slip.x) > 1)  // beyond full slip nothing grows
      for (auto& row : out.reaction.by) row[kBySlip] = 0;
    for (int i = 0; i < 4; ++i) {
      out.reaction.force[i] *= share;
      for (double& slope : out.reaction.by[i]) slope *= share;
    }
    const double* f = out.reaction.force;
    out.along_up = f[kPull] * x_up + f[kSide] * y_up + f[kNormal] * n_up;
    return out;
  }

  /// d force i / d rate by sinkage and sinking; slips hardly follow it.
  double by_rate(const Trial& trial, int i) const {
    const auto& by = trial.reaction.by[i];
    return -n_up * (by[kBySinkage] * held() + by[kBySinking]);
  }
  double up_by_rate(const Trial& trial) const {
    return by_rate(trial, kPull) * x_up + by_rate(trial, kSide) * y_up + by_rate(trial, kNormal) * n_up;
  }
};

struct Suspended {
  double rate;
  double stiffness;  ///< d (c h' + E - force) / d h'
};

/// h' that balances the suspension: Newton's method inside a bracket, since the load falls as the hub rises.
Suspended balance_suspension(const Search& search, double guess, Trial& trial) {
  const Suspension<double>& s = search.mount.suspension;
  const double dt = search.held(), h = search.memory.travel;
  // Not below the stop at full droop.
  const double least = dt > 0 ? -h / dt : -1e300;
  double low = least, high = 1e300, rate = std::max(guess, least), stiffness = s.damping;
  for (int i = 0; i < 12; ++i) {
    trial = search.at(rate);
    const SuspensionSpring<double> spring = suspension_spring(s, std::max(h + dt * rate, 0.0));
    const double excess = spring.force + s.damping * rate - trial.along_up;
    stiffness = s.damping + dt * spring.stiffness - search.up_by_rate(trial);
    if (excess > 0 && rate <= least) return {least, stiffness};  // held by the stop
    if (std::abs(excess) <= 1e-7 * (1 + std::abs(trial.along_up))) break;
    (excess > 0 ? high : low) = rate;
    double next = rate - excess / std::max(stiffness, 0.1 * s.damping);
    if (!(next > low && next < high) && low > -1e299 && high < 1e299) next = 0.5 * (low + high);
    rate = std::clamp(next, std::max(low, least), high);
  }
  return {rate, stiffness};
}

Vec6 six(const Vec3& linear, const Vec3& angular) {
  Vec6 out;
  out << linear, angular;
  return out;
}

/// How fast fresh soil comes under the wheel [m/s]: only as it rolls into the soil ahead of its patch, whose
/// resistance pays for rising out of a rut, or as it flies.
double fresh_speed(const SoilTouch& t) {
  return t.sinkage > 0 ? std::max(t.direction * t.hub_speed, 0.0)
                       : std::max(std::abs(t.hub_speed), std::abs(t.side_speed));
}

/// Rows and columns between the link's motion and the wheel's speeds and forces.
void fill_rows(const SoilMount& m, SoilTouch& t) {
  const Vec3 zero = Vec3::Zero();
  const double rs = m.wheel.shear_radius(), turning = m.axle.dot(t.y);
  const Vec6 rim = six(zero, rs * t.y), hub = six(t.x, t.hub.cross(t.x));
  const Vec6 side = six(t.y, t.foot.cross(t.y)), up = six(t.n, t.foot.cross(t.n));
  t.speed_row[kSlipSpeed] = rim - hub;
  t.speed_row[kSideSpeed] = side;
  t.speed_row[kSinking] = -up;
  t.speed_row[kTurn] = 0.5 * (rim + hub);
  t.spin_part[kSlipSpeed] = rs * turning;
  t.spin_part[kSideSpeed] = t.spin_part[kSinking] = 0;
  t.spin_part[kTurn] = 0.5 * rs * turning;
  t.force_column[kPull] = hub;
  t.force_column[kSide] = side;
  t.force_column[kNormal] = up;
  t.force_column[kTorque] = six(zero, -t.y);
  t.spin_column = -turning;
}

/// Growth of the mean forces with accelerations, the suspension's answer included.
void fill_gains(const Search& search, const Trial& trial, const Suspended& suspended, SoilTouch& t) {
  const SoilStep& step = search.step;
  const auto& by = trial.reaction.by;
  for (int i = 0; i < 4; ++i) {
    // Falling branches are left to the forces: in the matrix they would be inertia below zero.
    const bool along = i == kPull || i == kTorque;
    const double slip = along ? std::max(by[i][kBySlip], 0.0) : by[i][kBySlip];
    const double side = i == kSide ? std::min(by[i][kBySide], 0.0) : by[i][kBySide];
    t.gain[i][kSlipSpeed] = slip * trial.slip_gain * step.dt;
    t.gain[i][kSideSpeed] = side * trial.slip_gain * step.dt;
    t.gain[i][kSinking] =
        step.theta * step.dt * by[i][kBySinking] + 0.5 * step.theta * step.dt * step.dt * by[i][kBySinkage];
    t.gain[i][kTurn] = by[i][kByTurn] * trial.turn_gain * step.dt;
  }
  for (int k = 0; k < 4; ++k) {
    if (!search.mount.suspended || !(suspended.stiffness > 0)) break;
    const double up =
        t.gain[kPull][k] * search.x_up + t.gain[kSide][k] * search.y_up + t.gain[kNormal][k] * search.n_up;
    t.rate_gain[k] = up / suspended.stiffness;
    for (int i = 0; i < 4; ++i) t.gain[i][k] += search.by_rate(trial, i) * t.rate_gain[k];
  }
}

}  // namespace

void place_soil(const SoilMount& m, const LinkMotion& link, const SoilMemory& memory, const Terrain& terrain,
                SoilTouch& t) {
  t = SoilTouch{};
  const Mat3& R = link.X_WL.R;
  t.travel = m.suspended ? memory.travel : 0;
  t.hub = m.hub + t.travel * m.up;
  const Vec3 hub_W = link.X_WL * t.hub, axle_W = R * m.axle;
  Vec2 heading(axle_W.y(), -axle_W.x());
  const double level = heading.norm();
  heading = level > 1e-9 ? Vec2(heading / level) : Vec2(1, 0);  // lying on its side: any will do
  const double r = m.wheel.radius;
  t.patch = memory.sinkage == 0
                ? find_soil_patch(terrain, hub_W, heading, m.wheel)
                : find_soil_patch(terrain, hub_W, heading, m.wheel, patch_spread(m.wheel, memory.rut));
  const Vec3 n_W = t.patch.plane.normal;
  const double lean = n_W.dot(axle_W), upright = std::sqrt(std::max(1 - lean * lean, 0.0025));
  t.n = R.transpose() * n_W;
  const Vec3 rolling = m.axle.cross(t.n);
  t.x = rolling.norm() > 1e-6 ? Vec3(rolling.normalized()) : Vec3(R.transpose() * t.patch.axes.col(0));
  t.y = t.n.cross(t.x);
  t.foot = t.hub - (r / upright) * (t.n - lean * m.axle);
  t.sinkage = r * upright - t.patch.plane.distance(hub_W);
  t.gap = -t.sinkage;
  t.patch.foot = link.X_WL * t.foot;
}

void touch_soil(const SoilMount& m, const LinkMotion& link, double spin, const SoilMemory& memory,
                const Terrain& terrain, const ClosedForm& law, const SoilStep& step, SoilTouch& t) {
  place_soil(m, link, memory, terrain, t);
  const Vec3 v = link.V_WL_L.head<3>(), w = link.V_WL_L.tail<3>();
  const Vec3 v_hub = v + w.cross(t.hub), v_foot = v + w.cross(t.foot);
  t.rim_speed = m.wheel.shear_radius() * (t.y.dot(w) + t.y.dot(m.axle) * spin);
  t.hub_speed = t.x.dot(v_hub);
  t.side_speed = t.y.dot(v_foot);
  const double sinking = -t.n.dot(v_foot) + t.patch.drift.dot((link.X_WL.R * v_hub).head<2>());
  const double speed = std::max({std::abs(t.rim_speed), std::abs(t.hub_speed), std::abs(t.side_speed)});
  if (memory.sinkage != 0) {
    const double growth =
        step.dt > 0 ? step.dt * (1.5 * std::max(sinking, 0.0) + kFreeGrowth + 0.5 * speed) : kSeenGrowth;
    t.sinkage = std::min(t.sinkage, std::max(memory.sinkage, 0.0) + growth);
  }
  fill_rows(m, t);
  const double lean = t.n.dot(m.axle), upright = std::sqrt(std::max(1 - lean * lean, 0.0));
  const Search search{m,
                      memory,
                      law,
                      step,
                      t,
                      t.sinkage,
                      sinking,
                      std::clamp((upright - kLeanNone) / (kLeanFull - kLeanNone), 0.0, 1.0),
                      t.x.dot(m.up),
                      t.y.dot(m.up),
                      t.n.dot(m.up)};
  Trial trial;
  Suspended suspended{0, 0};
  if (m.suspended) {
    suspended = balance_suspension(search, memory.rate, trial);
  } else {
    trial = search.at(0);
  }
  fill_gains(search, trial, suspended, t);
  t.rate = suspended.rate;
  t.sinkage -= search.n_up * search.held() * t.rate;
  t.hub_speed += search.x_up * t.rate;
  t.side_speed += search.y_up * t.rate;
  t.touching = t.sinkage > 0;
  t.buried = t.sinkage > m.wheel.radius;
  for (int i = 0; i < 4; ++i) t.force[i] = trial.reaction.force[i];
  t.entry = trial.reaction.entry;
  t.exit = trial.reaction.exit;
  t.direction = std::clamp(memory.turn / m.relaxation_length, -1.0, 1.0);
}

void finish_soil(const SoilMount& m, const SoilTouch& t, const double acceleration[4], const SoilStep& step,
                 SoilMemory& memory) {
  const double dt = step.dt, before = t.rim_speed - t.hub_speed;
  const double slip = before + dt * acceleration[kSlipSpeed];
  const double side = t.side_speed + dt * acceleration[kSideSpeed];
  const double rolling = 0.5 * (t.rim_speed + t.hub_speed), turned = rolling + dt * acceleration[kTurn];
  // V_r of the middle of the step.
  const double mid_slip = 0.5 * (before + slip), mid_roll = 0.5 * (rolling + turned);
  const double rim = mid_roll + 0.5 * mid_slip, hub = mid_roll - 0.5 * mid_slip;
  const double speed = brush_speed(rim, hub, 0.5 * (t.side_speed + side));
  const SlipBrush<double> brush = soil_brush(m, speed);
  const SlipStep weights{dt, step.theta_slip};
  double rate = t.rate;
  for (int k = 0; k < 4; ++k) rate += t.rate_gain[k] * acceleration[k];
  if (m.suspended) {
    memory.travel = std::max(memory.travel + dt * rate, 0.0);
    memory.rate = rate;
  }
  memory.ux = brush_next(brush, weights, memory.ux, before, slip, speed);
  memory.uy = brush_next(brush, weights, memory.uy, -t.side_speed, -side, speed);
  memory.turn = brush_next(brush, weights, memory.turn, rolling, turned, std::abs(mid_roll));
  memory.rut = next_rut(m.wheel, memory.rut, t.sinkage, dt * fresh_speed(t));
  settle_soil(m, t, memory);
}

SoilMemory soil_rates(const SoilMount& m, const SoilTouch& t, const SoilMemory& memory) {
  SoilMemory out;
  const double rolling = 0.5 * (t.rim_speed + t.hub_speed);
  const double fade = brush_speed(t.rim_speed, t.hub_speed, t.side_speed) / m.relaxation_length;
  if (t.touching) {
    out.ux = t.rim_speed - t.hub_speed - fade * memory.ux;
    out.uy = -t.side_speed - fade * memory.uy;
    out.turn = rolling - std::abs(rolling) / m.relaxation_length * memory.turn;
  }
  if (m.suspended) out.travel = t.rate;
  if (memory.rut > 0) out.rut = -memory.rut * fresh_speed(t) / rut_length(m.wheel, memory.rut);
  return out;
}

void settle_soil(const SoilMount& m, const SoilTouch& t, SoilMemory& memory) {
  // A deflection beyond full slip would take its time to come back.
  const double most = m.relaxation_length;
  memory.ux = t.touching ? std::clamp(memory.ux, -most, most) : 0;
  memory.uy = t.touching ? std::clamp(memory.uy, -kSteepSide * most, kSteepSide * most) : 0;
  memory.turn = t.touching ? std::clamp(memory.turn, -most, most) : 0;
  if (m.suspended) memory.travel = std::max(memory.travel, 0.0);
  memory.rut = std::max({memory.rut, t.sinkage, 0.0});
  memory.sinkage = std::max(t.sinkage, -1e-6);
}

}  // namespace scree
