#pragma once
/// A suspended wheel on rough ground: contact, suspension, tyre, and the derivatives that the implicit step
/// needs. Four wheels at a time, one a lane.
///
/// In the wheel's plane n^ = cos(g) b - sin(g) n is normal to the rim and t^ = cos(g) n + sin(g) b along it;
/// a is the axle (left). The ground rises across the wheel by the lateral slope lambda = tan(tilt), so its
/// normal and its own axis across are
///
///     n3 = cos(tilt) n^ + sin(tilt) a,     a3 = cos(tilt) a - sin(tilt) n^
///
/// Force balance of the wheel, massless in translation, along the suspension (the guide takes the rest), with
/// mu = F/N the tyre's demand:
///
///     f = N (n3 + mu_x t^ + mu_y a3),     f.b = F_susp
///     N = F_susp / (cos(tilt) cos g + mu_x sin g - mu_y sin(tilt) cos g)
///
/// Morrot 2011, Eqs. 9-10 (errata 000-9/10), are its limit without tilt. Differs from the paper: there the
/// force lies in the wheel's plane (n^ and a in place of n3 and a3; `planar` asks for that law), which works
/// on a wheel that leans even without friction (erratum 000-9/10 e) and so makes energy. The divisor is kept
/// above kLeastSeating by holding friction back, where the wheel jams (the paper divides by zero there).
/// Compression rate with the chassis-fixed contact point moving at v: the rim stays on the ground's tangent
/// plane: h' = -n3.v / (n3.b), so that -F_susp h' is the power of the normal force, whatever the tilt.
/// The point of the rim then moves in the tangent plane, at a.v / cos(tilt) along a3.
/// Spin: I w' = torque - r F_x - M_roll; the tree's rotor carries it.
///
/// What is stored comes from the motion. Nothing here may give back more than was put in:
/// - Springs. The displacement that presses grows by what the motion has put into the spring since the last
///   step (`way`); ground that appears suddenly (a wheel that finds itself inside a rock, a contact that
///   jumps to another place) presses beyond that only for energy that the damper took before (`spare`), and
///   no faster than kGrowth and half the speed.
/// - Bristles. Those that a rising load presses to the ground come without deflection, so that u loses what N
///   gains: u' = s - V_r u/L - u max(N', 0)/N. With u kept and a stiffness in proportion to N, a wheel that
///   bounces while it slides is loaded softly and released stiffly (a dropped robot gained a third of its
///   height). The load is followed with a play of kPlay. Without load, in the air or where the damper takes
///   all of it, there are none.
/// - Friction at and beyond its peak does not turn a light wheel past no slip within a step.
///
/// Steep ground. Where the suspension runs nearly along the ground, with c = n3.b between kRadialFull and
/// kRadialNone, the displacement along it grows without bound; there the rim gives too, along the ground's
/// normal and as stiff as the suspension beyond its travel. Of a displacement h the suspension takes
///
///     w(c) = kappa c² / (1 + kappa c²),   kappa the spring's stiffening,   blended to 1 towards kRadialNone,
///
/// both store U(h, c) = E(w h)/w with E the spring's energy, F_susp = dU/dh, and the link feels the couple
/// that belongs to dU/dc. Kept is p = sqrt(w) h, for which U hardly depends on c.
///
/// Ground higher than the wheel's centre is a wall (rim_search.hpp), onto which no suspension can lift a
/// wheel. It stops the robot by a spring and a damper between rim and wall along the wall's normal (against
/// the travel where its face is upright), without friction:
///
///     F = max(0, k d + c d'),   k the suspension's stiffness beyond its travel, c = kWallTime k
///
/// d grows by the motion as h does, and the whole fades where the wall reaches deep into the wheel
/// (kWallFull, kWallNone), which no motion in the wheel's plane explains: the hull is what meets walls from
/// the side.
#include "scree/core/lanes.hpp"
#include "scree/ground/contact_search.hpp"
#include "scree/ground/magic_formula.hpp"
#include "scree/ground/slip.hpp"
#include "scree/ground/suspension.hpp"
#include "scree/terrain/map.hpp"

