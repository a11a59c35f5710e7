#include "scree/app/chapters.hpp"

#include "scree/terrain/make.hpp"
#if __has_include("scree/sim/scenario.hpp")
#include "scree/sim/scenario.hpp"
#endif

namespace scree {

std::vector<Chapter> reference_chapters() {
  std::vector<Chapter> chapters;
#if __has_include("scree/sim/scenario.hpp")
  chapters.push_back(
      {"Scenario", "Read by `scree run`, `scree view` and `scree render`.", "", describe_scenario});
#endif
  for (const auto& kind : terrain_kinds()) {
    const auto describe = [&kind](Section& section) { kind.make(section, {}); };
    chapters.push_back({"Terrain: " + kind.name,
                        "`[terrain]` with `kind = \"" + kind.name + "\"`: " + kind.doc, "terrain", describe});
  }
#if __has_include("scree/sim/scenario.hpp")
  chapters.push_back({"Robot", "`models/<name>/robot.toml`.", "", describe_robot});
#endif
  return chapters;
}

}  // namespace scree
