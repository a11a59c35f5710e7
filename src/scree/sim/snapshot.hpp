#pragma once
/// A run at one moment, to be continued elsewhere.
#include <span>
#include <string>
#include <vector>

#include "scree/sim/world.hpp"

namespace scree {

/// Counts up whenever the same layout would mean other numbers.
inline constexpr int kSnapshotVersion = 2;

struct SnapshotView {
  std::string_view layout;          ///< Simulation::layout() of the run that it was taken from
  std::span<const double> values;   ///< as Simulation::save() wrote them
  const SoilTiles* soil = nullptr;  ///< where soil deforms
};

/// The part of a layout that is the world's: version, and each robot with its coordinates, contacts, drives.
std::string world_layout(const World& world);

/// Throws InputError that names the first line in which the two differ.
void check_layout(std::string_view ours, std::string_view theirs);

}  // namespace scree
