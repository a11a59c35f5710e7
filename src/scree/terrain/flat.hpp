#pragma once
/// A plane: level ground, or an even slope.
#include "scree/core/maths.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

struct FlatSettings {
  double height = 0;  ///< at the origin [m]
  double slope = 0;   ///< angle of the steepest ascent [rad], [0, pi/2)
  double uphill = 0;  ///< direction of the steepest ascent from +x towards +y [rad]
};

class Flat final : public Terrain {
 public:
  explicit Flat(const FlatSettings& settings = {});
  void sample(const TerrainRow& row) const override;
  double slope_bound(const Rectangle&) const override { return maths::hypot(slope_x_, slope_y_); }
  std::optional<SlopeRange> slope_range(const Rectangle&) const override {
    return SlopeRange{slope_x_, slope_x_, slope_y_, slope_y_};
  }
  double slope_bound_along(const Rectangle&, const Vec2& way) const override {
    return std::abs(slope_x_ * way.x() + slope_y_ * way.y());
  }
  HeightRange height_range(const Rectangle& area) const override;
  std::string summary() const override;

 private:
  std::optional<double> meet(const Vec3& origin, const Vec3& unit, double begin, double end) const override;

  double height_, slope_x_, slope_y_;
};

}  // namespace scree
