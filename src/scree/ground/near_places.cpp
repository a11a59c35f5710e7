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
    known_[k] = closely_[k] = 0;
    from_[k] = kEndless, to_[k] = -kEndless;
    const auto put = [&](const PlacedProfile& ground) {
      place_[k] = {ground, terrain.slope_bound(area), terrain.finest_feature(area)};
      known_[k] = -1;
      closely_[k] = is_gentle(place_[k].slope_bound, place_[k].feature, radius[k]) ? 0 : -1;
    };
    if (terrain.bilinear_view()) put({});
    if (terrain.bilinear_view() || terrain.smooth_view()) continue;  // these have searches of their own
    const std::optional<PlacedProfile> ground = terrain.placed_profile(area);
    if (!ground) continue;
    const PlacedProfile& g = *ground;
    along_x_[k] = g.along_x, along_y_[k] = g.along_y, offset_[k] = g.offset;
    if (!g.profile) {
      from_[k] = -kEndless, to_[k] = kEndless, z_[k] = g.z;
      continue;
    }
    put(g);
    const std::size_t at = g.profile->piece_at(g.along_x * x + g.along_y * y + g.offset);
    const Profile::Piece& piece = g.profile->piece(at);
    if (piece.steepest > 0) continue;
    from_[k] = piece.x, to_[k] = g.profile->end_of(at), z_[k] = g.z + g.scale * piece.z;
  }
}

}  // namespace scree
