#pragma once
/// A wheel on soft, rough ground in motion: contact plane, slip, rut and suspension put together, with the
/// derivatives that the implicit step needs.
///
/// The ground under the wheel is the plane of its patch (contact_plane.hpp), axes x_e, y_e, n. With
/// the hub's velocity v_H, that of the rim's deepest place fixed to the link v_F, spin about y_e w_y:
///
///     U = r_s w_y,   V = x_e.v_H,   v_y = y_e.v_F,   z' = -n.v_F + g.v_H,   U - V: slip velocity
///     wrench = F_x x_e at the hub + F_y y_e + F_z n at the foot - T y_e
///
/// (g: the plane's own rise as the wheel moves on over rough ground, SoilPatch::drift)
/// which is Ding 2011 Eqs. 30-31 moved to where each force does its work. Differs: x_e is across the axle, a
/// x n, instead of in the vertical plane of the heading (Eq. 26), the same where the axle is level; otherwise
/// a wheel on ground that tilts both ways would roll aslant. The power of the wrench is F_x V + F_y v_y - F_z
/// z' - T w_y, so forces and speeds belong together one by one.
///
/// - Slip and side slip of the laws are deflections of a brush (slip.hpp), so that a parked robot is held.
/// - The laws are for a wheel that rolls forward: its patch lies ahead of the hub. Which way it rolled is a
///   third deflection of the same kind, d in [-1, 1], over (U + V)/2: ahead (d = 1), behind (mirrored, d =
///   -1), or even while it turns round or has settled. Without it a wheel at rest would be pushed backward
///   for ever by the resistance of soil that it does not roll into.
/// - Load in the rut (soil_rut.hpp); drawbar, side force and torque keep their ratio to it.
/// - A wheel that leans sinks by its deepest place, r sqrt(1 - (n.a)^2); beyond kLeanNone it lies on its side
///   and only the hull carries it.
/// - The patch is as long as the rut makes it, which grows with the sinkage and is forgotten as the wheel
///   rolls: neither jumps from step to step.
/// - Sinkage grows no faster than the motion explains (as the suspended wheel's displacement does,
///   wheel.hpp), since the plane jumps where a step comes under its front.
/// - Suspension in series, wheel massless in translation: c h' + E(h) = (F_x x_e + F_y y_e + F_z n).b, solved
///   for h' at every touch and eliminated from the step. Rigid mount: h = 0.
#include <array>

#include "scree/core/loads.hpp"
#include "scree/ground/closed_form.hpp"
#include "scree/ground/contact_plane.hpp"
#include "scree/ground/soil_rut.hpp"
#include "scree/ground/suspension.hpp"

namespace scree {

enum class SoilModel { stress_integral, closed_form };

/// Constants of one wheel, vectors in its link's axes.
struct SoilMount {
  Vec3 hub = Vec3::Zero();       ///< suspension unloaded [m]
  Vec3 forward = Vec3::UnitX();  ///< of the wheel
  Vec3 axle = Vec3::UnitY();     ///< left
  Vec3 up = Vec3::UnitZ();       ///< along the suspension, b
  SoilWheel wheel;
  SoilModel model = SoilModel::stress_integral;
  double relaxation_length = 0.05;  ///< of slip [m]
  double damping_time = 0.05;       ///< of slip at rest [s]
  bool suspended = false;
  Suspension<double> suspension{};
};

struct SoilMemory {
  double ux = 0, uy = 0;  ///< slip deflection [m]
  double turn = 0;        ///< deflection of d [m]
  double travel = 0;      ///< h [m]
  double rate = 0;        ///< last h' [m/s]: where the next search begins
  double rut = 0;         ///< deepest sinkage of the soil under the patch [m]
  double sinkage = 0;     ///< last [m]; zero before the first step, below zero in the air
};
inline constexpr int kSoilMemory = 7;

/// How the step weighs new values (as WheelStep); dt = 0: this instant.
struct SoilStep {
  double dt = 0, theta = 0.5, theta_slip = 0.5;
};

enum SoilForceIndex { kPull, kSide, kNormal, kTorque };           ///< F_x, F_y, F_z, T
enum SoilSpeedIndex { kSlipSpeed, kSideSpeed, kSinking, kTurn };  ///< U - V, v_y, z', (U + V)/2

struct SoilTouch {
  static std::array<Vec6, 4> zero_rows() { return {Vec6::Zero(), Vec6::Zero(), Vec6::Zero(), Vec6::Zero()}; }

  bool touching = false, buried = false;
  SoilPatch patch;                                               ///< of the ground, world
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), n = Vec3::UnitZ();  ///< axes of the contact, link axes
  Vec3 hub = Vec3::Zero(), foot = Vec3::Zero();                  ///< link axes, from the link's origin [m]
  double sinkage = 0;                                            ///< that presses [m]
  double travel = 0, rate = 0;                          ///< suspension at the end of the search [m, m/s]
  double rim_speed = 0, hub_speed = 0, side_speed = 0;  ///< U, V, v_y [m/s]
  double force[4] = {};                                 ///< by SoilForceIndex [N, N m]
  double entry = 0, exit = 0;                           ///< theta_1, theta_2 [rad]
  double direction = 0;                                 ///< d
  double gap = 1e300;                                   ///< clearance of the rim [m]

  // For the implicit step: with accelerations a_k of the speeds, mean force i over the step grows by
  // sum_k gain[i][k] a_k. Suspension eliminated.
  double gain[4][4] = {};
  std::array<Vec6, 4> speed_row = zero_rows();  ///< speed k = row . (v; w) + spin_part w_spin
  double spin_part[4] = {};
  std::array<Vec6, 4> force_column = zero_rows();  ///< wrench on the link per force i
  double spin_column = 0;                          ///< torque on the rotor per T
  double rate_gain[4] = {};                        ///< h' grows by sum_k rate_gain[k] a_k
};

/// Forces and derivatives of one wheel. `law` is that of the soil under it.
void touch_soil(const SoilMount& mount, const LinkMotion& link, double spin, const SoilMemory& memory,
                const Terrain& terrain, const ClosedForm& law, const SoilStep& step, SoilTouch& out);

/// Where the wheel stands on the ground, the first part of touch_soil: plane, axes, sinkage. Its foot says
/// which soil to take.
void place_soil(const SoilMount& mount, const LinkMotion& link, const SoilMemory& memory,
                const Terrain& terrain, SoilTouch& out);

/// Memory at the end of the step, with accelerations of the speeds as the solve found them.
void finish_soil(const SoilMount& mount, const SoilTouch& touch, const double acceleration[4],
                 const SoilStep& step, SoilMemory& memory);

/// Rates of the memory for explicit integrators, and what is left of it after a step: no deflection in the
/// air nor beyond full slip, a rut as deep as the wheel.
SoilMemory soil_rates(const SoilMount& mount, const SoilTouch& touch, const SoilMemory& memory);
void settle_soil(const SoilMount& mount, const SoilTouch& touch, SoilMemory& memory);

}  // namespace scree
