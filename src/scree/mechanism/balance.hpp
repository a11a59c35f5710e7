#pragma once
/// Energy, momentum, centre of mass: what tests and summaries ask of a mechanism. Needs update_kinematics.
#include "scree/mechanism/kinematics.hpp"

namespace scree {

/// [J], links, rotors and armatures, in the world.
double kinetic_energy(const Tree& tree, const Workspace& workspace);
/// [J], gravity (zero at the world's origin) and the joints' springs and stops.
double potential_energy(const Tree& tree, const Vec3& gravity, const Workspace& workspace);

struct Momentum {
  Vec3 linear;   ///< [kg m/s], world axes
  Vec3 angular;  ///< [kg m²/s] about the given point, world axes
};
/// Armatures count in the energy, not here: their direction in space is not modelled.
Momentum momentum(const Tree& tree, const Workspace& workspace, const Vec3& p_WP = Vec3::Zero());

/// Of the whole mechanism, in the world [m].
Vec3 centre_of_mass(const Tree& tree, const Workspace& workspace);
/// Its velocity, world axes [m/s].
Vec3 centre_of_mass_velocity(const Tree& tree, const Workspace& workspace);

/// Inertia tensor of the whole mechanism about its centre of mass, all joints stiff, world axes [kg m²].
Mat3 inertia_about_centre(const Tree& tree, const Workspace& workspace);

}  // namespace scree
