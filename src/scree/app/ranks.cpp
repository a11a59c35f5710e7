#include "scree/app/ranks.hpp"

namespace scree {

#ifndef SCREE_HAVE_MPI
Ranks::Ranks() = default;
Ranks::~Ranks() = default;
TrialEngine Ranks::engine() { return {}; }
void Ranks::dismiss() {}
void Ranks::serve(const TrialFunction&, const TrialControl&) {}
#endif

}  // namespace scree
