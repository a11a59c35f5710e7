#include "scree/ground/look_search.hpp"

#include <algorithm>
#include <cmath>

#include "scree/ground/looks_above.hpp"
#include "scree/ground/looks_along.hpp"

namespace scree {
namespace {

constexpr double kUnseen = 2;  // times the steepest slope seen, where the ground knows no bound
constexpr int kFewest = 24;    // looks over the rim, at least

}  // namespace

RimContact search_looks_along(const Terrain& terrain, const RimPlane& wheel, double feature,
                              double slope_bound) {
  using namespace looks;
  Looks looks(terrain, wheel);
  if (!looks.stands() || looks.touch_level()) return looks.finished();
  const int count =
      feature > 0 ? std::clamp(static_cast<int>(4 * looks.length() / feature) + 1, kFewest, LooksAlong::kMost)
                  : 2 * kFewest;
  const double step = looks.length() / (count - 1);
  LooksAlong along(looks, count, step);
  if (std::isinf(slope_bound)) {  // as steep as it is seen to be
    LooksAlong::Row row;
    along.look_at_all(row);
    if (looks.leans_little(kUnseen * along.steepest_seen(row))) {
      along.use_all(row);
      return along.finished();
    }
  } else if (looks.cuts_once(slope_bound)) {
    along.visit_groups();
    return along.finished();
  }
  LooksAbove above(looks, count, step, slope_bound);
  above.visit_gaps();
  return above.finished();
}

}  // namespace scree
