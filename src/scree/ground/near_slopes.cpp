#include "scree/ground/near_slopes.hpp"

namespace scree {

void NearSlopes::look(const Terrain& terrain, Lanes radius, Lanes column, Lanes row, Mask same) {
  if (terrain_ != &terrain) same = Mask{};
  terrain_ = &terrain, radius_ = radius, column_ = column, row_ = row;
  for (int k = 0; k < kLanes; ++k) {
    if (same[k]) continue;
    const double side = kSide * radius[k], reach = kAside * radius[k] + 0.5 * side;
    const double x = column[k] * side, y = row[k] * side;
    const std::optional<SlopeRange> range = terrain.slope_range({x - reach, x + reach, y - reach, y + reach});
    known_[k] = range ? -1 : 0;
    if (!range) continue;
    slopes_.x[k] = 0.5 * (range->x_low + range->x_high);
    slopes_.y[k] = 0.5 * (range->y_low + range->y_high);
    slopes_.half_x[k] = 0.5 * (range->x_high - range->x_low);
    slopes_.half_y[k] = 0.5 * (range->y_high - range->y_low);
  }
}

}  // namespace scree
