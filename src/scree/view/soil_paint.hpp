#pragma once
/// Colours for GroundShading::soil: which soil lies where, and how slippery it is.
#include "scree/sim/scenario.hpp"
#include "scree/soil/deformed_terrain.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

/// Colour of the n-th soil; they repeat after eight.
Color soil_color(std::size_t number);

/// Colour of a scale of friction: ice blue at 0, sand at 0.5, earth at 1, rust from 1.5 up.
Color friction_color(double scale);

/// Gives the ground its colours by soil and its legend, from the maps of the scenario: soils by name, each
/// paler and bluer the less friction it has; without soils the friction alone. Without either map nothing is
/// set.
void paint_soil(const Scenario& scenario, GroundLook& ground);

/// Says so when the ground is to be painted by soil but has no map.
void warn_without_soil(const GroundLook& ground, std::vector<std::string>& warnings);

/// The colours of deformed soil: sinkage, pressure that it bore, slip of who passed last. `ground` must
/// outlive the look. Does nothing where soil does not deform.
void paint_ruts(const Scenario& scenario, const DeformedTerrain& ground, GroundLook& look);
bool is_rut_shading(GroundShading shading);
std::vector<std::pair<std::string, Color>> rut_legend(GroundShading shading);

}  // namespace scree::view
