#include "scree/record/soil_tape.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

constexpr char kTapeMagic[8] = {'S', 'C', 'R', 'E', 'E', 'S', 'O', 'I'};

struct TapeHeader {
  char magic[8];
  std::uint32_t version, unused;
  double cell;
};
struct TapeRecord {
  double time;
  std::int64_t compacted;
  std::uint32_t tiles, cells;
};
struct TapeTile {
  std::int32_t x, y;
  std::uint32_t cells, unused;
};
struct TapeCell {
  std::int32_t sunk, loose;
  float slip;
  std::uint16_t number;
  std::uint8_t lug, unused;
};
static_assert(sizeof(TapeHeader) == 24 && sizeof(TapeRecord) == 24 && sizeof(TapeTile) == 16 &&
              sizeof(TapeCell) == 16);

template <class T>
void put(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

SoilTapeWriter::SoilTapeWriter(std::filesystem::path file, double cell) : out_(std::move(file)) {
  TapeHeader header{{}, 1, 0, cell};
  std::memcpy(header.magic, kTapeMagic, sizeof kTapeMagic);
  put(record_, header);
  out_.append(record_);
  out_.end_record();
  last_ = SoilTiles(cell, 1e9);
}

void SoilTapeWriter::add(double time, const SoilTiles& tiles) {
  record_.clear();
  TapeRecord head{time, tiles.compacted, 0, 0};
  put(record_, head);
  static const SoilTile empty;
  for (const SoilTiles::Entry& e : tiles.entries()) {
    const SoilTile* before = last_.find(e.place);
    if (before == e.tile.get()) continue;
    if (before == nullptr) before = &empty;
    const SoilTile& now = *e.tile;
    const std::size_t at = record_.size();
    TapeTile tile{e.place.x, e.place.y, 0, 0};
    put(record_, tile);
    for (std::size_t k = 0; k < kTileCells; ++k) {
      if (now.sunk[k] == before->sunk[k] && now.loose[k] == before->loose[k] &&
          now.lug[k] == before->lug[k] && now.slip[k] == before->slip[k])
        continue;
      put(record_,
          TapeCell{now.sunk[k], now.loose[k], now.slip[k], static_cast<std::uint16_t>(k), now.lug[k], 0});
      ++tile.cells;
    }
    if (tile.cells == 0) {
      record_.resize(at);
      continue;
    }
    std::memcpy(record_.data() + at, &tile, sizeof tile);
    ++head.tiles, head.cells += tile.cells;
  }
  std::memcpy(record_.data(), &head, sizeof head);
  out_.append(record_);
  out_.end_record();
  last_ = tiles;
}

SoilTape::SoilTape(const std::filesystem::path& file) : file_(file) {
  std::error_code status;
  if (!std::filesystem::exists(file, status)) return;
  std::ifstream in(file, std::ios::binary);
  bytes_.assign(std::istreambuf_iterator<char>(in), {});
  TapeHeader header;
  if (bytes_.size() < sizeof header) {
    bytes_.clear();
    return;
  }
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (std::memcmp(header.magic, kTapeMagic, sizeof kTapeMagic) != 0 || header.version != 1 ||
      !(header.cell >= 1e-3 && header.cell <= 1))
    input_error("{}: not a file of soil that this program reads", file.string());
  cell_ = header.cell;
  at_ = sizeof header;
}

double SoilTape::next() const {
  TapeRecord head;
  if (bytes_.size() < at_ + sizeof head) return std::numeric_limits<double>::infinity();
  std::memcpy(&head, bytes_.data() + at_, sizeof head);
  const std::size_t size = sizeof head + head.tiles * sizeof(TapeTile) + head.cells * sizeof(TapeCell);
  return bytes_.size() < at_ + size ? std::numeric_limits<double>::infinity() : head.time;
}

void SoilTape::read(SoilTiles& tiles, const Terrain& terrain) {
  TapeRecord head;
  std::memcpy(&head, bytes_.data() + at_, sizeof head);
  at_ += sizeof head;
  tiles.compacted = head.compacted;
  std::uint64_t left = head.cells;
  for (std::uint32_t i = 0; i < head.tiles; ++i) {
    TapeTile place;
    std::memcpy(&place, bytes_.data() + at_, sizeof place);
    at_ += sizeof place;
    if (place.cells > left) input_error("{}: damaged at byte {}", file_.string(), at_);
    left -= place.cells;
    SoilTile& tile = tiles.edit({place.x, place.y}, terrain);
    for (std::uint32_t k = 0; k < place.cells; ++k) {
      TapeCell cell;
      std::memcpy(&cell, bytes_.data() + at_, sizeof cell);
      at_ += sizeof cell;
      if (cell.number >= kTileCells) input_error("{}: damaged at byte {}", file_.string(), at_);
      tile.sunk[cell.number] = cell.sunk, tile.loose[cell.number] = cell.loose;
      tile.slip[cell.number] = cell.slip, tile.lug[cell.number] = cell.lug;
    }
  }
}

void read_soil(const std::filesystem::path& folder, double time, const Terrain& terrain, SoilTiles& tiles) {
  SoilTape tape(folder / "soil.bin");
  if (tape.empty()) input_error("{}: has no soil.bin, and the scenario's soil deforms", folder.string());
  if (tape.cell() != tiles.cell())
    input_error("{}: soil.bin has cells of {:g} m, the scenario of {:g} m", folder.string(), tape.cell(),
                tiles.cell());
  while (tape.next() <= time * (1 + 1e-12)) tape.read(tiles, terrain);
}

}  // namespace scree
