#pragma once
/// Moving positions and velocities forward in time, and the flat rates that explicit integrators add up.
#include <span>

#include "scree/mechanism/workspace.hpp"

namespace scree {

/// Positions forward by h at constant velocity. The quaternion turns by a Cayley map whose argument carries
/// the next term of the tangent, q (1, (h w/2)(1 + |h w|²/12)), normalised: symmetric in h, exact to h^5.
void drift(const Tree& tree, std::span<double> positions, std::span<const double> velocities, double h);

/// Velocities forward by h at constant acceleration; `accelerations` as solve() gives them (base axes).
/// The base's pose is the one of the last update_kinematics.
void kick(const Tree& tree, const Workspace& workspace, std::span<const double> accelerations, double h,
          std::span<double> velocities);

/// Rate of change of the position vector; the quaternion's is q w/2. Within the stages of an explicit step
/// positions are added up linearly, then normalise_base() once at its end.
void position_rates(const Tree& tree, std::span<const double> positions, std::span<const double> velocities,
                    std::span<double> rates);
/// Rate of change of the velocity vector (base linear part in world axes) from solve()'s accelerations.
void velocity_rates(const Tree& tree, const Workspace& workspace, std::span<const double> accelerations,
                    std::span<double> rates);
void normalise_base(const Tree& tree, std::span<double> positions);

/// y += h x, element by element.
inline void axpy(double h, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * x[i];
}

/// Moves the coordinates a of all couplings to where b asks, and their rates. For initial states.
void meet_couplings(const Tree& tree, std::span<double> positions, std::span<double> velocities);

}  // namespace scree
