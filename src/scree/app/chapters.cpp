#include "scree/app/chapters.hpp"

#include "scree/control/controller.hpp"
#include "scree/ground/soil_wheel.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/soil/ground_soils.hpp"
#include "scree/soil/soil.hpp"
#include "scree/study/study_file.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/map.hpp"

namespace scree {

std::vector<Chapter> reference_chapters() {
  std::vector<Chapter> chapters;
  chapters.push_back(
      {"Scenario", "Read by `scree run`, `scree view` and `scree render`.", "", describe_scenario, {}});
  for (const auto& kind : terrain_kinds()) {
    const auto describe = [&kind](Section& section) { kind.make(section, {}); };
    chapters.push_back({"Terrain: " + kind.name,
                        "`[terrain]` with `kind = \"" + kind.name + "\"`: " + kind.doc,
                        "terrain",
                        describe,
                        {}});
  }
  chapters.push_back({"Terrain: maps",
                      "Friction and soil from place to place, beside any kind of ground.",
                      "terrain",
                      [](Section& section) {
                        make_friction_map(section);
                        make_soil_map(section);
                        read_ground_soil_settings(section);
                      },
                      {}});
  chapters.push_back(
      {"Control",
       "`[robot.control]`: the controller of one robot. In brackets, the kind that takes the key.",
       "robot.N.control",
       {},
       describe_controllers});
  chapters.push_back(
      chapter_of<Soil>("Soil", "`soils/<name>.toml`, and `--set soil.KEY=VALUE` of `scree wheel`.", ""));
  chapters.push_back(
      chapter_of<SoilWheel>("Wheel of the test bed", "`--set wheel.KEY=VALUE` of `scree wheel`.", ""));
#ifdef SCREE_HAVE_VIEW
  chapters.push_back({"View",
                      "`[view]`: how a scenario is shown. Nothing in it changes a result.",
                      "view",
                      describe_view,
                      {}});
#endif
  chapters.push_back({"Study", "`studies/<name>.toml`, read by `scree study`.", "", describe_study, {}});
  chapters.push_back({"Robot", "`models/<name>/robot.toml`.", "", describe_robot, {}});
  return chapters;
}

}  // namespace scree
