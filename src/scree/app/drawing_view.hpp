#pragma once
/// What drawing took, as fields of a JSON object.
#include <string>

#include "scree/view/drawing_stats.hpp"

namespace scree {

/// Per picture: processor time to prepare and submit (median, 99 %), means and maxima of the work asked for.
std::string drawing_json(const view::DrawingStats& drawing);

}  // namespace scree
