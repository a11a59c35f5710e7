#include "scree/soil/soil_tiles.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/hash.hpp"

namespace scree {
namespace {

std::size_t tile_hash(TilePlace p) {
  std::uint64_t h =
      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.x)) << 32) | static_cast<std::uint32_t>(p.y);
  h *= 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(h >> 20);
}

bool is_pressed(const SoilTile& tile) {
  const auto nonzero = [](std::int32_t v) { return v != 0; };
  return std::any_of(tile.sunk.begin(), tile.sunk.end(), nonzero) ||
         std::any_of(tile.loose.begin(), tile.loose.end(), nonzero);
}

std::uint64_t new_stamp() {
  static std::atomic<std::uint64_t> stamps{0};
  return 1 + stamps.fetch_add(1, std::memory_order_relaxed);
}

constexpr double kTileMegabytes = static_cast<double>(sizeof(SoilTile)) / 1e6;

}  // namespace

void describe(Section& s, SoilGridSettings& x) {
  s.number("cell", x.cell,
           {.unit = "m",
            .doc = "soil_grid: size of a cell, at most a fifth of a wheel's radius and a third of its width",
            .range = between(1e-3, 1)});
  s.boolean("bulldozing", x.bulldozing,
            {.doc = "soil_grid: displaced soil is pushed aside and lies loose beside the rut"});
  s.number("compaction", x.compaction,
           {.unit = "-",
            .doc = "soil_grid: share of the displaced volume that is pressed together instead",
            .range = between(0, 1)});
  s.angle("repose_angle", x.repose_angle,
          {.unit = "rad",
           .doc = "soil_grid: steepest slope of loose soil; 0: the soil's friction angle",
           .range = between(0, 1.2)});
  s.boolean("slip_sinkage", x.slip_sinkage,
            {.doc = "soil_grid: the sinkage exponent grows with slip as the soil says"});
  s.number("memory", x.memory,
           {.unit = "MB",
            .doc = "soil_grid: most memory that touched ground may take; the run ends where it is used up",
            .range = between(1, 1e6)});
}

void fill_tile(SoilTile& tile, TilePlace place, double cell, const Terrain& terrain) {
  double x[kTileSide], y[kTileSide], z[kTileSide], sx[kTileSide], sy[kTileSide];
  for (int i = 0; i < kTileSide; ++i) x[i] = (place.x * kTileSide + i) * cell;
  for (int j = 0; j < kTileSide; ++j) {
    const double at = (place.y * kTileSide + j) * cell;
    for (double& v : y) v = at;
    terrain.sample({kTileSide, x, y, z, sx, sy});
    if (j == 0) tile.base = z[0];
    for (int i = 0; i < kTileSide; ++i) {
      if (!std::isfinite(z[i]))
        throw GroundError(fmt::format("the ground at x = {:.6g} m, y = {:.6g} m is no number", x[i], at));
      tile.ground[static_cast<std::size_t>(j * kTileSide + i)] = static_cast<float>(z[i] - tile.base);
    }
  }
}

SoilTiles::SoilTiles(double cell, double most_megabytes)
    : cell_(cell), most_tiles_(static_cast<std::size_t>(std::max(1.0, most_megabytes / kTileMegabytes))) {}

int SoilTiles::slot(TilePlace place) const {
  if (table_.empty()) return -1;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = tile_hash(place) & mask;; at = (at + 1) & mask) {
    const int found = table_[at];
    if (found < 0 || entries_[static_cast<std::size_t>(found)].place == place) return found;
  }
}

void SoilTiles::grow() {
  std::size_t size = 64;  // a power of two
  while (size < 4 * (entries_.size() + 1)) size *= 2;
  table_.assign(size, -1);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t at = tile_hash(entries_[i].place) & (size - 1);
    while (table_[at] >= 0) at = (at + 1) & (size - 1);
    table_[at] = static_cast<int>(i);
  }
}

