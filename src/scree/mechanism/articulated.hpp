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

/// b of a link from its parent's, at angular velocities w_P and w_L.
inline void carry_bias(const Joint& joint, double rate, const LinkFactor& f, const Vec3& w_P, const Vec3& w_L,
                       const Vec6& b_P, Vec6& b_L) {
  const Vec3 lin_P = b_P.head<3>(), ang_P = b_P.tail<3>();
  Vec3 lin = f.R_PL.transpose() * (lin_P + ang_P.cross(f.p_PL) + w_P.cross(w_P.cross(f.p_PL)));
  Vec3 ang = f.R_PL.transpose() * ang_P;
  const Vec3 turn = w_L.cross(rate * joint.axis);
  if (joint.type == JointType::revolute) {
    ang += turn;
  } else {
    lin += 2 * turn;
  }
  b_L = block6::join(lin, ang);
}

/// u of a link as its parent carries it, its own joint not counted.
inline Vec6 carried(const LinkFactor& f, const Vec6& u_P) {
  const Vec3 lin = u_P.head<3>(), ang = u_P.tail<3>();
  Vec6 u;
  u.head<3>().noalias() = f.R_PL.transpose() * (lin + ang.cross(f.p_PL));
  u.tail<3>().noalias() = f.R_PL.transpose() * ang;
  return u;
}

}  // namespace scree::articulated
