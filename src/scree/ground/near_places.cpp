#include "scree/ground/near_places.hpp"

#include "scree/terrain/profile.hpp"

namespace scree {

void NearPlaces::look(const Terrain& terrain, Lanes radius, Lanes column, Lanes row, Mask same) {
  if (terrain_ != &terrain) same = Mask{};
  terrain_ = &terrain, radius_ = radius, column_ = column, row_ = row;
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kLanes; ++k) {
    if (same[k]) continue;
    const double side = kSide * radius[k], reach = kReach * radius[k];
    const double x = column[k] * side, y = row[k] * side;
    const Rectangle area{x - reach, x + reach, y - reach, y + reach};
    place_[k] = {};
    from_[k] = kEndless, to_[k] = -kEndless;
    if (terrain.bilinear_view())
      place_[k] = {{}, terrain.slope_bound(area), terrain.finest_feature(area), true};
    if (terrain.bilinear_view() || terrain.smooth_view()) continue;  // these have searches of their own
    const std::optional<PlacedProfile> ground = terrain.placed_profile(area);
    if (!ground) continue;
    const PlacedProfile& g = *ground;
    along_x_[k] = g.along_x, along_y_[k] = g.along_y, offset_[k] = g.offset;
    if (!g.profile) {
      from_[k] = -kEndless, to_[k] = kEndless, z_[k] = g.z;
      continue;
    }
    place_[k] = {g, terrain.slope_bound(area), terrain.finest_feature(area), true};
    const std::size_t at = g.profile->piece_at(g.along_x * x + g.along_y * y + g.offset);
    const Profile::Piece& piece = g.profile->piece(at);
    if (piece.steepest > 0) continue;
    from_[k] = piece.x, to_[k] = g.profile->end_of(at), z_[k] = g.z + g.scale * piece.z;
  }
}

}  // namespace scree
