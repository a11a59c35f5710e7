#include "scree/soil/ground_soils.hpp"

#include <algorithm>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

/// "name.key=value" is for one of the soils, "key=value" for all.
std::vector<std::string> changes_of(const std::string& name, const std::vector<std::string>& names,
                                    const std::vector<std::string>& all) {
  std::vector<std::string> out;
  for (const std::string& change : all) {
    const std::string key = change.substr(0, change.find('='));
    const auto named = std::find_if(names.begin(), names.end(), [&](const std::string& n) {
      return key.starts_with(entry_label(n) + ".");
    });
    if (named == names.end()) {
      out.push_back(change);
    } else if (*named == name) {
      out.push_back(change.substr(entry_label(name).size() + 1));
    }
  }
  return out;
}

}  // namespace

GroundSoils::GroundSoils(std::shared_ptr<const LabelMap> map, std::vector<Soil> soils,
                         SoilVariation variation)
    : map_(std::move(map)), soils_(std::move(soils)), variation_(std::move(variation)) {}

GroundSoils::GroundSoils(Soil soil) { soils_.push_back(std::move(soil)); }

void describe(Section& s, GroundSoilSettings& x) {
  s.texts("set", x.changes,
          {.unit = "-",
           .doc = "Changes to the numbers of the soils: \"cohesion=800\" for all, "
                  "\"toyoura.cohesion=800\" for one"});
  s.table("variation", x.variation, "Random fields of single numbers, the same for the same seed");
  s.table("grid", x.grid, "Cells of soil that deforms, for contact kind soil_grid");
}

GroundSoilSettings read_ground_soil_settings(Section& terrain) {
  GroundSoilSettings settings;
  if (!terrain.documenting() && !terrain.has("soil")) return settings;
  Section s = terrain.child("soil");
  try {
    describe(s, settings);
  } catch (const InputError& error) {
    s.rethrow(error);
  }
  return settings;
}

std::shared_ptr<const GroundSoils> make_ground_soils(std::shared_ptr<const LabelMap> map,
                                                     const GroundSoilSettings& settings, std::uint64_t seed) {
  std::vector<Soil> soils;
  for (const std::string& name : map->names()) {
    try {
      soils.push_back(load_soil(name, changes_of(name, map->names(), settings.changes)));
    } catch (const InputError& error) {
      input_error("[terrain.soil]: {}", error.what());
    }
  }
  return std::make_shared<const GroundSoils>(std::move(map), std::move(soils),
                                             SoilVariation(settings.variation, seed));
}

}  // namespace scree
