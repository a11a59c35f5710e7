#pragma once
/// The stages of the articulated-body recursion (articulated.cpp explains the equations). Used by solve().
#include "scree/mechanism/block6.hpp"
#include "scree/mechanism/dynamics.hpp"

namespace scree::articulated {

/// Each link's matrix and imbalance with its rotors eliminated, no joint yet.
void assemble(const Tree& tree, const SolveOptions& options, Workspace& workspace);
/// From the tips to the base: everything about the matrix.
void factorize(const Tree& tree, Workspace& workspace);
/// For a right-hand side other than assemble()'s: adds the rotors' residuals to p of their links.
void absorb_rotors(const Tree& tree, Workspace& workspace);
/// Right-hand side (p of the links with their rotors absorbed, residuals of joints and rotors) ->
/// accelerations, with the kept factors.
void substitute(const Tree& tree, Workspace& workspace, double* accelerations);

/// b of a link from its parent's, at angular velocities w_P and w_L. These and what follows are in registers
/// (block6.hpp), with sums in the order that Eigen has.
inline block6::Six carry_bias(const Joint& joint, double rate, const LinkFactor& f, Lanes w_P, Lanes w_L,
                              const block6::Six& b_P) {
  using namespace block6;
  const Turn R_LP = load_turn(f.R_PL.data()).transposed();
  const Lanes p = load4(f.p_PL.data()), ang_P = turning(b_P);
  Lanes lin = R_LP * (linear(b_P) + cross3(ang_P, p) + cross3(w_P, cross3(w_P, p)));
  Lanes ang = R_LP * ang_P;
  const Lanes turn = cross3(w_L, rate * load4(joint.axis.data()));
  if (joint.type == JointType::revolute) {
    ang += turn;
  } else {
    lin += 2.0 * turn;
  }
  return join(lin, ang);
}

/// u of a link as its parent carries it, with its own joint's acceleration.
inline block6::Six carried(const LinkFactor& f, const block6::Six& u_P) {
  using namespace block6;
  const Turn R_LP = load_turn(f.R_PL.data()).transposed();
  const Lanes ang = turning(u_P);
  return join(R_LP * (linear(u_P) + cross3(ang, load4(f.p_PL.data()))), R_LP * ang);
}
inline block6::Six moved(const Joint& joint, const block6::Six& u, double acceleration) {
  using namespace block6;
  const Lanes own = acceleration * load4(joint.axis.data());
  return joint.type == JointType::revolute ? join(linear(u), turning(u) + own)
                                           : join(linear(u) + own, turning(u));
}

}  // namespace scree::articulated
