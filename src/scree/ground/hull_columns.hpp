#pragma once
/// A box that meets the ground with its whole surface: high-centred on a rock, hung on an edge, against a wall.
///
/// Yokokohji 2002 Sec. 4.2 divides the body into columns and lets each push by how deep the ground has come into
/// it (Eqs. 20-22, erratum 001-20..22). Here the columns stand where the ground is known: at the samples of a
/// grid under the box, else on a lattice as fine as the ground's finest feature. A column's top inside the box
/// is as deep as the nearest face is far, and that face says which way out: a rock under the belly pushes up.
/// A column that goes all the way through is a wall and leaves by the sides: it pushes back. So both of the paper's sets of columns, upright and along, are one.
/// Differs from the paper: columns of a part of a face (`HullPatch`) that are about as deep as the deepest act
/// together at the middle of them, with the stiffness of that part: the force depends on how deep the ground is,
/// not on how many columns it has, so no pitch is part of the law and a sharp rock does not sink in.
///
/// What is above all ground near it is not looked at: kept heights of the ground (Terrain::height_range) decide.
#include <vector>

#include "scree/core/types.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

/// An upright box in the axes of its link.
struct HullBox {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< m
};

/// Faces are numbered -x, +x, -y, +y, -z, +z; each has four quarters: 24 patches.
inline constexpr int kHullPatches = 24;

struct HullPatch {
  double depth = 0;             ///< of the deepest ground point [m]; 0: none
  Vec3 point = Vec3::Zero();    ///< middle of those about as deep, on the ground, link axes [m]
  Vec3 inward = Vec3::Zero();   ///< unit, away from the face: which way the body is pushed, link axes
};

struct HullPatches {
  bool any = false;
  HullPatch patch[kHullPatches];
};

/// `X_WL`: pose of the link. Returns false, and looks at nothing, where the box is clear of all ground.
bool press_box(const Terrain& terrain, const HullBox& box, const Pose& X_WL, HullPatches& out);

}  // namespace scree
