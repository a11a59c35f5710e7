#include "scree/view/terrain_gpu.hpp"

#include <algorithm>
#include <cmath>

namespace scree::view {
namespace {

constexpr std::size_t kMostTiles = 5000;  ///< about 220 MB

/// Place of every vertex in the tile: the square first, then the skirt that hangs from its four edges.
std::vector<Vec3f> cell_places(int cells) {
  std::vector<Vec3f> places;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) places.emplace_back(i, j, 0);
  for (int k = 0; k <= cells; ++k) places.emplace_back(k, 0, 1);
  for (int k = 0; k <= cells; ++k) places.emplace_back(k, cells, 1);
  for (int k = 0; k <= cells; ++k) places.emplace_back(0, k, 1);
  for (int k = 0; k <= cells; ++k) places.emplace_back(cells, k, 1);
  return places;
}

/// Number of the square's vertex that a skirt vertex hangs from.
int above(int edge, int k, int cells) {
  switch (edge) {
    case 0:
      return k;
    case 1:
      return cells * (cells + 1) + k;
    case 2:
      return k * (cells + 1);
    default:
      return k * (cells + 1) + cells;
  }
}

std::vector<std::uint16_t> tile_indices(int cells) {
  std::vector<std::uint16_t> list;
  const auto add = [&](int a, int b, int c) {
    for (int v : {a, b, c}) list.push_back(static_cast<std::uint16_t>(v));
  };
  const int side = cells + 1;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * side + i, b = a + 1, c = a + side, d = c + 1;
      add(a, b, d);
      add(a, d, c);
    }
  for (int edge = 0; edge < 4; ++edge)
    for (int k = 0; k < cells; ++k) {
      const int skirt = side * side + edge * side + k;
      add(above(edge, k, cells), above(edge, k + 1, cells), skirt);
      add(skirt, above(edge, k + 1, cells), skirt + 1);
    }
  return list;
}

double whole_part(double x) { return x - std::floor(x); }

}  // namespace

TerrainGpu::TerrainGpu(const Terrain& terrain, const GroundLook& look, TileLayout layout)
    : image_size(look.texture_size), terrain_(terrain), look_(look), layout_(layout) {
  const std::vector<Vec3f> cells = cell_places(layout_.cells);
  glBindBuffer(GL_ARRAY_BUFFER, cells_.id());
  fill_buffer(GL_ARRAY_BUFFER, cells.size() * sizeof(Vec3f), cells.data(), GL_STATIC_DRAW);
  const std::vector<std::uint16_t> indices = tile_indices(layout_.cells);
  index_count_ = static_cast<int>(indices.size());
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, indices_.id());
  fill_buffer(GL_ARRAY_BUFFER, indices.size() * 2, indices.data(), GL_STATIC_DRAW);
  // Heights of the coarsest level tell the colours their range.
  Wish all{.center = {Vec3::Zero(), Vec3::Zero(), 0}, .detail = {1e-9, 0.35}, .visible = {}};
  std::vector<Chosen> roots;
  choose(all, roots);
  z_min_ = 1e30, z_max_ = -1e30;
  for (const Chosen& c : roots) {
    z_min_ = std::min(z_min_, c.data->z_min);
    z_max_ = std::max(z_max_, c.data->z_max);
  }
  if (!(z_min_ < z_max_)) z_min_ -= 0.5, z_max_ = z_min_ + 1;
}

TerrainGpu::Tile* TerrainGpu::find_or_make(const TileKey& key, int& budget) {
  auto& slot = tiles_[key];
  if (!slot && budget <= 0) {
    tiles_.erase(key);
    return nullptr;
  }
  if (!slot || (slot->stale && budget > 0)) {  // a stale one is shown until its turn comes
    --budget, ++made_;
    if (!slot) slot = std::make_unique<Tile>();  // else in its place: others of this picture may point to it
    slot->stale = false;
    slot->data = sample_tile(terrain_, layout_, key, look_);
    std::vector<TileVertex> vertices = slot->data.vertices;
    for (int edge = 0; edge < 4; ++edge)
      for (int k = 0; k <= layout_.cells; ++k) vertices.push_back(vertices[above(edge, k, layout_.cells)]);
    glBindVertexArray(slot->array.id());
    glBindBuffer(GL_ARRAY_BUFFER, cells_.id());
    float_attribute(0, 3, sizeof(Vec3f), 0);
    glBindBuffer(GL_ARRAY_BUFFER, slot->buffer.id());
    fill_buffer(GL_ARRAY_BUFFER, vertices.size() * sizeof(TileVertex), vertices.data(), GL_STATIC_DRAW);
    float_attribute(1, 2, sizeof(TileVertex), offsetof(TileVertex, z));
    float_attribute(2, 4, sizeof(TileVertex), offsetof(TileVertex, nx));
    glEnableVertexAttribArray(4);
    glVertexAttribPointer(4, 4, GL_SHORT, GL_TRUE, sizeof(TileVertex),
                          reinterpret_cast<const void*>(offsetof(TileVertex, slide)));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(TileVertex),
                          reinterpret_cast<const void*>(offsetof(TileVertex, soil)));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
    glBindVertexArray(0);
    slot->data.vertices.clear();
    slot->data.vertices.shrink_to_fit();
  }
  slot->last_used = tick_;
  return slot.get();
}

