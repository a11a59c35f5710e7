#pragma once
/// Tiles on the graphics card: made when first seen, dropped when long unseen, drawn by level.
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>

#include "scree/view/gl.hpp"
#include "scree/view/terrain_tiles.hpp"

namespace scree::view {

class TerrainGpu {
 public:
  TerrainGpu(const Terrain& terrain, const GroundLook& look, TileLayout layout);

  /// A tile chosen for drawing, with the range in which it slides to the next level.
  struct Chosen {
    const TileData* data;
    GLuint array;
    int level;
    double distance;  ///< m, from the eye
  };
  struct Wish {
    DetailCenter center;
    DetailSettings detail;
    double farthest = 1e9;  ///< m from the eye: nothing beyond is drawn
    int finest = 0;         ///< level: nothing finer is drawn
    int budget = 1 << 30;   ///< tiles that may be made for this call; coarser ones stand in for the rest
    std::function<bool(const Box&)> visible;
  };
  /// Tiles that together cover everything visible, each once. False where some stand in for finer ones that
  /// are still to be made.
  bool choose(const Wish& wish, std::vector<Chosen>& chosen);
  /// Draws the chosen tiles with a program that has the terrain's uniforms.
  void draw(const GlProgram& program, const std::vector<Chosen>& chosen, const Wish& wish) const;

  const TileLayout& layout() const { return layout_; }
  /// Lowest and highest point seen on the coarsest level [m].
  std::pair<double, double> height_range() const { return {z_min_, z_max_}; }
  /// The ground has changed in a rectangle: tiles that touch it and are no larger than this [m] are made anew
  /// when they are next seen, as far as the budget goes; until then they are shown as they were.
  void changed(const Rectangle& area, double largest = 1e300);
  /// Tiles made so far.
  std::size_t made() const { return made_; }
  std::size_t cached() const { return tiles_.size(); }
  double image_size = 1;  ///< m, of the texture

 private:
  struct Tile {
    TileData data;
    GlVertexArray array;
    GlBuffer buffer;
    std::uint64_t last_used = 0;
    bool stale = false;
  };
  Tile* find_or_make(const TileKey& key, int& budget);
  bool choose(const TileKey& key, const Wish& wish, int& budget, std::vector<Chosen>& chosen);
  void trim();

  const Terrain& terrain_;
  GroundLook look_;
  TileLayout layout_;
  GlBuffer cells_, indices_;
  int index_count_ = 0;
  std::unordered_map<TileKey, std::unique_ptr<Tile>, TileKeyHash> tiles_;
  std::uint64_t tick_ = 0;
  std::size_t made_ = 0;
  bool stand_ins_ = false;  ///< in the last choice
  double z_min_ = 0, z_max_ = 1;
};

}  // namespace scree::view
