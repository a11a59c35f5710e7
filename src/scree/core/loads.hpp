#pragma once
/// The language between those who push (contacts, drives, springs) and the mechanism that moves: motion of
/// the links one way, wrenches with what they lose by acceleration the other.
#include "scree/core/types.hpp"

namespace scree {

/// Where a link is and how it moves.
struct LinkMotion {
  Pose X_WL;    ///< link in the world
  Vec6 V_WL_L;  ///< (velocity of the link's origin; angular velocity), link axes
};

/// What acts on a link. Forces at a later velocity are taken implicitly: the force that acts is
/// wrench - apparent * (rate of change of V_WL_L at this pose). Contacts, springs and dampers with
/// force = -C v - K x add theta dt C + dt²/4 K; the matrix need not be symmetric.
struct LinkLoad {
  Mat6 apparent;  ///< [kg, kg m, kg m²], adds to the link's inertia
  Vec6 wrench;    ///< (force; moment about the link's origin), link axes, gravity not included
};

struct JointLoad {
  double force;     ///< along the joint [N m or N]
  double apparent;  ///< adds to the inertia that the joint sees
};

/// What acts on a rotor. The link's wrench holds everything from outside on link and wheel together (the
/// contact force with its whole moment, also about the axle); torque is everything about the axle on the
/// wheel alone (drive and contact). A drive is internal: it appears in torque and nowhere else, its reaction
/// on the link follows. With apparent terms the rotor and link equations read
///   torque - apparent spin' - row . a      and      wrench - link apparent * a - column spin'
/// where a is the rate of change of V_WL_L and spin' that of the spin.
struct RotorLoad {
  Vec6 column;      ///< link wrench lost per spin acceleration
  Vec6 row;         ///< spin torque lost per link acceleration
  double torque;    ///< about the axis [N m]
  double apparent;  ///< adds to the spin inertia [kg m²]
};

}  // namespace scree
