#pragma once
/// Couplings q_a = ratio q_b + offset in the solve: forces +lambda on a and -ratio lambda on b, so that they
/// do no work, found from the factors of the articulated-body recursion by one substitution each.
#include "scree/mechanism/workspace.hpp"

namespace scree {

/// Adds the coupling forces' effect to accelerations that were found without them. Leaves the right-hand side
/// in the workspace used up; u of the links is not updated.
void couple(const Tree& tree, double dt, double* accelerations, Workspace& workspace);

/// The same for a change of accelerations, which must not move the couplings; needs couple() before.
void keep_coupled(const Tree& tree, double* change, Workspace& workspace);

}  // namespace scree
