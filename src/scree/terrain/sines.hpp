#pragma once
/// The sinusoidal ground of Morrot 2011, Sec. 5, in closed form.
#include "scree/terrain/terrain.hpp"

namespace scree {

struct SinesSettings {
  double amplitude = 0.15;  ///< half of crest to trough [m]
  double wavelength_x = 4;  ///< along x [m]; 0: the same at every x
  double wavelength_y = 6;  ///< along y [m]; 0: the same at every y
  double phase_x = 0;       ///< added to 2 pi x / wavelength_x [rad]
  double phase_y = 0;       ///< added to 2 pi y / wavelength_y [rad]
  double height = 0;        ///< mean height [m]
};

/// z = height + a sin(2 pi x / lx + px) cos(2 pi y / ly + py), gradient exact.
class Sines final : public Terrain {
 public:
  explicit Sines(const SinesSettings& settings = {});
  void sample(const TerrainRow& row) const override;
  double finest_feature(const Rectangle&) const override;
  double slope_bound(const Rectangle&) const override;
  std::optional<SlopeRange> slope_range(const Rectangle& area) const override;
  HeightRange height_range(const Rectangle&) const override {
    return {settings_.height - std::abs(settings_.amplitude),
            settings_.height + std::abs(settings_.amplitude)};
  }
  std::string summary() const override;

 private:
  SinesSettings settings_;
  double kx_, ky_;  ///< wave numbers [rad/m]
};

}  // namespace scree
