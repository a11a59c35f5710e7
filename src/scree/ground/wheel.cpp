#include "scree/ground/wheel.hpp"

#include <cmath>

namespace scree {
namespace {

using namespace lane;

constexpr double kLeastCosine = 0.1;           // contact angle limited to 84 degrees
constexpr double kLeastSeating = 0.15;         // of n3.b + mu_x t^.b + mu_y a3.b: less would jam the wheel
constexpr double kLeastNormal = 0.02;          // of n3.b alone
constexpr double kRadialFull = kLeastBearing;  // cosine between suspension and ground normal: below, the rim
constexpr double kRadialNone = 0.45;           // gives with all its compliance, above with none
constexpr double kGrowth = 0.5;                // m/s that the displacement may grow without any motion
constexpr double kPlay = 1e-3;                 // of the load, within which bristles neither come nor go
constexpr double kLifted = -1e-6;              // m: displacement kept of a wheel in the air
constexpr double kSeen = 5e-3;                 // m that a look between steps may add
constexpr double kWallTime = 0.02;             // s: damping over stiffness of a rim against a wall
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

/// Share of a displacement that the suspension takes, w(c), and dw/dc.
struct Share {
  Lanes of, slope;
  Mask partial;  ///< of < 1
};

inline Share share_of(const Suspension<Lanes>& s, Lanes cosine) {
  const Lanes one = lanes(1), c = max(cosine, Lanes{});
  if (all(c >= kRadialNone)) return {one, Lanes{}, Mask{}};
  const Lanes ratio = 1.0 + s.extra, square = ratio * c * c, per = one / (one + square);
  const Lanes radial = square * per, radial_slope = 2.0 * ratio * c * per * per;
  const double range = kRadialNone - kRadialFull;
  const Lanes x = clamp((c - kRadialFull) / range, Lanes{}, one);
  const Lanes blend = x * x * (3.0 - 2.0 * x), blend_slope = 6.0 * x * (one - x) / range;
  return {radial + (one - radial) * blend, radial_slope * (one - blend) + (one - radial) * blend_slope,
          c < kRadialNone};
}

/// Share of the slip deflection that a load which has risen from `before` leaves, see wheel.hpp.
inline Lanes worn(Lanes before, Lanes now) {
  const Lanes top = before * (1 + kPlay);
  return select((before > Lanes{}) & (now > top), top / max(now, lanes(1e-300)), lanes(1));
}

/// What presses, and what that makes of the spring's store.
struct Press {
  Lanes most;     ///< that the motion explains [m]
  Lanes pressed;  ///< m
  Lanes spent;    ///< of the spare energy [J]
};

/// The displacement that presses grows by what the motion puts into the spring, `gained` [m], and beyond that
/// by what the damper has taken before.
inline Press press(const WheelPack& pack, const WheelMemory& memory, const Share& share, Lanes root, Lanes h,
                   Lanes gained, Lanes speed, double dt) {
  const Lanes whole = root * h;
  if (!(dt > 0)) return {whole, select(memory.h == Lanes{}, whole, min(whole, memory.h + kSeen)), Lanes{}};
  const Lanes most = max(memory.h + gained, lanes(kLifted));
  const Mask sudden = (whole > most) & (memory.h != Lanes{});
  if (!any(sudden & pack.active)) return {most, whole, Lanes{}};
  const Lanes rush = (dt * (kGrowth + 0.5 * speed)) * share.of;
  const Lanes force = suspension_spring(pack.suspension, root * max(most + rush, Lanes{})).force;
  const Lanes paid = min(rush, memory.spare * root / max(force, lanes(1e-9)));
  const Lanes pressed = select(sudden, min(whole, most + paid), whole);
  return {most, pressed, select(sudden, max(pressed - most, Lanes{}) * force / root, Lanes{})};
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
                                              const WheelMemory& memory, const WheelContacts& c,
                                              const WheelStep& step, WheelForces& f) {
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
  const Lanes root = sqrt(share), full = pack.suspension.stiffness * (1.0 + pack.suspension.extra);
  const Lanes k = share * full;
  const Lanes own = max(memory.wall, Lanes{});
  Lanes most = own + kSeen, rush{};
  if (step.dt > 0) {
    most = max(own + step.dt * root * closing, Lanes{});
    rush = root * (step.dt * kGrowth);
  }
  const Lanes spare = max(memory.spare + f.spared, Lanes{});
  const Lanes paid = min(rush, spare / max(full * (most + rush), lanes(1e-9)));
  f.wall = select(pack.active & (c.wall > Lanes{}), min(root * depth, most + paid), Lanes{});
  const Lanes spring = root * full * f.wall;
  const Lanes damping = kWallTime * k * min(depth * (1 / kWallRamp), lanes(1));
  const Lanes push = spring + damping * closing;
  f.walled = pack.active & (f.wall > Lanes{}) & (push > Lanes{});
  f.spared -= max(f.wall - most, Lanes{}) * full * f.wall;
  f.wall_force = select(f.walled, push, Lanes{}) * out;
  const Lanes apparent = select(
      f.walled, (step.theta * step.dt) * damping + (0.5 * step.theta * step.dt * step.dt) * k, Lanes{});
  f.wall_E[0] = (apparent * out.x) * out;
  f.wall_E[1] = (apparent * out.y) * out;
  f.wall_E[2] = (apparent * out.z) * out;
}

struct Friction {
  TyreFriction<Lanes> tyre;  ///< scaled, derivatives by the level of slip (slip.hpp)
  Lanes load, per_seating;
};

/// What the suspension bears of a unit load, and of a unit of each friction force: n3.b, t^.b, a3.b.
struct Seat {
  Lanes normal, along, across;
  /// Of a unit load with its friction.
  Lanes bears(const TyreFriction<Lanes>& mu) const { return normal + mu.mu_x * along + mu.mu_y * across; }
  /// The least that is left of it.
  Lanes least() const { return min(max(normal, lanes(kLeastNormal)), lanes(kLeastSeating)); }
};

/// Friction that would take more of the load off the suspension than that is held back in proportion, so that
/// what is borne stays at the least: mu' = share mu, share = (least - normal)/(s.mu) with s = (along,
/// across). As mu changes, dmu' = share (dmu - mu (s.dmu)/(s.mu)): whatever friction does, the load stays.
inline Lanes hold_back(const Seat& seat, Friction& f) {
  const Lanes least = seat.least(), bears = seat.bears(f.tyre);
  const Mask jams = bears < least;
  if (!any(jams)) return bears;
  TyreFriction<Lanes>& t = f.tyre;
  const Lanes taken = min(bears - seat.normal, lanes(-1e-9));  // s.mu
  const Lanes share = select(jams, min(least - seat.normal, Lanes{}) / taken, lanes(1));
  const Lanes x = select(jams, t.mu_x / taken, Lanes{}), y = select(jams, t.mu_y / taken, Lanes{});
  const Lanes by_x = seat.along * t.xx + seat.across * t.yx, by_y = seat.along * t.xy + seat.across * t.yy;
  t.mu_x *= share, t.mu_y *= share;
  t.xx = share * (t.xx - x * by_x), t.xy = share * (t.xy - x * by_y);
  t.yx = share * (t.yx - y * by_x), t.yy = share * (t.yy - y * by_y);
  return max(bears, least);
}

/// Tyre demand at the load that it implies itself. The coefficients hardly depend on the load, so the load of
/// the last evaluation serves; `load_passes` repeats it.
[[gnu::always_inline]] inline Friction tyre_demand(const WheelPack& pack, const WheelForces& f,
                                                   const Seat& seat, const SlipLevel<Lanes>& level,
                                                   Lanes suspension, Lanes friction, Lanes before,
                                                   const WheelStep& step) {
  const CurveSlip<Lanes> slip = curve_slip(level.x, level.y, f.rim_speed, f.hub_speed);
  Friction out;
  out.per_seating = before;
  const int passes = pack.tyre->follows_load() ? step.load_passes : 1;
  for (int pass = 0; pass < passes; ++pass) {
    out.tyre = pack.tyre->friction(slip.kappa, slip.tan_alpha, suspension * out.per_seating);
    out.tyre.mu_x *= friction;
    out.tyre.mu_y *= friction;
    out.per_seating = 1.0 / hold_back(seat, out);
  }
  out.load = suspension * out.per_seating;
  const Lanes by_x = friction * slip.d_kappa, by_y = friction * slip.d_alpha;
  out.tyre.xx *= by_x;
  out.tyre.xy *= by_y;
  out.tyre.yx *= by_x;
  out.tyre.yy *= by_y;
  return out;
}

/// Friction at and beyond its peak hardly follows the slip, and within a step it may turn a light wheel past
/// the slip at which there is none left, and beyond: it would drive. There its slope is the one that ends the
/// step at no slip. With x the slip now, g what the step's mean gains by the new slip speed (theta of its
/// value), and q = r^2 g dt mu N/(theta I x) > 1 how often the slip would fit into the step, that is
/// mu/(theta x) (1 - 1/q). Where friction grows with the slip, its own slope does not let that happen
/// (it is at least half of this one), and the step keeps its order.
inline void meet_reversal(const WheelPack& pack, const SlipLevel<Lanes>& level, const WheelStep& step,
                          Friction& f) {
  const Lanes gain = step.dt * level.gain, push = abs(f.tyre.mu_x), slip = step.theta_slip * abs(level.x);
  const Lanes swing = pack.radius * pack.radius * gain * push * f.load, room = pack.spin_inertia * slip;
  const Mask beyond = (swing > room) & (level.x * f.tyre.mu_x > Lanes{});
  if (!any(beyond)) return;
  const Lanes slope = push * (swing - room) / select(beyond, swing * slip, lanes(1));
  f.tyre.xx = select(beyond & (slope > 2 * f.tyre.xx), slope, f.tyre.xx);
}

/// What the derivatives may follow of `seat`, by which the load follows friction. Near a jam friction may
/// grow as the slip falls: taken implicitly over a long step, that would divide by what is left of a light
/// wheel's inertia, or turn its sign. Where it takes more than half of it, the load is held, and a slope that
/// drives is taken as flat.
inline Seat steady_seat(const WheelPack& pack, const Seat& seat, Lanes per_level, Friction& f) {
  TyreFriction<Lanes>& t = f.tyre;
  const Lanes inverse = f.per_seating, feeds = inverse * t.mu_x;
  const Lanes answer = per_level * inverse * (t.xx - feeds * (seat.along * t.xx + seat.across * t.yx));
  const Mask drives = pack.radius * pack.radius * answer < -0.5 * pack.spin_inertia;
  if (!any(drives)) return seat;
  t.xx = select(drives, max(t.xx, Lanes{}), t.xx);
  return {seat.normal, select(drives, Lanes{}, seat.along), select(drives, Lanes{}, seat.across)};
}

// The law is written in the wheel's own axes (n, a, b), where most components are zero or one. They are
// turned to those of the link where they differ.

template <bool square>
inline V3<Lanes> to_own(const WheelPack& pack, const V3<Lanes>& v) {
  if constexpr (square) return v;
  return {dot(pack.n, v), dot(pack.a, v), dot(pack.b, v)};
}

template <bool square>
inline V3<Lanes> to_link(const WheelPack& pack, const V3<Lanes>& v) {
  if constexpr (square) return v;
  return v.x * pack.n + v.y * pack.a + v.z * pack.b;
}

/// The same for a matrix, row by row.
template <bool square>
inline void matrix_to_link(const WheelPack& pack, V3<Lanes> (&E)[3]) {
  if constexpr (square) return;
  const V3<Lanes> rows[3] = {to_link<false>(pack, E[0]), to_link<false>(pack, E[1]),
                             to_link<false>(pack, E[2])};
  E[0] = pack.n.x * rows[0] + pack.a.x * rows[1] + pack.b.x * rows[2];
  E[1] = pack.n.y * rows[0] + pack.a.y * rows[1] + pack.b.y * rows[2];
  E[2] = pack.n.z * rows[0] + pack.a.z * rows[1] + pack.b.z * rows[2];
}

template <bool square>
void touch_in_own_axes(const WheelPack& pack, const WheelMotion& m, const WheelMemory& memory,
                       const WheelGround& ground, const WheelStep& step, WheelForces& f) {
  const Lanes r = pack.radius, zero{};
  const V3<Lanes> n_W = square ? m.ex : to_world(m, pack.n), a_W = square ? m.ey : to_world(m, pack.a),
                  b_W = square ? m.ez : to_world(m, pack.b);
  WheelPlanes planes{to_world(m, pack.hub) + m.p, n_W, b_W, r, memory.h};
  const Lanes standing = select(memory.h == zero, lanes(1e300), max(memory.h, zero));
  WheelContacts c = find_contacts(ground, planes, standing, pack.count);
  hold_buried(c, r, memory.h);
  f.walled = c.wall > zero;

  f.touching = pack.active & c.valid & (c.h > zero);
  f.seen = c.valid & (c.cosine >= kLeastCosine);
  f.h = select(c.valid, c.h, lanes(-1.0));
  f.sine = c.sine;
  f.cosine = max(c.cosine, lanes(kLeastCosine));
  const Lanes sine = f.sine, cosine = f.cosine;  // n^ = (-sine, 0, cosine), t^ = (cosine, 0, sine)
  const V3<Lanes> hub = to_own<square>(pack, pack.hub);
  const V3<Lanes> point{hub.x + r * sine, hub.y, hub.z + f.h - r * cosine};
  f.point = to_link<square>(pack, point);

  // Lateral slope: the ground's normal (-fx, -fy, 1), in units of its part in the wheel's plane.
  const V3<Lanes> normal_W = cosine * b_W - sine * n_W;
  const Lanes in_plane = normal_W.z - c.slope_x * normal_W.x - c.slope_y * normal_W.y;
  const Lanes across = a_W.z - c.slope_x * a_W.x - c.slope_y * a_W.y;
  const Lanes lateral = clamp(across / max(in_plane, lanes(0.05)), lanes(-5.0), lanes(5.0));
  const Lanes secant = sqrt(1.0 + lateral * lateral);
  f.tilt_cosine = 1.0 / secant;
  f.tilt_sine = lateral * f.tilt_cosine;

  // Motion of the chassis-fixed contact point, compression rate, slip velocities.
  const V3<Lanes> w = to_own<square>(pack, m.w), v = to_own<square>(pack, m.v) + cross(w, point);
  const Lanes steep = -1.0 / cosine;
  const V3<Lanes> compress{steep * -sine, steep * lateral, steep * cosine};
  f.rate = dot(compress, v);
  const V3<Lanes> slip_row{-(cosine + sine * compress.x), -(sine * compress.y), -(sine + sine * compress.z)};
  const Lanes side_way = ground.planar ? lanes(1) : secant;  // along a
  f.rim_speed = r * m.spin + r * w.y;
  f.sx = r * m.spin + dot(slip_row, v);
  f.hub_speed = f.rim_speed - f.sx;
  f.side_speed = side_way * v.y;
  f.sy = -f.side_speed;
  f.speed = max(max(abs(f.rim_speed), abs(f.hub_speed)), abs(f.side_speed));

  // The axes of the force, n3 and a3, and what of each the suspension bears.
  const Lanes tilt_sine = ground.planar ? zero : f.tilt_sine,
              tilt_cosine = ground.planar ? lanes(1) : f.tilt_cosine;
  const V3<Lanes> normal{tilt_cosine * -sine, tilt_sine, tilt_cosine * cosine};
  const V3<Lanes> side{tilt_sine * sine, tilt_cosine, -tilt_sine * cosine};
  const Seat seat{normal.z, sine, side.z};
  f.normal = to_link<square>(pack, normal);

  // Share of the suspension in the displacement, and what it changes by as the link turns.
  const Share share = share_of(pack.suspension, f.tilt_cosine * cosine);
  f.steep = share.partial & f.touching;
  const bool partial = any(f.steep);
  const Lanes way = 0.5 * step.dt * f.rate;
  Lanes root = lanes(1), gained = way + max(way, memory.way);
  if (partial) {
    root = sqrt(share.of);
    const Lanes turning = w.y * normal.x - w.x * normal.y;
    gained = root * gained + step.dt * max(memory.h, zero) * turning * share.slope / (2.0 * share.of);
  }
  const Press pressing = press(pack, memory, share, root, f.h, gained, f.speed, step.dt);
  f.pressed = pressing.pressed;
  const Lanes own = root * f.pressed;
  SuspensionForce<Lanes> spring = suspension_force(pack.suspension, own, share.of * f.rate, step.dt);
  spring.damping *= share.of;
  spring.stiffness *= share.of;
  const Lanes suspension = select(f.touching, spring.force, zero);
  f.damper = spring.damping;
  f.spared = -pressing.spent;
  if (partial) {
    const Lanes pressed_in = max(own, zero), elastic = suspension_spring(pack.suspension, pressed_in).force;
    const Lanes stored = suspension_energy(pack.suspension, pressed_in);
    const Lanes by_cosine =
        select(f.steep, share.slope / (share.of * share.of) * (elastic * pressed_in - stored), zero);
    f.couple = to_link<square>(pack, by_cosine * V3<Lanes>{normal.y, -normal.x, zero});
  }
  const SlipBrush<Lanes> brush = brush_of(pack);
  const SlipStep slip_step{step.dt, step.theta_slip};
  Lanes seating_before = memory.seating;
  if (!all(memory.seating > zero))
    seating_before = select(memory.seating > zero, memory.seating, 1.0 / max(seat.normal, seat.least()));
  f.bearing = suspension * seating_before;
  f.worn = worn(memory.bearing, f.bearing);
  const SlipLevel<Lanes> level =
      slip_level(brush, slip_step, f.worn * memory.ux, f.worn * memory.uy, f.sx, f.sy, f.speed);
  Friction friction =
      tyre_demand(pack, f, seat, level, suspension, friction_scale(ground, planes, c), seating_before, step);
  const TyreFriction<Lanes>& mu = friction.tyre;

  f.load = friction.load;
  f.seating = friction.per_seating;
  f.fx = mu.mu_x * f.load;
  f.fy = mu.mu_y * f.load;
  const Lanes inverse = friction.per_seating;
  const V3<Lanes> direction{inverse * (normal.x + mu.mu_x * cosine + mu.mu_y * side.x),
                            inverse * (normal.y + mu.mu_y * side.y),
                            inverse * (normal.z + mu.mu_x * sine + mu.mu_y * side.z)};
  f.force = to_link<square>(pack, suspension * direction);
  const Lanes roll_scale = pack.tyre->settings().rolling_resistance * r * f.load;
  const Lanes roll_norm = 1.0 / sqrt(f.rim_speed * f.rim_speed + kRollingSpeed * kRollingSpeed);
  f.rolling = roll_scale * f.rim_speed * roll_norm;
  f.wall = zero;
  if (any(f.walled)) touch_walls(pack, m, memory, c, step, f);
  if (!(step.dt > 0)) return;

  meet_reversal(pack, level, step, friction);
  const Lanes per_level = suspension * level.gain * step.dt;
  const Seat follows = steady_seat(pack, seat, per_level, friction);

  // Derivatives: f = F_susp direction(mu); F_susp follows h' through `compress`, mu follows the slips.
  const Lanes by_rate = select(
      f.touching,
      (step.theta * step.dt) * spring.damping + (0.5 * step.theta * step.dt * step.dt) * spring.stiffness,
      zero);
  // Of a unit of suspension force, first by the demand, then by the level of slip.
  const V3<Lanes> by_mu_x{inverse * (cosine - follows.along * direction.x),
                          inverse * -(follows.along * direction.y),
                          inverse * (sine - follows.along * direction.z)};
  const V3<Lanes> by_mu_y = inverse * (side - follows.across * direction);
  const V3<Lanes> by_level_x = mu.xx * by_mu_x + mu.yx * by_mu_y;
  const V3<Lanes> by_level_y = mu.xy * by_mu_x + mu.yy * by_mu_y;
  const V3<Lanes> by_sx = per_level * by_level_x, by_sy = per_level * by_level_y;
  // What the deflection brings to the level falls as the load rises.
  const Lanes moved = level.gain * (1 / step.theta_slip);
  const Lanes held_x = level.x - moved * f.sx, held_y = level.y - moved * f.sy;
  const Lanes wearing = select(f.worn < lanes(1), by_rate, zero);
  const V3<Lanes> by_h = by_rate * direction - wearing * (held_x * by_level_x + held_y * by_level_y);
  f.bearing_rate = by_rate * seating_before;
  const Lanes along[3] = {by_h.x, by_h.y, by_h.z};
  const Lanes slip_x[3] = {by_sx.x, by_sx.y, by_sx.z};
  const Lanes slip_y[3] = {by_sy.x, by_sy.y, by_sy.z};
  for (int i = 0; i < 3; ++i) {
    f.E[i].x = -along[i] * compress.x - slip_x[i] * slip_row.x;
    f.E[i].y = -along[i] * compress.y - slip_x[i] * slip_row.y + slip_y[i] * side_way;
    f.E[i].z = -along[i] * compress.z - slip_x[i] * slip_row.z;
  }
  // Rolling resistance follows the load, and the load the compression rate.
  const V3<Lanes> rolling_row =
      (pack.tyre->settings().rolling_resistance * r * f.rim_speed * roll_norm * inverse * by_rate) * compress;
  f.row = to_link<square>(pack, (-r) * (cosine * f.E[0] + sine * f.E[2]) + rolling_row);
  f.rolling_row = to_link<square>(pack, rolling_row);
  f.column = to_link<square>(pack, (-r) * by_sx);
  f.compress = to_link<square>(pack, compress);
  f.slip_row = to_link<square>(pack, slip_row);
  f.side_row = to_link<square>(pack, {zero, side_way, zero});
  matrix_to_link<square>(pack, f.E);
  const Lanes roll_slope = roll_scale * (kRollingSpeed * kRollingSpeed) * roll_norm * roll_norm * roll_norm;
  f.rolling_gain = (step.theta * step.dt) * r * roll_slope;
  f.diagonal = r * r * (cosine * by_sx.x + sine * by_sx.z) + f.rolling_gain;
}

}  // namespace

void touch_wheels(const WheelPack& pack, const WheelMotion& motion, const WheelMemory& memory,
                  const WheelGround& ground, const WheelStep& step, WheelForces& forces) {
  if (pack.square) {
    touch_in_own_axes<true>(pack, motion, memory, ground, step, forces);
  } else {
    touch_in_own_axes<false>(pack, motion, memory, ground, step, forces);
  }
}

Lanes bearing_after(Lanes before, Lanes now) {
  return select(before > Lanes{}, clamp(before, now * (1 / (1 + kPlay)), now * (1 / (1 - kPlay))), now);
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
  const Lanes growth = dot(f.compress, point_acceleration);
  const Lanes bearing = max(f.bearing + f.bearing_rate * growth, Lanes{});
  const Lanes left = worn(memory.bearing, bearing);
  const Lanes speed = max(max(abs(rim), abs(rim - slip_x)), abs(slip_y));
  const Lanes ux = brush_next(brush, slip_step, left * memory.ux, f.sx, sx, speed);
  const Lanes uy = brush_next(brush, slip_step, left * memory.uy, f.sy, sy, speed);
  memory.bearing = bearing_after(memory.bearing, bearing);
  const Mask bears = f.touching & (memory.bearing > Lanes{});
  memory.ux = select(bears, ux, Lanes{});
  memory.uy = select(bears, uy, Lanes{});
  memory.seating = select(f.load > Lanes{}, f.seating, Lanes{});
  memory.h = max(f.pressed, lanes(kLifted));
  const Lanes rate = f.rate + step.dt * growth;
  memory.way = select(f.touching, 0.5 * step.dt * rate, Lanes{});
  const Lanes taken = step.dt * f.damper * max(f.rate * rate, Lanes{});
  memory.spare = max(memory.spare + f.spared + taken, Lanes{});
  memory.wall = f.wall;
}

void wheel_rates(const WheelPack& pack, const WheelForces& f, const WheelMemory& memory, Lanes& ux_rate,
                 Lanes& uy_rate) {
  const Lanes rate = f.speed * (1.0 / pack.tyre->settings().relaxation_length);
  const Lanes whole = 1.0 / max(f.worn, lanes(1e-6));  // of deflections as they stood before the step
  ux_rate = select(f.touching, f.sx * whole - rate * memory.ux, Lanes{});
  uy_rate = select(f.touching, f.sy * whole - rate * memory.uy, Lanes{});
}

}  // namespace scree
