#pragma once
/// Random step field: a floor of square posts of different heights (Nagatani 2016, Sec. 50.2.2; the test
/// ground of rescue robots).
#include <cstdint>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

enum class StepPattern {
  random,    ///< every post for itself
  hill,      ///< posts grow towards the middle line, plus the random part
  diagonal,  ///< posts grow towards the diagonal, plus the random part
};

struct StepFieldSettings {
  Vec2 size{1.2, 1.2};  ///< [m]; a whole number of posts each way
  double post = 0.1;    ///< side of a post [m]
  double rise = 0.05;   ///< between one height and the next [m]
  int levels = 4;       ///< random heights are 0, rise, ..., (levels - 1) rise
  double edge = 0.01;   ///< horizontal length over which one post gives way to the next [m]
  StepPattern pattern = StepPattern::random;
  std::uint64_t seed = 0;
};

/// Exact heights and gradients; bounds are the field's own, its outermost posts end in the air.
class StepField final : public Terrain {
 public:
  explicit StepField(const StepFieldSettings& settings);
  void sample(const TerrainRow& row) const override;
  Rectangle bounds() const override;
  double cell() const override { return settings_.edge; }
  double finest_feature(const Rectangle& area) const override {
    return slope_bound(area) > 0 ? settings_.edge : 0;
  }
  double slope_bound(const Rectangle& area) const override;
  double slope_bound_along(const Rectangle& area, const Vec2& way) const override;
  HeightRange height_range(const Rectangle& area) const override;
  std::string summary() const override;

  int posts_x() const { return nx_; }
  int posts_y() const { return ny_; }
  double post_height(int i, int j) const { return heights_[static_cast<std::size_t>(j) * nx_ + i]; }

 private:
  /// No |dz/dx|, no |dz/dy| in the area is larger.
  Vec2 steepest(const Rectangle& area) const;

  StepFieldSettings settings_;
  int nx_, ny_;
  std::vector<double> heights_;
  double lowest_ = 0, highest_ = 0;
};

}  // namespace scree
