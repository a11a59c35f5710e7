#pragma once
/// Samples that a source does not give (nodata, holes in a scan): found, reported, filled.
#include <string>

#include "scree/terrain/height_field.hpp"

namespace scree {

enum class Gaps { refuse, fill };

struct GapReport {
  std::size_t samples = 0;  ///< that were missing
  double fraction = 0;      ///< of all samples
  int widest = 0;           ///< samples from the edge to the middle of the widest gap
  /// "12 gaps (0.3 %, up to 4 samples deep) filled"; empty when there were none.
  std::string text() const;
};

/// Missing samples are NaN. Refuses them, naming the first and the key that would have them filled; or fills
/// them with the membrane that hangs on their edges: the solution of Laplace's equation (five-point
/// differences, cells of step_x by step_y), free where a gap reaches the end of the field. Solved from coarse
/// to fine by conjugate gradients until it is within 1e-6 of the range of heights around, so that a gap of
/// any width is closed. Throws when every sample is missing.
GapReport close_gaps(HeightField& field, Gaps how, const std::string& what, const std::string& key = "gaps");

}  // namespace scree
