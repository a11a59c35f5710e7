#include "scree/ground/wheel.hpp"

#include <cmath>

namespace scree {
namespace {

using namespace lane;

constexpr double kLeastCosine = 0.1;    // contact angle limited to 84 degrees
constexpr double kLeastSeating = 0.15;  // of cos g + mu_x sin g: below, the wheel jams
constexpr double kGripNone = 0.25;      // cosine between suspension and ground normal: no force below,
constexpr double kGripFull = 0.45;      // all of it above
constexpr double kGrowth = 0.5;         // m/s that the displacement may grow without any motion
constexpr double kSeen = 5e-3;          // m that a look between steps may add
constexpr double kWallTime = 0.02;      // s: damping over stiffness of a rim against a wall
constexpr double kWallFacing = 0.15;  // cosine between a wall's normal and the travel: less is scraping along
constexpr double kWallRamp = 0.002;   // m over which the damper fades in
constexpr double kWallFull = 0.6;     // of the radius: depth up to which a wall pushes with all its force,
constexpr double kWallNone = 0.9;     // and from which not at all
constexpr double kRollingSpeed = 0.02;  // m/s, over which rolling resistance reaches its full value

/// A vector in link axes turned to the world.
inline V3<Lanes> to_world(const WheelMotion& m, const V3<Lanes>& a) {
  return a.x * m.ex + a.y * m.ey + a.z * m.ez;
}

/// Scale of the tyre's friction at the contact points.
Lanes friction_scale(const WheelGround& ground, const WheelPlanes& w, const WheelContacts& c) {
  if (!ground.friction_map) return lanes(ground.friction);
  const Lanes along = w.radius * c.sine, up = c.h - w.radius * c.cosine;
  alignas(32) double x[kLanes], y[kLanes], scale[kLanes];
  store(x, w.centre.x + along * w.n.x + up * w.b.x);
  store(y, w.centre.y + along * w.n.y + up * w.b.y);
  ground.friction_map->meet(kLanes, x, y, scale);
  return ground.friction * load(scale);
}

inline SlipBrush<Lanes> brush_of(const WheelPack& pack) {
  const TyreSettings& tyre = pack.tyre->settings();
  return {lanes(1 / tyre.relaxation_length), lanes(tyre.damping_time)};
}

/// Share of the suspension's force at this angle between suspension and ground.
inline Lanes grip(const WheelPlanes& w, const WheelContacts& c) {
  const Lanes facing = w.b.z - c.slope_x * w.b.x - c.slope_y * w.b.y;
  const Lanes squared = 1.0 + c.slope_x * c.slope_x + c.slope_y * c.slope_y;
  if (all((facing > Lanes{}) & (facing * facing > (kGripFull * kGripFull) * squared))) return lanes(1);
  return clamp((facing / sqrt(squared) - kGripNone) * (1 / (kGripFull - kGripNone)), Lanes{}, lanes(1));
}

/// The displacement that presses: no more than the last one and what the motion since explains; where the
/// force fades to `share`, the motion works for that much of it only.
inline Lanes pressed(const WheelForces& f, Lanes before, Lanes share, double dt) {
  const Lanes growth =
      dt > 0 ? dt * share * (1.5 * max(f.rate, Lanes{}) + share * (kGrowth + 0.5 * f.speed)) : lanes(kSeen);
  return select(before == Lanes{}, f.h, min(f.h, before + growth));
}

/// A wheel that the ground has swallowed finds no contact. Before the first step it asks to be lifted out; in
/// a run (it slid sideways into a wall) it stands as it stood.
inline void hold_buried(WheelContacts& c, Lanes radius, Lanes before) {
  const Mask buried = ~c.valid & (c.buried > Lanes{});
  if (!any(buried)) return;
  c.h = select(buried, select(before == Lanes{}, c.buried + radius, before), c.h);
  c.sine = select(buried, Lanes{}, c.sine);
  c.cosine = select(buried, lanes(1), c.cosine);
  c.slope_x = select(buried, Lanes{}, c.slope_x);
  c.slope_y = select(buried, Lanes{}, c.slope_y);
  c.valid |= buried;
}

/// Rim against wall: seldom, so kept out of the way.
[[gnu::noinline, gnu::cold]] void touch_walls(const WheelPack& pack, const WheelMotion& m,
                                              const WheelContacts& c, const WheelStep& step, WheelForces& f) {
  const Lanes r = pack.radius, ahead = with_sign(lanes(1), c.wall_u);
  f.wall_point = pack.hub + c.wall_u * pack.n + c.wall_t * pack.b;
  // The wall's own normal, level, in link axes; against the travel where its face is upright.
  const V3<Lanes> level{c.wall_x, c.wall_y, Lanes{}};
  const V3<Lanes> known{dot(m.ex, level), dot(m.ey, level), dot(m.ez, level)};
  const Lanes facing = -ahead * dot(known, pack.n);
  const Mask sure = facing > kWallFacing;
  const auto pick = [&](Lanes yes, Lanes no) { return select(sure, yes, -ahead * no); };
  const V3<Lanes> out{pick(known.x, pack.n.x), pick(known.y, pack.n.y), pick(known.z, pack.n.z)};
  const Lanes depth = c.wall * select(sure, facing, lanes(1));
  const Lanes closing = -dot(out, m.v + cross(m.w, f.wall_point));
  const Lanes share = clamp((kWallNone * r - c.wall) / ((kWallNone - kWallFull) * r), Lanes{}, lanes(1));
  const Lanes k = share * pack.suspension.stiffness * (1.0 + pack.suspension.extra);
  const Lanes damping = kWallTime * k * min(depth * (1 / kWallRamp), lanes(1));
  const Lanes push = k * depth + damping * closing;
  f.walled = pack.active & (c.wall > Lanes{}) & (push > Lanes{});
  f.wall_force = select(f.walled, push, Lanes{}) * out;
  const Lanes apparent = select(
      f.walled, (step.theta * step.dt) * damping + (0.5 * step.theta * step.dt * step.dt) * k, Lanes{});
  f.wall_E[0] = (apparent * out.x) * out;
  f.wall_E[1] = (apparent * out.y) * out;
  f.wall_E[2] = (apparent * out.z) * out;
}

struct Friction {
  TyreFriction<Lanes> tyre;  ///< scaled, derivatives by the new slip velocity times dt
  Lanes load, per_seating;
};

/// What the suspension bears of a unit load, and of a unit of each friction force: n3.b, t^.b, a3.b.
struct Seat {
  Lanes normal, along, across;
  Lanes inverse(Lanes mu_x, Lanes mu_y) const {
    return 1.0 / max(normal + mu_x * along + mu_y * across, lanes(kLeastSeating));
  }
};

/// Tyre demand at the load that it implies itself. The coefficients hardly depend on the load, so the load of
/// the last evaluation serves; `load_passes` repeats it.
Friction tyre_demand(const WheelPack& pack, const WheelForces& f, const Seat& seat,
                     const SlipLevel<Lanes>& level, Lanes suspension, Lanes friction, Lanes before,
                     const WheelStep& step) {
  const CurveSlip<Lanes> slip = curve_slip(level.x, level.y, f.rim_speed, f.hub_speed);
  Friction out;
  out.per_seating = select(before > Lanes{}, before, seat.inverse(Lanes{}, Lanes{}));
  for (int pass = 0; pass < step.load_passes; ++pass) {
    out.tyre = pack.tyre->friction(slip.kappa, slip.tan_alpha, suspension * out.per_seating);
    out.tyre.mu_x *= friction;
    out.tyre.mu_y *= friction;
    out.per_seating = seat.inverse(out.tyre.mu_x, out.tyre.mu_y);
  }
  out.load = suspension * out.per_seating;
  const Lanes scale = friction * level.gain * step.dt;
  const Lanes by_x = scale * slip.d_kappa, by_y = scale * slip.d_alpha;
  out.tyre.xx *= by_x;
  out.tyre.xy *= by_y;
  out.tyre.yx *= by_x;
  out.tyre.yy *= by_y;
  return out;
}

inline void scale_add(V3<Lanes>& row, Lanes s, const V3<Lanes>& v) {
  row.x += s * v.x;
  row.y += s * v.y;
  row.z += s * v.z;
}

}  // namespace

void touch_wheels(const WheelPack& pack, const WheelMotion& m, const WheelMemory& memory,
                  const WheelGround& ground, const WheelStep& step, WheelForces& f) {
  const Lanes r = pack.radius;
  WheelPlanes planes{to_world(m, pack.hub), to_world(m, pack.n), to_world(m, pack.b), r, memory.h};
  planes.centre = planes.centre + m.p;
  const Lanes standing = select(memory.h == Lanes{}, lanes(1e300), max(memory.h, Lanes{}));
  WheelContacts c = find_contacts(
      {ground.terrain, ground.slices, ground.slope_bound, ground.feature, ground.slices_only, ground.memo},
      planes, standing, pack.count);
  hold_buried(c, r, memory.h);
  f.walled = c.wall > Lanes{};

  f.touching = pack.active & c.valid & (c.h > Lanes{});
  f.seen = c.valid & (c.cosine >= kLeastCosine);
  f.h = select(c.valid, c.h, lanes(-1.0));
  f.sine = c.sine;
  f.cosine = max(c.cosine, lanes(kLeastCosine));
  const V3<Lanes> rim_normal = f.cosine * pack.b - f.sine * pack.n;
  f.tangent = f.cosine * pack.n + f.sine * pack.b;
  f.point = pack.hub + f.h * pack.b - r * rim_normal;

  // Lateral slope: the ground's normal (-fx, -fy, 1), in units of its part in the wheel's plane.
  const V3<Lanes> normal_W = to_world(m, rim_normal), axle_W = to_world(m, pack.a);
  const Lanes in_plane = normal_W.z - c.slope_x * normal_W.x - c.slope_y * normal_W.y;
  const Lanes across = axle_W.z - c.slope_x * axle_W.x - c.slope_y * axle_W.y;
  const Lanes lateral = clamp(across / max(in_plane, lanes(0.05)), lanes(-5.0), lanes(5.0));
  const Lanes secant = sqrt(1.0 + lateral * lateral);
  f.tilt_cosine = 1.0 / secant;
  f.tilt_sine = lateral * f.tilt_cosine;

  // Motion of the chassis-fixed contact point, compression rate, slip velocities.
  const V3<Lanes> v = m.v + cross(m.w, f.point);
  const V3<Lanes> compress = (-1.0 / f.cosine) * (rim_normal + lateral * pack.a);
  f.rate = dot(compress, v);
  f.slip_row = lanes(-1.0) * (f.tangent + f.sine * compress);
  f.side_row = ground.planar ? pack.a : secant * pack.a;
  const Lanes turning = r * dot(m.w, pack.a);
  f.rim_speed = r * m.spin + turning;
  f.sx = r * m.spin + dot(f.slip_row, v);
  f.hub_speed = f.rim_speed - f.sx;
  f.side_speed = dot(f.side_row, v);
  f.sy = -f.side_speed;
  f.speed = max(max(abs(f.rim_speed), abs(f.hub_speed)), abs(f.side_speed));

  // The axes of the force and what of each the suspension bears.
  V3<Lanes> side = pack.a;
  Seat seat{f.cosine, f.sine, Lanes{}};
  f.normal = rim_normal;
  if (!ground.planar) {
    f.normal = f.tilt_cosine * rim_normal + f.tilt_sine * pack.a;
    side = f.tilt_cosine * pack.a - f.tilt_sine * rim_normal;
    seat.normal = f.tilt_cosine * f.cosine;
    seat.across = -f.tilt_sine * f.cosine;
  }

  const Lanes share = grip(planes, c);
  f.pressed = pressed(f, memory.h, share, step.dt);
  SuspensionForce<Lanes> spring = suspension_force(pack.suspension, f.pressed, f.rate);
  spring.damping *= share;
  spring.stiffness *= share;
  const Lanes suspension = select(f.touching, share * spring.force, Lanes{});
  const SlipBrush<Lanes> brush = brush_of(pack);
  const SlipStep slip_step{step.dt, step.theta_slip};
  const SlipLevel<Lanes> level = slip_level(brush, slip_step, memory.ux, memory.uy, f.sx, f.sy, f.speed);
  const Friction friction =
      tyre_demand(pack, f, seat, level, suspension, friction_scale(ground, planes, c), memory.seating, step);
  const TyreFriction<Lanes>& mu = friction.tyre;

  f.load = friction.load;
  f.seating = friction.per_seating;
  f.fx = mu.mu_x * f.load;
  f.fy = mu.mu_y * f.load;
  const Lanes inverse = friction.per_seating;
  const V3<Lanes> direction = inverse * (f.normal + mu.mu_x * f.tangent + mu.mu_y * side);
  f.force = suspension * direction;
  const Lanes roll_scale = pack.tyre->settings().rolling_resistance * r * f.load;
  const Lanes roll_norm = 1.0 / sqrt(f.rim_speed * f.rim_speed + kRollingSpeed * kRollingSpeed);
  f.rolling = roll_scale * f.rim_speed * roll_norm;

  // Derivatives: f = F_susp direction(mu); F_susp follows h' through `compress`, mu follows the slips.
  const Lanes by_rate = select(
      f.touching,
      (step.theta * step.dt) * spring.damping + (0.5 * step.theta * step.dt * step.dt) * spring.stiffness,
      Lanes{});
  const V3<Lanes> by_mu_x = (suspension * inverse) * (f.tangent - f.sine * direction);
  const V3<Lanes> by_mu_y = (suspension * inverse) * (side - seat.across * direction);
  const V3<Lanes> by_sx = mu.xx * by_mu_x + mu.yx * by_mu_y;
  const V3<Lanes> by_sy = mu.xy * by_mu_x + mu.yy * by_mu_y;
  const V3<Lanes> by_h = by_rate * direction;
  const Lanes along[3] = {by_h.x, by_h.y, by_h.z};
  const Lanes slip_x[3] = {by_sx.x, by_sx.y, by_sx.z};
  const Lanes slip_y[3] = {by_sy.x, by_sy.y, by_sy.z};
  for (int i = 0; i < 3; ++i) {
    f.E[i] = (-along[i]) * compress;
    scale_add(f.E[i], -slip_x[i], f.slip_row);
    scale_add(f.E[i], slip_y[i], f.side_row);
  }
  f.column = (-r) * by_sx;
  // Rolling resistance follows the load, and the load the compression rate.
  f.rolling_row =
      (pack.tyre->settings().rolling_resistance * r * f.rim_speed * roll_norm * inverse * by_rate) * compress;
  f.row = (-r) * (f.tangent.x * f.E[0] + f.tangent.y * f.E[1] + f.tangent.z * f.E[2]) + f.rolling_row;
  const Lanes roll_slope = roll_scale * (kRollingSpeed * kRollingSpeed) * roll_norm * roll_norm * roll_norm;
  if (any(f.walled)) touch_walls(pack, m, c, step, f);
  f.diagonal = r * r * dot(f.tangent, by_sx) + (step.theta * step.dt) * r * roll_slope;
}

void finish_wheels(const WheelPack& pack, const WheelForces& f, const V3<Lanes>& point_acceleration,
                   const V3<Lanes>& turn_acceleration, Lanes spin_acceleration, const WheelStep& step,
                   WheelMemory& memory) {
  const SlipBrush<Lanes> brush = brush_of(pack);
  const SlipStep slip_step{step.dt, step.theta_slip};
  const Lanes sx = f.sx + step.dt * (dot(f.slip_row, point_acceleration) + pack.radius * spin_acceleration);
  const Lanes sy = f.sy - step.dt * dot(f.side_row, point_acceleration);
  // V_r of the middle of the step, now that the accelerations are known.
  const Lanes rim =
      f.rim_speed + 0.5 * step.dt * pack.radius * (spin_acceleration + dot(pack.a, turn_acceleration));
  const Lanes slip_x = 0.5 * (f.sx + sx), slip_y = 0.5 * (f.sy + sy);
  const Lanes speed = max(max(abs(rim), abs(rim - slip_x)), abs(slip_y));
  const Lanes ux = brush_next(brush, slip_step, memory.ux, f.sx, sx, speed);
  const Lanes uy = brush_next(brush, slip_step, memory.uy, f.sy, sy, speed);
  memory.ux = select(f.touching, ux, Lanes{});
  memory.uy = select(f.touching, uy, Lanes{});
  memory.seating = select(f.load > Lanes{}, f.seating, Lanes{});
  memory.h = max(f.pressed, lanes(-1e-6));
}

void wheel_rates(const WheelPack& pack, const WheelForces& f, const WheelMemory& memory, Lanes& ux_rate,
                 Lanes& uy_rate) {
  const Lanes rate = f.speed * (1.0 / pack.tyre->settings().relaxation_length);
  ux_rate = select(f.touching, f.sx - rate * memory.ux, Lanes{});
  uy_rate = select(f.touching, f.sy - rate * memory.uy, Lanes{});
}

double logged_slip(double rim_speed, double hub_speed) {
  const double U = std::abs(rim_speed), V = std::abs(hub_speed);
  const double scale = rim_speed * hub_speed >= 0 ? std::max(U, V) : U + V;
  return scale > 0 ? std::clamp((rim_speed - hub_speed) / scale, -1.0, 1.0) : 0.0;
}

}  // namespace scree
