#pragma once
/// The chapters of the reference: every file format of the program and the functions that describe its keys.
#include <vector>

#include "scree/config/reference.hpp"

namespace scree {

/// In the order of docs/scenario.md.
std::vector<Chapter> reference_chapters();

/// Documents `[view]`; only with SCREE_HAVE_VIEW.
void describe_view(Section& section);

}  // namespace scree
