#pragma once
/// Samples that a source does not give (nodata, holes in a scan): found, reported, filled.
#include <string>

#include "scree/terrain/height_field.hpp"

namespace scree {

enum class Gaps { refuse, fill };

struct GapReport {
  std::size_t samples = 0;  ///< that were missing
  double fraction = 0;      ///< of all samples
  int widest = 0;           ///< passes from the edge to the middle of the widest gap [samples]
};

/// Missing samples are NaN. Refuses them (naming the first), or fills them: from the edges inward with the
/// mean of their known neighbours, then relaxed towards a membrane. Throws when every sample is missing.
GapReport close_gaps(HeightField& field, Gaps how, const std::string& what);

}  // namespace scree
