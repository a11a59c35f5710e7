#pragma once
/// From a `[terrain]` table to a Terrain.
///
/// A new kind is one file with a maker of this signature and one line in terrain_kinds(). A maker describes
/// its keys first, stops there when only the reference is wanted, and builds:
///
///     TerrainPtr make_flat(Section& s, const MakeContext&) {
///       const FlatSettings x = read_keys<FlatSettings>(s);
///       return s.documenting() ? nullptr : std::make_unique<Flat>(x);
///     }
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

using TerrainPtr = std::unique_ptr<const Terrain>;

struct MakeContext {
  std::uint64_t seed = 0;  ///< of the scenario's trial; makers draw from streams named after themselves
  int threads = 1;         ///< worker threads that makers may use
};

struct TerrainKind {
  std::string name;
  std::string doc;  ///< one line
  TerrainPtr (*make)(Section&, const MakeContext&);
};

/// Every kind, in the order of the manual.
const std::vector<TerrainKind>& terrain_kinds();

/// Reads `kind` and the kind's keys, and builds. Tables `friction` and `soil` are left for map.hpp.
TerrainPtr make_terrain(Section& section, const MakeContext& context = {});

/// The keys of one kind, for the reference.
Reference terrain_reference(const TerrainKind& kind, const std::string& path = "terrain");

/// The key `seed` of a maker; set it to the context's first.
void describe_seed(Section& section, std::uint64_t& seed);

template <class T>
T read_keys(Section& section, T value = {}) {
  describe(section, value);
  return value;
}

}  // namespace scree