int SoilTiles::add(TilePlace place, std::shared_ptr<SoilTile> tile) {
  if (entries_.size() >= most_tiles_)
    run_error(
        "soil: {} tiles of touched ground use up terrain.soil.grid.memory = {:.4g} MB; give more, or "
        "larger cells",
        entries_.size(), static_cast<double>(most_tiles_) * kTileMegabytes);
  entries_.push_back({place, std::move(tile)});
  if (2 * entries_.size() > table_.size()) {
    grow();
  } else {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = tile_hash(place) & mask;
    while (table_[at] >= 0) at = (at + 1) & mask;
    table_[at] = static_cast<int>(entries_.size()) - 1;
  }
  return static_cast<int>(entries_.size()) - 1;
}

const SoilTile& SoilTiles::ensure(TilePlace place, const Terrain& terrain) {
  int at = slot(place);
  if (at < 0) {
    auto tile = std::make_shared<SoilTile>();
    fill_tile(*tile, place, cell_, terrain);
    at = add(place, std::move(tile));
  }
  return *entries_[static_cast<std::size_t>(at)].tile;
}

SoilTile& SoilTiles::edit(TilePlace place, const Terrain& terrain) {
  ensure(place, terrain);
  std::shared_ptr<SoilTile>& tile = entries_[static_cast<std::size_t>(slot(place))].tile;
  // If we are the only owner nobody else can become one meanwhile.
  if (tile.use_count() > 1) tile = std::make_shared<SoilTile>(*tile);
  tile->stamp = new_stamp();
  return *tile;
}

std::vector<const SoilTiles::Entry*> SoilTiles::pressed() const {
  std::vector<const Entry*> out;
  for (const Entry& e : entries_)
    if (is_pressed(*e.tile)) out.push_back(&e);
  std::sort(out.begin(), out.end(), [](const Entry* a, const Entry* b) { return a->place < b->place; });
  return out;
}

std::uint64_t SoilTiles::hash(std::uint64_t h) const {
  for (const Entry* e : pressed()) {
    h = hash_bytes(&e->place, sizeof e->place, h);
    h = hash_bytes(e->tile->sunk.data(), sizeof e->tile->sunk, h);
    h = hash_bytes(e->tile->loose.data(), sizeof e->tile->loose, h);
  }
  return hash_bytes(&compacted, sizeof compacted, h);
}

double SoilTiles::megabytes() const { return static_cast<double>(entries_.size()) * kTileMegabytes; }

void SoilTiles::clear() {
  entries_.clear();
  table_.clear();
  compacted = 0;
}

double soil_offset(const SoilTiles& tiles, double x, double y) {
  if (!tiles.active()) return 0;
  const double u = x / tiles.cell(), v = y / tiles.cell();
  if (!(std::abs(u) < 1e9 && std::abs(v) < 1e9)) return 0;
  const double fu = std::floor(u), fv = std::floor(v);
  const int i = static_cast<int>(fu), j = static_cast<int>(fv);
  const auto at = [&](int ci, int cj) {
    const SoilTile* tile = tiles.find({tile_of(ci), tile_of(cj)});
    if (tile == nullptr) return 0.0;
    const auto k = static_cast<std::size_t>(in_tile(cj) * kTileSide + in_tile(ci));
    return kSoilUnit * static_cast<double>(tile->loose[k] - tile->sunk[k]) - kLugUnit * tile->lug[k];
  };
  const double s = u - fu, t = v - fv;
  return (1 - t) * ((1 - s) * at(i, j) + s * at(i + 1, j)) +
         t * ((1 - s) * at(i, j + 1) + s * at(i + 1, j + 1));
}

SoilBalance soil_balance(const SoilTiles& tiles) {
  SoilBalance b;
  for (const auto& e : tiles.entries()) {
    for (const std::int32_t v : e.tile->sunk) b.sunk += v;
    for (const std::int32_t v : e.tile->loose) b.loose += v;
  }
  b.compacted = tiles.compacted;
  return b;
}

}  // namespace scree