bool TerrainGpu::choose(const TileKey& key, const Wish& wish, int& budget, std::vector<Chosen>& chosen) {
  const double size = layout_.tile_size(key.level);
  const double x = layout_.x0 + key.ix * size, y = layout_.y0 + key.iy * size;
  const Rectangle& b = layout_.bounds;
  if (!(x < b.x_max && y < b.y_max && x + size > b.x_min && y + size > b.y_min)) return true;
  Tile* tile = find_or_make(key, budget);
  if (!tile) return false;
  if (tile->stale) stand_ins_ = true;
  const double slack = 0.05 * (tile->data.z_max - tile->data.z_min) + 0.02 * size;
  const Box box{Vec3(x, y, tile->data.z_min - slack), Vec3(x + size, y + size, tile->data.z_max + slack)};
  if (wish.center.distance(box) > wish.farthest) return true;
  if (wish.visible && !wish.visible(box)) return true;
  const double finer_range = wish.detail.level0_range * std::pow(2.0, key.level - 1);
  if (key.level > wish.finest && wish.center.distance(box) < finer_range) {
    const std::size_t before = chosen.size();
    bool complete = true;
    for (int k = 0; k < 4 && complete; ++k)
      complete = choose({key.level - 1, 2 * key.ix + (k & 1), 2 * key.iy + (k >> 1)}, wish, budget, chosen);
    if (complete) return true;
    chosen.resize(before);  // a child is still to be made: this tile stands in for all four
    stand_ins_ = true;
  }
  const Vec3& eye = wish.center.eye;
  const double distance = (eye - eye.cwiseMax(box.low).cwiseMin(box.high)).norm();
  chosen.push_back({&tile->data, tile->array.id(), key.level, distance});
  return true;
}

bool TerrainGpu::choose(const Wish& wish, std::vector<Chosen>& chosen) {
  ++tick_;
  stand_ins_ = false;
  int budget = wish.budget;
  const int top = layout_.levels - 1;
  const double size = layout_.tile_size(top);
  const auto first = [&](double low, double anchor) {
    return static_cast<std::int64_t>(std::floor((low - anchor) / size));
  };
  const auto last = [&](double high, double anchor) {
    return static_cast<std::int64_t>(std::ceil((high - anchor) / size)) - 1;
  };
  // The roots are few and always made, so that nothing is ever missing.
  int unlimited = 1 << 30;
  for (std::int64_t iy = first(layout_.bounds.y_min, layout_.y0);
       iy <= last(layout_.bounds.y_max, layout_.y0); ++iy)
    for (std::int64_t ix = first(layout_.bounds.x_min, layout_.x0);
         ix <= last(layout_.bounds.x_max, layout_.x0); ++ix) {
      find_or_make({top, ix, iy}, unlimited);
      choose({top, ix, iy}, wish, budget, chosen);
    }
  trim();
  return !stand_ins_;
}

void TerrainGpu::trim() {
  if (tiles_.size() <= kMostTiles) return;
  std::erase_if(tiles_, [&](const auto& entry) { return entry.second->last_used + 30 < tick_; });
}

void TerrainGpu::changed(const Rectangle& area, double largest) {
  for (auto& [key, tile] : tiles_) {
    const TileData& t = tile->data;
    if (t.size <= largest && t.x < area.x_max && t.y < area.y_max && t.x + t.size > area.x_min &&
        t.y + t.size > area.y_min)
      tile->stale = true;
  }
}

void TerrainGpu::draw(const GlProgram& program, const std::vector<Chosen>& chosen, const Wish& wish) const {
  constexpr double kFine = 1 / 1.35, kBroad = 1 / 19.0;  // copies of the natural texture per metre
  program.set("uv_scale", Vec3f(kFine, kBroad, 1 / image_size));
  program.set("focus", Vec3f((wish.center.focus - wish.center.eye).cast<float>()));
  for (const Chosen& c : chosen) {
    const TileData& t = *c.data;
    const double range = wish.detail.level0_range * std::pow(2.0, c.level);
    const double spacing = t.size / layout_.cells;
    const bool top = c.level + 1 == layout_.levels;  // nothing coarser to slide to
    program.set("corner", Vec3f((Vec3(t.x, t.y, t.datum) - wish.center.eye).cast<float>()));
    program.set("shape", Vec4f(spacing, t.x_limit, t.y_limit, 1.5 * spacing + 0.02 * (t.z_max - t.z_min)));
    program.set("detail", Vec4f(top ? 1e8 : (1 - wish.detail.morph_share) * range, top ? 2e8 : range,
                                wish.center.focus_offset, kMostSlide * spacing));
    program.set("uv_offset", Vec4f(whole_part(t.x * kFine), whole_part(t.y * kFine), whole_part(t.x * kBroad),
                                   whole_part(t.y * kBroad)));
    program.set("image_offset", Vec2f(whole_part(t.x / image_size), whole_part(t.y / image_size)));
    program.set("grid_offset", Vec2f(std::fmod(t.x, 1000.0), std::fmod(t.y, 1000.0)));
    glBindVertexArray(c.array);
    draw_triangles(index_count_, GL_UNSIGNED_SHORT);
  }
  glBindVertexArray(0);
}

}  // namespace scree::view
