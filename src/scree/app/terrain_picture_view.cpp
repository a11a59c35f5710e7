/// The 3-D picture of `scree terrain info`.
#include "scree/app/terrain_source.hpp"
#include "scree/view/terrain_view.hpp"

namespace scree {

void write_terrain_picture_3d(const std::filesystem::path& file, const Terrain& terrain,
                              const Picture3dSettings& s) {
  view::write_terrain_view(file, terrain, {.area = s.area, .width = s.width, .exaggeration = s.exaggeration});
}

}  // namespace scree
