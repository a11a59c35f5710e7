#pragma once
/// The soils of a scenario's ground: which lies where (terrain/map.hpp), with its numbers, and how they vary.
#include <memory>
#include <vector>

#include "scree/soil/soil_tiles.hpp"
#include "scree/soil/variation.hpp"
#include "scree/terrain/map.hpp"

namespace scree {

/// Constant once built and shared by threads.
class GroundSoils {
 public:
  /// `soils` in the order of the map's names.
  GroundSoils(std::shared_ptr<const LabelMap> map, std::vector<Soil> soils, SoilVariation variation = {});
  /// One soil everywhere.
  explicit GroundSoils(Soil soil);

  /// Which soil lies at a place.
  int label(double x, double y) const { return map_ ? map_->at(x, y) : 0; }
  const Soil& soil(int label) const { return soils_[static_cast<std::size_t>(label)]; }
  std::size_t size() const { return soils_.size(); }
  /// Whether the numbers of a soil change from place to place.
  bool varies() const { return variation_.varies(); }
  SoilNumbers at(int label, double x, double y) const { return variation_.at(soil(label), x, y); }

 private:
  std::shared_ptr<const LabelMap> map_;  ///< null: one soil
  std::vector<Soil> soils_;
  SoilVariation variation_;
};

/// `set` and `[variation]` of `[terrain.soil]`: what makes numbers of the names.
struct GroundSoilSettings {
  std::vector<std::string> changes;  ///< "cohesion=800" for all soils, "toyoura.cohesion=800" for one
  SoilVariationSettings variation;
  SoilGridSettings grid;
};
void describe(Section& section, GroundSoilSettings& settings);
/// The same as recorded for the reference, below the terrain's section.
GroundSoilSettings read_ground_soil_settings(Section& terrain);

/// The soils that `map` names, as files of soils/ with the changes laid over them. Throws InputError naming
/// `[terrain.soil]`, the soil and the nearest name.
std::shared_ptr<const GroundSoils> make_ground_soils(std::shared_ptr<const LabelMap> map,
                                                     const GroundSoilSettings& settings, std::uint64_t seed);

}  // namespace scree
