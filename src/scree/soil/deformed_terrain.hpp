#pragma once
/// Ground as it lies after wheels went over it: the undeformed terrain with ruts, heaps and prints of lugs.
#include <memory>

#include "scree/soil/soil_tiles.hpp"

namespace scree {

/// The soil between two moments, `part` of the way from `before` to `after`: for pictures. Tiles that are the
/// same in both are shared.
SoilTiles blend_soil(const SoilTiles& before, const SoilTiles& after, double part);

class DeformedTerrain : public Terrain {
 public:
  /// `base` must outlive this, or be shared with it.
  explicit DeformedTerrain(const Terrain& base) : base_(&base) {}
  DeformedTerrain(std::shared_ptr<const Terrain> base, SoilTiles tiles)
      : shared_(std::move(base)), base_(shared_.get()), tiles_(std::move(tiles)) {}

  void sample(const TerrainRow& row) const override;
  Rectangle bounds() const override { return base_->bounds(); }
  Rectangle raised() const override { return bounds(); }
  /// That of the soil, so that ruts are drawn and written.
  double cell() const override { return tiles_.active() ? tiles_.cell() : base_->cell(); }
  std::string summary() const override;

  const SoilTiles& tiles() const { return tiles_; }
  /// Shows another state of the soil; returns where the ground differs from the last one [m].
  std::vector<Rectangle> show(const SoilTiles& tiles);

 private:
  std::shared_ptr<const Terrain> shared_;
  const Terrain* base_;
  SoilTiles tiles_;
};

}  // namespace scree
