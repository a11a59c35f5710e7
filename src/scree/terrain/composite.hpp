#pragma once
/// Ground put together: a base, and any kind of ground placed, turned and blended onto it.
#include <memory>
#include <vector>

#include "scree/terrain/height_field.hpp"
#include "scree/terrain/make.hpp"

namespace scree {

/// How a feature's height f meets the height z that is there already.
enum class Blend {
  add,      ///< z + w f
  replace,  ///< z + w (f + lift - z)
  highest,  ///< z + w max(f + lift - z, 0)
  lowest,   ///< z + w min(f + lift - z, 0)
};

struct Placement {
  Vec2 at = Vec2::Zero();    ///< where the feature's origin lies [m]
  double yaw = 0;            ///< from +x of the ground to +x of the feature [rad]
  Vec2 size = Vec2::Zero();  ///< footprint in its own frame about its origin [m]; 0: its own bounds
  double margin = 0;         ///< inside the footprint's edge, over which the feature fades in [m]
  double scale = 1;          ///< multiplies its heights
  double lift = 0;           ///< added to its heights [m]
  Blend blend = Blend::add;
};

/// A kind of ground in its place.
class Feature {
 public:
  Feature(std::shared_ptr<const Terrain> shape, const Placement& placement);

  /// Blends the feature onto points whose ground so far is in row.z, row.slope_x, row.slope_y (at most 64).
  void blend(const TerrainRow& row) const;
  /// Slope bound of the whole when the ground so far is no steeper than `so_far` in the area.
  double slope_bound(const Rectangle& area, double so_far) const;
  double slope_bound_along(const Rectangle& area, const Vec2& way, double so_far) const;
  /// Finest feature of the whole in the area when that of the ground so far is `so_far`.
  double finest_feature(const Rectangle& area, double so_far) const;
  /// Heights of the whole when the ground so far lies in `so_far` in the area.
  HeightRange height_range(const Rectangle& area, HeightRange so_far) const;
  /// What the whole is in the area, where the ground so far is `so_far`; false where that is not one profile.
  bool place(const Rectangle& area, PlacedProfile& so_far) const;
  /// The upright rectangle around the footprint, in the ground's frame.
  const Rectangle& footprint() const { return world_; }
  const Terrain& shape() const { return *shape_; }

  static constexpr int kMostPoints = 64;

 private:
  /// The area in the feature's own frame.
  void add(const TerrainRow& row, const double* z, const double* sx, const double* sy) const;
  Rectangle seen_from(const Rectangle& area) const;
  bool whole(const Rectangle& own) const;
  double highest_rise(const Rectangle& own) const;
  double blended_slope(const Rectangle& own, double of_shape, double so_far) const;

  std::shared_ptr<const Terrain> shape_;
  Placement placement_;
  double cosine_, sine_;
  Rectangle own_;  ///< footprint in the feature's frame
  Rectangle world_;
};

/// Exact: every point asks the base and the features whose footprint holds it. The cost grows with the number
/// of features near the point; many small ones are better sampled onto a grid.
class Composite final : public Terrain {
 public:
  Composite(std::shared_ptr<const Terrain> base, std::vector<Feature> features);

  void sample(const TerrainRow& row) const override;
  Rectangle bounds() const override { return base_->bounds(); }
  double cell() const override;
  double finest_feature(const Rectangle& area) const override;
  HeightRange height_range(const Rectangle& area) const override;
  std::optional<PlacedProfile> placed_profile(const Rectangle& area) const override;
  double slope_bound(const Rectangle& area) const override;
  double slope_bound_along(const Rectangle& area, const Vec2& way) const override;
  std::string summary() const override;

 private:
  std::shared_ptr<const Terrain> base_;
  std::vector<Feature> features_;
};

/// Adds the features to a field in place (no second field), sample by sample.
void add_features(HeightField& field, const std::vector<Feature>& features, int threads = 1);

}  // namespace scree
