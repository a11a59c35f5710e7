#pragma once
/// Bodies that push back when they touch the ground: laws of a column of their surface and of the friction
/// of a patch of columns. A robot on its belly, its nose or its roof lies there.
///
/// Columns (Yokokohji 2002 Eqs. 20-21, errata 001-20..22). The paper divides the body into columns and lets
/// each push along its own direction with K L + D L', L its penetration. Here a column stands behind each
/// piece of the body's surface, and K and D are those of a piece of 25 mm x 25 mm; other pieces push in
/// proportion to their area A as seen along the ground's normal g (unit): with the surface's normal m,
///
///     F = a max(0, K d - D min(1, d/d_c) v_n) g,    a = max(0, -m.g) A/(25 mm)²
///
/// d is the depth below the ground along g, so that side slopes and walls push sideways by themselves (the
/// paper has columns along two axes for that). The damper fades in over d_c, so the force starts from zero,
/// and never pulls. The energy a K d²/2 depends on how the surface is turned, so each column also has the
/// couple K d²/2 A/(25 mm)² m x g, without which a tumbling box would make energy.
/// A column deep in the ground is pushed out the shorter way, up or to the side: walls stop it, and do not
/// lift it (hull_columns.cpp).
///
/// Friction (Eq. 22: Coulomb, against the slip). Columns of one patch share a bristle of deflection e at
/// their centre of load: F_t = -k_t e - c_t v_t while |F_t| <= mu N, N the patch's normal force; then the
/// bristle is dragged along at the cone. It holds a robot at rest without creep.
#include "scree/config/section.hpp"
#include "scree/core/types.hpp"

namespace scree {

inline constexpr double kColumnPitch = 0.025;  ///< m: side of the column that K and D are given for

struct HullSettings {
  double stiffness = 4e4;   ///< K [N/m] per column of 25 mm x 25 mm, or point
  double damping = 800;     ///< D [N s/m] likewise
  double ramp = 0.002;      ///< d_c [m]
  double friction = 0.6;    ///< mu [-]
  double grip_share = 0.6;  ///< k_t / K and c_t / D of a patch [-]
};
void describe(Section& section, HullSettings& settings);

/// A flat piece of a body's surface, link axes: the parallelogram corner + s u + t v, or the triangle of it
/// with s + t <= 1. Its outward normal is along u x v.
struct HullFace {
  Vec3 corner, u, v;
  bool triangle = false;
};

/// A patch of columns that press: what its friction depends on.
struct PatchPress {
  Vec3 normal = Vec3::UnitZ();  ///< of the sum of their forces, world axes
  double load = 0;              ///< its size N [N]
  Vec3 v_W = Vec3::Zero();      ///< velocity of the body at their centre of load [m/s]
};

struct Grip {
  Vec3 force = Vec3::Zero();  ///< world axes [N]
  double mass = 0;            ///< force lost per acceleration, across the normal [kg]
  double limit = 0;           ///< mu N [N]
};

/// `e`: deflection of the bristle, world axes [m]. dt = 0 gives the force of this instant.
Grip grip_patch(const HullSettings& hull, const PatchPress& press, const Vec3& e, double dt, double theta);

/// The bristle after a step in which the velocity at the centre of load became `v_new_W`.
Vec3 grip_next(const HullSettings& hull, const PatchPress& press, const Grip& grip, const Vec3& v_new_W,
               const Vec3& e, double dt);

/// d e/dt for explicit integrators.
Vec3 grip_rate(const HullSettings& hull, const PatchPress& press, const Grip& grip, const Vec3& e);

}  // namespace scree
