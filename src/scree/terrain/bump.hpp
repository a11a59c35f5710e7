#pragma once
/// One hump or dip on level ground, round, elliptic or endless across (a sill).
#include <algorithm>

#include "scree/terrain/terrain.hpp"

namespace scree {

struct BumpSettings {
  Vec2 centre = Vec2::Zero();  ///< of the top [m]
  double rise = 0.1;           ///< of the top above the ground; negative makes a dip [m]
  double length = 1;           ///< along x, foot to foot [m]
  double width = 0;            ///< along y, foot to foot [m]; 0: endless across
  double height = 0;           ///< of the ground around it [m]
};

/// z = height + rise (1 + cos(pi r)) / 2 for r < 1, with r^2 = (2 dx / length)^2 + (2 dy / width)^2: C1.
class Bump final : public Terrain {
 public:
  explicit Bump(const BumpSettings& settings = {});
  void sample(const TerrainRow& row) const override;
  Rectangle raised() const override;
  double finest_feature(const Rectangle& area) const override {
    return apart(area) ? 0 : 1 / std::max(per_x_, per_y_);
  }
  double slope_bound(const Rectangle& area) const override;
  HeightRange height_range(const Rectangle& area) const override;
  std::string summary() const override;

 private:
  bool apart(const Rectangle& area) const;
  BumpSettings settings_;
  double per_x_, per_y_;  ///< 2 / length, 2 / width or 0 [1/m]
};

}  // namespace scree