namespace scree {

/// Constants of up to four wheels that share a tyre; all vectors in the carrying link's axes.
struct WheelPack {
  int count = 0;
  Mask active{};        ///< lanes that are wheels; the others repeat the first
  V3<Lanes> hub;        ///< hub with the suspension unloaded [m]
  V3<Lanes> n, a, b;    ///< forward, axle (left), along the suspension (up): right-handed
  bool square = false;  ///< these are the link's own axes
  Lanes radius{};
  Lanes spin_inertia{};  ///< about the axle [kg m^2]
  Suspension<Lanes> suspension{};
  const Tyre* tyre = nullptr;
};

/// Motion of the links that carry the wheels.
struct WheelMotion {
  V3<Lanes> p;           ///< link origin in the world [m]
  V3<Lanes> ex, ey, ez;  ///< columns of R_WL
  V3<Lanes> v;           ///< velocity of the link's origin, link axes [m/s]
  V3<Lanes> w;           ///< angular velocity, link axes [rad/s]
  Lanes spin;            ///< of the wheel relative to the link, forward positive [rad/s]
};

/// What a wheel remembers.
struct WheelMemory {
  Lanes ux, uy;   ///< slip deflection [m], under `bearing`; zero without
  Lanes seating;  ///< last N / F_susp: the load under which the tyre's coefficients are read; 0: none yet
  Lanes h;        ///< last displacement that pressed [m]; zero before the first step, below zero in the air
  Lanes way;      ///< by which it grew in the half step since then [m]; zero in the air
  Lanes spare;    ///< energy that the damper took and no sudden displacement has used [J]
  Lanes wall;     ///< how far the last wall pressed [m]
  Lanes bearing;  ///< last load, at the seating before [N]
};
inline constexpr int kWheelMemory = 8;  ///< numbers a wheel

/// How the implicit step weighs new values; dt = 0 evaluates the forces of this instant.
struct WheelStep {
  double dt = 0;
  double theta = 0.5;       ///< suspension
  double theta_slip = 0.5;  ///< slip deflection
  int load_passes = 1;      ///< evaluations of the tyre to settle N and its coefficients
};

/// The ground as wheels need it.
struct WheelGround : RimGround {
  double friction = 1;                      ///< scale of the tyre's friction everywhere
  const ScalarMap* friction_map = nullptr;  ///< and from place to place; null: 1
  bool planar = false;                      ///< forces in the wheel's plane, as in the paper
};

struct WheelForces {
  Mask touching;
  Mask seen;                     ///< `point` lies on the ground, even if the wheel does not press on it
  Lanes h, rate;                 ///< suspension displacement [m] and its rate [m/s]
  Lanes pressed;                 ///< displacement that presses: h, but for sudden growth [m]
  Lanes sine, cosine;            ///< of the contact angle
  V3<Lanes> point;               ///< contact point, link axes, from the link's origin [m]
  V3<Lanes> force;               ///< on the robot, link axes [N]
  V3<Lanes> normal;              ///< n3 (n^ where `planar`), link axes
  Lanes tilt_sine, tilt_cosine;  ///< of the ground across the wheel, left up positive
  Mask walled;                   ///< a wall pushes
  Lanes wall;                    ///< how far it presses: its depth, but for sudden growth [m]
  V3<Lanes> wall_point;          ///< where, link axes, from the link's origin [m]
  V3<Lanes> wall_force;          ///< on the robot, link axes [N]; not in `force`
  V3<Lanes> wall_E[3];           ///< force lost per acceleration of that point [kg]
  Mask steep;                    ///< the ground runs along the suspension: there is a couple
  V3<Lanes> couple;              ///< on the link, link axes [N m]; not set where no lane is steep
  Lanes spared;                  ///< spare energy that sudden displacements used, negative [J]
  Lanes rolling;                 ///< rolling resistance moment, against the spin [N m]
  Lanes load, fx, fy;            ///< N, F_x, F_y [N]
  Lanes seating;                 ///< N / F_susp, as balanced
  Lanes rim_speed, hub_speed, side_speed;  ///< U, V, v_y [m/s]

  // Derivatives for the implicit step, set where dt > 0. With acceleration x of the contact point
  // (link-fixed), spin acceleration y and turning of the link z about the axle, the mean force over the step
  // is force - E x - column y, the mean moment about the axle -rolling - rolling_row x - rolling_gain (y +
  // z), and the mean spin torque -r F_x - rolling - row x - diagonal y - rolling_gain z.
  V3<Lanes> E[3];  ///< rows of the 3 x 3 matrix [kg]
  V3<Lanes> column, row;
  V3<Lanes> rolling_row;  ///< the part of `row` that is rolling resistance, whose reaction the link bears
  Lanes diagonal;
  Lanes rolling_gain;  ///< d rolling / d (spin and turning), times theta dt; `diagonal` has it too

  // For finishing: displacement,
  V3<Lanes> compress;  ///< d rate / d velocity of the contact point
  Lanes damper;        ///< d force / d rate [N s/m]
  // and slip deflection.
  Lanes bearing;       ///< N at the last seating [N]
  Lanes bearing_rate;  ///< d bearing / d (compress . acceleration of the point) [kg]
  Lanes worn;          ///< share of the slip deflection that a risen load leaves
  V3<Lanes> slip_row;  ///< d s_x / d x
  V3<Lanes> side_row;  ///< -d s_y / d x
  Lanes sx, sy, speed;
};

/// The load that slip deflections refer to, once the load is `now` [N]: it follows with a play of kPlay, so
/// that what the contact search rounds does not wear them off.
Lanes bearing_after(Lanes before, Lanes now);

void touch_wheels(const WheelPack& pack, const WheelMotion& motion, const WheelMemory& memory,
                  const WheelGround& ground, const WheelStep& step, WheelForces& forces);

/// The wheel's memory after the step, with the accelerations that the solve returned: of the contact point,
/// of the link's turning, of the spin.
void finish_wheels(const WheelPack& pack, const WheelForces& forces, const V3<Lanes>& point_acceleration,
                   const V3<Lanes>& turn_acceleration, Lanes spin_acceleration, const WheelStep& step,
                   WheelMemory& memory);

/// Time derivative of the slip deflection, for the explicit integrators.
void wheel_rates(const WheelPack& pack, const WheelForces& forces, const WheelMemory& memory, Lanes& ux_rate,
                 Lanes& uy_rate);

/// Slip as it is logged (conventions, Slip): driving (U - V)/|U|, braking (U - V)/|V|, 0 when both are 0.
template <class T>
inline T logged_slip(T rim_speed, T hub_speed) {
  using namespace lane;
  const T U = abs(rim_speed), V = abs(hub_speed), one = constant<T>(1.0);
  const T scale = select(rim_speed * hub_speed >= T{}, max(U, V), U + V);
  const auto moves = scale > T{};
  return select(moves, clamp((rim_speed - hub_speed) / select(moves, scale, one), -one, one), T{});
}

}  // namespace scree
